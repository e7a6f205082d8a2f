// Graphs of TensorFlow runs by the command line: what precision_tool lists of the small network, and larger ones of our own.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { create, toBinary } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { MetaGraphDefSchema } from '../../main/engine/formats/ge/meta_graph_pb.ts'
import { cli } from '../support/cli.ts'
import { networkOf } from '../support/ge-network.ts'
import { textOf } from '../support/ge-trees.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = path.join(import.meta.dirname, '../fixtures/tf')
const net = path.join(root, 'net')
const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const tool = json(path.join(root, 'expected/precision_tool.json')) as Record<string, unknown>

interface Listed {
  readonly types: Record<string, number>
  readonly ops:
    | readonly {
        readonly type: string
        readonly pass: string
        readonly name: string
        readonly graph: string
      }[]
    | null
  readonly run: string
}
interface Card {
  readonly graph: string
  readonly name: string
  readonly inputs: readonly (readonly unknown[])[]
  readonly outputs: readonly (readonly unknown[])[]
  readonly attributes?: Record<string, string>
  readonly script:
    readonly { readonly name: string; readonly node: { readonly type: string } | null }[] | null
}
const answer = async <T>(
  folder: string,
  ...words: readonly string[]
): Promise<T & { problems: readonly { readonly code: string }[] }> =>
  JSON.parse((await cli(['tf', folder, ...words, '--json'])).out) as T & {
    problems: readonly { readonly code: string }[]
  }

test('ls counts and finds as precision_tool does', async () => {
  expect((await answer<Listed>(net, 'ls')).types).toEqual(tool['ls'])
  for (const key of Object.keys(tool).filter(name => name.startsWith('ls '))) {
    const { ops } = await answer<Listed>(net, ...key.split(' '))
    expect(ops!.map(({ type, pass, name }) => [type, pass, name])).toEqual(tool[key])
  }
  const whole = await cli(['tf', largerRun(), 'ls', '--run', 'debug_1'])
  expect(whole.err).toContain('read nothing, though their type does: 1 (alone)')
  expect(whole.out).toMatch(/^Conv2D +2$/m)
  const { out } = await cli(['tf', net, 'ls', '-n', 'conv1'])
  expect(out).toContain('[Conv2D][TbeConvReluFusionPass] LeNet/conv1/Conv2DLeNet/conv1/Relu\n')
  expect(out).toContain('[Constant] LeNet/conv1/weights\n')
})

test('ni says so where a type is given instead of a name', async () => {
  const { code, err } = await cli(['tf', net, 'ni', 'MatMulV2'])
  expect(code).toBe(2)
  expect(err).toContain('ls -t MatMulV2')
})

interface Numbers {
  readonly side: string
  readonly io: string
  readonly index: number
  readonly shape: readonly number[]
  readonly max: number
}

test('ni shows what precision_tool shows, and what it drops', async () => {
  for (const key of Object.keys(tool).filter(name => name.startsWith('ni '))) {
    const wanted = tool[key] as object
    const { cards } = await answer<{ cards: Card[] }>(net, ...key.split(' '), '-a')
    expect(cards).toHaveLength(1)
    expect(cards[0]).toMatchObject(wanted)
    expect(cards[0]!.attributes).toMatchObject({ keep_prob: '0.5', strides: '[1, 1, 1, 1]' })
  }
  const { out } = await cli(['tf', net, 'ni', 'LeNet/fc/MatMul'])
  expect(out).toContain('LeNet_fc_MatMul.0.1620612600000000.npy')
  expect(out).toContain('MatMulV2.LeNet_fc_MatMul.7.5.1620612694000500')
})

test('ni has the numbers of what was dumped, without what only fills up, and of what it stands for', async () => {
  const numbers = async (op: string): Promise<unknown[]> => {
    const { cards } = await answer<{ cards: { tensors: Numbers[] }[] }>(net, 'ni', op)
    return cards[0]!.tensors.map(({ side, io, index, shape, max }) => [side, io, index, shape, max])
  }
  expect(await numbers('LeNet/fc/MatMul')).toEqual([
    ['npu', 'input', 0, [2, 45], expect.any(Number)],
    ['npu', 'input', 1, [45, 20], expect.any(Number)],
    ['npu', 'output', 0, [2, 20], expect.any(Number)],
    ['reference', 'output', 0, [2, 20], expect.closeTo(10.1855, 4)],
  ])
  expect(await numbers('LeNet/conv1/Conv2DLeNet/conv1/Relu')).toEqual([
    ['npu', 'input', 0, [2, 4, 4, 3], 2],
    ['npu', 'input', 1, [2, 2, 3, 5], 1],
    ['npu', 'output', 0, [2, 3, 3, 5], 6.21875],
    ['reference', 'output', 0, [2, 3, 3, 5], 6.21875],
  ])
  const { out } = await cli(['tf', net, 'ni', 'LeNet/fc/MatMul'])
  expect(out).toMatch(/output 0 +float32 +\[2, 20\] +max 10\.185\d+ +min -6\.486\d+ +mean 1\.56/)
})

test('graph writes the JSON that is wanted, outside of the run', async () => {
  const folder = temporaryFolder()
  const { code, out } = await cli(['tf', net, 'graph', '-o', folder])
  const name = 'ge_proto_00000012_Build.txt.json'
  expect(code).toBe(0)
  expect(out).toContain(name)
  expect(json(path.join(folder, name))).toEqual(json(path.join(root, 'expected', name)))
  expect((await cli(['tf', net, 'graph', '-o', path.join(net, 'x')])).code).toBe(2)
  expect(existsSync(path.join(net, 'x'))).toBe(false)
})

