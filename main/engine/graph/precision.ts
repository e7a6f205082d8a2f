// How suspicious a node is: a share of its own items' errors, by mode and rule set.
import { Kind } from '../model.ts'
import { fixed12 } from '../metrics/numpy.ts'
import { Outcome, type Measured } from '../metrics/measured.ts'
import type { Cells } from '../columns.ts'
import type { Dump } from '../dump.ts'
import { NodeKind } from './graph.ts'
import { itemSides, rangeOf } from './items.ts'
import { levelIndex } from './levels.ts'
import { notCompared, type GraphPair } from './pair.ts'
import { graphRules } from './rules.ts'

export const statCells = (dump: Dump): readonly Cells[] => [dump.items.max, dump.items.min, dump.items.mean, dump.items.norm]

/** Numbers as statistics take them: ints and floats, no bools. */
export const isNumber = (kind: number): boolean => kind === Kind.int || kind === Kind.float || kind === Kind.bigint

export function numberOf(dump: Dump, cells: Cells, item: number): number {
  return cells.kind[item] === Kind.bigint ? Number(dump.texts.get(cells.value[item])) : cells.value[item]
}

/** Bound below which a value is small, and the absolute error that is allowed there; by dtype. */
const small: Readonly<Record<string, { readonly bound: number; readonly allowed: number; readonly shown: string }>> = {
  'torch.float32': { bound: 1e-6, allowed: 1e-6, shown: '1e-06' }, Float32: { bound: 1e-6, allowed: 1e-6, shown: '1e-06' },
  'torch.float16': { bound: 1e-3, allowed: 1e-3, shown: '0.001' }, Float16: { bound: 1e-3, allowed: 1e-3, shown: '0.001' },
  'torch.bfloat16': { bound: 1e-3, allowed: 1e-3, shown: '0.001' }, BFloat16: { bound: 1e-3, allowed: 1e-3, shown: '0.001' },
}

export interface SmallValue { readonly bound: number; readonly allowed: number; readonly shown: string }

/** Per text code of a dtype: the small-value rule that holds for it. */
export function smallValues(dump: Dump): (dtypeCode: number) => SmallValue | undefined {
  const byCode = new Map<number, SmallValue>()
  for (const [dtype, rule] of Object.entries(small)) {
    const code = dump.texts.find(dtype)
    if (code >= 0) byCode.set(code, rule)
  }
  return code => byCode.get(code)
}

type IndexOf = (node: number) => void

/** Fills index and indexInt of a pair whose items have met. */
export function fillIndex(pair: GraphPair): void {
  const how = graphRules[pair.rules]
  pair.index.fill(NaN)
  pair.indexInt.fill(0)
  if (pair.mode === 'structure') return
  const indexOf: IndexOf = how.levels ? levelIndex(pair) : { statistics: statisticsIndex, tensor: tensorIndex, md5: md5Index }[pair.mode](pair)
  for (let node = 0; node < pair.debug.length; node++) if (hasRows(pair, node)) indexOf(node)
  rollUpGroups(pair)
}

const hasRows = (pair: GraphPair, node: number): boolean => {
  if (pair.matching.toBench[node] < 0) return false
  for (let [item, end] = rangeOf(pair.debugDump, pair.debug.op[node]); item < end; item++) if (pair.benchItem[item] !== notCompared) return true
  return false
}

/** Relative error of one statistic, NaN when there is none; the printed percentage divided by 100 again. */
export const relativeOf = (n: number, b: number): number => {
  const diff = n - b
  return Number.isNaN(diff) || b === 0 ? NaN : Math.abs(diff / b) * 100 / 100
}

