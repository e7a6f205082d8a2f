// A config.json with keys put in, changed or taken out; comments and the order of the rest stay.
import { applyEdits, type JSONPath, modify } from 'jsonc-parser'
import type { ConfigChange, ConfigValue } from '../model/index.ts'
import { parseConfig, plainOf } from './python-json.ts'

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
  const member = second === undefined ? outer : outer?.value.members.get(second)
  if (member && value !== undefined)
    return text.slice(0, member.value.from) + inline(value) + text.slice(member.value.to)
  if (!member && value === undefined) return text
  const path: JSONPath = [...parts]
  if (second !== undefined && value !== undefined && outer?.value.kind !== 'object')
    return formatted(text, [first], { [second]: value })
  return formatted(text, path, value)
}

function formatted(text: string, path: JSONPath, value: ConfigValue | undefined): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const tabSize = /^[ \t]*\n? {2}(?! )"/m.test(text) ? 2 : 4
  const edits = modify(text, path, value, { formattingOptions: { tabSize, insertSpaces: true, eol } })
  const out = applyEdits(text, edits)
  // Lists are written on lines of their own otherwise.
  const whole = value === undefined ? undefined : memberValue(out, path)
  return value !== undefined && whole && typeof value === 'object' && (Array.isArray(value) || value === null)
    ? out.slice(0, whole.from) + inline(value) + out.slice(whole.to)
    : out
}

function memberValue(text: string, path: JSONPath): { from: number; to: number } | undefined {
  let at = parseConfig(text).root ?? undefined
  for (const part of path) at = at?.members.get(String(part))?.value
  return at
}

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
