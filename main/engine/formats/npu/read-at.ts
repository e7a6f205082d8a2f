// Bytes of a source at a place; fewer only where the source ends. Those of a file in memory are lent.
import type { ByteSource } from '../tensors/tensor.ts'
import { bench } from '../tensors/turn.ts'

export function readAt(source: ByteSource, from: number, length: number): Uint8Array<ArrayBuffer> {
  if (source.bytes) return source.bytes.subarray(from, from + length)
  const bytes = new Uint8Array(length)
  let done = 0
  for (let got = 1; got > 0 && done < length; done += got)
    got = source.read(from + done, bytes.subarray(done))
  return bytes.subarray(0, done)
}

/** A small file, read in one go to where the next one will come. */
export function inRoom(source: ByteSource): ByteSource & { readonly bytes: Uint8Array<ArrayBuffer> } {
  const { room } = bench()
  let size = 0
  for (let got = 1; got > 0 && size < source.size; size += got)
    got = source.read(size, room.subarray(size, source.size))
  const bytes = room.subarray(0, size)
  return {
    size,
    bytes,
    read(from, into) {
      const part = bytes.subarray(from, from + into.length)
      into.set(part)
      return part.length
    },
  }
}
