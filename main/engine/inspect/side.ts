// An open tensor by stretches: doubles for the sums, exact values for the eye.
import { type Dtype, fromHalf, OpenTensor } from '../formats/index.ts'
import type { QuickFiles } from '../io/index.ts'
import type { TensorRef } from '../model/index.ts'
import type { QuickSide } from './quick.ts'

/** An element as it is: whole numbers beyond 2^53 are decimal texts, complex numbers have two parts. */
export type Exact = number | string | boolean | readonly [real: number, imaginary: number]

export class Side {
  readonly #tensor: OpenTensor
  readonly #parts: ((bytes: DataView, i: number) => readonly [number, number]) | null

  /** Kernels for what is read; null where sums are taken in TypeScript. */
  readonly quick: QuickSide | null

  constructor(files: QuickFiles, ref: TensorRef, quick: QuickSide | null = null) {
    this.#tensor = new OpenTensor(files, ref, quick)
    this.quick = quick
    this.#parts = partsOf[this.dtype.name] ?? null
  }

  get dtype(): Dtype {
    return this.#tensor.layout.dtype
  }
  get shape(): readonly number[] {
    return this.#tensor.layout.shape
  }
  get size(): number {
    return this.#tensor.layout.size
  }
  get file(): string {
    return this.#tensor.file
  }
  /** Elements that are packed can only be read from the first one on. */
  get isPacked(): boolean {
    return this.#tensor.layout.packed !== null
  }
  get isComplex(): boolean {
    return this.#parts !== null
  }
  /** Whole numbers of 64 bits: doubles do not tell neighbours apart. */
  get isWide(): boolean {
    return this.dtype.name === 'int64' || this.dtype.name === 'uint64'
  }
  /** What was read last; magnitudes of complex numbers. */
  get values(): Float64Array {
    return this.#tensor.values
  }
  get bytes(): Uint8Array {
    return this.#tensor.bytes
  }

  /** Puts elements into `values`; returns how many. */
  read(first: number, count: number): number {
    const got = this.#tensor.read(first, count)
    if (this.#parts) {
      const view = this.view()
      const size = this.dtype.name === 'complex64' ? singleSize : Math.hypot
      for (let i = 0; i < got; i++) this.values[i] = size(...this.#parts(view, i))
    }
    return got
  }

  view(): DataView {
    const { buffer, byteOffset, byteLength } = this.bytes
    return new DataView(buffer, byteOffset, byteLength)
  }

  /** Real and imaginary part of an element that was read last. */
  parts(view: DataView, i: number): readonly [number, number] {
    return this.#parts ? this.#parts(view, i) : [this.values[i], 0]
  }

  wide(): BigInt64Array | BigUint64Array {
    const { buffer, byteOffset, byteLength } = this.bytes
    return this.dtype.name === 'int64'
      ? new BigInt64Array(buffer, byteOffset, byteLength >> 3)
      : new BigUint64Array(buffer, byteOffset, byteLength >> 3)
  }

  /** An element that was read last, as it is. */
  exact(i: number): Exact {
    if (this.dtype.name === 'bool') return this.values[i] !== 0
    if (this.#parts) return this.#parts(this.view(), i)
    return this.isWide ? exactWhole(this.wide()[i]) : this.values[i]
  }

  /** Elements by their number, in any order. */
  elements(wanted: readonly number[]): readonly Exact[] {
    const found = new Map<number, Exact>()
    // Packed ones are read forwards.
    for (const element of wanted.toSorted((a, b) => a - b))
      if (!found.has(element) && this.read(element, 1) === 1) found.set(element, this.exact(0))
    return wanted.map(element => found.get(element) ?? NaN)
  }

  close(): void {
    this.#tensor.close()
  }
}

/** The magnitude of a complex64 to numpy's last digit. */
function singleSize(real: number, imaginary: number): number {
  const [a, b] = [Math.abs(real), Math.abs(imaginary)]
  if (!(a < Infinity && b < Infinity) || a + b === 0) return Math.hypot(a, b)
  const ratio = Math.fround(Math.min(a, b) / Math.max(a, b))
  return Math.fround(Math.max(a, b) * Math.fround(Math.sqrt(Math.fround(1 + ratio * ratio))))
}

export const exactWhole = (value: bigint): number | string =>
  value >= -BigInt(Number.MAX_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : String(value)

const partsOf: Readonly<Record<string, (bytes: DataView, i: number) => readonly [number, number]>> = {
  complex32: (view, i) => [fromHalf(view.getUint16(i * 4, true)), fromHalf(view.getUint16(i * 4 + 2, true))],
  complex64: (view, i) => [view.getFloat32(i * 8, true), view.getFloat32(i * 8 + 4, true)],
  complex128: (view, i) => [view.getFloat64(i * 16, true), view.getFloat64(i * 16 + 8, true)],
}
