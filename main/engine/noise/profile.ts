// From the errors between twins to a profile: what each kind of call adds, and how much it amplifies.
import { Equal, Part } from '../measure/index.ts'
import {
  type DebugItem,
  type DebugOp,
  itemName,
  type NoiseClass,
  type NoiseItems,
  type NoiseProfile,
  State,
} from '../model/index.ts'
import { Direction, type DumpView, isFloatItem, SharedNames, viewSide } from '../pair/index.ts'
import { type CallErrors, callErrors, type Compared, type ItemErrors, itemErrors } from './errors.ts'
import { type CallKind, dtypeOf, keyOf, kindOfCall } from './kinds.ts'
import { percentilesOf } from './percentiles.ts'

/** Results around a call whose median error stands for the noise there: one look alone may be small by chance. */
const window = 12
/** A second look at the same noise passes the first by no more; from dumps of devices, not of one model. */
const leastMargin = 6
const mostMargin = 12

/** `named`: how the runs are called where the profile is shown; left out, by their files. */
export function profileOf(
  compared: Compared,
  named: Pick<NoiseProfile, 'debug' | 'bench'> = { debug: compared.debug.file, bench: compared.bench.file },
): NoiseProfile {
  const { debug, bench } = compared
  const view = viewSide(debug, new SharedNames())
  const errors = itemErrors(compared)
  const calls = callErrors(view, errors)
  const { classes, met, alike } = classesOf(view, errors, calls, item =>
    errors.toBench[item] < 0 ? '' : dtypeOf(bench, errors.toBench[item]),
  )
  const { items, margin } = smoothed(view, errors)
  return {
    ...named,
    framework: debug.header.framework,
    level: debug.header.level,
    calls: met,
    alike,
    classes,
    margin,
    items,
  }
}

interface Seen {
  readonly kind: CallKind
  readonly came: number[]
  readonly out: number[]
}

/** By kind, and by direction and dtype alone: for operations that another model has and this one has not. */
function classesOf(
  view: DumpView,
  errors: ItemErrors,
  { came, out }: CallErrors,
  benchDtype: (item: DebugItem) => string,
): { readonly classes: readonly NoiseClass[]; readonly met: number; readonly alike: number } {
  const seen = new Map<string, Seen>()
  const add = (kind: CallKind, op: DebugOp): void => {
    const key = keyOf(kind)
    const known = seen.get(key) ?? { kind, came: [], out: [] }
    seen.set(key, known)
    known.came.push(Number.isNaN(came[op]) ? 0 : came[op])
    known.out.push(out[op])
  }
  let [met, alike] = [0, 0]
  for (let op = 0; op < out.length; op++) {
    if (Number.isNaN(out[op])) continue
    met++
    if (allEqual(view, errors, op)) alike++
    const kind = kindOfCall(view, op, benchDtype)
    if (!kind) continue
    add(kind, op)
    if (view.leaf[op] === 1) add({ ...kind, op: '', length: 1 }, op)
  }
  return { classes: [...seen.values()].map(classOf).sort(bySize), met, alike }
}

const bySize = (a: NoiseClass, b: NoiseClass): number => b.calls - a.calls || a.op.localeCompare(b.op)

function classOf({ kind, came, out }: Seen): NoiseClass {
  const gain = percentilesOf(out.flatMap((error, k) => (came[k] > 0 ? [error / came[k]] : [])))
  const made = percentilesOf(out.map((error, k) => Math.max(0, error - (gain?.half ?? 0) * came[k])))
  return { ...kind, calls: out.length, made: made ?? none, gain }
}

const none = { half: 0, ninety: 0, most: 0, largest: 0 }

function allEqual({ dump: { ops, items } }: DumpView, { toBench, equal }: ItemErrors, op: DebugOp): boolean {
  for (let item = ops.first[op]; item < ops.first[op + 1]; item++)
    if (toBench[item] >= 0 && items.state[item] === State.output && equal[item] === Equal.no) return false
  return true
}

const parts = Object.values(Part)

/** Noise of each tensor: its own error, and at least what is usual for the results around it. */
function smoothed(
  view: DumpView,
  errors: ItemErrors,
): { readonly items: NoiseItems; readonly margin: number } {
  const { dump } = view
  const { ops, items } = dump
  const names: string[] = []
  const unequal: number[] = []
  const found: number[] = []
  const over: number[] = []
  for (const direction of Object.values(Direction)) {
    const own: DebugOp[] = []
    for (let op = 0; op < ops.length; op++) if (view.direction[op] === direction) own.push(op)
    const usual = new Usual(view, errors, own)
    for (const [place, op] of own.entries()) {
      const around = usual.around(place)
      for (let item = ops.first[op]; item < ops.first[op + 1]; item++) {
        if (errors.toBench[item] < 0 || items.tensor[item] !== 1) continue
        names.push(itemName(dump, item))
        unequal.push(errors.equal[item] === Equal.no ? 1 : 0)
        const isFloat = isFloatItem(view, item) && items.state[item] !== State.parameters
        for (const part of parts) {
          const error = errors.parts[part][item]
          found.push(isFloat ? Math.max(error, around[part]) : error)
        }
        if (isFloat && around[Part.extremes] > 0)
          over.push(errors.parts[Part.extremes][item] / around[Part.extremes])
      }
    }
  }
  const { most } = percentilesOf(over) ?? none
  return {
    items: { names, parts: Float32Array.from(found), unequal: Uint8Array.from(unequal) },
    margin: Math.min(mostMargin, Math.max(leastMargin, most)),
  }
}

/** The median error of results along the calls of one direction, by part. */
class Usual {
  readonly #levels: readonly (readonly number[])[]

  constructor(view: DumpView, errors: ItemErrors, ops: readonly DebugOp[]) {
    const { first } = view.dump.ops
    const { state } = view.dump.items
    this.#levels = parts.map(part =>
      ops.map(op => {
        let level = Number.NaN
        if (view.leaf[op] === 0 || view.kind[op] === 'view') return level
        for (let item = first[op]; item < first[op + 1]; item++)
          if (state[item] !== State.input && errors.toBench[item] >= 0 && isFloatItem(view, item))
            level = Math.max(Number.isNaN(level) ? 0 : level, errors.parts[part][item])
        return level
      }),
    )
  }

  around(place: number): readonly number[] {
    return this.#levels.map(levels => {
      const near = levels.slice(Math.max(0, place - window), place + window + 1).filter(level => level >= 0)
      return percentilesOf(near)?.half ?? 0
    })
  }
}
