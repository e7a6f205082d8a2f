// Dumps of other tools as their real writers leave them: what they say is what the columns hold.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Candidate, type FormatOf, formats, OpenTensor, wholeOf } from '../../main/engine/formats/index.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { quickFiles } from '../../main/engine/io/quick.ts'
import { type Dump, itemName, opName, Refusal } from '../../main/engine/model/index.ts'
import { job } from '../../main/engine/work/job.ts'
import { cli } from '../support/cli.ts'
import { fixturesRoot } from '../support/fixtures.ts'

const root = path.join(fixturesRoot(), 'next', 'bundles')
const files = diskFiles()
const made = mkdtempSync(path.join(tmpdir(), 'foreign-'))
beforeAll(() => {
  files.allow(root)
  files.allow(made)
})
afterAll(() => rmSync(made, { recursive: true }))

const ports = { files, cacheDir: '', rules: 'plumbline', shared: { once: () => {} }, partial: false } as never

async function formatOf(file: string): Promise<FormatOf<'dump'>> {
  const at = new Candidate(files, file, files.stat(file)?.kind ?? 'file')
  for (const format of formats) if (await format.find(at, job())) return format as FormatOf<'dump'>
  throw new Error(`no format knows ${file}`)
}

/** Every step and rank of what lies there. */
async function dumpsOf(file: string): Promise<{ id: string; places: unknown[]; dumps: Dump[] }> {
  const format = await formatOf(file)
  const at = new Candidate(files, file, files.stat(file)?.kind ?? 'file')
  const place = await format.find(at, job())
  if (!place) throw new Error('unreachable')
  const sides = format.sides?.(place, files) ?? [[place]]
  const places = sides.flat()
  const dumps: Dump[] = []
  for (const part of places) dumps.push(await wholeOf(format.open(part, ports, job())))
  return { id: format.id, places: places.map(part => [part.step, part.rank]), dumps }
}

const opsOf = (dump: Dump): string[] =>
  Array.from({ length: dump.ops.length }, (_, op) => opName(dump, op as never))
const itemsOf = (dump: Dump): string[] =>
  Array.from({ length: dump.items.length }, (_, item) => itemName(dump, item as never))
const scopesOf = (dump: Dump): string[] =>
  Array.from({ length: dump.construct.length }, (_, i) => dump.texts.get(dump.construct.child[i] as never))

function valuesOf(dump: Dump, item: string): number[] {
  const row = itemsOf(dump).indexOf(item)
  const ref = dump.tensors.ref(row as never)
  if (!ref) throw new Error(`no values of ${item}`)
  const tensor = new OpenTensor(quickFiles(files.roots()), ref)
  try {
    const count = tensor.read(0, tensor.layout.size)
    return [...tensor.values.subarray(0, count)]
  } finally {
    tensor.close()
  }
}

describe('a debug tree', () => {
  it('has the modules that the tree left out, in the order in which they ran', async () => {
    const { id, dumps } = await dumpsOf(path.join(root, 'hf_bf16'))
    expect(id).toBe('module-tree')
    const [dump] = dumps
    const ops = opsOf(dump)
    expect(ops[0]).toBe('LlamaForCausalLM')
    const order = [
      'model.embed_tokens',
      'model.layers.0.mlp.',
      'model.layers.1.mlp.down_proj',
      'model.layers.2.mlp.',
      'model.norm',
      'lm_head',
    ]
    expect(ops.filter(op => order.includes(op))).toEqual(order)
    expect(ops.filter(op => op.startsWith('model.layers.1.')).length).toBe(
      ops.filter(op => op.startsWith('model.layers.0.')).length,
    )
    expect(new Set(scopesOf(dump)).size).toBe(scopesOf(dump).length)
    expect(dump.header.task).toBe('tensor')
  })

  it('says what its tensors hold', async () => {
    const { dumps } = await dumpsOf(path.join(root, 'hf_bf16'))
    const [dump] = dumps
    const row = itemsOf(dump).indexOf('model.embed_tokens.output.0')
    expect(dump.texts.get(dump.items.shape[row])).toBe('[1, 12, 64]')
    expect(dump.items.max.value[row]).toBeCloseTo(6.4453e-2, 5)
    expect(dump.items.norm.value[row]).toBeGreaterThan(0)
  })
})

