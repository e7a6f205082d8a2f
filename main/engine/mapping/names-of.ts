// What mappings speak of, on one side: layers by class, cells, apis with their arguments, items.
import { type Dump, type ItemRow, type OpRow, State } from '../model/index.ts'
import { msprobeNames } from '../names/index.ts'
import { apiOf, hierarchyOf, itemIndex, type Node, type Placed } from '../pair/index.ts'

export interface ApiInfo {
  readonly name: string
  readonly ops: readonly OpRow[]
  /** Index path → an item that has it. */
  readonly inputs: ReadonlyMap<string, ItemRow>
  readonly outputs: ReadonlyMap<string, ItemRow>
}

export interface CellInfo {
  /** `{path}.{Class}`, as a cell mapping names it. */
  readonly name: string
  readonly ops: readonly OpRow[]
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

  constructor(dump: Dump) {
    this.dump = dump
  }

  get apis(): ReadonlyMap<string, ApiInfo> {
    return (this.#apis ??= apisOf(this.dump))
  }
  get cells(): ReadonlyMap<string, CellInfo> {
    return (this.#cells ??= cellsOf(this.dump))
  }
  /**
   * Calls with their place in the code; none where the dump has no hierarchy or names that cannot be read.
   */
  get placed(): readonly Placed[] {
    return hierarchyOf(this.dump).placed
  }
  get tree(): Node {
    return hierarchyOf(this.dump).tree
  }
  get layers(): readonly LayerInfo[] {
    return (this.#layers ??= layersOf(this.tree))
  }
  /** The path of an op among the layers, '' where it has none. */
  layerOf(op: number): string {
    return this.placed[op]?.scope.split('.').slice(1).join('.') ?? ''
  }
  /** Item row by name. */
  get items(): ReadonlyMap<string, ItemRow> {
    return itemIndex(this.dump)
  }

  itemName(item: ItemRow): string {
    return this.dump.texts.get(this.dump.items.name[item])
  }
  opName(op: OpRow): string {
    return this.dump.texts.get(this.dump.ops.name[op])
  }

  /** dtype and shape as the table shows them. */
  detail(item: ItemRow): string {
    const { items, texts } = this.dump
    return [items.dtype[item], items.shape[item]]
      .map(code => (code < 0 ? '' : texts.get(code)))
      .filter(text => text !== '')
      .join(' ')
  }
}

/** Mappings of cells are written in the names of msprobe. */
export const cellOf = msprobeNames.cell

/** What follows the part's name: the index by which api mappings speak of it. */
export function indexOf(dump: Dump, item: ItemRow): string {
  const op = dump.texts.get(dump.ops.name[dump.items.op[item]])
  const name = dump.texts.get(dump.items.name[item])
  const rest = name.startsWith(op) ? name.slice(op.length + 1) : name
  const dot = rest.indexOf('.')
  return dot < 0 ? '' : rest.slice(dot + 1)
}

function apisOf(dump: Dump): ReadonlyMap<string, ApiInfo> {
  const found = new Map<
    string,
    { name: string; ops: OpRow[]; inputs: Map<string, ItemRow>; outputs: Map<string, ItemRow> }
  >()
  for (let op = 0; op < dump.ops.length; op++) {
    const key = dump.texts.get(dump.ops.name[op])
    if (dump.names.parse(key).ofModule) continue
    const name = apiOf(key)
    let info = found.get(name)
    if (!info) found.set(name, (info = { name, ops: [], inputs: new Map(), outputs: new Map() }))
    info.ops.push(op)
    for (let item = dump.ops.first[op]; item < dump.ops.first[op + 1]; item++) {
      const state = dump.items.state[item]
      if (state !== State.output && state !== State.input) continue
      const list = state === State.output ? info.outputs : info.inputs
      const index = indexOf(dump, item)
      if (!list.has(index)) list.set(index, item)
    }
  }
  return found
}

function cellsOf(dump: Dump): ReadonlyMap<string, CellInfo> {
  const found = new Map<string, { name: string; ops: OpRow[] }>()
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
    for (const [name, child] of info.node.children)
      walk({ path: [...info.path, name], node: child, parent: info })
  }
  walk({ path: [], node: root, parent: null })
  return found
}
