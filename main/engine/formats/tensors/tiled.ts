// Reads tensors that lie in a device's order, panel by panel: a panel is a stretch of the tensor in C order, and
// is put together from the runs of the file that hold its elements.
import type { TiledAxis, Tiling } from '../../model/index.ts'

/** What is held of a tensor at once, in bytes. */
const panelBytes = 1 << 22
/** Longest run that is read in one go. */
const runBytes = 1 << 18
/** Gaps are read over rather than jumped over when they are short, or not much longer than what is wanted. */
const shortGap = 4096
const widestGap = 8

/** Puts elements of the file, from number `from` on, into whole of `into`. */
export type Fetch = (from: number, into: Uint8Array) => void

/** Steps in elements, in the file and in the panel. */
interface Step {
  readonly length: number
  readonly file: number
  readonly panel: number
}

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

export class TiledPanels {
  readonly #axes: readonly TiledAxis[]
  /** Elements of the tensor per index of each axis. */
  readonly #sizes: readonly number[]
  readonly #bytes: number
  readonly #fetch: Fetch
  /** A panel is a range of the first axis of which no single index is larger than a panel. */
  readonly #axis: number
  readonly #indices: number
  readonly #panel: Uint8Array<ArrayBuffer>
  readonly #run: Uint8Array<ArrayBuffer>
  #first = 0
  #count = 0

  constructor({ axes }: Tiling, bytes: number, fetch: Fetch) {
    const sizes = axes.map(() => 1)
    for (let i = axes.length - 2; i >= 0; i--) sizes[i] = sizes[i + 1] * axes[i + 1].length
    const most = Math.floor(panelBytes / bytes)
    let axis = 0
    while (axis < axes.length - 1 && sizes[axis] > most) axis++
    const { length = 1, block = 1, shift } = axes[axis] ?? {}
    const fitting = Math.max(1, Math.min(length, Math.floor(most / (sizes[axis] ?? 1))))
    this.#axes = axes
    this.#sizes = sizes
    this.#bytes = bytes
    this.#fetch = fetch
    this.#axis = axis
    // Whole blocks, so that no run is read for a part of it only.
    this.#indices = fitting > block && fitting < length && !shift ? fitting - (fitting % block) : fitting
    this.#panel = new Uint8Array(this.#indices * (sizes[axis] ?? 1) * bytes)
    this.#run = new Uint8Array(Math.min(runBytes, this.#reach() * bytes))
  }

  /** Elements from number `first` on, in C order; `into` holds whole ones. */
  read(first: number, into: Uint8Array): void {
    const many = into.length / this.#bytes
    for (let done = 0; done < many;) {
      const element = first + done
      if (element < this.#first || element >= this.#first + this.#count) this.#fill(element)
      const skip = element - this.#first
      const part = Math.min(many - done, this.#count - skip)
      into.set(this.#panel.subarray(skip * this.#bytes, (skip + part) * this.#bytes), done * this.#bytes)
      done += part
    }
  }

  /** From the first to the last element of the file that could be wanted. */
  #reach(): number {
    return this.#axes.reduce((sum, axis) => {
      const last = axis.length - 1 + (axis.shift ? (axis.shift.modulo - 1) * axis.shift.times : 0)
      return sum + Math.floor(last / axis.block) * axis.outer + Math.min(last, axis.block - 1) * axis.inner
    }, 1)
  }

