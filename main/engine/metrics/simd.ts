// The kernels in WebAssembly SIMD: files are read straight into their memory; what they cannot do goes to the scalar twin.
import { decode, type Dtype, type DtypeName, fromHalf, halfRound, toHalf } from '../formats/dtype.ts'
import { chunkBytes, type Kernels, type PairTypes } from './chunks.ts'
import wasm from './kernels.as.ts?asc'
import { addValues, epsilon, relativeRule, type RelativeRule, type Sums, type ZeroRule } from './kernels.ts'

type Narrow = (a: number, b: number, n: number, out: number, thousandth: number, fiveThousandths: number, debugEpsilon: number, benchEpsilon: number) => void
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

/** How a pair of types is computed. `narrow`: errors in f32. `scalar`: by the twin. */
type Way =
  | { readonly is: 'narrow'; readonly plain: Narrow; readonly masked: Narrow; readonly alone?: Alone; readonly aloneMasked?: Alone | undefined; readonly product?: Product; readonly halves: readonly ('debug' | 'bench')[]; readonly limits: readonly [number, number, number, number] }
  | { readonly is: 'wide'; readonly run: Wide; readonly alone: Alone; readonly product?: Product }
  | { readonly is: 'bool' }
  | { readonly is: 'scalar' }

interface SimdTypes extends PairTypes { readonly way: Way; readonly zeros: ZeroRule }

/** Names of the exports by stored types. */
const narrowNames: Readonly<Record<string, string>> = {
  'float32 float32': 'float', 'bfloat16 bfloat16': 'brain', 'float16 float16': 'half', 'float32 bfloat16': 'floatBrain', 'bfloat16 float32': 'brainFloat',
  'float32 float16': 'floatHalf', 'float16 float32': 'halfFloat',
}
const wideNames: Partial<Record<DtypeName, string>> = {
  float64: 'double', int8: 'int8', uint8: 'uint8', int16: 'int16', uint16: 'uint16', int32: 'int32', uint32: 'uint32', int64: 'int64', uint64: 'uint64',
}

/** Squared norms further apart than this lose digits in (Σa² + Σb² − Σ(a−b)²) / 2. */
const uneven = 1e4
/** Differences of halves from here on round to infinity. */
const halfOverflow = 65520 ** 2

// The kernels' own blocks stand from 0x12000 on.
const at = { out: 65536, states: [65536 + 128, 65536 + 256], scratch: 65536 + 384, keys: 65536 + 512, debug: 131072 } as const
/** The first read brings the header too. */
const bufferBytes = chunkBytes + 4096
const stretch = 4096

let compiled: WebAssembly.Module | undefined

