// The window's own modules without a window: their state, an engine behind a real line, and the questions that a panel asks.
import type { ComponentType } from 'react'
import { vi } from 'vitest'
import type { EngineApi, EngineEvent, SessionId, SessionInfo } from '../../preload/contract/engine.ts'
import type { Bridge } from '../../preload/contract/host.ts'
import type { Query } from '../../renderer/state/query.ts'
import { wire } from './line.ts'
import { allDone, turn, watchedEngine, type Watched } from './watched.ts'

export interface Window {
  readonly watched: Watched
  /** The engine as the window asks it. */
  readonly engine: typeof import('../../renderer/engine.ts').engine
  readonly sessions: typeof import('../../renderer/state/sessions.ts')
  readonly workbench: typeof import('../../renderer/state/workbench.ts')
  readonly query: typeof import('../../renderer/state/query.ts')
  /** The questions of the engine that a panel asks as things are now. */
  questions<P extends object>(
    panel: () => Promise<ComponentType<P>>,
    given: P,
  ): Promise<readonly Query<unknown>[]>
  /** What a panel shows for a question: the answer that is kept, if there is one. */
  shown(question: Query<unknown>): unknown
  /** Asks until nothing of the open session is left to do; what was told meanwhile has come over the same line before. */
  settled(): Promise<SessionInfo>
}

/** What the modules expect of a browser as soon as they are loaded. */
function standIns(): void {
  vi.stubGlobal('window', Object.assign(new EventTarget(), { setTimeout, clearTimeout }))
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem() {}, removeItem() {} })
  vi.stubGlobal('document', { documentElement: { lang: '', dataset: {} } })
  // Newer than the oldest Node that runs the tests.
  Promise.withResolvers ??= <T>(): PromiseWithResolvers<T> => {
    let [resolve, reject]: [PromiseWithResolvers<T>['resolve'], PromiseWithResolvers<T>['reject']] = [
      () => {},
      () => {},
    ]
    const promise = new Promise<T>((yes, no) => {
      ;[resolve, reject] = [yes, no]
    })
    return { promise, resolve, reject }
  }
}

export async function openWindow(): Promise<Window> {
  standIns()
  const asked: Query<unknown>[] = []
  // Drawn as text, hooks would see the state of the start: here they see that of now.
  vi.doMock('zustand', async () => {
    const { createStore } = await import('zustand/vanilla')
    return {
      create: () => (init: never) => {
        const store = createStore<object>(init)
        return Object.assign((pick: (state: object) => unknown) => pick(store.getState()), store)
      },
    }
  })
  let useReal: Window['query']['useQuery'] = () => ({ is: 'none' })
  vi.doMock('../../renderer/state/query.ts', async load => {
    const real = await load<Window['query']>()
    useReal = real.useQuery
    return {
      ...real,
      useQuery(question: Query<unknown>) {
        asked.push(question)
        return { is: 'none' }
      },
    }
  })
  const [sessions, workbench, query, { settingsSchema }, { setHost }, { connect, serve }, line] =
    await Promise.all([
      import('../../renderer/state/sessions.ts'),
      import('../../renderer/state/workbench.ts'),
      import('../../renderer/state/query.ts'),
      import('../../preload/contract/host-schemas.ts'),
      import('../../renderer/state/host.ts'),
      import('../../preload/contract/rpc.ts'),
      import('../../renderer/engine.ts'),
    ])
  const { renderToStaticMarkup } = await import('react-dom/server')
  const { createElement } = await import('react')
  const kept = settingsSchema.parse({})
  setHost({ remember: () => Promise.resolve(kept), change: () => Promise.resolve(kept) } as unknown as Bridge)
  sessions.startSessions()

  const watched = watchedEngine()
  const { near, far } = wire()
  const server = serve<EngineEvent>(watched.engine, far)
  watched.onEvent = event => server.emit(event)
  line.attachEngine(connect<EngineApi, EngineEvent>(near, line.onEngineEvent, line.detachEngine))
  return {
    watched,
    engine: line.engine,
    sessions,
    workbench,
    query,
    async questions(panel, given) {
      // Where there is half a browser, what the panels are made of would look for the rest of it.
      vi.unstubAllGlobals()
      asked.length = 0
      renderToStaticMarkup(createElement(await panel(), given))
      standIns()
      return [...asked]
    },
    shown(question) {
      let answer: unknown
      renderToStaticMarkup(
        createElement(() => {
          answer = query.valueOf(useReal(question))
          return null
        }),
      )
      return answer
    },
    async settled() {
      for (;;) {
        const info = await line.engine.session({ session: workbench.now().session?.session as SessionId })
        if (allDone(info)) return info
        await turn()
      }
    },
  }
}
