// Unpacks an archive below a folder of our own: no entry leaves it, no link is made, and no small file fills
// the disk.
import { closeSync, mkdirSync, openSync, statfsSync, writeSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { problem, Refusal } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import type { Handle } from './files.ts'
import { type EntrySink, looksLikeTar, readTar, type TarEntry } from './tar.ts'
import { looksLikeZip, memberPieces, zipEntries } from './zip.ts'

/** Entries that were not unpacked: links, devices, and what would lie outside. */
export interface LeftOut {
  readonly count: number
  readonly first: string
}

/** What an honest archive may come to, and what must stay free on the disk. */
const honest = { times: 200, bytes: 1 << 30, entries: 1 << 20 }
const keptFree = 1 << 29

const pieceBytes = 1 << 18
const toldEvery = 4 << 20

/** Unpacks into an empty folder. */
export async function unpack(
  handle: Handle,
  archive: string,
  into: string,
  job: Job,
  limits = honest,
): Promise<LeftOut> {
  const tree = new Tree(archive, into, handle.size, limits)
  let told = 0
  const report = (done: number): void => {
    if (done < told) return
    told = done + toldEvery
    job.report({ what: 'job.unpacking', done, total: handle.size, countedIn: 'bytes' })
  }
  const head = new Uint8Array(512)
  const start = head.subarray(0, handle.read(0, head))
  if (looksLikeZip(start)) await unzip(handle, archive, tree, job, report)
  else if (start[0] === 0x1f && start[1] === 0x8b)
    await readTar(unpacked(piecesOf(handle, job, report), archive), archive, tree.begin)
  else if (looksLikeTar(start)) await readTar(piecesOf(handle, job, report), archive, tree.begin)
  else throw invalid(archive, 'magic')
  return tree.leftOut
}

async function* piecesOf(
  handle: Handle,
  job: Job,
  report: (done: number) => void,
): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < handle.size;) {
    report(at)
    await job.breathe()
    const piece = new Uint8Array(Math.min(pieceBytes, handle.size - at))
    const got = handle.read(at, piece)
    if (got === 0) return
    at += got
    yield piece.subarray(0, got)
  }
}

async function* unpacked(pieces: AsyncIterable<Uint8Array>, archive: string): AsyncGenerator<Uint8Array> {
  const source = Readable.from(pieces)
  const gunzip = createGunzip({ chunkSize: pieceBytes })
  source.on('error', error => gunzip.destroy(error))
  try {
    yield* source.pipe(gunzip)
  } catch (error) {
    // Z_DATA_ERROR, Z_BUF_ERROR and their like.
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw invalid(archive, 'gzip')
    throw error
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

async function unzip(
  handle: Handle,
  archive: string,
  tree: Tree,
  job: Job,
  report: (done: number) => void,
): Promise<void> {
  let done = 0
  for (const entry of zipEntries(handle, archive)) {
    report(done)
    const sink = tree.begin({ name: entry.name, kind: /[\\/]$/.test(entry.name) ? 'folder' : 'file' })
    try {
      for (const piece of sink ? memberPieces(handle, entry, archive) : []) {
        sink?.write(piece)
        await job.breathe()
      }
    } finally {
      sink?.close()
    }
    done += entry.packed
  }
}

/** The folder that is filled. */
class Tree {
  readonly #archive: string
  readonly #root: string
  readonly #limit: number
  readonly #mostEntries: number
  readonly #made = new Set<string>()
  #entries = 0
  #bytes = 0
  #leftOut = 0
  #first = ''

  constructor(archive: string, root: string, packed: number, { times, bytes, entries }: typeof honest) {
    this.#archive = archive
    this.#mostEntries = entries
    this.#root = root
    const { bavail, bsize } = statfsSync(root)
    this.#limit = Math.min(Math.max(bytes, packed * times), bavail * bsize - keptFree)
  }

  get leftOut(): LeftOut {
    return { count: this.#leftOut, first: this.#first }
  }

  /** Null where nothing is to be written: a folder, or what is left out. */
  readonly begin = ({ name, kind }: TarEntry): EntrySink | null => {
    if (++this.#entries > this.#mostEntries) throw this.#tooLarge()
    const parts = partsOf(name)
    if (kind === 'other' || !parts) {
      this.#leftOut++
      this.#first ||= name.slice(0, 200)
      return null
    }
    const place = path.join(this.#root, ...parts)
    return this.#attempt(() => {
      this.#makeFolder(kind === 'folder' ? place : path.dirname(place))
      return kind === 'folder' || parts.length === 0 ? null : this.#fileAt(place)
    })
  }

  #makeFolder(folder: string): void {
    if (this.#made.has(folder)) return
    mkdirSync(folder, { recursive: true })
    this.#made.add(folder)
  }

  #fileAt(place: string): EntrySink {
    const fd = openSync(place, 'w', 0o600)
    return {
      write: bytes => {
        this.#bytes += bytes.length
        if (this.#bytes > this.#limit) throw this.#tooLarge()
        this.#attempt(() => {
          for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done)
        })
      },
      close: () => closeSync(fd),
    }
  }

  #attempt<T>(act: () => T): T {
    try {
      return act()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (code === 'ENOSPC' || code === 'EDQUOT') throw this.#tooLarge()
      // An entry below another that is a file, and what the system takes no name for.
      if (code !== '') throw invalid(this.#archive, code)
      throw error
    }
  }

  #tooLarge(): Refusal {
    return new Refusal(problem('archive-too-large', this.#archive, { limit: Math.max(0, this.#limit) }))
  }
}

const windows = path.sep === '\\'

/** Where an entry lies below the folder; null where it would not, or where no system has such a name. */
function partsOf(name: string): readonly string[] | null {
  if (name.length > 4096 || /^[\\/]|^[a-z]:|\0/i.test(name)) return null
  const parts = name.split(/[\\/]/).filter(part => part !== '' && part !== '.')
  const fits = (part: string): boolean =>
    part !== '..' && Buffer.byteLength(part) <= 255 && !(windows && /[<>:"|?*]/.test(part))
  return parts.every(fits) ? parts : null
}

const invalid = (file: string, reason: string): Refusal =>
  new Refusal(problem('zip-invalid', file, { reason }))
