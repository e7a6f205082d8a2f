// What the tool would do with a config.json: what it raises, what it never reads, what it changes.
import type { CollectTarget, ConfigCheck, ConfigDiagnostic, ConfigEffect, Span } from '../model/index.ts'
import { dumpingFindings } from './dumping.ts'
import { ignoredFindings } from './ignored.ts'
import { loadFindings } from './load.ts'
import { notesOf } from './notes.ts'
import { parseConfig } from './python-json.ts'
import { Reading } from './reading.ts'
import { rangesOf } from './ranges.ts'
import {
  asWarnings,
  flag,
  intOrFlagIfGiven,
  maybeFlag,
  maybeText,
  oneOf,
  oneOfIfSaid,
  type Rule,
  texts,
} from './rules.ts'
import { isMindspore, levels as everyLevel, readAtTop, readInSection, taskRows } from './schema.ts'
import { rulesOf, tasksKnown } from './task-rules.ts'

export function checkConfig(text: string, target: CollectTarget): ConfigCheck {
  const { root, valid, diagnostics } = parseConfig(text)
  if (!root) return { diagnostics, readable: false, ignored: [], effect: null }
  const reading = new Reading(target, root)
  const ranges = checkTop(reading)
  checkTask(reading)
  const effect = effectOf(reading, ranges)
  const ignored = ignoredKeys(reading)
  ignoredFindings(reading, ignored)
  notesOf(reading)
  const said = valid ? reading.out : reading.out.filter(one => !aboutWhatIsMissing.includes(one.code))
  const all = withoutRepeats([...diagnostics, ...said]).toSorted(
    (a, b) => a.from - b.from || Number(isForeign(b)) - Number(isForeign(a)),
  )
  return { diagnostics: all, readable: valid, ignored, effect: valid && !reading.refused ? effect : null }
}

/** Of a text that is read in part only, nobody knows what it lacks. */
const aboutWhatIsMissing: readonly ConfigDiagnostic['code'][] = [
  'needed',
  'needed-task',
  'no-level',
  'no-task',
]

/** Whose file it is stands before what it lacks. */
export const isForeign = ({ code }: ConfigDiagnostic): boolean => code === 'is-dump' || code === 'other-tool'

/** What two of the tool's own looks refuse alike. */
const withoutRepeats = (all: readonly ConfigDiagnostic[]): readonly ConfigDiagnostic[] => {
  const keys = all.map(({ from, code, facts }) => JSON.stringify([from, code, facts]))
  return all.filter((_, i) => keys.indexOf(keys[i]) === i)
}

const levelsOf = (reading: Reading): readonly string[] =>
  reading.target.version === '1.0' ? everyLevel.filter(one => one !== 'debug') : everyLevel

/** Rules of the keys on top; which of them are read is told by the schema. */
const topRules: Readonly<Record<string, Rule>> = {
  dump_path: maybeText,
  seed: intOrFlagIfGiven,
  acl_config: (value, key, say) => {
    if (!value?.truthy) return
    maybeText(value, key, say)
    if (value.kind === 'text') say(value, 'note', 'needs-path', { key, path: value.text })
  },
  is_deterministic: flag,
  enable_dataloader: flag,
  async_dump: flag,
  dump_enable: maybeFlag,
  extra_info: flag,
  precision: oneOf(['low', 'high']),
  risk_level: oneOfIfSaid(['CORE', 'FOCUS', 'ALL']),
  custom_op_namespaces: texts,
}

function checkTop(reading: Reading): Pick<ConfigEffect, 'step' | 'rank'> {
  const { version } = reading.target
  for (const key of readAtTop(version)) {
    reading.read.add(key)
    const rule = topRules[key]
    if (rule) rule(reading.top(key), key, reading.say)
  }
  checkLevel(reading)
  if (version === '26') loadFindings(reading)
  return { step: rangesAt('step', reading), rank: rangesAt('rank', reading) }
}

