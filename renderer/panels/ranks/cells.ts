// Where each cell of steps × ranks stands, and how it is coloured: numbers for the canvas, no picture.
import { cellStates, type RanksPicture } from '../../../preload/contract/engine.ts'

export const colourings = ['error', 'rows', 'enters', 'node'] as const
export type Colouring = (typeof colourings)[number]

/** Cells of a step wrap after so many; a step is a block of lines. */
export interface Arrangement {
  readonly perLine: number
  readonly lines: number
  readonly size: number
  /** Of a cell, where it is more than its width. */
  readonly high: number
  readonly left: number
  readonly top: number
  readonly between: number
  readonly height: number
}

const left = 92
const right = 12
const top = 22
const between = 12
const largest = 30

/** Few ranks on one line and large, many on lines of a power of two. */
export function arrange(ranks: number, steps: number, width: number): Arrangement {
  const room = Math.max(120, width - left - right)
  const fits = Math.max(8, Math.floor(room / 12))
  let perLine = ranks
  if (ranks > fits) {
    perLine = 8
    while (perLine * 2 <= fits) perLine *= 2
  }
  const size = Math.max(3, Math.min(largest, Math.floor(room / perLine)))
  const lines = Math.ceil(ranks / Math.max(1, perLine))
  const high = lines === 1 ? Math.max(size, 24) : size
  return { perLine, lines, size, high, left, top, between, height: top + steps * (lines * high + between) }
}

export interface CellPlace {
  readonly x: number
  readonly y: number
}

export const placeOf = (cell: number, ranks: number, at: Arrangement): CellPlace => {
  const [step, rank] = [Math.floor(cell / ranks), cell % ranks]
  return {
    x: at.left + (rank % at.perLine) * at.size,
    y: at.top + step * (at.lines * at.high + at.between) + Math.floor(rank / at.perLine) * at.high,
  }
}

/** The cell under a point; -1 where there is none. */
export function cellAt(x: number, y: number, ranks: number, steps: number, at: Arrangement): number {
  const block = at.lines * at.high + at.between
  const step = Math.floor((y - at.top) / block)
  const within = y - at.top - step * block
  const [line, column] = [Math.floor(within / at.high), Math.floor((x - at.left) / at.size)]
  const rank = line * at.perLine + column
  const inside =
    step >= 0 &&
    step < steps &&
    line >= 0 &&
    line < at.lines &&
    column >= 0 &&
    column < at.perLine &&
    rank < ranks
  return inside ? step * ranks + rank : -1
}

/** Steps of the ramp at error levels: they lie over many orders of magnitude. */
const levels = [0, 1e-6, 1e-4, 1e-3, 1e-2, 0.1]

/** 0 to 5 on the theme's ramp; -1 where there is nothing to colour by. */
export function shadeOf(
  picture: RanksPicture,
  node: Float64Array | null,
  by: Colouring,
  cell: number,
): number {
  if (cellStates[picture.state[cell] ?? 0] !== 'done') return -1
  if (by === 'rows') return shareShade((picture.differs[cell] ?? 0) / Math.max(1, picture.rows[cell] ?? 1))
  if (by === 'enters') {
    const at = picture.position[cell] ?? NaN
    return Number.isNaN(at) ? 0 : Math.max(1, 5 - Math.floor(at * 5))
  }
  const level = by === 'node' ? (node?.[picture.unit[cell] ?? -1] ?? NaN) : (picture.level[cell] ?? NaN)
  if (by === 'node' && Number.isNaN(level)) return -1
  return errorShade(level)
}

/** 0 for none, then by orders of magnitude. */
export const errorShade = (level: number): number =>
  level > 0 ? Math.max(1, levels.filter(limit => level > limit).length - 1) : 0

const shareShade = (share: number): number => (share > 0 ? Math.min(5, 1 + Math.floor(share * 8)) : 0)
