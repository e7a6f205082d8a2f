// What mappings speak of, on one side: layers by class, cells, apis with their arguments, items.
import type { Dump } from '../dump.ts'
import { State } from '../model.ts'
import { apiOf } from './apis.ts'
import { hierarchyOf, type Node, type Placed } from './layers.ts'
import { itemIndex } from './listed.ts'

export interface ApiInfo {
  readonly name: string
  readonly ops: readonly number[]
  /** Index path → an item that has it. */
  readonly inputs: ReadonlyMap<string, number>
  readonly outputs: ReadonlyMap<string, number>
}

export interface CellInfo {
  /** `{path}.{Class}`, as a cell mapping names it. */
  readonly name: string
  readonly ops: readonly number[]
}

/** A node of the layer tree with the path that leads to it. */
export interface LayerInfo {
  readonly path: readonly string[]
  readonly node: Node
  readonly parent: LayerInfo | null
}

export class SideNames {
  readonly dump: Dump
  #apis: ReadonlyMap<string, ApiInfo> | null = null
  #cells: ReadonlyMap<string, CellInfo> | null = null
  #layers: readonly LayerInfo[] | null = null

  constructor(dump: Dump) { this.dump = dump }

  get apis(): ReadonlyMap<string, ApiInfo> { return (this.#apis ??= apisOf(this.dump)) }
  get cells(): ReadonlyMap<string, CellInfo> { return (this.#cells ??= cellsOf(this.dump)) }
  /** Calls with their place in the code; none where the dump has no hierarchy or names that cannot be read. */
  get placed(): readonly Placed[] { return hierarchyOf(this.dump).placed }
  get tree(): Node { return hierarchyOf(this.dump).tree }
  get layers(): readonly LayerInfo[] { return (this.#layers ??= layersOf(this.tree)) }
  /** Item row by name. */
  get items(): ReadonlyMap<string, number> { return itemIndex(this.dump) }

  itemName(item: number): string { return this.dump.texts.get(this.dump.items.name[item]) }
  opName(op: number): string { return this.dump.texts.get(this.dump.ops.name[op]) }

  /** dtype and shape as the table shows them. */
  detail(item: number): string {
    const { items, texts } = this.dump
    return [items.dtype[item], items.shape[item]].map(code => (code < 0 ? '' : texts.get(code))).filter(text => text !== '').join(' ')
  }
}

const cellForm = /^(?:Cell|Module)\.(.+)\.(?:(?:forward|backward)\.\d+|parameters_grad)$/

export const cellOf = (op: string): string | undefined => cellForm.exec(op)?.[1]

/** What follows the part's name: the index by which api mappings speak of it. */
export function indexOf(dump: Dump, item: number): string {
  const op = dump.texts.get(dump.ops.name[dump.items.op[item]])
  const name = dump.texts.get(dump.items.name[item])
  const rest = name.startsWith(op) ? name.slice(op.length + 1) : name
  const dot = rest.indexOf('.')
  return dot < 0 ? '' : rest.slice(dot + 1)
}

function apisOf(dump: Dump): ReadonlyMap<string, ApiInfo> {
  const found = new Map<string, { name: string; ops: number[]; inputs: Map<string, number>; outputs: Map<string, number> }>()
  for (let op = 0; op < dump.ops.length; op++) {
    const key = dump.texts.get(dump.ops.name[op])
    if (/^(?:Cell|Module)\./.test(key)) continue
    const name = apiOf(key)
    let info = found.get(name)
    if (!info) found.set(name, (info = { name, ops: [], inputs: new Map(), outputs: new Map() }))
    info.ops.push(op)
    for (let item = dump.ops.first[op]; item < dump.ops.first[op + 1]; item++) {
      const list = dump.items.state[item] === State.output ? info.outputs : dump.items.state[item] === State.input ? info.inputs : null
      const index = list ? indexOf(dump, item) : ''
      if (list && !list.has(index)) list.set(index, item)
    }
  }
  return found
}

function cellsOf(dump: Dump): ReadonlyMap<string, CellInfo> {
  const found = new Map<string, { name: string; ops: number[] }>()
  for (let op = 0; op < dump.ops.length; op++) {
    const name = cellOf(dump.texts.get(dump.ops.name[op]))
    if (name === undefined) continue
    const info = found.get(name)
    if (info) info.ops.push(op)
    else found.set(name, { name, ops: [op] })
  }
  return found
}

function layersOf(root: Node): LayerInfo[] {
  const found: LayerInfo[] = []
  const walk = (info: LayerInfo): void => {
    found.push(info)
    for (const [name, child] of info.node.children) walk({ path: [...info.path, name], node: child, parent: info })
  }
  walk({ path: [], node: root, parent: null })
  return found
}
