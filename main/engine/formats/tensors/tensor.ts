// Where the elements of one tensor lie, and the elements in order, by range, as little-endian bytes.
import { memberPieces, type ZipEntry, type ZipSource } from '../../io/index.ts'
import { type Packing, problem, Refusal, type Tiling } from '../../model/index.ts'
import { type Dtype, swapWords } from './dtype.ts'
import { packedBytes, packedPlace, unpack } from './packing.ts'
import { span } from './pt.ts'
import { TiledPanels } from './tiled.ts'

export interface TensorLayout {
  readonly dtype: Dtype
  readonly shape: readonly number[]
  /** Number of elements. */
  readonly size: number
  /** Byte position of the first element, in the file or in the unpacked member. */
  readonly from: number
  /** Steps in elements per axis; null for C order without gaps. */
  readonly strides: readonly number[] | null
  readonly bigEndian: boolean
  /** The compressed member that holds the elements, null when they lie in the file as they are. */
  readonly packed: ZipEntry | null
  /** Several elements lie in one byte. */
  readonly packing?: Packing
  /** The elements lie in a device's order; see `Tiling`. */
  readonly tiling?: Tiling
}

/** What layouts are found out from: a `Handle`, or bytes in memory. */
export type ByteSource = ZipSource

/** What lies in the file is the elements themselves, one after the other. */
export const plain = ({ packed, bigEndian, packing, tiling }: TensorLayout): boolean =>
  !packed && !bigEndian && !packing && !tiling

export const count = (shape: readonly number[]): number => shape.reduce((size, dim) => size * dim, 1)

export function order(
  dtype: Dtype,
  shape: readonly number[],
  strides: readonly number[] | null,
): Pick<TensorLayout, 'dtype' | 'shape' | 'size' | 'strides'> {
  const size = count(shape)
  if (strides === null) return { dtype, shape, size, strides }
  const steps = cStrides(shape)
  const plain = size < 2 || strides.every((step, axis) => step === steps[axis] || shape[axis] === 1)
  return { dtype, shape, size, strides: plain ? null : strides }
}

export function cStrides(shape: readonly number[]): number[] {
  const steps = shape.map(() => 1)
  for (let axis = shape.length - 2; axis >= 0; axis--) steps[axis] = steps[axis + 1] * shape[axis + 1]
  return steps
}

export function fortranStrides(shape: readonly number[]): number[] {
  const steps = shape.map(() => 1)
  for (let axis = 1; axis < shape.length; axis++) steps[axis] = steps[axis - 1] * shape[axis - 1]
  return steps
}

/**
 * Both files hold their elements in the same order without gaps: what does not depend on the order may read
 * them as they lie.
 */
export function lieAlike(a: TensorLayout, b: TensorLayout): boolean {
  if (a.tiling || b.tiling) return false
  if (!a.strides || !b.strides) return !a.strides && !b.strides
  return (
    a.strides.every((step, axis) => step === b.strides?.[axis] || a.shape[axis] === 1) && dense(a) && dense(b)
  )
}

const dense = (layout: TensorLayout): boolean => {
  const strides = layout.strides ?? []
  const axes = strides
    .map((_, axis) => axis)
    .filter(axis => layout.shape[axis] > 1)
    .sort((x, y) => strides[x] - strides[y])
  let step = 1
  return axes.every(axis => {
    const fits = strides[axis] === step
    step *= layout.shape[axis]
    return fits
  })
}

/** Reads elements by range. */
export interface TensorReader {
  /** Fills `into` with whole elements from number `first` on; returns how many came. */
  read(first: number, into: Uint8Array): number
  /** Elements from number `first` on, as many as come at once, where they need not be copied; soon gone. */
  lend?(first: number): Uint8Array
}

/** Elements in C order; `asStored` reads them as they lie in the file instead. */
export function tensorReader(
  source: ByteSource,
  layout: TensorLayout,
  file = '',
  asStored = false,
): TensorReader {
  const bytes: ByteSource = layout.packed ? unpacking(source, layout.packed, file) : source
  const { dtype, from } = layout
  if (layout.packing || layout.tiling) return placed(bytes, layout, file)
  const raw: TensorReader = {
    read(first, into) {
      const wanted = Math.min(Math.floor(into.length / dtype.bytes), layout.size - first)
      if (wanted <= 0) return 0
      const got = readFully(bytes, from + first * dtype.bytes, into.subarray(0, wanted * dtype.bytes))
      if (got < wanted * dtype.bytes)
        throw truncated(file, from + layout.size * dtype.bytes, from + first * dtype.bytes + got)
      if (layout.bigEndian) swapWords(into.subarray(0, got), dtype.word)
      return wanted
    },
  }
  return layout.strides && !asStored ? gathering(bytes, layout, layout.strides, file) : raw
}

