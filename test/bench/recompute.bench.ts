// Recompute: elementwise calls against reading their tensors as doubles.
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { diskFiles } from '../../main/engine/io/files.ts'
import { quickFiles, type QuickFiles } from '../../main/engine/io/index.ts'
import type { DirectionAnswer } from '../../main/engine/model/recomputed.ts'
import { type CallOrder, recompute } from '../../main/engine/recompute/call.ts'
import { npyBytes } from '../../main/engine/recompute/npy.ts'
import { readArray } from '../../main/engine/recompute/read.ts'
import { type Case, random, time } from './case.ts'

const folder = path.join(
  process.env['PLUMBLINE_BENCH_TMP'] ?? path.join(tmpdir(), 'plumbline-bench'),
  'recompute',
)
const elements = 1 << 22
const tensors = ['left', 'right', 'sum'] as const

interface Made {
  readonly files: QuickFiles
  readonly order: CallOrder
}

const leaf = (name: string): unknown => ({
  type: 'torch.Tensor',
  dtype: 'torch.float32',
  shape: [elements],
  data_name: `${name}.npy`,
})

/** A sum of two tensors with its right result, as files of float32. */
function make(): Made {
  mkdirSync(folder, { recursive: true })
  const next = random(7)
  const left = Float64Array.from({ length: elements }, () => Math.fround(next() - 0.5))
  const right = Float64Array.from({ length: elements }, () => Math.fround(next() - 0.5))
  const sum = left.map((x, i) => Math.fround(x + right[i]))
  for (const [i, data] of [left, right, sum].entries())
    writeFileSync(path.join(folder, `${tensors[i]}.npy`), float32Npy(data))
  const files = diskFiles()
  files.allow(folder)
  const forward = { input_args: [leaf('left'), leaf('right')], input_kwargs: {}, output: [leaf('sum')] }
  const call = { call: 'Torch.add.0', type: 'Torch', path: 'add', mindspore: false, folder, limit: 5e9 }
  return {
    files: quickFiles(files.roots()),
    order: { ...call, forward: JSON.stringify(forward), backward: '' },
  }
}

/** The header of doubles, with the type and the values of float32. */
function float32Npy(data: Float64Array): Uint8Array {
  const doubles = npyBytes({ item: '', dtype: 'float64', shape: [data.length], data })
  const values = Buffer.from(Float32Array.from(data).buffer)
  const head = Buffer.from(doubles.subarray(0, doubles.length - data.length * 8))
  head.write(head.toString('latin1').replace('<f8', '<f4'), 'latin1')
  return Buffer.concat([head, values])
}

const passes = (answers: readonly DirectionAnswer[]): boolean =>
  answers[0]?.outputs[0]?.verdict === 'pass' && answers[0].outputs[0].mismatches === 0

export default [
  time<Made, readonly DirectionAnswer[] | number>({
    name: 'recompute: elementwise call of 4 M elements / reading its tensors as doubles (time)',
    target: 0.9,
    clock: 'cpu',
    make,
    ours: ({ files, order }) => recompute(files, order),
    baseline: ({ files }) =>
      tensors.reduce(
        (sum, name) => sum + readArray(files, { file: path.join(folder, `${name}.npy`) }).data[0],
        0,
      ),
    same: ours => typeof ours !== 'number' && passes(ours),
  }),
] satisfies readonly Case[]
