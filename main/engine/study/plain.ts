// A study of something that is read, and nothing more: one unit, one step.
import type { Files } from '../io/index.ts'
import { nobodysCalls, noCounts } from '../judge/index.ts'
import type {
  CompareOptions,
  Problem,
  SessionFacts,
  StepValues,
  UnitFacts,
  UnitState,
} from '../model/index.ts'
import type { UnitRef } from '../layout/index.ts'
import type { Job } from '../work/index.ts'
import { Chain } from './chain.ts'
import type { StudyInput, StudyKind } from './kinds.ts'
import { sidesBefore } from './side-names.ts'
import type { UnitSource } from './sources.ts'
import type { Study, StudyUnit, UnitEvents } from './study.ts'

export interface PlainPorts {
  readonly files: Files
  readonly cacheDir: string
  events(unit: number): UnitEvents
}

/** What a kind of study reads. */
export interface Reading<Data> {
  /** Of what is read, the options that it rests on. */
  key(options: CompareOptions): string
  read(asked: PlainAsked): Promise<Data>
  rows(data: Data): number
  bytes(data: Data): number
  /** Gives back what is held besides memory, once nobody needs it any more. */
  close?(data: Data): void
}

/** What every unit is made of. */
export type UnitGiven = readonly [
  source: UnitSource,
  files: Files,
  events: UnitEvents,
  options: CompareOptions,
]

export interface PlainAsked {
  readonly place: UnitRef
  readonly options: CompareOptions
  readonly files: Files
  readonly job: Job
  tell(found: Problem): void
}

export class PlainStudy<Data> implements Study {
  readonly units: readonly PlainUnit<Data>[]
  readonly problems: readonly Problem[]
  readonly beside: Study['beside'] = []
  readonly #kind: StudyKind
  readonly #input: StudyInput
  #options: CompareOptions

  constructor(
    kind: StudyKind,
    input: StudyInput,
    { files, events }: PlainPorts,
    made: (...given: UnitGiven) => PlainUnit<Data>,
  ) {
    this.#kind = kind
    this.#input = input
    this.#options = input.options
    this.problems = input.opening.problems
    this.units = input.opening.units.map((source, unit) => made(source, files, events(unit), input.options))
  }

  get options(): CompareOptions {
    return this.#options
  }

  setOptions(options: CompareOptions): void {
    this.#options = options
    for (const unit of this.units) unit.setOptions(options)
  }

  facts(): SessionFacts {
    const { id, sides, panes, reports, can } = this.#kind
    const shown = sidesBefore(sides, this.#input.opening)
    return {
      kind: id,
      sides: shown,
      beside: [],
      panes: panes(shown),
      reports: reports(shown),
      can,
      mode: 'statistics',
      mapping: this.#options.mapping,
    }
  }

  close(): void {
    for (const unit of this.units) unit.close()
    this.#input.opening.close()
  }
}

interface Results<Data> {
  dumps: Data
}

export class PlainUnit<Data> implements StudyUnit {
  readonly step = null
  readonly rank = null
  readonly name = ''
  readonly aside = false
  readonly #source: UnitSource
  readonly #files: Files
  readonly #events: UnitEvents
  readonly #reading: Reading<Data>
  readonly #chain: Chain<Results<Data>>
  #options: CompareOptions
  #facts: UnitFacts
  #stamp = ''
  #open: Data | null = null

  constructor(reading: Reading<Data>, ...[source, files, events, options]: UnitGiven) {
    const { debug, bench, places } = source.place
    this.#reading = reading
    this.#source = source
    this.#files = files
    this.#events = events
    this.#options = options
    this.#facts = { ...noFacts, dirs: places.bench ? [debug, bench] : [debug] }
    this.#chain = new Chain<Results<Data>>([
      {
        id: 'dumps',
        key: () => reading.key(this.#options),
        run: job => this.#read(job),
        bytes: data => reading.bytes(data),
      },
    ])
  }

  /** Null until it has been read. */
  get data(): Data | null {
    return this.#chain.get('dumps') ?? null
  }

  get facts(): UnitFacts {
    return this.#facts
  }

  get known(): boolean {
    return this.#facts.rows > 0
  }

  get problem(): Problem | null {
    return this.#chain.problem
  }

  get state(): UnitState {
    if (this.problem) return 'failed'
    if (this.#chain.running) return 'reading'
    return this.data || this.known ? 'done' : 'waiting'
  }

  keys(): StepValues<string> {
    return { dumps: this.data ? this.#reading.key(this.#options) : 'waiting' }
  }

  behind(held: boolean): boolean {
    return (held || !this.known) && this.#chain.next('dumps') !== null
  }

  async work(_held: boolean, job: Job): Promise<void> {
    const step = this.#chain.next('dumps')
    if (!step) return
    const running = this.#chain.run(step, job)
    this.#events.changed()
    await running
    if (this.problem) this.#events.problem(this.problem)
    this.#events.changed()
  }

  async #read(job: Job): Promise<Data> {
    this.#stamp = this.#source.stamp()
    const data = await this.#reading.read({
      place: this.#source.place,
      options: this.#options,
      files: this.#files,
      job,
      tell: found => this.#events.problem(found),
    })
    this.#drop()
    this.#open = data
    this.#facts = { ...this.#facts, rows: this.#reading.rows(data), outdated: false }
    return data
  }

  checkFiles(): void {
    if (this.#facts.outdated || this.#stamp === '' || this.#stamp === this.#source.stamp()) return
    this.#facts = { ...this.#facts, outdated: true }
    this.#events.changed()
  }

  interrupt(): void {}

  get bytes(): number {
    return this.#chain.bytes
  }

  release(): void {
    this.#chain.release([])
    this.#drop()
  }

  #drop(): void {
    if (this.#open !== null) this.#reading.close?.(this.#open)
    this.#open = null
  }

  /** Another key may hold now: what is outdated is read again. */
  protected again(): void {
    this.#chain.recheck()
    this.#events.changed()
  }

  setOptions(options: CompareOptions): void {
    this.#options = options
    this.#events.changed()
  }

  close(): void {
    this.release()
  }
}

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
