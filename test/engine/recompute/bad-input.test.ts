// What a dump does not hold is not guessed: every such call says why it is left out, and its neighbours are computed.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { DirectionAnswer } from '../../../main/engine/model/index.ts'
import { openForRecompute } from '../../support/recomputed.ts'
import { f32, f64, npyBytes } from '../../support/tensor-files.ts'
import { temporaryFolder } from '../../support/temporary.ts'

type Entry = Readonly<Record<string, unknown>>
const leaf = (name: string, shape: readonly number[] = [4], dtype = 'torch.float32'): Entry => ({
  type: 'torch.Tensor',
  dtype,
  shape,
  Max: 1,
  Min: 0,
  Mean: 0,
  Norm: 1,
  data_name: `${name}.npy`,
})
const call = (input: readonly unknown[], output: readonly unknown[], named: Entry = {}): Entry => ({
  input_args: input,
  input_kwargs: named,
  output,
})
const npy = (...data: readonly number[]): Uint8Array =>
  npyBytes({ descr: '<f4', shape: [data.length], data: f32(...data) })
const files: Readonly<Record<string, Uint8Array>> = {
  a: npy(1, 2, 3, 4),
  b: npy(10, 20, 30, 40),
  sum: npy(11, 22, 33, 44),
  five: npy(1, 2, 3, 4, 5),
  cut: npy(1, 2, 3, 4).subarray(0, -6),
  doubles: npyBytes({ descr: '<f8', shape: [4], data: f64(0.5, 0.25, 0.125, 0.1) }),
  mixed: npyBytes({ descr: '<f8', shape: [4], data: f64(1.5, 2.25, 3.125, 4.1) }),
  columns: npyBytes({ descr: '<f4', shape: [2, 2], data: f32(1, 3, 2, 4), fortran: true }),
  rows: npyBytes({ descr: '<f4', shape: [2, 2], data: f32(1, 2, 3, 4) }),
  turned: npyBytes({ descr: '<f4', shape: [2, 2], data: f32(2, 5, 5, 8) }),
}

async function recomputed(data: Readonly<Record<string, Entry>>): Promise<(name: string) => DirectionAnswer> {
  const folder = path.join(temporaryFolder(), 'rank')
  mkdirSync(path.join(folder, 'dump_tensor_data'), { recursive: true })
  for (const [name, bytes] of Object.entries(files))
    writeFileSync(path.join(folder, 'dump_tensor_data', `${name}.npy`), bytes)
  const dump = { task: 'tensor', level: 'L1', framework: 'pytorch', dump_data_dir: '/elsewhere', data }
  writeFileSync(path.join(folder, 'dump.json'), JSON.stringify(dump))
  const { recompute } = await openForRecompute(folder)
  const { directions } = await recompute()
  return name => {
    const found = directions.find(one => one.call === name)
    if (!found) throw new Error(`nothing is said of ${name}`)
    return found
  }
}

const right = call([leaf('a'), leaf('b')], [leaf('sum')])

it.each<[string, string, Entry, string]>([
  [
    'a tensor file that is not there',
    'Torch.add.1',
    call([leaf('a'), leaf('gone')], [leaf('sum')]),
    'noData',
  ],
  ['an output that is not there', 'Torch.add.1', call([leaf('a'), leaf('b')], [leaf('gone')]), 'noData'],
  ['a file that ends early', 'Torch.add.1', call([leaf('a'), leaf('cut')], [leaf('sum')]), 'file'],
  [
    'an argument of a form that is not known',
    'Torch.add.1',
    call([leaf('a'), { type: 'slice_fn' }], [leaf('sum')]),
    'arguments',
  ],
  ['an argument that was left out', 'Torch.add.1', call([leaf('a')], [leaf('sum')]), 'arguments'],
  ['shapes that do not fit', 'Torch.add.1', call([leaf('a'), leaf('five', [5])], [leaf('sum')]), 'shapes'],
  ['random numbers', 'Torch.bernoulli.0', call([leaf('a')], [leaf('b')]), 'random'],
  ['memory that nobody wrote', 'Torch.empty_like.0', call([leaf('a')], [leaf('b')]), 'undefined'],
  ['a name that nobody knows', 'Torch.frobnicate.0', call([leaf('a')], [leaf('b')]), 'unsupported'],
  ['another rank', 'Distributed.all_reduce.0', call([leaf('a')], [leaf('b')]), 'communication'],
  ['no output', 'Torch.add.1', call([leaf('a'), leaf('b')], []), 'noOutput'],
  [
    'an in-place call whose input was stored after it, as an asynchronous dump does',
    'Tensor.add_.0',
    call([leaf('sum'), leaf('b')], [leaf('sum')]),
    'asynchronous',
  ],
])('%s: said, and the call beside it is computed', async (_, name, entry, reason) => {
  const of = await recomputed({ 'Torch.add.0.forward': right, [`${name}.forward`]: entry })
  expect(of(name)).toMatchObject({ status: 'skipped', reason })
  expect(of('Torch.add.0').outputs).toMatchObject([{ verdict: 'pass', mismatches: 0 }])
})

it('an in-place call of a synchronous dump is computed from what it read', async () => {
  const of = await recomputed({ 'Tensor.add_.0.forward': right })
  expect(of('Tensor.add_.0').outputs).toMatchObject([{ verdict: 'pass' }])
})

it('types that are mixed are made one as the framework does', async () => {
  const entry = call(
    [leaf('a'), leaf('doubles', [4], 'torch.float64')],
    [leaf('mixed', [4], 'torch.float64')],
  )
  const of = await recomputed({ 'Torch.add.0.forward': entry })
  expect(of('Torch.add.0').outputs).toMatchObject([{ verdict: 'pass', mismatches: 0 }])
})

it('a tensor that does not lie in rows is read as what it is', async () => {
  const entry = call([leaf('rows', [2, 2]), leaf('columns', [2, 2])], [leaf('turned', [2, 2])])
  const of = await recomputed({ 'Torch.add.0.forward': entry })
  const [output] = of('Torch.add.0').outputs
  // 1 3 / 2 4 by columns is 1 2 / 3 4, and 2 4 / 6 8 the sum: what was stored is not that.
  expect(output).toMatchObject({ verdict: 'error', mismatches: 2 })
})
