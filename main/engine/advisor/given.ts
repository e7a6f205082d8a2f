// What came into a module on the way back, over all its calls: gradients of its parameters are made of that.
import { type DebugItem, type DebugOp, type NameCode, State } from '../model/index.ts'
import type { Expectation } from './expect.ts'
import { backwardOf, halvesOf } from './halves.ts'
import { isFloat } from './levels.ts'
import type { Case } from './links.ts'

type Seen = Pick<Case, 'debug' | 'bench' | 'levels'> & { readonly expect: Expectation }

export class Given {
  readonly #seen: Seen
  readonly #halves
  /** By the name of a module: the largest gradient, and the worst error. */
  readonly #largest = new Map<NameCode, number>()
  readonly #error = new Map<NameCode, number>()

  constructor(seen: Seen) {
    this.#seen = seen
    const { debug, bench, levels, expect } = seen
    const { ops, items } = debug.dump
    this.#halves = backwardOf(debug)
    const raise = (of: Map<NameCode, number>, name: NameCode, value: number): void => {
      of.set(name, Math.max(of.get(name) ?? 0, value))
    }
    for (const [name, calls] of this.#halves)
      for (const op of calls) {
        raise(this.#error, name, expect.worstIn(op))
        for (let k = ops.first[op]; k < ops.first[op + 1]; k++)
          if (items.state[k] === State.input && levels.toBench[k] >= 0 && isFloat(debug, k))
            raise(this.#largest, name, bench.range[levels.toBench[k]])
      }
  }

  /** Calls on the way back of the module that a row of gradients is about. */
  calls(gradients: DebugOp): readonly DebugOp[] {
    return halvesOf(this.#seen.debug, this.#halves, gradients)
  }

  /** Worst error of what came in. */
  error(gradients: DebugOp): number {
    return this.#of(this.#error, gradients)
  }

  /**
   * What is left of a gradient as a share of what it is held against: a bias before a norm or a softmax has a gradient of zero but
   * for rounding, so that it counts by the largest gradient of its module and, as it is a sum of those, by what its module was given.
   */
  share(gradients: DebugOp, item: DebugItem): number {
    const { debug, bench, levels } = this.#seen
    const { ops, items } = debug.dump
    let [largest, longest] = [0, 0]
    for (let k = ops.first[gradients]; k < ops.first[gradients + 1]; k++) {
      longest = Math.max(longest, debug.numel[k])
      if (levels.toBench[k] >= 0 && items.tensor[k] === 1)
        largest = Math.max(largest, bench.range[levels.toBench[k]])
    }
    const range = bench.range[levels.toBench[item]]
    const summed = debug.numel[item] < longest ? this.#of(this.#largest, gradients) : 0
    const least = Math.max(0.01 * largest, summed)
    return range < least ? range / least : 1
  }

  #of(values: ReadonlyMap<NameCode, number>, gradients: DebugOp): number {
    const { forward, api } = this.#seen.debug
    const module = forward[gradients]
    return module < 0 ? 0 : (values.get(api[module]) ?? 0)
  }
}