describe('named files', () => {
  it('are calls with inputs, outputs and gradients', async () => {
    const { id, places, dumps } = await dumpsOf(path.join(root, 'sglang_dumper', 'base'))
    expect(id).toBe('named-files')
    expect(places[0]).toEqual([0, 0])
    const [dump] = dumps
    expect(opsOf(dump)).toEqual(
      expect.arrayContaining([
        'layers.1.mlp',
        'layers.1.',
        'layers.1.mlp.backward',
        'model.',
        'final_hidden',
      ]),
    )
    expect(itemsOf(dump)).toEqual(
      expect.arrayContaining([
        'layers.1.mlp.input.0',
        'layers.1.mlp.output.0',
        'layers.1.mlp.backward.input.0',
      ]),
    )
    expect(valuesOf(dump, 'layers.1.mlp.output.0').length).toBeGreaterThan(10)
  })
  it('lie in the model, which is no origin beside the call in it that is wrong', async () => {
    const sides = ['target', 'base'].map(side => path.join(root, 'sglang_dumper', side))
    const { out } = await cli(['advise', ...sides])
    expect(out).toContain('origin: The difference begins in layers.1.mlp')
    expect(out).not.toMatch(/begins (?:in|inside) model/)
  })
})

describe('a log of DebugMode', () => {
  it('knows who made what is read', async () => {
    const { id, dumps } = await dumpsOf(path.join(root, 'debugmode_logs.json'))
    expect(id).toBe('debug-mode')
    const [dump] = dumps
    const items = itemsOf(dump)
    const input = items.indexOf('Sequential.1.relu.0.input.0')
    expect(items[dump.edges?.producer[input] ?? -1]).toBe('Sequential.0.addmm.0.output.0')
    const output = items.indexOf('Sequential.0.addmm.0.output.0')
    expect(dump.items.norm.value[output]).toBe(12.64908068627119)
    expect(dump.texts.get(dump.items.shape[output])).toBe('[2, 16]')
    expect(opsOf(dump).some(op => op.endsWith('.backward'))).toBe(true)
  })
})

describe('a numerics log', () => {
  it('holds statistics and true producers', async () => {
    const { id, places, dumps } = await dumpsOf(path.join(root, 'tt'))
    expect([id, places]).toEqual(['activation-log', [[null, 0]]])
    const [dump] = dumps
    expect(dump.ops.length).toBe(21)
    expect(scopesOf(dump)).toEqual(expect.arrayContaining(['layers.0.', 'layers.0.norm.', '<none>.']))
    expect(scopesOf(dump).filter(scope => scope.endsWith('/'))).toEqual([])
    const items = itemsOf(dump)
    const input = items.indexOf('layers.0/op_1_add.input.1')
    expect(items[dump.edges?.producer[input] ?? -1]).toBe('layers.0/op_0_gelu.output.0')
    const output = items.indexOf('layers.0.norm/op_0_native_layer_norm.output.0')
    expect(dump.items.norm.value[output]).toBe(63.99967)
    expect(dump.items.min.value[output]).toBe(-3.813331)
    // What a reader reads has the numbers of what was written.
    expect(dump.items.norm.value[input]).toBe(21.57864)
  })
})

describe('results of runs', () => {
  it('are two sides where two runners ran', async () => {
    const told = JSON.parse(readFileSync(path.join(root, 'polygraphy_outputs.json'), 'utf8')) as {
      lst: unknown[]
    }
    const file = path.join(made, 'two.json')
    writeFileSync(file, JSON.stringify({ ...told, lst: [told.lst[0], told.lst[0]] }))
    const { planOf } = await import('../../main/engine/layout/index.ts')
    const plan = await planOf([file], { stacks: 'auto', ordered: true }, ports, job())
    expect(plan.units.map(({ places }) => [places.debug.part, places.bench?.part])).toEqual([['0 0', '1 0']])
  })

  it('are read where they stand in the text', async () => {
    const { id, dumps } = await dumpsOf(path.join(root, 'polygraphy_outputs.json'))
    expect(id).toBe('run-results')
    const told = JSON.parse(readFileSync(path.join(root, 'polygraphy_outputs.json'), 'utf8')) as {
      lst: [string, { outputs: Record<string, { values: { array: string } }> }[]][]
    }
    const bytes = Buffer.from(told.lst[0][1][0].outputs['mm'].values.array, 'base64')
    const from = 10 + bytes.readUInt16LE(8)
    const expected = Array.from({ length: (bytes.length - from) / 4 }, (_, i) =>
      bytes.readFloatLE(from + i * 4),
    )
    expect(valuesOf(dumps[0], 'mm.output.0')).toEqual(expected)
    expect((await dumpsOf(path.join(root, 'polygraphy_inputs.json'))).id).toBe('run-results')
  })
})

