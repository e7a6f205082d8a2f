// Looks at a run again and again: soon after the system hints at a change, and by the clock where it never does.
import { type Files, watchFolders } from '../io/index.ts'
import type { LiveRun } from '../model/index.ts'
import { Cancelled, job } from '../work/index.ts'
import { Run, soonMs } from './run.ts'

export interface WatchSettings {
  readonly files: Files
  /** So long nothing may change before a rank counts as quiet or stalled. */
  readonly quietMs?: number
  /** Without hints it is looked so often, and more rarely where nothing goes on. */
  readonly everyMs?: number
  readonly onlySeen?: boolean
  /** Looked at, whenever something is other than at the look before. */
  changed(run: LiveRun): void
  /** What is no failure of a folder. */
  failed(error: unknown): void
}

export interface Watch {
  /** As it was seen last; null before the first look. */
  readonly run: LiveRun | null
  /** The first look is over. */
  readonly looked: Promise<void>
  close(): void
}

export const usualQuietMs = 30_000
const usualEveryMs = 2000
const restFactor = 5
const debounceMs = 500

export function watchRun(
  root: string,
  { files, quietMs = usualQuietMs, everyMs = usualEveryMs, onlySeen = false, changed, failed }: WatchSettings,
): Watch {
  const run = new Run(root, files, { quietMs, onlySeen, now: Date.now })
  const end = new AbortController()
  const looking = job(end.signal)
  let seen: LiveRun | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let busy = false
  const hints = watchFolders(() => {
    if (!busy) later(debounceMs)
  })
  /** A hint may bring the next look nearer, and never puts it off. */
  let due = Infinity
  function later(ms: number): void {
    const at = Date.now() + ms
    if (end.signal.aborted || at >= due) return
    due = at
    clearTimeout(timer)
    timer = setTimeout(() => void look(), ms)
  }
  async function look(): Promise<void> {
    due = Infinity
    busy = true
    try {
      const now = await run.look(looking)
      const other = JSON.stringify(now) !== JSON.stringify(seen)
      seen = now
      // What happened before they were heard of is seen by another look.
      if (hints.on(run.folders)) later(debounceMs)
      if (other) changed(now)
      settle()
    } catch (error) {
      if (!(error instanceof Cancelled)) failed(error)
      settle()
    } finally {
      busy = false
      later(run.unsettled ? soonMs : everyMs * (seen && goesOn(seen) ? 1 : restFactor))
    }
  }
  let settle = (): void => {}
  const looked = new Promise<void>(resolve => {
    settle = resolve
  })
  void look()
  return {
    looked,
    get run() {
      return seen
    },
    close() {
      end.abort()
      clearTimeout(timer)
      hints.close()
    },
  }
}

/** Somebody writes, or will. */
const goesOn = ({ ranks }: LiveRun): boolean =>
  ranks.length === 0 || ranks.some(({ state }) => state === 'writing' || state === 'empty')
