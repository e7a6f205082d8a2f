// Mapping texts as nearly everybody writes them, one pair per line, read and edited without a yaml reader: as
import type { Span, TextEdit } from '../model/index.ts'
// fast as they are long.

export interface PlainPair {
  readonly key: string
  readonly value: string
  readonly keyAt: Span
  readonly valueAt: Span
  /** Where the pair's line begins. */
  readonly line: number
}

interface PlainGroup {
  readonly key: string
  readonly keyAt: Span
  readonly line: number
  readonly pairs: readonly PlainPair[]
}

/** Words that yaml 1.1 takes for something else than text. */
const special = /^(?:true|false|yes|no|on|off|null|y|n)$/i
const scalar = String.raw`(?:([A-Za-z_][\w./-]*)|'([^'\\\n\r\t]*)'|"([^"\\\n\r\t]*)"|(0|[1-9]\d{0,14}))`
const pairForm = new RegExp(`( *)${scalar}:(?: +${scalar})? *(?: #[^\\n]*)?\\r?(?:\\n|$)`, 'y')
const emptyForm = / *(?:#[^\n]*)?\r?(?:\n|$)/y
const longestKey = 1000

/** Pairs of a text of one level; null where only a yaml reader can tell. */
export function plainPairs(text: string): readonly PlainPair[] | null {
  const found: PlainPair[] = []
  return lines(text, (indent, _, pair) => indent === 0 && pair !== null && found.push(pair) > 0)
    ? found
    : null
}

/** Groups of pairs of a text of two levels; null where only a yaml reader can tell. */
export function plainGroups(text: string): readonly PlainGroup[] | null {
  const found: { key: string; keyAt: Span; line: number; pairs: PlainPair[] }[] = []
  let width = 0
  const plain = lines(text, (indent, head, pair) => {
    if (indent === 0) {
      width = 0
      return pair === null && found.push({ ...head, pairs: [] }) > 0
    }
    const group = found.at(-1)
    width ||= indent
    return group !== undefined && pair !== null && indent === width && group.pairs.push(pair) > 0
  })
  return plain ? found : null
}

type Head = Pick<PlainPair, 'key' | 'keyAt' | 'line'>

function lines(text: string, take: (indent: number, head: Head, pair: PlainPair | null) => boolean): boolean {
  for (let at = 0; at < text.length;) {
    emptyForm.lastIndex = at
    if (emptyForm.test(text) && emptyForm.lastIndex > at) {
      at = emptyForm.lastIndex
      continue
    }
    pairForm.lastIndex = at
    const form = pairForm.exec(text)
    if (!form) return false
    const [whole, indent, bareKey, oneKey, twoKey, numberKey, bare, one, two, number] = form
    // A number as a key is worth a note, which only the other reader writes.
    if (
      numberKey !== undefined ||
      (bareKey !== undefined && special.test(bareKey)) ||
      (bare !== undefined && special.test(bare))
    )
      return false
    const key = bareKey ?? oneKey ?? twoKey
    if (key.length > longestKey) return false
    const from = at + indent.length
    const keyTo = from + key.length + (bareKey === undefined ? 2 : 0)
    const head = { key, keyAt: { from, to: keyTo }, line: at }
    const value = bare ?? one ?? two ?? number
    let pair: PlainPair | null = null
    if (value !== undefined) {
      let begin = keyTo + 1
      while (text.charCodeAt(begin) === 32) begin++
      pair = {
        ...head,
        value,
        valueAt: { from: begin, to: begin + value.length + (one === undefined && two === undefined ? 0 : 2) },
      }
    }
    if (!take(indent.length, head, pair)) return false
    at += whole.length
  }
  return true
}

// ---------------------------------------- edits

export interface PlainChange {
  /** The group's key; '' where there are no groups. */
  readonly group: string
  readonly key: string
  readonly value: string
}

/**
 * A text with pairs set and taken out, every other character left alone; null where only a yaml library can
 * do it.
 */
export function editPlain(
  given: string,
  grouped: boolean,
  set: readonly PlainChange[],
  remove: readonly PlainChange[],
): string | null {
  const text = given === '' || given.endsWith('\n') ? given : `${given}\n`
  const groups = grouped ? plainGroups(text) : alone(plainPairs(text))
  if (!groups) return null
  const edits: TextEdit[] = []
  const ends = new Map<string, number>()
  const known = new Map<string, PlainPair>()
  const left = new Map<string, number>()
  for (const group of groups) {
    ends.set(group.key, afterLine(text, group.pairs.at(-1)?.line ?? group.line))
    left.set(group.key, (left.get(group.key) ?? 0) + group.pairs.length)
    for (const pair of group.pairs) known.set(`${group.key}\n${pair.key}`, pair)
  }
  // A group that stands twice counts once, with its last pairs: the library knows which.
  if (groups.length !== ends.size) return null
  const gone = new Set(remove.map(({ group, key }) => `${group}\n${key}`))
  for (const { group, key } of set) gone.delete(`${group}\n${key}`)
  for (const group of groups) {
    let taken = 0
    for (const pair of group.pairs) {
      if (!gone.has(`${group.key}\n${pair.key}`)) continue
      taken++
      edits.push({ from: pair.line, to: afterLine(text, pair.line), text: '' })
    }
    const stays = taken < group.pairs.length || set.some(change => change.group === group.key)
    if (grouped && taken > 0 && !stays)
      edits.push({ from: group.line, to: afterLine(text, group.line), text: '' })
  }
  const added = new Map<string, Map<string, string>>()
  for (const { group, key, value } of set) {
    const pair = known.get(`${group}\n${key}`)
    if (pair) edits.push({ ...pair.valueAt, text: written(value) })
    else {
      const list = added.get(group)
      if (list) list.set(key, value)
      else added.set(group, new Map([[key, value]]))
    }
  }
  // A new group goes behind what is added to the last one.
  const oldFirst = [...added].sort(([a], [b]) => Number(ends.has(b)) - Number(ends.has(a)))
  for (const [group, list] of oldFirst) {
    const members = groups.find(one => one.key === group)?.pairs ?? []
    const indent = grouped ? ' '.repeat(members.length > 0 ? members[0].keyAt.from - members[0].line : 2) : ''
    const body = [...list].map(([key, value]) => `${indent}${written(key)}: ${written(value)}\n`).join('')
    const at = ends.get(group) ?? text.length
    const head = grouped && !ends.has(group) ? `${written(group)}:\n` : ''
    edits.push({ from: at, to: at, text: head + body })
  }
  return applied(text, edits)
}

/** Texts that yaml would take for something else get quotes. */
export const written = (text: string): string =>
  /^[A-Za-z_][\w./-]*$/.test(text) && !special.test(text) ? text : `'${text.replaceAll("'", "''")}'`

const alone = (pairs: readonly PlainPair[] | null): readonly PlainGroup[] | null =>
  pairs && (pairs.length === 0 ? [] : [{ key: '', keyAt: { from: 0, to: 0 }, line: 0, pairs }])

function afterLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end + 1
}

/** Edits that do not overlap, put into a text; those at one place in their order. */
export function applied(text: string, edits: readonly TextEdit[]): string {
  const sorted = edits.map((edit, i) => ({ edit, i })).sort((a, b) => a.edit.from - b.edit.from || a.i - b.i)
  let out = ''
  let at = 0
  for (const { edit } of sorted) {
    out += text.slice(at, edit.from) + edit.text
    at = Math.max(at, edit.to)
  }
  return out + text.slice(at)
}
