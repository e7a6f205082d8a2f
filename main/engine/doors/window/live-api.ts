// Runs that are still being dumped while they are open.
import type { LiveApi } from '../../../../preload/contract/engine.ts'
import { watchRun, type Watch } from '../../live/index.ts'
import {
  internal,
  Refusal,
  type LiveRun,
  type LiveView,
  type SessionId,
  type Side,
} from '../../model/index.ts'
import type { Session } from '../../session/index.ts'
import { type Emit, PairUnit } from '../../study/index.ts'
import { Cancelled } from '../../work/index.ts'
import type { Context } from './context.ts'

interface Watched {
  readonly side: Side
  readonly watch: Watch
}

export function liveApi(context: Context, emit: Emit): LiveApi {
  const watched = new Map<SessionId, readonly Watched[]>()

  const growing = new Set<SessionId>()
  /** New steps and ranks come in by themselves; what cannot be planned yet is met at the next change. */
  function grow(id: SessionId, session: Session): void {
    if (growing.has(id)) return
    growing.add(id)
    void context
      .grow(id)
      .then(
        () => {
          tell(session, watched.get(id) ?? [])
          emit({ is: 'live', session: id })
        },
        (error: unknown) => {
          if (!(error instanceof Refusal || error instanceof Cancelled)) session.complain(internal(error))
        },
      )
      .finally(() => growing.delete(id))
  }

  function begin(id: SessionId, session: Session): readonly Watched[] {
    const { sides } = session.study.facts(session.onScreen)
    // Files that hold a whole comparison, and archives, are not written by a run.
    const folders = sides.filter(({ root }) => context.files.stat(root)?.kind === 'folder')
    const made = session.units.some(unit => unit instanceof PairUnit) ? folders : []
    return made.map(({ side, root }) => ({
      side,
      watch: watchRun(root, {
        files: context.files,
        onlySeen: true,
        changed() {
          const runs = watched.get(id) ?? []
          tell(session, runs)
          emit({ is: 'live', session: id })
          // Alone a step may still be without its other side: then it comes with the next change.
          if (viewOf(session, runs).fresh > 0) grow(id, session)
        },
        failed: error => session.complain(internal(error)),
      }),
    }))
  }

  return {
    async live({ session: id }) {
      const session = context.session(id)
      let runs = watched.get(id)
      if (!runs) {
        runs = begin(id, session)
        watched.set(id, runs)
        context.whenClosed(id, () => {
          for (const { watch } of watched.get(id) ?? []) watch.close()
          watched.delete(id)
        })
      }
      await Promise.all(runs.map(({ watch }) => watch.looked))
      return viewOf(session, runs)
    },
  }
}

const isWritten = ({ state }: LiveRun['ranks'][number]): boolean => state === 'writing' || state === 'empty'

/** Units follow what is written into their folders. */
function tell(session: Session, runs: readonly Watched[]): void {
  const written = new Set(
    runs.flatMap(({ watch }) => watch.run?.ranks.filter(isWritten).map(({ dir }) => plain(dir)) ?? []),
  )
  for (const unit of session.units)
    if (unit instanceof PairUnit) {
      const { debug, bench } = unit.ref.places
      unit.setGrowing([debug, bench].some(place => place !== null && written.has(plain(place.path))))
    }
}

const plain = (path: string): string => path.replaceAll('\\', '/')

function viewOf(session: Session, runs: readonly Watched[]): LiveView {
  const sides = runs.flatMap(({ side, watch }) => (watch.run ? [{ side, run: watch.run }] : []))
  const keyOf = ({ step, rank }: { readonly step: number | null; readonly rank: number | null }): string =>
    `${step} ${rank}`
  const known = new Set(session.units.map(keyOf))
  const [first, ...others] = sides.map(
    ({ run }) => new Set(run.ranks.filter(({ calls }) => calls !== 0).map(keyOf)),
  )
  const shared = [...(first ?? [])].filter(key => others.every(side => side.has(key)))
  return { sides, fresh: shared.filter(key => !known.has(key)).length }
}
