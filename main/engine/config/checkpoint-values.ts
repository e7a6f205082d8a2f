// The elements of a parameter in the order of the whole tensor, read from its shards stretch by stretch.
import { decode, type Dtype, type Parameter, tensorReader, type TensorReader } from '../formats/index.ts'
import type { Files, Handle } from '../io/index.ts'

/** Elements that are read at once. */
export const stretch = 1 << 15

interface OpenShard {
  readonly reader: TensorReader
  readonly dtype: Dtype
  readonly bytes: Uint8Array
  readonly handle: Handle
  /** Elements that follow each other in the whole. */
  readonly run: number
}

export class ParameterValues {
  readonly values = new Float64Array(stretch)
  readonly size: number
  readonly #shards: readonly OpenShard[]
  #shard = 0
  /** Which run of the shards, and how much of the current one is read. */
  #round = 0
  #done = 0

  constructor(files: Files, { shards, axis, shape }: Parameter) {
    const used = axis === null ? shards.slice(0, 1) : shards
    this.size = shape.reduce((product, dim) => product * dim, 1)
    this.#shards = used.map(({ file, layout }) => {
      const handle = files.open(file)
      // Along the second axis the shards take turns row by row.
      const run = axis === 1 ? layout.size / (layout.shape[0] || 1) : layout.size
      const { dtype } = layout
      const bytes = new Uint8Array(stretch * dtype.bytes)
      return { reader: tensorReader(handle, layout, file), dtype, bytes, handle, run }
    })
  }

  /** Puts the next elements into `values`, at most `most`; returns how many. */
  read(most: number): number {
    let filled = 0
    while (filled < most && this.#shard < this.#shards.length) {
      const shard = this.#shards[this.#shard]
      const { run } = shard
      const many = Math.min(most - filled, run - this.#done)
      const got = many > 0 ? this.#take(shard, this.#round * run + this.#done, many, filled) : 0
      if (got < many) break
      filled += got
      this.#done += got
      if (this.#done >= run) this.#next()
    }
    return filled
  }

  close(): void {
    for (const { handle } of this.#shards) handle.close()
  }

  #take({ reader, dtype, bytes }: OpenShard, first: number, many: number, at: number): number {
    const got = reader.read(first, bytes.subarray(0, many * dtype.bytes))
    decode(dtype, bytes, got, this.values.subarray(at))
    return got
  }

  #next(): void {
    this.#done = 0
    this.#shard++
    const perRound = this.#shards.reduce((sum, shard) => sum + shard.run, 0)
    if (this.#shard === this.#shards.length && perRound * (this.#round + 1) < this.size) {
      this.#shard = 0
      this.#round++
    }
  }
}
