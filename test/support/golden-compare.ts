// Runs a compare case of the fixtures through the engine and sets our cells beside the reference's.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { dumpFilesOf, readDump } from '../../main/engine/formats/msprobe/read.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/work/job.ts'
import { compareDumps, type CompareSettings } from '../../main/engine/study/pair/compare.ts'
import { defaultThresholds } from '../../main/engine/rules/thresholds.ts'
import { measurePairs } from '../../main/engine/measure/tensor-pairs.ts'
import { Fill, type Rules } from '../../main/engine/model/names.ts'
import type { Comparison } from '../../main/engine/model/comparison.ts'
import { tasks } from '../../main/engine/threads/index.ts'
import { inlinePool } from '../../main/engine/work/inline.ts'
import type { MappingTexts } from '../../preload/contract/engine.ts'
import { csvRows } from './csv.ts'

export interface CompareCase {
  readonly name: string
  readonly folder: string
  readonly failed: boolean
  readonly settings: Omit<CompareSettings, 'rules'>
  /** Folders of both dumps, with the suffix of their files; one per rank. */
  readonly runs: readonly { readonly suffix: string; readonly debug: string; readonly bench: string }[]
}

export const compareOnly = /^(?:cmp_|cross_|v26_oldcmp)/

export function readCase(root: string, name: string): CompareCase {
  const folder = path.join(root, 'cases', name)
  const [command = ''] = readFileSync(path.join(folder, 'cmd.txt'), 'utf8').split('\n')
  const words = command.trim().split(/\s+/)
  const config = JSON.parse(readFileSync(path.join(folder, 'compare.json'), 'utf8')) as {
    npu_path: string
    bench_path: string
    stack_path?: string
  }
  const after = words.slice(words.indexOf('compare'))
  const mappingOf = (option: string): string | undefined => {
    const at = after.indexOf(option)
    if (at < 0) return undefined
    const file = after[at + 1]
    return file?.endsWith('.yaml') ? readFileSync(path.join(folder, file), 'utf8') : ''
  }
  const mapping: Record<string, string> = {}
  for (const [kind, option] of [
    ['api', '-am'],
    ['cell', '-cm'],
    ['data', '-dm'],
    ['layer', '-lm'],
  ] as const) {
    const text = mappingOf(option)
    if (text !== undefined) mapping[kind] = text
  }
  const log = path.join(folder, 'golden', 'console.log')
  const debug = path.resolve(folder, config.npu_path)
  const bench = path.resolve(folder, config.bench_path)
  const single = debug.endsWith('.json')
  return {
    name,
    folder,
    failed: existsSync(log) && !readFileSync(log, 'utf8').includes('exit code 0 ---'),
    settings: {
      engine: words.includes('pytorch') ? 'pytorch' : 'mindspore',
      fuzzy: after.includes('-f'),
      mapping: mapping as MappingTexts,
      stack: single && config.stack_path !== undefined ? after.includes('-s') : 'auto',
      thresholds: defaultThresholds,
    },
    runs: single
      ? [{ suffix: '', debug: path.dirname(debug), bench: path.dirname(bench) }]
      : ranks(debug).map(rank => ({
          suffix: `_${rank}-${rank}`,
          debug: path.join(debug, rank),
          bench: path.join(bench, rank),
        })),
  }
}

const ranks = (folder: string): string[] =>
  readdirSync(folder)
    .filter(name => /^rank\d*$/.test(name))
    .sort()

export async function runCase(
  one: CompareCase,
  run: CompareCase['runs'][number],
  rules: Rules,
): Promise<Comparison> {
  const files = diskFiles()
  files.allow(run.debug)
  files.allow(run.bench)
  const here = job()
  const [debug, bench] = [
    await readDump(files, dumpFilesOf(files, run.debug), here),
    await readDump(files, dumpFilesOf(files, run.bench), here),
  ]
  const pool = inlinePool(tasks)
  return compareDumps(
    debug,
    bench,
    { ...one.settings, rules },
    { job: here, measure: (pairs, at, grown) => measurePairs(pool, files, pairs, at, grown) },
  )
}

export interface Tally {
  cells: number
  equal: number
  near: number
  readonly different: string[]
}

const metricTitles = new Set([
  'Cosine',
  'MaxAbsErr',
  'MaxRelativeErr',
  'One Thousandth Err Ratio',
  'Five Thousandths Err Ratio',
])

/** Every cell and fill of one golden table; numbers of tensors may be off by one in the 12th decimal. */
export function tally(comparison: Comparison, golden: string, cellsJson: string): Tally {
  const [head = [], ...rows] = csvRows(golden)
  const columns = comparison.columns.map((_, i) => i).filter(i => !comparison.columns[i]?.extra)
  const found: Tally = { cells: 0, equal: 0, near: 0, different: [] }
  const titles = columns.map(i => comparison.columns[i]?.title)
  if (titles.join() !== head.join()) found.different.push(`columns ${titles.join()} | ${head.join()}`)
  if (comparison.length !== rows.length) found.different.push(`rows ${comparison.length} | ${rows.length}`)
  rows.forEach((row, r) => {
    if (r >= comparison.length) return
    columns.forEach((column, c) => {
      const mine = comparison.text(r, column)
      const theirs = row[c] ?? ''
      found.cells++
      if (mine === theirs) found.equal++
      else if (
        comparison.mode === 'tensor' &&
        metricTitles.has(head[c] ?? '') &&
        close(Number(mine), Number(theirs))
      )
        found.near++
      else
        found.different.push(
          `row ${r} ${row[0]} ${head[c]}: ${JSON.stringify(mine)} | ${JSON.stringify(theirs)}`,
        )
    })
  })
  const fills = JSON.parse(cellsJson) as { fills: Record<string, string> }
  for (let r = 0; r < comparison.length; r++) {
    const want = (fills.fills[String(r + 2)] ?? '').slice(-6).toUpperCase()
    const have =
      comparison.fill[r] === Fill.red ? 'FF0000' : comparison.fill[r] === Fill.yellow ? 'FFFF00' : ''
    if (want !== have) found.different.push(`row ${r} ${comparison.text(r, 0)} fill: ${have} | ${want}`)
  }
  return found
}

const close = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(1.01e-12, 1e-12 * Math.abs(b))

/** The golden files of one run. */
export function goldenOf(
  one: CompareCase,
  suffix: string,
): {
  readonly csv: string
  readonly cells: string
  readonly advisor: string | null
  readonly mapping: string | null
} {
  const folder = path.join(one.folder, 'golden')
  const names = readdirSync(folder)
  const read = (pattern: RegExp): string | null => {
    const name = names.find(n => pattern.test(n))
    return name === undefined ? null : readFileSync(path.join(folder, name), 'utf8')
  }
  return {
    csv: read(new RegExp(`^compare_result${suffix}_\\d{14}\\.csv$`)) ?? '',
    cells: read(new RegExp(`^compare_result${suffix}_\\d{14}\\.cells\\.json$`)) ?? '{"fills":{}}',
    advisor: read(new RegExp(`^advisor${suffix}_\\d{14}\\.txt$`)),
    mapping: read(/^data_mapping_\d{14}\.yaml$/),
  }
}
