// Writes the parts of a dataset. Each unit is whole or not there: its rows get their name first, its record last, and
// the record says how large the rows are. Whoever writes the same unit again writes the same bytes.
import { type Files, join, openOutput, type SqlPiece } from '../io/index.ts'
import {
  type Advice,
  type Comparison,
  type Counts,
  type Finding,
  type PairRow,
  type Problem,
  problem,
  Refusal,
  RowState,
} from '../model/index.ts'
import { firstFailing, noCounts } from '../judge/index.ts'
import type { RankAnswer } from '../overflow/index.ts'
import { answerWriter, writeParquet } from '../report/index.ts'
import type { Job } from '../work/index.ts'
import { callCells, callColumns, callsTold, packedRank } from './calls.ts'
import {
  inOrder,
  keyOf,
  partName,
  planName,
  rankName,
  recordName,
  sharesFolder,
  type UnitId,
  unitFolder,
} from './names.ts'
import {
  type Asking,
  type DatasetPlan,
  jsonBytes,
  type NodeMark,
  readPlan,
  readRecord,
  type ShareRecord,
  type UnitRecord,
} from './records.ts'
import type { Dataset } from './read.ts'
import { nodeOf, questionColumns } from './rows.ts'

export interface UnitPlace extends UnitId {
  readonly debug: string
  readonly bench: string
  /** How its files looked when they were read. */
  readonly stamp: string
}

export interface UnitTold {
  readonly comparison: Comparison
  readonly counts: Counts
  readonly advice: Pick<Advice, 'findings' | 'transfers'> | null
  /** Whether its rows are a part, or what was found alone. */
  readonly rows: boolean
  readonly shown?: UnitRecord['shown']
}

export interface DatasetShare {
  readonly index: number
  readonly of: number
}

export interface WriterPorts {
  readonly files: Files
  /** Opened dumps, which nothing is written into unless the user chose the folder. */
  readonly dumps: readonly string[]
  readonly chosen: boolean
  /** Call stacks are asked for: they are most of what rows hold. */
  readonly stacks: boolean
}

const stacks: ReadonlySet<string> = new Set(['stack'])
const nothing: ReadonlySet<string> = new Set()

export class DatasetWriter {
  readonly folder: string
  readonly #ports: WriterPorts
  readonly #share: ShareRecord | null
  readonly #plan: DatasetPlan

  private constructor(folder: string, plan: DatasetPlan, ports: WriterPorts, share: ShareRecord | null) {
    this.folder = folder
    this.#plan = plan
    this.#ports = ports
    this.#share = share
  }

  /** Begins a dataset, or goes on with one of the same asking; refuses the folder of another. */
  static open(
    folder: string,
    plan: DatasetPlan,
    share: DatasetShare | null,
    ports: WriterPorts,
  ): DatasetWriter {
    const { files } = ports
    const output = openOutput(folder, ports.dumps, ports.chosen)
    try {
      files.allow(output.folder)
      const there = readPlan(files, join(output.folder, planName))
      if (there) checkSame(there, plan, output.folder)
      const units = joined(there?.units ?? [], plan.units)
      output.create(planName).write(jsonBytes({ ...plan, units }))
      output.commit()
    } finally {
      output.abandon()
    }
    const begun = share && { ...share, begun: new Date().toISOString(), ended: null }
    const writer = new DatasetWriter(output.folder, plan, ports, begun)
    if (begun) writer.#tellShare(begun)
    return writer
  }

  /** What is there of a unit, whole and of these files; null where it has to be made. */
  done(unit: UnitPlace): UnitRecord | null {
    const { files } = this.#ports
    const folder = unitFolder(this.folder, unit)
    try {
      const known = readRecord(files, join(folder, recordName(unit)))
      if (!known || known.problem || known.stamp !== unit.stamp) return null
      const bytes = files.stat(join(folder, partName(unit)))?.size ?? -1
      return known.part === null || known.part.bytes === bytes ? known : null
    } catch (error) {
      // What cannot be read is made again.
      if (error instanceof Refusal) return null
      throw error
    }
  }

