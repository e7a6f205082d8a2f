// What questions over many ranks need of a row beside its cells: the call it belongs to, which part of it, the layer.
import type { BatchColumn, MoreColumns } from '../report/index.ts'
import {
  type Comparison,
  type Dump,
  type ItemRow,
  type OpRow,
  opName,
  type PairRow,
  stateNames,
} from '../model/index.ts'

/** Parents above a call, at most. */
const deepest = 100

/** The number in the name of a module or of the modules that hold it; -1 where there is none. */
export function layersOf(dump: Dump): (op: OpRow) => number {
  const known = new Map<number, number>()
  const ofName = (name: string): number => {
    const { ofModule, owner } = dump.names.parse(name)
    const found = ofModule ? /\.(\d+)(?=\.)/.exec(owner) : null
    return found ? Number(found[1]) : -1
  }
  return op => {
    const code = dump.ops.name[op]
    let layer = known.get(code)
    if (layer === undefined) {
      layer = ofName(opName(dump, op))
      let at = layer < 0 ? dump.construct.find(code) : -1
      for (let hops = 0; layer < 0 && at >= 0 && hops < deepest; hops++) {
        const parent = dump.construct.parent[at]
        if (parent < 0) break
        layer = ofName(dump.texts.get(parent))
        at = dump.construct.find(parent)
      }
      known.set(code, layer)
    }
    return layer
  }
}

/** Name of the call that a row belongs to, as its own side names it. */
export function nodeOf({ debug, bench, debugItem, benchItem }: Comparison, row: PairRow): string {
  const item = debugItem[row]
  return item >= 0
    ? opName(debug, debug.items.op[item])
    : opName(bench, bench.items.op[benchItem[row] as ItemRow])
}

/** `node`, `part`, `layer` and whether the tool's rule calls the row a failure. */
export function questionColumns(comparison: Comparison): MoreColumns {
  const { debug, bench, debugItem, benchItem } = comparison
  const layers = { debug: layersOf(debug), bench: layersOf(bench) }
  const layerOf = (row: PairRow): number =>
    debugItem[row] >= 0
      ? layers.debug(debug.items.op[debugItem[row]])
      : layers.bench(bench.items.op[benchItem[row] as ItemRow])
  const partOf = (row: PairRow): string =>
    stateNames[
      debugItem[row] >= 0 ? debug.items.state[debugItem[row]] : bench.items.state[benchItem[row] as ItemRow]
    ] ?? ''
  return (from, count): readonly BatchColumn[] => {
    const rows = Array.from({ length: count }, (_, i) => from + i)
    const layer = Int32Array.from(rows, layerOf)
    return [
      { name: 'node', title: '', values: rows.map(row => nodeOf(comparison, row)) },
      { name: 'part', title: '', values: rows.map(partOf) },
      { name: 'layer', title: '', values: layer, valid: Uint8Array.from(layer, at => (at < 0 ? 0 : 1)) },
      { name: 'failing', title: '', values: Int32Array.from(rows, row => (comparison.failing(row) ? 1 : 0)) },
    ]
  }
}
