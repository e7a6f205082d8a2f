// Classes of items that are the same tensor as far as a dump can tell: equal bytes, equal md5s, equal statistics.
import { type Cells, type Column, type Dump, type ItemRow, Kind } from '../model/index.ts'
import { overRows, type Steps } from '../work/index.ts'

/**
 * How an edge was inferred; the `view` kinds compare without the shape (a reshape keeps the elements).
 * `graph`: it was not, the dump tells it.
 */
export const EdgeBy = {
  none: 0,
  md5: 1,
  bytes: 2,
  statistics: 3,
  viewMd5: 4,
  viewBytes: 5,
  viewStatistics: 6,
  graph: 7,
} as const
export type EdgeBy = (typeof EdgeBy)[keyof typeof EdgeBy]
/** All columns have one entry per item of the dump. */
export interface Classes {
  /** Number of the class, one of its items; -1 for what has no identity. */
  readonly identity: Column<Int32Array, ItemRow>
  /** The same, without regard to shape and dtype. */
  readonly view: Column<Int32Array, ItemRow>
  /** How the items of each are known to be equal. */
  readonly how: Column<Uint8Array, ItemRow>
  readonly looser: Column<Uint8Array, ItemRow>
}

const noMd5 = '00000000'
const bits = new Float64Array(1)
const halves = new Uint32Array(bits.buffer)

export interface ClassOptions {
  /** Of bytes, two halves per item, 0 where they were not read. */
  readonly hashes?: Uint32Array
  /** Tensors that hold NaN or infinity have an identity by their shape and statistics, too: a guess at the way they take. */
  readonly throughBad?: boolean
}

/** `numel`: elements per item. */
export function* classify(
  dump: Dump,
  numel: Column<Float64Array, ItemRow>,
  options: ClassOptions,
): Steps<Classes> {
  const { length } = dump.items
  const evidence = new Evidence(dump, numel, options)
  const how = new Uint8Array(length)
  const looser = new Uint8Array(length)
  yield* overRows(length, (from, to) => {
    for (let i = from; i < to; i++) {
      how[i] = evidence.of(i)
      looser[i] = evidence.looser(i, how[i])
    }
  })
  const identity = yield* evidence.classes(how, null)
  return { identity, view: yield* evidence.classes(looser, identity), how, looser }
}

/** What items can be told apart by, and whether it is equal. */
class Evidence {
  readonly #dump: Dump
  readonly #numel: Column<Float64Array, ItemRow>
  readonly #hashes: Uint32Array | undefined
  readonly #throughBad: boolean
  #noMd5: number | undefined
  readonly #statistics: readonly Cells[]

  constructor(
    dump: Dump,
    numel: Column<Float64Array, ItemRow>,
    { hashes, throughBad = false }: ClassOptions,
  ) {
    this.#dump = dump
    this.#numel = numel
    this.#hashes = hashes
    this.#throughBad = throughBad
    const { max, min, mean, norm } = dump.items
    this.#statistics = [max, min, mean, norm]
  }

