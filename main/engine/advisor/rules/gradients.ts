// Gradients of parameters are results: they count only where the backward pass above them agrees, or where they
// differ by more than what their module was given.
import { Direction } from '../../pair/index.ts'
import { type DebugItem, type DebugOp, type NameCode, State } from '../../model/index.ts'
import { levelsOf } from '../expect.ts'
import { isFloat } from '../levels.ts'
import { rule, type Tables } from './rule.ts'

const needs = ['debug', 'bench', 'levels', 'noise', 'limits', 'expect'] as const
type Seen = Pick<Tables, (typeof needs)[number]>

export const gradientsRule = rule('gradients', needs, tables => {
  const given = lazily(() => givenTo(tables))
  return {
    gradient({ debug: op, item, differs, dirty }) {
      if (!differs) return 'pass'
      const { noise, limits } = tables
      if (noise.exact ? dirty : overNoise(tables, op, item, 2 * limits.gainSteep, given) <= 1) return 'pass'
      return {
        entry: { kind: 'origin', variant: 'gradient', facts: {} },
        items: [item],
        spreads: false,
        ...(noise.exact ? {} : { jump: 2 }),
      }
    },
  }
})

function overNoise(tables: Seen, op: DebugOp, item: DebugItem, gain: number, given: () => Given): number {
  const { debug, bench, levels, expect } = tables
  const forward = debug.forward[op]
  const usual =
    forward < 0
      ? 0
      : Math.max(
          expect.worstIn(forward),
          expect.worstOut(forward),
          given().error.get(debug.api[forward]) ?? 0,
        )
  // A bias before a norm or a softmax has a gradient of zero but for rounding: held against the largest
  // gradient of its module, and, as it is a sum of those, against what its module was given.
  const { ops, items } = debug.dump
  let largest = 0
  for (let k = ops.first[op]; k < ops.first[op + 1]; k++)
    if (levels.toBench[k] >= 0 && items.tensor[k] === 1)
      largest = Math.max(largest, bench.range[levels.toBench[k]])
  const range = bench.range[levels.toBench[item]]
  const summed = forward >= 0 && isSum(tables, op, item) ? (given().largest.get(debug.api[forward]) ?? 0) : 0
  const least = Math.max(0.01 * largest, summed)
  const shrink = range < least ? range / least : 1
  const [a, b, c] = levelsOf(levels, item)
  return expect.over(item, [a * shrink, b * shrink, c * shrink], [usual, usual, usual], gain, [a, b, c])
}

/** A gradient of a vector, as biases are: the sum of the gradients that its module was given. */
function isSum({ debug }: Seen, op: DebugOp, item: DebugItem): boolean {
  let largest = 0
  for (let k = debug.dump.ops.first[op]; k < debug.dump.ops.first[op + 1]; k++)
    largest = Math.max(largest, debug.numel[k])
  return debug.numel[item] < largest
}

/** What came into a module on the way back, over all its calls, by its name: the largest gradient, and the worst error. */
interface Given {
  readonly largest: ReadonlyMap<NameCode, number>
  readonly error: ReadonlyMap<NameCode, number>
}

function givenTo({ debug, bench, levels, expect }: Seen): Given {
  const { ops, items } = debug.dump
  const [largest, error] = [new Map<NameCode, number>(), new Map<NameCode, number>()]
  const raise = (of: Map<NameCode, number>, name: NameCode, value: number): void => {
    of.set(name, Math.max(of.get(name) ?? 0, value))
  }
  for (let op = 0; op < debug.api.length; op++) {
    const of = debug.direction[op] === Direction.backward ? debug.forward[op] : -1
    if (of < 0 || debug.module[op] === 0) continue
    raise(error, debug.api[of], expect.worstIn(op))
    for (let k = ops.first[op]; k < ops.first[op + 1]; k++)
      if (items.state[k] === State.input && levels.toBench[k] >= 0 && isFloat(debug, k))
        raise(largest, debug.api[of], bench.range[levels.toBench[k]])
  }
  return { largest, error }
}

function lazily<T extends object>(make: () => T): () => T {
  let made: T | null = null
  return () => (made ??= make())
}
