// Files around GE graphs: damaged and endless ones, values in all spellings, fusion results of all ages, the graph of the script.
import { create, toBinary } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import {
  attributesOf,
  effectsOf,
  readFusion,
  readGraphs,
  readScriptGraph,
  writeGraphJson,
} from '../../../../main/engine/formats/ge/index.ts'
import { MetaGraphDefSchema } from '../../../../main/engine/formats/ge/meta_graph_pb.ts'
import { shortFloat } from '../../../../main/engine/formats/ge/to-json.ts'
import type { Files, Sink } from '../../../../main/engine/io/index.ts'
import { job } from '../../../../main/engine/work/job.ts'
import { textOf } from '../../../support/ge-trees.ts'
import { networkOf } from '../../../support/ge-network.ts'
import { memoryFiles } from '../../../support/memory-files.ts'

const sinkInto = (parts: string[]): Sink => ({
  path: '',
  size: 0,
  write: bytes => void parts.push(new TextDecoder().decode(bytes)),
  close() {},
})
async function json(text: string): Promise<unknown> {
  const parts: string[] = []
  await writeGraphJson(memoryFiles({ '/a': text }), '/a', sinkInto(parts), job())
  return JSON.parse(parts.join(''))
}
const codes = (problems: readonly { readonly code: string }[]): string[] => problems.map(({ code }) => code)

test('a file that ends early keeps the operators before, and says so', async () => {
  const whole = textOf(networkOf(3))
  const cut = whole.slice(0, whole.indexOf('trans_ge_default_1_left_1') + 9)
  const files = memoryFiles({ '/a': cut })
  const model = await readGraphs(files, ['/a'], job())
  expect(model.partial).toBe(true)
  expect(codes(model.problems)).toEqual(['ge-truncated'])
  expect(model.problems[0]!.facts).toEqual({ byte: cut.length, ops: model.ops.length })
  // The root graph, then Data, the clean-up, two convolutions and what stands behind the first.
  expect(model.ops.length).toBe(7 + 5)
  const parts: string[] = []
  expect(await writeGraphJson(files, '/a', sinkInto(parts), job())).toMatchObject({ code: 'ge-truncated' })
  const made = JSON.parse(parts.join('')) as { graph: { op: unknown[] }[] }
  expect(made.graph.map(({ op }) => op.length)).toEqual([7, 5])
})

test('a file that is broken says where; one that is no graph is refused', async () => {
  const broken = 'graph {\n  name: "a"\n  op { name: "x" }\n  op { name }\n}\n'
  const { problems, ops } = await readGraphs(memoryFiles({ '/a': broken }), ['/a'], job())
  expect(problems).toMatchObject([{ code: 'ge-broken', facts: { line: 4, ops: 1 } }])
  expect(ops.length).toBe(1)
  for (const text of [
    '\x7fELF\0\0',
    'graph ]',
    '{"graph": 1',
    'graph { op { name: "a',
    `graph {${'a {'.repeat(200)}`,
  ])
    await expect(readGraphs(memoryFiles({ '/a': text }), ['/a'], job())).rejects.toMatchObject({
      problem: { severity: 'error' },
    })
  await expect(readGraphs(memoryFiles({ '/a': 'ir_version: 3' }), ['/a'], job())).rejects.toMatchObject({
    problem: { code: 'ge-empty' },
  })
})

/** A file of which nothing is there but what is made when it is read. */
function endless(head: string, filling: string, size: number): Files {
  const start = new TextEncoder().encode(head)
  return {
    ...memoryFiles({}),
    open: () => ({
      size,
      read(from, into) {
        const length = Math.max(0, Math.min(into.length, size - from))
        into.fill(filling.charCodeAt(0), 0, length)
        if (from < start.length) into.set(start.subarray(from, from + into.length))
        return length
      },
      close() {},
    }),
  }
}

test.each([
  ['text that nobody wants', '  attr { key: "w" value { t { data: "', 'a'],
  ['name', '  op { name: "', 'a'],
  ['comment', ' # ', 'a'],
  ['blank', ' ', ' '],
  ['text in JSON', '{"graph": [{"name": "g", "op": [{"name": "first"}, {"name": "b', 'a'],
  ['text in JSON that nobody wants', '{"graph": [{"name": "g", "op": [{"name": "first"}, {"w": "b', 'a'],
])('an endless %s takes little memory, and what stands before it is kept', async (_, tail, filling) => {
  const json = tail.startsWith('{')
  const files = endless(json ? tail : `graph { name: "g" op { name: "first" }${tail}`, filling, 512 << 20)
  const before = process.memoryUsage().arrayBuffers
  const model = await readGraphs(files, ['/a'], job())
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan((json ? 256 : 64) << 20)
  expect(codes(model.problems)).toEqual([json ? 'too-large' : 'ge-truncated'])
  expect(model.ops.length).toBe(1)
})

