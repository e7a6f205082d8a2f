// What graph files hold, whatever their format: per side the hierarchy, links and indices as columns, and
// items that are read when asked for.
import { isArray, isObject, type Json, JsonNumber, JsonReader, JsonStop } from '../../json/index.ts'
import type { Problem, TextPool } from '../../model/index.ts'

/** One side as read; rows are in the order of the file. */
export interface FileSide {
  readonly texts: TextPool
  readonly length: number
  readonly name: Uint32Array
  readonly kind: Uint8Array
  /** Parent by row, -1 for none; free of cycles, everything hangs below row 0. */
  readonly parent: Int32Array
  /** Children in order, parents' lists one after the other. */
  readonly attached: Uint32Array
  readonly micro: Int32Array
  /** Code of the id of the partner on the other side, -1 for none. */
  readonly partner: Int32Array
  readonly index: Float64Array
  /** 0 none, 1 medium, 2 high, 3 critical. */
  readonly overflow: Uint8Array
  /** Stack of each row, -1 for none. */
  readonly stack: Int32Array
  readonly stacks: { readonly length: number; frames(stack: number): readonly string[] }
  readonly tensors: string
  /** JSON of the items of a row: inputs, then outputs. */
  items(row: number): readonly [Uint8Array, Uint8Array]
}

export interface GraphFile {
  readonly file: string
  /** Step and rank that this part of the file is about. */
  readonly step: number
  readonly rank: number
  readonly debug: FileSide
  /** Null in a single graph. */
  readonly bench: FileSide | null
  /** all, summary, md5, structure, or '' in single graphs. */
  readonly task: string
  readonly microSteps: number
  /** Null when the file does not say. */
  readonly overflowChecked: boolean | null
  readonly colors: readonly FileColor[]
  readonly partial: boolean
  readonly problems: readonly Problem[]
}

export interface FileColor {
  readonly color: string
  readonly from: number
  readonly to: number
  readonly level: string
}

export const overflowOf: Readonly<Record<string, number>> = { medium: 1, high: 2, critical: 3 }

/** The texts of a JSON list; none when it is broken. */
export function readTexts(bytes: Uint8Array): string[] {
  if (bytes.length === 0) return []
  try {
    const value = new JsonReader(bytes).value()
    return isArray(value) ? value.filter(member => typeof member === 'string') : []
  } catch (error) {
    if (!(error instanceof JsonStop)) throw error
    return []
  }
}

/** Colours in their order; entries without a range (no partner) are left out. */
export function colorsIn(value: Json): FileColor[] {
  if (!isObject(value)) return []
  const colors: FileColor[] = []
  for (const [color, entry] of value) {
    if (!isObject(entry)) continue
    const range = entry.get('value')
    const level = entry.get('accuracy_level')
    const [from, to] = isArray(range) ? range : []
    if (from instanceof JsonNumber && to instanceof JsonNumber)
      colors.push({ color, from: from.value, to: to.value, level: typeof level === 'string' ? level : '' })
  }
  return colors
}

/** The partner stands last; very old files put a letter for the side before it. */
export function lastLink(links: readonly string[]): string {
  const last = links.at(-1) ?? ''
  return last === 'None' ? '' : last.replace(/^[NB]___/, '')
}
