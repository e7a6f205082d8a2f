// One opened study: which unit is on screen, who waits for what, and what the window is told.
import {
  type CompareOptions,
  type Problem,
  Refusal,
  type SessionId,
  type SessionInfo,
  type UnitIndex,
  type UnitInfo,
  type UnitState,
  internal,
} from '../model/index.ts'
import type { Emit, Study, StudyUnit, UnitEvents, UnitSource } from '../study/index.ts'
import { Cancelled, Urgency, type Job, type Progress, type Queue, type Worker } from '../work/index.ts'
import type { Holder, Memory } from './memory.ts'
import { Versions } from './versions.ts'

export interface SessionPorts {
  /** One for all sessions, as is the memory. */
  readonly queue: Queue
  readonly memory: Memory
  emit: Emit
}

/** Makes the study; its units tell the session what happens to them. */
export type OpenStudy = (events: (unit: UnitIndex) => UnitEvents) => Study

/**
 * What happens off screen is told the more rarely the more units there are, for whoever is told looks at all of
 * them.
 */
const mostGatheringMs = 250
const manyUnits = 16

/** How often it is looked whether the files on screen are still those that were read. */
const checkMs = 3000

export class Session {
  readonly id: SessionId
  readonly study: Study
  readonly problems: Problem[] = []
  readonly #ports: SessionPorts
  readonly #seats: Seat[] = []
  readonly #versions = new Versions()
  readonly #changed = new Set<UnitIndex>()
  #onScreen = 0
  #paused = false
  #closed = false
  #telling: 'not' | 'later' | 'soon' = 'not'
  #facts = ''
  readonly #checks: ReturnType<typeof setInterval>

