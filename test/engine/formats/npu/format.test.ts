// A raw dump file opened by itself: its tensors as items, read lazily, and beside those of another file.
import path from 'node:path'
import { expect, it } from 'vitest'
import { OpenTensor, wholeOf } from '../../../../main/engine/formats/index.ts'
import { npu } from '../../../../main/engine/formats/npu/format.ts'
import { Candidate, type OpenPorts } from '../../../../main/engine/formats/format.ts'
import { Shared } from '../../../../main/engine/formats/shared.ts'
import { diskFiles, quickFiles } from '../../../../main/engine/io/index.ts'
import { itemName, Kind } from '../../../../main/engine/model/index.ts'
import { job } from '../../../../main/engine/work/index.ts'
import { fixturesRoot } from '../../../support/fixtures.ts'

const root = path.join(fixturesRoot(), 'tf')
const dump = 'net/precision_data/npu/debug_0/dump/20210510101133/0/ge_default_20210510101134_1/1/0'
const conv = path.join(root, dump, 'Conv2D.LeNet_conv1_Conv2DLeNet_conv1_Relu.4.5.1620612694000300')
const low = path.join(root, 'raw', 'Cast.extra_low.33.5.1620612694001300')

function openRaw(file: string) {
  const files = diskFiles()
  files.allow(root)
  const ports: OpenPorts = {
    files,
    cacheDir: '',
    rules: 'plumbline',
    shared: new Shared(),
    threads: null,
    partial: false,
  }
  return wholeOf(npu.open({ path: file, step: null, rank: null }, ports, job()))
}

it('has an item per tensor, in the shape of the script', async () => {
  const { items, texts, problems, about, ...whole } = await openRaw(conv)
  const rows = [...Array(items.length).keys()]
  expect(
    rows.map(row => [itemName({ ...whole, items, texts, problems }, row), texts.get(items.shape[row])]),
  ).toEqual([
    ['LeNet/conv1/Conv2DLeNet/conv1/Relu.input.0', '[2, 4, 4, 3]'],
    ['LeNet/conv1/Conv2DLeNet/conv1/Relu.input.1', '[2, 2, 3, 5]'],
    ['LeNet/conv1/Conv2DLeNet/conv1/Relu.output.0', '[2, 3, 3, 5]'],
  ])
  expect(problems).toEqual([])
  expect(about?.layout(0)).toBe('NC1HWC0 [2, 1, 4, 4, 16]')
})

it('tells max, min, mean and norm of its values', async () => {
  const { items } = await openRaw(low)
  const read = (['max', 'min', 'mean', 'norm'] as const).map(stat => items[stat].value[3])
  const files = diskFiles()
  files.allow(root)
  const { tensors } = await openRaw(low)
  const open = new OpenTensor(quickFiles(files.roots()), tensors.ref(3)!)
  const values = [...open.values.subarray(0, open.read(0, open.layout.size))]
  open.close()
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  expect(read).toEqual([Math.max(...values), Math.min(...values), mean, Math.hypot(...values)])
  expect(items.max.kind[3]).toBe(Kind.float)
})

it('leads to values that are decoded when they are read', async () => {
  const { tensors } = await openRaw(low)
  const ref = tensors.ref(3)
  const files = diskFiles()
  files.allow(root)
  const open = new OpenTensor(quickFiles(files.roots()), ref!)
  expect(open.read(0, 4)).toBe(4)
  expect([...open.values.subarray(0, 4)]).toEqual([1, -1, 0, 0.5])
  open.close()
})

it('meets another file input by input and output by output, whatever both are called', async () => {
  const [a, b] = [
    await openRaw(conv),
    await openRaw(path.join(root, dump, 'MatMulV2.LeNet_fc_MatMul.7.5.1620612694000500')),
  ]
  expect([...npu.meet!(a, b)]).toEqual([0, 1, 2])
  expect([...npu.meet!(a, await openRaw(low))]).toEqual([-1, -1, 0])
})

it.each([
  [conv, true],
  [path.join(root, 'net/precision_data/tf/dump/input.0.1620612600000000.npy'), false],
  [
    path.join(
      root,
      'net/precision_data/overflow/dump/20210510102000/0/ge_default_20210510101134_1/1/0/Opdebug.Node_OpDebug.21.5.1620612700000100',
    ),
    false,
  ],
])('%s is known by its name: %s', (file, known) => {
  const files = diskFiles()
  files.allow(root)
  expect(npu.find(new Candidate(files, file, 'file'), job())).toEqual(
    known ? { path: file, step: null, rank: null } : null,
  )
})
