// Ops as they were written: read again from the file that a dump was made of.
import type { Files, Handle } from '../io/index.ts'
import { type Json, JsonReader } from '../json/index.ts'
import type { Dump } from '../model/index.ts'

/** The text of one op as it stands in its file; '' where it stands in none. */
export const rawText = (files: Files, dump: Dump, op: number): string =>
  new TextDecoder().decode(rawBytes(files, dump, op))

/** One op of a file of JSON; null of another file. */
export const rawJson = (files: Files, dump: Dump, op: number): Json =>
  dump.raw?.form === 'json' ? new JsonReader(rawBytes(files, dump, op)).value() : null

function rawBytes(files: Files, dump: Dump, op: number): Uint8Array<ArrayBuffer> {
  const { raw, ops } = dump
  if (!raw || op < 0 || !(ops.to[op] > ops.from[op])) return new Uint8Array(0)
  const handle = files.open(raw.file)
  try {
    return bytesOf(handle, dump, op)
  } finally {
    handle.close()
  }
}

function bytesOf(handle: Handle, { ops }: Dump, op: number): Uint8Array<ArrayBuffer> {
  const from = ops.from[op]
  const bytes = new Uint8Array(Math.max(0, Math.min(ops.to[op], handle.size) - from))
  return bytes.subarray(0, handle.read(from, bytes))
}

/** Reads many ops of one dump with the file held open. */
export class RawReader {
  readonly #files: Files
  readonly #dump: Dump
  #handle: Handle | null = null

  constructor(files: Files, dump: Dump) {
    this.#files = files
    this.#dump = dump
  }

  /** Undefined where there is no file of JSON. */
  json(op: number): Json | undefined {
    const { raw } = this.#dump
    if (raw?.form !== 'json') return undefined
    this.#handle ??= this.#files.open(raw.file)
    return new JsonReader(bytesOf(this.#handle, this.#dump, op)).value()
  }

  /** As it was written; '' where there is no file of JSON. */
  text(op: number): string {
    const { raw } = this.#dump
    if (raw?.form !== 'json') return ''
    this.#handle ??= this.#files.open(raw.file)
    return new TextDecoder().decode(bytesOf(this.#handle, this.#dump, op))
  }

  close(): void {
    this.#handle?.close()
    this.#handle = null
  }
}
