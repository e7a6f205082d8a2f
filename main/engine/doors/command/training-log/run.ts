// training_log: loss and gradient norm out of any log, and the first step at which two runs part.
import { absolute, dirOf } from '../../../io/index.ts'
import { problem, Refusal, seriesLimits } from '../../../model/index.ts'
import {
  apartness,
  judgedOfLogs,
  logStat,
  type Parting,
  partingOf,
  Points,
  readLog,
} from '../../../series/index.ts'
import type { Page } from '../tools.ts'
import type { Command } from '../verb.ts'
import type { LogField, LogFlags } from './index.ts'

interface Values {
  readonly name: string
  readonly steps: readonly number[]
  /** Of each log; null where it has none at a step. */
  readonly values: readonly (readonly (number | null)[])[]
}

interface Parted extends Pick<Parting, 'apart' | 'before'> {
  readonly name: string
  readonly step: number
}

interface Answer {
  readonly kinds: readonly string[]
  readonly metrics: readonly Values[]
  readonly partings: readonly Parted[]
}

export const command: Command<LogFlags, Answer, LogField> = {
  async run({ flags, paths }, tools) {
    const sides: Points[] = []
    const kinds: string[] = []
    for (const typed of paths) {
      const path = absolute(typed)
      tools.files.allow(dirOf(path))
      if (!tools.files.stat(path)) throw new Refusal(problem('not-found', path))
      const points = new Points()
      const { kind } = await readLog(path, flags.pattern ?? '', points, tools)
      sides.push(points)
      kinds.push(kind)
    }
    const metrics = metricsOf(sides)
    const limits = { floor: flags.floor ?? seriesLimits.floor, factor: flags.factor ?? seriesLimits.factor }
    const partings = sides.length === 2 ? metrics.flatMap(of => partedIn(of, limits)) : []
    return { kinds, metrics, partings: partings.sort((a, b) => a.step - b.step) }
  },
  print({ metrics, partings, kinds }, page) {
    for (const { name, steps, values } of metrics)
      if (judgedOfLogs.includes(name)) printValues(name, steps, values[0], page)
    if (kinds.length < 2) return
    if (partings.length === 0) page.line(page.say('series.parts.none'))
    for (const [i, { name, step, apart, before }] of partings.entries()) {
      const facts = { target: name, step, apart: shown(apart), before: before === null ? '-' : shown(before) }
      page.line(page.say('series.parts.line', facts))
      if (i > 0) continue
      const said = { target: name, step, before: step - 1 }
      page.line(page.say(before === null ? 'series.parts.start' : 'series.parts.advice', said))
    }
  },
  json: ({ kinds, metrics, partings }) => ({ kinds, metrics, partings }),
}

const shown = (value: number): string => String(Number(value.toPrecision(4)))

function printValues(
  name: string,
  steps: readonly number[],
  values: readonly (number | null)[],
  page: Page,
): void {
  const known = [...steps.keys()].filter(i => values[i] !== null)
  const [first, last] = [known.at(0), known.at(-1)]
  if (first === undefined || last === undefined) return
  page.line(
    page.say('series.log.line', {
      name,
      count: known.length,
      from: steps[first],
      to: steps[last],
      first: shown(values[first] ?? NaN),
      last: shown(values[last] ?? NaN),
    }),
  )
}

function metricsOf(sides: readonly Points[]): readonly Values[] {
  const names = new Set(sides.flatMap(of => Array.from({ length: of.targets }, (_, i) => of.target(i))))
  return [...names].map(name => {
    const steps = [...new Set(sides.flatMap(of => stepsOf(of, name)))].sort((a, b) => a - b)
    return { name, steps, values: sides.map(of => steps.map(step => valueAt(of, name, step))) }
  })
}

const stepsOf = (points: Points, name: string): readonly number[] => {
  const target = points.targetOf(name)
  return target < 0 ? [] : [...points.rowsOf(target)].map(row => points.stepAt(row))
}

function valueAt(points: Points, name: string, step: number): number | null {
  const row = points.find(0, step, points.targetOf(name))
  return row < 0 ? null : (points.stat(logStat)?.value(row) ?? null)
}

function partedIn(
  { name, steps, values: [mine, theirs] }: Values,
  limits: { readonly floor: number; readonly factor: number },
): readonly Parted[] {
  if (!judgedOfLogs.includes(name)) return []
  const known = [...steps.keys()].filter(i => mine[i] !== null && theirs[i] !== null)
  const found = partingOf(
    known.map(i => apartness(mine[i] ?? NaN, theirs[i] ?? NaN)),
    limits,
  )
  return found ? [{ name, step: steps[known[found.at]], apart: found.apart, before: found.before }] : []
}
