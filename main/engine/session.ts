// One opened pair of dumps: its steps and ranks, what is known of each, and the work that fills it in.
import type { Dump } from './dump.ts'
import type { Unit as UnitPlace } from './formats/detect.ts'
import type { Files } from './io/files.ts'
import { job as newJob, type Job, type Progress } from './job.ts'
import { compareDumps, noHandMatches, rejudge, type CompareSettings, type HandMatches } from './match/index.ts'
import { emptyMeasured, remembering, type Measure } from './metrics/remembered.ts'
import { Verdict } from './model.ts'
import { problem, Refusal, type Problem } from './problem.ts'
import type { Comparison } from './result.ts'
import type { Opening, SourceDumps, UnitSource } from './sources.ts'
import type { UnitNeeds } from './unit.ts'
import type { CompareOptions, EngineEvent, KeptMatches, SessionId, SessionInfo, SessionKind, Side, SideInfo, StepName, UnitInfo } from '../../preload/contract/engine.ts'

export interface SessionPorts {
  readonly files: Files
  /** Where parsed dumps are kept between openings; '' keeps nothing. */
  readonly cacheDir: string
  readonly measure: Measure
  emit(event: EngineEvent): void
}

/** Everything that is held of a unit while it is on screen or was a moment ago. */
export interface Loaded extends SourceDumps {
  readonly comparison: Comparison
  /** Rises whenever the comparison is another one. */
  readonly version: number
  /** More rows may come. */
  readonly growing: boolean
}

interface Unit {
  readonly source: UnitSource
  info: UnitInfo
  loaded: Loaded | null
  hand: HandMatches
  readonly measure: Measure
  /** Counts up when the unit is shown; the least recently shown gives its memory back first. */
  shown: number
}

const keptUnits = 3
/** How often a dump that ended early is looked at again. */
const followMs = 2000
const provisionalEvery = 2

export class Session {
  readonly id: SessionId
  readonly kind: SessionKind
  options: CompareOptions
  readonly problems: Problem[] = []
  readonly #ports: SessionPorts
  readonly #units: Unit[]
  readonly #opening: Opening
  #chosen = 0
  #clock = 0
  #version = 0
  #running: { readonly unit: number; readonly abort: AbortController } | null = null
  #idle: Promise<void> = Promise.resolve()
  #closed = false
  #following: ReturnType<typeof setTimeout> | undefined
  #debug: SideInfo
  #bench: SideInfo | null

