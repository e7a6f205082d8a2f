// A run that is being dumped: one look after the other at its folders; only what has changed since is read.
import { baseOf, dirOf, type Files, join } from '../io/index.ts'
import { type LiveMissing, type LiveRank, type LiveRun, Refusal } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { RankFolder, type RankPlace } from './rank.ts'

export interface RunSettings {
  /** So long nothing may change before a rank counts as quiet or stalled. */
  readonly quietMs: number
  /** What lies there finished is not read, and counts as written only once it was seen to change. */
  readonly onlySeen?: boolean
  /** Milliseconds of a clock. */
  now(): number
}

/** A file that is being written anew is whole again after about so long. */
export const soonMs = 200

const stepForm = /^step(\d+)$/
const rankForm = /^(?:rank|proc)(\d*)$/
const rankFiles: ReadonlySet<string> = new Set(['dump.json', 'debug.json', 'dump_tensor_data'])

export class Run {
  readonly root: string
  readonly #files: Files
  readonly #settings: RunSettings
  #ranks: readonly RankFolder[] = []
  #gone = false
  #unreadable = ''
  #first = true
  /** Folders of ranks by their step, of all that was ever there. */
  #folders: readonly string[] = []

  constructor(root: string, files: Files, settings: RunSettings) {
    this.root = root
    this.#files = files
    this.#settings = settings
  }

  /** Folders in which something may appear. */
  get folders(): readonly string[] {
    return this.#folders
  }

  /** A file was met half written: it is worth looking again soon. */
  get unsettled(): boolean {
    return this.#ranks.some(rank => rank.unsettled)
  }

  get bytesRead(): number {
    return this.#ranks.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
  }

  async look(job: Job): Promise<LiveRun> {
    const now = this.#settings.now()
    this.#unreadable = ''
    const places = this.#places()
    this.#ranks = this.#matched(places, now)
    for (const rank of this.#ranks) {
      await job.breathe()
      if (places.some(({ dir }) => dir === rank.dir)) await this.#lookAt(rank, now, job)
    }
    this.#first = false
    return this.#told(this.#settings.now())
  }

  /** Looks until no file is met half written, or stays half. */
  async settled(job: Job): Promise<LiveRun> {
    let run = await this.look(job)
    for (let ms = soonMs; this.unsettled; ms *= 2) {
      await new Promise(resolve => setTimeout(resolve, ms))
      run = await this.look(job)
    }
    return run
  }

  async #lookAt(rank: RankFolder, now: number, job: Job): Promise<void> {
    try {
      // What comes later is seen to come.
      await rank.look(now, this.#first && (this.#settings.onlySeen ?? false), job)
    } catch (error) {
      this.#mishap(error, () => rank.leave(now))
    }
  }

