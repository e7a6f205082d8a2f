// The only writer: files appear under their final names all at once, or not at all, and no run takes another's.
import {
  closeSync,
  constants,
  fdatasync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
  writevSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import path from 'node:path'
import { threadId } from 'node:worker_threads'
import { problem, Refusal } from '../model/index.ts'
import { realPath } from './paths.ts'

/** A file that is being written. */
export interface Sink {
  /** Where the file will be. */
  readonly path: string
  /** Bytes written so far. */
  readonly size: number
  /** One after the other. */
  write(...parts: readonly Uint8Array[]): void
  close(): void
}

export interface Output {
  readonly folder: string
  /** Begins a file; it has a temporary name until `commit`. */
  create(name: string): Sink
  /**
   * A whole small file in one go; in a stage under its final name at once, which costs half of what two names do.
   */
  put(name: string, ...parts: readonly Uint8Array[]): void
  /** In a stage: a stretch of a file that others write too, from a byte on; it has its name at once. */
  stretch(name: string, from: number): Sink
  /** Drops one file that was begun, e.g. to write it again in two parts. */
  drop(sink: Sink): void
  /**
   * Gives every file begun so far its final name; returns their paths in the order of `create`. A name with a moment in
   * it is one run's own: where it is taken already, `_1` and so on is put behind it.
   */
  commit(): readonly string[]
  /** Removes what was begun after the last `commit`; without one, the folders made for it too. */
  abandon(): void
}

function checkOutside(target: string, dumps: readonly string[]): void {
  if (dumps.length === 0) return
  const real = realOf(target)
  for (const dump of dumps) {
    const root = realOf(dump)
    if (real === root || real.startsWith(root.endsWith(path.sep) ? root : root + path.sep))
      throw new Refusal(problem('output-in-dump', target, { dump }))
  }
}

/** What no file system takes. */
const longestName = 254

/** A name that a file may have: a longer one is made one of 32 digits, its last ending kept. */
export const shortName = (name: string): string =>
  // A unit of UTF-16 takes at most three bytes.
  name.length * 3 <= longestName || Buffer.byteLength(name) <= longestName
    ? name
    : createHash('md5').update(name).digest('hex') + path.extname(name)

interface Staged {
  readonly part: string
  readonly sink: Sink & { end(): void }
}

const open = new Set<Output>()
let serial = 0
let clearsUp = false

/** Removes what unfinished outputs left; for a process that must end now. */
export function abandonAll(): void {
  for (const output of open) output.abandon()
  for (const stage of stages) stage.abandon()
}

function clearUpAtExit(): void {
  if (!clearsUp) process.once('exit', abandonAll)
  clearsUp = true
}

/** Of something unfinished; a name may be as long as names may be at all. */
const partName = (name: string): string =>
  `.${name.slice(0, 80)}.${host}-${process.pid}-${threadId}-${++serial}.part`

/** A hidden folder that thousands of files are written into, so that none of them has its own name before all are whole. */
export interface Stage {
  readonly folder: string
  /** Gives all that lies there its place; returns where a file went. */
  commit(): (file: string) => string
  /** Removes a file of which a part could not be written. */
  drop(file: string): void
  /** Removes all that lies there. */
  abandon(): void
}

/**
 * The stage of an output folder: what is to be new appears by one change of a name; into a folder that is there already its
 * files go one by one.
 */
export function openStage(wanted: string): Stage {
  const target = path.resolve(wanted)
  const isThere = statSync(target, { throwIfNoEntry: false })?.isDirectory() === true
  const beside = isThere ? target : path.dirname(target)
  const made = makeFolders(beside)
  sweep(beside)
  const folder = path.join(beside, partName(path.basename(target)))
  attempt(target, () => mkdirSync(folder))
  clearUpAtExit()
  const stage = {
    folder,
    commit() {
      // Of what could not be saved at all nothing is left.
      if (readdirSync(folder).length === 0) stage.abandon()
      else
        try {
          attempt(target, () => moveInto(folder, target))
        } catch (error) {
          stage.abandon()
          throw error
        }
      stages.delete(stage)
      return (file: string) => target + file.slice(folder.length)
    },
    drop: remove,
    abandon() {
      stages.delete(stage)
      try {
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
      } catch {
        return // a thread of a process that ends still writes there: gone with the next run
      }
      removeEmpty(made)
    },
  }
  stages.add(stage)
  return stage
}

const stages = new Set<Stage>()

/** A folder that is not there yet as a whole, one that is there file by file. */
function moveInto(from: string, to: string): void {
  if (!statSync(to, { throwIfNoEntry: false })) return renameSync(from, to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, place] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) moveInto(source, place)
    else renameSync(source, place)
  }
  rmdirSync(from)
}

