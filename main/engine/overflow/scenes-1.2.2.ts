// Calls as msprobe 1.2.2 classifies them: its scenes, its levels, and which of them its filter leaves out.
import { isNumeric, numberIn } from '../measure/index.ts'
import { type Dump, type ItemRow, namedRow, type OpRow, State, usualGrowth } from '../model/index.ts'
import { placeOf, toleratedByMsprobe, toleranceKey, toleratedAt } from './tolerance.ts'
import { nonFinite } from './values.ts'

export const msprobeScenes = {
  entered: { scene: 'InputNormalOutputAnomalyScene', level: 'critical' },
  passed: { scene: 'InputAnomalyOutputAnomalyScene', level: 'high' },
  absorbed: { scene: 'InputAnomalyOutputNormalScene', level: 'medium' },
  growth: { scene: 'NumericalMutationScene', level: 'high' },
} as const

export interface MsprobeClass {
  readonly scene: keyof typeof msprobeScenes
  /** No rule of tolerated places matched the call. */
  readonly kept: boolean
}

/** Class of one call; null for one without anything. */
export function msprobeClasses(dump: Dump): (op: OpRow) => MsprobeClass | null {
  const isBad = nonFinite(dump)
  const { items } = dump
  const bad = (item: ItemRow): boolean =>
    items.tensor[item] === 1 && (isBad(items.max, item) || isBad(items.min, item) || isBad(items.mean, item))
  return op => classOf(dump, op, bad)
}

function classOf(dump: Dump, op: OpRow, bad: (item: ItemRow) => boolean): MsprobeClass | null {
  const { items, ops, texts } = dump
  const name = texts.get(ops.name[op])
  const rule = namedRow(toleratedByMsprobe, toleranceKey(name))
  let badInput = false
  let badOutput = false
  // A rule matches where all that is bad, of the parts that it names, is tolerated.
  let matches = rule !== undefined
  let inNorm = NaN
  let outNorm = NaN
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
    const state = items.state[item]
    if (state !== State.input && state !== State.output) continue
    const output = state === State.output
    if (bad(item)) {
      if (output) badOutput = true
      else badInput = true
      if (rule) {
        const at = toleratedAt(rule, output, placeOf(texts.get(items.name[item]), name))
        if (at.named && !at.tolerated) matches = false
      }
    }
    const norm = normOf(dump, item, name)
    if (Number.isNaN(norm)) continue
    if (output) outNorm = !(outNorm >= norm) ? norm : outNorm
    else inNorm = !(inNorm >= norm) ? norm : inNorm
  }
  const scene = sceneOf(badInput, badOutput, inNorm, outNorm)
  return scene && { scene, kept: !matches }
}

function sceneOf(
  badInput: boolean,
  badOutput: boolean,
  inNorm: number,
  outNorm: number,
): MsprobeClass['scene'] | null {
  if (badOutput) return badInput ? 'passed' : 'entered'
  if (badInput) return 'absorbed'
  if (Number.isNaN(inNorm) || Number.isNaN(outNorm)) return null
  return (inNorm === 0 ? outNorm : outNorm / inNorm) > usualGrowth ? 'growth' : null
}

/** Only of PyTorch tensors that stand directly in a part. */
function normOf(dump: Dump, item: ItemRow, opName: string): number {
  const { items, texts } = dump
  if (items.type[item] < 0 || !isNumeric(items.norm.kind[item])) return NaN
  if (texts.get(items.type[item]) !== 'torch.Tensor') return NaN
  const isNested = texts.get(items.name[item]).slice(opName.length).split('.').length > 3
  return isNested ? NaN : numberIn(items.norm, item, dump)
}
