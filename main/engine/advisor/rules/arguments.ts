// A value that is no tensor differs: epsilon, dimension, probability, mode.
import { rule } from './rule.ts'

export const argumentsRule = rule('arguments', ['debug', 'across', 'links'], ({ debug, across, links }) =>
  // Two frameworks give the same thing by other arguments.
  across
    ? null
    : {
        argument({ debug: op, item, differs }) {
          if (debug.leaf[op] === 0 || debug.kind[op] === 'communication') return null
          if (!differs) return 'pass'
          if (links.reshaped(op)) return null
          return { entry: { kind: 'argument', variant: '', facts: {} }, items: [item], spreads: false }
        },
      },
)
