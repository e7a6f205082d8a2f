// Elements put into another order in WebAssembly: one stretch of memory that they are read into, one that they
// are put together in. There is one of both in a thread, and what lies there is gone with the next use.
import wasm from './turn.as.ts?asc'

/** Indices that lie evenly; steps in elements, in the source and in the target. */
export interface Step {
  readonly length: number
  readonly file: number
  readonly panel: number
}

/** How a box of elements is gone through: loops around one call of a kernel. */
export interface Way {
  readonly outer: readonly Step[]
  readonly kernel: 'copy' | 'turn'
  /** What the kernel takes behind the two places. */
  readonly args: readonly number[]
}

interface Exports extends Record<Way['kernel'], (source: number, target: number, ...args: number[]) => void> {
  widen(source: number, target: number, count: number): void
}

/** Longest run that is read at once; half of it lies in a cache beside what is made of it. */
export const sourceBytes = 1 << 19
/** What is put together at once. */
export const targetBytes = 1 << 22
export const roomBytes = 1 << 22
/** The kernels read over the end. */
const slack = 64
const page = 1 << 16

class Bench {
  readonly source: Uint8Array<ArrayBuffer>
  readonly target: Uint8Array<ArrayBuffer>
  /** For what is read before it is known what becomes of it. */
  readonly room: Uint8Array<ArrayBuffer>
  readonly #kernels: Exports

  constructor() {
    const sourceAt = page
    const targetAt = sourceAt + sourceBytes + slack
    const roomAt = targetAt + targetBytes + slack
    const memory = new WebAssembly.Memory({ initial: Math.ceil((roomAt + roomBytes + slack) / page) })
    this.source = new Uint8Array(memory.buffer, sourceAt, sourceBytes)
    this.target = new Uint8Array(memory.buffer, targetAt, targetBytes)
    this.room = new Uint8Array(memory.buffer, roomAt, roomBytes)
    this.#kernels = new WebAssembly.Instance(new WebAssembly.Module(wasm), { env: { memory } })
      .exports as unknown as Exports
  }

  /** From and to places in bytes. */
  go({ outer, kernel, args }: Way, from: number, to: number, bytes: number): void {
    const call = this.#kernels[kernel]
    const loop = (depth: number, source: number, target: number): void => {
      if (depth === outer.length) return call(source, target, ...args)
      const { length, file, panel } = outer[depth]
      for (let i = 0; i < length; i++) loop(depth + 1, source + i * file * bytes, target + i * panel * bytes)
    }
    loop(0, this.source.byteOffset + from, this.target.byteOffset + to)
  }

  /** Upper halves of float32, as float32, so many of them as fit; in the source, the target stays as it is. */
  widened(halves: Uint8Array): Uint8Array {
    const at = this.source.byteOffset
    // What was read into the room is widened from where it lies.
    const isHere = halves.buffer === this.source.buffer
    if (!isHere) this.source.set(halves)
    this.#kernels.widen(isHere ? halves.byteOffset : at, at + mostHalves, halves.length >> 1)
    return this.source.subarray(mostHalves, mostHalves + halves.length * 2)
  }
}

/** Bytes of upper halves that are widened at once. */
export const mostHalves = 1 << 17

let made: Bench | undefined
export const bench = (): Bench => (made ??= new Bench())

/** Loops that a kernel has itself; of more the widest stay outside. */
const copyLoops = 4
const turnLoops = 3
const once: Step = { length: 1, file: 0, panel: 0 }

/** The way through steps of which no two lie alike. */
export function wayOf(steps: readonly Step[], bytes: number): Way {
  const together = steps.find(({ file, panel }) => file === 1 && panel === 1)
  const rows = together ? undefined : steps.find(({ panel }) => panel === 1)
  const columns = together ? undefined : steps.find(({ file }) => file === 1)
  const within: readonly (Step | undefined)[] = rows && columns ? [rows, columns] : [together]
  // What is written side by side is gone through innermost.
  const loops = steps.filter(step => !within.includes(step)).sort((a, b) => b.panel - a.panel)
  const inner = (most: number): number[] => {
    const some = loops.slice(-most)
    return [...Array.from({ length: most - some.length }, () => once), ...some].flatMap(
      ({ length, file, panel }) => [length, file * bytes, panel * bytes],
    )
  }
  if (rows && columns)
    return {
      outer: loops.slice(0, -turnLoops),
      kernel: 'turn',
      args: [
        bytes,
        rows.length,
        rows.file * bytes,
        columns.length,
        columns.panel * bytes,
        ...inner(turnLoops),
      ],
    }
  return {
    outer: loops.slice(0, -copyLoops),
    kernel: 'copy',
    args: [(together?.length ?? 1) * bytes, ...inner(copyLoops)],
  }
}
