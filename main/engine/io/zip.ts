// Members of a zip file (.pt, .npz, .xlsx) by range: the directory is checked against the file before
// anything is allocated.
import { inflateRawSync } from 'node:zlib'
import { Inflate } from 'fflate'
import { problem, Refusal } from '../model/index.ts'

/** What a zip is read from: a `Handle`, or bytes in memory. */
export interface ZipSource {
  readonly size: number
  /** All of it, where it is in memory for a while. */
  readonly bytes?: Uint8Array<ArrayBuffer>
  read(from: number, into: Uint8Array): number
}

export interface ZipEntry {
  readonly name: string
  /** Stored as it is: its bytes can be read by range. */
  readonly stored: boolean
  readonly packed: number
  readonly size: number
  /** Position of the local header. */
  readonly header: number
}

const endMark = 0x06054b50
const wideEndMark = 0x06064b50
const wideLocatorMark = 0x07064b50
const directoryMark = 0x02014b50
const localMark = 0x04034b50
const most = { entries: 1 << 18, directory: 1 << 26 }
/** Deflate cannot pack tighter than 1032 to 1. */
const tightest = 1032

export const looksLikeZip = (head: Uint8Array): boolean =>
  head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5)

export function zipEntries(source: ZipSource, file = ''): readonly ZipEntry[] {
  const { count, size, at } = directory(source, file)
  if (count > most.entries || size > most.directory || count * 46 > size || at + size > source.size)
    throw invalid(file, 'directory')
  const view = viewOf(fetch(source, at, size, file))
  const entries: ZipEntry[] = []
  let packedTotal = 0
  for (let i = 0, p = 0; i < count; i++) {
    if (p + 46 > size || view.getUint32(p, true) !== directoryMark) throw invalid(file, 'directory')
    const nameLength = view.getUint16(p + 28, true)
    const extraLength = view.getUint16(p + 30, true)
    const next = p + 46 + nameLength + extraLength + view.getUint16(p + 32, true)
    if (next > size) throw invalid(file, 'directory')
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, p + 46, nameLength))
    const flags = view.getUint16(p + 8, true)
    const method = view.getUint16(p + 10, true)
    const [unpacked, packed, header] = wide(view, p, nameLength, extraLength, file)
    if (flags & 1) throw invalid(file, 'encrypted')
    if (method !== 0 && method !== 8) throw invalid(file, 'method')
    if (header + 30 + packed > source.size || (method === 0 && packed !== unpacked))
      throw invalid(file, 'member')
    if (unpacked > packed * tightest + 1024) throw invalid(file, 'bomb')
    packedTotal += packed
    entries.push({ name, stored: method === 0, packed, size: unpacked, header })
    p = next
  }
  // Members that share bytes are how a small file claims to be endless.
  if (packedTotal > source.size) throw invalid(file, 'bomb')
  return entries
}

/** Position of a member's first byte; only the local header knows it. */
export function memberStart(source: ZipSource, entry: ZipEntry, file = ''): number {
  const local = viewOf(fetch(source, entry.header, 30, file))
  if (local.getUint32(0, true) !== localMark) throw invalid(file, 'member')
  const start = entry.header + 30 + local.getUint16(26, true) + local.getUint16(28, true)
  if (start + entry.packed > source.size) throw invalid(file, 'member')
  return start
}

/** A whole member; refuses one larger than the limit before allocating. */
export function memberBytes(source: ZipSource, entry: ZipEntry, limit: number, file = ''): Uint8Array {
  if (entry.size > limit) throw new Refusal(problem('too-large', file, { size: entry.size, limit }))
  const bytes = fetch(source, memberStart(source, entry, file), entry.packed, file)
  if (entry.stored) return bytes
  try {
    const out = inflateRawSync(bytes, { maxOutputLength: Math.max(entry.size, 1) })
    if (out.length === entry.size) return new Uint8Array(out.buffer, out.byteOffset, out.length)
  } catch {
    // Broken and overlong streams end alike: below.
  }
  throw invalid(file, 'member')
}