describe('a checkpoint of parallel ranks', () => {
  const checkpoints = path.join(fixturesRoot(), 'next', 'checkpoint')
  const cases = JSON.parse(
    readFileSync(path.join(checkpoints, 'cases.json'), 'utf8').replaceAll(/\bNaN\b/g, 'null'),
  ) as readonly { name: string; golden?: Record<string, { l2: number | null; shape: number[] }> }[]

  it.each(['tp2', 'pp2', 'tp2_pp2_vpp2', 'experts', 'legacy_names'])(
    '%s is read as the whole tensors, without a copy',
    async name => {
      const golden = cases.find(one => one.name === name)?.golden ?? {}
      const folder = path.join(checkpoints, 'runs', name)
      files.allow(folder)
      const sides = [await dumpsOf(path.join(folder, 'a')), await dumpsOf(path.join(folder, 'b'))]
      expect(sides.map(({ id }) => id)).toEqual(['megatron', 'megatron'])
      const [debug, bench] = sides.map(({ dumps }) => dumps[0])
      const distance = (item: string): number => {
        const [mine, theirs] = [valuesOf(debug, item), valuesOf(bench, item)]
        return Math.hypot(...mine.map((value, i) => value - theirs[i]))
      }
      expect(Object.keys(golden).length).toBeGreaterThan(3)
      for (const [parameter, { l2 }] of Object.entries(golden)) {
        const item = `${parameter}.output.0`
        if (l2 !== null) expect(Math.abs(distance(item) - l2)).toBeLessThan(2e-4 * l2 + 1e-5)
      }
    },
  )
})

describe('what is broken', () => {
  it.each([
    ['debugmode_logs.json', 'cut.json', 4000],
    ['polygraphy_outputs.json', 'cut2.json', 900],
    ['tt/rank_0_activations.log', 'rank_1_activations.log', 100],
  ])('%s, cut off, is refused by name', async (name, copy, bytes) => {
    const file = path.join(made, copy)
    writeFileSync(file, readFileSync(path.join(root, name)).subarray(0, bytes))
    const format = await formatOf(file)
    const open = async (): Promise<void> => {
      const place = { path: file, step: null, rank: null }
      await wholeOf(format.open(format.sides?.(place, files)[0]?.[0] ?? place, ports, job()))
    }
    const error: unknown = await open().then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(Refusal)
    expect((error as Refusal).problem.code).toBe('foreign-broken')
  })
})

describe('two numerics logs', () => {
  it('show the numbers that agree and those that do not where the difference begins', async () => {
    const healthy = path.join(root, 'tt', 'rank_0_activations.log')
    const faulty = path.join(made, 'rank_0_activations.log')
    const text = readFileSync(healthy, 'utf8')
    const told = text.replace(
      /(op_0_addmm\][\s\S]*?L2 norm: )[\d.e+-]+/,
      (_, before: string) => `${before}9.000000e+01`,
    )
    expect(told).not.toBe(text)
    writeFileSync(faulty, told)
    const { out } = await cli(['advise', faulty, healthy])
    expect(out).toContain('layers.0.mlp/op_0_addmm')
    expect(out).toMatch(/op_0_addmm\.output\.0, L2 norm: debug 90, bench 37\.021/)
    expect(out).toMatch(/op_0_addmm\.input\.0, L2 norm: debug 3\.9492, bench 3\.9492/)
  })
})
