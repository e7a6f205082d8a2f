// A msprobe dump of one rank and step: dump.json, stack.json and construct.json → columns.
import { TextPool } from '../columns.ts'
import type { Dump, DumpFiles, DumpHeader } from '../dump.ts'
import type { Files } from '../io/files.ts'
import type { Job } from '../job.ts'
import type { Framework, Level } from '../model.ts'
import { problem, Refusal } from '../problem.ts'
import { ConstructBuilder } from './construct.ts'
import { DumpColumns } from './dump-columns.ts'
import { JsonReader, JsonStop, place, type Json } from './json-stream.ts'
import { carriesMd5, ItemWalk, Problems } from './msprobe-items.ts'
import { StackBuilder } from './stack.ts'

const levels: readonly string[] = ['L0', 'L1', 'L2', 'mix', 'debug']
const frameworks: readonly string[] = ['mindspore', 'pytorch', 'mindtorch']

const join = (dir: string, name: string): string => (dir.endsWith('/') || dir.endsWith('\\') ? dir + name : `${dir}/${name}`)

/** The files of a dump in a folder; '' for those that are not there. */
export function dumpFilesOf(files: Files, dir: string): DumpFiles {
  const there = new Map(files.list(dir).map(entry => [entry.name, entry.kind]))
  const find = (name: string): string => (there.has(name) ? join(dir, name) : '')
  return {
    dir, dump: find('dump.json') || find('debug.json'), stack: find('stack.json'), construct: find('construct.json'),
    tensors: find('dump_tensor_data'),
  }
}

/** Reads a dump as far as it goes. `grown` gets what is there so far, at most ten times a second. */
export async function readDump(files: Files, where: DumpFiles, job: Job, grown?: (dump: Dump) => void): Promise<Dump> {
  const reading = new Reading(files, where, job)
  await reading.dumpFile()
  grown?.(reading.dump())
  await reading.stackFile()
  await reading.constructFile()
  return reading.dump()
}

/** The JSON text of one entry, as it stands in the file. */
export function rawEntry(files: Files, dump: Dump, op: number): string {
  const from = dump.ops.from[op]
  const bytes = new Uint8Array(dump.ops.to[op] - from)
  const handle = files.open(dump.files.dump)
  try {
    return new TextDecoder().decode(bytes.subarray(0, handle.read(from, bytes)))
  } finally {
    handle.close()
  }
}

class Reading {
  readonly #files: Files
  readonly #where: DumpFiles
  readonly #job: Job
  readonly #texts = new TextPool()
  readonly #columns = new DumpColumns(this.#texts)
  readonly #problems = new Problems()
  readonly #stacks: StackBuilder
  readonly #construct: ConstructBuilder
  #header: DumpHeader = { task: '', level: '', framework: '', hasMd5: false }
  #partial = false

  constructor(files: Files, where: DumpFiles, job: Job) {
    this.#files = files
    this.#where = where
    this.#job = job
    this.#stacks = new StackBuilder(this.#texts, where.stack, this.#problems)
    this.#construct = new ConstructBuilder(this.#texts, where.construct, this.#problems)
  }

  dump(): Dump {
    return {
      files: this.#where, header: this.#header, texts: this.#texts, ...this.#columns.tables(),
      stacks: this.#stacks.finish(), construct: this.#construct.finish(), partial: this.#partial, problems: [...this.#problems.list],
    }
  }

  async dumpFile(): Promise<void> {
    const path = this.#where.dump
    const walk = new ItemWalk(this.#columns, path, this.#problems)
    let found = false
    await this.#each(path, (key, reader) => {
      if (key !== 'data' || reader.peek() !== 0x7b) return this.#headerField(key, reader.value(1))
      found = true
      reader.members(op => {
        const from = reader.at
        const entry = reader.value(2)
        walk.entry(op, entry, this.#header.level === 'debug')
        if (!this.#header.hasMd5 && carriesMd5(entry)) this.#header = { ...this.#header, hasMd5: true }
        this.#columns.addOp(this.#texts.add(op), from, reader.at)
      })
    })
    if (!found && !this.#partial) throw new Refusal(problem('not-a-dump', path))
    if (this.#columns.ops === 0) this.#problems.add(problem('empty-dump', path, {}, 'warning'))
  }

  async stackFile(): Promise<void> {
    if (this.#where.stack) await this.#each(this.#where.stack, (key, reader) => this.#stacks.member(key, reader.value(1)))
  }

  async constructFile(): Promise<void> {
    if (this.#where.construct) await this.#each(this.#where.construct, (key, reader) => this.#construct.member(key, reader.value(1)))
  }

  #headerField(key: string, value: Json): void {
    const text = typeof value === 'string' ? value : ''
    if (key === 'task') this.#header = { ...this.#header, task: text }
    if (key === 'level' && levels.includes(text)) this.#header = { ...this.#header, level: text as Level }
    if (key === 'framework' && frameworks.includes(text)) this.#header = { ...this.#header, framework: text as Framework }
  }

  /** Visits the members of the object that a file holds; keeps what came before a break. */
  async #each(path: string, take: (key: string, reader: JsonReader) => void): Promise<void> {
    const bytes = await this.#readAll(path)
    const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    const reader = new JsonReader(bytes, bom ? 3 : 0)
    try {
      reader.members(key => take(key, reader))
      reader.space()
      if (reader.at < bytes.length) throw new JsonStop('broken', reader.at)
    } catch (error) {
      if (!(error instanceof JsonStop)) throw error
      const code = ({ broken: 'json-broken', truncated: 'json-truncated', deep: 'json-deep' } as const)[error.why]
      this.#partial = true
      this.#problems.add(problem(code, path, { ...place(bytes, error.at), byte: error.at }))
    }
    for (const at of reader.badText) this.#problems.add(problem('invalid-utf8', path, { ...place(bytes, at), byte: at }, 'warning'))
    for (const { key, at } of reader.twice) this.#problems.add(problem('duplicate-key', path, { key, ...place(bytes, at), byte: at }, 'warning'))
  }

  async #readAll(path: string): Promise<Uint8Array> {
    const handle = this.#files.open(path)
    try {
      const bytes = new Uint8Array(handle.size)
      let done = 0
      while (done < bytes.length) {
        const n = handle.read(done, bytes.subarray(done, done + (4 << 20)))
        if (n === 0) break
        done += n
        this.#job.report({ what: 'job.reading', done, total: bytes.length, unit: 'bytes' })
        await this.#job.breathe()
      }
      return bytes.subarray(0, done)
    } finally {
      handle.close()
    }
  }
}
