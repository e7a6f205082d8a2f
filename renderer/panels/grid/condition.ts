// One line of text as the condition of a column: `> 0.1`, `0..1`, `^Mint`, `/conv\d/`, `!bias`. Columns of
// percentages are typed as they are shown.
import type { ColumnFilter } from '../../../preload/contract/engine.ts'
import { isTypedPattern } from '../../state/typed-pattern.ts'

/** null: no condition; 'invalid': not understood. */
export function readCondition(
  column: string,
  numeric: boolean,
  given: string,
): ColumnFilter | null | 'invalid' {
  const text = given.trim()
  if (text === '') return null
  return numeric ? readNumber(column, text, isPercent(column) ? 0.01 : 1) : readText(column, text)
}

/** Columns whose cells read `3.2%`; the engine counts them as 0.032. */
export const isPercent = (column: string): boolean => column.endsWith('Relative')

const relation = /^(>=|<=|!=|<>|==|=|>|<|≥|≤|≠)?\s*(\S+(?:\s*%)?)$/
const relations = {
  '>=': '>=',
  '≥': '>=',
  '<=': '<=',
  '≤': '<=',
  '!=': '!=',
  '<>': '!=',
  '≠': '!=',
  '==': '=',
  '=': '=',
  '>': '>',
  '<': '<',
} as const

function readNumber(column: string, text: string, unit: number): ColumnFilter | 'invalid' {
  const range = text.split(/\s*(?:\.\.|…|~)\s*/)
  if (range.length === 2) {
    const [from, to] = range.map(end => toNumber(end) * unit)
    return from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to)
      ? 'invalid'
      : { column, is: 'number', op: 'between', value: from, to }
  }
  const match = relation.exec(text)
  const value = toNumber(match?.[2] ?? '') * unit
  if (!match || Number.isNaN(value)) return isWord(text) ? { column, is: 'set', values: [text] } : 'invalid'
  return { column, is: 'number', op: match[1] ? relations[match[1] as keyof typeof relations] : '=', value }
}

const isWord = (text: string): boolean => /^[A-Za-z][\w/ ]*$/.test(text)

const toNumber = (text: string): number => {
  if (/^[+-]?inf$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  const percent = text.endsWith('%')
  const number = Number(percent ? text.slice(0, -1).trim() : text)
  return text === '' ? NaN : number
}

function readText(column: string, text: string): ColumnFilter | 'invalid' {
  const regex = /^\/(.+)\/$/.exec(text)?.[1]
  if (regex !== undefined) {
    return isTypedPattern(regex) ? { column, is: 'text', op: 'regex', text: regex } : 'invalid'
  }
  if (text.length > 1) {
    if (text.startsWith('!')) return { column, is: 'text', op: 'notContains', text: text.slice(1) }
    if (text.startsWith('=')) return { column, is: 'text', op: 'equals', text: text.slice(1) }
    if (text.startsWith('^')) return { column, is: 'text', op: 'startsWith', text: text.slice(1) }
    if (text.endsWith('$')) return { column, is: 'text', op: 'endsWith', text: text.slice(0, -1) }
  }
  return { column, is: 'text', op: 'contains', text }
}

/** A condition as one would type it. */
export function writeCondition(filter: ColumnFilter | undefined): string {
  if (!filter) return ''
  if (filter.is === 'set') return filter.values.join(' | ')
  if (filter.is === 'number') {
    const shown = (value: number): string =>
      isPercent(filter.column) ? `${Number((value * 100).toPrecision(12))}%` : String(value)
    return filter.op === 'between'
      ? `${shown(filter.value)}..${filter.to === undefined ? '' : shown(filter.to)}`
      : `${filter.op === '=' ? '' : filter.op} ${shown(filter.value)}`.trim()
  }
  switch (filter.op) {
    case 'regex':
      return `/${filter.text}/`
    case 'notContains':
      return `!${filter.text}`
    case 'equals':
      return `=${filter.text}`
    case 'startsWith':
      return `^${filter.text}`
    case 'endsWith':
      return `${filter.text}$`
    default:
      return filter.text
  }
}
