// Overflow levels of one dump's nodes: where NaN and Inf come from, pass through and end.
import type { Column, Dump, ItemRow, NodeRow, OpRow, Rules } from '../model/index.ts'
import { Finding, findingsIn, msprobeClasses, Scene, scenesOf } from '../overflow/index.ts'
import { ruleSets } from '../rules/index.ts'
import type { Graph } from './graph.ts'
import { worst } from './colors.ts'
import { Overflow } from './pair.ts'
import { noError, type TensorError } from './tensor-error.ts'

/** By scene; what stands at the end of its type is only a suspicion. */
const ofScene: Readonly<Record<Scene, Overflow>> = {
  [Scene.clean]: Overflow.none,
  [Scene.statistic]: Overflow.none,
  [Scene.absorbed]: Overflow.medium,
  [Scene.growth]: Overflow.high,
  [Scene.saturated]: Overflow.high,
  [Scene.passed]: Overflow.high,
  [Scene.entered]: Overflow.critical,
}
const ofClass = {
  absorbed: Overflow.medium,
  growth: Overflow.high,
  passed: Overflow.high,
  entered: Overflow.critical,
} as const

/** Tensors that are not finite, as the colours of errors have it. */
export function overflowError(dump: Dump): (item: ItemRow) => TensorError {
  const findingOf = findingsIn(dump)
  return item => (findingOf(item) === Finding.values ? { bucket: worst, level: NaN } : noError)
}

/** Level of each node by its own record. Our own rules treat tolerated places as clean; msprobe drops the call. */
export function overflowLevels(graph: Graph, dump: Dump, rules: Rules): Column<Uint8Array, NodeRow> {
  const levels = new Uint8Array(graph.length)
  const levelOf = ruleSets[rules].graph.wholeCallTolerated ? msprobeLevels(dump) : ourLevels(dump)
  for (let node = 0; node < graph.length; node++) {
    const op = graph.op[node]
    if (op >= 0) levels[node] = levelOf(op)
  }
  return levels
}

function msprobeLevels(dump: Dump): (op: OpRow) => Overflow {
  const classOf = msprobeClasses(dump)
  return op => {
    const found = classOf(op)
    return found?.kept === true ? ofClass[found.scene] : Overflow.none
  }
}

function ourLevels(dump: Dump): (op: OpRow) => Overflow {
  const { scene } = scenesOf(dump)
  return op => ofScene[scene[op] as Scene]
}