/**
 * An output folder, made when absent. `dumps` are opened dumps: nothing is written into them,
 * unless the user chose exactly this folder. `inStage`: it lies in a stage, where a file has its name at once; else
 * once the disk has it.
 */
export function openOutput(
  folder: string,
  dumps: readonly string[] = [],
  chosen = false,
  inStage = false,
): Output {
  const target = path.resolve(folder)
  if (!chosen) checkOutside(target, dumps)
  clearUpAtExit()
  const made = makeFolders(target)
  if (!inStage) sweep(target)
  const staged: Staged[] = []
  const put: string[] = []
  const stretches: Staged['sink'][] = []
  const paths: string[] = []
  let committed = false
  const output: Output = {
    folder: target,
    create(name) {
      const part = path.join(target, partName(name))
      const sink = begin(part, path.join(target, name), !inStage)
      staged.push({ part, sink })
      paths.push(sink.path)
      open.add(output)
      return sink
    },
    put(name, ...parts) {
      const file = target + path.sep + name
      const fd = inStage ? openNew(file) : -1
      if (fd < 0) return this.create(name).write(...parts)
      put.push(file)
      paths.push(file)
      open.add(output)
      attempt(file, () => {
        try {
          writeAll(fd, parts)
        } finally {
          closeSync(fd)
        }
      })
    },
    stretch(name, from) {
      const file = target + path.sep + name
      put.push(file)
      paths.push(file)
      open.add(output)
      const sink = sinkOf(
        attempt(file, () => openSync(file, constants.O_WRONLY | constants.O_CREAT)),
        file,
        false,
        from,
      )
      stretches.push(sink)
      return sink
    },
    drop(sink) {
      const at = staged.findIndex(s => s.sink === sink)
      if (at < 0) return
      staged[at].sink.end()
      remove(staged[at].part)
      paths.splice(paths.indexOf(sink.path), 1)
      staged.splice(at, 1)
    },
    commit() {
      for (const { sink } of staged) sink.close()
      for (const sink of stretches.splice(0)) sink.close()
      for (const { sink } of staged) checkReplaceable(sink.path)
      for (const { part, sink } of staged) {
        paths[paths.indexOf(sink.path)] = place(part, sink.path)
      }
      committed = true
      open.delete(output)
      staged.length = 0
      put.length = 0
      return paths.splice(0)
    },
    abandon() {
      open.delete(output)
      paths.length = 0
      for (const { part, sink } of staged.splice(0)) {
        sink.end()
        remove(part)
      }
      for (const sink of stretches.splice(0)) sink.end()
      for (const file of put.splice(0)) remove(file)
      if (!committed) removeEmpty(made)
    },
  }
  open.add(output)
  return output
}

/** Folders that were made, innermost first. */
function removeEmpty(made: readonly string[]): void {
  for (const dir of made) {
    try {
      rmdirSync(dir)
    } catch {
      break // somebody else has put something there meanwhile
    }
  }
}

/** Removes files that were written here, by their names, and their folder where nothing else is in it. */
export function removeOwn(folder: string, names: RegExp): void {
  const target = path.resolve(folder)
  if (!statSync(target, { throwIfNoEntry: false })?.isDirectory()) return
  for (const name of attempt(target, () => readdirSync(target)))
    if (names.test(name)) remove(path.join(target, name))
  try {
    rmdirSync(target)
  } catch {
    // something else is there
  }
}

/** Gives a finished file its name, or one like it; returns which. */
function place(part: string, wanted: string): string {
  const own = momentIn.test(path.basename(wanted)) ? ownName(wanted) : null
  try {
    attempt(wanted, () => renameSync(part, own ?? wanted))
  } catch (error) {
    if (own !== null) remove(own)
    throw error
  }
  return own ?? wanted
}

const momentIn = /_\d{14}(?=[._])/

/** The first name of its kind that nobody has, taken at once. */
function ownName(file: string): string {
  const { dir, name, ext } = path.parse(file)
  for (let n = 0; ; n++) {
    const own = n === 0 ? file : path.join(dir, `${name}_${n}${ext}`)
    const fd = openNew(own)
    if (fd < 0) continue
    closeSync(fd)
    return own
  }
}