  /** What was written of these units, without looking at the disk. */
  dataset(units: readonly { readonly unit: UnitId; readonly record: UnitRecord | null }[]): Dataset {
    const { folder } = this
    return {
      folder,
      plan: { ...this.#plan, units: units.map(({ unit }) => unit) },
      units: units.map(({ unit, record }) => ({
        ...unit,
        record,
        part: record?.part ? join(unitFolder(folder, unit), partName(unit)) : null,
      })),
      shares: [],
      problems: [],
    }
  }

  async write(
    unit: UnitPlace,
    { comparison, counts, advice, rows, shown }: UnitTold,
    job: Job,
  ): Promise<UnitRecord> {
    const output = openOutput(unitFolder(this.folder, unit), this.#ports.dumps, this.#ports.chosen)
    try {
      const { rules, mode, length } = comparison
      const sink = rows ? output.create(partName(unit)) : null
      if (sink)
        await writeParquet(comparison, sink, { rules, mode }, job, {
          more: questionColumns(comparison),
          left: this.#ports.stacks ? nothing : stacks,
        })
      const record: UnitRecord = {
        ...bare(unit),
        mode,
        problem: null,
        counts,
        worst: worstOf(comparison),
        first: firstOf(comparison, advice?.findings[0]),
        findings: advice?.findings ?? [],
        transfers: advice?.transfers ?? [],
        part: sink && { rows: length, bytes: sink.size },
        ...(shown && { shown }),
      }
      output.create(recordName(unit)).write(jsonBytes(record))
      output.commit()
      return record
    } finally {
      output.abandon()
    }
  }

  /** What NaN and infinity were found in. */
  async writeCalls(
    unit: UnitPlace,
    { calls, record: of }: Pick<RankAnswer, 'calls' | 'record'>,
  ): Promise<UnitRecord> {
    const output = openOutput(unitFolder(this.folder, unit), this.#ports.dumps, this.#ports.chosen)
    try {
      const sink = output.create(partName(unit))
      async function* pieces(): AsyncGenerator<SqlPiece> {
        yield callCells(calls)
      }
      await answerWriter({ columns: callColumns, pieces: pieces() }, 'parquet', bytes => sink.write(bytes))
      output.create(rankName(unit)).write(jsonBytes(packedRank(of)))
      const record: UnitRecord = {
        ...bare(unit),
        mode: 'statistics',
        problem: null,
        ...callsTold(calls, of.scene.length),
        findings: [],
        transfers: [],
        part: { rows: calls.length, bytes: sink.size },
      }
      output.create(recordName(unit)).write(jsonBytes(record))
      output.commit()
      return record
    } finally {
      output.abandon()
    }
  }

  /** A unit that cannot be compared is told of, and not missing. */
  fail(unit: UnitPlace, found: Problem): UnitRecord {
    const output = openOutput(unitFolder(this.folder, unit), this.#ports.dumps, this.#ports.chosen)
    const record: UnitRecord = {
      ...bare(unit),
      mode: '',
      problem: found,
      counts: noCounts,
      worst: null,
      first: null,
      findings: [],
      transfers: [],
      part: null,
    }
    try {
      output.create(recordName(unit)).write(jsonBytes(record))
      output.commit()
    } finally {
      output.abandon()
    }
    return record
  }

  /** The share has come to its end. */
  end(): void {
    if (this.#share) this.#tellShare({ ...this.#share, ended: new Date().toISOString() })
  }

  #tellShare(share: ShareRecord): void {
    const output = openOutput(join(this.folder, sharesFolder), this.#ports.dumps, this.#ports.chosen)
    try {
      output.create(`${share.index}-of-${share.of}.json`).write(jsonBytes(share))
      output.commit()
    } finally {
      output.abandon()
    }
  }
}

const bare = ({
  step,
  rank,
  name,
  stamp,
  debug,
  bench,
}: UnitPlace): Pick<UnitRecord, 'version' | 'stamp' | 'debug' | 'bench'> & UnitId => ({
  version: 1,
  step,
  rank,
  name,
  stamp,
  debug,
  bench,
})

/** In what two askings differ. */
const asked = ({ verb, rules, debug, bench, options }: Asking): Readonly<Record<string, unknown>> => ({
  verb,
  rules,
  debug,
  bench,
  ...options,
})

function checkSame(there: DatasetPlan, plan: DatasetPlan, folder: string): void {
  const [one, other] = [asked(there), asked(plan)]
  const what = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    key => JSON.stringify(one[key]) !== JSON.stringify(other[key]),
  )
  if (what.length > 0) throw new Refusal(problem('dataset-other', folder, { what: what.join(', ') }))
}

function joined(one: readonly UnitId[], other: readonly UnitId[]): readonly UnitId[] {
  const units = new Map(
    [...one, ...other].map(({ step, rank, name }) => [keyOf({ step, rank, name }), { step, rank, name }]),
  )
  return [...units.values()].sort(inOrder)
}

// ---------------------------------------- what stands for a unit

const markAt = (comparison: Comparison, row: PairRow): NodeMark => ({
  node: nodeOf(comparison, row),
  row,
  position: comparison.length > 1 ? row / (comparison.length - 1) : 0,
  level: comparison.level[row],
})

/** The largest error of a row that differs, or else of any. */
function worstOf(comparison: Comparison): NodeMark | null {
  const { level, state, length } = comparison
  let worst = -1
  const weight = (row: PairRow): number => (state[row] === RowState.differs ? 2 : 0) + (level[row] || 0)
  for (let row = 0; row < length; row++)
    if (!Number.isNaN(level[row]) && (worst < 0 || weight(row) > weight(worst))) worst = row
  return worst < 0 ? null : markAt(comparison, worst)
}

/** Where the error enters on the line of time; where that is not known, the first row that differs, or that fails. */
function firstOf(comparison: Comparison, headline: Finding | undefined): NodeMark | null {
  if (headline && headline.kind !== 'not-decidable' && headline.node !== '') {
    const [row = -1] = headline.proof
    const { node, at, of } = headline
    return { node, row, position: at / Math.max(1, of), level: row < 0 ? NaN : comparison.level[row] }
  }
  const differing = comparison.state.indexOf(RowState.differs)
  if (differing >= 0) return markAt(comparison, differing)
  const failing = firstFailing(comparison)
  return failing && markAt(comparison, failing.row)
}
