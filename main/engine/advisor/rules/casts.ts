// A tensor is of another type on one side: that side works in another precision from here.
import type { DebugItem, Entry } from '../../model/index.ts'
import { textOf } from '../evidence.ts'
import { Difference } from '../levels.ts'
import { Direction } from '../../pair/index.ts'
import { State } from '../../model/index.ts'
import { rule } from './rule.ts'

export const castsRule = rule(
  'casts',
  ['debug', 'bench', 'levels', 'links', 'across', 'castRun'],
  ({ debug, bench, levels, links, across, castRun }) => {
    if (castRun) return null
    /** Works in another precision: both are named. */
    const entry = (item: DebugItem): Entry<'precision'> => ({
      kind: 'precision',
      variant: '',
      facts: { debug: textOf(debug, item, 'dtype'), bench: textOf(bench, levels.toBench[item], 'dtype') },
    })
    const unlike = (item: DebugItem): boolean => (levels.differs[item] & Difference.dtype) !== 0
    const before = (op: number, dirty: boolean): boolean => {
      for (let i = debug.dump.ops.first[op]; i < debug.dump.ops.first[op + 1]; i++)
        if (debug.dump.items.state[i] !== State.output && unlike(i)) return true
      return debug.direction[op] === Direction.backward || (across && dirty)
    }
    return {
      input({ item, isData, entering }) {
        if (!isData || entering) return null
        // The cast itself is rarely dumped: the tensor changed before it was read, and this is why.
        return unlike(item) && links.freshCast(item) ? { entry: entry(item) } : 'pass'
      },
      outputs({ debug: op, cast, dirty }) {
        return cast >= 0 && !before(op, dirty) ? { entry: entry(cast), items: [cast] } : null
      },
    }
  },
)
