// The map command: what a mapping file does to two dumps, and what could stand in it.
import { readDump } from '../formats/msprobe.ts'
import { openOutput } from '../io/output.ts'
import { absolute, baseOf, dirOf } from '../io/paths.ts'
import type { Job } from '../job.ts'
import { kindOf, parseMapping } from '../match/document.ts'
import { editMapping, savedText } from '../match/edit-mapping.ts'
import { defaultThresholds } from '../match/index.ts'
import { MappingDesk } from '../match/mapping.ts'
import { propose } from '../match/propose.ts'
import { firstForeign } from '../match/text-file.ts'
import { problem, Refusal } from '../problem.ts'
import type { MappingCoverage, MappingDiagnostic, MappingEntry, MappingKind, MappingProposal, Rules } from '../../../preload/contract/engine.ts'
import { readMappingFile } from './compare-json.ts'
import type { BatchParts } from './request.ts'
import { pairsOfPaths } from './units.ts'

export interface MapCheckRequest {
  readonly file: string
  /** Null: by what stands in the file. */
  readonly kind: MappingKind | null
  /** Both dumps; null checks the form only. */
  readonly dumps: readonly [string, string] | null
  readonly rules: Rules
}

export interface PlacedDiagnostic extends MappingDiagnostic {
  readonly line: number
  readonly column: number
}

export interface MapCheckResult {
  readonly kind: MappingKind
  readonly diagnostics: readonly PlacedDiagnostic[]
  readonly entries: readonly MappingEntry[]
  readonly coverage: MappingCoverage | null
}

export async function mapCheck({ file, kind, dumps, rules }: MapCheckRequest, parts: BatchParts, job: Job): Promise<MapCheckResult> {
  const read = readMappingFile(parts.files, file)
  const { text } = read
  const of = kind ?? kindOf(text)
  const lines = new Lines(text)
  const foreign = firstForeign(read)
  const encoding: MappingDiagnostic[] = foreign < 0 ? [] : [{ from: foreign, to: foreign + 1, severity: 'error', code: 'encoding', facts: {}, fixes: [] }]
  const placed = (found: readonly MappingDiagnostic[]): PlacedDiagnostic[] => [...encoding, ...found].map(one => ({ ...one, ...lines.placeOf(one.from) }))
  if (!dumps) return { kind: of, diagnostics: placed(parseMapping(of, text).diagnostics), entries: [], coverage: null }
  const desk = await deskOf(dumps, rules, parts, job)
  const { diagnostics, coverage } = desk.check(of, text)
  return { kind: of, diagnostics: placed(diagnostics), entries: desk.entries(of, text, null), coverage }
}

export interface MapProposeRequest {
  readonly dumps: readonly [string, string]
  readonly kind: MappingKind
  /** Proposals from this score on are taken. */
  readonly score: number
  readonly rules: Rules
  /** File to write; null gives the text only. */
  readonly file: string | null
}

export interface MapProposeResult {
  readonly text: string
  readonly taken: readonly MappingProposal[]
  readonly left: readonly MappingProposal[]
  readonly before: MappingCoverage
  readonly after: MappingCoverage
  readonly files: readonly string[]
}

const rounds = 8
const mostProposals = 100_000

/** Takes proposals as long as there are new ones: one pair of layers opens the way to those below it. */
export async function mapPropose({ dumps, kind, score, rules, file }: MapProposeRequest, parts: BatchParts, job: Job): Promise<MapProposeResult> {
  if (file !== null && !/\.ya?ml$/i.test(file)) throw new Refusal(problem('mapping-extension', absolute(file)))
  const desk = await deskOf(dumps, rules, parts, job)
  const taken: MappingProposal[] = []
  let text = ''
  let left: readonly MappingProposal[] = []
  for (let round = 0; round < rounds; round++) {
    const found = propose(desk, kind, text, mostProposals)
    const good = found.filter(one => one.score >= score)
    left = found.filter(one => one.score < score)
    const next = good.length > 0 ? editMapping(kind, text, good.flatMap(one => one.changes), []) : text
    if (next === text) break
    text = next
    taken.push(...good)
    await job.breathe()
  }
  const coverage = (of: string): MappingCoverage => desk.coverage(desk.pairing(kind, of))
  return { text, taken, left, before: coverage(''), after: coverage(text), files: file === null ? [] : written(file, savedText(kind, text)) }
}

function written(file: string, text: string): readonly string[] {
  const output = openOutput(dirOf(absolute(file)), [], true)
  try {
    output.create(baseOf(file)).write(new TextEncoder().encode(text))
    return output.commit()
  } finally {
    output.abandon()
  }
}

async function deskOf(dumps: readonly [string, string], rules: Rules, { files, tell }: BatchParts, job: Job): Promise<MappingDesk> {
  const { pairs, problems } = pairsOfPaths(files, dumps)
  for (const found of problems) tell(found)
  const [debug, bench] = [await readDump(files, pairs[0].debug, job), await readDump(files, pairs[0].bench, job)]
  const engine = debug.header.framework === 'pytorch' ? 'pytorch' : 'mindspore'
  return new MappingDesk(debug, bench, { rules, engine, fuzzy: false, mapping: {}, stack: 'auto', thresholds: defaultThresholds })
}

/** Lines and columns of places, asked for in order. */
class Lines {
  readonly #text: string
  #line = 1
  #begin = 0

  constructor(text: string) { this.#text = text }

  placeOf(at: number): { line: number; column: number } {
    if (at < this.#begin) { this.#line = 1; this.#begin = 0 }
    for (let end = this.#text.indexOf('\n', this.#begin); end >= 0 && end < at; end = this.#text.indexOf('\n', this.#begin)) {
      this.#line++
      this.#begin = end + 1
    }
    return { line: this.#line, column: at - this.#begin + 1 }
  }
}
