// A config.json with keys put in, changed or taken out; comments and the order of the rest stay.
import { applyEdits, modify } from 'jsonc-parser'
import type { ConfigChange, ConfigValue } from '../model/index.ts'
import { type Member, parseConfig, plainOf, type Value } from './python-json.ts'

const partsOf = (path: string): readonly string[] => path.split('/')

/** A value on one line, as the tool's own file writes it. */
function inline(value: ConfigValue): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, of]) => `${JSON.stringify(key)}: ${inline(of)}`)
      .join(', ')}}`
  return JSON.stringify(value)
}

/** The text with the changes in it; as it was where it has no object on top. */
export function editConfig(text: string, changes: readonly ConfigChange[]): string {
  let out = text.trim() === '' ? '{\n}\n' : text
  for (const { path, value } of changes) out = changed(out, partsOf(path), value)
  return out
}

function changed(text: string, parts: readonly string[], value: ConfigValue | undefined): string {
  const { root } = parseConfig(text)
  if (!root) return text
  const [first, second] = parts
  const outer = root.members.get(first)
  const owner = second === undefined ? root : outer?.value
  const member = owner?.members.get(second ?? first)
  if (value === undefined) return member ? applyEdits(text, modify(text, [...parts], undefined, {})) : text
  if (member) return text.slice(0, member.value.from) + inline(value) + text.slice(member.value.to)
  if (owner?.kind === 'object') return inserted(text, owner, second ?? first, inline(value))
  const own = layoutOf(text, root)
  const section =
    own.eol === ''
      ? inline({ [second]: value })
      : `{${own.eol}${own.indent}${own.step}${pair(second, inline(value))}${own.eol}${own.indent}}`
  return outer
    ? text.slice(0, outer.value.from) + section + text.slice(outer.value.to)
    : inserted(text, root, first, section)
}

const pair = (key: string, value: string): string => `${JSON.stringify(key)}: ${value}`

/** Behind the last key, laid out as that one is; nothing else is touched. */
function inserted(text: string, owner: Value, key: string, value: string): string {
  const last = lastOf(owner)
  if (last) {
    const { eol, indent } = layoutOf(text, owner)
    return `${text.slice(0, last.whole.to)},${eol}${eol === '' ? ' ' : indent}${pair(key, value)}${text.slice(last.whole.to)}`
  }
  const outside = /^[ \t]*/.exec(lineUpTo(text, owner.from))?.[0] ?? ''
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return `${text.slice(0, owner.from)}{${eol}${outside}${stepOf(text)}${pair(key, value)}${eol}${outside}}${text.slice(owner.to)}`
}

const lastOf = (owner: Value): Member | undefined =>
  [...owner.members.values()].toSorted((a, b) => a.whole.from - b.whole.from).at(-1)

const lineUpTo = (text: string, at: number): string => text.slice(text.lastIndexOf('\n', at - 1) + 1, at)

interface Layout {
  /** Empty where keys share a line. */
  readonly eol: string
  readonly indent: string
  readonly step: string
}

function layoutOf(text: string, owner: Value): Layout {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const step = stepOf(text)
  const last = lastOf(owner)
  const before = last ? lineUpTo(text, last.whole.from) : ''
  return /\S/.test(before) || !text.slice(0, last?.whole.from).includes('\n')
    ? { eol: last ? '' : eol, indent: step, step }
    : { eol, indent: before, step }
}

/** How far the first key on a line of its own stands in. */
const stepOf = (text: string): string => /\n([ \t]+)"/.exec(text)?.[1] ?? '    '

/** A whole file: keys on lines of their own, lists and values on one. */
export function configText(config: Readonly<Record<string, ConfigValue>>): string {
  const line = ([key, value]: readonly [string, ConfigValue], indent: string): string =>
    value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0
      ? `${indent}${JSON.stringify(key)}: {\n${Object.entries(value)
          .map(one => line(one, `${indent}    `))
          .join(',\n')}\n${indent}}`
      : `${indent}${JSON.stringify(key)}: ${inline(value)}`
  return `{\n${Object.entries(config)
    .map(one => line(one, '    '))
    .join(',\n')}\n}\n`
}

/** What stands at a path. */
export function configValue(text: string, path: string): ConfigValue | undefined {
  let at = parseConfig(text).root ?? undefined
  for (const part of partsOf(path)) at = at?.members.get(part)?.value
  return at && plainOf(at)
}
