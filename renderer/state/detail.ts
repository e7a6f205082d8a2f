// The question for everything about a node: asked as soon as the node is selected, answered to whoever shows
// it.
import type { NodeDetail, NodeRef } from '../../preload/contract/engine.ts'
import { engine } from '../engine.ts'
import type { Query } from './query.ts'
import { place, stamp, type Workbench } from './workbench.ts'

export const detailKey = (s: Workbench, at: NodeRef): string =>
  JSON.stringify([stamp(s, 'dumps', 'pairs', 'metrics', 'states', 'graph'), at.debug, at.bench])

export function detailOf(s: Workbench, at: NodeRef): Query<NodeDetail> {
  const here = place(s)
  return {
    key: here && ['node', detailKey(s, at)],
    load: signal =>
      here ? engine.node({ ...here, at }, signal) : Promise.reject(new Error('nothing is open')),
    keep: true,
  }
}
