// The window's door of the engine with everything that it tells, for tests that act at the very moment something happens.
import { openEngine } from '../../main/engine/doors/window/index.ts'
import { sentences } from '../../main/sentences.ts'
import type {
  CompareOptions,
  EngineApi,
  EngineEvent,
  SessionId,
  SessionInfo,
  ViewInfo,
  ViewQuery,
} from '../../preload/contract/engine.ts'

export const never = new AbortController().signal
export const allRows: Pick<ViewQuery, 'filter' | 'sort'> = {
  filter: { show: [], quick: '', columns: [] },
  sort: [],
}

export interface Watched {
  readonly engine: EngineApi
  readonly events: EngineEvent[]
  /** Called with each event, before whoever told it goes on. */
  onEvent: (event: EngineEvent) => void
  open(paths: readonly string[], options?: Partial<CompareOptions>): Promise<SessionInfo>
  /** Lets the event loop turn until the session is as asked for. */
  until(session: SessionId, ready: (info: SessionInfo) => boolean): Promise<SessionInfo>
  rows(session: SessionId, unit?: number): Promise<ViewInfo>
}

export function watchedEngine(memoryBudget?: number, cacheDir = ''): Watched {
  const watched: Watched = {
    events: [],
    onEvent: () => {},
    engine: openEngine({
      cacheDir,
      ...(memoryBudget !== undefined && { memoryBudget }),
      words: sentences,
      emit: event => {
        watched.events.push(event)
        watched.onEvent(event)
      },
    }),
    async open(paths, options) {
      const opened = await watched.engine.open({ paths, ...(options && { options }) }, never)
      if (!opened.ok) throw new Error(JSON.stringify(opened.problem))
      return opened.value
    },
    async until(session, ready) {
      for (;;) {
        const info = await watched.engine.session({ session }, never)
        if (ready(info)) return info
        // What all units have failed of does not come any more.
        if (info.units.every(({ state }) => state === 'failed'))
          throw new Error(JSON.stringify(info.units.map(({ failure }) => failure)))
        await turn()
      }
    },
    rows: (session, unit = 0) => watched.engine.order({ session, unit, ...allRows }, never),
  }
  return watched
}

export const turn = (): Promise<void> =>
  new Promise(resolve => {
    setImmediate(resolve)
  })

export const allDone = (info: SessionInfo): boolean => info.units.every(unit => unit.state === 'done')

/** The first thing told of a unit: its work has begun. */
export const isAbout = (event: EngineEvent, unit: number): boolean =>
  (event.is === 'job' && event.job.unit === unit && !event.job.finished) ||
  (event.is === 'units' && event.units.some(info => info.unit === unit && info.state !== 'waiting'))
