// Graphs of msprobe's dumps, matched by its own rules.
import { type Place, wholeOf } from '../../../formats/index.ts'
import {
  buildGraph,
  compareGraphs,
  type GraphRequest,
  type GraphResult,
  overflowLevels,
} from '../../../graph/index.ts'
import { join } from '../../../io/index.ts'
import { dumpFormatOf, graphPlan, type GraphUnitRef } from '../../../layout/index.ts'
import { type Dump, type Problem, problem, Refusal } from '../../../model/index.ts'
import { ruleSets } from '../../../rules/index.ts'
import { settle } from '../../../parallel/index.ts'
import { portsOf } from '../ports.ts'
import type { GraphTools, GraphWork } from './write.ts'

export async function graphsOfDumps(request: GraphRequest, tools: GraphTools): Promise<GraphWork> {
  const { debug, bench, rules, together } = request
  const { units, problems } = await graphPlan(tools.files, debug, bench, rules, tools.job, together)
  const reader = new DumpGraphs(request, tools)
  const placed = new Map(units.map(({ format, places, ...unit }) => [unit, { format, places, ...unit }]))
  return {
    units: [...placed.keys()],
    problems,
    graphsOf(unit) {
      const ref = placed.get(unit)
      if (!ref) throw new RangeError(`no unit ${unit.debug} was planned`)
      return reader.of(ref)
    },
    close() {},
  }
}

class DumpGraphs {
  readonly #request: GraphRequest
  readonly #tools: GraphTools

  constructor(request: GraphRequest, tools: GraphTools) {
    this.#request = request
    this.#tools = tools
  }

  async of(unit: GraphUnitRef): Promise<GraphResult> {
    const { rules, fuzzy, layerMapping, overflow } = this.#request
    const { job, measure } = this.#tools
    const peers = { debug: new Map(), bench: new Map() }
    const read = await this.#read(unit, unit.places.debug)
    const beside = unit.places.bench && (await this.#read(unit, unit.places.bench))
    const { debug: dump, bench: other } = settle(read, beside)
    this.#note(dump.problems)
    if (!other) {
      const graph = await buildGraph(dump, rules, job)
      this.#note(graph.problems)
      const levels = overflow ? overflowLevels(graph, dump, rules) : null
      return { unit, pair: null, single: { graph, dump, overflow: levels }, peers }
    }
    const options = { rules, fuzzy, layerMapping, overflow }
    this.#note(other.problems)
    const pair = await compareGraphs(dump, other, options, job, (pairs, work) => measure(pairs, work))
    this.#note(pair.problems)
    return { unit, pair, single: null, peers }
  }

  async #read(unit: GraphUnitRef, place: Place): Promise<Dump> {
    const { job, tell } = this.#tools
    const { rules } = this.#request
    const dump = await wholeOf(dumpFormatOf(unit).open(place, portsOf(this.#tools, rules), job))
    const { construct, stacks } = dump
    if (construct.file === '' && construct.length === 0)
      throw new Refusal(problem('not-found', join(place.path, 'construct.json')))
    const hasStacks = stacks.file !== '' || stacks.length > 0
    if (!hasStacks && ruleSets[rules].graph.stacksNeeded)
      throw new Refusal(problem('not-found', join(place.path, 'stack.json')))
    const broken = dump.ops.length === 0 ? dump.problems.find(found => found.severity === 'error') : undefined
    if (broken) throw new Refusal(broken)
    if (!hasStacks) tell(problem('stacks-missing', place.path, {}, 'note'))
    return dump
  }

  #note(problems: readonly Problem[]): void {
    for (const found of problems) {
      if (found.code === 'no-hierarchy' && ruleSets[this.#request.rules].graph.hierarchyNeeded)
        throw new Refusal(found)
      this.#tools.tell(found)
    }
  }
}
