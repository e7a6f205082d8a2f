// Calls of random generators in two packages: as often, from the same places of the code.
import { cellTable, type PlainCell, titled } from '../formats/index.ts'
import { isArray, isObject, type Json, JsonNumber, type JsonObject } from '../json/index.ts'
import { problem, Refusal, type SetupFinding } from '../model/index.ts'
import { pyStr } from '../python/index.ts'
import type { ConfigPackage } from './package.ts'
import { ratio } from './ratio.ts'
import { finding, type PartResult } from './types.ts'
import { cellFrom, pyEqual } from './values.ts'

const titles = ['op', 'rank', 'bench_stack', 'cmp_stack', 'bench_count', 'cmp_count', 'check_result'] as const
const noStack = 'no match stack'
/** What a frame must have in common: the file's name, the function, the line of code, a third each. */
const alikeFrom = 0.8

interface Entry {
  readonly count: Json
  readonly stack: readonly string[]
}

interface Row {
  readonly cells: readonly PlainCell[]
  readonly found: SetupFinding | null
}

export function compareRandom(bench: ConfigPackage, debug: ConfigPackage): PartResult {
  const [mine, theirs] = [ranksIn(bench), ranksIn(debug)]
  const ranks = [...new Set([...mine.keys(), ...theirs.keys()])].sort((a, b) => a - b)
  const rows = ranks.flatMap(rank =>
    rankRows(rank, mine.get(rank) ?? new Map(), theirs.get(rank) ?? new Map()),
  )
  const findings = rows.flatMap(({ found }) => found ?? [])
  return {
    part: 'random',
    verdict: findings.length > 0 ? 'error' : 'pass',
    sheet: cellTable(titled(titles), rows.length, (row, column) => rows[row].cells[column]),
    findings,
  }
}

type Calls = ReadonlyMap<string, readonly Entry[]>

function ranksIn(side: ConfigPackage): ReadonlyMap<number, Calls> {
  const found = new Map<number, Calls>()
  for (const name of side.below('random')) {
    const [, rank] = /^random\/rank([^/.]*)[^/]*\.json$/.exec(name) ?? []
    if (rank === undefined) continue
    const path = `${side.path}/${name}`
    if (!/^\d+$/.test(rank)) throw new Refusal(problem('config-place', path))
    const value = side.json(name)
    if (!isObject(value)) throw new Refusal(problem('config-no-object', path))
    found.set(Number(rank), callsIn(value, path))
  }
  return found
}

const callsIn = (value: JsonObject, path: string): Calls =>
  new Map(
    [...value].map(([op, entries]) => [op, isArray(entries) ? entries.map(one => entryOf(one, path)) : []]),
  )

function entryOf(value: Json, path: string): Entry {
  const stack = isObject(value) ? value.get('stack') : undefined
  const count = isObject(value) ? value.get('count') : undefined
  if (!isArray(stack) || !(count instanceof JsonNumber)) throw new Refusal(problem('config-no-calls', path))
  return { count, stack: stack.map(pyStr) }
}

function rankRows(rank: number, bench: Calls, debug: Calls): readonly Row[] {
  return [...new Set([...bench.keys(), ...debug.keys()])].flatMap(op => {
    const [mine, theirs] = [bench.get(op) ?? [], debug.get(op) ?? []]
    return [
      ...mine.map(entry => benchRow(op, rank, entry, theirs)),
      ...theirs
        .filter(entry => !mine.some(other => alike(other.stack, entry.stack)))
        .map(entry => aloneRow(op, rank, entry, 'debug')),
    ]
  })
}

function benchRow(op: string, rank: number, entry: Entry, others: readonly Entry[]): Row {
  const other = others.find(({ stack }) => alike(stack, entry.stack))
  if (!other) return aloneRow(op, rank, entry, 'bench')
  const same = pyEqual(entry.count, other.count)
  const [bench, debug] = [pyStr(entry.count), pyStr(other.count)]
  const facts = { name: op, rank, bench, debug, stack: entry.stack.at(-1) ?? '' }
  return {
    cells: [op, rank, lines(entry), lines(other), cellFrom(entry.count), cellFrom(other.count), same],
    found: same ? null : finding('random', 'error', 'random-count', facts),
  }
}

function aloneRow(op: string, rank: number, entry: Entry, side: 'bench' | 'debug'): Row {
  const count = cellFrom(entry.count)
  const facts = { side, name: op, rank, count: pyStr(entry.count), stack: entry.stack.at(-1) ?? '' }
  return {
    cells:
      side === 'bench'
        ? [op, rank, lines(entry), noStack, count, 0, false]
        : [op, rank, noStack, lines(entry), 0, count, false],
    found: finding('random', 'error', 'random-alone', facts),
  }
}

const lines = ({ stack }: Entry): string => stack.join('\n')

/** Whether two stacks are the same way through the code, which may have moved and changed a little. */
function alike(first: readonly string[], second: readonly string[]): boolean {
  return (
    first.length === second.length &&
    first.every((frame, i) => {
      const [a, b] = [frameOf(frame), frameOf(second[i])]
      const file = a.file !== '' && a.file === b.file ? 1 : 0
      const routine = a.routine === b.routine ? 1 : 0
      return (file + routine + ratio(a.code, b.code)) / 3 >= alikeFrom
    })
  )
}

/** `File {path}, line {line}, in {function}, {code}`. */
function frameOf(frame: string): { readonly file: string; readonly routine: string; readonly code: string } {
  const words = frame.split(' ')
  if (words.length <= 6) return { file: '', routine: '', code: '' }
  const path = words[1].slice(0, -1)
  return {
    file: path === '' ? '' : path.slice(path.lastIndexOf('/') + 1),
    routine: words[5].slice(0, -1),
    code: words.slice(6).join(' '),
  }
}
