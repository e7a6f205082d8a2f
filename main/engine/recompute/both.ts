// A call on both sides, each recomputed from its own inputs: whose result is wrong, or what makes the difference.
import { quickFiles, type QuickFiles, type Root } from '../io/index.ts'
import {
  type DirectionAnswer,
  type DirectionName,
  type ItemAnswer,
  type RecomputedCall,
  type RecomputedOutput,
  type RecomputedState,
} from '../model/index.ts'
import { job, type TaskContext } from '../work/index.ts'
import { type NdArray, sameShape } from './array.ts'
import { type CallOrder, recompute } from './call.ts'
import type { Outcome } from './operation.ts'
import { floatFormat, stepAt } from './rounding.ts'
import { allowanceOf } from './verdict.ts'

/** A call on the sides that have it. */
export interface BothOrder {
  readonly debug: CallOrder | null
  readonly bench: CallOrder | null
}

export interface BothOrders {
  readonly roots: readonly Root[]
  readonly calls: readonly BothOrder[]
  /** There is one dump only. */
  readonly alone: boolean
}

export async function recomputeBothTask(
  { roots, calls, alone }: BothOrders,
  { signal }: Pick<TaskContext, 'signal'>,
): Promise<readonly RecomputedCall[]> {
  const breathing = job(signal)
  const files = quickFiles(roots)
  const answers: RecomputedCall[] = []
  for (const call of calls) {
    for (const answer of recomputeBoth(files, call, alone)) answers.push(answer)
    await breathing.breathe()
  }
  return answers
}

/** A stored result with the exact one. */
interface Found {
  readonly answer: ItemAnswer
  readonly outcome: Outcome
  readonly stored: NdArray
}

interface SideFound {
  readonly directions: readonly DirectionAnswer[]
  /** By what follows the call in their names: both sides number their results alike. */
  readonly results: ReadonlyMap<string, Found>
}

function recomputeBoth(files: QuickFiles, order: BothOrder, alone: boolean): readonly RecomputedCall[] {
  const debug = sideOf(files, order.debug)
  const bench = sideOf(files, order.bench)
  const directions: readonly DirectionName[] = ['forward', 'backward']
  return directions.flatMap(direction => {
    const of = ({ directions: all }: SideFound): DirectionAnswer | null =>
      all.find(one => one.direction === direction) ?? null
    const [mine, theirs] = [of(debug), of(bench)]
    if (!mine && !theirs) return []
    const outputs = outputsOf(debug, bench, direction, alone)
    return [{ direction, debug: mine, bench: theirs, state: worstOf(outputs), outputs }]
  })
}

function sideOf(files: QuickFiles, order: CallOrder | null): SideFound {
  const results = new Map<string, Found>()
  if (!order) return { directions: [], results }
  const counts = { forward: 0, backward: 0 }
  const directions = recompute(files, order, ({ answer, direction, outcome, stored }) => {
    const begin = `${order.call}.${direction}.`
    const place = counts[direction]++
    const name = answer.item.startsWith(begin) ? answer.item.slice(begin.length) : String(place)
    results.set(`${direction}.${name}`, { answer, outcome, stored })
  })
  return { directions, results }
}

function outputsOf(
  debug: SideFound,
  bench: SideFound,
  direction: DirectionName,
  alone: boolean,
): readonly RecomputedOutput[] {
  const keys = new Set([...debug.results.keys(), ...bench.results.keys()])
  return [...keys]
    .filter(key => key.startsWith(direction))
    .map(key => outputOf(debug.results.get(key) ?? null, bench.results.get(key) ?? null, alone))
}

function outputOf(debug: Found | null, bench: Found | null, alone: boolean): RecomputedOutput {
  const apart = debug && bench ? distance(debug, bench) : null
  return {
    debug: debug?.answer ?? null,
    bench: bench?.answer ?? null,
    state: stateOf(debug, bench, apart, alone),
    apart,
  }
}

const isWrong = (found: Found | null): boolean => found?.answer.verdict === 'error'

function stateOf(
  debug: Found | null,
  bench: Found | null,
  apart: number | null,
  alone: boolean,
): RecomputedState {
  const [mine, theirs] = [isWrong(debug), isWrong(bench)]
  if (alone) return mine ? 'wrong' : 'right'
  if (mine && theirs) return 'bothWrong'
  if (mine) return 'debugWrong'
  if (theirs) return 'benchWrong'
  if (!debug || !bench) return 'right'
  if (areEqual(debug.stored, bench.stored)) return 'equal'
  return apart !== null && apart <= 1 ? 'rounding' : 'inputs'
}

/** What a call comes to is the worst of what its results come to. */
const severity: readonly RecomputedState[] = [
  'bothWrong',
  'debugWrong',
  'benchWrong',
  'wrong',
  'inputs',
  'rounding',
  'right',
  'equal',
]

function worstOf(outputs: readonly RecomputedOutput[]): RecomputedState {
  const has = (state: RecomputedState): boolean => outputs.some(one => one.state === state)
  if (has('debugWrong') && has('benchWrong')) return 'bothWrong'
  return severity.find(has) ?? 'skipped'
}

const same = (x: number, y: number): boolean => x === y || (Number.isNaN(x) && Number.isNaN(y))

const partsOf = ({ data, imaginary }: NdArray): readonly Float64Array[] =>
  imaginary ? [data, imaginary] : [data]

function areEqual(debug: NdArray, bench: NdArray): boolean {
  if (debug.dtype !== bench.dtype || !sameShape(debug.shape, bench.shape)) return false
  const theirs = partsOf(bench)
  return partsOf(debug).every((part, p) => part.every((x, i) => same(x, theirs[p][i])))
}

/** How far a stored result may be from the exact one; nothing where it has to be exact. */
function slackOf({ outcome, stored }: Found): (x: number, i: number) => number {
  const format = floatFormat(stored.dtype)
  const allowed = format && allowanceOf(outcome, format)
  return format && allowed ? (x, i) => stepAt(format, x) + allowed(i) : () => 0
}

/** How far the exact results are from each other, where 1 is what both may be off; null for other shapes. */
function distance(debug: Found, bench: Found): number | null {
  const [mine, theirs] = [debug.outcome, bench.outcome]
  if (!sameShape(mine.values.shape, theirs.values.shape)) return null
  const [ours, others] = [slackOf(debug), slackOf(bench)]
  const right = partsOf(theirs.values)
  let most = 0
  for (const [p, part] of partsOf(mine.values).entries())
    for (const i of mine.sampled ?? part.keys()) {
      const [x, y] = [part[i], right[p]?.[i] ?? NaN]
      if (same(x, y)) continue
      const away = Math.abs(x - y) / (ours(x, i) + others(y, i))
      most = Math.max(most, Number.isNaN(away) ? Infinity : away)
    }
  return most
}
