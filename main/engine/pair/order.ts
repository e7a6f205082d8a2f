// The order of an op's items in the table: inputs, parameters, outputs, gradients of parameters.
import { type Column, type Dump, type ItemRow, State } from '../model/index.ts'

const rank: Readonly<Record<number, number>> = {
  [State.input]: 0,
  [State.parameters]: 1,
  [State.output]: 2,
  [State.parametersGrad]: 3,
}

/** Item rows, op after op, each op's items in the order of the table. */
export function tableOrder(dump: Dump): Column<Uint32Array, number, ItemRow> {
  const { items, ops } = dump
  const order = new Uint32Array(items.length)
  const ranks = Uint8Array.from({ length: 4 }, (_, state) => rank[state])
  for (let op = 0; op < ops.length; op++) {
    const from = ops.first[op]
    const to = ops.first[op + 1]
    let at = from
    for (let group = 0; group < 4 && at < to; group++) {
      for (let item = from; item < to; item++) if (ranks[items.state[item]] === group) order[at++] = item
    }
  }
  return order
}
