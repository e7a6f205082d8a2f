// Values over steps and ranks as a study: one unit, which is read and nothing more.
import type { SeriesPart } from '../../formats/index.ts'
import type { Files } from '../../io/index.ts'
import { nobodysCalls, noCounts } from '../../judge/index.ts'
import type {
  CompareOptions,
  Problem,
  SessionFacts,
  StepValues,
  UnitFacts,
  UnitState,
} from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { Chain } from '../chain.ts'
import type { StudyInput, StudyKind } from '../kinds.ts'
import { sidesBefore } from '../side-names.ts'
import type { UnitSource } from '../sources.ts'
import type { Study, StudyUnit, UnitEvents } from '../study.ts'
import { bytesOf, readGradients, readMonitors, rowsOf, type SeriesData } from './data.ts'

interface SeriesPorts {
  readonly files: Files
  events(unit: number): UnitEvents
}

export const openSeries = (kind: StudyKind, input: StudyInput, ports: SeriesPorts): Study =>
  new SeriesStudy(kind, input, ports)

class SeriesStudy implements Study {
  readonly units: readonly SeriesUnit[]
  readonly problems: readonly Problem[]
  readonly #kind: StudyKind
  readonly #input: StudyInput
  #options: CompareOptions

  constructor(kind: StudyKind, input: StudyInput, { files, events }: SeriesPorts) {
    this.#kind = kind
    this.#input = input
    this.#options = input.options
    this.problems = input.opening.problems
    this.units = input.opening.units.map((source, unit) => new SeriesUnit(source, files, events(unit)))
  }

  get options(): CompareOptions {
    return this.#options
  }

  setOptions(options: CompareOptions): void {
    this.#options = options
  }

  facts(): SessionFacts {
    const { id, sides, panes, reports, can } = this.#kind
    const shown = sidesBefore(sides, this.#input.opening)
    return {
      kind: id,
      sides: shown,
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

interface Results {
  dumps: SeriesData
}

export class SeriesUnit implements StudyUnit {
  readonly step = null
  readonly rank = null
  readonly name = ''
  readonly #source: UnitSource
  readonly #files: Files
  readonly #events: UnitEvents
  readonly #chain: Chain<Results>
  #facts: UnitFacts
  #stamp = ''

  constructor(source: UnitSource, files: Files, events: UnitEvents) {
    const { debug, bench, places } = source.place
    this.#source = source
    this.#files = files
    this.#events = events
    this.#facts = { ...noFacts, dirs: places.bench ? [debug, bench] : [debug] }
    this.#chain = new Chain<Results>([
      { id: 'dumps', key: () => 'read', run: job => this.#read(job), bytes: bytesOf },
    ])
  }

  /** Null until it has been read. */
  get data(): SeriesData | null {
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
    return { dumps: this.data ? 'read' : 'waiting' }
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

  async #read(job: Job): Promise<SeriesData> {
    this.#stamp = this.#source.stamp()
    const { debug, places } = this.#source.place
    const bench = places.bench?.path ?? null
    const ports = { files: this.#files, job, tell: (found: Problem) => this.#events.problem(found) }
    const part = places.debug.part as SeriesPart
    const data =
      part === 'gradients'
        ? await readGradients(debug, bench, 'plumbline', ports)
        : await readMonitors(debug, bench, ports)
    this.#facts = { ...this.#facts, rows: rowsOf(data), outdated: false }
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
  }

  setOptions(): void {}

  close(): void {
    this.release()
  }
}

const noFacts: UnitFacts = {
  dirs: [],
  ...noCounts,
  calls: nobodysCalls,
  worst: NaN,
  headline: '',
  partial: false,
  outdated: false,
}
