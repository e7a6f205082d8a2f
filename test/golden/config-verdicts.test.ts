// What msprobe 1.0.4, 1.2.2 and 26.2.0 did with generated configurations: whether they raised, which keys they never
// asked for, and what they understood. MindSpore's own packages were stand-ins; msprobe's code was not.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { checkConfig } from '../../main/engine/collect/index.ts'
import type { CollectTarget } from '../../main/engine/model/index.ts'
import { fixturesRoot } from '../support/fixtures.ts'

interface Verdict extends CollectTarget {
  readonly text: string
  /** Where it raised. */
  readonly raises: 'construct' | 'start' | null
  readonly ignored?: readonly string[]
  readonly effect?: {
    readonly task: string
    readonly level: string
    readonly step: readonly number[]
    readonly rank: readonly number[]
  }
}

const file = path.join(fixturesRoot(), 'collect', 'config-verdicts.jsonl')
const verdicts = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as Verdict)

const numbers = (ranges: readonly (readonly [number, number])[]): number[] =>
  ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i))

it.each(['1.0', '1.2', '26'] as const)('msprobe %s raises, ignores and understands the same', version => {
  const cases = verdicts.filter(one => one.version === version)
  expect(cases.length).toBeGreaterThan(4000)
  const unlike: unknown[] = []
  for (const { mode, text, raises, ignored, effect } of cases) {
    const check = checkConfig(text, { version, mode })
    const mine = {
      raises: check.diagnostics.some(one => one.severity === 'error'),
      ...(ignored && { ignored: check.ignored.toSorted() }),
      ...(effect && {
        effect: {
          task: check.effect?.task,
          level: check.effect?.level,
          step: numbers(check.effect?.step ?? []),
          rank: numbers(check.effect?.rank ?? []),
        },
      }),
    }
    const theirs = {
      raises: raises !== null,
      ...(ignored && { ignored: ignored.toSorted() }),
      ...(effect && { effect }),
    }
    if (JSON.stringify(mine) !== JSON.stringify(theirs)) unlike.push({ mode, text, mine, theirs })
  }
  expect(unlike).toEqual([])
})

it('says why whenever it says that the tool stops, and gives an effect otherwise', () => {
  for (const { version, mode, text } of verdicts) {
    const { diagnostics, effect } = checkConfig(text, { version, mode })
    expect(effect === null).toBe(diagnostics.some(one => one.severity === 'error'))
    for (const { from, to } of diagnostics) {
      expect(from).toBeGreaterThanOrEqual(0)
      expect(to).toBeGreaterThanOrEqual(from)
      expect(to).toBeLessThanOrEqual(Math.max(1, text.length))
    }
  }
})
