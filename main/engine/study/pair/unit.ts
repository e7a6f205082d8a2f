// One step and rank of a pair: its dumps, and what follows from them, each kept until what it rests on changes.
import {
  type Advice,
  type CompareOptions,
  type Comparison,
  type Dump,
  dumpOn,
  isCompared,
  type ItemRows,
  type Measured,
  type Problem,
  type StepName,
  type StepValues,
  type UnitFacts,
  type UnitState,
  Refusal,
  stepNames,
} from '../../model/index.ts'
import type { Advised } from '../../advisor/index.ts'
import type { UnitPlace, UnitRecord } from '../../dataset/index.ts'
import type { Files } from '../../io/index.ts'
import { callsOf, countsOf, nobodysCalls, noCounts } from '../../judge/index.ts'
import type { UnitRef } from '../../layout/index.ts'
import { emptyMeasured, remembering, type Measure } from '../../measure/index.ts'
import type { HandMatches } from '../../pair/index.ts'
import { Cancelled, type Job } from '../../work/index.ts'
import { Chain, type StepOf } from '../chain.ts'
import type { SourceDumps, UnitSource } from '../sources.ts'
import type { StudyUnit, UnitEvents } from '../study.ts'
import { judged, pairUp, type JudgeSettings, type Paired } from './compare.ts'
import { UnitView, type Adviser, type Snapshot, type UnitNeeds } from './derived.ts'
import { Once } from '../once.ts'
import type { KeptUnits } from './kept-units.ts'
import { settingsOf } from './settings.ts'
import { rowsOf } from '../single/rows.ts'
import type { NoiseReader } from './twins.ts'

/** What the steps of a unit make. */
interface Results {
  dumps: SourceDumps
  pairs: Paired
  metrics: { readonly paired: Paired; readonly measured: Measured | null }
  /** Judged by the dtypes alone, until it is known what noise explains. */
  table: { readonly metrics: string; readonly table: ItemRows }
  noise: Advised
  /** The comparison with what noise explains. */
  states: Comparison
  findings: Advice
  /** Null where it could not be kept. */
  kept: UnitRecord | null
}

export interface UnitPorts {
  readonly files: Files
  readonly measure: Measure
  readonly adviser: Adviser | null
  readonly noise: NoiseReader
  readonly events: UnitEvents
  /** What it does without being asked, and what it tells versions of. */
  readonly steps: readonly StepName[]
  /** Where what it comes to is kept on disk; null where it is not. */
  kept(): KeptUnits | null
}

/** What noise explains is found with the findings. */
const partOf: Readonly<Partial<Record<keyof Results, StepName>>> = {
  table: 'states',
  noise: 'findings',
  states: 'findings',
  kept: 'findings',
}

/** How often a dump that ended early is looked at again. */
const followMs = 2000
/** A dump that is being read is compared whenever it has grown by this factor, so that rows show before the end. */
const provisionalGrowth = 2
const firstRows = 200

export class PairUnit implements StudyUnit {
  readonly step: number | null
  readonly rank: number | null
  readonly name: string
  readonly aside: boolean
  readonly #source: UnitSource
  readonly #ports: UnitPorts
  readonly #chain: Chain<Results>
  readonly #once = new Once()
  #measure: Measure
  #options: CompareOptions
  #hand: HandMatches
  #handVersion = 0
  /** Rises when the files have changed. */
  #generation = 0
  /** Comparison of what is there so far; null when it is whole. */
  #partial: Snapshot | null = null
  /** How often a part has stood for the result of a step. */
  readonly #parts = new Map<StepName, number>()
  #facts: UnitFacts
  /** Key of the states that the facts speak of. */
  #counted = ''
  #follow: ReturnType<typeof setTimeout> | undefined
  #followDue = false
  /** Somebody writes its files. */
  #growing = false
  /** Of the files that were read; '' before. */
  #stamp = ''
  /** What an opening before came to, and what it rests on. */
  #before: { readonly key: string; readonly record: UnitRecord | null } | null = null

