// As how many sizes a value that ranks share could be shown, as long as nothing says along which axis.
import type { Dump, ItemRow } from '../model/index.ts'
import { shapeOf } from './columns.ts'
import { isMerged } from './merge.ts'
import { joinedShape, type Piece } from './values.ts'

export interface Sided {
  readonly dump: Dump
  readonly item: ItemRow
}

/** The item on the ranks of its stage; null of a dump of one rank. */
export function piecesAt({ dump, item }: Sided): readonly Piece[] | null {
  if (!isMerged(dump)) return null
  const { origins, stages } = dump
  const stage = stages[origins.stage[item]]
  return stage.dumps.length === 1
    ? null
    : stage.pieces(origins.row[item], [...origins.twinsOf(item)].slice(0, stage.dumps.length - 1))
}

/** As how many sizes a value could be shown: what it is, the pieces joined along an axis, one of them. */
export function* shapesOf(at: Sided): Iterable<{ readonly axis: number | null; readonly text: string }> {
  const { dump, item } = at
  const own = shapeOf(dump, item)
  if (!own) return
  yield { axis: null, text: own.join() }
  if (!isMerged(dump) || dump.origins.guessed[item] === 0) return
  const pieces = piecesAt(at)
  if (!pieces) return
  for (let axis = 0; axis < own.length; axis++)
    if (axis !== dump.origins.axis[item]) yield { axis, text: joinedShape(pieces, axis).join() }
  yield { axis: -1, text: (shapeOf(pieces[0].dump, pieces[0].item) ?? []).join() }
}
