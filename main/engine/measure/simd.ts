// The kernels in WebAssembly SIMD: files are read straight into their memory; what they cannot do goes to the
// scalar twin.
import { decode, type Dtype, type DtypeName, fromHalf, halfRound, toHalf } from '../formats/index.ts'
import { type Side, sides } from '../model/index.ts'
import { chunkBytes, type Kernels, type PairTypes } from './chunks.ts'
import wasm from './kernels.as.ts?asc'
import { addValues, epsilon, relativeRule, type RelativeRule, type Sums, type ZeroRule } from './kernels.ts'

type Narrow = (
  a: number,
  b: number,
  n: number,
  out: number,
  thousandth: number,
  fiveThousandths: number,
  debugEpsilon: number,
  benchEpsilon: number,
) => void
type Wide = (a: number, b: number, n: number, out: number) => void
type Alone = (a: number, n: number, out: number) => void
type Product = (a: number, b: number, n: number) => number
interface Exports {
  readonly [name: string]: Narrow | Wide | Alone | Product
}
interface Common {
  booleans: Wide
  halvesNotFinite(a: number, n: number): number
  firstDifference(a: number, b: number, bytes: number): number
  hashKeys(keys: number): void
  hashBlocks(at: number, bytes: number, state: number, keys: number): void
  hashEnd(state: number, bytes: number): void
}

/** Errors in f32. */
interface Narrowed {
  readonly is: 'narrow'
  readonly plain: Narrow
  /** NaN and Inf count as zero. */
  readonly masked: Narrow
  readonly alone?: Alone
  readonly aloneMasked?: Alone | undefined
  readonly product?: Product
  /** Sides that are stored as halves. */
  readonly halves: readonly Side[]
  readonly limits: readonly [thousandth: number, five: number, debugEpsilon: number, benchEpsilon: number]
}
/** Errors in f64. */
interface Widened {
  readonly is: 'wide'
  readonly run: Wide
  readonly alone: Alone
  readonly product?: Product
}
/** How a pair of types is computed; `scalar`: in TypeScript. */
type Method = Narrowed | Widened | { readonly is: 'bool' } | { readonly is: 'scalar' }

interface SimdTypes extends PairTypes {
  readonly method: Method
  readonly zeros: ZeroRule
}

/** Names of the exports by stored types. */
const narrowNames: Readonly<Record<string, string>> = {
  'float32 float32': 'float',
  'bfloat16 bfloat16': 'brain',
  'float16 float16': 'half',
  'float32 bfloat16': 'floatBrain',
  'bfloat16 float32': 'brainFloat',
  'float32 float16': 'floatHalf',
  'float16 float32': 'halfFloat',
}
const wideNames: Partial<Record<DtypeName, string>> = {
  float64: 'double',
  int8: 'int8',
  uint8: 'uint8',
  int16: 'int16',
  uint16: 'uint16',
  int32: 'int32',
  uint32: 'uint32',
  int64: 'int64',
  uint64: 'uint64',
}

/** Squared norms further apart than this lose digits in (Σa² + Σb² − Σ(a−b)²) / 2. */
const uneven = 1e4
/** Differences of halves from here on round to infinity. */
const halfOverflow = 65520 ** 2

/** The first read brings the header too. */
const bufferBytes = chunkBytes + 4096
// The kernels' own blocks stand from 0x12000 on.
const at = {
  out: 65536,
  states: [65536 + 128, 65536 + 256],
  scratch: 65536 + 384,
  keys: 65536 + 512,
  debug: 131072,
  bench: 131072 + bufferBytes,
} as const
const stretch = 4096

let compiled: WebAssembly.Module | undefined

function instantiate(memory: WebAssembly.Memory): Exports & Common {
  compiled ??= new WebAssembly.Module(wasm)
  const instance = new WebAssembly.Instance(compiled, {
    env: {
      memory,
      abort: () => {
        throw new Error('kernel')
      },
    },
  })
  return instance.exports as unknown as Exports & Common
}

export const simdKernels = (): Kernels => new SimdKernels()

class SimdKernels implements Kernels {
  readonly debug: Uint8Array
  readonly bench: Uint8Array
  readonly #kernel: Exports & Common
  readonly #bytes: Uint8Array
  readonly #hashes: Hashes
  /** What the last kernel left; see `kernels.as.ts` for what stands where. */
  readonly #out: Float64Array
  readonly #a = new Float64Array(stretch)
  readonly #b = new Float64Array(stretch)
  readonly #known = new Map<string, SimdTypes>()
  #last: SimdTypes | undefined

