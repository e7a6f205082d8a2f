// What this rank gave agrees, what came back from the others does not.
import { resultRule } from './results.ts'

export const collectivesRule = resultRule(
  'collectives',
  ({ debug }, { debug: op }) => debug.kind[op] === 'communication',
  ({ nonFinite }) =>
    nonFinite
      ? { kind: 'communication', variant: 'nan', facts: {} }
      : { kind: 'communication', variant: '', facts: {} },
)
