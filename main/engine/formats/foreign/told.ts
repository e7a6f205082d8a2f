// What dumps of other tools say in text: shapes, types, numbers.
import type { Files } from '../../io/index.ts'
import { problem, Refusal } from '../../model/index.ts'
import { dtypeOf } from '../tensors/dtype.ts'

/** `torch.Size([1, 12])`; null where it is none. */
export function shapeIn(text: unknown): readonly number[] | null {
  const found = typeof text === 'string' ? /^(?:torch\.Size\()?\[([\d, ]*)\]\)?$/.exec(text.trim()) : null
  if (!found) return null
  return (found[1].match(/\d+/g) ?? []).map(Number)
}

/** A type by the name that tables show; what nobody knows stays as it was written. */
export const typeIn = (text: unknown): string =>
  typeof text === 'string' ? (dtypeOf(text)?.name ?? text.replace(/^torch\./, '')) : ''

/** `tensor(2.0264e-02, dtype=torch.bfloat16)` or the number alone; NaN where there is none. */
export function numberIn(text: unknown): number {
  const found = typeof text === 'string' ? /^(?:tensor\()?\s*([-+\w.]+)/.exec(text) : null
  if (!found) return NaN
  const word = found[1].toLowerCase()
  if (/^[-+]?inf/.test(word)) return word.startsWith('-') ? -Infinity : Infinity
  return Number(word)
}

export type Told = Readonly<Record<string, unknown>>
export const isTold = (value: unknown): value is Told =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mostText = 1 << 28

/** A whole JSON file; refuses what is none. */
export function jsonOf(files: Files, path: string): { readonly text: string; readonly value: unknown } {
  const text = new TextDecoder().decode(files.readAll(path, mostText))
  try {
    return { text, value: JSON.parse(text) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Refusal(problem('foreign-broken', path))
  }
}

/** The first characters of a file, by which its kind is known; '' where it cannot be read. */
export function headOf(files: Files, path: string, bytes = 4096): string {
  try {
    const handle = files.open(path)
    try {
      const head = new Uint8Array(Math.min(bytes, handle.size))
      return new TextDecoder().decode(head.subarray(0, handle.read(0, head)))
    } finally {
      handle.close()
    }
  } catch (error) {
    if (error instanceof Refusal) return ''
    throw error
  }
}
