// The model was given something else: data, order, mask, constant.
import { Direction, Precision } from '../../pair/index.ts'
import { madeBefore, mayBeMade } from '../sources.ts'
import { type Entered, rule } from './rule.ts'

const otherInput = (variant: 'data' | 'constant'): Entered['entry'] => ({
  kind: 'different-input',
  variant,
  facts: {},
})

export const inputsRule = rule(
  'inputs',
  ['debug', 'levels', 'noise', 'links', 'expect', 'limits'],
  tables => {
    // Between modules alone anything may have been done to what they are given.
    const apis = tables.debug.module.includes(0)
    return {
      input({ debug: op, item, isData, differs, stands, meeting, dirty }) {
        const { debug, links } = tables
        if (!isData || meeting.known || debug.direction[op] === Direction.backward) return null
        if (!differs) return 'pass'
        if (!stands) return 'pass'
        if (links.isGiven(item) || (apis && links.isRootInput(item))) return { entry: otherInput('data') }
        const index = debug.precision[item] === Precision.whole && debug.kind[op] !== 'view'
        if (index) return { entry: otherInput('data'), ...mayBeMade(tables, item) }
        if (dirty || madeBefore(debug, op)) return null
        return { entry: otherInput(debug.numel[item] > 1 ? 'data' : 'constant'), ...mayBeMade(tables, item) }
      },
    }
  },
)
