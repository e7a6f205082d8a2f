// Cell mapping: MindSpore cells under the names of PyTorch modules.
import type { Dump } from '../dump.ts'
import { keysBy } from './apis.ts'
import type { Keys } from './join.ts'
import { readPairs, textOf } from './yaml.ts'

/** The key of an item that has no partner by its name. */
const nobody = 'N/A'

export function cellName(name: string, map: ReadonlyMap<string, unknown>): string {
  if (!/\.(?:forward|backward)\.|\.parameters_grad\./.test(name)) return nobody
  const renamed = name.replace('Cell', 'Module')
  const [, cell] = /^[^.]*\.(.+?)\.(?:forward|backward|parameters_grad)\./.exec(renamed) ?? []
  const to = cell === undefined ? undefined : map.get(cell)
  return cell === undefined || to === undefined ? renamed : renamed.replace(cell, () => textOf(to))
}

export function cellKeys(debug: Dump, text: string): Keys {
  const map = readPairs(text, 'cell')
  return keysBy(debug, name => cellName(name, map))
}
