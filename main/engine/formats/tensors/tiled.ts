// Reads tensors that lie in a device's order, panel by panel: a panel is a stretch of the tensor in C order, and
// is put together from the runs of the file that hold its elements.
import type { TiledAxis, Tiling } from '../../model/index.ts'
import { bench, sourceBytes, type Step, targetBytes, type Way, wayOf } from './turn.ts'

/** Gaps are read over rather than jumped over when they are short, or not much longer than what is wanted. */
const shortGap = 4096
const widestGap = 8

/** Puts elements of the file, from number `from` on, into whole of `into`. */
export type Fetch = (from: number, into: Uint8Array) => void

/** Indices of one axis that lie evenly. */
interface Piece {
  readonly file: number
  readonly panel: number
  readonly steps: readonly Step[]
}

interface Range {
  readonly from: number
  readonly to: number
}

/** One way through a box, from an element of the file to one of the panel. */
interface Part {
  readonly file: number
  readonly panel: number
  readonly way: Way
}

/** A box of elements that lie evenly, from an element of the file to one of the panel. */
type Take = (file: number, panel: number, steps: readonly Step[]) => void

/** Of tensors that are put together in one go: thousands of one run lie alike. */
const known = new WeakMap<Tiling, Map<number, readonly Part[]>>()

export class TiledPanels {
  readonly #tiling: Tiling
  readonly #axes: readonly TiledAxis[]
  /** Elements of the tensor per index of each axis. */
  readonly #sizes: readonly number[]
  readonly #bytes: number
  readonly #fetch: Fetch
  /** A panel is a range of the first axis of which no single index is larger than a panel. */
  readonly #axis: number
  readonly #indices: number
  /** The elements that were read last, where somebody may want more of them. */
  #kept: Uint8Array | null = null
  #first = 0
  #count = 0

  constructor(tiling: Tiling, bytes: number, fetch: Fetch) {
    const { axes } = tiling
    const sizes = axes.map(() => 1)
    for (let i = axes.length - 2; i >= 0; i--) sizes[i] = sizes[i + 1] * axes[i + 1].length
    const most = Math.floor(targetBytes / bytes)
    let axis = 0
    while (axis < axes.length - 1 && sizes[axis] > most) axis++
    const { length = 1, block = 1, shift } = axes[axis] ?? {}
    const fitting = Math.max(1, Math.min(length, Math.floor(most / (sizes[axis] ?? 1))))
    this.#tiling = tiling
    this.#axes = axes
    this.#sizes = sizes
    this.#bytes = bytes
    this.#fetch = fetch
    this.#axis = axis
    // Whole blocks, so that no run is read for a part of it only.
    this.#indices = fitting > block && fitting < length && !shift ? fitting - (fitting % block) : fitting
  }

  /** Elements from number `first` on, in C order; `into` holds whole ones. */
  read(first: number, into: Uint8Array): void {
    for (let done = 0; done < into.length;) {
      const element = first + done / this.#bytes
      const wanted = into.length - done
      let part = this.#of(this.#kept, element)
      if (!part) {
        part = this.lend(element)
        if (part.length > wanted) this.#kept = bench().target.slice(0, this.#count * this.#bytes)
      }
      into.set(part.subarray(0, wanted), done)
      done += Math.min(part.length, wanted)
    }
  }

