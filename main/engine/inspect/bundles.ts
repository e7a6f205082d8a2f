// Two bundles of tensors, name by name: which are equal, which are close, and by how much the others differ.
import { type Bundle, type BundleTensor, dtypeOf, OpenTensor, pairNames } from '../formats/index.ts'
import { equalBytes, type Files, quickFiles, type Root } from '../io/index.ts'
import { type Problem, Refusal, type TensorRef } from '../model/index.ts'
import type { Job, TaskContext } from '../work/index.ts'
import type { PairNumbers, Tolerance } from './pair-numbers.ts'
import { pairNumbers, runner, sameDims, type Threads } from './survey.ts'

/** Equal to the last bit, close by the tolerance, or not; other shapes, or values that cannot be read. */
export type TensorState = 'equal' | 'close' | 'apart' | 'shapes' | 'unread'

export interface BundleRow {
  readonly left: BundleTensor
  readonly right: BundleTensor
  readonly renamed: boolean
  readonly state: TensorState
  /** Null where nothing was compared, and where the bytes are equal. */
  readonly numbers: PairNumbers | null
  readonly problem: Problem | null
}

export interface BundleDiff {
  readonly rows: readonly BundleRow[]
  readonly onlyLeft: readonly BundleTensor[]
  readonly onlyRight: readonly BundleTensor[]
}

export interface BundlePorts {
  readonly pool: Threads
  readonly files: Files
  readonly job: Job
}

export async function compareBundles(
  left: Bundle,
  right: Bundle,
  tolerance: Tolerance,
  { pool, files, job }: BundlePorts,
): Promise<BundleDiff> {
  const nameOf = (tensor: BundleTensor): string => tensor.name
  const { pairs, onlyLeft, onlyRight } = pairNames(left.tensors.map(nameOf), right.tensors.map(nameOf))
  const both = pairs.map(pair => ({
    left: left.tensors[pair.left],
    right: right.tensors[pair.right],
    renamed: pair.renamed,
  }))
  const total = both.reduce((sum, pair) => sum + bytesOf(pair), 0)
  // The shares of each tensor are no news beside all of them.
  const part = { pool, files, job: { ...job, report: () => {}, breathe: () => job.breathe() } }
  const rows: BundleRow[] = []
  let [next, done] = [0, 0]
  const work = async (): Promise<void> => {
    while (next < both.length) {
      const i = next++
      // eslint-disable-next-line no-await-in-loop -- as many at a time as there are threads
      rows[i] = await rowOf(both[i], tolerance, part)
      done += bytesOf(both[i])
      job.report({ what: 'job.reading', done, total, countedIn: 'bytes' })
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, pool.size) }, work))
  return {
    rows,
    onlyLeft: onlyLeft.map(i => left.tensors[i]),
    onlyRight: onlyRight.map(i => right.tensors[i]),
  }
}

type Pair = Pick<BundleRow, 'left' | 'right' | 'renamed'>

/** Of both sides. */
const bytesOf = ({ left, right }: Pair): number =>
  [left, right].reduce(
    (sum, { dtype, shape }) => sum + shape.reduce((size, dim) => size * dim, dtypeOf(dtype)?.bytes ?? 0),
    0,
  )

async function rowOf(
  pair: Pair,
  tolerance: Tolerance,
  { pool, files, job }: BundlePorts,
): Promise<BundleRow> {
  const { left, right } = pair
  if (!left.ref || !right.ref)
    return { ...pair, state: 'unread', numbers: null, problem: left.problem ?? right.problem }
  if (!sameDims(left.shape, right.shape)) return { ...pair, state: 'shapes', numbers: null, problem: null }
  try {
    // Most tensors of two checkpoints are equal: that is found out at the speed of reading.
    const order = { left: left.ref, right: right.ref }
    const elements = left.shape.reduce((size, dim) => size * dim, 1)
    if (
      left.dtype === right.dtype &&
      (await runner(pool, files, job)<boolean>('sameElements', order, elements))
    )
      return { ...pair, state: 'equal', numbers: null, problem: null }
    const numbers = await pairNumbers(pool, files, { ...order, tolerance }, job)
    const state = numbers.mismatched === 0 ? 'equal' : numbers.apart === 0 ? 'close' : 'apart'
    return { ...pair, state, numbers, problem: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...pair, state: 'unread', numbers: null, problem: error.problem }
  }
}

// ---------------------------------------- in the thread

/** Whether all elements are equal to the last bit; ends at the first that is not. */
export function* sameTask(
  { roots, left, right }: { readonly roots: readonly Root[]; left: TensorRef; right: TensorRef },
  { tell }: TaskContext,
): Generator<void, boolean, void> {
  const files = quickFiles(roots)
  const mine = new OpenTensor(files, left)
  try {
    const theirs = new OpenTensor(files, right)
    try {
      const { size, dtype } = mine.layout
      if (theirs.layout.size !== size || theirs.layout.dtype !== dtype) return false
      for (let first = 0; first < size;) {
        const count = Math.min(mine.readBytes(first, size - first), theirs.readBytes(first, size - first))
        if (count === 0) return false
        const bytes = count * dtype.bytes
        if (!equalBytes(mine.bytes.subarray(0, bytes), theirs.bytes.subarray(0, bytes))) return false
        first += count
        tell(first / size)
        yield
      }
      return true
    } finally {
      theirs.close()
    }
  } finally {
    mine.close()
  }
}
