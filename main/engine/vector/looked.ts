// What people look at first of a tensor: its size, its range, and what is no number.
import { OpenTensor, rawReading, type RawTensor, type RawWish } from '../formats/index.ts'
import { type Files, quickFiles } from '../io/index.ts'
import type { TensorRef } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { halfLimit } from './metrics.ts'

/** Numbers over what is finite. */
export interface Looked {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly max: number
  readonly min: number
  readonly mean: number
  readonly nan: number
  readonly inf: number
  /** float16 at its largest number: chips of the first generation stop there instead of at infinity. */
  readonly saturated: boolean
}

/** One of a raw dump. */
export interface LookedTensor extends Looked {
  readonly io: 'input' | 'output'
  readonly index: number
}

interface Ports {
  readonly files: Files
  readonly job: Job
}

/** Those of a raw dump that can be read; `wish`: what is known of one beyond the file. */
export async function tensorsLookedAt(
  file: string,
  tensors: readonly RawTensor[],
  ports: Ports,
  wish: (tensor: RawTensor) => RawWish = () => ({}),
): Promise<readonly LookedTensor[]> {
  const found: LookedTensor[] = []
  for (const tensor of tensors) {
    const { range } = rawReading(file, tensor, wish(tensor))
    if (range === null) continue
    const { io, index } = tensor
    found.push({ io, index, ...(await lookedAt({ file, part: range }, ports)) })
  }
  return found
}

export async function lookedAt(ref: TensorRef, { files, job }: Ports): Promise<Looked> {
  const open = new OpenTensor(quickFiles(files.roots()), ref)
  try {
    return await looked(open, job)
  } finally {
    open.close()
  }
}

async function looked(open: OpenTensor, job: Job): Promise<Looked> {
  const { dtype, shape, size } = open.layout
  let [max, min, sum, nan, inf] = [-Infinity, Infinity, 0, 0, 0]
  for (let first = 0; first < size;) {
    const got = open.read(first, size - first)
    for (let i = 0; i < got; i++) {
      const x = open.values[i]
      if (Number.isNaN(x)) nan++
      else if (Math.abs(x) === Infinity) inf++
      else {
        if (x > max) max = x
        if (x < min) min = x
        sum += x
      }
    }
    first += got
    await job.breathe()
  }
  const finite = size - nan - inf
  return {
    dtype: dtype.name,
    shape,
    max: finite > 0 ? max : NaN,
    min: finite > 0 ? min : NaN,
    mean: sum / finite,
    nan,
    inf,
    saturated: dtype.name === 'float16' && Math.max(Math.abs(max), Math.abs(min)) >= halfLimit && finite > 0,
  }
}
