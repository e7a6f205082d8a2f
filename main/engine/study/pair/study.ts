// A pair of dumps, or one alone: what was opened, as units of steps and ranks.
import type {
  CompareOptions,
  Dump,
  KeptMatches,
  MappingTexts,
  Mode,
  Problem,
  SessionFacts,
  SideInfo,
  UnitIndex,
} from '../../model/index.ts'
import type { Place } from '../../formats/index.ts'
import type { Files } from '../../io/index.ts'
import type { GivenValues, UnitRef } from '../../layout/index.ts'
import { noHandMatches, type HandMatches } from '../../pair/index.ts'
import type { StudyInput, StudyKind } from '../kinds.ts'
import { sidesBefore } from '../side-names.ts'
import type { Opening, UnitSource } from '../sources.ts'
import type { SeriesData } from '../series/data.ts'
import { dumpsHaveSeries } from '../series/has-series.ts'
import type { Study, UnitEvents } from '../study.ts'
import { job } from '../../work/index.ts'
import { PairRanks } from './ranks.ts'
import { mappingOf } from './settings.ts'
import { PairUnit, type UnitPorts } from './unit.ts'

export interface PairStudyPorts extends Omit<UnitPorts, 'adviser' | 'events' | 'steps' | 'kept'> {
  /** Where what was read is kept between openings; '' keeps nothing. */
  readonly cacheDir: string
  events(unit: UnitIndex): UnitEvents
}

export class PairStudy implements Study {
  readonly problems: readonly Problem[]
  readonly beside: Study['beside']
  readonly #values: GivenValues | null
  readonly #kind: StudyKind
  readonly #opening: Opening
  readonly #units: PairUnit[]
  readonly #unitOf: (source: UnitSource, unit: UnitIndex) => PairUnit
  #options: CompareOptions
  /** Sides, mode and mapping as the last dumps had them: a unit that was given back says nothing. */
  #sides: readonly SideInfo[]
  #mode: Mode = 'statistics'
  #mapping: MappingTexts
  /** As names met when it was read. */
  #series: { readonly key: string; readonly data: Promise<SeriesData> } | null = null
  readonly #end = new AbortController()
  /** All of its steps and ranks; null where nothing is compared, or ranks say nothing. */
  readonly ranks: PairRanks | null
  readonly #cacheDir: string

