// Values of a package: when two are equal, and what they are in a cell and in a sentence.
import type { PlainCell } from '../formats/index.ts'
import { isArray, isObject, type Json, JsonNumber } from '../json/index.ts'
import { pyStr } from '../python/index.ts'

/** As Python's `==`: 1, 1.0 and True are one value, NaN is none. */
export function pyEqual(a: Json | undefined, b: Json | undefined): boolean {
  const [x, y] = [numberOf(a), numberOf(b)]
  if (x !== null && y !== null) return x === y && (!bothWhole(a, b) || wholeOf(a) === wholeOf(b))
  if (isArray(a) && isArray(b)) return a.length === b.length && a.every((item, i) => pyEqual(item, b[i]))
  if (isObject(a) && isObject(b))
    return a.size === b.size && [...a].every(([key, value]) => b.has(key) && pyEqual(value, b.get(key)))
  return a === b
}

const numberOf = (value: Json | undefined): number | null => {
  if (typeof value === 'boolean') return Number(value)
  return value instanceof JsonNumber ? value.value : null
}
const bothWhole = (a: Json | undefined, b: Json | undefined): boolean =>
  a instanceof JsonNumber && b instanceof JsonNumber && !a.float && !b.float
const wholeOf = (value: Json | undefined): bigint | null =>
  value instanceof JsonNumber ? BigInt(value.text) : null

const words: Readonly<Record<string, boolean | null>> = {
  true: true,
  yes: true,
  on: true,
  false: false,
  no: false,
  off: false,
  none: null,
  null: null,
}

/** Whether two settings mean the same: texts that spell numbers or truth values are those. */
export function sameMeaning(a: Json | undefined, b: Json | undefined): boolean {
  if (isArray(a) && isArray(b)) return a.length === b.length && a.every((item, i) => sameMeaning(item, b[i]))
  const [x, y] = [meaningOf(a), meaningOf(b)]
  return pyEqual(x, y) || (Number.isNaN(numberOf(x)) && Number.isNaN(numberOf(y)))
}

function meaningOf(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string') return value
  const text = value.trim()
  const word = words[text.toLowerCase()]
  if (word !== undefined) return word
  return text !== '' && Number.isFinite(Number(text)) ? new JsonNumber(text, true) : text
}

export function cellFrom(value: Json | undefined): PlainCell {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (!(value instanceof JsonNumber)) return pyStr(value)
  return numberCell(value.value)
}

/** What pandas writes for a number. */
export function numberCell(value: number): PlainCell {
  if (Number.isFinite(value)) return value
  if (Number.isNaN(value)) return ''
  return value > 0 ? 'inf' : '-inf'
}

const shown = 80

/** For a sentence. */
export function shortly(value: Json | undefined): string {
  const text = pyStr(value)
  return text.length > shown ? `${text.slice(0, shown)}…` : text
}
