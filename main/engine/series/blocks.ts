// Many rows are put into blocks of ranks, steps and targets, so that a question which holds any of the three fast skips
// most of the rest; and for each of the three, what a picture of all the rest needs is made beforehand: tiles, with the
// lowest, the highest, and whether anything is no number.
import type { Appender, Column } from '../io/index.ts'
import type { SeriesFixed, SeriesViewName } from '../model/index.ts'
import { Cancelled, type Job } from '../work/index.ts'
import { columnOf, type Filled } from './filling.ts'

/** Places of each kind that lie together; multiples of a tile's. */
export const block: Readonly<Record<SeriesFixed, number>> = { rank: 32, step: 32, target: 128 }
/** Places that a tile is wide and high. */
export const tile = { across: 4, down: 8 } as const
/** Bits of what a tile holds besides numbers. */
export const odd = { nan: 1, inf: 2, minusInf: 4 } as const

/** Of whatever is held fast, the kinds of places that a picture has across and down. */
export const axes = {
  rank: { across: 'step', down: 'target' },
  step: { across: 'rank', down: 'target' },
  target: { across: 'step', down: 'rank' },
} as const satisfies Record<SeriesFixed, { across: SeriesFixed; down: SeriesFixed }>

/**
 * A table for each kind that is held fast, of (f, x, y): its place, and the tile's. A view of a statistic has the columns
 * low, high and odd with its number.
 */
export interface TileTables {
  readonly tables: Readonly<Record<SeriesFixed, string>>
  readonly views: readonly { readonly view: SeriesViewName; readonly stat: string }[]
}

const fixedKinds = ['rank', 'step', 'target'] as const
/** Of all places so many have a row at least. */
const leastShare = 1 / 16
/** Bytes of values that are in memory at once. */
const mostBytes = 16 << 20

export const isDense = ({ codes, sides, rows }: Filled): boolean =>
  rows > codes.rank.size * codes.step.size * codes.target.size * leastShare * (sides.bench ? 2 : 1)

/** Values of one statistic of one side within a block. */
interface Cells {
  readonly values: Float64Array
  readonly has: Uint8Array
}

type Range = readonly [from: number, to: number]
type Box = Readonly<Record<SeriesFixed, Range>>

const lengthOf = ([from, to]: Range): number => to - from

function* ranges(length: number, size: number): Generator<Range> {
  for (let from = 0; from < length; from += size) yield [from, Math.min(length, from + size)]
}

/** The one table, and its tiles. */
export async function blocked(filled: Filled, job: Job): Promise<TileTables> {
  const blocks = new Blocks(filled)
  await blocks.open()
  const { codes } = filled
  for (const rank of ranges(codes.rank.size, block.rank)) {
    for (const step of ranges(codes.step.size, block.step))
      for (const target of ranges(codes.target.size, blocks.targetsAtOnce(rank, step))) {
        if (job.signal.aborted) throw new Cancelled()
        await blocks.write({ rank, step, target })
        await job.breathe()
      }
    await blocks.forget(rank)
  }
  return blocks.close()
}

class Blocks {
  readonly #filled: Filled
  readonly #columns: readonly { readonly side: 'debug' | 'bench'; readonly stat: number }[]
  readonly #views: readonly { readonly view: SeriesViewName; readonly stat: string }[]
  readonly #rows: Rows
  readonly #tiles: Readonly<Record<SeriesFixed, Rows>>
  readonly #codesAt: Readonly<Record<'rank' | 'step', Int32Array>>