  constructor(id: SessionId, open: OpenStudy, ports: SessionPorts) {
    this.id = id
    this.#ports = ports
    this.study = open(unit => this.#eventsOf(unit))
    this.problems.push(...this.study.problems)
    this.#sit(this.study.units)
    this.#checks = setInterval(() => this.#seats[this.#onScreen]?.unit.checkFiles(), checkMs).unref()
  }

  info(): SessionInfo {
    const facts = this.study.facts(this.#onScreen)
    return {
      ...facts,
      session: this.id,
      options: this.study.options,
      units: this.#seats.map((_, unit) => this.#infoOf(unit)),
      unit: this.#onScreen,
      problems: this.problems,
      paused: this.#paused,
    }
  }

  /** Steps and ranks that have come since. */
  take(sources: readonly UnitSource[]): void {
    if (this.#closed) return
    const made = this.study.take?.(sources) ?? []
    if (made.length === 0) return
    this.#sit(made)
    this.#ports.queue.look()
    this.#ports.emit({ is: 'session', session: this.id })
  }

  #sit(units: readonly StudyUnit[]): void {
    for (const unit of units) {
      const seat = new Seat(unit, this.#ports.memory, this.#lifeOf(this.#seats.length))
      this.#seats.push(seat)
      this.#ports.memory.add(seat)
      this.#ports.queue.add(seat)
    }
  }

  unit(index: UnitIndex): StudyUnit {
    return this.#seat(index).unit
  }

  get units(): readonly StudyUnit[] {
    return this.study.units
  }

  get onScreen(): number {
    return this.#onScreen
  }

  /** Makes a unit the one on screen; its work goes first. */
  choose(unit: UnitIndex): void {
    this.#seat(unit).touch()
    this.#onScreen = unit
    this.#ports.queue.look()
  }

  /**
   * What `ready` finds in a unit, as soon as it finds it: looked for again whenever the unit has changed. Its
   * work goes before that of units which nobody asks about.
   */
  async until<T>(unit: UnitIndex, ready: (unit: StudyUnit) => T | null, signal?: AbortSignal): Promise<T> {
    const seat = this.#seat(unit)
    seat.touch()
    seat.waiting++
    try {
      for (;;) {
        if (this.#closed || signal?.aborted) throw new Cancelled()
        const found = ready(seat.unit)
        if (found !== null) return found
        if (this.#paused) throw new Cancelled()
        const stopped = seat.unit.problem ?? seat.broken
        if (stopped) throw new Refusal(stopped)
        const change = seat.nextChange(signal)
        this.#ports.queue.look()
        await change
      }
    } finally {
      seat.waiting--
    }
  }

  setOptions(options: CompareOptions): void {
    this.study.setOptions(options)
    this.#ports.queue.look()
    this.#tellFacts()
  }

  /** Stops the work; only `resume` lets it go on. Who waits for it is let go. */
  pause(): void {
    this.#setPaused(true)
    for (const seat of this.#seats) seat.wake()
  }

  resume(): void {
    this.#setPaused(false)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#checks)
    for (const seat of this.#seats) seat.wake()
    await Promise.all(this.#seats.map(seat => this.#ports.queue.remove(seat)))
    for (const seat of this.#seats) this.#ports.memory.remove(seat)
    this.study.close()
  }

  /** Tells a problem once. */
  complain(found: Problem): void {
    const same = (known: Problem): boolean =>
      known.code === found.code &&
      known.path === found.path &&
      JSON.stringify(known.facts) === JSON.stringify(found.facts)
    if (this.#closed || this.problems.some(same)) return
    this.problems.push(found)
    this.#ports.emit({ is: 'problem', session: this.id, problem: found })
  }

  #setPaused(paused: boolean): void {
    if (this.#paused === paused) return
    this.#paused = paused
    for (const index of this.#seats.keys()) this.#changed.add(index)
    this.#tellSoon()
    this.#ports.emit({ is: 'session', session: this.id })
  }

  #seat(unit: UnitIndex): Seat {
    const found = this.#seats[unit]
    if (!found) throw new RangeError(`session ${this.id} has no unit ${unit}`)
    return found
  }

  #infoOf(index: UnitIndex): UnitInfo {
    const { unit } = this.#seat(index)
    return {
      ...unit.facts,
      unit: index,
      step: unit.step,
      rank: unit.rank,
      name: unit.name,
      aside: unit.aside,
      state: this.#stateOf(unit),
      failure: unit.state === 'failed' && unit.facts.rows === 0 ? unit.problem : null,
      versions: this.#versions.of(unit.keys()),
    }
  }

  /** What stands still is not at work. */
  #stateOf({ state }: StudyUnit): UnitState {
    return this.#paused && (state === 'reading' || state === 'comparing') ? 'waiting' : state
  }

  #eventsOf(index: UnitIndex): UnitEvents {
    return {
      changed: () => {
        this.#changed.add(index)
        // While the study is made there is nobody to tell.
        this.#seats[index]?.wake()
        if (this.#seats[index]?.isWanted) this.#tellSoon()
        else this.#tellLater()
      },
      problem: found => this.complain(found),
      onScreen: () => this.#onScreen === index,
    }
  }

  #lifeOf(index: UnitIndex): SeatLife {
    return {
      onScreen: () => this.#onScreen === index,
      mayWork: () => !this.#paused && !this.#closed,
      settled: () => this.#ports.memory.keepWithin(),
      broke: found => this.complain(found),
      report: (progress, startedMs, finished) => this.#report(index, progress, startedMs, finished),
    }
  }

  /** Whatever changes in one turn of the event loop is told once. */
  #tellSoon(): void {
    this.#ports.queue.look()
    if (this.#telling === 'soon' || this.#closed) return
    this.#telling = 'soon'
    setImmediate(() => this.#tell())
  }

  #tellLater(): void {
    const { length } = this.#seats
    if (length < manyUnits) return this.#tellSoon()
    this.#ports.queue.look()
    if (this.#telling !== 'not' || this.#closed) return
    this.#telling = 'later'
    setTimeout(() => this.#tell(), Math.min(mostGatheringMs, length))
  }

  #tell(): void {
    this.#telling = 'not'
    if (this.#closed || this.#changed.size === 0) return
    const units = [...this.#changed].map(unit => this.#infoOf(unit))
    this.#changed.clear()
    this.#ports.emit({ is: 'units', session: this.id, units })
    this.#tellFacts()
  }

  /** Sides, mode and options, where they are others than were told last. */
  #tellFacts(): void {
    const facts = this.study.facts(this.#onScreen)
    const now = JSON.stringify([facts, this.study.options])
    if (now === this.#facts) return
    this.#facts = now
    this.#ports.emit({ is: 'session', session: this.id })
  }

  #report(unit: UnitIndex, progress: Progress, startedMs: number, finished: boolean): void {
    if (this.#closed && !finished) return
    const { what, done, total } = progress
    this.#ports.emit({
      is: 'job',
      job: { session: this.id, unit, what, done, total, countedIn: progress.countedIn, startedMs, finished },
    })
  }
}

interface SeatLife {
  onScreen(): boolean
  mayWork(): boolean
  settled(): void
  broke(found: Problem): void
  report(progress: Progress, startedMs: number, finished: boolean): void
}

/** A unit among the others: how much it is wanted, and who waits for it. */
class Seat implements Worker, Holder {
  readonly unit: StudyUnit
  waiting = 0
  seen = 0
  readonly #memory: Memory
  readonly #life: SeatLife
  #change: { readonly promise: Promise<void>; resolve(): void } | null = null
  #working = false
  /** A bug outside of any step. It would come again, so the unit is left alone. */
  broken: Problem | null = null
  /** When the work that goes on began; 0 while there is none. */
  #started = 0

  constructor(unit: StudyUnit, memory: Memory, life: SeatLife) {
    this.unit = unit
    this.#memory = memory
    this.#life = life
  }

  touch(): void {
    this.seen = this.#memory.tick()
  }

  /** On screen, or somebody waits for it. */
  get isWanted(): boolean {
    return this.waiting > 0 || this.#life.onScreen()
  }

  urgency(): Urgency | null {
    if (this.broken || !this.#life.mayWork() || !(this.#working || this.unit.behind(this.isWanted)))
      return null
    return this.#life.onScreen() ? Urgency.seen : this.waiting > 0 ? Urgency.asked : Urgency.background
  }

  async work(job: Job): Promise<void> {
    this.#working = true
    this.#started ||= Date.now()
    try {
      await this.unit.work(this.isWanted, job)
    } catch (error) {
      if (job.signal.aborted) return
      this.broken = internal(error)
      this.#life.broke(this.broken)
    } finally {
      this.#working = false
      this.wake()
      // Findings are looked for afterwards, without a word.
      if (this.unit.state === 'done' || !this.unit.behind(this.isWanted)) this.#rest()
      this.#life.settled()
    }
  }

  interrupt(): void {
    this.unit.interrupt()
  }

  report(progress: Progress): void {
    this.#life.report(progress, this.#started, false)
  }

  get bytes(): number {
    return this.unit.bytes
  }

  get pinned(): boolean {
    return this.isWanted || this.#working
  }

  release(): void {
    this.unit.release()
  }

  /** Those who wait look again. */
  wake(): void {
    const change = this.#change
    this.#change = null
    change?.resolve()
  }

  nextChange(signal?: AbortSignal): Promise<void> {
    this.#change ??= withResolver()
    if (!signal) return this.#change.promise
    const { promise } = this.#change
    return new Promise(resolve => {
      const done = (): void => {
        signal.removeEventListener('abort', done)
        resolve()
      }
      signal.addEventListener('abort', done)
      void promise.then(done)
    })
  }

  #rest(): void {
    if (this.#started === 0) return
    this.#life.report({ what: 'job.done', done: 1, total: 1, countedIn: 'items' }, this.#started, true)
    this.#started = 0
  }
}

function withResolver(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}
