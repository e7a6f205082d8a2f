// One value of several ranks: whether they have the same, and what their statistics come to.
import { type Cells, type Dump, type ItemRow, Kind } from '../model/index.ts'
import { type CellName, cellNames, elementsOf, shapeOf } from './columns.ts'
import type { Sharing } from './rules.ts'

/** The same item on one rank. */
export interface Piece {
  readonly dump: Dump
  readonly item: ItemRow
}

/** Ranks that computed the same without determinism differ by so much in mean and norm. */
const uncertain = 1e-6

const isNumber = (kind: number): boolean => kind === Kind.int || kind === Kind.float
const isTold = (kind: number): boolean => isNumber(kind) || kind === Kind.bool
const near = (a: number, b: number): boolean =>
  Object.is(a, b) || a === b || (a === 0 ? Math.abs(b) < uncertain : Math.abs((b - a) / a) < uncertain)

/** Null where nothing tells. */
export function areSame(pieces: readonly Piece[]): boolean | null {
  const [first, ...others] = pieces
  let known = false
  for (const { dump, item } of others) {
    for (const name of cellNames) {
      const [a, b] = [first.dump.items[name], dump.items[name]]
      if (!isTold(a.kind[first.item]) || !isTold(b.kind[item])) continue
      known = true
      const exact = name === 'max' || name === 'min'
      const [one, two] = [a.value[first.item], b.value[item]]
      if (exact ? !Object.is(one, two) && one !== two : !near(one, two)) return false
    }
    const [mine, theirs] = [first.dump.items.md5[first.item], dump.items.md5[item]]
    if (first.dump.header.hasMd5 && mine >= 0 && theirs >= 0) {
      known = true
      if (first.dump.texts.get(mine) !== dump.texts.get(theirs)) return false
    }
    if (shapeKey(first) !== shapeKey({ dump, item })) return false
  }
  return known ? true : null
}

const shapeKey = ({ dump, item }: Piece): string =>
  dump.items.shape[item] < 0 ? '' : dump.texts.get(dump.items.shape[item])

/** Of a value that is the same everywhere, pieces cannot be told from copies. */
export function isConstant({ dump: { items }, item }: Piece): boolean {
  return isNumber(items.max.kind[item]) && items.max.value[item] === items.min.value[item]
}

export interface Decided {
  readonly way: 'same' | 'unequal' | 'split' | 'partial' | 'unfit'
  readonly axis: number
  readonly blocks: number
  readonly guessed: boolean
}

const as = (way: Decided['way'], axis = -1, blocks = 1, guessed = false): Decided => ({
  way,
  axis,
  blocks,
  guessed,
})

/** What pieces are, by the rule and by what they hold. */
export function decide(sharing: Sharing | null, pieces: readonly Piece[]): Decided {
  const equal = areSame(pieces) ?? sharing?.how !== 'split'
  const shapes = pieces.map(({ dump, item }) => shapeOf(dump, item) ?? [])
  if (sharing?.how === 'same') return as(equal ? 'same' : 'unequal')
  if (sharing?.how === 'sum') return as(equal ? 'same' : 'partial')
  if (sharing?.how === 'split') {
    if (equal && areSame(pieces) === true && !isConstant(pieces[0])) return as('same')
    const axis = sharing.axis < 0 ? shapes[0].length + sharing.axis : sharing.axis
    return fits(shapes, axis) ? as('split', axis, sharing.blocks) : equal ? as('same') : as('unfit')
  }
  if (equal) return as('same', -1, 1, sharing === null)
  if (sharing?.how === 'sequence') return fits(shapes, 0) ? as('split', 0) : as('unfit')
  const axis = guessedAxis(shapes)
  return fits(shapes, axis) ? as('split', axis, 1, true) : as(shapes[0].length === 0 ? 'partial' : 'unfit')
}

/** Sizes agree but for the axis. */
function fits(shapes: readonly (readonly number[])[], axis: number): boolean {
  const [first] = shapes
  return (
    axis >= 0 &&
    axis < first.length &&
    shapes.every(
      shape => shape.length === first.length && shape.every((size, i) => i === axis || size === first[i]),
    )
  )
}