  constructor(kind: StudyKind, { opening, options, matches }: StudyInput, ports: PairStudyPorts) {
    this.#kind = kind
    this.#cacheDir = ports.cacheDir
    this.#opening = opening
    this.#options = options
    this.#mapping = options.mapping
    this.#sides = sidesBefore(kind.sides, opening)
    this.problems = opening.problems
    this.beside = opening.beside ?? []
    this.#values = opening.values ?? null
    this.#unitOf = (source, unit) =>
      new PairUnit(source, this.#options, handOf(matches, source.place), {
        ...ports,
        adviser: null,
        steps: kind.steps,
        kept: () => this.ranks?.kept ?? null,
        events: ports.events(unit),
      })
    this.ranks = kind.keepsUnits
      ? new PairRanks(this, {
          files: ports.files,
          cacheDir: ports.cacheDir,
          debug: opening.debug,
          bench: opening.bench,
          tell: found => ports.events(0).problem(found),
        })
      : null
    this.#units = opening.units.map(this.#unitOf)
  }

  get units(): readonly PairUnit[] {
    return this.#units
  }

  take(sources: readonly UnitSource[]): readonly PairUnit[] {
    const known = new Set(this.#units.map(({ ref }) => placeKey(ref)))
    const made = sources
      .filter(({ place }) => !known.has(placeKey(place)))
      .map((source, i) => this.#unitOf(source, this.#units.length + i))
    this.#units.push(...made)
    if (made.length > 0) this.#dropSeries()
    return made
  }

  get options(): CompareOptions {
    return this.#options
  }

  setOptions(options: CompareOptions): void {
    this.#options = options
    this.#mapping = options.mapping
    for (const unit of this.units) unit.setOptions(options)
  }

  facts(onScreen: number): SessionFacts {
    const unit = this.units[onScreen]
    const snapshot = unit?.snapshot()
    const dumps = unit?.dumps() ?? snapshot?.dumps
    if (dumps) {
      this.#sides = sidesBefore(this.#kind.sides, this.#opening).map(side => sideOf(side, dumps[side.side]))
      const { rules, mapping } = this.#options
      this.#mapping = rules === 'msprobe-26' ? mapping : mappingOf(dumps, mapping)
    }
    if (snapshot) this.#mode = snapshot.table.mode
    const { id, panes, reports, can } = this.#kind
    return {
      kind: id,
      sides: this.#sides,
      beside: [...this.beside, ...placesOf(this.#values)].map(({ path }) => path),
      panes: [
        ...panes(this.#sides),
        ...(this.beside.length > 0 ? ['precheck'] : []),
        ...(this.#hasSeries || this.#values ? ['overtime'] : []),
      ],
      reports: reports(this.#sides),
      can,
      mode: this.#mode,
      mapping: this.#mapping,
    }
  }

  get #hasSeries(): boolean {
    return dumpsHaveSeries(this.#units.map(({ ref }) => ref))
  }

  /**
   * Statistics of all units over steps and ranks, and what was given of them: read once, when somebody asks; `fresh`:
   * whatever was kept of them.
   */
  series(files: Files, tell: (found: Problem) => void, fresh = false): Promise<SeriesData> {
    const { rules, fuzzy, mapping } = this.#options
    const key = JSON.stringify([rules, fuzzy, mapping])
    if (this.#series?.key === key && !fresh) return this.#series.data
    this.#dropSeries()
    const data = this.#readSeries(files, tell, fresh).catch((error: unknown) => {
      if (this.#series?.data === data) this.#series = null
      throw error
    })
    this.#series = { key, data }
    return data
  }

  async #readSeries(files: Files, tell: (found: Problem) => void, fresh: boolean): Promise<SeriesData> {
    const [{ readDumpSeries }, { readGiven, together }, { keptSeries }] = await Promise.all([
      import('../series/dumps.ts'),
      import('../series/given.ts'),
      import('../series/kept.ts'),
    ])
    const kept = keptSeries(this.#cacheDir, fresh)
    const ports = { files, tell, job: job(this.#end.signal) }
    const units = this.#units.map(({ ref }) => ref)
    const given = this.#values && (await readGiven(this.#values, this.#options.rules, ports, kept))
    if (given && !this.#hasSeries) return given
    const dumps = await readDumpSeries(units, this.#options, ports, kept)
    return given ? together(dumps, given) : dumps
  }

  #dropSeries(): void {
    void this.#series?.data.then(
      data => data.close(),
      () => {},
    )
    this.#series = null
  }

  close(): void {
    this.#end.abort()
    this.#dropSeries()
    this.ranks?.close()
    for (const unit of this.units) unit.close()
    this.#opening.close()
  }
}

const placesOf = (values: GivenValues | null): readonly Place[] =>
  values ? [values.debug, ...(values.bench ? [values.bench] : [])] : []

const placeKey = ({ name, step, rank }: UnitRef): string => JSON.stringify([name, step, rank])

/** What was matched by hand in this step and rank when the pair was open before. */
function handOf(
  kept: readonly KeptMatches[],
  { step, rank }: { readonly step: number | null; readonly rank: number | null },
): HandMatches {
  const found = kept.find(one => one.step === step && one.rank === rank)
  return found ? new Map(Object.entries(found.pairs)) : noHandMatches
}

const sideOf = (before: SideInfo, dump: Dump | null): SideInfo => {
  if (!dump) return before
  const { framework, level, hasMd5, task, stored } = dump.header
  return { ...before, framework, level, task: hasMd5 ? 'md5' : task, ...(stored && { stored }) }
}
