// Dumps drawn for graphs: parents by name, one small tensor per side of each op unless told otherwise.
import type { Dump } from '../../main/engine/dump.ts'
import { buildGraph } from '../../main/engine/graph/build.ts'
import { compareGraphs, type GraphOptions } from '../../main/engine/graph/compare.ts'
import { childCount, nodeName, type Graph } from '../../main/engine/graph/graph.ts'
import type { GraphPair } from '../../main/engine/graph/pair.ts'
import { job } from '../../main/engine/job.ts'
import { emptyMeasured } from '../../main/engine/metrics/remembered.ts'
import type { Rules } from '../../main/engine/model.ts'
import { drawn, tensor, type Drawn, type Ops } from './dump-text.ts'

export const small = (max = '1.0', shape: readonly number[] = [2, 3], dtype = 'torch.float32'): string => tensor(dtype, shape, [max, '-1.0', '0.5', '2.0'])

/** A dump of ops with one input and one output; `parts` replaces the record of single ops. */
export function dumpOf(construct: Readonly<Record<string, string | null>>, parts: Ops = {}, more: Drawn = {}): Promise<Dump> {
  const ops: Record<string, Readonly<Record<string, string>>> = {}
  for (const name of Object.keys(construct)) {
    if (name === 'optimizer' || name === 'clip_grad') continue
    ops[name] = parts[name] ?? { [name.includes('backward') ? 'input' : 'input_args']: `[${small()}]`, output: `[${small()}]` }
  }
  return drawn({ ...ops, ...parts }, { framework: 'pytorch', construct, ...more })
}

export const built = async (dump: Dump, rules: Rules = 'plumbline'): Promise<Graph> => buildGraph(dump, rules, job())

export const plain: GraphOptions = { rules: 'plumbline', fuzzy: false, layerMapping: null, overflow: false }

export const compared = (debug: Dump, bench: Dump, options: Partial<GraphOptions> = {}): Promise<GraphPair> =>
  compareGraphs(debug, bench, { ...plain, ...options }, job(), pairs => Promise.resolve(emptyMeasured(pairs.length)))

/** The hierarchy as lines, two blanks a level. */
export function outline(graph: Graph): string[] {
  return Array.from(graph.order, node => `${'  '.repeat(graph.depth[node]!)}${nodeName(graph, node)}${childCount(graph, node) > 0 ? ':' : ''}`)
}

/** A model of so many layers with so many APIs each. */
export function layered(layers: number, apis: number): Record<string, string | null> {
  const construct: Record<string, string | null> = { 'Module.m.Net.forward.0': null }
  for (let layer = 0; layer < layers; layer++) {
    const module = `Module.m.layers.${layer}.Layer.forward.0`
    construct[module] = 'Module.m.Net.forward.0'
    for (let api = 0; api < apis; api++) construct[`Tensor.add.${layer * apis + api}.forward`] = module
  }
  return construct
}
