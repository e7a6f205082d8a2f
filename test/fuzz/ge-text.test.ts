// Graphs of GE: whatever is written comes back as it was meant, however it is written and wherever a window ends;
// whatever is damaged is refused or read up to there.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeEach, expect, test } from 'vitest'
import {
  attributesOf,
  cardOf,
  GeLookup,
  readGraphs,
  writeGraphJson,
} from '../../main/engine/formats/ge/index.ts'
import { jsonRoom } from '../../main/engine/formats/ge/json.ts'
import { textRoom } from '../../main/engine/formats/ge/text.ts'
import { Refusal } from '../../main/engine/model/problem.ts'
import { job } from '../../main/engine/work/job.ts'
import {
  type Attr,
  type Desc,
  jsonOf,
  type Model,
  type Op,
  type Style,
  textOf,
  type Value,
} from '../support/ge-trees.ts'
import { seedsOf } from '../support/fuzz.ts'
import { memoryFiles } from '../support/memory-files.ts'
import { mutate } from '../support/mutate.ts'

const usual = { text: textRoom.bytes, json: jsonRoom.bytes }
beforeEach(() => {
  textRoom.bytes = usual.text
  jsonRoom.bytes = usual.json
})
afterAll(() => {
  textRoom.bytes = usual.text
  jsonRoom.bytes = usual.json
})