  constructor() {
    const memory = new WebAssembly.Memory({ initial: Math.ceil((at.debug + 2 * bufferBytes) / 65536) })
    this.#kernel = instantiate(memory)
    this.#bytes = new Uint8Array(memory.buffer)
    this.#out = new Float64Array(memory.buffer, at.out, 9)
    this.#hashes = new Hashes(this.#kernel, this.#bytes)
    this.debug = this.#bytes.subarray(at.debug, at.bench)
    this.bench = this.#bytes.subarray(at.bench, at.bench + bufferBytes)
  }

  types(debug: Dtype, bench: Dtype, zeros: ZeroRule = 'tiny'): SimdTypes {
    if (this.#last?.debug === debug && this.#last.bench === bench && this.#last.zeros === zeros)
      return this.#last
    const key = `${debug.name} ${bench.name} ${zeros}`
    let types = this.#known.get(key)
    if (!types) {
      const rule = relativeRule(debug, bench, zeros)
      types = { debug, bench, rule, zeros, method: methodOf(this.#kernel, debug, bench, rule) }
      this.#known.set(key, types)
    }
    return (this.#last = types)
  }

  begin(): void {
    this.#hashes.begin()
  }

  add(pair: PairTypes, debugAt: number, benchAt: number, count: number, sums: Sums): boolean {
    const types = pair as SimdTypes
    const x = at.debug + debugAt
    const y = at.bench + benchAt
    const whole = count - (count % 16)
    const debugBytes = types.debug.bytes
    const benchBytes = types.bench.bytes
    const equal = types.debug === types.bench && this.#equalFrom(x, y, count * debugBytes)
    if (equal && !sums.eager && maySkip(types)) {
      sums.skipped += count
      sums.belowThousandth += count
      sums.belowFiveThousandths += count
      this.#hashes.add(x, count * debugBytes, y, count * benchBytes, true)
      return true
    }
    sums.eager = true
    if (whole && !(equal && this.#addEqual(types, x, whole, sums))) this.#addWhole(types, x, y, whole, sums)
    if (whole < count && !sums.mismatch)
      this.#addScalar(types, x + whole * debugBytes, y + whole * benchBytes, count - whole, sums)
    this.#hashes.add(x, count * debugBytes, y, count * benchBytes, equal)
    return equal
  }

  catchUp(pair: PairTypes, count: number, sums: Sums): void {
    const types = pair as SimdTypes
    const whole = count - (count % 16)
    if (whole) this.#addSquares(types, at.debug, whole, sums)
    decode(types.debug, this.#bytes.subarray(at.debug + whole * types.debug.bytes), count - whole, this.#a)
    for (let i = 0; i < count - whole; i++) {
      const value = this.#a[i]
      const square = Number.isFinite(value) ? value * value : 0
      sums.debugSquares += square
      sums.benchSquares += square
      sums.product += square
    }
  }

  hash(debugAt: number, debugBytes: number, benchAt: number, benchBytes: number): void {
    this.#hashes.add(at.debug + debugAt, debugBytes, at.bench + benchAt, benchBytes, false)
  }

  end(): [number, number, number, number] {
    return this.#hashes.end()
  }

  /** `count` is a multiple of 16. */
  #addWhole(types: SimdTypes, x: number, y: number, count: number, sums: Sums): void {
    const { method } = types
    if (method.is === 'narrow') this.#addNarrow(types, method, x, y, count, sums)
    else if (method.is === 'wide') this.#addWide(types, method, x, y, count, sums)
    else if (method.is === 'bool') this.#addBooleans(x, y, count, sums)
    else this.#addScalar(types, x, y, count, sums)
  }

  #addNarrow(types: SimdTypes, method: Narrowed, x: number, y: number, count: number, sums: Sums): void {
    const out = this.#out
    const [low, high, debugEpsilon, benchEpsilon] = method.limits
    const rounded = types.rule.width === 16
    const spoiled = method.halves.some(side =>
      Boolean(this.#kernel.halvesNotFinite(side === 'debug' ? x : y, count)),
    )
    let masked = spoiled
    if (!spoiled) {
      method.plain(x, y, count, at.out, low, high, debugEpsilon, benchEpsilon)
      masked = !Number.isFinite(out[0] + out[1])
    }
    if (masked) method.masked(x, y, count, at.out, low, high, debugEpsilon, benchEpsilon)
    if (out[8]) {
      sums.mismatch = true
      return
    }
    const dot = this.#product(x, y, count, masked ? undefined : method.product)
    if (dot === undefined || (rounded && out[3] >= halfOverflow)) this.#addScalar(types, x, y, count, sums)
    else this.#collect(sums, dot, true, rounded)
  }

  #addWide(types: SimdTypes, method: Widened, x: number, y: number, count: number, sums: Sums): void {
    const out = this.#out
    method.run(x, y, count, at.out)
    const dot = Number.isFinite(out[0] + out[1] + out[2])
      ? this.#product(x, y, count, method.product)
      : undefined
    if (dot === undefined) this.#addScalar(types, x, y, count, sums)
    else this.#collect(sums, dot, false, false)
  }

  #addBooleans(x: number, y: number, count: number, sums: Sums): void {
    this.#kernel.booleans(x, y, count, at.out)
    const [inDebug, inBench, inBoth] = this.#out
    const onlyDebug = inDebug - inBoth
    const differ = onlyDebug + inBench - inBoth
    sums.debugSquares += inDebug
    sums.benchSquares += inBench
    sums.differenceSquares += differ
    sums.product += inBoth
    sums.maxAbs = Math.max(sums.maxAbs, differ > 0 ? 1 : 0)
    const relative = differ > 0 ? 1 : 0
    sums.maxRel = Math.max(sums.maxRel, onlyDebug > 0 ? 1 / epsilon : relative)
    sums.belowThousandth += count - differ
    sums.belowFiveThousandths += count - differ
  }

  #addScalar(types: SimdTypes, x: number, y: number, count: number, sums: Sums): void {
    for (let done = 0; done < count && !sums.mismatch; done += stretch) {
      const many = Math.min(stretch, count - done)
      decode(types.debug, this.#bytes.subarray(x + done * types.debug.bytes), many, this.#a)
      decode(types.bench, this.#bytes.subarray(y + done * types.bench.bytes), many, this.#b)
      addValues(this.#a, this.#b, many, types.rule, sums)
    }
  }

  /** Adds what the last kernel left. */
  #collect(sums: Sums, product: number, root: boolean, half: boolean): void {
    const out = this.#out
    sums.debugSquares += out[0]
    sums.benchSquares += out[1]
    sums.differenceSquares += out[2]
    sums.product += product
    sums.maxAbs = Math.max(sums.maxAbs, root ? Math.sqrt(out[3]) : out[3])
    sums.maxRel = out[7] ? NaN : Math.max(sums.maxRel, half ? halfRound(out[4]) : out[4])
    sums.belowThousandth += out[5]
    sums.belowFiveThousandths += out[6]
  }

  #product(x: number, y: number, count: number, exact: Product | undefined): number | undefined {
    const out = this.#out
    if (out[0] === 0 || out[1] === 0) return 0
    if (out[0] <= out[1] * uneven && out[1] <= out[0] * uneven) return (out[0] + out[1] - out[2]) / 2
    return exact?.(x, y, count)
  }

  /** Adds elements whose bytes are equal on both sides; false when this type has no short way. */
  #addEqual(types: SimdTypes, x: number, count: number, sums: Sums): boolean {
    if (!this.#addSquares(types, x, count, sums)) return false
    // Zero over zero is NaN in halves when what is added to zeros is nothing.
    const zeros = types.rule.benchEpsilon ? 0 : this.#out[1]
    if (zeros > 0) sums.maxRel = NaN
    sums.belowThousandth += count - zeros
    sums.belowFiveThousandths += count - zeros
    return true
  }

  #addSquares({ method }: SimdTypes, x: number, count: number, sums: Sums): boolean {
    if ((method.is !== 'narrow' && method.is !== 'wide') || !method.alone) return false
    method.alone(x, count, at.out)
    if (!Number.isFinite(this.#out[0]) && method.is === 'narrow') method.aloneMasked?.(x, count, at.out)
    const squares = this.#out[0]
    if (!Number.isFinite(squares)) return false
    sums.debugSquares += squares
    sums.benchSquares += squares
    sums.product += squares
    return true
  }

  #equalFrom(x: number, y: number, length: number): boolean {
    const bytes = this.#bytes
    const whole = length - (length % 64)
    if (whole && this.#kernel.firstDifference(x, y, whole) < whole) return false
    for (let i = whole; i < length; i++) if (bytes[x + i] !== bytes[y + i]) return false
    return true
  }
}

/**
 * As long as nothing differs the cosine is 1 whatever the norms are, except where squares overflow or zeros
 * count.
 */
const maySkip = ({ method, rule, debug }: SimdTypes): boolean =>
  method.is === 'narrow' ? rule.benchEpsilon !== 0 : method.is === 'wide' && debug.low !== undefined

function methodOf(kernel: Exports, debug: Dtype, bench: Dtype, rule: RelativeRule): Method {
  const narrow = narrowNames[`${debug.name} ${bench.name}`]
  if (narrow) return narrowed(kernel, narrow, debug, bench, rule)
  const wide = debug === bench ? wideNames[debug.name] : undefined
  if (wide)
    return {
      is: 'wide',
      run: kernel[wide] as Wide,
      alone: kernel[`${wide}Alone`] as Alone,
      ...(wide === 'double' ? { product: kernel['doubleProduct'] as Product } : {}),
    }
  return debug === bench && debug.name === 'bool' ? { is: 'bool' } : { is: 'scalar' }
}

function narrowed(kernel: Exports, stored: string, debug: Dtype, bench: Dtype, rule: RelativeRule): Narrowed {
  const name = stored === 'half' && rule.width === 32 ? 'halfWide' : stored
  const both = { debug, bench }
  return {
    is: 'narrow',
    plain: kernel[name] as Narrow,
    masked: kernel[`${name}Masked`] as Narrow,
    ...(debug === bench
      ? {
          alone: kernel[`${stored}Alone`] as Alone,
          aloneMasked: kernel[`${stored}AloneMasked`] as Alone | undefined,
          product: kernel[`${stored}Product`] as Product,
        }
      : {}),
    halves: sides.filter(side => both[side].name === 'float16'),
    limits: [
      lastBelow(rule, rule.thousandth),
      lastBelow(rule, rule.fiveThousandths),
      rule.debugEpsilon,
      rule.benchEpsilon,
    ],
  }
}

/** Hashes of the bytes of both sides; as long as they are equal, one hash stands for both. */
class Hashes {
  readonly #kernel: Common
  readonly #bytes: Uint8Array
  readonly #words: Uint32Array
  #debug = 0
  #bench = 0
  #alike = true

  constructor(kernel: Common, bytes: Uint8Array) {
    this.#kernel = kernel
    this.#bytes = bytes
    this.#words = new Uint32Array(bytes.buffer, 0, at.keys / 4)
    kernel.hashKeys(at.keys)
  }

  begin(): void {
    this.#bytes.fill(0, at.states[0], at.states[1] + 128)
    this.#debug = this.#bench = 0
    this.#alike = true
  }

  add(x: number, debugBytes: number, y: number, benchBytes: number, equal: boolean): void {
    const [debugState, benchState] = at.states
    if (this.#alike && !equal) {
      this.#bytes.copyWithin(benchState, debugState, debugState + 128)
      this.#alike = false
    }
    this.#fold(x, debugBytes, debugState)
    if (!this.#alike) this.#fold(y, benchBytes, benchState)
    this.#debug += debugBytes
    this.#bench += benchBytes
  }

  /** Both hashes as halves. */
  end(): [number, number, number, number] {
    const words = this.#words
    const [debugState, benchState] = at.states
    this.#kernel.hashEnd(debugState, this.#debug)
    if (!this.#alike) this.#kernel.hashEnd(benchState, this.#bench)
    const debug = (debugState + 72) / 4
    const bench = this.#alike ? debug : (benchState + 72) / 4
    return [words[debug], words[debug + 1], words[bench], words[bench + 1]]
  }

  #fold(from: number, length: number, state: number): void {
    const whole = length - (length % 64)
    this.#kernel.hashBlocks(from, whole, state, at.keys)
    if (whole === length) return
    this.#bytes.fill(0, at.scratch, at.scratch + 64)
    this.#bytes.copyWithin(at.scratch, from + whole, from + length)
    this.#kernel.hashBlocks(at.scratch, 64, state, at.keys)
  }
}

const word = new Int32Array(1)
const float = new Float32Array(word.buffer)

/** The largest f32 that counts as below a threshold; for halves the largest that still rounds to less. */
function lastBelow(rule: RelativeRule, threshold: number): number {
  if (rule.width !== 16) return before(threshold)
  const bits = toHalf(threshold)
  const middle = (fromHalf(bits - 1) + threshold) / 2
  // A tie goes to the even neighbour.
  return bits % 2 === 1 ? middle : before(middle)
}

function before(x: number): number {
  float[0] = x
  word[0]--
  return float[0]
}
