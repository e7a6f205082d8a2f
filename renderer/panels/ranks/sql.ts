// The editor of a question: colours of SQL's words, completion of tables and columns.
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, StreamLanguage } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap } from '@codemirror/view'
import type { RanksTable } from '../../../preload/contract/engine.ts'
import { themedHighlighting } from '../../ui/highlight.ts'

const words = (
  'select from where group by order having limit as and or not in is null distinct count sum min max avg median case when then ' +
  'else end join left on using with union all asc desc between like ilike exists filter over partition qualify cast true false'
).split(' ')
const functions = [
  'arg_max',
  'arg_min',
  'list',
  'quantile',
  'regexp_matches',
  'regexp_extract',
  'round',
  'coalesce',
]
const known: ReadonlySet<string> = new Set(words)

const language = StreamLanguage.define<null>({
  startState: () => null,
  token(stream) {
    if (stream.match(/^--.*/)) return 'comment'
    if (stream.match(/^'(?:[^']|'')*'?/)) return 'string'
    if (stream.match(/^"[^"]*"?/)) return 'variableName'
    if (stream.match(/^\d+(?:\.\d+)?(?:e[+-]?\d+)?/i)) return 'number'
    const word = stream.match(/^[A-Za-z_]\w*/)
    if (word) return Array.isArray(word) && known.has(word[0].toLowerCase()) ? 'keyword' : 'variableName'
    stream.next()
    return null
  },
})

/** Columns of the tables that the text speaks of first, then those of all. */
const completing =
  (tables: () => readonly RanksTable[]) =>
  (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/\w*/)
    if (!word || (word.from === word.to && !context.explicit)) return null
    const text = context.state.doc.toString().toLowerCase()
    const columns = new Map<string, { detail: string; boost: number }>()
    for (const { name, columns: of } of tables())
      for (const column of of) {
        const boost = new RegExp(`\\b${name}\\b`).test(text) ? 2 : 0
        const before = columns.get(column.name)
        if (!before || before.boost < boost)
          columns.set(column.name, { detail: `${name} · ${column.told}`, boost })
      }
    return {
      from: word.from,
      validFor: /^\w*$/,
      options: [
        ...tables().map(({ name }) => ({ label: name, type: 'class', boost: 3 })),
        ...[...columns].map(([label, more]) => ({ label, type: 'property', ...more })),
        ...functions.map(label => ({ label, type: 'function', boost: -1 })),
        ...words.map(label => ({ label, type: 'keyword', boost: -2 })),
      ],
    }
  }

export interface SqlEditor {
  setText(text: string): void
  focus(): void
  destroy(): void
}

export function openSqlEditor(
  parent: HTMLElement,
  needs: {
    readonly label: string
    readonly text: string
    tables(): readonly RanksTable[]
    run(): void
    changed(text: string): void
  },
): SqlEditor {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: needs.text,
      extensions: [
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        language,
        themedHighlighting,
        autocompletion({ override: [completing(needs.tables)] }),
        EditorView.lineWrapping,
        keymap.of([
          { key: 'Mod-Enter', run: () => (needs.run(), true) },
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.updateListener.of(update => {
          if (update.docChanged) needs.changed(update.state.doc.toString())
        }),
      ],
    }),
  })
  view.contentDOM.setAttribute('aria-label', needs.label)
  return {
    setText: text => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  }
}
