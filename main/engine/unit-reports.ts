// Writes what the window asks for of one unit; tables go through the same writers as on the command line.
import type { Unit as UnitPlace } from './formats/detect.ts'
import type { GraphRequest, GraphResult } from './graph/command.ts'
import type { Files } from './io/files.ts'
import { openOutput, type Output } from './io/output.ts'
import type { Job } from './job.ts'
import { adviceKey, advisorText, firstFailing } from './match/index.ts'
import { problem, Refusal } from './problem.ts'
import { countsOf, type Counts } from './report/counts.ts'
import { writeHtml, type HtmlWords } from './report/html.ts'
import { tableFormats, writeComparison } from './report/index.ts'
import { stampOf } from './report/names.ts'
import { visDbWriter } from './report/vis-db.ts'
import { writeSingleVis, writeVis } from './report/vis.ts'
import type { UnitNeeds, UnitView } from './unit.ts'
import type { Advice, ReportFormat, ReportQuery } from '../../preload/contract/engine.ts'

/** Sentences come from outside: the engine has no words. */
export interface ReportWords extends HtmlWords {
  advice(key: string): string
  adviceText(advice: Advice, counts: Counts): string
}

export interface ReportParts {
  readonly files: Files
  readonly words: ReportWords
  readonly needs: UnitNeeds
  readonly query: ReportQuery
}

interface Writing extends ReportParts {
  readonly at: UnitView
  readonly place: UnitPlace
  readonly output: Output
  readonly job: Job
  /** `_rank0-rank0` where there are ranks. */
  readonly suffix: string
  readonly stamp: string
  readonly facts: Readonly<Record<string, string>>
}

export async function writeUnit(at: UnitView, place: UnitPlace, parts: ReportParts, job: Job): Promise<{ readonly paths: readonly string[] }> {
  const { comparison } = at.loaded
  const output = openOutput(parts.query.folder, [place.debug, place.bench].filter(dir => dir !== ''), true)
  try {
    await writers[parts.query.format]({
      ...parts, at, place, output, job, stamp: stampOf(new Date()), suffix: place.rank === null ? '' : `_rank${place.rank}-rank${place.rank}`,
      facts: { rules: comparison.rules, mode: comparison.mode, debug: comparison.debug.files.dump || place.debug, bench: comparison.bench.files.dump || place.bench },
    })
    return { paths: output.commit() }
  } finally {
    output.abandon()
  }
}

const text = (output: Output, name: string, content: string): void => output.create(name).write(new TextEncoder().encode(content))

const tables = Object.fromEntries(tableFormats.map(format => [format, ({ at, output, suffix, stamp, facts, job }: Writing): Promise<void> =>
  writeComparison(format, at.loaded.comparison, `compare_result${suffix}_${stamp}`, output, { facts }, job)])) as Pick<Record<ReportFormat, (w: Writing) => Promise<void>>, 'xlsx' | 'csv' | 'arrow' | 'parquet'>

const writers: Readonly<Record<ReportFormat, (writing: Writing) => Promise<void>>> = {
  ...tables,
  async advisor({ at, needs, output, suffix, stamp, words }) {
    const first = firstFailing(at.loaded.comparison)
    text(output, `advisor${suffix}_${stamp}.txt`, advisorText(first, words.advice(adviceKey(first))) + words.adviceText(await at.advice(needs), countsOf(at.loaded.comparison)))
  },
  async json({ at, needs, output, suffix, stamp, facts, place }) {
    const { findings, noise, dumpNext, first } = await at.advice(needs)
    const summary = { version: 1, ...facts, step: place.step, rank: place.rank, counts: countsOf(at.loaded.comparison), first, findings, noise, dumpNext }
    text(output, `summary${suffix}_${stamp}.json`, `${JSON.stringify(summary, (_, v: unknown) => (typeof v === 'number' && !Number.isFinite(v) ? String(v) : v), 1)}\n`)
  },
  async html({ at, needs, output, suffix, stamp, facts, query, words, job }) {
    const sink = output.create(`report${suffix}_${stamp}.html`)
    await writeHtml({ comparison: at.loaded.comparison, advice: await at.advice(needs), pictures: query.pictures ?? [], facts: { ...facts, written: new Date().toISOString() } }, words, sink, job)
  },
  async vis(writing) {
    const { files, output, suffix, stamp, job } = writing
    const { pair, single } = await graphOf(writing)
    const options = { fullStacks: true, overflow: true }
    const sink = output.create(`${pair ? 'compare' : 'build'}${suffix.split('-')[0]}_${stamp}.vis`)
    if (pair) await writeVis(pair, options, files, sink, job)
    else if (single) await writeSingleVis({ rules: writing.needs.options.rules, ...single }, options, files, sink, job)
  },
  async 'vis.db'(writing) {
    const { files, output, stamp, job, place, needs } = writing
    const result = await graphOf(writing)
    const request: GraphRequest = {
      debug: place.debug, bench: place.bench, output: output.folder, rules: needs.options.rules, fuzzy: needs.options.fuzzy, fullStacks: true, overflow: true,
      layerMapping: needs.options.mapping.layer ?? null, format: 'vis.db',
    }
    const database = visDbWriter(files, request, { is: 'single', units: [result.unit], problems: [] }, output.create(`${result.pair ? 'compare' : 'build'}_${stamp}.vis.db`))
    try {
      await database.add(result, job)
      database.finish()
    } finally {
      database.abandon()
    }
  },
}

async function graphOf({ at, place, needs }: Writing): Promise<GraphResult> {
  const { view, pair } = await at.graphs(needs)
  const { graph, dump } = view.marks.debug
  if (!pair && place.bench !== '') throw new Refusal(problem('option-unsupported', place.debug, { option: 'vis' }))
  return {
    unit: { label: '', step: place.step ?? 0, rank: place.rank ?? 0, debug: place.debug, bench: place.bench },
    pair, single: pair ? null : { graph, dump, overflow: null }, peers: { debug: new Map(), bench: new Map() },
  }
}
