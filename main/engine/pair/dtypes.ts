// Which dtypes of the two sides may be compared.
import type { TextCode, TextPool } from '../model/index.ts'

/** Ordered pairs (debug, bench) besides equal ones; both spellings. */
const pairs: readonly (readonly [string, string])[] = [
  ['Float16', 'Float32'],
  ['Float32', 'Float16'],
  ['Float16', 'BFloat16'],
  ['BFloat16', 'Float16'],
]
const compatible = new Set(
  pairs.flatMap(([a, b]) => [`${a} ${b}`, `torch.${a.toLowerCase()} torch.${b.toLowerCase()}`]),
)

const spellings = [
  'Int8',
  'UInt8',
  'Int16',
  'UInt16',
  'Int32',
  'UInt32',
  'Int64',
  'UInt64',
  'Float16',
  'Float32',
  'Float64',
  'Bool',
  'BFloat16',
  'Complex64',
  'Complex128',
]
const toTorch = new Map(spellings.map(name => [name, `torch.${name.toLowerCase()}`]))

/** PyTorch's spelling of a MindSpore dtype; others stay. */
export const torchDtype = (dtype: string): string => toTorch.get(dtype) ?? dtype

const text = (pool: TextPool, code: TextCode): string => (code < 0 ? 'None' : pool.get(code))

/**
 * Tests codes of two pools, each pair of texts once. `cross`: MindSpore spellings of the debug side are
 * translated first.
 */
export function dtypeTest(
  debug: TextPool,
  bench: TextPool,
  cross: boolean,
): (debugCode: TextCode, benchCode: TextCode) => boolean {
  const known = new Map<number, boolean>()
  return (a, b) => {
    const key = (a + 1) * 67108864 + b + 1
    let answer = known.get(key)
    if (answer === undefined) {
      const mine = cross ? torchDtype(text(debug, a)) : text(debug, a)
      const theirs = text(bench, b)
      answer = mine === theirs || compatible.has(`${mine} ${theirs}`)
      known.set(key, answer)
    }
    return answer
  }
}

/** Spellings of the kinds of numbers. */
const families: readonly (readonly [family: string, spelling: RegExp])[] = [
  ['float', /^(?:float|bfloat)\d/],
  ['int', /^u?int\d/],
  ['complex', /^complex\d/],
  ['bool', /^bool$/],
]

/** int, float, bool or complex; '' for what is no tensor type. */
export function dtypeFamily(dtype: string): string {
  const name = dtype.replace('torch.', '').toLowerCase()
  return families.find(([, spelling]) => spelling.test(name))?.[0] ?? ''
}
