// Opens a line of the model's source in the user's editor: an own process with its arguments, never a shell.
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import path from 'node:path'
import type { EditorSettings, SourceOpened } from '../preload/contract/host.ts'

/** Where a file of the machine that made the dump lies on this one; the longest folder that fits decides. */
export function localPath(file: string, folders: EditorSettings['folders']): string {
  const under = (folder: string): boolean =>
    file === folder || file.startsWith(/[\\/]$/.test(folder) ? folder : `${folder}/`)
  const fits = folders.filter(({ from }) => from !== '' && under(from))
  const best = fits.toSorted((a, b) => b.from.length - a.from.length)[0]
  return best ? path.join(best.to, file.slice(best.from.length)) : file
}

/** The program and its arguments, with the place filled in. */
export const editorCall = (command: readonly string[], file: string, line: number): readonly string[] =>
  command.map(part =>
    part.replaceAll(/\{file\}|\{line\}/g, word => (word === '{file}' ? file : String(line))),
  )

export async function openSource(
  { command, folders }: EditorSettings,
  { file, line }: { readonly file: string; readonly line: number },
): Promise<SourceOpened> {
  const there = localPath(file, folders)
  if (!path.isAbsolute(there) || !isFile(there)) return { is: 'not-here', path: there }
  const [program = '', ...args] = editorCall(command, there, line)
  return (await started(program, args)) ? { is: 'opened' } : { is: 'no-editor', program }
}

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false

function started(program: string, args: readonly string[]): Promise<boolean> {
  return new Promise(resolve => {
    const editor = spawn(program, args, { shell: false, detached: true, stdio: 'ignore' })
    editor.once('error', () => resolve(false))
    editor.once('spawn', () => {
      editor.unref()
      resolve(true)
    })
  })
}