test('numbers, enums and texts are read in every spelling', async () => {
  const text = `graph { op: { name: 'a' "b" "\\x41\\u4e2d\\345\\233\\275" type: "T" id: 0x10 stream_id: 010
    input_desc < dtype: 1 shape { dim: [2, 0x3, 04], dim: -1 } > input_desc { dtype: DT_BF16 layout: "" }
    [some.extension] { x: 1 } 77: "unknown" new_field { deep < list: [{a: 1}, {b: 2}] > }
    attr { value { list_list_int { list_list_i { list_i: 1 list_i: 8 } list_list_i { } } } key: "shape_range" } } }`
  const model = await readGraphs(memoryFiles({ '/a': text }), ['/a'], job())
  expect(model.texts.get(model.ops.name[0])).toBe('abA中国')
  expect([model.ops.id[0], model.ops.stream[0]]).toEqual([16, 10])
  expect(model.texts.get(model.descs.shape[0])).toBe('[2,3,4,-1]')
  expect(model.texts.get(model.descs.dtype[0])).toBe('DT_FLOAT')
  expect(attributesOf(memoryFiles({ '/a': text }), model, 0)).toEqual([
    { key: 'shape_range', value: '[{"list_i": [1, 8]}, null]' },
  ])
  expect(
    await json('graph { op { id: 0 has_out_attr: false dst_index: 0 input_desc { shape {} } } }'),
  ).toEqual({ graph: [{ op: [{ dst_index: [0], input_desc: [null] }] }] })
  expect(
    await json('graph { attr { key: "a" value { i: 9007199254740993 } } attr { key: "b" value { f: 0 } } }'),
  ).toEqual({
    graph: [
      {
        attr: [
          { key: 'a', value: { i: 9007199254740992 } },
          { key: 'b', value: { f: '0' } },
        ],
      },
    ],
  })
})

test.each([
  [0.5, '0.5'],
  [100000, '100000'],
  [1e6, '1e+06'],
  [1000005, '1e+06'],
  [1000015, '1.00002e+0'],
  [-0.0001, '-0.0001'],
  [0.00001, '1e-05'],
  [1234567, '1.23457e+0'],
  [Infinity, 'inf'],
  [-Infinity, '-inf'],
  [NaN, 'nan'],
])('%s is spelled as C does it in six digits', (value, text) => {
  expect(shortFloat(value)).toBe(text.slice(0, 9))
})

const rules = { A: { match_times: '3', effect_times: '2' }, B: { match_times: '1', effect_times: '0' } }
const one = {
  graph_fusion: rules,
  ub_fusion: { C: { match_times: 1, effect_times: 1, repository_hit_times: '0' } },
}
const effects = { graph_fusion: { A: 2 }, ub_fusion: { C: 1 } }
test.each([
  ['one object', JSON.stringify({ session_and_graph_id: '0_1', ...one }), { '0_1': effects }],
  ['a list', JSON.stringify([{ graphId: '7', ...one }, one]), { 7: effects, NONE: effects }],
  [
    'graphs by id',
    JSON.stringify({ session_and_graph_id_0_1: one, session_and_graph_id_0_2: {} }),
    { '0_1': effects, '0_2': { graph_fusion: {}, ub_fusion: {} } },
  ],
  [
    'objects one behind the other',
    `${JSON.stringify({ session_and_graph_id: 'a{b', ...one })}\n${JSON.stringify(one)} ${JSON.stringify({ graphId: '2' })}`,
    { 'a{b': effects, NONE: effects, 2: { graph_fusion: {}, ub_fusion: {} } },
  ],
])('fusion results that are %s are read', (_, text, wanted) => {
  const fusion = readFusion(memoryFiles({ '/f': text }), '/f')
  expect(effectsOf(fusion)).toEqual(wanted)
  expect(fusion.problems).toEqual([])
})

test('a fusion result that ends early keeps what is whole', () => {
  const text = JSON.stringify({ session_and_graph_id: '0_1', ...one })
  const fusion = readFusion(memoryFiles({ '/f': `${text}${text.slice(0, 50)}` }), '/f')
  expect([...fusion.graphs.keys()]).toEqual(['0_1'])
  expect(codes(fusion.problems)).toEqual(['fusion-invalid'])
  expect(() => readFusion(memoryFiles({ '/f': 'x' }), '/f')).toThrow('fusion-invalid')
})

test("the script's own graph tells types and inputs", async () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  const node = (name: string, op: string, input: readonly string[]) => ({
    name: bytes(name),
    op: bytes(op),
    input: input.map(bytes),
  })
  const meta = create(MetaGraphDefSchema, {
    graphDef: { node: [node('x', 'Placeholder', []), node('net/Relu', 'Relu', ['x', '^init'])] },
  })
  // Other parts of the file, which nobody asked for, stand around it.
  const file = new Uint8Array([0x0a, 3, 0x0a, 1, 0x31, ...toBinary(MetaGraphDefSchema, meta), 0x22, 0])
  const graph = await readScriptGraph(memoryFiles({ '/m': file }), '/m')
  expect(graph.length).toBe(2)
  expect(graph.find('net/Relu')).toEqual({
    name: 'net/Relu',
    type: 'Relu',
    inputs: ['x', '^init'],
    device: '',
  })
  expect(graph.find('net')).toBeNull()
  await expect(
    readScriptGraph(memoryFiles({ '/m': new Uint8Array([0x12, 99]) }), '/m'),
  ).rejects.toMatchObject({ problem: { code: 'meta-invalid' } })
})
