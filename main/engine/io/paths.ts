// Path arithmetic for the engine, which runs where node:path is not imported; both separators are understood.
import path from 'node:path'

export const join = (...parts: readonly string[]): string => path.join(...parts)
export const baseOf = (file: string): string => path.basename(file)
export const dirOf = (file: string): string => path.dirname(file)
export const absolute = (file: string): string => path.resolve(file)
/**
 * The other machine that a path of Windows leads to, '' for one of this. Asking whether anything is there
 * would already log in on it.
 */
export function serverOf(file: string, windows = process.platform === 'win32'): string {
  if (!windows) return ''
  const plain = file.replaceAll('/', '\\').replace(/^\\\\\?\\UNC\\/i, '\\\\')
  return (/^\\\\(?![?.]\\)([^\\]+)/.exec(plain)?.[1] ?? '').toLowerCase()
}

export const isAbsolute = (file: string): boolean => path.isAbsolute(file)
