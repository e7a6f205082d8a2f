// Made here or arrived here: the error that a call got, what it is known to make of it, and what it added itself.
import {
  type Column,
  type DebugOp,
  type Made,
  type MadeBy,
  madeWays,
  type GainFrom,
  gainSources,
  type NameCode,
  type NodeMade,
  opName,
} from '../model/index.ts'
import { Direction, type DumpView } from '../pair/index.ts'
import { type CallErrors, callErrors, type ItemErrors } from './errors.ts'
import type { KnownNoise } from './known.ts'
import { percentilesOf } from './percentiles.ts'

/** By debug op; NaN where nothing is known. */
export interface MadeColumns {
  readonly arrived: Column<Float64Array, DebugOp>
  readonly out: Column<Float64Array, DebugOp>
  readonly made: Column<Float64Array, DebugOp>
  /** Error of the result for each unit of error that arrived, as such calls usually have it. */
  readonly gain: Column<Float64Array, DebugOp>
  /** Places among `gainSources` and `madeWays`. */
  readonly gainFrom: Column<Uint8Array, DebugOp>
  readonly way: Column<Uint8Array, DebugOp>
}

/** Fewer calls of a kind say little of what is usual for it. */
const fewCalls = 3
/** An amplifier makes at least so much of what arrived. */
const amplifies = 2

export function madeOf(view: DumpView, errors: ItemErrors, noise: KnownNoise | null): MadeColumns {
  const calls = callErrors(view, errors)
  const { came, out } = calls
  const count = out.length
  const layers = gainOfLayers(view, calls)
  const made = new Float64Array(count).fill(Number.NaN)
  const gain = new Float64Array(count).fill(Number.NaN)
  const gainFrom = new Uint8Array(count)
  const way = new Uint8Array(count)
  for (let op = 0; op < count; op++) {
    if (Number.isNaN(out[op])) continue
    const arrived = Number.isNaN(came[op]) ? 0 : came[op]
    const usual = usualGain(view, op, layers, noise)
    gain[op] = usual.gain
    gainFrom[op] = gainSources.indexOf(usual.from)
    made[op] = Math.max(0, out[op] - usual.gain * arrived)
    way[op] = madeWays.indexOf(wayOf(arrived, out[op], made[op]))
  }
  return { arrived: came, out, made, gain, gainFrom, way }
}

export function nothingMade({ api: { length } }: DumpView): MadeColumns {
  const unknown = new Float64Array(length).fill(Number.NaN)
  const none = new Uint8Array(length)
  return { arrived: unknown, out: unknown, made: unknown, gain: unknown, gainFrom: none, way: none }
}

export function madeAt(columns: MadeColumns, op: DebugOp): Made | null {
  const out = columns.out[op]
  if (!(out >= 0)) return null
  return {
    arrived: Number.isNaN(columns.arrived[op]) ? 0 : columns.arrived[op],
    made: columns.made[op],
    out,
    gain: columns.gain[op],
    gainFrom: gainSources[columns.gainFrom[op]],
    way: madeWays[columns.way[op]],
  }
}

function wayOf(arrived: number, out: number, made: number): MadeBy {
  if (out === 0) return arrived > 0 ? 'damps' : 'none'
  if (made > out / 2) return 'makes'
  if (out > amplifies * arrived) return 'amplifies'
  return out < arrived / amplifies ? 'damps' : 'hands-on'
}

/** What such calls make of an error: of twins, else of the calls of the same kind in this pair, else nothing. */
function usualGain(
  view: DumpView,
  op: DebugOp,
  layers: ReadonlyMap<number, number>,
  noise: KnownNoise | null,
): { readonly gain: number; readonly from: GainFrom } {
  const known = noise?.classOf(op)?.gain
  if (known) return { gain: known.half, from: 'noise' }
  const layer = layers.get(keyOfLayer(view, op))
  return layer === undefined ? { gain: 1, from: 'none' } : { gain: layer, from: 'layers' }
}

const keyOfLayer = (view: DumpView, op: DebugOp): number =>
  2 * kindOfLayer(view, op) + (view.direction[op] === Direction.backward ? 1 : 0)

/** Modules are of a kind by their class, calls by their name. */
function kindOfLayer(view: DumpView, op: DebugOp): NameCode {
  const api = view.names.text(view.api[op])
  return view.module[op] === 1 ? view.names.code(`.${api.slice(api.lastIndexOf('.') + 1)}`) : view.api[op]
}

function gainOfLayers(view: DumpView, { came, out }: CallErrors): ReadonlyMap<number, number> {
  const seen = new Map<number, number[]>()
  for (let op = 0; op < out.length; op++) {
    if (!(came[op] > 0) || Number.isNaN(out[op]) || view.direction[op] === Direction.gradients) continue
    const key = keyOfLayer(view, op)
    const ratios = seen.get(key)
    if (ratios) ratios.push(out[op] / came[op])
    else seen.set(key, [out[op] / came[op]])
  }
  const found = new Map<number, number>()
  for (const [key, ratios] of seen)
    if (ratios.length >= fewCalls) found.set(key, percentilesOf(ratios)?.half ?? 1)
  return found
}

/** So many calls are told of. */
const mostTold = 12

/** Who makes the largest errors, and who makes the most of what arrives; modules are told by the calls in them. */
export function mostOf(
  view: DumpView,
  columns: MadeColumns,
): { readonly makers: readonly NodeMade[]; readonly amplifiers: readonly NodeMade[] } {
  const told = (way: MadeBy, by: (op: DebugOp) => number): readonly NodeMade[] => {
    const ops: DebugOp[] = []
    for (let op = 0; op < columns.out.length; op++)
      if (view.leaf[op] === 1 && madeWays[columns.way[op]] === way) ops.push(op)
    return ops
      .sort((a, b) => by(b) - by(a))
      .slice(0, mostTold)
      .flatMap(op => {
        const made = madeAt(columns, op)
        return made ? [{ ...made, node: opName(view.dump, op) }] : []
      })
  }
  return {
    makers: told('makes', op => columns.made[op]),
    amplifiers: told('amplifies', op => columns.out[op] - columns.arrived[op]),
  }
}
