// The settings file: read once, checked, written whole or not at all. Keys of other versions survive.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { RecentPair, Run, Settings } from '../preload/contract/host.ts'
import { runsKept, settingsSchema } from '../preload/contract/host-schemas.ts'
import type { Log } from './log.ts'

export interface SettingsStore {
  readonly now: Settings
  change(patch: Partial<Settings>): Settings
  onChange(tell: (settings: Settings) => void): void
  /** Writes what waits. */
  flush(): void
}

/** Dragging a divider changes settings many times a second; the disk sees the last. */
const settleMs = 300
const recentLimit = 12

export function openSettings(file: string, log: Log): SettingsStore {
  let now = read(file, log)
  let waiting: NodeJS.Timeout | undefined
  const listeners: ((settings: Settings) => void)[] = []

  const flush = (): void => {
    if (!waiting) return
    clearTimeout(waiting)
    waiting = undefined
    try {
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(`${file}.new`, `${JSON.stringify(now, null, 2)}\n`)
      renameSync(`${file}.new`, file)
    } catch (error) {
      log.error('settings could not be written', error)
    }
  }

  return {
    get now() {
      return now
    },
    change(patch) {
      now = { ...now, ...patch }
      waiting ??= setTimeout(flush, settleMs)
      for (const tell of listeners) tell(now)
      return now
    },
    onChange(tell) {
      listeners.push(tell)
    },
    flush,
  }
}

function read(file: string, log: Log): Settings {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return settingsSchema.parse({})
  }
  try {
    const given: unknown = JSON.parse(text)
    return settingsSchema.parse(
      typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {},
    )
  } catch (error) {
    log.warn(
      `settings were not JSON and are kept as ${path.basename(file)}.broken: ${error instanceof Error ? error.message : String(error)}`,
    )
    try {
      renameSync(file, `${file}.broken`)
    } catch (cause) {
      log.error('they could not be kept', cause)
    }
    return settingsSchema.parse({})
  }
}

/** Windows takes names for the same that differ in the case of letters only. */
const folded = (file: string): string => (process.platform === 'win32' ? file.toLowerCase() : file)

const samePaths = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item, i) => folded(item) === folded(b[i] ?? ''))

/** The pair on top; `run` on top of its history, unless it came out as the time before. */
export function withRecent(
  list: readonly RecentPair[],
  pair: Omit<RecentPair, 'runs'>,
  run?: Run,
): RecentPair[] {
  const before = list.find(old => samePaths(old.paths, pair.paths))?.runs ?? []
  const runs =
    run && !sameRun(run, before[0]) ? [{ ...run, at: pair.at }, ...before].slice(0, runsKept) : before
  return [{ ...pair, runs }, ...list.filter(old => !samePaths(old.paths, pair.paths))].slice(0, recentLimit)
}

const sameRun = (a: Run, b: Run | undefined): boolean =>
  b !== undefined &&
  a.rows === b.rows &&
  a.differs === b.differs &&
  a.node === b.node &&
  a.step === b.step &&
  a.rank === b.rank

export const withoutRecent = (list: readonly RecentPair[], paths: readonly string[]): RecentPair[] =>
  list.filter(old => !samePaths(old.paths, paths))
