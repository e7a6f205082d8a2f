// What is asked of GE graphs: who reads whom, through sub-graphs too; cards, casts, neighbours, likeness.
import { expect, test } from 'vitest'
import {
  cardOf,
  castsIn,
  dotOf,
  GeLookup,
  looseOps,
  neighbourhood,
  opsLike,
  readGraphs,
  similarityOf,
  typesIn,
} from '../../../../main/engine/formats/ge/index.ts'
import { job } from '../../../../main/engine/work/job.ts'
import { type Model, textOf } from '../../../support/ge-trees.ts'
import { networkOf } from '../../../support/ge-network.ts'
import { memoryFiles } from '../../../support/memory-files.ts'

async function open(...models: readonly Model[]): Promise<GeLookup> {
  const files = Object.fromEntries(models.map((model, i) => [`/${i}.txt`, textOf(model)]))
  return new GeLookup(await readGraphs(memoryFiles(files), Object.keys(files), job()))
}
const blocks = 16
const network = await open(networkOf(blocks))
const only = (name: string): number => {
  const found = network.named(name)
  expect(found).toHaveLength(1)
  return found[0]!
}
const names = (ops: readonly number[]): string[] => ops.map(op => network.name(op))
const conv = (i: number): string => `ge_default_1_left/block${i}/Conv2Dge_default_1_left/block${i}/Relu`

test('ops are counted by type and found by all filters together', () => {
  expect([...typesIn(network)]).toEqual([
    ['Add', 1],
    ['AtomicAddrClean', 2],
    ['Cast', 2],
    ['Constant', 1],
    ['Conv2D', 2 * blocks],
    ['Data', 3],
    ['NetOutput', 3],
    ['PartitionedCall', 1],
    ['TransData', 2 * blocks],
  ])
  const found = opsLike(network, {
    type: 'Conv',
    name: '_left/block1',
    pass: 'TbeOther',
    kernel: 'te_conv2d_1',
  })
  expect(names(found)).toEqual([1, 11, 13, 15].map(conv))
  expect(opsLike(network, { type: 'conv', name: '', pass: '', kernel: '' })).toEqual([])
})

test('inputs keep their places: those that are not connected count, control edges have no tensor', () => {
  const card = cardOf(network, only(conv(1)))
  expect(
    card.inputs.map(({ position, producer, index, shape }) => [position, producer, index, shape]),
  ).toEqual([
    [0, 'trans_ge_default_1_left_0', 0, [1, 2]],
    [2, 'trans_ge_default_1_left_0', 0, [2, 2]],
    [3, 'clean_ge_default_1_left', -1, []],
  ])
  expect(card.outputs.map(({ index, consumers, source }) => [index, names(consumers), source?.op])).toEqual([
    [0, ['trans_ge_default_1_left_1'], 'ge_default_1_left/block1/Relu'],
    [1, [], 'ge_default_1_left/block1/Relu'],
  ])
  expect(card).toMatchObject({ kernelName: 'te_conv2d_1', passName: 'TbeOther', inserted: false })
  expect(card.originalOps).toEqual(['ge_default_1_left/block1/Conv2D', 'ge_default_1_left/block1/Relu'])
})

test('an op that reads an output twice is one consumer', () => {
  expect(names(network.consumers(only('trans_ge_default_1_left_0'), 0))).toEqual([conv(1)])
  expect(cardOf(network, only('trans_ge_default_1_left_0'))).toMatchObject({
    inserted: true,
    originalOps: [],
  })
})

test('a sub-graph reads what its caller reads, and a call makes what its sub-graphs end with', () => {
  expect(cardOf(network, only('ge_default_1_left_arg')).inputs).toMatchObject([
    { position: 1, producer: 'weights', index: 0, shape: [4] },
  ])
  const { outputs, subGraphs } = cardOf(network, only('call'))
  expect(subGraphs).toEqual(['ge_default_1_left', 'ge_default_1_right'])
  expect(outputs.map(({ index, shape, consumers }) => [index, shape, names(consumers)])).toEqual([
    [0, [9, 1], ['to_int', 'to_half']],
    [1, [3], []],
    [0, [9, 1], ['to_int', 'to_half']],
    [1, [3], []],
  ])
})

test('casts that lose digits are told from others, ops at loose ends are noticed', () => {
  expect(Object.fromEntries(castsIn(network, 'dangerous'))).toEqual({ 'DT_FLOAT -> DT_INT32': ['to_int'] })
  expect(castsIn(network, 'all').size).toBe(2)
  expect(looseOps(network).map(({ op, lacks }) => [network.name(op), lacks])).toEqual([
    ['alone', 'inputs'],
    ['alone', 'outputs'],
    ['clean_ge_default_1_left', 'outputs'],
    ['clean_ge_default_1_right', 'outputs'],
  ])
})

test('names that are not exact find what holds them, or becomes them as a file', () => {
  expect(network.named('block1')).toEqual([])
  expect(network.like('right/block3/')).toHaveLength(1)
  expect(names(network.like(conv(2).replaceAll('/', '_')))).toEqual([conv(2)])
})

test('neighbours of a depth are found both ways, not through what hangs together with everything', () => {
  const around = neighbourhood(network, only(conv(1)), 1)
  expect(names(around.ops)).toEqual([
    'clean_ge_default_1_left',
    'trans_ge_default_1_left_0',
    conv(1),
    'trans_ge_default_1_left_1',
  ])
  // Four edges into it but for the one that is not connected, and one out.
  expect(around.edges).toHaveLength(4)
  expect(neighbourhood(network, only(conv(1)), 2).ops.length).toBe(6)
  const dot = dotOf(network, around)
  expect(dot).toContain('color=red')
  expect(dot).toMatch(/op\d+:o0 -> op\d+:i2/)
  expect(dot).toContain('[style=dashed]')
  expect(dot.match(/->/g)).toHaveLength(4)
})

test('a graph that a later file holds again counts once', async () => {
  const twice = await open(networkOf(2), networkOf(3))
  expect([...twice.ops()].filter(op => twice.type(op) === 'Conv2D')).toHaveLength(6)
  expect(twice.named('call')).toHaveLength(1)
  expect(twice.model.problems.map(({ code, path }) => [code, path])).toEqual(
    [0, 1, 2].map(() => ['ge-superseded', '/0.txt']),
  )
  const other = await open(networkOf(2), networkOf(2, 'ge_default_2'))
  expect(other.named('call')).toHaveLength(2)
  expect(other.named('call', 'ge_default_2')).toHaveLength(1)
})

test('two runs are alike by type and layout of the ops of one name', async () => {
  const left = networkOf(2)
  const right = structuredClone(left) as unknown as {
    graph: { op: { name: string; output_desc?: { layout: string }[] }[] }[]
  }
  right.graph[1]!.op.find(({ name }) => name === conv(0))!.output_desc![0]!.layout = 'NCHW'
  right.graph[1]!.op.find(({ name }) => name === conv(1))!.output_desc!.pop()
  right.graph[0]!.op.push({ name: 'more' })
  const [found, none] = similarityOf(await open(left), await open(right as unknown as Model))
  expect(none).toBeUndefined()
  expect(found).toMatchObject({ session: '0_1', onlyLeft: [], onlyRight: ['more'], countsDiffer: [conv(1)] })
  expect(found!.compared - found!.similar).toBe(1)
  expect(found!.unlike).toEqual([
    {
      name: conv(0),
      type: 'Conv2D',
      places: [{ io: 'output', index: 0, left: 'DT_FLOAT16 NC1HWC0', right: 'DT_FLOAT16 NCHW' }],
    },
  ])
})
