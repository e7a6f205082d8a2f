// Why the tool leaves a key out: it is of another generation, another framework, another task, or a slip.
import type { Reading } from './reading.ts'
import { found } from './findings.ts'
import { keyRows, type KeyRow, loadKeys, readInSection, taskRows } from './schema.ts'
import { nearest } from './near.ts'
import type { ConfigDiagnostic, ConfigFix, Span } from '../model/index.ts'
import type { Member } from './python-json.ts'

export function ignoredFindings(reading: Reading, ignored: readonly string[]): void {
  const other = otherTool(reading)
  if (other) {
    reading.out.push(other)
    return
  }
  for (const path of ignored) {
    const [section, key] = path.includes('/') ? path.split('/') : ['', path]
    const member = memberAt(reading, section, key)
    if (member) reading.out.push(...reasonFor(reading, section, member))
  }
  for (const path of reading.read) withoutEffect(reading, path)
}

const memberAt = (reading: Reading, section: string, key: string): Member | undefined =>
  section === '' ? reading.root.members.get(key) : reading.top(section)?.members.get(key)

const cutOf = ({ name, whole }: Member): ConfigFix => ({
  title: 'remove',
  facts: { key: name },
  edits: [{ ...whole, text: '' }],
})

function reasonFor(reading: Reading, section: string, member: Member): readonly ConfigDiagnostic[] {
  const { version, mode } = reading.target
  const { name, key: at } = member
  const rows = keyRows.filter(row => row.key === name)
  const here = rows.filter(row => row.sections.includes(section))
  const versionsOf = (list: readonly KeyRow[]): string =>
    [...new Set(list.flatMap(row => row.versions))].join(', ')
  if (section === '' && taskRows.some(row => row.task === name)) return foreignSection(reading, member)
  if (here.some(row => row.versions.includes(version) && !row.modes.includes(mode)))
    return [found(at, 'warning', 'other-framework-key', { key: name }, [cutOf(member)])]
  if (here.length > 0)
    return [found(at, 'warning', 'foreign-key', { key: name, versions: versionsOf(here) }, [cutOf(member)])]
  const elsewhere = rows.filter(row => row.versions.includes(version))
  if (elsewhere.length > 0) {
    const sections = [...new Set(elsewhere.flatMap(row => row.sections))].map(one => one || '{ }').join(', ')
    return [found(at, 'warning', 'key-of-other-task', { key: name, sections }, [cutOf(member)])]
  }
  if (rows.length > 0)
    return [found(at, 'warning', 'foreign-key', { key: name, versions: versionsOf(rows) }, [cutOf(member)])]
  const like = nearest(name, candidates(reading, section))
  return like === null
    ? [found(at, 'warning', 'unknown-key', { key: name }, [cutOf(member)])]
    : [found(at, 'warning', 'unknown-key-like', { key: name, like }, [renaming(at, like), cutOf(member)])]
}

const renaming = ({ from, to }: Span, text: string): ConfigFix => ({
  title: 'rename',
  facts: { text },
  edits: [{ from, to, text: JSON.stringify(text) }],
})

function candidates({ target }: Reading, section: string): readonly string[] {
  if (section === 'load') return loadKeys
  const keys = keyRows
    .filter(row => row.versions.includes(target.version) && row.sections.includes(section))
    .map(row => row.key)
  return section === '' ? [...keys, ...taskRows.map(row => row.task)] : keys
}

/** Sections of tasks that are not run do no harm; one that this generation does not know may be meant. */
function foreignSection(reading: Reading, member: Member): readonly ConfigDiagnostic[] {
  const { target } = reading
  const row = taskRows.find(one => one.task === member.name)
  if (!row) return []
  if (row.versions.includes(target.version)) return insteadOf(reading, member)
  const facts = { key: member.name, versions: row.versions.join(', ') }
  return [found(member.key, 'note', 'foreign-key', facts, [cutOf(member)])]
}

/** The only section is one of another task: whoever wrote it meant that task, or the name of the section. */
function insteadOf(
  { section, task, target }: Reading,
  { name, key, value }: Member,
): readonly ConfigDiagnostic[] {
  if (task === '' || section !== undefined || value.members.size === 0) return []
  const fixes = readInSection(task, target.version, target.mode).length > 0 ? [renaming(key, task)] : []
  return [found(key, 'note', 'foreign-section', { section: name, task }, fixes)]
}

/** Keys that are read and then do nothing for this task, level and way to execute. */
function withoutEffect(reading: Reading, path: string): void {
  const [section, key] = path.includes('/') ? path.split('/') : ['', path]
  if (section === 'load' || (section === '' && key === reading.task)) return
  const member = memberAt(reading, section, key)
  if (!member || !saysSomething(member)) return
  const { version, mode } = reading.target
  const rows = keyRows.filter(row => row.key === key && row.sections.includes(section))
  const fits = rows.filter(row => row.versions.includes(version) && row.modes.includes(mode))
  if (fits.some(row => row.levels?.includes(reading.level) ?? true)) return
  const levels = [...new Set(fits.flatMap(row => row.levels ?? []))].join(', ')
  const where = fits.length > 0 ? `level ${levels}` : placesOf(key, reading)
  reading.out.push(found(member.key, 'warning', 'no-effect', { key, where }, [cutOf(member)]))
}

/** Null, empty and false ask for nothing. */
const saysSomething = ({ value }: Member): boolean => value.truthy

function placesOf(key: string, { target }: Reading): string {
  const rows = keyRows.filter(row => row.key === key)
  const now = rows.filter(row => row.versions.includes(target.version))
  const places = (now.length > 0 ? now : rows).map(
    row =>
      `${row.sections.map(one => one || '{ }').join(', ')} (${row.modes.join(', ')}; ${row.versions.join(', ')})`,
  )
  return places.join('; ')
}

/** Top keys of files that are often taken for a config.json. */
const others: readonly (readonly [tool: string, keys: readonly string[]])[] = [
  ['compare.json', ['npu_path', 'bench_path']],
  ['MindSpore dump (MINDSPORE_DUMP_CONFIG)', ['common_dump_settings']],
  ['monitor', ['targets', 'ops']],
  ['acl.json', ['dump']],
  ['package.json', ['name', 'version', 'dependencies']],
  ['DeepSpeed', ['train_batch_size', 'zero_optimization']],
  ['transformers', ['architectures', 'model_type']],
]

function otherTool({ root, target }: Reading): ConfigDiagnostic | null {
  if (['task', 'dump_path', 'level'].some(key => root.members.has(key)) && root.members.has('data'))
    return found(root, 'warning', 'is-dump', {})
  if (
    keyRows.some(
      row => row.sections.includes('') && row.versions.includes(target.version) && root.members.has(row.key),
    )
  )
    return null
  const other = others.find(([, keys]) => keys.some(key => root.members.has(key)))
  return other ? found(root, 'warning', 'other-tool', { tool: other[0] }) : null
}
