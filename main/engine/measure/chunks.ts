// What pairs are pushed through, chunk by chunk: the buffers that files are read into and the kernels over
// them.
import { decode, type Dtype } from '../formats/index.ts'
import { addValues, relativeRule, type RelativeRule, type Sums, type ZeroRule } from './kernels.ts'

/** Bytes of each file that are read and measured at a time. */
export const chunkBytes = 1 << 19

export interface PairTypes {
  readonly debug: Dtype
  readonly bench: Dtype
  readonly rule: RelativeRule
}

export interface Kernels {
  /** Where chunks of the two files are read into. */
  readonly debug: Uint8Array
  readonly bench: Uint8Array
  types(debug: Dtype, bench: Dtype, zeros?: ZeroRule): PairTypes
  /** Starts the hashes of a new pair. */
  begin(): void
  /**
   * Adds elements that lie in the buffers from these byte positions on to the sums and to the hashes; true
   * when both sides' bytes are equal.
   */
  add(types: PairTypes, debugAt: number, benchAt: number, count: number, sums: Sums): boolean
  /**
   * Puts in the squares of elements that `add` skipped: they are equal on both sides and stand in the debug
   * buffer again.
   */
  catchUp(types: PairTypes, count: number, sums: Sums): void
  /** Only the hashes. */
  hash(debugAt: number, debugBytes: number, benchAt: number, benchBytes: number): void
  /** Both hashes as halves. */
  end(): [number, number, number, number]
}

const stretch = 4096

/** Kernels in plain TypeScript over buffers of their own. */
export function scalarKernels(
  debug = new Uint8Array(chunkBytes),
  bench = new Uint8Array(chunkBytes),
): Kernels {
  const a = new Float64Array(stretch)
  const b = new Float64Array(stretch)
  return {
    debug,
    bench,
    types: (x, y, zeros) => ({ debug: x, bench: y, rule: relativeRule(x, y, zeros) }),
    begin() {},
    add(types, debugAt, benchAt, count, sums) {
      for (let done = 0; done < count && !sums.mismatch; done += stretch) {
        const many = Math.min(stretch, count - done)
        decode(types.debug, debug.subarray(debugAt + done * types.debug.bytes), many, a)
        decode(types.bench, bench.subarray(benchAt + done * types.bench.bytes), many, b)
        addValues(a, b, many, types.rule, sums)
      }
      return (
        types.debug.bytes === types.bench.bytes &&
        equalBytes(debug, debugAt, bench, benchAt, count * types.debug.bytes)
      )
    },
    // Nothing is ever skipped here.
    catchUp() {},
    hash() {},
    end: () => [0, 0, 0, 0],
  }
}

function equalBytes(a: Uint8Array, from: number, b: Uint8Array, other: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (a[from + i] !== b[other + i]) return false
  return true
}

/** One element as a double. */
export function valueOf(dtype: Dtype, bytes: Uint8Array): number {
  const into = new Float64Array(1)
  decode(dtype, bytes, 1, into)
  return into[0]
}

/** One element of an integer type, exactly; undefined for other types. */
export function integerOf(dtype: Dtype, bytes: Uint8Array): bigint | undefined {
  if (dtype.low === undefined) return undefined
  const bits = bytes.slice(0, dtype.bytes).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)
  return dtype.low < 0n ? BigInt.asIntN(dtype.bytes * 8, bits) : bits
}