  constructor(id: SessionId, opening: Opening, options: CompareOptions, hand: readonly KeptMatches[], ports: SessionPorts) {
    this.id = id
    this.kind = opening.kind
    this.options = options
    this.#ports = ports
    this.#opening = opening
    this.problems.push(...opening.problems)
    this.#debug = emptySide(opening.debug)
    this.#bench = opening.kind === 'single' ? null : emptySide(opening.bench)
    this.#units = opening.units.map((source, unit) => ({
      source, loaded: null, hand: handOf(hand, source.place), measure: remembering(ports.measure), shown: 0,
      info: {
        unit, step: source.place.step, rank: source.place.rank, debugDir: source.place.debug, benchDir: source.place.bench, state: 'waiting',
        rows: 0, disagree: 0, agree: 0, unknown: 0, unmatchedDebug: 0, unmatchedBench: 0, worst: NaN, headline: '', partial: false,
      },
    }))
  }

  info(): SessionInfo {
    const loaded = this.#units[this.#chosen]?.loaded
    return {
      session: this.id, kind: this.kind, debug: this.#debug, bench: this.#bench, mode: loaded?.comparison.mode ?? 'statistics', options: this.options,
      units: this.#units.map(unit => unit.info), unit: this.#chosen, problems: this.problems,
    }
  }

  get chosen(): number { return this.#chosen }
  get unitCount(): number { return this.#units.length }
  place(unit: number): UnitPlace { return this.#unit(unit).source.place }

  needs(unit: number): UnitNeeds { return { options: this.options, hand: this.#unit(unit).hand, measure: this.#unit(unit).measure, files: this.#ports.files } }

  /** What is there of a unit now, or null. */
  peek(unit: number): Loaded | null { return this.#unit(unit).loaded }

  /** The unit, read and compared if it is not there any more. */
  async loaded(unit: number): Promise<Loaded> {
    const at = this.#unit(unit)
    at.shown = ++this.#clock
    while (!at.loaded && !this.#closed) {
      if (at.info.state === 'failed') throw new Refusal(this.problems.find(p => p.path === at.source.place.debug) ?? problem('rank-failed', at.source.place.debug))
      this.#start()
      await this.#idle
    }
    if (!at.loaded) throw new Refusal(problem('internal', '', { reason: 'the unit has no rows' }))
    return at.loaded
  }

  /** Both dumps of a unit, read to their ends. */
  async dumps(unit: number): Promise<Readonly<Record<Side, Dump>>> {
    let loaded = await this.loaded(unit)
    while (this.#unit(unit).info.state === 'reading' && !this.#closed) {
      await this.#idle
      loaded = await this.loaded(unit)
    }
    return loaded
  }

  /** Units of the same step with their ranks; those without a rank are alone. */
  besides(unit: number): readonly { readonly unit: number; readonly rank: number }[] {
    const { step } = this.#unit(unit).info
    return this.#units.flatMap(({ info }) => (info.step === step && info.rank !== null ? [{ unit: info.unit, rank: info.rank }] : []))
  }

  choose(unit: number): void {
    this.#unit(unit).shown = ++this.#clock
    this.#chosen = unit
    if (this.#running && this.#running.unit !== unit && this.#unit(unit).loaded === null) this.#running.abort.abort()
    this.#start()
  }

  /** A new mapping or rule set pairs again; new thresholds only judge again; other colours only draw again. Nothing is read twice. */
  async setOptions(options: CompareOptions): Promise<void> {
    if (sameBut(this.options, options, ['colours'])) {
      this.options = options
      for (const { loaded, info } of this.#units) if (loaded) this.#tell(info.unit, 'graph')
      return
    }
    const onlyThresholds = sameBut(this.options, options, ['thresholds', 'advisor', 'colours'])
    this.options = options
    await this.#halt()
    for (const unit of this.#units) {
      if (unit.loaded && onlyThresholds) this.#settle(unit, { ...unit.loaded, comparison: rejudge(unit.loaded.comparison, options.thresholds), version: ++this.#version })
      else if (unit.loaded) await this.#compare(unit, unit.loaded, newJob())
      else if (unit.info.state === 'done') unit.info = { ...unit.info, state: 'waiting' }
    }
    this.#start()
  }

  /** Other matches by hand pair the rows of this unit again. */
  async setHand(unit: number, hand: HandMatches): Promise<void> {
    const at = this.#unit(unit)
    at.hand = hand
    if (this.#running?.unit === unit) await this.#halt()
    if (at.loaded) await this.#compare(at, at.loaded, newJob())
    this.#start()
  }

  async cancel(): Promise<void> { await this.#halt() }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#following)
    await this.#halt()
    for (const unit of this.#units) unit.loaded = null
    this.#opening.close()
  }

  /** Works until every unit is done; resolves at once, the work goes on. */
  start(): void { this.#start() }

  /** Resolves when nothing runs. */
  async quiet(): Promise<void> {
    while (this.#running) await this.#idle
  }

  setHeadline(unit: number, headline: string): void {
    const at = this.#unit(unit)
    if (at.info.headline === headline) return
    at.info = { ...at.info, headline }
    this.#tell(unit, 'units')
  }

  #unit(unit: number): Unit {
    const found = this.#units[unit]
    if (!found) throw new RangeError(`session ${this.id} has no unit ${unit}`)
    return found
  }

  #start(): void {
    if (this.#running || this.#closed) return
    const next = this.#next()
    if (!next) return
    const abort = new AbortController()
    this.#running = { unit: next.info.unit, abort }
    this.#idle = this.#work(next, abort.signal).finally(() => {
      this.#running = null
      this.#trim()
      this.#followSoon()
      this.#start()
    })
  }

  /** A dump that is still being written is looked at again while it is on screen; whole ones are left alone. */
  #followSoon(): void {
    clearTimeout(this.#following)
    const unit = this.#units[this.#chosen]
    const { loaded, source } = unit ?? {}
    if (this.#closed || !unit || !loaded || !source?.follow || !(loaded.debug.partial || loaded.bench.partial)) return
    this.#following = setTimeout(() => {
      if (this.#running) { this.#followSoon(); return }
      const abort = new AbortController()
      this.#running = { unit: unit.info.unit, abort }
      this.#idle = this.#follow(unit, loaded, newJob(abort.signal)).finally(() => {
        this.#running = null
        this.#followSoon()
        this.#start()
      })
    }, followMs)
    this.#following.unref()
  }

  async #follow(unit: Unit, old: Loaded, job: Job): Promise<void> {
    try {
      const { debug, bench, given, measure, graph } = old
      const before: SourceDumps = { debug, bench, given, measure, graph }
      const after = await unit.source.follow?.(before, job)
      if (!after || after === before) return
      unit.info = { ...unit.info, partial: after.debug.partial || after.bench.partial }
      this.#describe(after.debug, after.bench)
      await this.#compare(unit, after, job)
      this.#tell(unit.info.unit, 'dumps')
    } catch (error) {
      // A file that is being replaced may be unreadable for a moment; the next look decides.
      if (!(error instanceof Refusal) && !job.signal.aborted) throw error
    }
  }

  /** The one on screen first, then whatever was asked for, then in order. */
  #next(): Unit | undefined {
    const waiting = this.#units.filter(unit => unit.info.state !== 'failed' && (unit.info.state !== 'done' || (!unit.loaded && unit.shown === this.#clock && this.#clock > 0)))
    return waiting.find(unit => unit.info.unit === this.#chosen) ?? waiting.toSorted((a, b) => b.shown - a.shown)[0]
  }

  async #halt(): Promise<void> {
    this.#running?.abort.abort()
    const closed = this.#closed
    this.#closed = true
    await this.#idle
    this.#closed = closed
  }

  async #work(unit: Unit, signal: AbortSignal): Promise<void> {
    const started = Date.now()
    const job = newJob(signal, progress => this.#report(unit, progress, started, false))
    try {
      unit.info = { ...unit.info, state: 'reading' }
      this.#tell(unit.info.unit, 'units')
      const dumps = await this.#read(unit, job)
      unit.info = { ...unit.info, state: 'comparing', partial: dumps.debug.partial || dumps.bench.partial }
      this.#describe(dumps.debug, dumps.bench)
      this.#mapAcross(dumps)
      this.#tell(unit.info.unit, 'dumps')
      await this.#compare(unit, dumps, job)
      unit.info = { ...unit.info, state: 'done' }
      this.#tell(unit.info.unit, 'units')
    } catch (error) {
      if (signal.aborted) unit.info = { ...unit.info, state: 'waiting' }
      else this.#fail(unit, error)
    } finally {
      this.#report(unit, { what: 'job.done', done: 1, total: 1, unit: 'items' }, started, true)
    }
  }

  /** What is there is compared provisionally whenever it has doubled, so that rows show before the end. */
  #read(unit: Unit, job: Job): Promise<SourceDumps> {
    let shown = 0
    return unit.source.read(job, dumps => {
      const { items } = dumps.debug
      if (unit.info.unit !== this.#chosen || (!dumps.graph && items.length < Math.max(200, shown * provisionalEvery))) return
      shown = items.length
      void this.#provisional(unit, dumps)
    })
  }

  async #provisional(unit: Unit, dumps: SourceDumps): Promise<void> {
    try {
      const comparison = await compareDumps(dumps.debug, dumps.bench, this.#settings(unit, dumps), { files: this.#ports.files, job: newJob(), measure: pending => Promise.resolve(emptyMeasured(pending.length)) })
      if (unit.info.state === 'reading') this.#settle(unit, { ...dumps, comparison, version: ++this.#version, growing: true })
    } catch (error) {
      // Half a file may not be comparable yet; the finished one decides.
      if (!(error instanceof Refusal)) throw error
    }
  }

  async #compare(unit: Unit, { debug, bench, given, measure, graph }: SourceDumps, job: Job): Promise<void> {
    const dumps: SourceDumps = { debug, bench, given, measure, graph }
    const loaded = (comparison: Comparison, growing: boolean): Loaded => ({ ...dumps, comparison, version: ++this.#version, growing })
    const comparison = await compareDumps(debug, bench, this.#settings(unit, dumps), { files: this.#ports.files, job, measure: measure ?? unit.measure },
      part => this.#settle(unit, loaded(part, true)))
    this.#settle(unit, loaded(comparison, false))
  }

  #settings({ hand }: Unit, { debug, given }: SourceDumps): CompareSettings {
    const { rules, fuzzy, mapping, thresholds } = this.options
    return { rules, engine: engineOf(debug), fuzzy, mapping, stack: 'auto', thresholds, hand, ...(given && { given }) }
  }

  #settle(unit: Unit, loaded: Loaded): void {
    unit.loaded = loaded
    const { comparison } = loaded
    const counts = [0, 0, 0]
    let unmatchedDebug = 0
    let worst = NaN
    for (let row = 0; row < comparison.length; row++) {
      counts[comparison.verdict[row]]++
      if (comparison.benchItem[row] < 0) unmatchedDebug++
      const level = comparison.level[row]
      if (level > worst || (Number.isNaN(worst) && !Number.isNaN(level))) worst = level
    }
    unit.info = {
      ...unit.info, rows: comparison.length, unknown: counts[Verdict.unknown], agree: counts[Verdict.agree], disagree: counts[Verdict.disagree],
      unmatchedDebug, unmatchedBench: comparison.benchOnly.length, worst,
    }
    this.#tell(unit.info.unit, 'verdicts')
  }

  /** Across frameworks hardly anything matches by name alone: the built-in API table is in force until there is a better mapping. */
  #mapAcross({ debug, bench, given }: SourceDumps): void {
    const across = debug.header.framework === 'mindspore' && bench.header.framework === 'pytorch'
    if (across && !given && Object.keys(this.options.mapping).length === 0) this.options = { ...this.options, mapping: { api: '' } }
  }

  #describe(debug: Dump, bench: Dump): void {
    this.#debug = sideOf(this.#opening.debug, debug)
    if (this.kind !== 'single') this.#bench = sideOf(this.#opening.bench, bench)
    for (const found of [...debug.problems, ...bench.problems]) this.complain(found)
  }

  #fail(unit: Unit, error: unknown): void {
    const found = error instanceof Refusal ? error.problem : problem('internal', unit.source.place.debug, { reason: error instanceof Error ? `${error.message} ${error.stack ?? ''}` : String(error) })
    unit.info = { ...unit.info, state: 'failed' }
    this.complain(found)
    this.#tell(unit.info.unit, 'units')
  }

  /** Tells a problem once. */
  complain(found: Problem): void {
    if (this.problems.some(known => known.code === found.code && known.path === found.path && JSON.stringify(known.facts) === JSON.stringify(found.facts))) return
    this.problems.push(found)
    this.#ports.emit({ is: 'problem', session: this.id, problem: found })
  }

  #tell(unit: number, of: StepName): void {
    this.#ports.emit({ is: 'version', session: this.id, unit, of, version: ++this.#version })
  }

  #report(unit: Unit, progress: Progress, startedMs: number, finished: boolean): void {
    this.#ports.emit({ is: 'job', job: { session: this.id, unit: unit.info.unit, what: progress.what, done: progress.done, total: progress.total, unitOf: progress.unit, startedMs, finished } })
  }

  /** Gives back the memory of units that were not looked at lately. */
  #trim(): void {
    const held = this.#units.filter(unit => unit.loaded && unit.info.unit !== this.#chosen).toSorted((a, b) => b.shown - a.shown)
    for (const unit of held.slice(keptUnits - 1)) unit.loaded = null
  }
}

