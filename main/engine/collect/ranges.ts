// Steps and ranks as they are typed: numbers and "from-to", read as Python's int() does.
import type { ToolVersion } from '../model/index.ts'
import type { Value } from './python-json.ts'
import type { Say } from './rules.ts'

export const highestStep = 1_000_000
export type Range = readonly [from: number, to: number]

const pythonInt = /^\s*[+-]?\p{Nd}+(?:_\p{Nd}+)*\s*$/u

/** Null where Python refuses it. */
function intOf(text: string): number | null {
  if (!pythonInt.test(text)) return null
  const digits = text
    .trim()
    .replace(/_/g, '')
    .replace(/\p{Nd}/gu, digitOf)
  return Number(digits)
}

/** Decimal digits of any script stand in tens. */
function digitOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 128) return character
  let zero = code
  while (code - zero < 10 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}

/** What a list of steps or ranks says; sorted, joined, and nothing of what is wrong. */
export function rangesOf(
  value: Value | undefined,
  key: string,
  version: ToolVersion,
  say: Say,
): readonly Range[] {
  if (!value || value.kind === 'null') return []
  if (value.kind !== 'list') {
    say(value, 'error', 'not-list', { key, found: value.text })
    return []
  }
  if (value.items.length > highestStep && version !== '1.0')
    say(value, 'error', 'too-many', { key, limit: highestStep })
  const out: Range[] = []
  for (const item of value.items) {
    const range = rangeOf(item, key, version, say)
    if (range) out.push(range)
  }
  return joined(out)
}

/** What an entry may be, by generation. */
const forms: Readonly<Record<ToolVersion, string>> = { '1.0': '3', '1.2': '3, "3-5"', '26': '3, "3", "3-5"' }

function rangeOf(item: Value, key: string, version: ToolVersion, say: Say): Range | null {
  const refuse = (): null => {
    say(item, 'error', 'not-range', { key, found: item.text, forms: forms[version] })
    return null
  }
  const within = (range: Range): Range | null => {
    const most = version === '1.0' ? Infinity : highestStep
    if (range.every(one => one >= 0 && one <= most)) return range
    say(item, 'error', 'out-of-range', {
      key,
      found: item.text,
      range: `0 … ${most === Infinity ? '' : most}`,
    })
    return null
  }
  if (item.kind === 'int' || (version === '1.0' && item.kind === 'bool'))
    return within([item.number, item.number])
  if (item.kind !== 'text' || version === '1.0') return refuse()
  const parts = item.text.split('-')
  const [from, to = from] = parts.map(intOf)
  if (parts.length > 2 || (parts.length === 1 && version !== '26')) return refuse()
  if (typeof from !== 'number' || typeof to !== 'number') return refuse()
  if (!within([from, to])) return null
  if (from <= to) return [from, to]
  say(item, 'error', 'range-backwards', { key, found: item.text })
  return null
}

function joined(ranges: readonly Range[]): readonly Range[] {
  const out: [number, number][] = []
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = out.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else out.push([from, to])
  }
  return out
}