  /** What vanished between two glances is gone; what may not be read is said. */
  #mishap(error: unknown, vanished: () => void): void {
    if (!(error instanceof Refusal)) throw error
    if (error.problem.code === 'not-found') vanished()
    else this.#unreadable = error.problem.path
  }

  #namesIn(folder: string): readonly string[] {
    try {
      return this.#files
        .names(folder)
        .filter(({ kind }) => kind === 'folder' || kind === 'link' || kind === 'file')
        .map(({ name }) => name)
    } catch (error) {
      this.#mishap(error, () => {
        this.#gone ||= folder === this.root
      })
      return []
    }
  }

  #places(): readonly RankPlace[] {
    this.#gone = false
    const names = this.#namesIn(this.root)
    if (this.#gone) return []
    const own = baseOf(this.root)
    if (names.some(name => rankFiles.has(name)) || (names.length === 0 && rankForm.test(own))) {
      this.#folders = [this.root]
      return [this.#place(dirOf(this.root), own, stepOf(baseOf(dirOf(this.root))))]
    }
    const steps = names.filter(name => stepForm.test(name))
    const found = [
      ...this.#ranksIn(this.root, names, stepOf(own)),
      ...steps.flatMap(name => {
        const folder = join(this.root, name)
        return this.#ranksIn(folder, this.#namesIn(folder), stepOf(name))
      }),
    ]
    this.#folders = [
      this.root,
      ...steps.map(name => join(this.root, name)),
      ...newest(found).map(({ dir }) => dir),
    ]
    return found
  }

  #ranksIn(folder: string, names: readonly string[], step: number | null): readonly RankPlace[] {
    return names.filter(name => rankForm.test(name)).map(name => this.#place(folder, name, step))
  }

  #place(folder: string, name: string, step: number | null): RankPlace {
    const dir = join(folder, name)
    const number = name.startsWith('proc') ? undefined : rankForm.exec(name)?.[1]
    return { step, rank: number ? Number(number) : null, name, dir, identity: this.#identity(dir) }
  }

  #identity(dir: string): string {
    try {
      return this.#files.identity(dir)
    } catch {
      // Gone or closed meanwhile: looking at it says so.
      return ''
    }
  }

  /** Folders that are known under these names or under others, and new ones. */
  #matched(places: readonly RankPlace[], now: number): readonly RankFolder[] {
    const there = new Set(places.map(({ dir }) => dir))
    const vanished = this.#ranks.filter(({ dir }) => !there.has(dir))
    const renamed = new Set<RankFolder>()
    const found = places.map(place => {
      const known = this.#ranks.find(({ dir }) => dir === place.dir)
      if (known) return known
      const before = vanished.find(one => !renamed.has(one) && this.#isRenamed(one, place))
      if (before) renamed.add(before)
      return new RankFolder(this.#files, place, before)
    })
    const left = vanished.filter(one => !renamed.has(one))
    for (const rank of left) rank.leave(now)
    return [...found, ...left]
  }

  #isRenamed(before: RankFolder, place: RankPlace): boolean {
    if (before.step !== place.step || !before.name.startsWith('proc')) return false
    if (before.identity !== '' && before.identity === place.identity) return true
    try {
      return before.goesOnIn(place.dir)
    } catch {
      return false
    }
  }

  #told(now: number): LiveRun {
    const { quietMs } = this.#settings
    const last = new Map<string, number>()
    for (const { rank, name, step } of this.#ranks) {
      const key = keyOf(rank, name)
      last.set(key, Math.max(last.get(key) ?? -1, step ?? -1))
    }
    const ranks = this.#ranks
      .map(one => one.told(now, (last.get(keyOf(one.rank, one.name)) ?? -1) > (one.step ?? -1), quietMs))
      .toSorted(
        (a, b) =>
          (a.step ?? -1) - (b.step ?? -1) || (a.rank ?? -1) - (b.rank ?? -1) || (a.name < b.name ? -1 : 1),
      )
    const header = this.#ranks.map(one => one.header).find(({ task }) => task !== '')
    return {
      root: this.root,
      task: header?.task ?? '',
      level: header?.level ?? '',
      framework: header?.framework ?? '',
      ranks,
      missing: missingOf(ranks),
      gone: this.#gone,
      unreadable: this.#unreadable,
    }
  }
}

const stepOf = (name: string): number | null => {
  const found = stepForm.exec(name)?.[1]
  return found === undefined ? null : Number(found)
}

const keyOf = (rank: number | null, name: string): string => (rank === null ? name : String(rank))

/** Those of the last two steps: nothing is written into earlier ones. */
function newest(places: readonly RankPlace[]): readonly RankPlace[] {
  const steps = [...new Set(places.map(({ step }) => step ?? -1))].toSorted((a, b) => b - a).slice(0, 2)
  return places.filter(({ step }) => steps.includes(step ?? -1))
}

/** A rank that any step has is expected in all. */
function missingOf(ranks: readonly LiveRank[]): readonly LiveMissing[] {
  const there = ranks.filter(({ state }) => state !== 'gone')
  const expected = [...new Set(ranks.flatMap(({ rank }) => (rank === null ? [] : [rank])))]
  const steps = [...new Set(ranks.map(({ step }) => step))]
  return steps.flatMap(step => {
    const here = new Set(there.filter(one => one.step === step).map(({ rank }) => rank))
    const lacking = expected.filter(rank => !here.has(rank)).toSorted((a, b) => a - b)
    return lacking.length === 0 ? [] : [{ step, ranks: lacking }]
  })
}