/** Whose dialect a comparison speaks: the debug side's. */
export const engineOf = (debug: Dump): 'pytorch' | 'mindspore' => (debug.header.framework === 'pytorch' ? 'pytorch' : 'mindspore')

/** What was matched by hand in this step and rank when the pair was open before. */
const handOf = (kept: readonly KeptMatches[], { step, rank }: UnitPlace): HandMatches => {
  const found = kept.find(one => one.step === step && one.rank === rank)
  return found ? new Map(Object.entries(found.pairs)) : noHandMatches
}

const emptySide = (root: string): SideInfo => ({ root, name: nameOf(root), framework: '', level: '', task: '' })
const sideOf = (root: string, dump: Dump): SideInfo =>
  ({ root, name: nameOf(root), framework: dump.header.framework, level: dump.header.level, task: dump.header.hasMd5 ? 'md5' : dump.header.task })

/** The last folder; those that are called alike in every dump, after the one that they lie in. */
function nameOf(root: string): string {
  const parts = root.split(/[\\/]/).filter(part => part !== '')
  const own = parts.findLastIndex(part => !/^(?:step|rank)\d*$/.test(part))
  return parts.slice(Math.max(0, own)).join('/') || root
}

const sameBut = (a: CompareOptions, b: CompareOptions, left: readonly (keyof CompareOptions)[]): boolean =>
  (Object.keys(b) as (keyof CompareOptions)[]).every(key => left.includes(key) || JSON.stringify(a[key]) === JSON.stringify(b[key]))
