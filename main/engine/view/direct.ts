// Values that are no tensors: compared as they stand in the dumps, with no metrics and nothing that msprobe says of them.
import type { Dump, ItemRows } from '../model/index.ts'

const isTensor = (dump: Dump, item: number): boolean => dump.items.tensor[item] === 1

/** Whether a row holds two values that were compared directly. */
export function comparedDirectly({ debug, bench, debugItem, benchItem }: ItemRows, row: number): boolean {
  const [mine, theirs] = [debugItem[row], benchItem[row]]
  return bench !== null && mine >= 0 && theirs >= 0 && !isTensor(debug, mine) && !isTensor(bench, theirs)
}
