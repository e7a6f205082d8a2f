// Bytes of a source at a place; fewer only where the source ends.
import type { ByteSource } from '../tensors/tensor.ts'

export function readAt(source: ByteSource, from: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let done = 0
  for (let got = 1; got > 0 && done < length; done += got)
    got = source.read(from + done, bytes.subarray(done))
  return bytes.subarray(0, done)
}