  #fill(element: number): void {
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
    this.#copyBox(ranges)
  }

  /** A box in which an axis counts on by another's index is copied for each of these. */
  #copyBox(ranges: readonly Range[]): void {
    const shifted = this.#axes.find(axis => axis.shift)?.shift
    if (!shifted || ranges[shifted.axis].to - ranges[shifted.axis].from === 1) return this.#copyEven(ranges)
    const { from, to } = ranges[shifted.axis]
    for (let index = from; index < to; index++)
      this.#copyEven(
        ranges.with(shifted.axis, { from: index, to: index + 1 }),
        (index - from) * this.#sizes[shifted.axis],
      )
  }

  #copyEven(ranges: readonly Range[], panel = 0): void {
    const pieces = this.#axes.map((axis, i) => {
      const { axis: other, modulo, times } = axis.shift ?? { axis: 0, modulo: 1, times: 0 }
      return piecesOf(axis, ranges[i], (ranges[other].from % modulo) * times, this.#sizes[i])
    })
    const visit = (i: number, file: number, at: number, steps: readonly Step[]): void => {
      if (i === pieces.length) this.#copy(file, at, joinedSteps(steps))
      else
        for (const piece of pieces[i])
          visit(i + 1, file + piece.file, at + piece.panel, [...steps, ...piece.steps])
    }
    visit(0, 0, panel, [])
  }

  /** Elements that lie evenly, the widest step first: as many of the inner ones as lie close are read at once. */
  #copy(file: number, panel: number, steps: readonly Step[]): void {
    const spans = spansOf(steps)
    const most = this.#run.length / this.#bytes
    const read = (from: number, to: number, near: readonly Step[], span: number): void => {
      this.#fetch(from, this.#run.subarray(0, span * this.#bytes))
      const words = inWords(near, to, this.#bytes)
      gather(words.of(this.#run), words.of(this.#panel), words.to, words.steps)
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

type Words = Uint8Array | Uint16Array | Uint32Array

const words = [
  {
    bytes: 4,
    of: (buffer: Uint8Array<ArrayBuffer>) => new Uint32Array(buffer.buffer, 0, buffer.length >> 2),
  },
  {
    bytes: 2,
    of: (buffer: Uint8Array<ArrayBuffer>) => new Uint16Array(buffer.buffer, 0, buffer.length >> 1),
  },
  { bytes: 1, of: (buffer: Uint8Array<ArrayBuffer>): Words => buffer },
] as const

/** The same steps in the widest words that all of them are whole ones of. */
function inWords(
  steps: readonly Step[],
  to: number,
  bytes: number,
): {
  readonly of: (buffer: Uint8Array<ArrayBuffer>) => Words
  readonly to: number
  readonly steps: readonly Step[]
} {
  const together = steps.find(step => step.file === 1 && step.panel === 1)
  const others = steps.filter(step => step !== together)
  const run = (together?.length ?? 1) * bytes
  const fits = (width: number): boolean =>
    [run, to * bytes, ...others.flatMap(step => [step.file * bytes, step.panel * bytes])].every(
      size => size % width === 0,
    )
  const word = words.find(one => fits(one.bytes)) ?? words[2]
  const scale = bytes / word.bytes
  const scaled = others.map(step => ({ ...step, file: step.file * scale, panel: step.panel * scale }))
  const length = run / word.bytes
  return {
    of: word.of,
    to: to * scale,
    steps: length > 1 ? [...scaled, { length, file: 1, panel: 1 }] : scaled,
  }
}

/** Innermost what is written side by side, then what is read side by side. */
function gather(source: Words, target: Words, to: number, steps: readonly Step[]): void {
  const [inner = one, ...others] = [...steps].sort((a, b) => a.panel - b.panel)
  const [middle = one, ...outer] = others.sort((a, b) => a.file - b.file)
  const loop = (depth: number, from: number, at: number): void => {
    if (depth === outer.length) return plane(source, target, { from, to: at, middle, inner })
    const { length, file, panel } = outer[depth]
    for (let i = 0; i < length; i++) loop(depth + 1, from + i * file, at + i * panel)
  }
  loop(0, 0, to)
}
const one: Step = { length: 1, file: 0, panel: 0 }

/** So many elements are gone through again for the next index, while they are at hand. */
const stretch = 512

function plane(
  source: Words,
  target: Words,
  at: { readonly from: number; readonly to: number; readonly middle: Step; readonly inner: Step },
): void {
  const { middle, inner } = at
  const { file, panel } = inner
  for (let done = 0; done < inner.length; done += stretch) {
    const many = Math.min(stretch, inner.length - done)
    for (let i = 0; i < middle.length; i++) {
      let read = at.from + done * file + i * middle.file
      let write = at.to + done * panel + i * middle.panel
      for (let j = 0; j < many; j++) {
        target[write] = source[read]
        read += file
        write += panel
      }
    }
  }
}