export function simdKernels(): Kernels {
  const memory = new WebAssembly.Memory({ initial: Math.ceil((at.debug + 2 * bufferBytes) / 65536) })
  compiled ??= new WebAssembly.Module(wasm)
  const instance = new WebAssembly.Instance(compiled, { env: { memory, abort: () => { throw new Error('kernel') } } })
  const kernel = instance.exports as unknown as Exports
  const common = instance.exports as unknown as Common
  const bench0 = at.debug + bufferBytes
  const bytes = new Uint8Array(memory.buffer)
  const out = new Float64Array(memory.buffer, at.out, 9)
  const words = new Uint32Array(memory.buffer, 0, at.keys / 4)
  const a = new Float64Array(stretch)
  const b = new Float64Array(stretch)
  common.hashKeys(at.keys)

  const hashed = { debug: 0, bench: 0, alike: true }
  const ways = new Map<string, SimdTypes>()
  let last: SimdTypes | undefined

  const wayOf = (debug: Dtype, bench: Dtype, rule: RelativeRule): Way => {
    const narrow = narrowNames[`${debug.name} ${bench.name}`]
    if (narrow) {
      const same = debug === bench
      const name = narrow === 'half' && rule.width === 32 ? 'halfWide' : narrow
      return {
        is: 'narrow', plain: kernel[name] as Narrow, masked: kernel[`${name}Masked`] as Narrow,
        ...(same ? { alone: kernel[`${narrow}Alone`] as Alone, aloneMasked: kernel[`${narrow}AloneMasked`] as Alone | undefined, product: kernel[`${narrow}Product`] as Product } : {}),
        halves: ([['debug', debug], ['bench', bench]] as const).filter(([, type]) => type.name === 'float16').map(([side]) => side),
        limits: [lastBelow(rule, rule.thousandth), lastBelow(rule, rule.fiveThousandths), rule.debugEpsilon, rule.benchEpsilon],
      }
    }
    const wide = debug === bench ? wideNames[debug.name] : undefined
    if (wide) return { is: 'wide', run: kernel[wide] as Wide, alone: kernel[`${wide}Alone`] as Alone, ...(wide === 'double' ? { product: kernel['doubleProduct'] as Product } : {}) }
    return debug === bench && debug.name === 'bool' ? { is: 'bool' } : { is: 'scalar' }
  }

  const scalar = (types: PairTypes, x: number, y: number, count: number, sums: Sums): void => {
    for (let done = 0; done < count && !sums.mismatch; done += stretch) {
      const many = Math.min(stretch, count - done)
      decode(types.debug, bytes.subarray(x + done * types.debug.bytes), many, a)
      decode(types.bench, bytes.subarray(y + done * types.bench.bytes), many, b)
      addValues(a, b, many, types.rule, sums)
    }
  }

  /** Adds what the last kernel left. */
  const collect = (sums: Sums, product: number, root: boolean, half: boolean): void => {
    sums.debugSquares += out[0]
    sums.benchSquares += out[1]
    sums.differenceSquares += out[2]
    sums.product += product
    sums.maxAbs = Math.max(sums.maxAbs, root ? Math.sqrt(out[3]) : out[3])
    sums.maxRel = out[7] ? NaN : Math.max(sums.maxRel, half ? halfRound(out[4]) : out[4])
    sums.belowThousandth += out[5]
    sums.belowFiveThousandths += out[6]
  }

  const product = (x: number, y: number, count: number, exact: Product | undefined): number | undefined => {
    if (out[0] === 0 || out[1] === 0) return 0
    if (out[0] <= out[1] * uneven && out[1] <= out[0] * uneven) return (out[0] + out[1] - out[2]) / 2
    return exact?.(x, y, count)
  }

  const add: Readonly<Record<Way['is'], (types: SimdTypes, x: number, y: number, count: number, sums: Sums) => void>> = {
    narrow(types, x, y, count, sums) {
      const way = types.way as Extract<Way, { is: 'narrow' }>
      const [low, high, debugEpsilon, benchEpsilon] = way.limits
      const rounded = types.rule.width === 16
      const spoiled = way.halves.some(side => common.halvesNotFinite(side === 'debug' ? x : y, count))
      let masked = spoiled
      if (!spoiled) {
        way.plain(x, y, count, at.out, low, high, debugEpsilon, benchEpsilon)
        masked = !Number.isFinite(out[0] + out[1])
      }
      if (masked) way.masked(x, y, count, at.out, low, high, debugEpsilon, benchEpsilon)
      if (out[8]) { sums.mismatch = true; return }
      const dot = product(x, y, count, masked ? undefined : way.product)
      if (dot === undefined || (rounded && out[3] >= halfOverflow)) scalar(types, x, y, count, sums)
      else collect(sums, dot, true, rounded)
    },
    wide(types, x, y, count, sums) {
      const way = types.way as Extract<Way, { is: 'wide' }>
      way.run(x, y, count, at.out)
      const dot = Number.isFinite(out[0] + out[1] + out[2]) ? product(x, y, count, way.product) : undefined
      if (dot === undefined) scalar(types, x, y, count, sums)
      else collect(sums, dot, false, false)
    },
    bool(_, x, y, count, sums) {
      common.booleans(x, y, count, at.out)
      const [inDebug, inBench, inBoth] = out
      const onlyDebug = inDebug - inBoth
      const differ = onlyDebug + inBench - inBoth
      sums.debugSquares += inDebug
      sums.benchSquares += inBench
      sums.differenceSquares += differ
      sums.product += inBoth
      sums.maxAbs = Math.max(sums.maxAbs, differ > 0 ? 1 : 0)
      sums.maxRel = Math.max(sums.maxRel, onlyDebug > 0 ? 1 / epsilon : differ > 0 ? 1 : 0)
      sums.belowThousandth += count - differ
      sums.belowFiveThousandths += count - differ
    },
    scalar,
  }

  /** Adds elements whose bytes are equal on both sides; false when this type has no short way. */
  const addEqual = (types: SimdTypes, x: number, count: number, sums: Sums): boolean => {
    if (!squaresOf(types, x, count, sums)) return false
    // Zero over zero is NaN in halves when what is added to zeros is nothing.
    const zeros = types.rule.benchEpsilon ? 0 : out[1]
    if (zeros > 0) sums.maxRel = NaN
    sums.belowThousandth += count - zeros
    sums.belowFiveThousandths += count - zeros
    return true
  }

  const squaresOf = ({ way }: SimdTypes, x: number, count: number, sums: Sums): boolean => {
    if ((way.is !== 'narrow' && way.is !== 'wide') || !way.alone) return false
    way.alone(x, count, at.out)
    if (!Number.isFinite(out[0]) && way.is === 'narrow') way.aloneMasked?.(x, count, at.out)
    const squares = out[0]
    if (!Number.isFinite(squares)) return false
    sums.debugSquares += squares
    sums.benchSquares += squares
    sums.product += squares
    return true
  }

  /** As long as nothing differs the cosine is 1 whatever the norms are, except where squares overflow or zeros count. */
  const skips = ({ way, rule, debug }: SimdTypes): boolean => way.is === 'narrow' ? rule.benchEpsilon !== 0 : way.is === 'wide' && debug.low !== undefined

  const fold = (from: number, length: number, state: number): void => {
    const whole = length - (length % 64)
    common.hashBlocks(from, whole, state, at.keys)
    if (whole === length) return
    bytes.fill(0, at.scratch, at.scratch + 64)
    bytes.copyWithin(at.scratch, from + whole, from + length)
    common.hashBlocks(at.scratch, 64, state, at.keys)
  }

  /** As long as both sides are equal, one hash stands for both. */
  const hash = (x: number, debugBytes: number, y: number, benchBytes: number, equal: boolean): void => {
    const [debugState, benchState] = at.states
    if (hashed.alike && !equal) {
      bytes.copyWithin(benchState, debugState, debugState + 128)
      hashed.alike = false
    }
    fold(x, debugBytes, debugState)
    if (!hashed.alike) fold(y, benchBytes, benchState)
    hashed.debug += debugBytes
    hashed.bench += benchBytes
  }

  const equalFrom = (x: number, y: number, length: number): boolean => {
    const whole = length - (length % 64)
    if (whole && common.firstDifference(x, y, whole) < whole) return false
    for (let i = whole; i < length; i++) if (bytes[x + i] !== bytes[y + i]) return false
    return true
  }

  return {
    debug: bytes.subarray(at.debug, bench0),
    bench: bytes.subarray(bench0, bench0 + bufferBytes),
    types(debug, bench, zeros = 'tiny') {
      if (last?.debug === debug && last.bench === bench && last.zeros === zeros) return last
      const key = `${debug.name} ${bench.name} ${zeros}`
      const known = ways.get(key)
      if (known) return (last = known)
      const rule = relativeRule(debug, bench, zeros)
      const types: SimdTypes = { debug, bench, rule, zeros, way: wayOf(debug, bench, rule) }
      ways.set(key, types)
      return (last = types)
    },
    begin() {
      bytes.fill(0, at.states[0], at.states[1] + 128)
      Object.assign(hashed, { debug: 0, bench: 0, alike: true })
    },
    add(pair, debugAt, benchAt, count, sums) {
      const types = pair as SimdTypes
      const x = at.debug + debugAt
      const y = bench0 + benchAt
      const whole = count - (count % 16)
      const equal = types.debug === types.bench && equalFrom(x, y, count * types.debug.bytes)
      if (equal && !sums.eager && skips(types)) {
        sums.skipped += count
        sums.belowThousandth += count
        sums.belowFiveThousandths += count
        hash(x, count * types.debug.bytes, y, count * types.bench.bytes, true)
        return true
      }
      sums.eager = true
      if (whole && !(equal && addEqual(types, x, whole, sums))) add[types.way.is](types, x, y, whole, sums)
      if (whole < count && !sums.mismatch) scalar(types, x + whole * types.debug.bytes, y + whole * types.bench.bytes, count - whole, sums)
      hash(x, count * types.debug.bytes, y, count * types.bench.bytes, equal)
      return equal
    },
    catchUp(pair, count, sums) {
      const types = pair as SimdTypes
      const whole = count - (count % 16)
      if (whole) squaresOf(types, at.debug, whole, sums)
      decode(types.debug, bytes.subarray(at.debug + whole * types.debug.bytes), count - whole, a)
      for (let i = 0; i < count - whole; i++) {
        const square = Number.isFinite(a[i]) ? a[i] * a[i] : 0
        sums.debugSquares += square
        sums.benchSquares += square
        sums.product += square
      }
    },
    hash: (debugAt, debugBytes, benchAt, benchBytes) => hash(at.debug + debugAt, debugBytes, bench0 + benchAt, benchBytes, false),
    end() {
      const [debugState, benchState] = at.states
      common.hashEnd(debugState, hashed.debug)
      if (!hashed.alike) common.hashEnd(benchState, hashed.bench)
      const debug = (debugState + 72) / 4
      const bench = hashed.alike ? debug : (benchState + 72) / 4
      return [words[debug], words[debug + 1], words[bench], words[bench + 1]]
    },
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
