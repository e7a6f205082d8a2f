// Alert rules of the training monitor, looked at again over its csv files.
import { decodeMapping, type Files } from '../../io/index.ts'
import { isArray, isObject, type Json, JsonNumber, JsonReader, JsonStop } from '../../json/index.ts'
import { problem, type Problem, Refusal, type Rules, seriesLimits } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import type { MonitorFolder } from './folders.ts'
import { type MonitorRow, readMonitorFile, valuesOf } from './rows.ts'

export const alertNames = ['AnomalyTurbulence', 'AnomalyNan'] as const
export type AlertName = (typeof alertNames)[number]

export interface AlertRule {
  readonly name: AlertName
  /** Of turbulence the share above its history; of NaN a magnitude, null where only NaN counts. */
  readonly threshold: number | null
}

export interface Alert {
  readonly rank: number
  readonly metric: string
  readonly vpp: MonitorRow['vpp']
  readonly name: string
  readonly micro: number | null
  readonly step: number
  readonly op: string
  readonly rule: AlertName
  readonly value: number
}

/** What is looked at where nobody says. */
export const usualRules = (rules: Rules): readonly AlertRule[] => [
  { name: 'AnomalyTurbulence', threshold: seriesLimits.threshold },
  ...(rules === 'msprobe-1.2.2' ? [] : [{ name: 'AnomalyNan' as const, threshold: null }]),
]

/** How a generation keeps the history of a value and what it calls an alert. */
interface Generation {
  readonly names: readonly AlertName[]
  /** The history after a value; `seen` values were there before. */
  next(history: number, value: number, seen: number): number
  seed(value: number): number
  jumps(value: number, history: number, threshold: number): boolean
  /** The first rule that speaks ends the search, even where its alert is not told. */
  readonly firstOnly: boolean
  /** Statistics whose jumps are told; null: all. */
  readonly jumping: readonly string[] | null
}

const decay = 0.99

const newer: Generation = {
  names: alertNames,
  seed: Math.abs,
  next: (history, value) => decay * history + (1 - decay) * Math.abs(value),
  jumps: (value, history, threshold) => Math.abs(value) > history * (1 + threshold),
  firstOnly: true,
  jumping: ['norm', 'mean'],
}

const generations: Readonly<Record<Rules, Generation>> = {
  'msprobe-1.2.2': {
    names: ['AnomalyTurbulence'],
    seed: value => value,
    next: (history, value, seen) => (history * seen + value) / (seen + 1),
    jumps: (value, history, threshold) => {
      const bound = history * (1 + threshold)
      return history > 0 ? value > bound : value < bound
    },
    firstOnly: true,
    jumping: null,
  },
  'msprobe-26': newer,
  plumbline: {
    ...newer,
    // One infinity must not silence everything after it.
    next: (history, value) => {
      if (!Number.isFinite(value)) return history
      return Number.isFinite(history) ? newer.next(history, value, 0) : Math.abs(value)
    },
    firstOnly: false,
  },
}

/** The state of one value over the steps. */
interface History {
  value: number
  seen: number
}

/** Alerts of one process: files of a metric by first step, rows as they stand, statistics as columns. */
export async function alertsOf(
  folder: MonitorFolder,
  rules: Rules,
  specs: readonly AlertRule[],
  ports: { readonly files: Files; readonly job: Job; tell(found: Problem): void },
): Promise<readonly Alert[]> {
  const alerts: Alert[] = []
  let histories = new Map<string, History>()
  let task = ''
  for (const file of folder.files) {
    // The history of one task says nothing of another's.
    if (file.task !== task) histories = new Map()
    task = file.task
    await readMonitorFile(folder, file, ports, row => {
      for (const [op, value] of valuesOf(row)) {
        const key = `${row.metric}\n${row.vpp}\n${row.name}\n${row.micro}\n${op}`
        for (const rule of fired(value, op, historyOf(histories, key, value, rules), { rules, specs }))
          alerts.push({ rank: folder.rank, ...about(row), op, rule, value })
      }
    })
  }
  return alerts
}

const about = ({
  metric,
  vpp,
  name,
  micro,
  step,
}: MonitorRow): Pick<Alert, keyof MonitorRow & keyof Alert> => ({ metric, vpp, name, micro, step })

/** The history before this value, which is taken in. */
function historyOf(histories: Map<string, History>, key: string, value: number, rules: Rules): number {
  const generation = generations[rules]
  let history = histories.get(key)
  if (!history) histories.set(key, (history = { value: generation.seed(value), seen: 0 }))
  const before = history.value
  history.value = generation.next(before, value, history.seen)
  history.seen++
  return before
}

function fired(
  value: number,
  op: string,
  history: number,
  { rules, specs }: { readonly rules: Rules; readonly specs: readonly AlertRule[] },
): readonly AlertName[] {
  const { names, jumps, firstOnly, jumping } = generations[rules]
  const found: AlertName[] = []
  for (const { name, threshold } of specs) {
    if (!names.includes(name)) continue
    const speaks =
      name === 'AnomalyTurbulence'
        ? jumps(value, history, threshold ?? 0)
        : Number.isNaN(value) || (threshold !== null && Math.abs(value) > threshold)
    if (!speaks) continue
    const told = name !== 'AnomalyTurbulence' || jumping === null || jumping.includes(op)
    if (told && !found.includes(name)) found.push(name)
    if (firstOnly) break
  }
  return found
}

// ---------------------------------------- the file of rules

const largest = 1 << 20

/** A list of rules, or a monitor's configuration that holds one. */
export function readAlertRules(
  files: Files,
  path: string,
  rules: Rules,
  tell: (found: Problem) => void,
): readonly AlertRule[] {
  const list = listIn(parsed(files, path))
  if (!list) throw new Refusal(problem('alert-invalid', path))
  return list.flatMap((spec): AlertRule[] => {
    const rule = ruleOf(spec)
    if (rule && generations[rules].names.includes(rule.name)) return [rule]
    tell(problem('alert-unknown', path, { rule: nameOf(spec) }, 'warning'))
    return []
  })
}

function parsed(files: Files, path: string): Json {
  const text = decodeMapping(files.readAll(path, largest)).text.replace(/^\uFEFF/, '')
  try {
    return new JsonReader(new TextEncoder().encode(text)).value()
  } catch (error) {
    if (error instanceof JsonStop) throw new Refusal(problem('alert-invalid', path))
    throw error
  }
}

function listIn(value: Json | undefined): readonly Json[] | null {
  if (isArray(value)) return value
  return isObject(value) ? listIn(value.get('rules') ?? value.get('alert')) : null
}

const nameOf = (spec: Json): string => {
  const name = isObject(spec) ? spec.get('rule_name') : null
  return typeof name === 'string' ? name : ''
}

/** Null where msprobe would leave a rule out: no such rule, or arguments that it does not take. */
function ruleOf(spec: Json): AlertRule | null {
  const name = alertNames.find(known => known === nameOf(spec))
  const args = isObject(spec) ? (spec.get('args') ?? null) : null
  if (!name || (args !== null && !isObject(args))) return null
  const value = args?.get('threshold')
  const threshold = value instanceof JsonNumber ? value.value : null
  const fits = threshold !== null || (name === 'AnomalyNan' && (value === undefined || value === null))
  return fits && [...(args?.keys() ?? [])].every(key => key === 'threshold') ? { name, threshold } : null
}
