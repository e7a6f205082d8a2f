// One folder of a step and rank while it is filled: what its dump.json told last, what tensor files tell beyond that, and
// when something changed.
import { strayFiles, tensorName } from '../formats/index.ts'
import { type Files, join } from '../io/index.ts'
import { type LiveRank, Refusal } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { type Calls, goesOnFrom, noCalls, scanCalls } from './calls.ts'

/** Looks at a file that ends early before it is taken as it is: it is most likely being written. */
const looksBeforeTaken = 3

/** After so long nobody writes any more. */
const restMs = 5 * 60_000

const dumpNames = ['dump.json', 'debug.json']
const tensorFolder = 'dump_tensor_data'

/** Calls that only tensor files tell of. */
interface Strays {
  readonly calls: number
  /** The innermost one without outputs. */
  readonly open: string
  /** The one that was finished last. */
  readonly last: string
}

const noStrays: Strays = { calls: 0, open: '', last: '' }

export class RankFolder {
  readonly step: number | null
  readonly rank: number | null
  readonly name: string
  readonly dir: string
  /** What stays when the folder is renamed; '' where nothing tells. */
  readonly identity: string
  readonly formerly: string
  readonly #files: Files
  #calls: Calls = noCalls
  #known: ReadonlySet<string> | null = null
  #openInDump = ''
  #last = ''
  #strays = noStrays
  /** When each tensor file that is not told of was written. */
  readonly #times = new Map<string, number>()
  #dumpStamp = ''
  #tensorStamp = ''
  #endedEarly = 0
  #changedMs = 0
  #looked = false
  #gone = false
  /** It was never read. */
  #unread = false
  /** Of all looks, for those who want to know what they cost. */
  bytesRead = 0

  constructor(files: Files, at: RankPlace, before?: RankFolder) {
    this.#files = files
    this.step = at.step
    this.rank = at.rank
    this.name = at.name
    this.dir = at.dir
    this.identity = at.identity
    this.formerly = before?.name ?? ''
    if (!before) return
    this.#take(before.#calls)
    this.#changedMs = before.#changedMs
    this.#looked = true
  }

  get header(): Calls['header'] {
    return this.#calls.header
  }

