// Hyper-parameters of two packages, those of the scripts and those that the run really had.
import { cellTable, type PlainCell, titled } from '../formats/index.ts'
import { isObject, type Json, JsonNumber, type JsonObject } from '../json/index.ts'
import { problem, Refusal, type SetupFinding } from '../model/index.ts'
import { pyStr } from '../python/index.ts'
import { allNamesOf, type Match, matchBest, matchInOrder, type Named, namesOf } from './matching.ts'
import type { ConfigPackage } from './package.ts'
import { hidden, isSecret } from './secrets.ts'
import { finding, type Level, type PartResult, worst } from './types.ts'
import { cellFrom, pyEqual, sameMeaning, shortly } from './values.ts'

const files = ['hyperparameters_static.json', 'hyperparameters_dynamic.json'] as const
const titles = [
  'file_name',
  'bench_para',
  'cmp_para',
  'bench_value',
  'cmp_value',
  'matched_with',
  'level',
] as const

interface Row {
  readonly cells: readonly PlainCell[]
  readonly found: SetupFinding
}

export function compareHyperparameters(
  bench: ConfigPackage,
  debug: ConfigPackage,
  exact: boolean,
): PartResult {
  const rows = files.flatMap(file => {
    const name = `hyperparameters/${file}`
    if (!bench.hasFile(name) || !debug.hasFile(name)) return []
    const [mine, theirs] = [bench, debug].map(side => objectIn(side, name))
    return compareFile(mine, theirs, { file, exact }).toSorted((a, b) => byCells(a.cells, b.cells))
  })
  return {
    part: 'hyperparameters',
    verdict: worst(rows.map(({ found }) => found.level)),
    sheet: cellTable(titled(titles), rows.length, (row, column) => rows[row].cells[column]),
    findings: rows.map(({ found }) => found),
  }
}

function objectIn(side: ConfigPackage, name: string): JsonObject {
  const value = side.json(name)
  if (!isObject(value)) throw new Refusal(problem('config-no-object', `${side.path}/${name}`))
  return value
}

interface Asked {
  readonly file: string
  readonly exact: boolean
}

function compareFile(bench: JsonObject, debug: JsonObject, asked: Asked): readonly Row[] {
  const names = asked.exact ? namesOf : allNamesOf
  const [mine, theirs] = [names([...bench.keys()]), names([...debug.keys()])]
  const matches = asked.exact ? matchInOrder(mine, theirs) : matchBest(mine, theirs)
  const taken = new Set([...matches.values()].map(({ other }) => other.full))
  return [
    ...mine.flatMap(name => {
      const match = matches.get(name)
      const value = bench.get(name.full) ?? null
      if (!match) return [aloneRow(name.full, value, 'bench', asked)]
      return differingRow(name, match, [value, debug.get(match.other.full) ?? null], asked)
    }),
    ...[...debug]
      .filter(([name]) => !taken.has(name))
      .map(([name, value]) => aloneRow(name, value, 'debug', asked)),
  ]
}

function differingRow(
  name: Named,
  { other, how, unsure }: Match,
  [mine, theirs]: readonly [Json, Json],
  { file, exact }: Asked,
): readonly Row[] {
  const [a, b] = [printed(mine), printed(theirs)]
  if (exact ? pyEqual(a, b) : sameMeaning(mine, theirs)) return []
  // Two names that are merely alike may be two things.
  const level: Level = unsure && !exact ? 'warning' : 'error'
  const shown = (value: Json): Json => (isSecret(name.full) && !exact ? hidden : value)
  return [
    {
      cells: [file, name.full, other.full, cellFrom(shown(a)), cellFrom(shown(b)), how, level],
      found: finding('hyperparameters', level, 'hyper-differs', {
        name: name.full,
        other: other.full,
        bench: shortly(shown(mine)),
        debug: shortly(shown(theirs)),
        how,
      }),
    },
  ]
}

function aloneRow(name: string, value: Json, side: 'bench' | 'debug', { file, exact }: Asked): Row {
  const shown = isSecret(name) && !exact ? hidden : value
  const cells =
    side === 'bench'
      ? [file, name, 'Only in benchmark', cellFrom(printed(shown)), '', '', 'warning']
      : [file, 'Only in comparison', name, '', cellFrom(shown), '', 'warning']
  const found = finding('hyperparameters', 'warning', 'hyper-alone', {
    side,
    name,
    value: shortly(shown),
    file,
  })
  return { cells, found }
}

/** Numbers and truth values as Python prints them: 1 and 1.0 are two texts. */
const printed = (value: Json): Json =>
  value instanceof JsonNumber || typeof value === 'boolean' ? pyStr(value) : value

function byCells(a: readonly PlainCell[], b: readonly PlainCell[]): number {
  for (let i = 0; i < 3; i++) {
    const [x, y] = [String(a[i]), String(b[i])]
    if (x !== y) return x < y ? -1 : 1
  }
  return 0
}