/** Largest relative error of the outputs' statistics; small values are judged by their absolute error where the rules say so. */
function statisticsIndex(pair: GraphPair): IndexOf {
  const { debugDump, benchDump, benchItem, debug } = pair
  const { side } = itemSides(debugDump, pair.rules)
  const mine = statCells(debugDump)
  const theirs = statCells(benchDump)
  const smallOf = graphRules[pair.rules].smallValues ? smallValues(debugDump) : () => undefined
  return node => {
    let worst = 0
    let isInt = true
    const take = (value: number, int: boolean): void => {
      if (value > worst) {
        worst = value
        isInt = int
      }
    }
    for (let [item, end] = rangeOf(debugDump, debug.op[node]); item < end; item++) {
      if (side[item] !== 1 || benchItem[item] < 0) continue
      const rule = smallOf(debugDump.items.dtype[item])
      for (let s = 0; s < 4; s++) {
        if (!isNumber(mine[s].kind[item]) || !isNumber(theirs[s].kind[benchItem[item]])) continue
        const n = numberOf(debugDump, mine[s], item)
        const b = numberOf(benchDump, theirs[s], benchItem[item])
        if (rule && Math.abs(n) <= rule.bound) take(Math.abs(n - b) <= rule.allowed ? 0 : 1, true)
        else {
          const relative = relativeOf(n, b)
          if (!Number.isNaN(relative)) take(relative, false)
        }
      }
    }
    set(pair, node, worst > 1 ? 1 : worst, worst > 1 || isInt)
  }
}

/** Fall of the one-thousandth ratio from the inputs to the outputs. */
function tensorIndex(pair: GraphPair): IndexOf {
  const { debugDump, measured, measuredRow, debug } = pair
  const { side } = itemSides(debugDump, pair.rules)
  const emptyShape = debugDump.texts.find('[]')
  return node => {
    const least = [NaN, NaN]
    for (let [item, end] = rangeOf(debugDump, debug.op[node]); item < end; item++) {
      const row = measuredRow[item]
      if (!measured || row < 0 || side[item] === 2 || debugDump.items.shape[item] === emptyShape) continue
      const ratio = ratioOf(measured, row)
      if (Number.isNaN(ratio)) continue
      const at = side[item]
      if (!(least[at] <= ratio)) least[at] = ratio
    }
    const [input, output] = least
    if (Number.isNaN(input) || Number.isNaN(output)) set(pair, node, 0, true)
    else {
      const fall = Math.min(1, input) - Math.min(1, output)
      set(pair, node, Math.min(1, Math.max(0, fall)), fall < 0)
    }
  }
}

/** The one-thousandth ratio as it is printed, NaN where a text stands. */
export function ratioOf(measured: Measured, row: number): number {
  if (measured.outcome[row] === Outcome.empty) return 0
  return measured.outcome[row] === Outcome.measured ? fixed12(measured.thousandth[row]) : NaN
}

/** 1 when all checksums agree, 0 when one differs. */
function md5Index(pair: GraphPair): IndexOf {
  const { debugDump, benchDump, benchItem, debug } = pair
  return node => {
    let same = true
    for (let [item, end] = rangeOf(debugDump, debug.op[node]); item < end && same; item++) {
      if (benchItem[item] >= 0) same = sameMd5(debugDump, item, benchDump, benchItem[item])
    }
    set(pair, node, same ? 1 : 0, true)
  }
}

export function sameMd5(debug: Dump, item: number, bench: Dump, benchItem: number): boolean {
  const a = debug.items.md5[item]
  const b = bench.items.md5[benchItem]
  if (a < 0 || b < 0) return a < 0 && b < 0
  return bench.texts.findBytes(debug.texts.bytes(a)) === b
}

function set(pair: GraphPair, node: number, value: number, int: boolean): void {
  pair.index[node] = value
  pair.indexInt[node] = int ? 1 : 0
}

/** Groups of free APIs show the worst of what they hold. */
function rollUpGroups(pair: GraphPair): void {
  const { debug } = pair
  const how = graphRules[pair.rules]
  const bestIsOne = pair.mode === 'md5' && !how.levels
  for (let node = 0; node < debug.length; node++) {
    if (debug.kind[node] !== NodeKind.group || pair.matching.toBench[node] < 0) continue
    set(pair, node, bestIsOne ? 1 : 0, true)
    if (pair.mode === 'tensor' && how.groupsBeforeTensors) continue
    for (let i = debug.firstChild[node]; i < debug.firstChild[node + 1]; i++) {
      const child = debug.children[i]
      if (bestIsOne ? pair.index[child] < pair.index[node] : pair.index[child] > pair.index[node]) set(pair, node, pair.index[child], pair.indexInt[child] === 1)
    }
  }
}