  /** Whether a folder of another name holds the same dump, further on. */
  goesOnIn(dir: string): boolean {
    const file = dumpNames.map(name => join(dir, name)).find(path => this.#files.stat(path))
    if (file === undefined || this.#calls.mark.at === 0) return false
    const handle = this.#files.open(file)
    try {
      return goesOnFrom(handle, this.#calls)
    } finally {
      handle.close()
    }
  }

  /** It ended early when it was looked at, and may be whole a moment later. */
  get unsettled(): boolean {
    return !this.#gone && this.#endedEarly > 0 && this.#endedEarly < looksBeforeTaken
  }

  leave(now: number): void {
    if (!this.#gone) this.#changedMs = now
    this.#gone = true
  }

  /** `onlySeen`: what lies there finished is not read, and counts as written only once it was seen to change. */
  async look(now: number, onlySeen: boolean, job: Job): Promise<void> {
    this.#gone = false
    const names = new Set(this.#files.names(this.dir).map(({ name }) => name))
    const dump = dumpNames.find(name => names.has(name))
    if (onlySeen && !this.#looked && dump !== undefined && this.#lies(dump, now)) {
      this.#looked = true
      this.#unread = true
      this.#dumpStamp = stampOf(this.#files, join(this.dir, dump))
      this.#tensorStamp = stampOf(this.#files, join(this.dir, tensorFolder))
      return
    }
    const changed = [
      dump === undefined ? false : await this.#lookAtDump(join(this.dir, dump), job),
      names.has(tensorFolder) && this.#lookAtTensors(join(this.dir, tensorFolder)),
    ]
    if (!this.#looked)
      this.#changedMs = onlySeen && !this.#unfinished ? 0 : Math.min(now, this.#writtenMs(dump))
    else if (changed.includes(true)) this.#changedMs = now
    this.#looked = true
  }

  /** Nobody has written for long, and dump.json was written last. */
  #lies(dump: string, now: number): boolean {
    const [tensors, told] = [tensorFolder, dump].map(
      name => this.#files.stat(join(this.dir, name))?.modified ?? 0,
    )
    return tensors <= told && now - told > restMs
  }

  /** Clocks of other machines may go wrong: they count only for what lay there before the first look. */
  #writtenMs(dump: string | undefined): number {
    const paths = [
      this.dir,
      join(this.dir, tensorFolder),
      ...(dump === undefined ? [] : [join(this.dir, dump)]),
    ]
    return Math.max(...paths.map(path => this.#files.stat(path)?.modified ?? 0), ...this.#times.values())
  }

  /** Whether the file is another than at the last look. */
  async #lookAtDump(path: string, job: Job): Promise<boolean> {
    const stamp = stampOf(this.#files, path)
    const changed = stamp !== this.#dumpStamp
    if (!changed && this.#endedEarly === 0) return false
    this.#dumpStamp = stamp
    let handle
    try {
      handle = this.#files.open(path)
    } catch (error) {
      // Replaced at this moment.
      if (error instanceof Refusal && error.problem.code === 'not-found') return changed
      throw error
    }
    try {
      const now = await scanCalls(handle, this.#calls, job)
      this.bytesRead += now.read
      this.#judge(now, stampOf(this.#files, path) === stamp)
    } finally {
      handle.close()
    }
    return changed
  }

  /** What was complete is never replaced by a part of less: files shrink whenever they are written. */
  #judge(now: Calls, still: boolean): void {
    if (now.whole && still) {
      this.#endedEarly = 0
      this.#take(now)
      return
    }
    this.#endedEarly++
    const more = now.names.length > this.#calls.names.length
    if (more && this.#endedEarly >= looksBeforeTaken) this.#take(now)
  }

  #take(now: Calls): void {
    this.#calls = now
    this.#unread = false
    this.#known = null
    this.#openInDump = openOf(now)
    this.#last = now.names.findLast(call => !now.open.has(call)) ?? ''
    // Files that are told of now are none of ours any more.
    this.#tensorStamp = ''
  }

  #lookAtTensors(folder: string): boolean {
    const stamp = stampOf(this.#files, folder)
    if (stamp === this.#tensorStamp) return false
    const first = this.#tensorStamp === ''
    this.#tensorStamp = stamp
    this.#known ??= new Set(this.#calls.names)
    const strays = strayFiles(
      this.#files.names(folder).map(({ name }) => name),
      this.#known,
    )
    const before = this.#times.size
    const files = new Set([...strays.values()].flat())
    for (const file of this.#times.keys()) if (!files.has(file)) this.#times.delete(file)
    for (const file of files)
      if (!this.#times.has(file)) this.#times.set(file, this.#files.stat(join(folder, file))?.modified ?? 0)
    this.#strays = straysOf(strays, this.#times)
    return !first || this.#times.size !== before
  }

  /** Something was begun and not ended. */
  get #unfinished(): boolean {
    return this.#endedEarly >= looksBeforeTaken || this.#strays.calls > 0 || this.#openCall !== ''
  }

  get #openCall(): string {
    if (this.#strays.calls > 0) return this.#strays.open
    return this.#openInDump
  }

  told(now: number, later: boolean, quietMs: number): LiveRank {
    const empty = !this.#unread && this.#calls.names.length === 0 && this.#strays.calls === 0
    const idle = now - this.#changedMs >= quietMs
    const state = (): LiveRank['state'] => {
      if (this.#gone) return 'gone'
      if (later) return this.#unfinished && !this.#calls.whole && !this.#unread ? 'stalled' : 'complete'
      if (!idle) return empty ? 'empty' : 'writing'
      return empty || this.#unfinished ? 'stalled' : 'quiet'
    }
    const { step, rank, name, dir, formerly } = this
    return {
      step,
      rank,
      name,
      dir,
      state: state(),
      calls: this.#unread ? null : this.#calls.names.length,
      provisional: this.#strays.calls,
      cut: this.#endedEarly >= looksBeforeTaken,
      last: this.#strays.last || this.#last,
      open: this.#openCall,
      changedMs: this.#changedMs,
      formerly,
    }
  }
}

export interface RankPlace {
  readonly step: number | null
  readonly rank: number | null
  readonly name: string
  readonly dir: string
  readonly identity: string
}

/** Where outputs are not dumped at all, that none are there tells nothing. */
function openOf({ names, open }: Calls): string {
  if (open.size === 0 || open.size === names.filter(isForward).length) return ''
  return [...open].findLast(isForward) ?? ''
}

const isForward = (call: string): boolean => /\.forward(?:\.\d+)?$/.test(call)

/** The newest call without outputs is the one that runs: those around it were begun before. */
function straysOf(files: ReadonlyMap<string, readonly string[]>, times: ReadonlyMap<string, number>): Strays {
  let open = ''
  let last = ''
  let [newestOpen, newestLast] = [-1, -1]
  for (const [call, names] of files) {
    const newest = Math.max(...names.map(name => times.get(name) ?? 0))
    if (names.some(name => tensorName(name)?.part !== 'input')) {
      if (newest >= newestLast) [last, newestLast] = [call, newest]
    } else if (newest >= newestOpen) [open, newestOpen] = [call, newest]
  }
  return { calls: files.size, open, last }
}

function stampOf(files: Files, path: string): string {
  const entry = files.stat(path)
  return entry ? `${entry.size} ${entry.modified}` : 'none'
}