  constructor(source: UnitSource, options: CompareOptions, hand: HandMatches, ports: UnitPorts) {
    this.#source = source
    this.#ports = ports
    this.#options = options
    this.#hand = hand
    this.#measure = remembering(ports.measure)
    this.step = source.place.step
    this.rank = source.place.rank
    this.name = source.place.name ?? ''
    this.aside = source.place.aside ?? false
    this.#facts = { ...noFacts, dirs: dirsOf(source.place), sideNames: source.place.sideNames ?? [] }
    this.#chain = new Chain<Results>(this.#steps())
  }

  /** What it was made of. */
  get ref(): UnitRef {
    return this.#source.place
  }

  #steps(): readonly StepOf<Results>[] {
    const all: readonly StepOf<Results>[] = [
      {
        id: 'dumps',
        key: () => this.#keys().dumps,
        run: job => this.#read(job),
        bytes: ({ debug, bench }) => bytesOf(debug) + (bench ? bytesOf(bench) : 0),
      },
      {
        id: 'pairs',
        key: () => this.#keys().pairs,
        run: async job => this.#pairUp(this.#made('dumps'), job),
        bytes: ({ pairing, tensors }) => pairing.debugItem.length * 12 + (tensors?.pairs.length ?? 0) * 300,
      },
      {
        id: 'metrics',
        key: () => this.#keys().metrics,
        run: async job => this.#measureAll(this.#made('dumps'), this.#made('pairs'), job),
        bytes: ({ measured }) => (measured?.length ?? 0) * 70,
      },
      {
        id: 'table',
        key: () => this.#keys().states,
        run: async job =>
          this.#isAlone ? this.#listed(this.#made('dumps')) : this.#judge(this.#made('metrics'), job),
        bytes: ({ table }) => table.length * 400,
      },
      {
        id: 'noise',
        key: () => this.#keys().findings,
        run: job => this.#advise(job),
        bytes: ({ explained }) => explained.byteLength,
      },
      {
        id: 'states',
        key: () => this.#keys().findings,
        run: () => {
          const { table } = this.#made('table')
          if (!isCompared(table)) throw new RangeError('nothing was compared')
          return Promise.resolve(table.judged(this.#options.thresholds, this.#made('noise').explained))
        },
        bytes: ({ length }) => length * 20,
      },
      {
        id: 'findings',
        key: () => this.#keys().findings,
        run: () => Promise.resolve(this.#made('noise').advice),
        bytes: () => 0,
      },
      { id: 'kept', key: () => this.#keys().findings, run: job => this.#keep(job), bytes: () => 0 },
    ]
    const wanted: readonly string[] = this.#ports.steps
    return all.filter(({ id }) => wanted.includes(partOf[id] ?? (id as StepName)))
  }

  get #isAlone(): boolean {
    return this.#source.place.places.bench === null
  }

  // ---------------------------------------- what is there

  get state(): UnitState {
    const { running, problem } = this.#chain
    // What was given back and is read again is known all the while.
    if (this.#settled) return 'done'
    if (running === 'dumps') return 'reading'
    if (running !== null) return 'comparing'
    return problem ? 'failed' : 'waiting'
  }

  /** Facts speak of what the options in force make of the dumps. */
  get #settled(): boolean {
    return this.#counted === this.#judgedKey
  }

  /** Key of what rows are finally judged by. */
  get #judgedKey(): string {
    return this.#advised ? this.#keys().findings : this.#keys().states
  }

  /** The rows as they are finally judged. */
  #judged(): ItemRows | undefined {
    return this.#advised ? this.#chain.get('states') : this.#chain.get('table')?.table
  }

  get known(): boolean {
    return this.#counted !== ''
  }

  get facts(): UnitFacts {
    return this.#facts
  }

  get problem(): Problem | null {
    return this.#chain.problem
  }

  get hand(): HandMatches {
    return this.#hand
  }