  of(i: ItemRow): EdgeBy {
    const { items } = this.#dump
    const hashes = this.#hashes
    if (items.tensor[i] === 0 || this.#numel[i] === 0 || this.#constant(i)) return EdgeBy.none
    if (hashes && (hashes[2 * i] !== 0 || hashes[2 * i + 1] !== 0)) return EdgeBy.bytes
    if (this.#hasMd5(i)) return EdgeBy.md5
    return this.#counted(i) ? EdgeBy.statistics : EdgeBy.none
  }

  /** Looking a text up takes an index over all of them: dumps without md5s do without. */
  #hasMd5(i: ItemRow): boolean {
    const { items, texts } = this.#dump
    if (items.md5[i] < 0) return false
    this.#noMd5 ??= texts.findPlain(noMd5)
    return items.md5[i] !== this.#noMd5
  }

  /**
   * The same without the shape. Only tensors that were compared have been read, so that bytes are no common
   * ground: statistics are.
   */
  looser(i: ItemRow, by: number): number {
    if (by === EdgeBy.none) return EdgeBy.none
    return by === EdgeBy.bytes && this.#counted(i) ? EdgeBy.viewStatistics : by + 3
  }

  #counted(i: ItemRow): boolean {
    const { max, norm } = this.#dump.items
    return numeric(max.kind[i]) && numeric(norm.kind[i]) && (this.#throughBad || !Number.isNaN(max.value[i]))
  }

  /**
   * All elements alike tells nothing: zeros, ones, masks. A single element is told apart unless it is a small
   * whole number.
   */
  #constant(i: ItemRow): boolean {
    const { max: maxima, min } = this.#dump.items
    const max = maxima.value[i]
    if (!numeric(maxima.kind[i])) return maxima.kind[i] === Kind.bool && min.value[i] === max
    if (max !== min.value[i] || (this.#throughBad && !Number.isFinite(max))) return false
    return this.#numel[i] !== 1 || (Number.isInteger(max) && Math.abs(max) <= 64)
  }

  /**
   * Gives equal numbers to equal items, through a table of hashes that is checked against the real values. `shaped`: what is equal
   * with its shape, and so without; null where the shape counts.
   */
  *classes(
    by: Column<Uint8Array, ItemRow>,
    shaped: Column<Int32Array, ItemRow> | null,
  ): Steps<Column<Int32Array, ItemRow>> {
    const { length } = this.#dump.items
    let size = 1024
    while (size < length * 2) size *= 2
    const slots = new Int32Array(size).fill(-1)
    const classes = new Int32Array(length).fill(-1)
    yield* overRows(length, (from, to) => {
      for (let i = from; i < to; i++) {
        if (by[i] === EdgeBy.none) continue
        const before = shaped ? shaped[i] : i
        if (before !== i && before >= 0 && by[before] === by[i]) {
          classes[i] = classes[before]
          continue
        }
        let slot = this.#hash(i, by[i], !shaped) & (size - 1)
        while (slots[slot] >= 0 && !this.#equal(slots[slot], i, by, !shaped)) slot = (slot + 1) & (size - 1)
        if (slots[slot] < 0) slots[slot] = i
        classes[i] = slots[slot]
      }
    })
    return classes
  }

  #hash(i: ItemRow, by: number, shaped: boolean): number {
    const { items } = this.#dump
    const hashes = this.#hashes
    let hash = mix(by, shaped ? items.shape[i] : this.#numel[i])
    if (shaped) hash = mix(hash, items.dtype[i])
    if (by === EdgeBy.md5 || by === EdgeBy.viewMd5) return mix(hash, items.md5[i])
    if ((by === EdgeBy.bytes || by === EdgeBy.viewBytes) && hashes)
      return mix(mix(hash, hashes[2 * i]), hashes[2 * i + 1])
    for (const column of this.#statistics) {
      bits[0] = column.value[i]
      hash = mix(mix(hash, halves[0]), halves[1])
    }
    return hash ^ (hash >>> 16)
  }

  #equal(a: ItemRow, b: ItemRow, by: Column<Uint8Array, ItemRow>, shaped: boolean): boolean {
    const { items } = this.#dump
    const hashes = this.#hashes
    const numel = this.#numel
    if (by[a] !== by[b]) return false
    if (shaped && (items.shape[a] !== items.shape[b] || items.dtype[a] !== items.dtype[b])) return false
    if (!shaped && numel[a] !== numel[b]) return false
    if (by[a] === EdgeBy.md5 || by[a] === EdgeBy.viewMd5) return items.md5[a] === items.md5[b]
    if ((by[a] === EdgeBy.bytes || by[a] === EdgeBy.viewBytes) && hashes)
      return hashes[2 * a] === hashes[2 * b] && hashes[2 * a + 1] === hashes[2 * b + 1]
    return this.#statistics.every(column => Object.is(column.value[a], column.value[b]))
  }
}

const mix = (hash: number, value: number): number =>
  Math.imul((hash ^ value) >>> 0, 0x9e3779b1) ^ (hash >>> 15)

const numeric = (kind: number): boolean => kind === Kind.float || kind === Kind.int
