// Dumps drawn for graphs: parents by name, one small tensor per side of each op unless told otherwise.
import type { Dump } from '../../main/engine/model/dump.ts'
import { buildGraph } from '../../main/engine/graph/build.ts'
import { compareGraphs, type GraphOptions } from '../../main/engine/graph/compare.ts'
import { childCount, nodeName, type Graph } from '../../main/engine/graph/graph.ts'
import type { GraphPair } from '../../main/engine/graph/pair.ts'
import { pairedGraphs } from '../../main/engine/graph/paired.ts'
import { whyUnmatched } from '../../main/engine/graph/why.ts'
import type { Comparison } from '../../main/engine/model/comparison.ts'
import { noHandMatches } from '../../main/engine/pair/hand.ts'
import { compareDumps, type CompareSettings } from '../../main/engine/study/pair/compare.ts'
import { defaultThresholds } from '../../main/engine/rules/thresholds.ts'
import { job } from '../../main/engine/work/job.ts'
import { emptyMeasured } from '../../main/engine/measure/metrics.ts'
import type { Rules } from '../../main/engine/model/names.ts'
import { drawn, tensor, type Drawn, type Ops } from './dump-text.ts'

export const small = (max = '1.0', shape: readonly number[] = [2, 3], dtype = 'torch.float32'): string =>
  tensor(dtype, shape, [max, '-1.0', '0.5', '2.0'])

/** A dump of ops with one input and one output; `parts` replaces the record of single ops. */
export function dumpOf(
  construct: Readonly<Record<string, string | null>>,
  parts: Ops = {},
  more: Drawn = {},
): Promise<Dump> {
  const ops: Record<string, Readonly<Record<string, string>>> = {}
  for (const name of Object.keys(construct)) {
    if (name === 'optimizer' || name === 'clip_grad') continue
    ops[name] = parts[name] ?? {
      [name.includes('backward') ? 'input' : 'input_args']: `[${small()}]`,
      output: `[${small()}]`,
    }
  }
  return drawn({ ...ops, ...parts }, { framework: 'pytorch', construct, ...more })
}

export const built = async (dump: Dump, rules: Rules = 'plumbline'): Promise<Graph> =>
  buildGraph(dump, rules, job())

export const plain: GraphOptions = { rules: 'plumbline', fuzzy: false, layerMapping: null, overflow: false }

export const compared = (debug: Dump, bench: Dump, options: Partial<GraphOptions> = {}): Promise<GraphPair> =>
  compareGraphs(debug, bench, { ...plain, ...options }, job(), pairs =>
    Promise.resolve(emptyMeasured(pairs.length)),
  )

const settings: CompareSettings = {
  rules: 'plumbline',
  engine: 'pytorch',
  fuzzy: false,
  mapping: {},
  stack: false,
  thresholds: defaultThresholds,
}

/** The graphs of the window, with the rows that they follow. */
export async function paired(
  debug: Dump,
  bench: Dump,
  more: Partial<CompareSettings> = {},
): Promise<{ readonly pair: GraphPair; readonly comparison: Comparison; readonly why: Why }> {
  const asked = { ...settings, ...more }
  const hand = asked.hand ?? noHandMatches
  const comparison = await compareDumps(debug, bench, asked, {
    job: job(),
    measure: pairs => Promise.resolve(emptyMeasured(pairs.length)),
  })
  const graphs = {
    debug: await buildGraph(debug, asked.rules, job()),
    bench: await buildGraph(bench, asked.rules, job()),
  }
  const pair = await pairedGraphs(comparison, graphs, asked.rules, hand, job())
  const mapped = Object.keys(asked.mapping).length > 0
  return { pair, comparison, why: whyUnmatched(pair, { ops: comparison.pairing.ops, hand, mapped }) }
}

type Why = ReturnType<typeof whyUnmatched>

/** The hierarchy as lines, two blanks a level. */
export function outline(graph: Graph): string[] {
  return Array.from(
    graph.order,
    node =>
      `${'  '.repeat(graph.depth[node]!)}${nodeName(graph, node)}${childCount(graph, node) > 0 ? ':' : ''}`,
  )
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