/** Version 1.0 looks at the entries only where it dumps; numbers alone mean something everywhere. */
function rangesAt(key: 'step' | 'rank', reading: Reading): ConfigEffect['step'] {
  const { target, say } = reading
  const value = reading.top(key)
  const loose =
    target.version === '1.0' && value?.kind === 'list' && reading.top('task')?.text === 'grad_probe'
  return rangesOf(value, key, target.version, loose ? asWarnings(say) : say)
}

function checkLevel(reading: Reading): void {
  const value = reading.top('level')
  if (!value?.truthy) return
  const level = value.kind === 'text' ? value.text : ''
  if (levelsOf(reading).includes(level)) reading.level = level
  else if (level === 'debug')
    reading.say(value, 'error', 'level-other-version', { level, versions: '1.2, 26' })
  else
    reading.say(value, 'error', 'not-one-of', {
      key: 'level',
      found: value.text,
      choices: levelsOf(reading).join(', '),
    })
}

function checkTask(reading: Reading): void {
  const { target, say, root } = reading
  const value = reading.top('task')
  if (!value?.truthy) {
    if (target.version === '1.2' && !isMindspore(target.mode)) {
      say(value ?? root, 'error', 'needed-task', {})
      return
    }
    reading.task = 'statistics'
    reading.hasSection = target.version !== '1.0' || isMindspore(target.mode)
  } else if (value.kind !== 'text' || !tasksKnown(target.version).includes(value.text)) {
    const other = value.kind === 'text' ? taskRows.find(row => row.task === value.text) : undefined
    if (other)
      say(value, 'error', 'task-other-version', { task: other.task, versions: other.versions.join(', ') })
    else
      say(value, 'error', 'not-one-of', {
        key: 'task',
        found: value.text,
        choices: tasksKnown(target.version).join(', '),
      })
    return
  } else reading.task = value.text
  checkSection(reading, value ?? root)
}

function checkSection(reading: Reading, at: Span): void {
  const { target, say, task } = reading
  const rules = rulesOf(task, target)
  if (!rules) {
    say(at, 'error', task === 'run_ut' ? 'task-not-collecting' : 'task-other-framework', { task })
    return
  }
  if (reading.hasSection) reading.read.add(task)
  const { section } = reading
  const lenient = isMindspore(target.mode) && !section?.truthy
  if (section && section.kind !== 'object' && !lenient) {
    say(section, 'error', 'not-object', { key: task, found: section.text })
    return
  }
  for (const key of readInSection(task, target.version, target.mode)) {
    reading.read.add(`${task}/${key}`)
    const rule = rules.keys[key]
    if (rule) rule(reading.key(key), `${task}.${key}`, say)
  }
  rules.cross?.(name => reading.key(name), section ?? reading.root, say)
  dumpingFindings(reading)
}

function effectOf(reading: Reading, ranges: Pick<ConfigEffect, 'step' | 'rank'>): ConfigEffect {
  const dataMode = reading.texts('data_mode')
  return {
    task: reading.task,
    level: reading.level,
    ...ranges,
    scope: reading.texts('scope'),
    list: reading.texts('list'),
    dataMode: dataMode.length === 0 ? ['all'] : dataMode,
    risk: riskOf(reading),
  }
}

/** Said by nobody it is FOCUS; said to be nothing it is ALL. */
function riskOf(reading: Reading): ConfigEffect['risk'] {
  const { target, level } = reading
  if (target.version !== '26' || target.mode !== 'pytorch' || !riskLevels.includes(level)) return 'ALL'
  const value = reading.top('risk_level')
  if (value === undefined) return 'FOCUS'
  return value.text === 'FOCUS' || value.text === 'CORE' ? value.text : 'ALL'
}

const riskLevels: readonly string[] = ['L1', 'mix']

/** Keys that the tool never asks for; of a section that it does not open, only the section. */
function ignoredKeys({ root, read, task }: Reading): readonly string[] {
  const out: string[] = []
  for (const [name, { value }] of root.members) {
    if (!read.has(name)) out.push(name)
    else if (name === task || name === 'load')
      for (const key of value.members.keys()) if (!read.has(`${name}/${key}`)) out.push(`${name}/${key}`)
  }
  return out
}
