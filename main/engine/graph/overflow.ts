// Overflow levels of one dump's nodes from its statistics: where NaN and Inf come from, pass through and end.
import { isNumeric, numberIn } from '../measure/index.ts'
import { ruleSets } from '../rules/index.ts'
import {
  type Column,
  type Dump,
  type ItemRow,
  Kind,
  type NodeRow,
  type OpRow,
  type Rules,
  State,
} from '../model/index.ts'
import type { Graph } from './graph.ts'
import { rangeOf } from './items.ts'
import { Overflow } from './pair.ts'

/** Norms may grow this often from inputs to outputs. */
const growthLimit = 100

/**
 * Places that hold whatever memory held: by API, which inputs, keyword inputs and outputs are not looked at.
 */
interface Tolerance {
  readonly inputs?: readonly number[]
  readonly keywords?: readonly string[]
  readonly outputs?: readonly number[]
}
const tolerated: Readonly<Record<string, Tolerance>> = {
  'torch.empty': { outputs: [0] },
  'torch.empty_like': { outputs: [0] },
  'torch.empty_strided': { outputs: [0] },
  'distributed.recv': { inputs: [0], keywords: ['tensor'] },
  'distributed.all_gather': { inputs: [0] },
  'distributed.reduce_scatter': { inputs: [0], keywords: ['output'] },
  'distributed._reduce_scatter_base': { inputs: [0] },
  'distributed.all_gather_into_tensor': { inputs: [0] },
  'distributed.reduce_scatter_tensor': { inputs: [0] },
  'tensor.masked_fill_': { inputs: [0] },
}

/** First place of an item inside its part: a position, or the name of a keyword. */
function placeOf(name: string, opName: string): { readonly position: number; readonly keyword: string } {
  const [, first = ''] =
    /^\.(?:input|kwargs|output|parameters)\.([^.]*)/.exec(name.slice(opName.length)) ?? []
  return /^\d+$/.test(first) ? { position: Number(first), keyword: '' } : { position: -1, keyword: first }
}

/** An infinite argument is meant; only tensors can overflow. */
const bad = (dump: Dump, item: ItemRow): boolean => {
  if (dump.items.tensor[item] !== 1) return false
  for (const cells of [dump.items.max, dump.items.min, dump.items.mean]) {
    if (cells.kind[item] === Kind.float && !Number.isFinite(cells.value[item])) return true
    if (cells.kind[item] === Kind.text && /^[+-]?(?:inf|nan)\t?$/i.test(dump.texts.get(cells.value[item])))
      return true
  }
  return false
}

/**
 * Level of each node by its own record. msprobe drops an op whose tolerated places are the only bad ones
 * among those that its rule names, even
 * when its output is bad too; our own rules treat the tolerated places as clean and judge the rest.
 */
export function overflowLevels(graph: Graph, dump: Dump, rules: Rules): Column<Uint8Array, NodeRow> {
  const levels = new Uint8Array(graph.length)
  const ours = !ruleSets[rules].graph.wholeCallTolerated
  for (let node = 0; node < graph.length; node++) {
    const op = graph.op[node]
    if (op >= 0) levels[node] = levelOf(dump, op, ours)
  }
  return levels
}

function levelOf(dump: Dump, op: OpRow, ours: boolean): Overflow {
  const name = dump.texts.get(dump.ops.name[op])
  const tolerance = tolerated[name.split('.', 2).join('.').toLowerCase()]
  const badPlaces: { readonly output: boolean; readonly tolerated: boolean; readonly named: boolean }[] = []
  let inNorm = NaN
  let outNorm = NaN
  for (let [item, end] = rangeOf(dump, op); item < end; item++) {
    const state = dump.items.state[item]
    if (state !== State.input && state !== State.output) continue
    const output = state === State.output
    const place = placeOf(dump.texts.get(dump.items.name[item]), name)
    if (bad(dump, item)) {
      const positions = output ? tolerance?.outputs : tolerance?.inputs
      const keywords = place.keyword ? tolerance?.keywords : undefined
      badPlaces.push({
        output,
        named: (place.keyword && !output ? keywords : positions) !== undefined,
        tolerated:
          (place.keyword ? keywords?.includes(place.keyword) : positions?.includes(place.position)) === true,
      })
    }
    if (!examined(dump, item, name, ours) || !isNumeric(dump.items.norm.kind[item])) continue
    const norm = numberIn(dump.items.norm, item, dump)
    if (Number.isNaN(norm)) continue
    if (output) outNorm = !(outNorm >= norm) ? norm : outNorm
    else inNorm = !(inNorm >= norm) ? norm : inNorm
  }
  const counted = ours ? badPlaces.filter(place => !place.tolerated) : badPlaces
  if (!ours && tolerance && badPlaces.every(place => place.tolerated || !place.named)) return Overflow.none
  const badInput = counted.some(place => !place.output)
  const badOutput = counted.some(place => place.output)
  if (badOutput) return badInput ? Overflow.high : Overflow.critical
  if (badInput) return Overflow.medium
  if (Number.isNaN(inNorm) || Number.isNaN(outNorm)) return Overflow.none
  return (inNorm === 0 ? outNorm : outNorm / inNorm) > growthLimit ? Overflow.high : Overflow.none
}

/** Whose norms count: msprobe takes PyTorch tensors that stand directly in a part. */
function examined(dump: Dump, item: ItemRow, opName: string, ours: boolean): boolean {
  const type = dump.items.type[item]
  if (type < 0) return false
  if (ours) return dump.items.tensor[item] === 1
  const nested = dump.texts.get(dump.items.name[item]).slice(opName.length).split('.').length > 3
  return !nested && dump.texts.get(type) === 'torch.Tensor'
}