/** Two runs: graphs of several files and stages, some twice. */
function largerRun(): string {
  const folder = temporaryFolder()
  const write = (file: string, content: string | Uint8Array): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), content)
  }
  write('npu/debug_0/graph/ge_proto_00000003_graph_1_Build.txt', textOf(networkOf(4)))
  write('npu/debug_0/graph/ge_proto_00000009_Build.txt', textOf(networkOf(16)))
  write('npu/debug_0/graph/ge_proto_00000010_Build.txt', textOf(networkOf(2, 'ge_default_2')))
  write('npu/debug_0/graph/ge_proto_00000011_PreRunBegin.txt', textOf(networkOf(1, 'early')))
  write('npu/debug_1/graph/ge_proto_00000009_Build.txt', textOf(networkOf(1)))
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  const node = [{ name: bytes('ge_default_1_left/block0/Relu'), op: bytes('Relu'), input: [bytes('x')] }]
  write(
    'tf/graph/model.meta',
    toBinary(MetaGraphDefSchema, create(MetaGraphDefSchema, { graphDef: { node } })),
  )
  return folder
}

test('a run of several graphs is asked as one, stages and runs are chosen by name', async () => {
  const folder = largerRun()
  const { types, run, problems } = await answer<Listed>(folder, 'ls')
  expect(run).toBe('debug_0')
  expect(types).toMatchObject({ Conv2D: 2 * 16 + 2 * 2, PartitionedCall: 2, NetOutput: 6 })
  // The older file holds the graphs that the newer one holds again.
  expect(problems.filter(({ code }) => code === 'ge-superseded')).toHaveLength(3)
  expect((await answer<Listed>(folder, 'ls', '--run', 'debug_1')).types['Conv2D']).toBe(2)
  const early = await answer<Listed>(
    folder,
    'ls',
    '-t',
    'Conv',
    '--graph-file',
    'ge_proto_00000011_PreRunBegin.txt',
  )
  expect(early.ops!.map(({ graph }) => graph)).toEqual(['early_left', 'early_right'])
  const { code, err } = await cli(['tf', folder, 'ls', '--run', 'debug_7'])
  expect([code, err]).toEqual([2, expect.stringContaining('debug_0, debug_1')])
  expect((await cli(['tf', folder, 'ls', '--graph-file', 'x.txt'])).err).toContain(
    'ge_proto_00000009_Build.txt',
  )
})

test('ni finds an operator in every graph, or in the one that is named', async () => {
  const folder = largerRun()
  const all = await answer<{ cards: Card[] }>(folder, 'ni', 'call')
  expect(all.cards.map(({ graph }) => graph)).toEqual(['ge_default_1', 'ge_default_2'])
  const one = await answer<{ cards: Card[] }>(folder, 'ni', '-n', 'call', '-g', 'ge_default_2')
  expect(one.cards.map(({ outputs }) => outputs.map(row => row[5]))).toEqual([
    [['to_int', 'to_half'], [], ['to_int', 'to_half'], []],
  ])
  const arg = await answer<{ cards: Card[] }>(folder, 'ni', 'ge_default_2_left_arg')
  expect(arg.cards[0]!.inputs).toEqual([[1, 'DT_FLOAT', 'HWCN', [4], [4], 'weights', 0]])
  const like = await answer<{ cards: Card[]; exact: boolean }>(folder, 'ni', 'ge_default_1_left/block0/')
  expect(like.exact).toBe(false)
  expect(like.problems).toHaveLength(4)
  expect(like.cards[0]!.script).toEqual([
    { name: 'ge_default_1_left/block0/Conv2D', node: null },
    { name: 'ge_default_1_left/block0/Relu', node: expect.objectContaining({ type: 'Relu', inputs: ['x'] }) },
  ])
  const { code, err } = await cli(['tf', folder, 'ni', 'nowhere'])
  expect([code, err]).toEqual([2, expect.stringContaining('nowhere')])
  expect((await cli(['tf', folder, 'ni'])).code).toBe(2)
})

test('neighbours are drawn into a file', async () => {
  const [folder, into] = [largerRun(), temporaryFolder()]
  await cli(['tf', folder, 'ni', 'to_int', '-g', 'ge_default_1', '-s', '2', '-o', into])
  const [file] = readdirSync(into)
  expect(file).toBe('debug_0.ge_default_1.Cast.to_int.2.gv')
  const dot = readFileSync(path.join(into, file!), 'utf8')
  expect(dot).toContain('[Cast] to_int')
  expect(dot).toContain('[PartitionedCall] call')
})

test('graph keeps runs apart, and a stage is written when it is named', async () => {
  const [folder, into] = [largerRun(), temporaryFolder()]
  await cli(['tf', folder, 'graph', '-o', into])
  expect(readdirSync(path.join(into, 'debug_0')).sort()).toEqual([
    'ge_proto_00000003_graph_1_Build.txt.json',
    'ge_proto_00000009_Build.txt.json',
    'ge_proto_00000010_Build.txt.json',
  ])
  expect(readdirSync(path.join(into, 'debug_1'))).toEqual(['ge_proto_00000009_Build.txt.json'])
  const early = ['--run', 'debug_0', '--graph-file', 'ge_proto_00000011_PreRunBegin.txt']
  await cli(['tf', folder, 'graph', ...early, '-o', path.join(into, 'early')])
  expect(readdirSync(path.join(into, 'early'))).toEqual(['ge_proto_00000011_PreRunBegin.txt.json'])
  // What was written can be opened again, and says the same.
  const again = await answer<Listed>(path.join(into, 'debug_0'), 'ls')
  expect(again.types).toEqual((await answer<Listed>(folder, 'ls')).types)
})
