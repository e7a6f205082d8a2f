// Products of float32 that a device made from inputs of fewer bits: told by making them in the same way.
import type { JudgedNote } from '../model/index.ts'
import type { NdArray } from './array.ts'
import type { Outcome } from './operation.ts'
import { floatFormat } from './rounding.ts'
import { fitsUnit, judge } from './verdict.ts'

const words = new DataView(new ArrayBuffer(4))

/** How bits at the end of a float32 are taken off. */
type Way = 'up' | 'even' | 'cut'

function shortened(x: number, bits: number, way: Way): number {
  if (!Number.isFinite(x)) return x
  words.setFloat32(0, x)
  const whole = words.getUint32(0)
  const half = 2 ** (bits - 1)
  const odd = Math.floor(whole / 2 ** bits) % 2
  const plus = { up: half, even: half - 1 + odd, cut: 0 }[way]
  words.setUint32(0, Math.floor((whole + plus) / 2 ** bits) * 2 ** bits)
  return words.getFloat32(0)
}

const kinds: readonly { readonly note: JudgedNote; readonly bits: number; readonly ways: readonly Way[] }[] =
  [
    { note: 'hf32', bits: 12, ways: ['up', 'even', 'cut'] },
    { note: 'tf32', bits: 13, ways: ['up', 'even', 'cut'] },
  ]

/** What is added to a product is not shortened. */
const added = new Set(['bias'])

/** The name of the lower precision that explains a result; '' where none does. */
export function lowPrecision(
  outcome: Outcome,
  stored: NdArray,
  again: (load: (values: NdArray, name: string) => NdArray) => Outcome | null,
): JudgedNote {
  const format = floatFormat(stored.dtype)
  if (format?.bits === 23) return shortInputs(outcome, stored, again) || lowSum(outcome, stored)
  return lowSum(outcome, stored)
}

/** A sum that was gathered in 16 bits: errors like those of a random walk. */
export function lowSum({ bound, ...outcome }: Outcome, stored: NdArray): JudgedNote {
  const format = floatFormat(stored.dtype)
  if (!format || bound.is !== 'sum') return ''
  const unit = Math.max(format.unit, bound.roughest ?? 0)
  const isShort = unit > 2 ** -23
  return isShort && fitsUnit({ bound, ...outcome }, stored, unit * Math.sqrt(bound.length))
    ? 'lowAccumulation'
    : ''
}

function shortInputs(
  outcome: Outcome,
  stored: NdArray,
  again: (load: (values: NdArray, name: string) => NdArray) => Outcome | null,
): JudgedNote {
  for (const { note, bits, ways } of kinds)
    for (const way of ways)
      for (const all of [true, false]) {
        const short = again((values, name) =>
          values.dtype === 'float32' && (all || !added.has(name))
            ? { ...values, data: values.data.map(x => shortened(x, bits, way)) }
            : values,
        )
        if (short && judge(short, stored).verdict !== 'error') return note
      }
  if (fitsUnit(outcome, stored, 2 ** -12)) return 'hf32'
  // A call of several products, made in 16 bits under autocast, and a sum of theirs in float32.
  const { bound } = outcome
  return bound.is === 'sum' && bound.stages && fitsUnit(outcome, stored, 2 ** -8) ? 'lowAccumulation' : ''
}
