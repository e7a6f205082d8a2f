// Two bundles of tensors, name by name: which are equal, which are close, and by how much the others differ.
import { type Bundle, type BundleTensor, dtypeOf, pairNames } from '../formats/index.ts'
import type { Files } from '../io/index.ts'
import type { Measure } from '../measure/index.ts'
import { Note, type Problem, Refusal, type TensorPair } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import type { PairNumbers, Tolerance } from './pair-numbers.ts'
import { sameDims, survey, type Threads } from './survey.ts'

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
  readonly measure: Measure
  readonly job: Job
}

export async function compareBundles(
  left: Bundle,
  right: Bundle,
  tolerance: Tolerance,
  ports: BundlePorts,
): Promise<BundleDiff> {
  const nameOf = (tensor: BundleTensor): string => tensor.name
  const { pairs, onlyLeft, onlyRight } = pairNames(left.tensors.map(nameOf), right.tensors.map(nameOf))
  const both = pairs.map(pair => ({
    left: left.tensors[pair.left],
    right: right.tensors[pair.right],
    renamed: pair.renamed,
  }))
  const equal = await equalBytes(both, ports)
  const rows: BundleRow[] = []
  for (const [i, pair] of both.entries()) {
    // eslint-disable-next-line no-await-in-loop -- one tensor at a time keeps memory and disk in their place
    rows.push(
      equal[i]
        ? { ...pair, state: 'equal', numbers: null, problem: null }
        : await rowOf(pair, tolerance, ports),
    )
  }
  return {
    rows,
    onlyLeft: onlyLeft.map(i => left.tensors[i]),
    onlyRight: onlyRight.map(i => right.tensors[i]),
  }
}

type Pair = Pick<BundleRow, 'left' | 'right' | 'renamed'>

/** Most tensors of two checkpoints are equal: that is found out at the speed of reading. */
async function equalBytes(both: readonly Pair[], { measure, job }: BundlePorts): Promise<readonly boolean[]> {
  const comparable = both.map(
    ({ left, right }) =>
      left.ref !== null &&
      right.ref !== null &&
      left.dtype === right.dtype &&
      sameDims(left.shape, right.shape),
  )
  const rows = [...both.keys()].filter(i => comparable[i])
  const pairs = rows.map((i): TensorPair => {
    const { left, right } = both[i]
    const bytes = left.shape.reduce((size, dim) => size * dim, dtypeOf(left.dtype)?.bytes ?? 1)
    return { debug: left.ref, bench: right.ref, bytes }
  })
  const measured = await measure(pairs, job)
  const equal = both.map(() => false)
  rows.forEach((i, row) => (equal[i] = (measured.notes[row as never] & Note.equalBytes) !== 0))
  return equal
}

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
    const query = { left: left.ref, right: right.ref, tolerance, top: 0, bins: 0 }
    const { pair: numbers } = await survey(pool, files, query, job)
    const state = !numbers
      ? 'shapes'
      : numbers.mismatched === 0
        ? 'equal'
        : numbers.apart === 0
          ? 'close'
          : 'apart'
    return { ...pair, state, numbers, problem: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...pair, state: 'unread', numbers: null, problem: error.problem }
  }
}
