// A result is a tensor on one side and nothing on the other: a gradient that flows on one side only.
import { rule } from './rule.ts'

export const missingRule = rule('missing-results', ['debug', 'across'], ({ debug, across }) =>
  across
    ? null
    : {
        outputs: ({ oneSided }) =>
          oneSided.length === 0
            ? 'pass'
            : oneSided.map(item => ({
                entry: {
                  kind: 'origin',
                  variant: 'missing',
                  facts: { missing: debug.dump.items.tensor[item] === 1 ? 'bench' : 'debug' },
                },
                items: [item],
                spreads: false,
              })),
      },
)
