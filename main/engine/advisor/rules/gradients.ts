// Gradients of parameters are results: they count only where the backward pass above them agrees, or where they
// differ by more than what their module was given.
import type { DebugItem, DebugOp } from '../../model/index.ts'
import { levelsOf } from '../expect.ts'
import { Given } from '../given.ts'
import { rule, type Tables } from './rule.ts'

const needs = ['debug', 'bench', 'levels', 'noise', 'limits', 'expect'] as const
type Seen = Pick<Tables, (typeof needs)[number]>

export const gradientsRule = rule('gradients', needs, tables => {
  let found: Given | null = null
  const given = (): Given => (found ??= new Given(tables))
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

function overNoise(
  { debug, levels, expect }: Seen,
  op: DebugOp,
  item: DebugItem,
  gain: number,
  given: () => Given,
): number {
  const forward = debug.forward[op]
  const usual =
    forward < 0 ? 0 : Math.max(expect.worstIn(forward), expect.worstOut(forward), given().error(op))
  const share = given().share(op, item)
  const [a, b, c] = levelsOf(levels, item)
  return expect.over(item, [a * share, b * share, c * share], [usual, usual, usual], gain, [a, b, c])
}
