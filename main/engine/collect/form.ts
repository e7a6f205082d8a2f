// The lines of the form: what can be said here, what is said, and what the tool would make of each choice.
import type { CollectTarget, ConfigChoice, ConfigField, ConfigFinding, ConfigValue } from '../model/index.ts'
import { checkConfig } from './check.ts'
import { configValue, editConfig } from './edit.ts'
import { keyRows, type KeyRow, levels, summaries, taskRows } from './schema.ts'

/** In longer texts no choice is tried out. */
const longestTried = 20_000

export function fieldsOf(text: string, target: CollectTarget): readonly ConfigField[] {
  const { diagnostics, effect } = checkConfig(text, target)
  const said = configValue(text, 'task')
  const task = effect?.task ?? (typeof said === 'string' && said !== '' ? said : 'statistics')
  const errors = new Set(diagnostics.filter(one => one.severity === 'error').map(keyOf))
  return rowsFor(task, target).map(([section, row]) => {
    const path = section === '' ? row.key : `${section}/${row.key}`
    const value = configValue(text, path)
    return {
      path,
      key: row.key,
      input: row.input,
      choices: choicesOf(row, target).map(choice =>
        row.input === 'choice' && text.length <= longestTried
          ? tried(text, target, path, choice, errors)
          : { value: choice, refused: null },
      ),
      ...(value === undefined ? {} : { value }),
      usual: row.usual,
      says: diagnostics.filter(one => about(one, row.key, section)),
    }
  })
}

const keyOf = ({ code, facts }: ConfigFinding): string => `${code} ${JSON.stringify(facts)}`

/** A choice is refused where the tool would raise because of it and does not without. */
function tried(
  text: string,
  target: CollectTarget,
  path: string,
  value: string,
  before: ReadonlySet<string>,
): ConfigChoice {
  const { diagnostics } = checkConfig(editConfig(text, [{ path, value }]), target)
  const refused = diagnostics.find(one => one.severity === 'error' && !before.has(keyOf(one)))
  return { value, refused: refused ?? null }
}

function choicesOf(row: KeyRow, { version, mode }: CollectTarget): readonly string[] {
  if (row.key === 'task')
    return taskRows
      .filter(one => one.collects && one.versions.includes(version) && one.modes.includes(mode))
      .map(one => one.task)
  if (row.key === 'level') return version === '1.0' ? levels.filter(one => one !== 'debug') : levels
  if (row.key === 'summary_mode') return summaries[version]
  return row.choices ?? []
}

/** Keys that do something here, with the section that each stands in. */
function rowsFor(task: string, { version, mode }: CollectTarget): readonly (readonly [string, KeyRow])[] {
  const here = keyRows.filter(row => row.versions.includes(version) && row.modes.includes(mode))
  const of = (section: string): readonly (readonly [string, KeyRow])[] =>
    here.filter(row => row.sections.includes(section)).map(row => [section, row] as const)
  return [...of(''), ...of(task)]
}

/** Whether a finding speaks of a key. */
function about({ facts }: ConfigFinding, key: string, section: string): boolean {
  const named: ConfigValue | undefined = 'key' in facts ? facts.key : undefined
  return (
    named === key ||
    named === `${section}.${key}` ||
    (typeof named === 'string' && named.startsWith(`${key}.`))
  )
}
