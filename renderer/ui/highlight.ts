// Colours of texts in editors, by the theme: those of the editor's own style suit a white page only.
import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language'

const inTheme: Readonly<Record<string, string>> = {
  '#404740': 'var(--dim)',
  '#940': 'var(--dim)',
  '#708': 'var(--accent-text)',
  '#219': 'var(--accent-text)',
  '#00f': 'var(--accent-text)',
  '#30a': 'var(--accent-text)',
  '#00c': 'var(--accent-text)',
  '#164': 'var(--ok)',
  '#085': 'var(--ok)',
  '#167': 'var(--ok)',
  '#256': 'var(--ok)',
  '#a11': 'var(--warn)',
  '#e40': 'var(--warn)',
  '#f00': 'var(--bad)',
}

export const themedHighlighting = syntaxHighlighting(
  HighlightStyle.define(
    defaultHighlightStyle.specs.map(spec => {
      const own: unknown = spec['color']
      return typeof own === 'string' ? { ...spec, color: inTheme[own] ?? own } : spec
    }),
  ),
)