const word = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('a/b:c', "it's", '"', '\\', '\n\t', '节点', 'x'.repeat(90), ''),
)
const whole = fc.integer({ min: -5, max: 1e9 })
const value: fc.Arbitrary<Value> = fc.oneof(
  fc.record({ s: word }),
  fc.record({ i: whole }),
  fc.record({ b: fc.boolean() }),
  fc.record({ f: fc.integer({ min: -999, max: 999 }).map(n => n / 8) }),
  fc.record({ expression: word }),
  fc.constant({}),
  fc.record({
    list: fc.record(
      {
        s: fc.array(word, { maxLength: 3 }),
        i: fc.array(whole, { maxLength: 3 }),
        b: fc.array(fc.boolean(), { maxLength: 2 }),
        f: fc.array(fc.float({ noNaN: true, noDefaultInfinity: true, min: -1, max: 1 }), { maxLength: 2 }),
        val_type: fc.constantFrom('VT_LIST_NONE', 'VT_LIST_INT', 'VT_LIST_STRING'),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    list_list_int: fc.record({
      list_list_i: fc.array(fc.record({ list_i: fc.array(whole, { maxLength: 3 }) }), { maxLength: 3 }),
    }),
  }),
)
const keys = [
  'origin_format',
  'origin_shape',
  'shape_range',
  'pass_name',
  '_datadump_origin_name',
  '_datadump_original_op_names',
  'strides',
]
const attr: fc.Arbitrary<readonly Attr[]> = fc.array(
  fc.record({
    key: fc.oneof(
      fc.constantFrom(...keys),
      word.filter(key => key !== ''),
    ),
    value,
  }),
  { maxLength: 4 },
)
const desc: fc.Arbitrary<Desc> = fc.record(
  {
    dtype: fc.constantFrom('DT_FLOAT', 'DT_BF16', 'DT_UNDEFINED'),
    layout: fc.constantFrom('NCHW', '', 'ND'),
    shape: fc.record({ dim: fc.array(whole, { maxLength: 4 }) }),
    attr,
    size: whole,
  },
  { requiredKeys: [] },
)
const op: fc.Arbitrary<Op> = fc.record(
  {
    name: word,
    type: fc.constantFrom('Conv2D', 'Data', ''),
    id: whole,
    stream_id: whole,
    has_out_attr: fc.boolean(),
    input: fc.array(fc.oneof(fc.constantFrom('', 'a:0', 'a:b:1', 'c:-1'), word), { maxLength: 4 }),
    dst_index: fc.array(whole, { maxLength: 2 }),
    is_input_const: fc.array(fc.boolean(), { maxLength: 2 }),
    input_desc: fc.array(desc, { maxLength: 3 }),
    output_desc: fc.array(desc, { maxLength: 2 }),
    subgraph_name: fc.array(word, { maxLength: 2 }),
    workspace: fc.array(whole, { maxLength: 2 }),
    attr,
  },
  { requiredKeys: ['name', 'type'] },
)
const model: fc.Arbitrary<Model> = fc.record({
  name: word,
  version: fc.nat(9),
  graph: fc.array(
    fc.record({
      name: word,
      input: fc.array(word, { maxLength: 2 }),
      op: fc.array(op, { maxLength: 4 }),
      attr,
    }),
    { minLength: 1, maxLength: 3 },
  ),
})

/** Ways that follow from a seed. */
const styleOf = (seed: number): Style => {
  let state = seed | 1
  return ways => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
    return (state >>> 8) % ways
  }
}

async function converted(text: string | Uint8Array): Promise<string> {
  const parts: string[] = []
  const decoder = new TextDecoder()
  const sink = {
    path: '',
    size: 0,
    write: (bytes: Uint8Array) => void parts.push(decoder.decode(bytes)),
    close() {},
  }
  await writeGraphJson(memoryFiles({ '/a.txt': text }), '/a.txt', sink, job())
  return parts.join('')
}

/** All that is said of the ops, without rows and bytes. */
async function told(text: string): Promise<unknown> {
  const lookup = new GeLookup(await readGraphs(memoryFiles({ '/a': text }), ['/a'], job()))
  const { graphs } = lookup.model
  return {
    graphs: Array.from({ length: graphs.length }, (_, g) => [
      lookup.text(graphs.name[g]),
      graphs.firstOp[g + 1],
    ]),
    ops: [...lookup.ops()].map(row => cardOf(lookup, row)),
  }
}

/** Members whose order says nothing, in one order. */
const sorted = (json: unknown): unknown => {
  if (Array.isArray(json)) {
    const all = json.map(sorted)
    const isMap = all.length > 0 && all.every(one => typeof one === 'object' && one !== null && 'key' in one)
    return isMap ? all.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : all
  }
  return json
}

test('text in any style becomes the JSON that is meant, and both are read as the same graph', async () => {
  await fc.assert(
    fc.asyncProperty(model, fc.nat(), fc.constantFrom(64, 97, 1 << 20), async (tree, seed, room) => {
      textRoom.bytes = jsonRoom.bytes = room
      const wanted = jsonOf(tree) ?? {}
      const text = textOf(tree, styleOf(seed))
      const json = await converted(text)
      expect(sorted(JSON.parse(json))).toEqual(sorted(wanted))
      expect(await told(json)).toEqual(await told(text))
    }),
    { numRuns: 300 },
  )
})

test('ops hold what was written of them', async () => {
  await fc.assert(
    fc.asyncProperty(model, fc.nat(), fc.constantFrom(64, 1 << 20), async (tree, seed, room) => {
      textRoom.bytes = room
      const files = memoryFiles({ '/a': textOf(tree, styleOf(seed)) })
      const { ops, texts, inputs, descs, graphs } = await readGraphs(files, ['/a'], job())
      const written = tree.graph.flatMap(graph => graph.op)
      expect(ops.length).toBe(written.length)
      expect(graphs.length).toBe(tree.graph.length)
      for (const [row, one] of written.entries()) {
        expect(texts.get(ops.name[row])).toBe(one.name)
        expect(texts.get(ops.type[row])).toBe(one.type)
        expect([ops.id[row], ops.stream[row]]).toEqual([one.id ?? 0, one.stream_id ?? 0])
        const edges = (one.input ?? []).flatMap((edge, position) => (edge === '' ? [] : [position]))
        expect([...inputs.position.subarray(ops.firstInput[row], ops.firstInput[row + 1])]).toEqual(edges)
        const shapes = [...(one.input_desc ?? []), ...(one.output_desc ?? [])].map(
          ({ shape }) => shape?.dim ?? [],
        )
        const from = ops.firstDesc[row]
        const have = shapes.map((_, i) => JSON.parse(texts.get(descs.shape[from + i])) as number[])
        expect(have).toEqual(shapes)
        expect(ops.firstDesc[row + 1] - from).toBe(shapes.length)
        expect(ops.firstOutput[row] - from).toBe(one.input_desc?.length ?? 0)
      }
    }),
    { numRuns: 200 },
  )
})

const fixtures = path.join(import.meta.dirname, '../fixtures/tf')
const sources = [
  'net/precision_data/npu/debug_0/graph/ge_proto_00000012_Build.txt',
  'expected/ge_proto_00000012_Build.txt.json',
].map(file => new Uint8Array(readFileSync(path.join(fixtures, file))))

test('damaged files give a graph with problems, or are refused', async () => {
  for (const seed of seedsOf(1000)) {
    textRoom.bytes = jsonRoom.bytes = seed % 3 === 0 ? 256 : usual.text
    const { bytes } = mutate(sources[seed % 2]!, seed)
    const files = memoryFiles({ '/a': bytes })
    try {
      const lookup = new GeLookup(await readGraphs(files, ['/a'], job()))
      for (const row of lookup.ops()) {
        cardOf(lookup, row)
        attributesOf(files, lookup.model, row)
      }
      if (seed % 2 === 0) JSON.parse(await converted(bytes))
    } catch (error) {
      if (!(error instanceof Refusal)) throw new Error(`seed ${seed}`, { cause: error })
    }
  }
})
