// Weights and data of two packages, rank by rank and step by step: four statistics of each tensor.
import { isObject, type Json, JsonNumber, type JsonObject } from '../json/index.ts'
import { problem, type Problem, Refusal, type SetupFinding, type Table } from '../model/index.ts'
import type { ConfigPackage } from './package.ts'
import { isStats, type RankSummary, type StatPlace, StatRows } from './stat-rows.ts'
import { finding, type PartResult, type Verdict } from './types.ts'

interface Sides {
  readonly bench: ConfigPackage
  readonly debug: ConfigPackage
}

export interface Reading extends Sides {
  readonly exact: boolean
  tell(found: Problem): void
}

/** A weight's row in the sheet; only ours counts names of one side as a failure. */
export function compareWeights(reading: Reading): PartResult {
  const { bench, debug, exact } = reading
  const rows = new StatRows({ exact, alone: ['only bench have', 'only cmp have'] })
  for (const place of filesOf(reading, 'weights')) {
    const name = place.file
    const [mine, theirs] = [objectIn(bench, name), objectIn(debug, name)]
    // A rank that only one side has is a name less of each of its weights.
    if (exact && !bench.hasFile(name)) continue
    for (const weight of new Set([...mine.keys(), ...theirs.keys()]))
      rows.add(place, weight, mine.get(weight) ?? null, theirs.get(weight) ?? null)
  }
  const failed = rows.fails || (!exact && rows.aloneSomewhere)
  return partOf('weights', rows.table('weight_name'), failed ? 'error' : 'pass', rows.summaries())
}

export function compareDataset(reading: Reading): PartResult {
  const { bench, debug, exact } = reading
  const rows = new StatRows({ exact, alone: null })
  for (const place of filesOf(reading, 'dataset')) {
    const name = place.file
    if (exact && !(bench.hasFile(name) && debug.hasFile(name))) continue
    compareNested(objectIn(bench, name), objectIn(debug, name), { rows, place, exact }, '')
  }
  return partOf('dataset', rows.table('tag'), rows.fails ? 'error' : 'pass', rows.summaries())
}

interface Nested {
  readonly rows: StatRows
  readonly place: StatPlace
  readonly exact: boolean
}

/** Arguments may hold others; what is no tensor was stored as ''. */
function compareNested(bench: JsonObject, debug: JsonObject, at: Nested, tag: string): void {
  const tagOf = (key: string): string => (tag ? `${tag}.${key}` : key)
  for (const [key, mine] of bench) {
    const theirs = debug.get(key)
    if (theirs === undefined) addAlone(tagOf(key), mine, true, at)
    else if (isObject(mine) && isStats(mine)) addPair(tagOf(key), mine, theirs, at)
    else if (isObject(mine)) compareNested(mine, isObject(theirs) ? theirs : new Map(), at, tagOf(key))
    else if (!at.exact && isObject(theirs)) compareNested(new Map(), theirs, at, tagOf(key))
  }
  for (const [key, theirs] of debug) if (!bench.has(key)) addAlone(tagOf(key), theirs, false, at)
}

function addPair(tag: string, mine: JsonObject, theirs: Json, { rows, place, exact }: Nested): void {
  rows.add(place, tag, mine, isObject(theirs) && isStats(theirs) ? theirs : null)
  // Objects are compared as they are, and there NaN is one with itself.
  if (exact && isObject(theirs) && sameNumbers(mine, theirs)) rows.callEqual()
}

const sameNumbers = (a: JsonObject, b: JsonObject): boolean =>
  [...a].every(([key, value]) => {
    const [x, y] = [value, b.get(key)]
    return x instanceof JsonNumber && y instanceof JsonNumber && Object.is(x.value + 0, y.value + 0)
  })

function addAlone(tag: string, value: Json, ofBench: boolean, { rows, place }: Nested): void {
  rows.add(place, tag, ofBench ? value : null, ofBench ? null : value)
}

/** Files of a part, of either side; what tells no step and rank is said and passed over. */
function filesOf({ bench, debug, tell }: Reading, part: string): readonly StatPlace[] {
  const names = new Set([bench, debug].flatMap(side => side.below(part)))
  return [...names]
    .filter(file => file.endsWith('.json'))
    .flatMap(file => {
      const [, step, rank] = /^[^/]+\/(?:step)?(\d+)\/(?:rank)?(\d+)\//.exec(file) ?? []
      if (step !== undefined && rank !== undefined) return [{ step: Number(step), rank: Number(rank), file }]
      tell(problem('config-place', `${(bench.hasFile(file) ? bench : debug).path}/${file}`, {}, 'warning'))
      return []
    })
}

function objectIn(side: ConfigPackage, name: string): JsonObject {
  if (!side.hasFile(name)) return new Map()
  const value = side.json(name)
  if (!isObject(value)) throw new Refusal(problem('config-no-object', `${side.path}/${name}`))
  return value
}

function partOf(
  part: 'weights' | 'dataset',
  sheet: Table,
  verdict: Verdict,
  summaries: readonly RankSummary[],
): PartResult {
  const level = verdict === 'pass' ? 'warning' : 'error'
  return { part, verdict, sheet, findings: [...differing(part, summaries), ...alone(part, level, summaries)] }
}

/** The first place says it for all: what differs there, differs later too. */
function differing(part: 'weights' | 'dataset', summaries: readonly RankSummary[]): readonly SetupFinding[] {
  const first = summaries.find(({ differ }) => differ > 0)
  if (!first) return []
  const { step, rank, differ, rows: of, name, stat, share } = first
  return [finding(part, 'error', `${part}-differ`, { step, rank, differ, of, name, stat, share })]
}

function alone(
  part: 'weights' | 'dataset',
  level: 'warning' | 'error',
  summaries: readonly RankSummary[],
): readonly SetupFinding[] {
  const sides = [
    ['bench', 'aloneBench', 'firstAloneBench'],
    ['debug', 'aloneDebug', 'firstAloneDebug'],
  ] as const
  return sides.flatMap(([side, count, name]) => {
    const first = summaries.find(one => one[count] > 0)
    const all = summaries.reduce((sum, one) => sum + one[count], 0)
    if (!first) return []
    const { step, rank } = first
    return [finding(part, level, `${part}-alone`, { side, count: all, name: first[name], step, rank })]
  })
}