  constructor(filled: Filled) {
    const { table, sides, codes } = filled
    this.#filled = filled
    this.#columns = (['debug', 'bench'] as const).flatMap(side =>
      (sides[side]?.stats ?? []).map((_, stat) => ({ side, stat })),
    )
    this.#views = viewsOf(sides.debug?.stats ?? [], sides.bench?.stats ?? [])
    this.#rows = new Rows(
      table,
      ['r', 's', 't'],
      this.#columns.map(one => columnOf(one.side, one.stat)),
    )
    const tilesOf = (fixed: SeriesFixed): Rows =>
      new Rows(
        `${table}_${fixed}`,
        ['f', 'x', 'y'],
        this.#views.flatMap((_, i) => [`low${i}`, `high${i}`, `odd${i}`]),
      )
    this.#tiles = { rank: tilesOf('rank'), step: tilesOf('step'), target: tilesOf('target') }
    this.#codesAt = { rank: inverse(codes.rank.places), step: inverse(codes.step.places) }
  }

  async open(): Promise<void> {
    for (const rows of [this.#rows, ...Object.values(this.#tiles)]) await rows.open(this.#filled)
  }

  close(): TileTables {
    for (const rows of [this.#rows, ...Object.values(this.#tiles)]) rows.close()
    const { rank, step, target } = this.#tiles
    return { tables: { rank: rank.table, step: step.table, target: target.table }, views: this.#views }
  }

  targetsAtOnce(rank: Range, step: Range): number {
    const bytes = lengthOf(rank) * lengthOf(step) * 9 * (this.#columns.length + 2)
    return Math.max(1, Math.floor(mostBytes / bytes / block.target)) * block.target
  }

  /** What came of ranks that are done is not needed any more. */
  async forget([, to]: Range): Promise<void> {
    const later = [...this.#codesAt.rank.subarray(to)]
    for (const side of [this.#filled.sides.debug, this.#filled.sides.bench]) {
      if (!side) continue
      const needed = new Set(side.tablesOf(later))
      await side.drop(side.tables.filter(table => !needed.has(table)))
    }
    // What they took on disk is written over from now on.
    await this.#filled.database.run('CHECKPOINT')
  }

  async write(box: Box): Promise<void> {
    const cube = new Cube(box)
    const cells = this.#columns.map((): Cells => ({
      values: new Float64Array(cube.size),
      has: new Uint8Array(cube.size),
    }))
    for (const side of ['debug', 'bench'] as const)
      await this.#gather(
        side,
        cube,
        cells.filter((_, i) => this.#columns[i].side === side),
      )
    this.#addRows(cube, cells)
    this.#addTiles(cube, cells)
  }

  /** Of several rows of one place the last value counts. */
  async #gather(side: 'debug' | 'bench', cube: Cube, cells: readonly Cells[]): Promise<void> {
    const writer = this.#filled.sides[side]
    if (!writer) return
    const { rank, step, target } = cube.box
    const [ranks, steps] = [this.#codesAt.rank.slice(...rank), this.#codesAt.step.slice(...step)]
    const places = { rank: this.#filled.codes.rank.places, step: this.#filled.codes.step.places }
    for (const table of writer.tablesOf([...ranks])) {
      const found = this.#filled.database.stream(
        `SELECT * FROM ${table} WHERE ${within('r', ranks)} AND ${within('s', steps)}
           AND t >= ${target[0]} AND t < ${target[1]}`,
      )
      for await (const { length, columns } of found) {
        const [r, s, t, ...values] = columns
        for (let i = 0; i < length; i++) {
          const at = cube.indexOf(places.rank[r.values[i]], places.step[s.values[i]], t.values[i])
          if (at < 0) continue
          for (const [k, column] of values.entries()) {
            if (column.has?.[i] === 0) continue
            cells[k].values[at] = column.values[i]
            cells[k].has[at] = 1
          }
        }
      }
    }
  }

  #addRows(cube: Cube, cells: readonly Cells[]): void {
    const rows = this.#rows
    cube.each((at, r, s, t) => {
      if (!cells.some(({ has }) => has[at] === 1)) return
      const row = rows.add(r, s, t)
      for (const [k, { values, has }] of cells.entries()) if (has[at] === 1) rows.set(row, k, values[at])
    })
  }

  #addTiles(cube: Cube, cells: readonly Cells[]): void {
    const { debug, bench } = this.#filled.sides
    const of = (side: 'debug' | 'bench', stat: string): Cells => {
      const number = (side === 'debug' ? debug : bench)?.stats.indexOf(stat) ?? -1
      const at = this.#columns.findIndex(one => one.side === side && one.stat === number)
      return cells[at]
    }
    const tiles = fixedKinds.map(fixed => new Tiles(cube, fixed, this.#views.length))
    for (const [i, { view, stat }] of this.#views.entries()) {
      const seen =
        view === 'debug' || view === 'bench'
          ? of(view, stat)
          : together(view, of('debug', stat), of('bench', stat))
      for (const one of tiles) one.gather(i, seen)
    }
    for (const [i, fixed] of fixedKinds.entries()) tiles[i].writeTo(this.#tiles[fixed])
  }
}

const viewsOf = (
  debug: readonly string[],
  bench: readonly string[],
): readonly { readonly view: SeriesViewName; readonly stat: string }[] => {
  const both = debug.filter(stat => bench.includes(stat))
  return [
    ...debug.map(stat => ({ view: 'debug', stat }) as const),
    ...bench.map(stat => ({ view: 'bench', stat }) as const),
    ...both.flatMap(stat => [{ view: 'difference', stat } as const, { view: 'ratio', stat } as const]),
  ]
}

/** As the questions to the one table say it. */
function together(view: 'difference' | 'ratio', mine: Cells, theirs: Cells): Cells {
  const has = mine.has.map((there, i) => there & theirs.has[i])
  const values = mine.values.map((a, i) => {
    const b = theirs.values[i]
    if (view === 'ratio') return a === b ? 1 : a / b
    return Object.is(a, b) || a === b ? 0 : Math.abs(a - b) / Math.abs(b)
  })
  return { values, has }
}

/** A range that holds all of these, which need not lie beside each other. */
const within = (column: string, codes: Int32Array): string => {
  const [low, high] = codes.reduce(
    ([least, most], code) => [Math.min(least, code), Math.max(most, code)],
    [Infinity, -Infinity],
  )
  return `${column} >= ${low} AND ${column} <= ${high}`
}

function inverse(places: Int32Array): Int32Array {
  const codes = new Int32Array(places.length)
  for (const [code, place] of places.entries()) codes[place] = code
  return codes
}

/** Cells of a box in the order of its rows: a step after the other for some targets, then the next targets. */
class Cube {
  readonly box: Box
  readonly size: number
  readonly #lengths: Readonly<Record<SeriesFixed, number>>

  constructor(box: Box) {
    this.box = box
    this.#lengths = { rank: lengthOf(box.rank), step: lengthOf(box.step), target: lengthOf(box.target) }
    this.size = this.#lengths.rank * this.#lengths.step * this.#lengths.target
  }

  /** -1 outside. */
  indexOf(rank: number, step: number, target: number): number {
    const { rank: ranks, step: steps, target: targets } = this.#lengths
    const [r, s, t] = [rank - this.box.rank[0], step - this.box.step[0], target - this.box.target[0]]
    if (r < 0 || r >= ranks || s < 0 || s >= steps || t < 0 || t >= targets) return -1
    const first = t - (t % block.target)
    const wide = Math.min(block.target, targets - first)
    return first * steps * ranks + (s * ranks + r) * wide + (t - first)
  }

  each(visit: (at: number, rank: number, step: number, target: number) => void): void {
    const { rank, step, target } = this.box
    let at = 0
    for (let first = target[0]; first < target[1]; first += block.target) {
      const end = Math.min(first + block.target, target[1])
      for (let s = step[0]; s < step[1]; s++)
        for (let r = rank[0]; r < rank[1]; r++) for (let t = first; t < end; t++) visit(at++, r, s, t)
    }
  }
}

/** Tiles of a box for one kind that is held fast. */
class Tiles {
  readonly #cube: Cube
  readonly #fixed: SeriesFixed
  readonly #across: number
  readonly #down: number
  readonly #tileOf: Int32Array
  readonly #views: readonly {
    readonly low: Float64Array
    readonly high: Float64Array
    readonly odd: Uint8Array
  }[]

  constructor(cube: Cube, fixed: SeriesFixed, views: number) {
    const { box } = cube
    const { across, down } = axes[fixed]
    this.#cube = cube
    this.#fixed = fixed
    this.#across = Math.ceil(lengthOf(box[across]) / tile.across)
    this.#down = Math.ceil(lengthOf(box[down]) / tile.down)
    const size = lengthOf(box[fixed]) * this.#across * this.#down
    this.#views = Array.from({ length: views }, () => ({
      low: new Float64Array(size).fill(Infinity),
      high: new Float64Array(size).fill(-Infinity),
      odd: new Uint8Array(size),
    }))
    this.#tileOf = this.#places()
  }

  /** The tile of each cell. */
  #places(): Int32Array {
    const { box, size } = this.#cube
    const { across, down } = axes[this.#fixed]
    const [fixedFrom, acrossFrom, downFrom] = [box[this.#fixed][0], box[across][0], box[down][0]]
    const found = new Int32Array(size)
    const at = { rank: 0, step: 0, target: 0 }
    this.#cube.each((i, rank, step, target) => {
      at.rank = rank
      at.step = step
      at.target = target
      const x = Math.floor((at[across] - acrossFrom) / tile.across)
      const y = Math.floor((at[down] - downFrom) / tile.down)
      found[i] = ((at[this.#fixed] - fixedFrom) * this.#down + y) * this.#across + x
    })
    return found
  }

  gather(view: number, { values, has }: Cells): void {
    const { low, high, odd: odds } = this.#views[view]
    for (let i = 0; i < values.length; i++) {
      if (has[i] === 0) continue
      const [value, into] = [values[i], this.#tileOf[i]]
      if (value - value === 0) {
        if (value < low[into]) low[into] = value
        if (value > high[into]) high[into] = value
      } else odds[into] |= oddOf(value)
    }
  }

  writeTo(rows: Rows): void {
    const { box } = this.#cube
    const { across, down } = axes[this.#fixed]
    const [x0, y0] = [box[across][0] / tile.across, box[down][0] / tile.down]
    const each = this.#across * this.#down
    for (let at = 0; at < lengthOf(box[this.#fixed]) * each; at++) {
      if (!this.#views.some(one => one.low[at] <= one.high[at] || one.odd[at] > 0)) continue
      const place = at % each
      const row = rows.add(
        box[this.#fixed][0] + Math.floor(at / each),
        x0 + (place % this.#across),
        y0 + Math.floor(place / this.#across),
      )
      for (const [i, { low, high, odd: odds }] of this.#views.entries()) {
        if (low[at] <= high[at]) {
          rows.set(row, 3 * i, low[at])
          rows.set(row, 3 * i + 1, high[at])
        }
        if (odds[at] > 0) rows.set(row, 3 * i + 2, odds[at])
      }
    }
  }
}

function oddOf(value: number): number {
  if (Number.isNaN(value)) return odd.nan
  return value > 0 ? odd.inf : odd.minusInf
}

const rowsAtOnce = 1 << 16

/** A table that is written: three whole numbers, and numbers. */
class Rows {
  readonly table: string
  readonly #keyNames: readonly string[]
  readonly #names: readonly string[]
  readonly #keys: readonly Int32Array[]
  readonly #values: readonly Cells[]
  #appender: Appender | null = null
  #length = 0

  constructor(table: string, keys: readonly string[], names: readonly string[]) {
    this.table = table
    this.#keyNames = keys
    this.#names = names
    this.#keys = keys.map(() => new Int32Array(rowsAtOnce))
    this.#values = names.map(() => ({
      values: new Float64Array(rowsAtOnce),
      has: new Uint8Array(rowsAtOnce),
    }))
  }

  async open({ database }: Filled): Promise<void> {
    const columns = [
      ...this.#keyNames.map(name => `${name} INTEGER`),
      ...this.#names.map(name => `${name} DOUBLE`),
    ]
    await database.run(`CREATE TABLE ${this.table} (${columns.join(', ')})`)
    const types = [...this.#keyNames.map(() => 'int' as const), ...this.#names.map(() => 'double' as const)]
    this.#appender = await database.append(this.table, types)
  }

  add(...keys: readonly [number, number, number]): number {
    if (this.#length === rowsAtOnce) this.#write()
    for (let i = 0; i < keys.length; i++) this.#keys[i][this.#length] = keys[i]
    return this.#length++
  }

  set(row: number, column: number, value: number): void {
    const { values, has } = this.#values[column]
    values[row] = value
    has[row] = 1
  }

  #write(): void {
    const columns: readonly Column[] = [...this.#keys.map(values => ({ values, has: null })), ...this.#values]
    this.#appender?.add(columns, this.#length)
    this.#length = 0
    for (const { has } of this.#values) has.fill(0)
  }

  close(): void {
    this.#write()
    this.#appender?.close()
    this.#appender = null
  }
}
