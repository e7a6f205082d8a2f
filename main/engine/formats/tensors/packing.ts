// Elements of less than a byte: how many bytes they take, and one byte each of them.
import type { Packing } from '../../model/index.ts'

interface Packed {
  readonly perByte: number
  /** Element `at` of the packed bytes, as the bits of one byte. */
  read(bytes: Uint8Array, at: number): number
}

const packings: Readonly<Record<Packing, Packed>> = {
  int4: {
    perByte: 2,
    // The sign is the nibble's highest bit.
    read: (bytes, at) => ((((bytes[at >> 1] >> ((at & 1) << 2)) & 15) ^ 8) - 8) & 255,
  },
  uint1: { perByte: 8, read: (bytes, at) => (bytes[at >> 3] >> (7 - (at & 7))) & 1 },
}

export const packedBytes = (packing: Packing, elements: number): number =>
  Math.ceil(elements / packings[packing].perByte)

/** The byte that an element lies in, and the element's number within it. */
export function packedPlace(
  packing: Packing,
  element: number,
): { readonly byte: number; readonly skip: number } {
  const { perByte } = packings[packing]
  return { byte: Math.floor(element / perByte), skip: element % perByte }
}

/** One byte each of `into.length` elements from number `skip` on. */
export function unpack(packing: Packing, bytes: Uint8Array, skip: number, into: Uint8Array): void {
  const { read } = packings[packing]
  for (let i = 0; i < into.length; i++) into[i] = read(bytes, skip + i)
}