/** The one where they differ; otherwise heads of four, and the hidden size. */
function guessedAxis(shapes: readonly (readonly number[])[]): number {
  const [first] = shapes
  const differing = first.findIndex((size, i) => shapes.some(shape => shape[i] !== size))
  if (differing >= 0) return differing
  return first.length === 4 ? 2 : first.length - 1
}

/** The sizes of the whole. */
export function joinedShape(pieces: readonly Piece[], axis: number): readonly number[] {
  const shapes = pieces.map(({ dump, item }) => shapeOf(dump, item) ?? [])
  return shapes[0].map((size, i) => (i === axis ? shapes.reduce((sum, shape) => sum + shape[i], 0) : size))
}

export interface Cell {
  readonly kind: number
  readonly value: number
}

const absent: Cell = { kind: Kind.absent, value: 0 }

/** The statistics of the whole, as if it had been dumped; absent where one rank has none. */
export function joinedCell(name: CellName, pieces: readonly Piece[]): Cell {
  const cells = pieces.map(({ dump, item }) => cellOf(dump.items[name], item))
  if (!cells.every(({ kind }) => isNumber(kind))) return absent
  const values = cells.map(({ value }) => value)
  if (name === 'max') return { kind: cells[0].kind, value: Math.max(...values) }
  if (name === 'min') return { kind: cells[0].kind, value: Math.min(...values) }
  const round = roundingOf(pieces[0])
  if (name === 'norm') return { kind: Kind.float, value: round(Math.sqrt(sumOf(values.map(v => v * v)))) }
  const weights = pieces.map(({ dump, item }) => elementsOf(shapeOf(dump, item)))
  const total = sumOf(weights)
  const even = weights.every(weight => weight === weights[0])
  const mean = even ? sumOf(values) / values.length : sumOf(values.map((v, i) => v * weights[i])) / total
  return { kind: Kind.float, value: round(mean) }
}

const cellOf = ({ kind, value }: Cells<ItemRow>, item: ItemRow): Cell => ({
  kind: kind[item],
  value: value[item],
})
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Statistics are dumped in the precision of the tensor: those of the whole are as coarse. */
function roundingOf({ dump, item }: Piece): (value: number) => number {
  const dtype = dump.items.dtype[item] < 0 ? '' : dump.texts.get(dump.items.dtype[item]).toLowerCase()
  if (dtype.endsWith('bfloat16')) return brainRound
  if (dtype.endsWith('float16')) return halfRound
  return dtype.endsWith('float32') ? Math.fround : value => value
}

const word = new Float32Array(1)
const bits = new Uint32Array(word.buffer)

/** To the nearest bfloat16, ties to even. */
function brainRound(value: number): number {
  if (!Number.isFinite(value)) return value
  word[0] = value
  const low = bits[0] & 0xffff
  bits[0] = (bits[0] & 0xffff_0000) >>> 0
  if (low > 0x8000 || (low === 0x8000 && (bits[0] & 0x1_0000) !== 0)) bits[0] = (bits[0] + 0x1_0000) >>> 0
  return word[0]
}

/** To the nearest of eleven bits, ties to even; subnormals in steps of 2^-24. */
function halfRound(value: number): number {
  if (!Number.isFinite(value) || value === 0) return value
  const step = 2 ** Math.max(Math.floor(Math.log2(Math.abs(value))) - 10, -24)
  const scaled = value / step
  const down = Math.floor(scaled)
  const rest = scaled - down
  const even = down % 2 === 0 ? down : down + 1
  const rounded = rest === 0.5 ? even : Math.round(scaled)
  const result = rounded * step
  return Math.abs(result) > 65504 ? Math.sign(result) * Infinity : result
}

/** Whether two items of one rank show the same value. */
export const valueKey = ({ dump: { items }, item }: Piece): string =>
  cellNames.every(name => isNumber(items[name].kind[item]))
    ? cellNames.map(name => items[name].value[item]).join()
    : ''
