// Operations that were cut into slices: their files put together as one tensor.
import { describe, expect, test } from 'vitest'
import { rawNameOf } from '../../../../main/engine/formats/npu/names.ts'
import { readRawHeader } from '../../../../main/engine/formats/npu/files.ts'
import type { RawTensor } from '../../../../main/engine/formats/npu/raw.ts'
import { rawReading } from '../../../../main/engine/formats/npu/reading.ts'
import { inSlice, joinSlices, type SliceFile } from '../../../../main/engine/formats/npu/slices.ts'
import { OpenTensor } from '../../../../main/engine/formats/tensors/walk.ts'
import { type RawSpec, rawFile } from '../../../support/raw-files.ts'
import { f32 } from '../../../support/tensor-files.ts'

const bytesOf = new Map<string, Uint8Array>()
const files = {
  open(path: string) {
    const bytes = bytesOf.get(path)
    return bytes === undefined
      ? null
      : {
          size: bytes.length,
          read(from: number, into: Uint8Array) {
            const part = bytes.subarray(from, from + into.length)
            into.set(part)
            return part.length
          },
          close() {},
        }
  },
}

interface Drawn {
  readonly name: string
  readonly attr: object
  readonly inputs?: readonly RawSpec[]
  readonly outputs: readonly RawSpec[]
}

async function slice({ name, attr, ...tensors }: Drawn): Promise<SliceFile> {
  bytesOf.set(name, rawFile({ ...tensors, attr: JSON.stringify(attr) }))
  const said = rawNameOf(name)
  const handle = files.open(name)
  if (!said || !handle) throw new Error(name)
  return { path: name, said, header: await readRawHeader(handle, name) }
}

/** All values of a tensor that was put together. */
function valuesOf(tensor: RawTensor): number[] {
  const { range } = rawReading('first', tensor)
  if (!range) throw new Error('not readable')
  const open = new OpenTensor(files, {
    file: 'first',
    part: range,
    ...(tensor.through && { through: tensor.through }),
  })
  const values: number[] = []
  while (values.length < open.layout.size) {
    const got = open.read(values.length, open.layout.size - values.length)
    values.push(...open.values.subarray(0, got))
  }
  return values
}

const auto = (thread: number): string => `Relu.net_relu.3.5.1620612694000300.4.7.${thread}.0`
const manual = (number: number): string =>
  `Relu.net_relu_lxslice${number}.3.5.162061269400030${number}.4.7.0.0`
const place = (lower: number, higher: number): object => ({ lower, higher })
const values = (shape: readonly number[], first: number): RawSpec => ({
  shape,
  data: f32(...Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => first + i)),
})

/** [2, 3] cut into columns 0 to 1 and column 2; the header says the first thread's shape for all of them. */
const columns = {
  threadMode: 1,
  slice_instance_num: 2,
  outputCutList: [[1, 2]],
  output_tensor_slice: [[[place(0, 2), place(0, 2)]], [[place(0, 2), place(2, 3)]]],
  inputCutList: [[1, 1]],
  input_tensor_slice: [[], []],
}

describe('slices', () => {
  test('of threads are joined along the axis that was cut, whatever their order', async () => {
    const second = await slice({ name: auto(1), attr: columns, outputs: [values([2, 1], 10)] })
    const first = await slice({
      name: auto(0),
      attr: columns,
      inputs: [values([2], 7)],
      outputs: [values([2, 2], 0)],
    })
    const joined = joinSlices([second, first])
    expect(joined.problems).toEqual([])
    expect(joined.outputs[0].shape).toEqual([2, 3])
    expect(valuesOf(joined.outputs[0])).toEqual([0, 1, 10, 2, 3, 11])
    expect(joined.inputs[0].shape).toEqual([2])
  })

  test('that are numbered in their names have shapes of their own', async () => {
    const attr = {
      threadMode: 0,
      slice_instance_num: 3,
      outputCutList: [
        [3, 1],
        [1, 1],
      ],
    }
    const part = (number: number): Promise<SliceFile> =>
      slice({
        name: manual(number),
        attr,
        outputs: [values([number + 1, 2], number * 100), values([2], number)],
      })
    const joined = joinSlices([await part(2), await part(0), await part(1)])
    expect(joined.outputs.map(({ shape }) => shape)).toEqual([[6, 2], [2]])
    expect(valuesOf(joined.outputs[0])).toEqual([0, 1, 100, 101, 102, 103, 200, 201, 202, 203, 204, 205])
    expect(joined.outputs[1].through).toBeUndefined()
    expect(joined.problems).toEqual([])
  })

  test('of which some are missing are said to be', async () => {
    const attr = { threadMode: 0, slice_instance_num: 3, outputCutList: [[3]] }
    const part = (number: number): Promise<SliceFile> =>
      slice({ name: manual(number), attr, outputs: [values([1], number)] })
    const { problems, outputs } = joinSlices([await part(0), await part(1)])
    expect(problems).toMatchObject([{ code: 'raw-slices', facts: { found: 2, count: 3 } }])
    expect(outputs[0].shape).toEqual([2])
  })

  test.each([
    ['of unlike shapes', [values([2, 2], 0), values([3, 1], 0)]],
    ['of unlike types', [values([2, 1], 0), { ...values([2, 1], 0), dtype: 7 }]],
    ['of which one ends early', [values([2, 1], 0), { shape: [2, 1], data: f32(1) }]],
  ])('%s are not joined: the newest is shown', async (_, [a, b]) => {
    const attr = { threadMode: 0, slice_instance_num: 2, outputCutList: [[1, 2]] }
    const files = [
      await slice({ name: manual(0), attr, outputs: [a] }),
      await slice({ name: manual(1), attr, outputs: [b] }),
    ]
    const { problems, outputs } = joinSlices(files)
    expect(problems).toMatchObject([{ code: 'raw-slices-apart' }])
    expect(outputs[0].shape).toEqual(b.shape)
  })

  test('of several executions count with their last one', async () => {
    const attr = { threadMode: 0, slice_instance_num: 2, outputCutList: [[2]] }
    const old = await slice({ name: manual(0), attr, outputs: [values([1], 1)] })
    const fresh = await slice({
      name: manual(0).replace('1620612694000300', '1620612694000900'),
      attr,
      outputs: [values([1], 5)],
    })
    const other = await slice({ name: manual(1), attr, outputs: [values([1], 6)] })
    expect(valuesOf(joinSlices([fresh, other, old]).outputs[0])).toEqual([5, 6])
  })

  test('by themselves have the shape of their thread', async () => {
    const one = await slice({
      name: auto(1),
      attr: columns,
      outputs: [{ ...values([2, 1], 1), shape: [2, 2] }],
    })
    expect(inSlice(one.header, one.said).outputs[0].shape).toEqual([2, 1])
  })

  test.each([
    '',
    '[]',
    '{',
    '{"threadMode":1}',
    '{"threadMode":1,"outputCutList":[["a"]],"output_tensor_slice":7}',
  ])('with an attribute of nonsense (%s) are told as they lie', async text => {
    const made = await slice({ name: auto(0), attr: {}, outputs: [values([2], 0)] })
    const header = { ...made.header, attrs: [{ name: 'attr', value: text }] }
    expect(
      joinSlices([
        { ...made, header },
        { ...made, header },
      ]).outputs[0].shape,
    ).toEqual([2])
  })
})
