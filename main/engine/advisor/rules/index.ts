// The rules in the order in which they are asked. To add one: its file, a line here, its name in the model's
// `ruleNames`, and its words in both languages.
import { argumentsRule } from './arguments.ts'
import { callsRule } from './calls.ts'
import { castsRule } from './casts.ts'
import { collectivesRule } from './collectives.ts'
import { furtherRule } from './further.ts'
import { gradientsRule } from './gradients.ts'
import { inputsRule } from './inputs.ts'
import { lawsRule } from './laws.ts'
import { missingRule } from './missing.ts'
import { modulesRule } from './modules.ts'
import { nanRule } from './nan.ts'
import { originsRule } from './origins.ts'
import { overwrittenRule } from './overwritten.ts'
import { rewiredRule } from './rewired.ts'
import { roundedRule } from './rounded.ts'
import type { Rule } from './rule.ts'
import { scalesRule } from './scales.ts'
import { uncoveredRule } from './uncovered.ts'
import { weightsRule } from './weights.ts'

export const rules: readonly Rule[] = [
  weightsRule,
  argumentsRule,
  castsRule,
  callsRule,
  rewiredRule,
  overwrittenRule,
  inputsRule,
  uncoveredRule,
  missingRule,
  nanRule,
  collectivesRule,
  lawsRule,
  scalesRule,
  roundedRule,
  originsRule,
  modulesRule,
  furtherRule,
  gradientsRule,
]
export { RuleBook, stateOf } from './book.ts'
export type { Tables } from './rule.ts'
