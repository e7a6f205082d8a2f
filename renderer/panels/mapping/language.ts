// Colours and folding of mapping texts: yaml's own grammar, and for long texts the lines in view alone, so
// that typing never waits for a parser.
import { yaml } from '@codemirror/lang-yaml'
import { themedHighlighting } from '../../ui/highlight.ts'
import { Compartment, EditorState, RangeSetBuilder, type Extension } from '@codemirror/state'
import {
  Decoration,
  ViewPlugin,
  type DecorationSet,
  type EditorView,
  type ViewUpdate,
} from '@codemirror/view'

const longText = 200_000

const marks = {
  comment: Decoration.mark({ class: 'mapping-comment' }),
  key: Decoration.mark({ class: 'mapping-key' }),
}

function inView(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  for (const { from, to } of view.visibleRanges) {
    for (let line = view.state.doc.lineAt(from); ; line = view.state.doc.line(line.number + 1)) {
      const [key = '', lead = ''] =
        /^(\s*(?:-\s+)?)('[^']*'|"[^"]*"|[^\s#'"][^#:]*)(?=:(?:\s|$))/.exec(line.text) ?? []
      const comment = line.text.search(/(?:^|\s)#/)
      if (key !== '') builder.add(line.from + lead.length, line.from + key.length, marks.key)
      if (comment >= key.length && comment < line.length)
        builder.add(line.from + comment, line.to, marks.comment)
      if (line.to >= to || line.number === view.state.doc.lines) break
    }
  }
  return builder.finish()
}

const byLine = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = inView(view)
    }
    update({ view, docChanged, viewportChanged }: ViewUpdate): void {
      if (docChanged || viewportChanged) this.decorations = inView(view)
    }
  },
  { decorations: plugin => plugin.decorations },
)

const grammar = [yaml(), themedHighlighting]
const language = new Compartment()
const isLong = (length: number): boolean => length > longText

/** Follows the text's length. */
export const mappingLanguage = (length: number): Extension => [
  language.of(isLong(length) ? byLine : grammar),
  EditorState.transactionExtender.of(({ startState, newDoc }) =>
    isLong(startState.doc.length) === isLong(newDoc.length)
      ? null
      : { effects: language.reconfigure(isLong(newDoc.length) ? byLine : grammar) },
  ),
]