/** Elements that share bytes, lie in a device's order, or both. */
function placed(
  source: ByteSource,
  { dtype, from, size, packing, tiling }: TensorLayout,
  file: string,
): TensorReader {
  const bytesAt = (at: number, into: Uint8Array): void => {
    const got = readFully(source, at, into)
    if (got < into.length) throw truncated(file, at + into.length, at + got)
  }
  const fetch = (first: number, into: Uint8Array): void => {
    if (!packing) return bytesAt(from + first * dtype.bytes, into)
    const { byte, skip } = packedPlace(packing, first)
    const bytes = new Uint8Array(packedBytes(packing, skip + into.length))
    bytesAt(from + byte, bytes)
    unpack(packing, bytes, skip, into)
  }
  const panels = tiling && size > 0 ? new TiledPanels(tiling, dtype.bytes, fetch) : null
  return {
    read(first, into) {
      const wanted = Math.max(0, Math.min(Math.floor(into.length / dtype.bytes), size - first))
      const part = into.subarray(0, wanted * dtype.bytes)
      if (wanted > 0 && panels) panels.read(first, part)
      else if (wanted > 0) fetch(first, part)
      return wanted
    },
    ...(panels && { lend: (first: number) => panels.lend(first) }),
  }
}

/** Sources may answer short; only nothing at all is the end. */
export function readFully(source: ByteSource, from: number, into: Uint8Array): number {
  let done = 0
  for (let got = 1; got > 0 && done < into.length; done += got)
    got = source.read(from + done, done ? into.subarray(done) : into)
  return done
}

/** A compressed member read forwards; going back starts it again. */
function unpacking(source: ByteSource, entry: ZipEntry, file: string): ByteSource {
  let pieces = memberPieces(source, entry, file)
  let piece = new Uint8Array(0)
  let at = 0
  return {
    size: entry.size,
    read(from, into) {
      if (from < at) {
        pieces = memberPieces(source, entry, file)
        piece = new Uint8Array(0)
        at = 0
      }
      let done = 0
      while (done < into.length) {
        const skip = from + done - at
        if (skip < piece.length) {
          const part = piece.subarray(skip, skip + into.length - done)
          into.set(part, done)
          done += part.length
          continue
        }
        at += piece.length
        const next = pieces.next()
        if (next.done) {
          piece = new Uint8Array(0)
          break
        }
        piece = new Uint8Array(next.value)
      }
      return done
    },
  }
}

/** Two sides in two threads hold two of these each. */
const panelBytes = 1 << 22

/** Elements that lie in another order in the file, brought into C order one panel at a time. */
class Panel {
  readonly #layout: TensorLayout
  readonly #strides: readonly number[]
  readonly #steps: readonly number[]
  /** A panel is a range of the first axis whose single index no longer fits the budget otherwise. */
  readonly #axis: number
  /** Elements per index of that axis, and indices per panel. */
  readonly #perIndex: number
  readonly #indices: number
  readonly #fetch: ReturnType<typeof spanReader>
  readonly bytes: Uint8Array
  /** The elements in `bytes`. */
  first = 0
  count = 0

