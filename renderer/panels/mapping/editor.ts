// The text editor of a mapping: yaml with errors at their places, completion from both dumps, and what an
// entry does on hover.
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, foldGutter, indentUnit } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState, type Text } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
  type Tooltip,
} from '@codemirror/view'
import type {
  MappingCheck,
  MappingCompletion,
  MappingDiagnostic,
  MappingEntry,
  MappingKind,
} from '../../../preload/contract/engine.ts'
import { charactersOf, edited, editorState, mounted } from '../../state/mapping.ts'
import { mappingLanguage } from './language.ts'

interface EditorWords {
  diagnostic(found: MappingDiagnostic): string
  fix(fix: MappingDiagnostic['fixes'][number]): string
  entry(entry: MappingEntry): readonly string[]
  readonly label: string
}

interface EditorNeeds {
  complete(text: string, at: number): Promise<MappingCompletion | null>
  entryAt(text: string, at: number): Promise<MappingEntry | null>
  words(): EditorWords
}

export interface MappingEditor {
  /** What was found in a text; of another text it is out of date. */
  show(text: Text, check: MappingCheck): void
  goTo(from: number): void
  destroy(): void
}

const severities = { error: 'error', warning: 'warning', note: 'info' } as const

/**
 * What the editor on screen asks for; the extensions are made once, so that a state and its history outlive
 * the view.
 */
let asked: EditorNeeds | null = null
let shownKind: MappingKind = 'layer'

const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
  const word = context.matchBefore(/[\w.]*/)
  if (!asked || (!context.explicit && (!word || word.from === word.to))) return null
  const found = await asked.complete(charactersOf(context.state.doc), context.pos)
  if (!found || context.aborted || found.options.length === 0) return null
  return {
    from: found.from,
    to: found.to,
    filter: false,
    options: found.options.map(({ text, detail }) => ({ label: text, detail })),
  }
}

const hover = hoverTooltip(async (view, at): Promise<Tooltip | null> => {
  const text = view.state.doc
  const entry = await asked?.entryAt(charactersOf(text), at)
  if (!asked || !entry || view.state.doc !== text) return null
  const lines = asked.words().entry(entry)
  return {
    pos: entry.from,
    end: entry.to,
    above: true,
    create() {
      const dom = document.createElement('div')
      dom.className = 'mapping-hover'
      for (const line of lines) dom.append(Object.assign(document.createElement('p'), { textContent: line }))
      return { dom }
    },
  }
})

const extensions = [
  lineNumbers(),
  foldGutter(),
  history(),
  drawSelection(),
  EditorState.allowMultipleSelections.of(true),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  indentUnit.of('  '),
  lintGutter(),
  hover,
  autocompletion({ override: [complete] }),
  EditorView.lineWrapping,
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...lintKeymap,
    ...historyKeymap,
    ...searchKeymap,
    indentWithTab,
    ...defaultKeymap,
  ]),
  EditorView.updateListener.of(update => {
    if (update.docChanged) edited(shownKind, update.state)
  }),
]

export function openEditor(parent: HTMLElement, kind: MappingKind, needs: EditorNeeds): MappingEditor {
  asked = needs
  shownKind = kind
  const view = new EditorView({
    parent,
    state: editorState(kind, doc => [...extensions, mappingLanguage(doc.length)]),
  })
  view.contentDOM.setAttribute('aria-label', needs.words().label)
  mounted(kind, view)

  const asDiagnostic = (found: MappingDiagnostic): Diagnostic => {
    const end = view.state.doc.length
    const from = Math.min(found.from, end)
    return {
      from,
      to: Math.max(from, Math.min(found.to, end)),
      severity: severities[found.severity],
      message: needs.words().diagnostic(found),
      actions: found.fixes
        .filter(fix => fix.edits.length > 0)
        .map(fix => ({
          name: needs.words().fix(fix),
          apply: at =>
            at.dispatch({
              changes: fix.edits.map(({ from: a, to: b, text }) => ({ from: a, to: b, insert: text })),
            }),
        })),
    }
  }

  return {
    show(text, check) {
      if (view.state.doc === text)
        view.dispatch(setDiagnostics(view.state, check.diagnostics.map(asDiagnostic)))
    },
    goTo(from) {
      const at = Math.min(from, view.state.doc.length)
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) })
      view.focus()
    },
    destroy() {
      mounted(kind, null)
      view.destroy()
    },
  }
}
