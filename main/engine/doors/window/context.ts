// What the answers of every area share: open sessions, orders of rows that the window holds, files, threads.
import type { Files } from '../../io/index.ts'
import {
  fail,
  ok,
  Refusal,
  type ReportOrder,
  type Result,
  type SessionId,
  type UnitAt,
  type ViewId,
} from '../../model/index.ts'
import type { Session } from '../../session/index.ts'
import {
  PairUnit,
  type ReportWords,
  type StudyUnit,
  type UnitGraphs,
  type UnitView,
} from '../../study/index.ts'
import { Cancelled, type Pool } from '../../work/index.ts'

/** An order of rows. It holds no comparison: a unit that was given back is read again when rows are asked for. */
export interface View {
  readonly at: UnitAt
  /** Key of the states that it orders. */
  readonly key: string
  readonly rows: Uint32Array
  /** It shows what has no partner: the bench's own has no rows, but belongs to it. */
  readonly unmatched: boolean
}

const keptViews = 24

export class Context {
  readonly files: Files
  readonly pool: Pool
  readonly words: (language: ReportOrder['language']) => ReportWords
  readonly #sessions = new Map<SessionId, Session>()
  readonly #endings = new Map<SessionId, (() => void)[]>()
  readonly #growth = new Map<SessionId, () => Promise<void>>()
  readonly #views = new Map<ViewId, View>()
  #lastSession = 0
  #lastView = 0

  constructor(files: Files, pool: Pool, words: Context['words']) {
    this.files = files
    this.pool = pool
    this.words = words
  }

  nextSession(): SessionId {
    return ++this.#lastSession as SessionId
  }

  add(session: Session): void {
    this.#sessions.set(session.id, session)
  }

  /** What goes on beside a session ends with it. */
  whenClosed(id: SessionId, end: () => void): void {
    this.#endings.set(id, [...(this.#endings.get(id) ?? []), end])
  }

  /** How steps and ranks that came since are taken into a session. */
  canGrow(id: SessionId, grow: () => Promise<void>): void {
    this.#growth.set(id, grow)
  }

  async grow(id: SessionId): Promise<void> {
    await this.#growth.get(id)?.()
  }

  async close(id: SessionId): Promise<void> {
    const session = this.#sessions.get(id)
    for (const end of this.#endings.get(id) ?? []) end()
    this.#endings.delete(id)
    this.#sessions.delete(id)
    this.#growth.delete(id)
    for (const [view, { at }] of this.#views) if (at.session === id) this.#views.delete(view)
    await session?.close()
  }

  /** A question about a session that was closed meanwhile is of no interest to anybody. */
  session(id: SessionId): Session {
    const found = this.#sessions.get(id)
    if (!found) throw new Cancelled()
    return found
  }

  unit({ session, unit }: UnitAt): PairUnit {
    return ofDumps(this.session(session).unit(unit))
  }

  /** What `ready` finds in a unit of dumps, as soon as it finds it. */
  until<T>({ session, unit }: UnitAt, ready: (unit: PairUnit) => T | null, signal?: AbortSignal): Promise<T> {
    return this.session(session).until(unit, at => ready(ofDumps(at)), signal)
  }

  /** What is there of a unit; waits until something is. */
  async unitView(at: UnitAt, signal?: AbortSignal): Promise<UnitView> {
    const unit = this.unit(at)
    return unit.view(await this.until(at, one => one.snapshot(), signal))
  }

  /** The unit, compared to its end. */
  async wholeView(at: UnitAt, signal?: AbortSignal): Promise<UnitView> {
    const unit = this.unit(at)
    const whole = (one: PairUnit): ReturnType<PairUnit['snapshot']> => {
      const snapshot = one.snapshot()
      return snapshot?.growing ? null : snapshot
    }
    return unit.view(await this.until(at, whole, signal))
  }

  /** Null where the dump has no hierarchy: the grid works, the graph says why. */
  async graphs(at: UnitAt, signal?: AbortSignal): Promise<UnitGraphs | null> {
    const view = await this.unitView(at, signal)
    // The hierarchy is read last: while rows come in there is none yet.
    if (view.snapshot.growing && !view.hasHierarchies) return null
    try {
      const made = await view.graphs()
      made.view.prepareSearch()
      return made
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // A dump of API level has none: nothing is wrong with it.
      this.session(at.session).complain(
        error.problem.code === 'no-hierarchy' ? { ...error.problem, severity: 'note' } : error.problem,
      )
      return null
    }
  }

  keep(view: View): ViewId {
    const made = ++this.#lastView as ViewId
    this.#views.set(made, view)
    for (const old of this.#views.keys()) if (this.#views.size > keptViews) this.#views.delete(old)
    return made
  }

  /** An order of rows with the comparison that it is an order of; an outdated one is of no interest. */
  async viewed(id: ViewId, signal?: AbortSignal): Promise<{ readonly view: View; readonly at: UnitView }> {
    const view = this.#views.get(id)
    if (!view) throw new Cancelled()
    const at = await this.unitView(view.at, signal)
    if (at.snapshot.keys.states !== view.key) throw new Cancelled()
    return { view, at }
  }
}

/** Rows, graphs and nodes are asked for by panels of studies of dumps only. */
function ofDumps(unit: StudyUnit): PairUnit {
  if (unit instanceof PairUnit) return unit
  throw new RangeError('a unit without rows was asked for some')
}

export async function refusable<T>(act: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await act())
  } catch (error) {
    if (error instanceof Refusal) return fail(error.problem)
    throw error
  }
}
