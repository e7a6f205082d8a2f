// Numbers, sizes and times for people; the exact value stays in titles and copies.
import type { Language } from '../../preload/contract/words/index.ts'

const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(%?)$/i

/** Six telling digits and a steady width. */
export function shortNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value)
  const size = Math.abs(value)
  if (size >= 1e7 || size < 1e-4) return value.toExponential(3)
  if (size >= 1000) return value.toFixed(size >= 1e5 ? 1 : 2)
  return value.toFixed(size >= 10 ? 4 : 6)
}

/** A mark of an axis: no digits that say nothing. */
export function markNumber(value: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e6 || size < 1e-4))
    return Number(value.toPrecision(6)).toExponential().replace('e+', 'e')
  return String(Number(value.toPrecision(6)))
}

/** A cell's text as the file has it, made short when it is a number or a percentage. */
export function shortText(text: string): string {
  const match = text.length > 6 ? plainNumber.exec(text) : null
  if (!match) return text.endsWith('\t') ? text.trimEnd() : text
  const percent = match[1] ?? ''
  return shortNumber(Number(percent ? text.slice(0, -1) : text)) + percent
}

export const count = (language: Language, value: number): string => value.toLocaleString(language)

export function bytes(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let step = 0
  let rest = value
  while (rest >= 1000 && step < units.length - 1) {
    rest /= 1000
    step++
  }
  return `${rest < 10 && step > 0 ? rest.toFixed(1) : Math.round(rest)} ${units[step]}`
}

export function duration(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 90) return `${Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const leastShare = 1e-5

/** A share as a percentage of two telling digits. */
export function share(language: Language, value: number): string {
  const text = (of: number): string =>
    of.toLocaleString(language, { style: 'percent', maximumSignificantDigits: 2 })
  return value > 0 && value < leastShare ? `< ${text(leastShare)}` : text(value)
}

export function percent(language: Language, part: number, of: number): string {
  if (of === 0) return '–'
  return (part / of).toLocaleString(language, { style: 'percent', maximumFractionDigits: 1 })
}

/** Text that reads from the left inside a box that is cut at the front. */
export const leftToRight = (text: string): string => `\u200e${text}\u200e`

/** msprobe says the same once per input: each line once, and how often. */
export function once(message: string): string {
  if (!message.includes('\n')) return message
  const times = new Map<string, number>()
  for (const line of message.split('\n')) times.set(line, (times.get(line) ?? 0) + 1)
  return [...times].map(([line, n]) => (n > 1 ? `${line} (×${n})` : line)).join('\n')
}
