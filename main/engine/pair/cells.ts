// Cell mapping: MindSpore cells under the names of PyTorch modules.
import type { Dump, ItemRow } from '../model/index.ts'
import { changedKeys, namesBy } from './apis.ts'
import type { Keys } from './join.ts'
import { PairedBy } from './partners.ts'
import { readPairs, textOf } from './yaml.ts'

/** The key of an item that has no partner by its name. */
const nobody = 'N/A'

const renamed = (name: string): string =>
  /\.(?:forward|backward)\.|\.parameters_grad\./.test(name) ? name.replace('Cell', 'Module') : nobody

/** Path and class, as a mapping names a cell. */
const cellIn = (name: string): string | undefined =>
  /^[^.]*\.(.+?)\.(?:forward|backward|parameters_grad)\./.exec(name.replace('Cell', 'Module'))?.[1]

/** `parts`: of a cell that the mapping does not name, whatever parts of its name it does. */
export function cellKeys(debug: Dump, text: string, parts = false): Keys {
  const names = namesBy(debug, 'cell', renamed, cellIn)
  const changed: [item: ItemRow, name: string][] = []
  const pairs = [...readPairs(text, 'cell')]
  const named = new Set(pairs.map(([cell]) => cell))
  for (const [cell, items] of parts ? names.groups : []) {
    if (named.has(cell)) continue
    const to = pairs.reduce((name, [from, value]) => name.replace(from, () => textOf(value)), cell)
    if (to !== cell)
      for (const item of items)
        changed.push([item, renamed(debug.texts.get(debug.items.name[item])).replace(cell, () => to)])
  }
  for (const [cell, value] of pairs) {
    const to = textOf(value)
    for (const item of names.groups.get(cell) ?? [])
      changed.push([item, renamed(debug.texts.get(debug.items.name[item])).replace(cell, () => to)])
  }
  return changedKeys(names, changed, PairedBy.cell)
}