  constructor(source: ByteSource, layout: TensorLayout, strides: readonly number[], file: string) {
    const { dtype, shape } = layout
    const steps = cStrides(shape)
    const most = Math.max(1, Math.floor(panelBytes / dtype.bytes))
    let axis = 0
    while (axis < shape.length - 1 && steps[axis] > most) axis++
    this.#layout = layout
    this.#strides = strides
    this.#steps = steps
    this.#axis = axis
    this.#perIndex = steps[axis] ?? 1
    this.#indices = Math.max(1, Math.min(shape[axis] ?? 1, Math.floor(most / this.#perIndex)))
    this.#fetch = spanReader(source, layout, file)
    this.bytes = new Uint8Array(this.#indices * this.#perIndex * dtype.bytes)
  }

  /** Takes in the panel that holds an element. */
  fill(element: number): void {
    const { dtype, shape } = this.#layout
    const axis = this.#axis
    const length = shape[axis] ?? 1
    const block = this.#perIndex * length
    const outer = Math.floor(element / block)
    const index = Math.floor((element % block) / this.#perIndex)
    const first = index - (index % this.#indices)
    const many = Math.min(this.#indices, length - first)
    let base = first * (this.#strides[axis] ?? 0)
    for (let a = axis - 1, rest = outer; a >= 0; a--) {
      base += (rest % shape[a]) * this.#strides[a]
      rest = Math.floor(rest / shape[a])
    }
    const box = [many, ...shape.slice(axis + 1)].map((size, i) => ({
      length: size,
      step: this.#strides[axis + i] ?? 0,
      to: this.#steps[axis + i] ?? 1,
    }))
    copyBox(
      box.sort((x, y) => y.step - x.step),
      base,
      this.bytes,
      dtype.bytes,
      this.#fetch,
    )
    this.first = outer * block + first * this.#perIndex
    this.count = many * this.#perIndex
  }
}

function gathering(
  source: ByteSource,
  layout: TensorLayout,
  strides: readonly number[],
  file: string,
): TensorReader {
  const { dtype, size } = layout
  const panel = new Panel(source, layout, strides, file)
  return {
    read(first, into) {
      const wanted = Math.min(Math.floor(into.length / dtype.bytes), size - first)
      for (let done = 0; done < wanted;) {
        const element = first + done
        if (element < panel.first || element >= panel.first + panel.count) panel.fill(element)
        const skip = element - panel.first
        const many = Math.min(wanted - done, panel.count - skip)
        into.set(panel.bytes.subarray(skip * dtype.bytes, (skip + many) * dtype.bytes), done * dtype.bytes)
        done += many
      }
      if (layout.bigEndian && wanted > 0) swapWords(into.subarray(0, wanted * dtype.bytes), dtype.word)
      return Math.max(wanted, 0)
    },
  }
}

interface BoxAxis {
  readonly length: number
  readonly step: number
  readonly to: number
}

/**
 * Walks a box with the widest file steps outermost, so that the innermost runs lie close together in the
 * file.
 */
function copyBox(
  box: readonly BoxAxis[],
  from: number,
  panel: Uint8Array,
  bytes: number,
  fetch: (from: number, count: number) => Uint8Array,
): void {
  const walk = (depth: number, at: number, to: number): void => {
    const { length, step, to: target } = box[depth]
    if (depth < box.length - 1) {
      for (let i = 0; i < length; i++) walk(depth + 1, at + i * step, to + i * target)
      return
    }
    const perFetch = Math.max(1, Math.floor(widestSpan / Math.max(1, step)))
    for (let done = 0; done < length; done += perFetch) {
      const many = Math.min(perFetch, length - done)
      const run = fetch(at + done * step, (many - 1) * step + 1)
      for (let i = 0; i < many; i++) {
        const source = i * step * bytes
        const place = (to + (done + i) * target) * bytes
        for (let b = 0; b < bytes; b++) panel[place + b] = run[source + b]
      }
    }
  }
  if (box.length) walk(0, from, 0)
  else panel.set(fetch(from, 1).subarray(0, bytes))
}

const widestSpan = 1 << 16

/** Storage elements from a buffer that is refilled ahead; small storages are kept whole. */
function spanReader(
  source: ByteSource,
  layout: TensorLayout,
  file: string,
): (from: number, count: number) => Uint8Array {
  const { dtype, from } = layout
  const total = span(layout.shape, layout.strides ?? cStrides(layout.shape))
  const ahead = total * dtype.bytes <= panelBytes ? total : 0
  let buffer = new Uint8Array(0)
  let first = 0
  let held = 0
  return (element, elements) => {
    if (element >= first && element + elements <= first + held)
      return buffer.subarray((element - first) * dtype.bytes)
    const wanted = ahead || elements
    first = ahead ? 0 : element
    held = 0
    if (buffer.length < wanted * dtype.bytes) buffer = new Uint8Array(wanted * dtype.bytes)
    const target = buffer.subarray(0, wanted * dtype.bytes)
    const got = readFully(source, from + first * dtype.bytes, target)
    if (got < target.length)
      throw truncated(file, from + total * dtype.bytes, from + first * dtype.bytes + got)
    held = wanted
    return target.subarray((element - first) * dtype.bytes)
  }
}

export const truncated = (file: string, expected: number, found: number): Refusal =>
  new Refusal(problem('npy-truncated', file, { expected, found }))
