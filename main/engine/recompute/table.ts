// The table of operations by name.
import { activationOperations } from './activation.ts'
import { attentionOperations } from './attention.ts'
import { bagOperations } from './bags.ts'
import { binaryOperations } from './binary.ts'
import { convolutionOperations } from './convolution.ts'
import { ctcOperations } from './ctc.ts'
import { distanceOperations } from './distances.ts'
import { gridOperations } from './grids.ts'
import { indexingOperations } from './indexing.ts'
import { linalgOperations } from './linalg.ts'
import { lossOperations } from './loss.ts'
import { marginOperations } from './margins.ts'
import { matmulOperations } from './matmul.ts'
import { mindsporeOperations, primitiveOperations } from './mindspore.ts'
import { multiheadOperations } from './multihead.ts'
import { normalizeOperations } from './normalize.ts'
import type { Operation } from './operation.ts'
import { placingOperations } from './placing.ts'
import { poolingOperations } from './pooling.ts'
import { quantileOperations } from './quantiles.ts'
import { randomOperations } from './random.ts'
import { recurrentOperations } from './recurrent.ts'
import { reduceOperations } from './reduce.ts'
import { resizeOperations } from './resize.ts'
import { shapeOperations } from './shapes.ts'
import { unaryOperations } from './unary.ts'
import { Unsupported } from './unsupported.ts'

const byName = (rows: readonly Operation[]): ReadonlyMap<string, Operation> =>
  new Map(rows.flatMap(row => row.names.map(name => [name, row] as const)))

/** Those that all frameworks know by these names. */
export const commonOperations: readonly Operation[] = [
  ...unaryOperations,
  ...activationOperations,
  ...binaryOperations,
  ...shapeOperations,
  ...indexingOperations,
  ...reduceOperations,
  ...matmulOperations,
  ...convolutionOperations,
  ...poolingOperations,
  ...normalizeOperations,
  ...lossOperations,
  ...marginOperations,
  ...ctcOperations,
  ...distanceOperations,
  ...linalgOperations,
  ...quantileOperations,
  ...recurrentOperations,
  ...bagOperations,
  ...placingOperations,
  ...gridOperations,
  ...attentionOperations,
  ...multiheadOperations,
  ...resizeOperations,
  ...randomOperations,
]
const all = byName(commonOperations)
const ofMindspore = byName(mindsporeOperations)
const primitives = byName(primitiveOperations)

/** Contents that nobody wrote. */
const unwritten = /^(?:new_)?empty(?:_like|_strided)?$/

/** What a call is, by the two parts of its name: `Functional`, `conv2d`. */
export function operationOf(type: string, path: string, mindspore: boolean): Operation {
  if (type === 'Distributed') throw new Unsupported('communication', path)
  if (type === 'Module' || type === 'Cell') throw new Unsupported('module', path)
  const words = path.split('.')
  const bare = words.at(-1) ?? path
  if (unwritten.test(bare)) throw new Unsupported('undefined', bare)
  if (type === 'Primitive') {
    const row = primitives.get(bare)
    if (row) return row
    throw new Unsupported('attributes', bare)
  }
  if (type === 'Jit') throw new Unsupported('unsupported', bare)
  const own = mindspore && !type.startsWith('Mint') ? ofMindspore : null
  for (const name of [`${type}.${bare}`, words.join('_'), bare, withoutUnderscore(bare)]) {
    const row = own?.get(name) ?? all.get(name)
    if (row) return row
  }
  throw new Unsupported('unsupported', bare)
}

/** In-place calls compute what those without the underscore do. */
const withoutUnderscore = (name: string): string =>
  name.endsWith('_') && !name.endsWith('__') ? name.slice(0, -1) : name

export const isInPlace = (path: string): boolean => /[^_]_$/.test(path) || /^__i[a-z]+__$/.test(path)
