// Where the values of a dump lie that was put together: in the files of its ranks, piece by piece.
import type { ItemRow, ItemTable, TensorRef, TensorStore, TextPool } from '../model/index.ts'
import { sizesIn } from './columns.ts'
import type { Origins } from './columns.ts'
import type { Stage } from './merge.ts'

/** One tensor of several files along an axis; null where they cannot be read as one. */
export type JoinTensors = (
  pieces: readonly TensorRef[],
  whole: { readonly shape: readonly number[]; readonly axis: number; readonly blocks: number },
) => TensorRef | null

export class ShardTensors implements TensorStore {
  readonly place: string
  readonly #items: Pick<ItemTable, 'shape' | 'dataName'>
  readonly #texts: TextPool
  readonly #origins: Origins
  readonly #stages: readonly Stage[]
  readonly #join: JoinTensors

  constructor(
    path: string,
    items: Pick<ItemTable, 'shape' | 'dataName'>,
    texts: TextPool,
    origins: Origins,
    stages: readonly Stage[],
    join: JoinTensors,
  ) {
    this.place = stages.some(({ main }) => main.tensors.place !== '') ? path : ''
    this.#items = items
    this.#texts = texts
    this.#origins = origins
    this.#stages = stages
    this.#join = join
  }

  ref(item: ItemRow): TensorRef | null {
    if (this.#items.dataName[item] < 0) return null
    const { dumps, main } = this.#stages[this.#origins.stage[item]]
    const first = main.tensors.ref(this.#origins.row[item])
    const axis = this.#origins.axis[item]
    if (!first || axis < 0) return first
    const pieces = [first]
    for (const [i, row] of this.#origins.twinsOf(item).entries()) {
      const piece = dumps[i + 1] && row >= 0 ? dumps[i + 1].tensors.ref(row) : null
      if (!piece) return null
      pieces.push(piece)
    }
    const shape = sizesIn(this.#texts.get(this.#items.shape[item]))
    const { blocks, gate } = this.#origins
    const isGated = gate[item] > 0 && shape[axis] === 2 * gate[item] * pieces.length
    return this.#join(pieces, { shape, axis, blocks: blocks[item] > 1 ? blocks[item] : isGated ? 2 : 1 })
  }
}
