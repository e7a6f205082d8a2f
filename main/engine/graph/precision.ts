// msprobe's index of a node: a share of its own items' errors, by mode and rule set.
import type { NodeRow } from '../model/index.ts'
import { isNumeric, numberIn } from '../measure/index.ts'
import type { GraphMode } from '../pair/index.ts'
import { ruleSets } from '../rules/index.ts'
import { NodeKind } from './graph.ts'
import { itemSides, rangeOf } from './items.ts'
import { levelIndex } from './levels.ts'
import { notCompared, surplus, type GraphPair } from './pair.ts'
import { differenceOf, ratioOf, relativeOf, sameMd5, smallValues, statCells } from './values.ts'

type IndexOf = (node: NodeRow) => void

/** Fills index and indexInt of a pair whose items have met. */
export function fillIndex(pair: GraphPair): void {
  const how = ruleSets[pair.rules].graph
  pair.index.fill(NaN)
  pair.indexInt.fill(0)
  if (pair.mode === 'structure' && !how.structureJudged) return
  const indexOf = how.levels && pair.mode !== 'structure' ? levelIndex(pair) : indices[pair.mode](pair)
  for (let node = 0; node < pair.debug.length; node++) if (hasRows(pair, node)) indexOf(node)
  rollUpGroups(pair)
}

const indices: Readonly<Record<GraphMode, (pair: GraphPair) => IndexOf>> = {
  structure: pair => node => set(pair, node, 0, true),
  statistics: statisticsIndex,
  tensor: tensorIndex,
  md5: md5Index,
}

const hasRows = (pair: GraphPair, node: NodeRow): boolean => {
  if (pair.matching.toBench[node] < 0) return false
  for (let [item, end] = rangeOf(pair.debugDump, pair.debug.op[node]); item < end; item++)
    if (pair.benchItem[item] !== notCompared) return true
  return false
}

/**
 * Largest relative error of the outputs' statistics; small values are judged by their absolute error where
 * the rules say so.
 */
function statisticsIndex(pair: GraphPair): IndexOf {
  const { debugDump, benchDump, benchItem, debug } = pair
  const { side } = itemSides(debugDump, pair.rules)
  const mine = statCells(debugDump)
  const theirs = statCells(benchDump)
  const smallOf = ruleSets[pair.rules].graph.smallValues ? smallValues(debugDump) : () => undefined
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
        if (!isNumeric(mine[s].kind[item]) || !isNumeric(theirs[s].kind[benchItem[item]])) continue
        const n = numberIn(mine[s], item, debugDump)
        const b = numberIn(theirs[s], benchItem[item], benchDump)
        if (rule && Math.abs(n) <= rule.bound) take(Math.abs(n - b) <= rule.allowed ? 0 : 1, true)
        else {
          const relative = relativeOf(differenceOf(pair, mine[s], item, theirs[s], benchItem[item]), b)
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
  const emptyShape = debugDump.texts.findPlain('[]')
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

/** 1 when all checksums agree, 0 when one differs. */
function md5Index(pair: GraphPair): IndexOf {
  const { debugDump, benchDump, benchItem, debug } = pair
  const { unjudged } = itemSides(debugDump, pair.rules)
  return node => {
    let same = true
    for (let [item, end] = rangeOf(debugDump, debug.op[node]); item < end && same; item++) {
      if (benchItem[item] === notCompared || unjudged.has(item)) continue
      same = benchItem[item] !== surplus && sameMd5(debugDump, item, benchDump, benchItem[item])
    }
    set(pair, node, same ? 1 : 0, true)
  }
}

function set(pair: GraphPair, node: NodeRow, value: number, int: boolean): void {
  pair.index[node] = value
  pair.indexInt[node] = int ? 1 : 0
}

/** Groups of free APIs show the worst of what they hold. */
function rollUpGroups(pair: GraphPair): void {
  const { debug } = pair
  const how = ruleSets[pair.rules].graph
  const bestIsOne = pair.mode === 'md5' && !how.levels
  for (let node = 0; node < debug.length; node++) {
    if (debug.kind[node] !== NodeKind.group || (pair.matching.toBench[node] < 0 && !how.loneGroups)) continue
    set(pair, node, bestIsOne ? 1 : 0, true)
    if (pair.mode === 'tensor' && how.groupsBeforeTensors) continue
    for (let i = debug.firstChild[node]; i < debug.firstChild[node + 1]; i++) {
      const child = debug.children[i]
      if (bestIsOne ? pair.index[child] < pair.index[node] : pair.index[child] > pair.index[node])
        set(pair, node, pair.index[child], pair.indexInt[child] === 1)
    }
  }
}