  /** Elements from number `first` on, as many as come in one go; gone when anything else is read. */
  lend(first: number): Uint8Array {
    this.#kept = null
    this.#fill(first)
    return bench().target.subarray((first - this.#first) * this.#bytes, this.#count * this.#bytes)
  }

  #of(panel: Uint8Array | null, element: number): Uint8Array | null {
    return panel && element >= this.#first && element < this.#first + this.#count
      ? panel.subarray((element - this.#first) * this.#bytes)
      : null
  }

  #fill(element: number): void {
    if (this.#fillWhole()) return
    const ranges: Range[] = []
    let rest = element
    for (const [i, { length }] of this.#axes.entries()) {
      const index = Math.floor(rest / this.#sizes[i])
      rest %= this.#sizes[i]
      if (i < this.#axis) ranges.push({ from: index, to: index + 1 })
      else if (i > this.#axis) ranges.push({ from: 0, to: length })
      else {
        const from = index - (index % this.#indices)
        ranges.push({ from, to: Math.min(length, from + this.#indices) })
      }
    }
    this.#first = ranges.reduce((sum, { from }, i) => sum + from * this.#sizes[i], 0)
    this.#count = ranges.reduce((size, { from, to }) => size * (to - from), 1)
    this.#eachBox(ranges, (file, panel, steps) => this.#copy(file, panel, steps))
  }

  /** A small tensor is read whole, and put together the way that others like it were. */
  #fillWhole(): boolean {
    const { size } = this.#tiling
    const count = (this.#sizes[0] ?? 1) * (this.#axes[0]?.length ?? 1)
    if (size * this.#bytes > sourceBytes || count * this.#bytes > targetBytes) return false
    const { source } = bench()
    this.#fetch(0, source.subarray(0, size * this.#bytes))
    for (const { file, panel, way } of this.#parts())
      bench().go(way, file * this.#bytes, panel * this.#bytes, this.#bytes)
    this.#first = 0
    this.#count = count
    return true
  }

  #parts(): readonly Part[] {
    const byBytes = known.get(this.#tiling) ?? new Map<number, readonly Part[]>()
    known.set(this.#tiling, byBytes)
    const found = byBytes.get(this.#bytes)
    if (found) return found
    const parts: Part[] = []
    const whole = this.#axes.map(({ length }) => ({ from: 0, to: length }))
    this.#eachBox(whole, (file, panel, steps) => {
      parts.push({ file, panel, way: wayOf(steps, this.#bytes) })
    })
    byBytes.set(this.#bytes, parts)
    return parts
  }

  /** A box in which an axis counts on by another's index comes apart for each of these. */
  #eachBox(ranges: readonly Range[], take: Take): void {
    const shifted = this.#axes.find(axis => axis.shift)?.shift
    if (!shifted || ranges[shifted.axis].to - ranges[shifted.axis].from === 1)
      return this.#eachEven(ranges, 0, take)
    const { from, to } = ranges[shifted.axis]
    for (let index = from; index < to; index++)
      this.#eachEven(
        ranges.with(shifted.axis, { from: index, to: index + 1 }),
        (index - from) * this.#sizes[shifted.axis],
        take,
      )
  }

  #eachEven(ranges: readonly Range[], panel: number, take: Take): void {
    const pieces = this.#axes.map((axis, i) => {
      const { axis: other, modulo, times } = axis.shift ?? { axis: 0, modulo: 1, times: 0 }
      return piecesOf(axis, ranges[i], (ranges[other].from % modulo) * times, this.#sizes[i])
    })
    const visit = (i: number, file: number, at: number, steps: readonly Step[]): void => {
      if (i === pieces.length) take(file, at, joinedSteps(steps))
      else
        for (const piece of pieces[i])
          visit(i + 1, file + piece.file, at + piece.panel, [...steps, ...piece.steps])
    }
    visit(0, 0, panel, [])
  }

  /** Elements that lie evenly, the widest step first: as many of the inner ones as lie close are read at once. */
  #copy(file: number, panel: number, steps: readonly Step[]): void {
    const spans = spansOf(steps)
    const { source } = bench()
    const most = Math.floor(source.length / this.#bytes)
    const read = (from: number, to: number, near: readonly Step[], span: number): void => {
      this.#fetch(from, source.subarray(0, span * this.#bytes))
      bench().go(wayOf(near, this.#bytes), 0, to * this.#bytes, this.#bytes)
    }
    const walk = (depth: number, from: number, to: number): void => {
      if (depth === steps.length) return read(from, to, [], 1)
      const { length, file: step, panel: stride } = steps[depth]
      const inner = spans[depth + 1]
      const together =
        inner <= most && this.#near(steps, spans, depth) ? Math.floor((most - inner) / step) + 1 : 0
      if (together === 0) {
        for (let i = 0; i < length; i++) walk(depth + 1, from + i * step, to + i * stride)
        return
      }
      for (let done = 0; done < length; done += together) {
        const many = Math.min(together, length - done)
        const near = [{ ...steps[depth], length: many }, ...steps.slice(depth + 1)]
        read(from + done * step, to + done * stride, near, (many - 1) * step + inner)
      }
    }
    walk(0, file, panel)
  }

  /** Whether the gaps between what is wanted, from a depth on, are short enough to be read over. */
  #near(steps: readonly Step[], spans: readonly number[], depth: number): boolean {
    for (let i = depth; i < steps.length; i++) {
      const gap = steps[i].file
      if (gap * this.#bytes > shortGap && gap > widestGap * spans[i + 1]) return false
    }
    return true
  }
}

/** The indices of a range by blocks: what is left of the first, whole ones, what there is of the last. */
function piecesOf(axis: TiledAxis, range: Range, shift: number, stride: number): Piece[] {
  const { block, outer, inner } = axis
  const first = range.from + shift
  const end = range.to + shift
  const pieces: Piece[] = []
  const add = (from: number, blocks: number, each: number): void => {
    if (blocks <= 0 || each <= 0) return
    pieces.push({
      file: Math.floor(from / block) * outer + (from % block) * inner,
      panel: (from - first) * stride,
      steps: [
        { length: blocks, file: outer, panel: block * stride },
        { length: each, file: inner, panel: stride },
      ],
    })
  }
  const whole = Math.min(end, Math.ceil(first / block) * block)
  add(first, 1, whole - first)
  const blocks = Math.floor((end - whole) / block)
  add(whole, blocks, block)
  const tail = whole + blocks * block
  add(tail, 1, end - tail)
  return pieces
}

/** By falling steps in the file; steps of one index are left out, and such as go on where others end are one. */
function joinedSteps(steps: readonly Step[]): readonly Step[] {
  const sorted = steps.filter(step => step.length > 1).sort((a, b) => b.file - a.file || b.panel - a.panel)
  const joined: Step[] = []
  for (const step of sorted) {
    const last = joined.at(-1)
    if (last && last.file === step.length * step.file && last.panel === step.length * step.panel)
      joined[joined.length - 1] = { ...step, length: step.length * last.length }
    else joined.push(step)
  }
  return joined
}

/** Elements from the first to the last one, by depth. */
function spansOf(steps: readonly Step[]): number[] {
  const spans = [...steps.map(() => 1), 1]
  for (let i = steps.length - 1; i >= 0; i--) spans[i] = spans[i + 1] + (steps[i].length - 1) * steps[i].file
  return spans
}
