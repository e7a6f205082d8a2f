// Graphs of a run that was built by a compiler: its own operators, which meet as they do in the window.
import { type GraphRequest, type GraphResult, overflowLevels } from '../../../graph/index.ts'
import { type GraphUnit, type Plan, planOf, type UnitRef } from '../../../layout/index.ts'
import { noHandMatches } from '../../../pair/index.ts'
import {
  defaultOptions,
  finish,
  graphsOfUnit,
  noiseReader,
  openSources,
  PairUnit,
  type UnitSource,
} from '../../../study/index.ts'
import { portsOf } from '../ports.ts'
import type { GraphTools, GraphWork } from './write.ts'

export async function graphsOfRun(
  paths: readonly string[],
  request: GraphRequest,
  tools: GraphTools,
): Promise<GraphWork> {
  const ports = portsOf(tools, request.rules)
  const plan = await planOf(paths, { stacks: false, ordered: true }, ports, tools.job)
  const opening = openSources(plan, { ...ports, measure: tools.measure })
  const sources = new Map(opening.units.map(source => [unitOf(source.place, plan), source]))
  return {
    units: [...sources.keys()],
    problems: opening.problems,
    graphsOf(unit) {
      const source = sources.get(unit)
      if (!source) throw new RangeError(`no unit ${unit.debug} was planned`)
      return graphsAt(unit, source, request, tools)
    },
    close: () => opening.close(),
  }
}

/** Runs, graphs and models are told apart by the names that their units have. */
function unitOf({ suffix, name = '', step, rank, debug, bench }: UnitRef, { units }: Plan): GraphUnit {
  const group = name.replace(/[^A-Za-z0-9_-]+/g, '_')
  const label = [suffix.slice(1), group].filter(Boolean).join('_')
  return { label, step: step ?? 0, rank: rank ?? 0, debug, bench, ...(units.length > 1 && { group }) }
}

async function graphsAt(
  unit: GraphUnit,
  source: UnitSource,
  { rules, overflow }: GraphRequest,
  tools: GraphTools,
): Promise<GraphResult> {
  const study = new PairUnit(source, { ...defaultOptions, rules }, noHandMatches, {
    files: tools.files,
    measure: tools.measure,
    adviser: tools.adviser,
    noise: noiseReader({ ...portsOf(tools, rules), measure: tools.measure }),
    events: { changed() {}, problem() {}, onScreen: () => false },
    steps: unit.bench === '' ? ['dumps', 'states'] : ['dumps', 'pairs', 'metrics', 'states'],
    kept: () => null,
  })
  try {
    await finish(study, tools.job)
    const snapshot = study.snapshot()
    if (!snapshot) throw new Error('a finished unit without a comparison')
    for (const found of snapshot.table.problems) tools.tell(found)
    const result = await graphsOfUnit(study.view(snapshot), source.place, tools.job)
    const { single, pair } = result
    return {
      ...result,
      unit,
      pair: pair && { ...pair, overflow: overflow ? pair.overflow : null },
      single:
        single && overflow
          ? { ...single, overflow: overflowLevels(single.graph, single.dump, rules) }
          : single,
    }
  } finally {
    study.close()
  }
}