/** Windows replaces no file that a program like Excel holds open: said before the first file has its name. */
function checkReplaceable(file: string): void {
  if (process.platform !== 'win32' || !statSync(file, { throwIfNoEntry: false })) return
  attempt(file, () => closeSync(openSync(file, 'r+')))
}

const host = createHash('md5').update(hostname()).digest('hex').slice(0, 6)
const abandoned = new RegExp(`^\\..*\\.${host}-(\\d+)-\\d+-\\d+\\.part$`)
/** Processes of other containers are not seen from here; what they write is younger. */
const abandonedMs = 3_600_000

/** Removes what a process of this machine left that was killed while it wrote. */
function sweep(folder: string): void {
  for (const name of attempt(folder, () => readdirSync(folder))) {
    const pid = Number(abandoned.exec(name)?.[1] ?? 0)
    if (pid === 0 || isAlive(pid)) continue
    const file = path.join(folder, name)
    const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - at > abandonedMs) rmSync(file, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** A file that is not there yet; -1 where it is. */
function openNew(file: string): number {
  try {
    return openSync(file, 'wx')
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      if (error.code === 'EEXIST') return -1
      throw new Refusal(problem('output-not-writable', file, { reason: String(error.code) }))
    }
    throw error
  }
}

/**
 * After so many bytes the disk begins to take them, beside the work, so that little is left to wait for at
 * the end.
 */
const flushEvery = 32 << 20

const begin = (part: string, final: string, lasting: boolean): Staged['sink'] =>
  sinkOf(
    attempt(final, () => openSync(part, 'wx')),
    final,
    lasting,
  )

/** `from`: where in the file it begins, where others write there too. */
function sinkOf(opened: number, final: string, lasting: boolean, from?: number): Staged['sink'] {
  let fd = opened
  let size = 0
  let flushAt = flushEvery
  const end = (): void => {
    if (fd >= 0) closeSync(fd)
    fd = -1
  }
  return {
    path: final,
    get size() {
      return size
    },
    write(...parts) {
      attempt(final, () => {
        size += writeAll(fd, parts, from === undefined ? from : from + size)
      })
      if (size < flushAt || !lasting) return
      flushAt = size + flushEvery
      // What fails here fails again in `close`, which tells of it.
      fdatasync(fd, () => {})
    },
    close() {
      if (fd >= 0 && lasting) attempt(final, () => fsyncSync(fd))
      end()
    },
    end,
  }
}

/** Several parts take one call of the system, unless it takes them in part only. */
function writeAll(fd: number, parts: readonly Uint8Array[], from?: number): number {
  let skip = parts.length > 1 ? writevSync(fd, parts, from) : 0
  let at = from
  const size = parts.reduce((sum, { length }) => sum + length, 0)
  if (skip === size) return size
  for (const part of parts) {
    for (let done = Math.min(skip, part.length); done < part.length;)
      done += writeSync(fd, part, done, part.length - done, at === undefined ? at : at + done)
    if (at !== undefined) at += part.length
    skip = Math.max(0, skip - part.length)
  }
  return size
}

/** Makes the missing folders of a path; returns those that were made, innermost first. */
function makeFolders(folder: string): string[] {
  const missing: string[] = []
  for (let at = folder; ; at = path.dirname(at)) {
    const found = attempt(folder, () => statSync(at, { throwIfNoEntry: false }))
    if (found?.isDirectory()) break
    if (found) throw new Refusal(problem('output-not-writable', folder, { reason: `${at} is a file` }))
    missing.push(at)
    if (path.dirname(at) === at) break
  }
  // One by one: asked for all at once, Node goes round for ever where a system's own folders refuse (/proc).
  for (const at of missing.toReversed()) attempt(folder, () => makeFolder(at))
  return missing
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** The real path of something that may not exist yet: that of its nearest existing ancestor, and the rest. */
function realOf(target: string): string {
  const full = path.resolve(target)
  for (let at = full; ; at = path.dirname(at)) {
    try {
      return path.join(realPath(at), path.relative(at, full))
    } catch {
      if (path.dirname(at) === at) return full
    }
  }
}

function attempt<T>(file: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw new Refusal(problem('output-not-writable', file, { reason: String(error.code) }))
    throw error
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file)
  } catch {
    // gone already
  }
}