/** The bytes of a member in pieces of a few hundred KiB, never more than its directory entry promised. */
export function* memberPieces(source: ZipSource, entry: ZipEntry, file = ''): Generator<Uint8Array, void> {
  const start = memberStart(source, entry, file)
  const ready: Uint8Array[] = []
  const inflate = new Inflate(piece => {
    if (piece.length) ready.push(piece)
  })
  let out = 0
  for (let done = 0; done < entry.packed;) {
    const piece = fetch(source, start + done, Math.min(1 << 15, entry.packed - done), file)
    done += piece.length
    if (entry.stored) ready.push(piece)
    else {
      try {
        inflate.push(piece, done === entry.packed)
      } catch {
        throw invalid(file, 'member')
      }
    }
    for (let next = ready.shift(); next; next = ready.shift()) {
      out += next.length
      if (out > entry.size) throw invalid(file, 'bomb')
      yield next
    }
  }
  if (out !== entry.size) throw invalid(file, 'member')
}

function directory(source: ZipSource, file: string): { count: number; size: number; at: number } {
  const tail = Math.min(source.size, 65557)
  // Nearly every file ends without a comment: look at the last bytes first.
  for (const length of [Math.min(tail, 98), tail]) {
    const from = source.size - length
    const view = viewOf(fetch(source, from, length, file))
    for (let p = length - 22; p >= 0; p--) {
      if (view.getUint32(p, true) !== endMark) continue
      const end = {
        count: view.getUint16(p + 10, true),
        size: view.getUint32(p + 12, true),
        at: view.getUint32(p + 16, true),
      }
      if (end.count < 0xffff && end.size < 0xffffffff && end.at < 0xffffffff) return end
      return wideDirectory(source, from + p, file)
    }
  }
  throw invalid(file, 'end')
}

function wideDirectory(
  source: ZipSource,
  end: number,
  file: string,
): { count: number; size: number; at: number } {
  if (end < 20) throw invalid(file, 'end')
  const locator = viewOf(fetch(source, end - 20, 20, file))
  if (locator.getUint32(0, true) !== wideLocatorMark) throw invalid(file, 'end')
  const record = viewOf(fetch(source, safe(locator.getBigUint64(8, true), file), 56, file))
  if (record.getUint32(0, true) !== wideEndMark) throw invalid(file, 'end')
  return {
    count: safe(record.getBigUint64(32, true), file),
    size: safe(record.getBigUint64(40, true), file),
    at: safe(record.getBigUint64(48, true), file),
  }
}

/**
 * Size, packed size and position of a directory entry, from the zip64 field where the short ones are full.
 */
function wide(
  view: DataView,
  p: number,
  nameLength: number,
  extraLength: number,
  file: string,
): [number, number, number] {
  const short = [view.getUint32(p + 24, true), view.getUint32(p + 20, true), view.getUint32(p + 42, true)]
  if (!short.includes(0xffffffff)) return [short[0], short[1], short[2]]
  const end = p + 46 + nameLength + extraLength
  for (let at = p + 46 + nameLength; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue
    let field = at + 4
    const full = short.map(value => {
      if (value !== 0xffffffff) return value
      if (field + 8 > end) throw invalid(file, 'directory')
      field += 8
      return safe(view.getBigUint64(field - 8, true), file)
    })
    return [full[0], full[1], full[2]]
  }
  throw invalid(file, 'directory')
}

function safe(value: bigint, file: string): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw invalid(file, 'directory')
  return Number(value)
}

function fetch(source: ZipSource, from: number, length: number, file: string): Uint8Array {
  if (from < 0 || from + length > source.size) throw invalid(file, 'range')
  const bytes = new Uint8Array(length)
  let done = 0
  for (let got = 1; got > 0 && done < length; done += got)
    got = source.read(from + done, bytes.subarray(done))
  if (done !== length) throw invalid(file, 'range')
  return bytes
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
const invalid = (file: string, reason: string): Refusal =>
  new Refusal(problem('zip-invalid', file, { reason }))