  /** What is derived of a snapshot. */
  view(snapshot: Snapshot): UnitView {
    return new UnitView(snapshot, this.#source.place, this.needs, this.#once)
  }

  get needs(): UnitNeeds {
    const { files, adviser, noise } = this.#ports
    return { options: this.#options, hand: this.#hand, measure: this.#measure, files, adviser, noise }
  }

  /** The comparison as far as it is there; the last good one where options in force cannot be followed. */
  snapshot(): Snapshot | null {
    const whole = this.#judged() ?? this.#chain.get('table')?.table
    if (whole) return this.#snapshotOf(whole, false)
    if (this.#partial) return this.#partial
    const last = this.#chain.problem ? this.#chain.last('table') : undefined
    return last ? this.#snapshotOf(last.table, false) : null
  }

  /** Both dumps, read to their ends. */
  dumps(): SourceDumps | null {
    return this.#chain.get('dumps') ?? null
  }

  findings(): Pick<Advice, 'findings' | 'transfers'> | null {
    return this.#chain.get('findings') ?? this.#chain.get('noise')?.advice ?? this.record
  }

  /** What it came to as it lies on disk; null before that, and where it cannot be kept. */
  get record(): UnitRecord | null {
    const made = this.#chain.get('kept')
    return made ?? (this.#before?.key === this.#keys().findings ? this.#before.record : null)
  }

  keys(): StepValues<string> {
    const keys = this.#shownKeys()
    return Object.fromEntries(this.#ports.steps.map(step => [step, keys[step]]))
  }

  /**
   * Keys of what is there so far: those of a part are its own. What was asked before the first part is answered by
   * it, so the whole that follows a part has another key than what was there before.
   */
  #shownKeys(): Readonly<Record<StepName, string>> {
    const keys = mapValues(this.#keys(), (key, step) => {
      const part = this.#partial && !this.#isWhole(step)
      return `${key}~${this.#parts.get(step) ?? 0}${part ? '' : ' whole'}`
    })
    if (this.#partial || this.#judged()) return keys
    return unjudged(keys)
  }

  #isWhole(step: StepName): boolean {
    return this.#chain.get(step === 'graph' || step === 'states' ? 'table' : step) !== undefined
  }

  #keys(): Readonly<Record<StepName, string>> {
    const { rules, fuzzy, mapping, thresholds, colours, noise } = this.#options
    const dumps = `${this.#generation}${this.#source.byRules ? rules : ''}`
    const pairs = `${dumps}|${rules}|${fuzzy}|${JSON.stringify(mapping)}|${this.#handVersion}`
    const metrics = `${pairs}|m`
    const states = `${metrics}|${Object.values(thresholds).join()}`
    return {
      dumps,
      pairs,
      metrics,
      states,
      graph: `${states}|${colours}|${noise.join('|')}`,
      findings: `${states}|f${noise.join('|')}`,
    }
  }

  // ---------------------------------------- work

  behind(held: boolean): boolean {
    return this.#followDue || this.#next(held) !== null
  }

  /** Findings are looked for without being asked. */
  get #advised(): boolean {
    return this.#ports.steps.includes('findings')
  }

  #next(held: boolean): ReturnType<Chain<Results>['next']> {
    const isKept = !this.#keeps || this.#chain.get('kept') !== undefined || this.record !== null
    const known = this.#settled && (!this.#advised || this.findings() !== null) && isKept
    if (known && !held) return null
    return this.#chain.next(this.#keeps ? 'kept' : this.#advised ? 'findings' : 'table')
  }

