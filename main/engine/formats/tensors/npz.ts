// Arrays in .npz files: npy files as members of a zip.
import { memberPieces, memberStart, type ZipEntry, type ZipSource } from '../../io/index.ts'
import { problem, Refusal } from '../../model/index.ts'
import { npyHeaderSize, type NpyHeader, parseNpyHeader } from './npy.ts'

interface NpzArray {
  readonly name: string
  readonly entry: ZipEntry
  readonly header: NpyHeader
  /** Byte position of the member in the file. */
  readonly start: number
}

export const npzNames = (entries: readonly ZipEntry[]): readonly string[] =>
  entries.filter(entry => entry.name.endsWith('.npy')).map(entry => entry.name.slice(0, -4))

export function npzArray(source: ZipSource, entries: readonly ZipEntry[], name: string, file = ''): NpzArray {
  const entry = entries.find(one => one.name === `${name}.npy`)
  if (!entry) throw new Refusal(problem('zip-invalid', file, { reason: `member ${name}` }))
  const header = parseNpyHeader(beginning(source, entry, file), file)
  return { name, entry, header, start: memberStart(source, entry, file) }
}

/** As many first bytes of a member as its npy header needs. */
function beginning(source: ZipSource, entry: ZipEntry, file: string): Uint8Array {
  let head = new Uint8Array(0)
  for (const piece of memberPieces(source, entry, file)) {
    const longer = new Uint8Array(head.length + piece.length)
    longer.set(head)
    longer.set(piece, head.length)
    head = longer
    if (head.length >= 12 && head.length >= npyHeaderSize(head, file)) break
  }
  return head
}
