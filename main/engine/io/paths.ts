// Path arithmetic for the engine, which runs where node:path is not imported; both separators are understood.
import { realpathSync } from 'node:fs'
import path from 'node:path'

const windows = process.platform === 'win32'

/** Links followed. Windows' own mark of a long path is left out, for others write the same path without it. */
export const realPath = (file: string): string =>
  realpathSync(windows ? file.replace(/^\\\\\?\\(?=[A-Za-z]:)/, '') : file)

/** Windows takes names for the same that differ in the case of letters only. */
export const folded = (file: string): string => (windows ? file.toLowerCase() : file)

export const join = (...parts: readonly string[]): string => path.join(...parts)
export const baseOf = (file: string): string => path.basename(file)
export const dirOf = (file: string): string => path.dirname(file)
export const absolute = (file: string): string => path.resolve(file)
/**
 * The other machine that a path of Windows leads to, '' for one of this. Asking whether anything is there
 * would already log in on it.
 */
export function serverOf(file: string, onWindows = windows): string {
  if (!onWindows) return ''
  const plain = file.replaceAll('/', '\\').replace(/^\\\\\?\\UNC\\/i, '\\\\')
  return (/^\\\\(?![?.]\\)([^\\]+)/.exec(plain)?.[1] ?? '').toLowerCase()
}

export const isAbsolute = (file: string): boolean => path.isAbsolute(file)
