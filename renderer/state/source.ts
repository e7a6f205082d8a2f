// Opening a line of the model's source in the user's editor; where it is not here, its place is copied.
import { engine, isQuiet } from '../engine.ts'
import { host } from './host.ts'
import { notify, now, place } from './workbench.ts'

export interface SourcePlace {
  readonly file: string
  readonly line: number
}

export async function openSource({ file, line }: SourcePlace): Promise<void> {
  const opened = await host().openSource({ file, line })
  if (opened.is === 'opened') return
  await host().copy({ text: `${file}:${line}` })
  if (opened.is === 'not-here') notify('source-not-here', { file: opened.path })
  else notify('no-editor', { program: opened.program })
}

/** The model's own line that called the selected node. */
export async function openSourceOfSelection(): Promise<void> {
  const { selection } = now()
  const here = place(now())
  if (!selection || !here) return
  try {
    const { stack } = await engine.node({ ...here, at: selection.at })
    const frames = stack.debug.length > 0 ? stack.debug : stack.bench
    const own = frames.find(f => !f.framework) ?? frames[0]
    if (own && own.file !== '') await openSource(own)
    else notify('nothing-found')
  } catch (error) {
    if (!isQuiet(error)) throw error
  }
}

/** A command as it is typed: words, those with blanks in quotation marks. */
export const wordsOf = (text: string): readonly string[] =>
  [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

export const typedAs = (command: readonly string[]): string =>
  command.map(word => (/\s/.test(word) || word === '' ? `"${word}"` : word)).join(' ')