  get #keeps(): boolean {
    return this.#advised && !this.#isAlone && !this.#growing && this.#ports.kept() !== null
  }

  /** What an opening before has kept; looked for once for what it rests on now. */
  #lookBefore(): boolean {
    const key = this.#keys().findings
    const kept = this.#keeps ? this.#ports.kept() : null
    if (!kept || this.#before?.key === key || this.#settled) return false
    const record = kept.find(this.#placeKept(this.#source.stamp()))
    this.#before = { key, record }
    return record !== null
  }

  /** Its name on disk, and what its results rest on besides the options. */
  #placeKept(stamp: string): UnitPlace {
    const { debug, bench, places, dialect } = this.#source.place
    const parts = [places.debug.part, places.bench?.part]
    const { step, rank, name } = this
    return { step, rank, name, debug, bench, stamp: JSON.stringify([stamp, parts, dialect, [...this.#hand]]) }
  }

  async #keep(job: Job): Promise<UnitRecord | null> {
    const { calls, worst } = this.#facts
    const comparison = this.#made('states')
    const told = {
      comparison,
      counts: countsOf(comparison),
      advice: this.#made('findings'),
      rows: true,
      shown: { calls, worst },
    }
    return (await this.#ports.kept()?.keep(this.#placeKept(this.#stamp), told, silent(job))) ?? null
  }

  async work(held: boolean, job: Job): Promise<void> {
    if (this.#lookBefore()) return this.#settle()
    if (this.#followDue) await this.#followFiles(job)
    const step = this.#next(held)
    if (step) {
      const running = this.#chain.run(step, job)
      this.#ports.events.changed()
      await running
    }
    this.#settle()
  }

  interrupt(): void {
    // Threads would go on; what they have measured is remembered.
    this.#chain.interrupt('metrics')
  }

  checkFiles(): void {
    const { partial, outdated } = this.#facts
    // What is still being written is followed.
    if (partial || this.#growing || outdated || this.#stamp === '' || this.#stamp === this.#source.stamp())
      return
    this.#facts = { ...this.#facts, outdated: true }
    this.#ports.events.changed()
  }

  /** Whether its files are being written at this time: then they are followed. */
  setGrowing(growing: boolean): void {
    if (this.#growing === growing) return
    this.#growing = growing
    this.#facts = { ...this.#facts, growing, outdated: false }
    // What came last is read when the writing ends.
    if (growing) this.#followSoon()
    else this.#followNow()
    this.#ports.events.changed()
  }

  setOptions(options: CompareOptions): void {
    this.#options = options
    this.#outdated()
  }

  setHand(hand: HandMatches): void {
    this.#hand = hand
    this.#handVersion++
    this.#outdated()
  }

  #outdated(): void {
    this.#chain.recheck()
    this.#partial = null
    this.#ports.events.changed()
  }

  get bytes(): number {
    return this.#chain.bytes
  }

  release(): void {
    this.#chain.release(['findings', 'kept'])
    this.#once.clear()
    this.#partial = null
    this.#measure = remembering(this.#ports.measure)
  }

  close(): void {
    clearTimeout(this.#follow)
    this.#followDue = false
    this.release()
    this.#chain.release([])
  }

  // ---------------------------------------- steps

  async #read(job: Job): Promise<SourceDumps> {
    const provisional = new Provisional(this.#ports.events, job, (dumps, until) =>
      this.#compareProvisionally(dumps, until),
    )
    this.#stamp = this.#source.stamp()
    const dumps = await this.#source.read(this.#options.rules, job, part => provisional.offer(part))
    provisional.end()
    const { debug, bench, given } = dumps
    if (!given && bench) this.#ports.adviser?.prepare(debug, bench)
    for (const found of [...debug.problems, ...(bench?.problems ?? [])]) this.#ports.events.problem(found)
    this.#facts = { ...this.#facts, partial: isPartial(dumps), outdated: false }
    return dumps
  }

  async #compareProvisionally(dumps: SourceDumps, job: Job): Promise<void> {
    const { states } = this.#keys()
    try {
      const table = dumps.bench ? await this.#comparePart(dumps, job) : rowsOf(dumps.debug, this.#options)
      if (states === this.#keys().states) this.#showPart(dumps, table)
    } catch (error) {
      // Half a file may not be comparable yet; the finished one decides.
      if (!(error instanceof Refusal) && !(error instanceof Cancelled)) throw error
    }
  }

  async #comparePart(dumps: SourceDumps, job: Job): Promise<Comparison> {
    const paired = await this.#pairUp(dumps, job)
    const measured = paired.tensors && emptyMeasured(paired.tensors.pairs.length)
    return judged(paired, measured, this.#judging(), job)
  }

  #showPart(dumps: SourceDumps, table: ItemRows): void {
    for (const step of stepNames)
      if (!this.#isWhole(step)) this.#parts.set(step, (this.#parts.get(step) ?? 0) + 1)
    this.#partial = { dumps, table, headline: null, growing: true, keys: this.#keys() }
    this.#partial = { ...this.#partial, keys: this.#shownKeys() }
    this.#count(table)
    this.#ports.events.changed()
  }

  #pairUp(dumps: SourceDumps, job: Job): Promise<Paired> {
    return pairUp(
      dumps.debug,
      dumpOn(dumps, 'bench'),
      settingsOf(this.#source.place, dumps, this.#options, this.#hand),
      job,
    )
  }

  async #measureAll(dumps: SourceDumps, paired: Paired, job: Job): Promise<Results['metrics']> {
    if (!paired.tensors) return { paired, measured: null }
    const { pairs } = paired.tensors
    if (this.#ports.events.onScreen())
      this.#showPart(dumps, await judged(paired, emptyMeasured(pairs.length), this.#judging(), silent(job)))
    const measured = await (dumps.measure ?? this.#measure)(
      pairs,
      job,
      sparingly(part => {
        if (this.#ports.events.onScreen()) return this.#judgePart(dumps, paired, part, job)
        return Promise.resolve()
      }),
    )
    return { paired, measured }
  }

  async #judgePart(dumps: SourceDumps, paired: Paired, part: Measured, job: Job): Promise<void> {
    const comparison = await judged(paired, part, this.#judging(), silent(job))
    if (this.#chain.running === 'metrics') this.#showPart(dumps, comparison)
  }

  async #judge({ paired, measured }: Results['metrics'], job: Job): Promise<Results['table']> {
    const { metrics } = this.#keys()
    const before = this.#chain.last('table')
    const { thresholds } = this.#options
    const table =
      before?.metrics === metrics && isCompared(before.table)
        ? before.table.judged(thresholds, null)
        : await judged(paired, measured, this.#judging(), job)
    return { metrics, table }
  }

  /** Without the noise that other runs tell, where they cannot; that is said. */
  async #advise(job: Job): Promise<Advised> {
    const view = this.view(this.#base())
    const { refused } = await view.noise(job)
    if (refused) this.#ports.events.problem(refused)
    return view.advised(job)
  }

  /** Nothing is compared: its own rows. */
  #listed({ debug }: SourceDumps): Results['table'] {
    return { metrics: this.#keys().metrics, table: rowsOf(debug, this.#options) }
  }

  #judging(): JudgeSettings {
    return { stack: this.#source.place.stack, thresholds: this.#options.thresholds }
  }

  /** Takes over what the last step has made. */
  #settle(): void {
    if (this.#chain.get('table')) this.#partial = null
    const whole = this.#judged()
    if (whole && !this.#settled) {
      this.#count(whole)
      this.#counted = this.#judgedKey
    }
    const before = whole ? null : this.record
    if (before?.shown && !this.#settled) {
      this.#facts = { ...this.#facts, ...before.counts, ...before.shown }
      this.#counted = this.#judgedKey
    }
    const [headline] = this.findings()?.findings ?? []
    if (headline && headline.node !== this.#facts.headline)
      this.#facts = { ...this.#facts, headline: headline.node }
    const failure = this.#chain.problem
    if (failure) {
      this.#partial = null
      // What was counted so far was of a part that comes to nothing.
      if (this.#counted === '') {
        const { dirs, sideNames } = this.#facts
        this.#facts = { ...noFacts, dirs, sideNames, growing: this.#growing }
      }
      this.#ports.events.problem(failure)
    }
    this.#followSoon()
    this.#ports.events.changed()
  }

  /** A dump that is still being written is looked at again while it is on screen; whole ones are left alone. */
  #followSoon(): void {
    clearTimeout(this.#follow)
    if (!this.#source.follow || !(this.#facts.partial || this.#growing) || !this.#ports.events.onScreen())
      return
    this.#follow = setTimeout(() => this.#followNow(), followMs)
    this.#follow.unref()
  }

  #followNow(): void {
    this.#followDue = this.#source.follow !== undefined && this.#chain.get('dumps') !== undefined
    this.#ports.events.changed()
  }

  async #followFiles(job: Job): Promise<void> {
    this.#followDue = false
    const before = this.dumps()
    if (!before || !this.#source.follow) return
    try {
      const stamp = this.#source.stamp()
      const after = await this.#source.follow(before, this.#options.rules, job)
      if (after === before) return
      this.#generation++
      this.#chain.put('dumps', after)
      this.#stamp = stamp
      this.#facts = { ...this.#facts, partial: isPartial(after) }
    } catch (error) {
      // A file that is being replaced may be unreadable for a moment; the next look decides.
      if (!(error instanceof Refusal) && !job.signal.aborted) throw error
    }
  }

  #made<Id extends keyof Results>(id: Id): Results[Id] {
    const made = this.#chain.get(id)
    if (made === undefined) throw new Error(`step ${id} has not been made`)
    return made
  }

  /** Before it is known what noise explains. */
  #base(): Snapshot {
    return this.#snapshotOf(this.#made('table').table, false)
  }

  #snapshotOf(table: ItemRows, growing: boolean): Snapshot {
    const dumps = this.#chain.last('dumps')
    if (!dumps) throw new Error('a comparison without dumps')
    const headline = this.#chain.get('noise')?.advice.findings[0] ?? null
    return { dumps, table, headline, growing, keys: this.#judged() ? this.#keys() : unjudged(this.#keys()) }
  }

  #count(table: ItemRows): void {
    const calls = isCompared(table) ? callsOf(table.pairing.ops) : nobodysCalls
    this.#facts = { ...this.#facts, ...countsOf(table), calls, worst: worstOf(table) }
  }
}

type Keys = Readonly<Record<StepName, string>>

/** Before it is known what noise explains, rows and graphs are others than after. */
const unjudged = (keys: Keys): Keys => ({ ...keys, states: `${keys.states}~`, graph: `${keys.graph}~` })

const isPartial = ({ debug, bench }: SourceDumps): boolean => debug.partial || bench?.partial === true

const dirsOf = ({ debug, bench, places }: UnitRef): readonly string[] =>
  places.bench ? [debug, bench] : [debug]

const noFacts: UnitFacts = {
  dirs: [],
  sideNames: [],
  ...noCounts,
  calls: nobodysCalls,
  worst: NaN,
  headline: '',
  partial: false,
  growing: false,
  outdated: false,
}

/** Largest error level of the rows. */
function worstOf({ level }: ItemRows): number {
  let worst = NaN
  for (let row = 0; row < level.length; row++)
    if (level[row] > worst || (Number.isNaN(worst) && !Number.isNaN(level[row]))) worst = level[row]
  return worst
}

/** About what a dump's columns and texts take. */
const bytesOf = ({ items, ops, texts }: Dump): number =>
  items.length * 110 + ops.length * 28 + texts.heapBytes * 2

const mapValues = <K extends string, V>(
  of: Readonly<Record<K, V>>,
  to: (value: V, key: K) => V,
): Readonly<Record<K, V>> =>
  Object.fromEntries(Object.entries<V>(of).map(([key, value]) => [key, to(value, key as K)])) as Record<K, V>

/** What is shown in between is no progress. */
const silent = (job: Job): Job => ({ ...job, report: () => {} })

/** Partial dumps on their way to the screen: one comparison at a time, and then only of the newest. */
class Provisional {
  readonly #events: UnitEvents
  readonly #job: Job
  readonly #compare: (dumps: SourceDumps, job: Job) => Promise<void>
  #shown = 0
  #newest: SourceDumps | null = null
  #running = false
  #ended = false

  constructor(events: UnitEvents, job: Job, compare: (dumps: SourceDumps, job: Job) => Promise<void>) {
    this.#events = events
    this.#compare = compare
    this.#job = {
      ...silent(job),
      breathe: async () => {
        await job.breathe()
        if (this.#ended) throw new Cancelled()
      },
    }
  }

  offer(dumps: SourceDumps): void {
    const { length } = dumps.debug.items
    const enough = dumps.graph !== null || length >= Math.max(firstRows, this.#shown * provisionalGrowth)
    if (!enough || !this.#events.onScreen()) return
    this.#shown = length
    this.#newest = dumps
    if (!this.#running) void this.#run()
  }

  async #run(): Promise<void> {
    this.#running = true
    for (let dumps = this.#newest; dumps && !this.#ended; dumps = this.#newest) {
      this.#newest = null
      await this.#compare(dumps, this.#job)
    }
    this.#running = false
  }

  /** What is under way is of no use any more. */
  end(): void {
    this.#ended = true
  }
}

/** Calls again only when the last call has ended and nine times its time has passed. */
function sparingly<T>(act: (value: T) => Promise<void>): (value: T) => void {
  let busyUntil = 0
  return value => {
    const began = performance.now()
    if (began < busyUntil) return
    busyUntil = Infinity
    const rest = (): void => {
      busyUntil = performance.now() + 9 * (performance.now() - began)
    }
    act(value).then(rest, rest)
  }
}
