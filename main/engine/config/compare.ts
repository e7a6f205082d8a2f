// Compares two packages of configuration, part by part, and puts on top what matters most.
import { isObject, type JsonObject } from '../json/index.ts'
import { problem, type Problem, Refusal, type Rules, type SetupFinding } from '../model/index.ts'
import { ruleSets } from '../rules/index.ts'
import { compareEnvironment } from './environment.ts'
import { compareHyperparameters } from './hyperparameters.ts'
import type { ConfigPackage } from './package.ts'
import { comparePip } from './pip.ts'
import { compareRandom } from './random-calls.ts'
import { compareDataset, compareWeights, type Reading } from './statistics.ts'
import {
  type Compared,
  type ConfigPart,
  configParts,
  finding,
  type Level,
  type PartResult,
  worst,
} from './types.ts'

const comparers: Readonly<Record<ConfigPart, (reading: Reading) => PartResult>> = {
  env: ({ bench, debug, exact }) => compareEnvironment(variablesIn(bench), variablesIn(debug), { exact }),
  pip: ({ bench, debug, exact }) => comparePip(bench.text('pip'), debug.text('pip'), exact),
  dataset: compareDataset,
  weights: compareWeights,
  hyperparameters: ({ bench, debug, exact }) => compareHyperparameters(bench, debug, exact),
  random: ({ bench, debug }) => compareRandom(bench, debug),
}

function variablesIn(side: ConfigPackage): JsonObject {
  const value = side.json('env')
  if (!isObject(value)) throw new Refusal(problem('config-no-object', `${side.path}/env`))
  return value
}

/** What decides most comes first: with other weights or other data nothing else has to be looked at. */
const weightiest: readonly string[] = ['weights', 'dataset', 'hyperparameters', 'random', 'env', 'pip']
const levels: readonly Level[] = ['error', 'warning', 'note']

export interface ConfigSides {
  readonly bench: ConfigPackage
  readonly debug: ConfigPackage
  readonly rules: Rules
  tell(found: Problem): void
}

export function compareConfigs({ bench, debug, rules, tell }: ConfigSides): Compared {
  const exact = !ruleSets[rules].deviates['config-meaning']
  const parts: PartResult[] = []
  const findings: SetupFinding[] = []
  for (const part of configParts) {
    const [mine, theirs] = [bench.has(part), debug.has(part)]
    if (mine && theirs) {
      const result = readable(part, { bench, debug, exact, tell }, findings)
      if (result) parts.push(result)
    } else if (mine || theirs)
      findings.push(finding(part, 'warning', 'part-alone', { side: mine ? 'bench' : 'debug', name: part }))
  }
  findings.push(...parts.flatMap(result => result.findings))
  if (!exact && parts.length === 0 && findings.length === 0)
    throw new Refusal(problem('config-nothing', debug.path))
  return {
    rules,
    verdict: worst([
      ...parts.map(({ verdict }) => verdict),
      ...(exact ? [] : findings.map(({ level }) => level)),
    ]),
    parts,
    findings: findings.toSorted(
      (a, b) =>
        levels.indexOf(a.level) - levels.indexOf(b.level) ||
        weightiest.indexOf(a.part) - weightiest.indexOf(b.part),
    ),
  }
}

/** A part that cannot be read stops msprobe; here it is said and the others go on. */
function readable(part: ConfigPart, reading: Reading, findings: SetupFinding[]): PartResult | null {
  try {
    return comparers[part](reading)
  } catch (error) {
    if (reading.exact || !(error instanceof Refusal)) throw error
    reading.tell({ ...error.problem, severity: 'warning' })
    findings.push(finding(part, 'error', 'part-unreadable', { name: part }))
    return null
  }
}
