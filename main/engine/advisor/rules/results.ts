// Calls whose inputs agree and whose result stands out, by what kind of call it is and what came out.
import type { RuleName } from '../../model/index.ts'
import { type Entered, type OutputsSeen, rule, type Rule, type Tables } from './rule.ts'

type Sides = Pick<Tables, 'debug'>

/** One rule per kind of result: `about` says which are its own, `entry` how the difference enters there. */
export const resultRule = (
  name: RuleName,
  about: (tables: Sides, seen: OutputsSeen) => boolean,
  entry: (seen: OutputsSeen) => Entered['entry'],
): Rule =>
  rule(name, ['debug'], tables => ({
    outputs(seen) {
      if (!about(tables, seen)) return null
      if (!seen.enters) return 'pass'
      const { hit, exact, jump } = seen
      return { entry: entry(seen), items: hit, ...(exact ? {} : { jump }) }
    },
  }))
