// A msprobe dump of one rank and step: dump.json, stack.json and construct.json → columns, as far as the
// files go.
import { isArray, type Json, JsonReader, JsonStop } from '../../json/index.ts'
import { JsonWindow, Status } from './window.ts'
import {
  type Dump,
  type DumpHeader,
  type Framework,
  type Level,
  problem,
  type Problem,
  Refusal,
  TextPool,
} from '../../model/index.ts'
import { type Files, type Handle, seenAt } from '../../io/index.ts'
import type { Job } from '../../work/index.ts'
import { ConstructBuilder } from './construct.ts'
import { CodeMap, DumpColumns } from '../dump-columns.ts'
import { commonTexts, takeEntries } from './fast.ts'
import { carriesMd5, ItemWalk, Problems } from './items.ts'
import { msprobeNames } from '../../names/index.ts'
import { crcText } from '../../python/index.ts'
import { folderTensors } from '../tensors/folder.ts'
import { provisionalEntries } from './provisional.ts'
import { StackBuilder } from './stack.ts'

/** Where a dump of msprobe lies. Paths are absolute; '' where the file does not exist. */
export interface DumpFiles {
  readonly dir: string
  readonly dump: string
  readonly stack: string
  readonly construct: string
  readonly tensors: string
}

const levels: readonly string[] = ['L0', 'L1', 'L2', 'mix', 'debug']
const frameworks: readonly string[] = ['mindspore', 'pytorch', 'mindtorch']
/** Where in a file something is wrong. */
interface Place {
  readonly line: number
  readonly column: number
  readonly byte: number
}

/** Something wrong at a byte whose line is counted later. */
interface Note {
  readonly byte: number
  readonly problem: (place: Place) => Problem
}

/** What ended the reading of a file. */
const stopped: Readonly<Record<JsonStop['why'], (path: string, place: Place) => Problem>> = {
  broken: (path, place) => problem('json-broken', path, place),
  truncated: (path, place) => problem('json-truncated', path, place),
  deep: path => problem('json-deep', path),
}

/** At most ten looks a second at a dump that is still being read. */
const lookMs = 100

const join = (dir: string, name: string): string =>
  dir.endsWith('/') || dir.endsWith('\\') ? dir + name : `${dir}/${name}`

/** Whether files were put into a folder after another file was written. */
export const laterThan = (files: Files, folder: string, file: string): boolean =>
  (seenAt(files, folder)?.modified ?? 0) > (seenAt(files, file)?.modified ?? 0)

/** The files of a dump in a folder; '' for those that are not there. */
export function dumpFilesOf(files: Files, dir: string): DumpFiles {
  const there = new Set(files.list(dir).map(entry => entry.name))
  const find = (name: string): string => (there.has(name) ? join(dir, name) : '')
  return {
    dir,
    dump: find('dump.json') || find('debug.json'),
    stack: find('stack.json'),
    construct: find('construct.json'),
    tensors: find('dump_tensor_data'),
  }
}

/**
 * Reads a dump as far as it goes. `onPartial` gets what is there so far, at most ten times a second. `provisional`: with
 * the calls that only tensor files tell of.
 */
export async function readDump(
  files: Files,
  where: DumpFiles,
  job: Job,
  onPartial?: (dump: Dump) => void,
  provisional = false,
): Promise<Dump> {
  const reading = new Reading(files, where, job, onPartial)
  try {
    await reading.dumpFile()
    if (provisional) await reading.strays()
    await job.breathe()
    await reading.stackFile()
    await reading.constructFile()
    reading.placeStrays()
    return reading.dump()
  } finally {
    reading.end()
  }
}

/** Whether a file that a dump can do without opens; why not is told as a warning. */
function isReadable(files: Files, file: string, problems: Problems): boolean {
  if (file === '') return false
  try {
    files.open(file).close()
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    problems.add({ ...error.problem, severity: 'warning' })
    return false
  }
}

/** What a kind of file does with its members. */
interface Members {
  /** Runs the fast reader once and takes its output; returns how it ended and how many members it took. */
  fast(first: boolean): { readonly status: Status; readonly taken: number }
  /** Takes a member that the fast reader left; `from` and `to` are the file positions of its value. */
  careful(key: string, value: Json, from: number, to: number): void
}

