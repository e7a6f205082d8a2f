// Two sign maps: how many of their elements are equal, and how many are above zero.
import { layoutOf, lieAlike, sameShape, tensorReader, type TensorLayout } from '../../formats/index.ts'
import type { Handle, QuickFiles } from '../../io/index.ts'
import { type Problem, problem, Refusal } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'

/** Why two sign maps cannot be compared. */
export type SignReason = 'missing' | 'shape' | 'dtype' | 'unreadable'

export type SignAnswer =
  | {
      readonly reason: null
      readonly equal: number
      readonly size: number
      readonly above: readonly [number, number]
    }
  | { readonly reason: SignReason; readonly problem: Problem | null }

const chunk = 1 << 20
const buffers = [new Uint32Array(chunk >> 2), new Uint32Array(chunk >> 2)] as const

export async function compareSigns(
  files: QuickFiles,
  paths: readonly [string, string],
  job: Job,
): Promise<SignAnswer> {
  const handles: Handle[] = []
  try {
    for (const path of paths) {
      const handle = files.open(path)
      if (!handle) return { reason: 'missing', problem: null }
      handles.push(handle)
    }
    return await compared(handles, paths, job)
  } catch (error) {
    if (error instanceof Refusal) return { reason: 'unreadable', problem: error.problem }
    throw error
  } finally {
    for (const handle of handles) handle.close()
  }
}

async function compared(
  handles: readonly Handle[],
  paths: readonly [string, string],
  job: Job,
): Promise<SignAnswer> {
  const [a, b] = handles.map((handle, i): TensorLayout => layoutOf(handle, { file: paths[i], dtype: '' }))
  if (a.dtype.name !== 'bool' || b.dtype.name !== 'bool') return { reason: 'dtype', problem: null }
  if (!sameShape(a, b)) return { reason: 'shape', problem: null }
  const asStored = lieAlike(a, b)
  const [left, right] = [a, b].map((layout, i) => tensorReader(handles[i], layout, paths[i], asStored))
  const [mineBytes, theirBytes] = buffers.map(words => new Uint8Array(words.buffer))
  let [equal, aboveMine, aboveTheirs] = [0, 0, 0]
  for (let at = 0; at < a.size;) {
    const count = Math.min(chunk, a.size - at)
    const got = Math.min(
      left.read(at, mineBytes.subarray(0, count)),
      right.read(at, theirBytes.subarray(0, count)),
    )
    if (got <= 0)
      throw new Refusal(problem('npy-truncated', paths[0], { expected: a.from + a.size, found: a.from + at }))
    const words = Math.ceil(got / 4)
    // What stands behind the end counts as equal zeros.
    mineBytes.fill(0, got, words * 4)
    theirBytes.fill(0, got, words * 4)
    const counts = countOnes(words)
    equal += got - counts.apart
    aboveMine += counts.mine
    aboveTheirs += counts.theirs
    at += got
    if (at < a.size) await job.breathe()
  }
  return { reason: null, equal, size: a.size, above: [aboveMine, aboveTheirs] }
}

/** Bytes of the first words that are 1, on each side and on one side only. */
function countOnes(words: number): {
  readonly apart: number
  readonly mine: number
  readonly theirs: number
} {
  const [left, right] = buffers
  let [apart, mine, theirs] = [0, 0, 0]
  for (let i = 0; i < words; i++) {
    const [a, b] = [left[i] & 0x01010101, right[i] & 0x01010101]
    mine += Math.imul(a, 0x01010101) >>> 24
    theirs += Math.imul(b, 0x01010101) >>> 24
    if (a !== b) apart += Math.imul(a ^ b, 0x01010101) >>> 24
  }
  return { apart, mine, theirs }
}
