// Writes what the window asks for of one unit; tables go through the same writers as on the command line.
import type { GraphRequest, GraphResult } from '../graph/index.ts'
import type { UnitRef } from '../layout/index.ts'
import { type Files, openOutput, type Output } from '../io/index.ts'
import type { Job } from '../work/index.ts'
import {
  type ReportOrder,
  type Advice,
  type Counts,
  type FindingRecomputed,
  type PairRow,
  problem,
  recomputedStates,
  Refusal,
  type StackFrame,
  type ReportFormat,
  tableFormats,
} from '../model/index.ts'
import { countsOf } from '../judge/index.ts'
import { advisorFile } from './advisor-file.ts'
import { graphName, resultNames, type ResultNames } from './result-names.ts'
import {
  type HtmlWords,
  visDbWriter,
  writeComparison,
  writeHtml,
  writeSingleVis,
  writeVis,
} from '../report/index.ts'
import type { UnitView } from './pair/derived.ts'

/** Sentences come from outside: the engine has no words. */
export interface ReportWords extends HtmlWords {
  advice(key: string): string
  adviceText(advice: Advice, counts: Counts, recomputed: FindingRecomputed | null): string
}

export interface ReportParts {
  readonly files: Files
  readonly words: ReportWords
  readonly order: ReportOrder
}

interface Writing extends ReportParts {
  readonly at: UnitView
  readonly place: UnitRef
  readonly output: Output
  readonly job: Job
  readonly names: ResultNames
  readonly facts: Readonly<Record<string, string>>
}

export async function writeUnit(
  at: UnitView,
  parts: ReportParts,
  job: Job,
): Promise<{ readonly paths: readonly string[] }> {
  const { table, place } = at
  const output = openOutput(
    parts.order.folder,
    [place.debug, place.bench].filter(dir => dir !== ''),
    true,
  )
  try {
    await writers[parts.order.format]({
      ...parts,
      at,
      place,
      output,
      job,
      names: resultNames(place.suffix),
      facts: {
        rules: table.rules,
        mode: table.mode,
        debug: table.debug.file || place.debug,
        bench: table.bench?.file || place.bench,
      },
    })
    return { paths: output.commit() }
  } finally {
    output.abandon()
  }
}

const text = (output: Output, name: string, content: string): void =>
  output.create(name).write(new TextEncoder().encode(content))

/** What was recomputed of the rows, in the words of the window; null where nothing was. */
function recomputedColumn(
  at: UnitView,
  words: ReportWords,
): { title: string; text(row: PairRow): string } | null {
  const marks = at.recomputedRows()
  if (!marks) return null
  const texts = ['', ...recomputedStates.map(state => words.say(`recompute.state.${state}`))]
  return { title: 'Recomputed', text: row => texts[marks[row]] }
}

const tables = Object.fromEntries(
  tableFormats.map(format => [
    format,
    ({ at, output, names, facts, job, words }: Writing): Promise<void> =>
      writeComparison(
        format,
        at.comparison,
        { output, name: names.table },
        { facts, behind: recomputedColumn(at, words) },
        job,
      ),
  ]),
) as Pick<Record<ReportFormat, (w: Writing) => Promise<void>>, 'xlsx' | 'csv' | 'arrow' | 'parquet'>

const writers: Readonly<Record<ReportFormat, (writing: Writing) => Promise<void>>> = {
  ...tables,
  async advisor({ at, output, names, words }) {
    const { comparison } = at
    const findings = words.adviceText(await at.advice(), countsOf(comparison), at.recomputed().headline)
    text(output, names.advisor, advisorFile(comparison, words.advice, findings))
  },
  async json({ at, output, names, facts, place }) {
    const { findings, noise, dumpNext, first } = await at.advice()
    const summary = {
      version: 1,
      ...facts,
      step: place.step,
      rank: place.rank,
      counts: countsOf(at.comparison),
      first,
      findings,
      noise,
      dumpNext,
      recomputed: at.recomputed().headline,
    }
    text(
      output,
      names.summary,
      `${JSON.stringify(summary, (_, v: unknown) => (typeof v === 'number' && !Number.isFinite(v) ? String(v) : v), 1)}\n`,
    )
  },
  async html({ at, output, names, facts, order, words, place, job }) {
    const sink = output.create(names.page)
    const advice = await at.advice()
    const { rules, mode, ...sides } = facts
    const units = [['step', place.step] as const, ['rank', place.rank] as const]
    const unit = units.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)] as const]))
    await writeHtml(
      {
        comparison: at.comparison,
        advice,
        recomputed: at.recomputed().headline,
        source: await sourceOf(at, advice),
        pictures: order.pictures ?? [],
        notes: order.notes ?? [],
        tried: order.tried ?? [],
        facts: { ...sides, ...Object.fromEntries(unit), mode, rules, written: new Date().toISOString() },
      },
      words,
      sink,
      job,
    )
  },
  async vis(writing) {
    const { at, files, output, place, job } = writing
    const { pair, single } = await graphsOfUnit(at, place, job)
    const options = { fullStacks: true, overflow: true }
    const label = place.rank === null ? '' : `rank${place.rank}`
    const sink = output.create(graphName(pair ? 'compare' : 'build', label, 'vis'))
    if (pair) await writeVis(pair, options, files, sink, job)
    else if (single)
      await writeSingleVis({ rules: writing.at.needs.options.rules, ...single }, options, files, sink, job)
  },
  async 'vis.db'(writing) {
    const { at, files, output, job, place } = writing
    const result = await graphsOfUnit(at, place, job)
    const request: GraphRequest = {
      debug: place.debug,
      bench: place.bench,
      output: output.folder,
      rules: at.needs.options.rules,
      fuzzy: at.needs.options.fuzzy,
      fullStacks: true,
      overflow: true,
      layerMapping: at.needs.options.mapping.layer ?? null,
      format: 'vis.db',
    }
    const database = visDbWriter(
      files,
      request,
      [result.unit],
      output.create(graphName(result.pair ? 'compare' : 'build', '', 'vis.db')),
    )
    try {
      await database.add(result, job)
      database.finish()
    } finally {
      database.abandon()
    }
  },
}

/** The model's own line that called the node of the headline. */
async function sourceOf(at: UnitView, { findings: [headline] }: Advice): Promise<StackFrame | null> {
  if (!headline || headline.node === '') return null
  const { stack } = await at.node({ [headline.side]: headline.node })
  const frames = stack.debug.length > 0 ? stack.debug : stack.bench
  return frames.find(frame => !frame.framework) ?? frames[0] ?? null
}

/** What the files of graphs are written from. */
export async function graphsOfUnit(at: UnitView, place: UnitRef, job: Job): Promise<GraphResult> {
  const { view, pair } = await at.graphs()
  const { graph, dump } = view.marks.debug
  if (!pair && place.bench !== '')
    throw new Refusal(problem('option-unsupported', place.debug, { option: 'vis' }))
  return {
    unit: { label: '', step: place.step ?? 0, rank: place.rank ?? 0, debug: place.debug, bench: place.bench },
    pair: pair && (await at.exported(job)),
    single: pair ? null : { graph, dump, overflow: null },
    peers: { debug: new Map(), bench: new Map() },
  }
}
