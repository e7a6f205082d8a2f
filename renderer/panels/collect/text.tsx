// The text itself, with what the tool would make of it at its places and what mends it.
import { json } from '@codemirror/lang-json'
import { defaultKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, foldGutter } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef, type JSX } from 'react'
import type { ConfigCheck } from '../../../preload/contract/engine.ts'
import { configFixText, configText } from '../../../preload/contract/words/problem.ts'
import { step, write } from '../../state/collect.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { themedHighlighting } from '../../ui/highlight.ts'

const severities = { error: 'error', warning: 'warning', note: 'info' } as const

const extensions = [
  lineNumbers(),
  foldGutter(),
  drawSelection(),
  bracketMatching(),
  highlightActiveLine(),
  json(),
  themedHighlighting,
  lintGutter(),
  EditorView.lineWrapping,
  // One history for form and text: the document's own.
  keymap.of([
    { key: 'Mod-z', run: () => (step(true), true) },
    { key: 'Mod-y', run: () => (step(false), true) },
    { key: 'Mod-Shift-z', run: () => (step(false), true) },
    ...lintKeymap,
    ...searchKeymap,
    indentWithTab,
    ...defaultKeymap,
  ]),
  EditorView.updateListener.of(update => {
    if (update.docChanged) write(update.state.doc.toString())
  }),
]

export function TextView({
  text,
  check,
}: {
  readonly text: string
  readonly check: ConfigCheck
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const parent = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const label = say('collect.tab.text')
  useEffect(() => {
    if (!parent.current) return undefined
    const made = new EditorView({
      parent: parent.current,
      state: EditorState.create({ doc: '', extensions }),
    })
    made.contentDOM.setAttribute('aria-label', label)
    view.current = made
    return () => {
      view.current = null
      made.destroy()
    }
  }, [label])
  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === text) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } })
  }, [text, label])
  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() !== text) return
    const end = text.length
    const shown = check.diagnostics.map((one): Diagnostic => {
      const from = Math.min(one.from, end)
      return {
        from,
        // Of what is said of several lines the first one is marked.
        to: Math.max(from, Math.min(one.to, editor.state.doc.lineAt(from).to)),
        severity: severities[one.severity],
        message: configText(language, one),
        actions: one.fixes.map(fix => ({
          name: configFixText(language, fix),
          apply: at =>
            at.dispatch({
              changes: fix.edits.map(({ from: a, to: b, text: by }) => ({ from: a, to: b, insert: by })),
            }),
        })),
      }
    })
    editor.dispatch(setDiagnostics(editor.state, shown))
  }, [check, text, language, label])
  return <div className="collect-editor code-editor" ref={parent} data-testid="collect-editor" />
}
