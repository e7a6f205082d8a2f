// Path arithmetic for the engine, which runs where node:path is not imported; both separators are understood.
import path from 'node:path'

export const join = (...parts: readonly string[]): string => path.join(...parts)
export const baseOf = (file: string): string => path.basename(file)
export const dirOf = (file: string): string => path.dirname(file)
export const absolute = (file: string): string => path.resolve(file)
export const isAbsolute = (file: string): boolean => path.isAbsolute(file)
