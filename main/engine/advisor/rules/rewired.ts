// A call reads the result of another call than on the other side.
import { opName } from '../../model/index.ts'
import { rule } from './rule.ts'

export const rewiredRule = rule('rewired', ['debug', 'bench'], ({ debug, bench }) => ({
  input({ isData, differs, broken, stands, meeting }) {
    if (!isData || !meeting.known) return null
    if (!differs) return 'pass'
    const { made, benchMade, lone, met } = meeting
    if (lone || made < 0 || benchMade < 0) return null
    if (met || !(broken || stands)) return 'pass'
    return {
      entry: {
        kind: 'hidden-producer',
        variant: 'rewired',
        facts: {
          from: opName(debug.dump, debug.dump.items.op[made]),
          benchFrom: opName(bench.dump, bench.dump.items.op[benchMade]),
        },
      },
    }
  },
}))
