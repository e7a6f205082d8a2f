// JSON as Python writes it: ints and floats apart, everything beyond ASCII escaped.
import { isArray, isObject, type Json, JsonNumber } from '../json/index.ts'
import { pyFloat } from './values.ts'

const special: Readonly<Record<string, string>> = { nan: 'NaN', inf: 'Infinity', '-inf': '-Infinity' }

export function jsonText(value: Json, indent = '', step = '    '): string {
  const inner = indent + step
  const wrapped = (items: readonly string[], [open, close]: string): string =>
    items.length === 0
      ? open + close
      : `${open}\n${items.map(item => inner + item).join(',\n')}\n${indent}${close}`
  if (isArray(value))
    return wrapped(
      value.map(item => jsonText(item, inner, step)),
      '[]',
    )
  if (isObject(value))
    return wrapped(
      [...value].map(([key, item]) => `${quoted(key)}: ${jsonText(item, inner, step)}`),
      '{}',
    )
  if (typeof value === 'string') return quoted(value)
  if (value instanceof JsonNumber) return numberText(value)
  return String(value)
}

function numberText({ float, value, text }: JsonNumber): string {
  if (!float) return text
  const printed = pyFloat(value)
  return special[printed] ?? printed
}

const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
