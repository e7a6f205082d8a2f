// What error an output may have: from what came in, from what is usual at this depth, from the precision, and from kinks on the way back.
import { State } from '../model.ts'
import { isFloat, Part, type Levels } from './levels.ts'
import type { Case } from './links.ts'
import { floorOf } from './noise.ts'
import { Direction } from './side.ts'

const parts = [Part.extremes, Part.norm, Part.elements] as const
export type Parts = [number, number, number]

export class Expectation {
  readonly #c: Case
  /** Per part and op: error of what came in and of what went out. */
  readonly in: readonly Float64Array[]
  readonly out: readonly Float64Array[]
  readonly #recent: Parts[] = []
  #usual: Parts = [0, 0, 0]
  #kinks = 0

  constructor(c: Case) {
    this.#c = c
    const n = c.debug.api.length
    this.in = parts.map(() => new Float64Array(n))
    this.out = parts.map(() => new Float64Array(n))
  }

  floor(i: number): number {
    const { debug, bench, levels, noise, limits } = this.#c
    if (noise.exact) return 0
    const j = levels.mate[i]
    return Math.max(noise.floor, floorOf(debug.precision[i], limits), j < 0 ? 0 : floorOf(bench.precision[j], limits))
  }

  /** An output's error has been seen: it counts for what is usual. */
  remember(level: Parts): void {
    this.#recent.push(level)
    if (this.#recent.length > this.#c.limits.window) this.#recent.shift()
    const middle = this.#recent.length >> 1
    for (const part of parts) this.#usual[part] = this.#recent.map(one => one[part]).sort((a, b) => a - b)[middle]
  }

  /** Gradients that pass relu or pooling go another way where two values were near: few elements, but as large as any. */
  passKink(d: number, floor: number): void {
    const { debug } = this.#c
    if (debug.direction[d] === Direction.forward) this.#kinks = 0
    else this.#kinks += 2 * Math.max(debug.forward[d] < 0 ? this.#usual[Part.extremes] : this.in[Part.extremes][debug.forward[d]], floor)
  }

  forget(): void { this.#kinks = 0 }

  /**
   * How far an item is above what may be expected of it: above 1 it stands out. `base`: error of what it was made from, null where that is
   * not known and unseen operations may have amplified it.
   */
  over(i: number, level: Parts, base: Parts | null, gain: number): number {
    const { debug, bench, levels } = this.#c
    const hidden = debug.direction[debug.dump.items.op[i]] === Direction.backward ? 2 * Math.sqrt(this.#kinks) : 0
    const floor = this.floor(i)
    const extremes = Math.max(base?.[Part.extremes] ?? 0, this.#usual[Part.extremes], floor)
    // Independent errors average out in a norm, the more elements it really rests on.
    const j = levels.mate[i]
    const carried = bench.dump.items.norm.value[j] / bench.range[j]
    const thin = base && Number.isFinite(carried) ? Math.max(1, carried) : 1
    const allowed: Parts = [
      Math.max(gain * extremes, hidden),
      gain * Math.max(base?.[Part.norm] ?? 0, this.#usual[Part.norm], 3 * Math.max(extremes, hidden / gain) / thin),
      Math.max(gain * Math.max(base?.[Part.elements] ?? 0, this.#usual[Part.elements], floor), hidden),
    ]
    let over = 0
    for (const part of parts) if (level[part] > 0) over = Math.max(over, level[part] / Math.max(allowed[part], Number.MIN_VALUE))
    return over
  }

  /** What the plot shows as the bound for an output of this op. */
  bound(d: number, gain: number): number {
    const { debug, noise } = this.#c
    if (noise.exact) return 0
    let floor = 0
    for (let i = debug.dump.ops.first[d]; i < debug.dump.ops.first[d + 1]; i++) if (isFloat(debug, i)) floor = Math.max(floor, this.floor(i))
    return gain * Math.max(this.in[Part.extremes][d], this.#usual[Part.extremes], floor)
  }
}

export function levelsOf(levels: Levels, i: number): Parts {
  return [levels.parts[Part.extremes][i], levels.parts[Part.norm][i], levels.parts[Part.elements][i]]
}

export function most(a: Parts, b: Parts): Parts {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.max(a[2], b[2])]
}

/** How much an op may amplify. */
export function gainOf(c: Case, d: number): number {
  const { debug, limits } = c
  const backward = debug.direction[d] === Direction.backward
  const kind = debug.kind[d]
  const steep = kind === 'steep' || kind === 'loss' || (backward && kind === 'norm')
  return backward ? (steep ? limits.gainSteep : limits.gainBackward) : steep ? limits.gainBackward : limits.gainForward
}

/** Errors of an output; a gradient that cancels out is held against what went in, not against what is left. */
export function scaled(c: Case, d: number, i: number): Parts {
  const { debug, bench, levels } = c
  const level = levelsOf(levels, i)
  if (debug.direction[d] !== Direction.backward) return level
  const { ops, items } = debug.dump
  let norm = 0
  for (let k = ops.first[d]; k < ops.first[d + 1]; k++) {
    if (items.state[k] === State.input && levels.mate[k] >= 0 && isFloat(debug, k)) norm = Math.max(norm, bench.dump.items.norm.value[levels.mate[k]])
  }
  const least = 0.5 * norm / Math.sqrt(Math.max(1, debug.numel[i]))
  const range = bench.range[levels.mate[i]]
  if (range >= least || !(least > 0)) return level
  return [level[0] * range / least, level[1] * range / least, level[2] * range / least]
}
