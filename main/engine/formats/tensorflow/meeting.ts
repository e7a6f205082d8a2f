// Who meets whom: each item says which tensor of the script it is, and where that stands on the other side.
import type { BenchItem, BenchOp, DebugItem, Dump, Ids } from '../../model/index.ts'

/** What an item of the NPU side knows. */
export interface Told {
  /** The item of the reference that it is compared with; '' none. */
  readonly item: string
  /** Its tensor of the script, `op:output`; '' none, or only known to the compiler. */
  readonly origin: string
}

const told = new WeakMap<Dump, readonly Told[]>()

export const remember = (dump: Dump, items: readonly Told[]): void => void told.set(dump, items)

/** Bench item per debug item; null where the debug side did not run on an NPU. */
export function meetTold(debug: Dump, bench: Dump): Int32Array {
  const [mine, theirs] = [told.get(debug), told.get(bench)]
  if (!mine) return byName(debug, bench)
  return theirs ? meetRuns(debug, bench, mine, theirs) : toReference(bench, mine)
}

function toReference(bench: Dump, mine: readonly Told[]): Int32Array {
  const rows = rowsByName(bench)
  return Int32Array.from(mine, ({ item }) => (item === '' ? -1 : (rows.get(item) ?? -1)))
}

function byName({ items, texts }: Dump, bench: Dump): Int32Array {
  const rows = rowsByName(bench)
  return Int32Array.from({ length: items.length }, (_, item) => rows.get(texts.get(items.name[item])) ?? -1)
}

function rowsByName({ items, texts }: Dump): Map<string, BenchItem> {
  const rows = new Map<string, BenchItem>()
  for (let item = 0; item < items.length; item++) rows.set(texts.get(items.name[item]), item)
  return rows
}

/** Two runs on NPUs: ops of one name, else those that make the same tensors of the script, as after other fusions. */
function meetRuns(debug: Dump, bench: Dump, mine: readonly Told[], theirs: readonly Told[]): Int32Array {
  const met = byName(debug, bench)
  const outputs = byOrigin(bench, theirs)
  const partner: Ids<number, BenchOp> = new Int32Array(debug.ops.length).fill(-1)
  for (let item = 0; item < met.length; item++) {
    if (met[item] < 0 && debug.items.state[item] === outputState)
      met[item] = outputs.get(mine[item].origin) ?? -1
    if (met[item] >= 0) partner[debug.items.op[item]] = bench.items.op[met[item]]
  }
  for (let item: DebugItem = 0; item < met.length; item++)
    if (met[item] < 0 && mine[item].origin !== '')
      met[item] =
        inputOf(bench, theirs, partner[debug.items.op[item]], mine[item].origin) ??
        outputs.get(mine[item].origin) ??
        -1
  return met
}

const outputState = 1

function byOrigin({ items }: Dump, told: readonly Told[]): Map<string, BenchItem> {
  const outputs = new Map<string, BenchItem>()
  told.forEach(({ origin }, item) => {
    // The first that makes it; those behind only hand it on.
    if (origin !== '' && items.state[item] === outputState && !outputs.has(origin)) outputs.set(origin, item)
  })
  return outputs
}

function inputOf({ ops }: Dump, told: readonly Told[], op: BenchOp, origin: string): BenchItem | undefined {
  if (op < 0) return undefined
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++)
    if (told[item].origin === origin) return item
  return undefined
}