class Reading {
  readonly #files: Files
  readonly #where: DumpFiles
  readonly #job: Job
  readonly #onPartial: ((dump: Dump) => void) | undefined
  readonly #texts = new TextPool()
  readonly #window: JsonWindow
  readonly #columns = new DumpColumns()
  readonly #problems = new Problems()
  readonly #stacks: StackBuilder
  readonly #construct: ConstructBuilder
  #header: DumpHeader = { task: '', level: '', framework: '', hasMd5: false }
  #partial = false
  #provisionalFrom: number | null = null
  #lastLook = performance.now() - lookMs / 2
  /** Bytes of the files before this one, and of all. */
  #done = 0
  #total = 0

  constructor(files: Files, found: DumpFiles, job: Job, onPartial: ((dump: Dump) => void) | undefined) {
    const optional = (file: string): string => (isReadable(files, file, this.#problems) ? file : '')
    const where = { ...found, stack: optional(found.stack), construct: optional(found.construct) }
    this.#files = files
    this.#where = where
    this.#job = job
    this.#onPartial = onPartial
    this.#window = JsonWindow.take(this.#texts, files.stat(where.dump)?.size ?? 0)
    this.#stacks = new StackBuilder(this.#window, where.stack, this.#problems)
    this.#construct = new ConstructBuilder(this.#window, where.construct, this.#problems)
    commonTexts.forEach((text, i) =>
      this.#window.fast.setCommon(
        i,
        this.#window.add(text === 'True' || text === 'False' ? crcText(text) : text),
      ),
    )
    for (const file of [where.dump, where.stack, where.construct])
      this.#total += seenAt(files, file)?.size ?? 0
  }

  dump(): Dump {
    const tables = this.#columns.tables()
    return {
      dir: this.#where.dir,
      file: this.#where.dump,
      raw: { file: this.#where.dump, form: 'json' },
      header: this.#header,
      texts: this.#texts,
      names: msprobeNames,
      ...tables,
      stacks: this.#stacks.finish(this.#texts),
      construct: this.#construct.finish(),
      edges: null,
      tensors: folderTensors(this.#where.tensors, tables.items, this.#texts),
      partial: this.#partial,
      ...(this.#provisionalFrom === null ? {} : { provisionalFrom: this.#provisionalFrom }),
      problems: [...this.#problems.list],
    }
  }

  end(): void {
    JsonWindow.release(this.#window)
  }

  async dumpFile(): Promise<void> {
    const path = this.#where.dump
    let debug = path.endsWith('debug.json')
    let found = await this.#readData(path, debug)
    if (
      this.#header.level === 'debug' &&
      found &&
      !debug &&
      this.#columns.items === 0 &&
      this.#columns.ops > 0
    ) {
      // The level came after the data: what it says about the entries is known only now.
      this.#columns.pick([])
      debug = true
      found = await this.#readData(path, debug)
    }
    if (!found && !this.#partial) throw new Refusal(problem('not-a-dump', path))
    this.#lastOfEach()
    if (this.#columns.ops === 0) this.#problems.add(problem('empty-dump', path, {}, 'warning'))
  }

  /** Calls that were dumped after dump.json was written. */
  async strays(): Promise<void> {
    const { dump, tensors } = this.#where
    if (tensors === '' || !laterThan(this.#files, tensors, dump)) return
    const { op, ops } = this.#columns
    const known = new Set(Array.from(op.name.subarray(0, ops), code => this.#texts.get(code)))
    const entries = await provisionalEntries(this.#files, tensors, known, this.#header.framework, this.#job)
    if (entries.length === 0) return
    this.#provisionalFrom = ops
    this.#partial = true
    const walk = new ItemWalk(this.#columns, this.#window, dump, this.#problems)
    for (const { call, entry } of entries) {
      walk.entry(call, entry, false)
      this.#columns.addOp(this.#window.add(call), 0, 0)
    }
  }

  /** The graph has them before construct.json does. */
  placeStrays(): void {
    const { op, ops } = this.#columns
    for (let row = this.#provisionalFrom ?? ops; row < ops; row++) this.#construct.putMissing(op.name[row])
  }

  async stackFile(): Promise<void> {
    const window = this.#window
    const rows: number[] = []
    await this.#object(this.#where.stack, {
      fast: first => {
        const status = window.run((fast, at, end) => fast.members(at, end, first ? 1 : 0, rows.length))
        if (window.count('newLayout') > 0) this.#stacks.newLayout = true
        const fresh = window.ints(window.fast.newStacksAt(), window.count('newStacks') * 2)
        // Adding texts may move the memory, so the stacks are read before.
        const stacks = Array.from({ length: fresh.length / 2 }, (_, i) =>
          new JsonReader(window.bytes, fresh[i * 2] >>> 0, (fresh[i * 2] >>> 0) + fresh[i * 2 + 1]).value(),
        )
        const pairs = window.ints(window.fast.pairsAt(), window.count('pairCount') * 3).slice()
        for (const frames of stacks) rows.push(this.#stacks.add(isArray(frames) ? frames : [], ''))
        for (let i = 0; i < pairs.length; i += 3) this.#stacks.put(pairs[i], rows[pairs[i + 1]])
        return { status, taken: pairs.length / 3 }
      },
      careful: (key, value) => this.#stacks.member(key, value),
    })
  }

  async constructFile(): Promise<void> {
    const window = this.#window
    await this.#object(this.#where.construct, {
      fast: first => {
        const status = window.run((fast, at, end) => fast.members(at, end, first ? 1 : 0, -1))
        const pairs = window.ints(window.fast.pairsAt(), window.count('pairCount') * 3)
        for (let i = 0; i < pairs.length; i += 3) this.#construct.put(pairs[i], pairs[i + 1], pairs[i + 2])
        return { status, taken: pairs.length / 3 }
      },
      careful: (key, value) => this.#construct.member(key, value),
    })
  }

  /** Reads dump.json; whether it holds `data`. */
  async #readData(path: string, startsAsDebug: boolean): Promise<boolean> {
    const window = this.#window
    let debug = startsAsDebug
    let found = false
    const walk = new ItemWalk(this.#columns, window, path, this.#problems)
    const data: Members = {
      fast: first => {
        const status = window.run((fast, at, end) =>
          fast.entries(at, end, first ? 1 : 0, debug ? 1 : 0, window.base),
        )
        const taken = window.count('ops')
        takeEntries(window, this.#columns)
        if (first) this.#expect()
        if (taken > 0 && !this.#header.hasMd5 && window.count('md5Seen') > 0)
          this.#header = { ...this.#header, hasMd5: true }
        return { status, taken }
      },
      careful: (key, value, from, to) => {
        walk.entry(key, value, debug)
        if (!this.#header.hasMd5 && carriesMd5(value)) this.#header = { ...this.#header, hasMd5: true }
        this.#columns.addOp(window.add(key), from, to)
      },
    }
    await this.#file(path, async () => {
      this.#attempt(reader => reader.expect(0x7b))
      if (this.#attempt(reader => reader.closes())) return
      for (;;) {
        const key = this.#attempt(reader => reader.key())
        if (key === 'data' && this.#attempt(reader => reader.peek()) === 0x7b) {
          if (found)
            this.#problems.add(problem('duplicate-key', path, { key, byte: window.position }, 'warning'))
          found = true
          this.#attempt(reader => reader.expect(0x7b))
          await this.#members(data)
        } else {
          this.#headerField(
            key,
            this.#attempt(reader => reader.value(1)),
          )
          debug ||= this.#header.level === 'debug'
        }
        if (!this.#attempt(reader => reader.goesOn())) return
      }
    })
    return found
  }

  /** Makes room for the rest of a large file from what its first window brought. */
  #expect(): void {
    const { share } = this.#window
    if (share > 0.5 || this.#columns.ops < 100) return
    this.#columns.expect(share)
    const { heapBytes, size } = this.#texts
    this.#texts.reserve(
      Math.min((heapBytes / share) * 1.05, 1 << 29),
      Math.min((size / share) * 1.05, 1 << 25),
    )
  }

  #headerField(key: string, value: Json): void {
    const text = typeof value === 'string' ? value : ''
    if (key === 'task') this.#header = { ...this.#header, task: text }
    if (key === 'level' && levels.includes(text)) this.#header = { ...this.#header, level: text as Level }
    if (key === 'framework' && frameworks.includes(text))
      this.#header = { ...this.#header, framework: text as Framework }
  }

  /** An op given twice counts once, at its first place with its last value, as in Python. */
  #lastOfEach(): void {
    const { ops, op } = this.#columns
    const known = new Uint8Array(this.#texts.size)
    let distinct = 0
    for (let row = 0; row < ops; row++) {
      distinct += 1 - known[op.name[row]]
      known[op.name[row]] = 1
    }
    if (distinct === ops) return
    const placeOf = new CodeMap()
    const order: number[] = []
    for (let row = 0; row < ops; row++) {
      const place = placeOf.get(op.name[row])
      if (place < 0) placeOf.set(op.name[row], order.push(row) - 1)
      else {
        order[place] = row
        this.#problems.add(
          problem(
            'duplicate-key',
            this.#where.dump,
            { key: this.#texts.get(op.name[row]).slice(0, 200), byte: op.from[row] },
            'warning',
          ),
        )
      }
    }
    this.#columns.pick(order)
  }

  // ------------------------------------------------------------------------------------ any file

  /** A file that is one object of like members; nothing happens when there is no such file. */
  async #object(path: string, members: Members): Promise<void> {
    if (!path) return
    await this.#file(path, async () => {
      this.#attempt(reader => reader.expect(0x7b))
      await this.#members(members)
    })
  }

  /** Opens a file, lets `read` read one value and says what was wrong with the file. */
  async #file(path: string, read: () => Promise<void>): Promise<void> {
    const handle = this.#files.open(path)
    this.#notes = { path, later: [] }
    try {
      this.#window.open(handle, path)
      await read()
      this.#attempt(reader => {
        reader.space()
        if (reader.at < reader.end) throw new JsonStop('broken', reader.at)
      })
    } catch (error) {
      if (!(error instanceof JsonStop)) throw error
      this.#partial = true
      this.#notes.later.push({
        byte: this.#window.base + error.at,
        problem: place => stopped[error.why](path, place),
      })
    } finally {
      await this.#placeNotes(handle)
      this.#done += handle.size
      handle.close()
    }
  }

  #notes: { readonly path: string; readonly later: Note[] } = { path: '', later: [] }

  /** Lets the careful reader read; remembers what it had to overlook. */
  #attempt<T>(read: (reader: JsonReader) => T): T {
    const { path, later } = this.#notes
    return this.#window.attempt(read, reader => {
      for (const at of reader.badText)
        if (later.length < 200)
          later.push({
            byte: this.#window.base + at,
            problem: place => problem('invalid-utf8', path, place, 'warning'),
          })
      for (const { key, at } of reader.twice)
        if (later.length < 200)
          later.push({
            byte: this.#window.base + at,
            problem: ({ byte }) =>
              problem('duplicate-key', path, { key: key.slice(0, 200), byte }, 'warning'),
          })
    })
  }

  /**
   * The members of an object after its opening brace: the fast reader as far as it gets, the careful one for
   * what it leaves.
   */
  async #members(members: Members): Promise<void> {
    const window = this.#window
    for (let first = true; ;) {
      const { status, taken } = members.fast(first)
      first &&= taken === 0
      await this.#pause()
      if (status === Status.done) return
      if (status === Status.more && window.more()) continue
      if (status === Status.full && (taken > 0 || window.freshChunk())) continue
      if (first && this.#attempt(reader => reader.closes())) return
      const goesOn = this.#attempt(reader => {
        const key = reader.key()
        const from = reader.at
        const value = reader.value(2)
        const to = reader.at
        const goesOn = reader.goesOn()
        return { key, value, from, to, goesOn }
      })
      members.careful(goesOn.key, goesOn.value, window.base + goesOn.from, window.base + goesOn.to)
      if (!goesOn.goesOn) return
      first = false
    }
  }

  async #pause(): Promise<void> {
    const position = this.#window.position
    this.#job.report({
      what: 'job.reading',
      done: this.#done + position,
      total: this.#total,
      countedIn: 'bytes',
    })
    await this.#job.breathe()
    if (!this.#onPartial || performance.now() - this.#lastLook < lookMs) return
    this.#lastLook = performance.now()
    this.#onPartial(this.dump())
  }

  /**
   * Problems know their byte; the line and column are counted now, once, and only when there is something to
   * say.
   */
  async #placeNotes(handle: Handle): Promise<void> {
    const notes = this.#notes.later.toSorted((a, b) => a.byte - b.byte)
    const bytes = new Uint8Array(notes.length > 0 ? 1 << 20 : 0)
    let line = 1
    let lineStart = 0
    let at = 0
    let have = 0
    let from = 0
    for (const note of notes) {
      const { byte } = note
      while (at < byte) {
        if (at >= from + have) {
          from = at
          have = handle.read(from, bytes)
          await this.#job.breathe()
          if (have === 0) break
        }
        const to = Math.min(byte, from + have)
        for (let i = at - from; i < to - from; i++)
          if (bytes[i] === 0x0a) {
            line++
            lineStart = from + i + 1
          }
        at = to
      }
      this.#problems.add(note.problem({ line, column: byte - lineStart + 1, byte }))
    }
  }
}
