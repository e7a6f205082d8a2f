// Where the columns of a full-net compare are, in tables of all ages.
import type { Table } from '../../model/index.ts'

/** Columns of a table by what they hold; -1 where a table lacks one. */
export interface VectorPlaces {
  readonly index: number
  readonly opType: number
  readonly npu: number
  readonly truth: number
  readonly tensor: number
  readonly shape: number
  readonly cosine: number
  readonly reason: number
}

/** Tables of older versions call the sides otherwise. */
const titles: Readonly<Record<keyof VectorPlaces, readonly string[]>> = {
  index: ['Index'],
  opType: ['OpType'],
  npu: ['NPUDump', 'LeftOp'],
  truth: ['GroundTruth', 'RightOp'],
  tensor: ['TensorIndex'],
  shape: ['Shape'],
  cosine: ['CosineSimilarity'],
  reason: ['CompareFailReason'],
}
const needed = ['index', 'npu', 'truth', 'tensor', 'cosine'] as const

/** Where the columns of a result are; null where it is none of a full-net compare. */
export function vectorPlaces(table: Table): VectorPlaces | null {
  const at = table.columns.map(({ title }) => title.trim())
  const placeOf = (names: readonly string[]): number => at.findIndex(title => names.includes(title))
  const places = Object.fromEntries(
    Object.entries(titles).map(([key, names]) => [key, placeOf(names)]),
  ) as unknown as VectorPlaces
  return needed.every(key => places[key] >= 0) ? places : null
}

/** Titles of columns that a table lacks to be one. */
export const missingVectorColumns = (table: Table): string =>
  needed
    .map(key => titles[key])
    .filter(names => !table.columns.some(({ title }) => names.includes(title.trim())))
    .map(names => names[0])
    .join(', ')

/** A tensor of an op: `LeNet/conv1:input:0`. */
export interface TensorIndex {
  readonly op: string
  readonly io: 'input' | 'output'
  readonly at: number
}

/** Null of a row that speaks of no tensor. The name of an op may hold colons itself. */
export function tensorIndexOf(text: string): TensorIndex | null {
  const [, op, io, at] = /^(.*):(input|output):(\d+)$/s.exec(text) ?? []
  return op === undefined ? null : { op, io: io === 'input' ? 'input' : 'output', at: Number(at) }
}
