// overflow_check --classes: every call of one dump that shows something, in its order.
import { opName, usualGrowth } from '../../../model/index.ts'
import { levels, msprobeClasses, msprobeScenes, sceneNames, scenesOf } from '../../../overflow/index.ts'
import { openOne } from '../one-dump.ts'
import type { Tools } from '../tools.ts'
import type { Given } from '../verb.ts'
import type { OverflowCheckFlags } from './index.ts'

export interface Classed {
  readonly api: string
  readonly scene: string
  readonly level: string
  /** No rule of tolerated places leaves it out; our own classes leave nothing out. */
  readonly kept_after_filter: boolean
  /** The item that decided. */
  readonly item?: string
}

export async function classesOf(
  path: string,
  { rules, growth }: Given<OverflowCheckFlags>,
  tools: Tools,
): Promise<readonly Classed[]> {
  const dump = await openOne(path, tools)
  const found: Classed[] = []
  if (rules !== undefined && rules !== 'plumbline') {
    const classOf = msprobeClasses(dump)
    for (let op = 0; op < dump.ops.length; op++) {
      const one = classOf(op)
      if (one) found.push({ api: opName(dump, op), ...msprobeScenes[one.scene], kept_after_filter: one.kept })
    }
    return found
  }
  const { scene, trigger } = scenesOf(dump, growth ?? usualGrowth)
  for (let op = 0; op < dump.ops.length; op++) {
    if (scene[op] === 0) continue
    found.push({
      api: opName(dump, op),
      scene: sceneNames[scene[op]],
      level: levels[scene[op]],
      kept_after_filter: true,
      ...(trigger[op] >= 0 && { item: dump.texts.get(dump.items.name[trigger[op]]) }),
    })
  }
  return found
}
