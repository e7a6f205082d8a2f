// Two tensors and the summary of a full-net compare against what precision_tool answers.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { cli } from '../support/cli.ts'
import { csvRows } from '../support/csv.ts'
import { dtypes } from '../../main/engine/formats/tensors/dtype.ts'
import { npyHead } from '../../main/engine/formats/tensors/npy-writer.ts'
import { type DrawnOp, graphText } from '../support/ge-graph-text.ts'
import { rawFile } from '../support/raw-files.ts'
import { drawSliced } from '../support/sliced-run.ts'
import { drawRun } from '../support/tensorflow-tree.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { f32, joined } from '../support/tensor-files.ts'

const root = path.join(import.meta.dirname, '../fixtures/tf')
const net = path.join(root, 'net')
const expected = path.join(root, 'expected')
const json = (name: string): unknown => JSON.parse(readFileSync(path.join(expected, name), 'utf8'))
const answerOf = async (data: string, ...words: readonly string[]): Promise<Record<string, unknown>> =>
  JSON.parse((await cli(['tf', data, ...words, '--json'])).out) as Record<string, unknown>
const answer = (...words: readonly string[]): ReturnType<typeof answerOf> => answerOf(net, ...words)

const pairs = [
  [
    'relu',
    'Conv2D.LeNet_conv1_Conv2DLeNet_conv1_Relu.4.5.1620612694000300.output.0.2x3x3x5.npy',
    'conv1_Relu',
  ],
  ['matmul', 'MatMulV2.LeNet_fc_MatMul.7.5.1620612694000500.output.0.2x20.npy', 'fc_MatMul'],
] as const

describe('cp', () => {
  test.each(pairs)('%s', async (name, left, right) => {
    const wanted = (json('cp.json') as Record<string, Record<string, unknown>>)[name]
    const found = await answer(
      'cp',
      path.join(expected, 'convert', left),
      path.join(net, `precision_data/tf/dump/LeNet_${right}.0.1620612600000000.npy`),
    )
    const { first_errors: first, CosSim, ...rest } = wanted
    expect(found).toMatchObject(rest)
    expect(found.CosSim).toBeCloseTo(CosSim as number, 6)
    expect((found.errors as number[][]).map(([index]) => index)).toEqual((first as number[]).slice(0, 20))
  })
})

test('vcs', async () => {
  const found = await answer('vcs', '-f', path.join(expected, 'vector_compare/result.csv'), '-c', '0.98')
  const tool = json('precision_tool.json') as Record<string, unknown>
  expect(found.errors).toMatchObject(tool['vcs -c 0.98 -l 2'] as object)
  expect(found.first).toMatchObject({ op: 'LeNet/fc/MatMul', suspected: true, notCompared: [0] })
  const { out } = await cli(['tf', net, 'vcs', '-f', path.join(expected, 'vector_compare/result.csv')])
  expect(out).toContain('first error (suspected): LeNet/fc/MatMul')
})

const dump = path.join(
  net,
  'precision_data/npu/debug_0/dump/20210510101133/0/ge_default_20210510101134_1/1/0',
)
const reference = path.join(net, 'precision_data/tf/dump')
const graph = path.join(net, 'precision_data/npu/debug_0/graph/ge_proto_00000012_Build.txt')
const resultIn = (found: Record<string, unknown>): string[][] => {
  const [{ file }] = found.results as [{ file: string }]
  return csvRows(readFileSync(file, 'utf8'))
}

/** Cells as msaccucmp has them: numbers to the digits that its float32 sums are good for. */
function sameCell(mine: string, wanted: string): boolean {
  const [x, y] = [mine, wanted].map(cell => cell.split(/[(),;]+/).map(Number))
  const close = (a: number, b: number): boolean =>
    Object.is(a, b) || Math.abs(a - b) <= Math.max(2.1e-6, 5e-5 * Math.abs(b))
  return mine === wanted || (x.length === y.length && x.every((value, i) => close(value, y[i])))
}

describe('vc', () => {
  const wanted = csvRows(readFileSync(path.join(expected, 'vector_compare/result.csv'), 'utf8'))
  const reason = wanted[0].length - 1

  test.each([
    ['by the folders that were named', ['-lt', dump, '-rt', reference, '-g', graph]],
    [
      'by JSON in place of the graph',
      ['-lt', dump, '-rt', reference, '-g', path.join(expected, 'ge_proto_00000012_Build.txt.json')],
    ],
    ['by what lies in the folder', []],
  ])('%s', async (_, words) => {
    const found = await answer('vc', ...words, '-o', temporaryFolder())
    const mine = resultIn(found)
    expect(mine[0]).toEqual(wanted[0])
    expect(mine.map(row => row.length)).toEqual(wanted.map(row => row.length))
    const off = wanted.flatMap((row, i) =>
      row.flatMap((cell, column) => {
        const same =
          column === reason ? (cell === '') === (mine[i][column] === '') : sameCell(mine[i][column], cell)
        return same ? [] : [`${row[7]} ${wanted[0][column]}`]
      }),
    )
    // msaccucmp refuses what only lies under another shape.
    expect(new Set(off.map(cell => cell.split(' ')[0]))).toEqual(new Set(['LeNet/fc/MatMul:input:0']))
    expect(found.results).toMatchObject([{ first: 'LeNet/fc/MatMul', reshaped: ['LeNet/fc/MatMul:input:0'] }])
  })

  test('tensors that were decoded stand for the raw dumps that they came from', async () => {
    const decoded = path.join(expected, 'convert')
    const found = await answer('vc', '-lt', decoded, '-rt', reference, '-g', graph, '-o', temporaryFolder())
    const [titles, ...rows] = resultIn(found)
    expect(titles).toEqual(wanted[0].filter(title => title !== 'Address'))
    const metrics = (all: readonly string[][], head: readonly string[]): Map<string, string[]> => {
      const [tensor, from] = [head.indexOf('TensorIndex'), head.indexOf('CosineSimilarity')]
      return new Map(all.map(row => [row[tensor], row.slice(from, -1)]))
    }
    const [mine, raw] = [metrics(rows, titles), metrics(wanted.slice(1), wanted[0])]
    for (const tensor of ['LeNet/fc/MatMul:input:1', 'LeNet/fc/MatMul:output:0']) {
      const off = raw.get(tensor)?.filter((cell, i) => !sameCell(mine.get(tensor)?.[i] ?? '', cell))
      expect(off).toEqual([])
    }
    expect([...mine.keys()].filter(tensor => tensor.includes('conv1'))).toHaveLength(3)
    expect(found.results).toMatchObject([{ first: 'LeNet/fc/MatMul', measured: 6 }])
  })

  test('tensors that were decoded as they lay are turned as the graph says, and come to what the raw ones do', async () => {
    const decoded = path.join(expected, 'decode')
    const found = await answer('vc', '-lt', decoded, '-rt', reference, '-g', graph, '-o', temporaryFolder())
    const [titles, ...rows] = resultIn(found)
    const [tensor, from] = [titles.indexOf('TensorIndex'), titles.indexOf('CosineSimilarity')]
    const mine = new Map(rows.map(row => [row[tensor], row.slice(from, -1)]))
    const off = wanted.slice(1).flatMap(row => {
      const name = row[wanted[0].indexOf('TensorIndex')]
      const cells = row.slice(wanted[0].indexOf('CosineSimilarity'), -1)
      return cells.every((cell, i) => sameCell(mine.get(name)?.[i] ?? '', cell)) ? [] : [name]
    })
    expect(off).toEqual(['LeNet/fc/MatMul:input:0'])
  })

  test('a run whose parts are named one by one is the run, however many they are', async () => {
    const data = path.join(net, 'precision_data')
    const parts = ['npu/debug_0/dump', 'tf/dump', 'npu/debug_0/graph', 'overflow', 'fusion'].map(part =>
      path.join(data, part),
    )
    const summary = async (paths: readonly string[]): Promise<unknown> => {
      const { out } = await cli(['compare', ...paths, '-o', temporaryFolder(), '--json'])
      const { counts, first } = JSON.parse(out) as { counts: unknown; first: unknown }
      return { counts, first }
    }
    expect(await summary(parts)).toEqual(await summary([data]))
    const { out, code } = await cli(['advise', ...parts])
    expect({ code, told: out.includes('The difference begins in LeNet/fc/MatMul:') }).toEqual({
      code: 0,
      told: true,
    })
    const alone = await cli(['compare', path.join(data, 'fusion/fusion_result.json')])
    expect(alone.code).toBe(2)
    expect(alone.err).toContain('fusion_result.json: there are no dumps of the NPU.')
  })

  test.each([
    ['as they lay', 'decode'],
    ['as they lay, a folder for each operation and time', 'cad'],
    ['turned', 'convert'],
  ])('what was decoded %s is a side like any other', async (_, how) => {
    const data = path.join(temporaryFolder(), 'precision_data')
    for (const part of ['npu/debug_0/graph', 'tf/dump'])
      cpSync(path.join(net, 'precision_data', part), path.join(data, part), { recursive: true })
    const arrays = path.join(data, 'temp/decode/dump_decode')
    if (how === 'cad')
      expect(await cli(['parse', 'cad', '-m', dump, '-out', arrays])).toMatchObject({ code: 0 })
    else cpSync(path.join(expected, how), arrays, { recursive: true })
    const { out, code } = await cli(['advise', data])
    expect(code).toBe(0)
    expect(out).toContain('The difference begins in LeNet/fc/MatMul:')
    const raw = await cli(['compare', net, '-o', temporaryFolder(), '--json'])
    const mine = await cli(['compare', data, '-o', temporaryFolder(), '--json'])
    const countsOf = (text: string): unknown => (JSON.parse(text) as { counts: unknown }).counts
    if (how === 'cad') expect(countsOf(mine.out)).toEqual(countsOf(raw.out))
    const ac = JSON.parse(
      (await cli(['tf', data, 'ac', '-c', '--json', '-o', temporaryFolder()])).out,
    ) as object
    expect(JSON.stringify(ac)).toContain('"first":"LeNet/fc/MatMul"')
  })

  test.each([
    ['', 'relu'],
    [', whose names begin with the sub-graph that they were cut in', 'part0_new_sub_graph1_sgt_graph_0_relu'],
  ])('slices of an operation are compared as one%s', async (_, called) => {
    for (const ops of [
      ['relu'],
      ['relu_lxslice0', 'relu_lxslice1'],
      ['partition0_rank1_new_sub_graph1_sgt_graph_0/relu'],
    ]) {
      const { dump: left, reference: right, graph: graphs } = drawSliced(temporaryFolder(), called, ops)
      const file = path.join(graphs, 'ge_proto_00000001_Build.txt')
      const [titles, ...rows] = resultIn(
        await answer('vc', '-lt', left, '-rt', right, '-g', file, '-o', temporaryFolder()),
      )
      expect(
        rows.map(row => [
          row[titles.indexOf('TensorIndex')].replace(/^.*sgt_graph_0\//, ''),
          row[titles.indexOf('MaxAbsoluteError')],
        ]),
      ).toEqual([['relu:output:0', '0.000000']])
      const { out } = await cli(['compare', left, right, graphs, '-o', temporaryFolder(), '--json'])
      expect((JSON.parse(out) as { counts: object }).counts).toMatchObject({ equal: ops.length, differs: 0 })
    }
  })

  test('slices of two runs one by one, where that is asked for', async () => {
    const [mine, theirs] = [temporaryFolder(), temporaryFolder()].map(folder =>
      drawSliced(folder, 'net_relu', ['relu']),
    )
    const attr = JSON.stringify({
      threadMode: 1,
      slice_instance_num: 2,
      outputCutList: [[1, 2]],
      output_tensor_slice: [0, 2].map(lower => [
        [
          { lower: 0, higher: 2 },
          { lower, higher: lower + 2 },
        ],
      ]),
    })
    for (const [dump, first] of [
      [mine.dump, 5],
      [theirs.dump, 6],
    ] as const)
      for (const thread of [0, 1])
        writeFileSync(
          path.join(dump, `Abs.net_abs.4.5.162061269400040${thread}.4.7.${thread}.0`),
          rawFile({
            opName: 'net/abs',
            outputs: [{ shape: [2, 4], data: f32(thread * first, 1, 2, 3) }],
            attr,
          }),
        )
    const sides = ['-lt', mine.dump, '-rt', theirs.dump, '-o', temporaryFolder()]
    const apart = resultIn(await answer('vc', ...sides, '-ffts'))
    const of = (all: string[][], title: string): string[] =>
      all.slice(1).map(row => row[all[0].indexOf(title)])
    expect(of(apart, 'TensorIndex')).toEqual([
      'net_relu_lxslice0:output:0',
      'net_relu_lxslice1:output:0',
      'net_abs_thread0:output:0',
      'net_abs_thread1:output:0',
    ])
    expect(of(apart, 'MaxAbsoluteError')).toEqual(['0.000000', '0.000000', '0.000000', '1.000000'])
    const whole = resultIn(await answer('vc', ...sides))
    expect(of(whole, 'TensorIndex')).toEqual(['net_relu:output:0', 'net_abs:output:0'])
    const refused = await cli([
      'tf',
      mine.dump,
      'vc',
      '-ffts',
      '-lt',
      mine.dump,
      '-rt',
      mine.reference,
      '-g',
      `${mine.graph}/ge_proto_00000001_Build.txt`,
    ])
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('between two runs')])
  })

  test('decoded tensors beside raw ones, by the names of their files; one that cannot be read is one row', async () => {
    const decoded = path.join(temporaryFolder(), 'decoded')
    cpSync(path.join(expected, 'convert'), decoded, { recursive: true })
    const broken = 'MatMulV2.LeNet_fc_MatMul.7.5.1620612694000500.input.1.45x20.npy'
    writeFileSync(path.join(decoded, broken), 'no array')
    for (const sides of [
      ['-lt', decoded, '-rt', dump],
      ['-lt', dump, '-rt', decoded],
    ]) {
      const [titles, ...rows] = resultIn(await answer('vc', ...sides, '-o', temporaryFolder()))
      expect(titles.filter(title => title === 'Address')).toHaveLength(1)
      const of = (tensor: string): string[] => rows.find(row => row.includes(tensor)) ?? []
      const cosine = titles.indexOf('CosineSimilarity')
      expect(of('LeNet_conv1_Conv2DLeNet_conv1_Relu:output:0')[cosine]).toBe('1.000000')
      expect(of('LeNet_fc_MatMul:output:0')[cosine]).toBe('1.000000')
      expect(of('LeNet_fc_MatMul:input:1')[cosine]).toBe('NaN')
      expect(of('LeNet_fc_MatMul:input:1').at(-1)).toContain(broken)
    }
  })

  test('two runs meet by the names of their files', async () => {
    const other = path.join(temporaryFolder(), 'other')
    mkdirSync(other)
    for (const name of ['Data.input.1.5.1620612694000100', 'SoftmaxV2.LeNet_Softmax.8.5.1620612694000700'])
      cpSync(path.join(dump, name), path.join(other, name))
    const found = await answer('vc', '-lt', dump, '-rt', other, '-o', temporaryFolder(), '--mapping')
    const [titles, ...rows] = resultIn(found)
    expect(titles.filter(title => title === 'Address')).toHaveLength(2)
    expect(rows.map(row => [row[0], row[2], row[5], row[8], row[10]])).toEqual([
      ['0', 'input', 'input', 'input:output:0', '1.000000'],
      ['1', 'LeNet_conv1_Conv2DLeNet_conv1_Relu', '*', 'NaN', 'NaN'],
      ['2', 'LeNet_fc_MatMul', '*', 'NaN', 'NaN'],
      ['3', 'LeNet_Softmax', 'LeNet_Softmax', 'LeNet_Softmax:input:0', '1.000000'],
      ['3', 'LeNet_Softmax', 'LeNet_Softmax', 'LeNet_Softmax:output:0', '1.000000'],
    ])
    const [{ mappingFile }] = found.results as [{ mappingFile: string }]
    expect(csvRows(readFileSync(mappingFile, 'utf8'))[1].slice(4)).toEqual([
      'input:output:0',
      path.join(dump, 'Data.input.1.5.1620612694000100'),
      path.join(other, 'Data.input.1.5.1620612694000100'),
    ])
  })

  test('tells where halves of the NPU reach their largest number, whatever they are compared with', async () => {
    const wrong = path.join(
      net,
      'precision_data/overflow/dump/20210510102000/0/ge_default_20210510101134_1/1/0',
    )
    const flagsOf = async (...words: readonly string[]): Promise<string[][]> => {
      const [titles, ...rows] = resultIn(await answer('vc', ...words, '--overflow', '-o', temporaryFolder()))
      const [tensor, flag] = ['TensorIndex', 'OverFlow'].map(title => titles.indexOf(title))
      expect(titles[flag - 1]).toBe('Shape')
      return rows.map(row => [row[tensor], row[flag]])
    }
    expect(await flagsOf('-lt', wrong, '-rt', wrong)).toEqual(
      expect.arrayContaining([
        ['LeNet_loss_mul:output:0', 'YES'],
        ['LeNet_loss_AddN:output:0', 'YES'],
      ]),
    )
    const found = new Map((await flagsOf()).map(([tensor, flag]) => [tensor, flag] as const))
    expect(found.get('LeNet/fc/MatMul:output:0')).toBe('NO')
    expect(found.get('LeNet/Softmax:output:0')).toBe('NaN')
  })

  test('tensors of TensorFlow need a graph, and nothing is written into the run', async () => {
    expect(await cli(['tf', dump, 'vc', '-lt', dump, '-rt', reference])).toMatchObject({ code: 2 })
    const inside = await cli(['tf', net, 'vc', '-o', path.join(net, 'precision_data/out')])
    expect(inside).toMatchObject({ code: 2 })
    expect(inside.err).toContain('precision_data')
  })
})

describe('ac', () => {
  const tool = (json('precision_tool.json') as { ac: Record<string, unknown> }).ac
  const records = ['21.5.1620612700000100', '22.5.1620612700000400'].map(name =>
    json(`overflow/Opdebug.Node_OpDebug.${name}.output.0.json`),
  )

  test('casts, fusion, and overflow records in the order of their times with their operators', async () => {
    const found = await answer('ac')
    expect(found).toMatchObject({
      dangerousCast: tool.dangerousCast,
      fusion: { '0_1': (tool.fusion as Record<string, unknown>)['graph 0_1'] },
      overflow: [
        { task: 21, op: 'LeNet/loss/mul', record: records[0] },
        { task: 22, op: 'LeNet/loss/AddN', record: records[1] },
      ],
      similarity: [],
      problems: [],
    })
    const [{ tensors }] = found.overflow as [{ tensors: object[] }]
    expect(tensors[1]).toMatchObject({
      io: 'output',
      max: 65504,
      min: -65504,
      nan: 1,
      inf: 2,
      saturated: true,
    })
  })

  test('with a compare of its own, in words', async () => {
    const { code, out } = await cli(['tf', net, 'ac', '-c', '-o', temporaryFolder()])
    expect(code).toBe(0)
    expect(out).toContain('first error: LeNet/fc/MatMul')
    expect(out).toMatch(/TbeConvReluFusionPass +1/)
    expect(out).toContain(
      'AI Core 0x120: floating-point arithmetic overflowed; a conversion to float16 overflowed',
    )
    expect(out).toContain('DT_FLOAT -> DT_INT32: LeNet/ToInt')
  })

  test('only the overflow, and only so many of it', async () => {
    const { out } = await cli(['tf', net, 'ac', '--overflow', '-l', '1'])
    expect(out).toContain('LeNet/loss/mul')
    expect(out).not.toContain('AddN')
    expect(out).not.toContain('TbeConv')
  })

  test('what is there, of a folder that lacks the rest', async () => {
    const folder = temporaryFolder()
    mkdirSync(path.join(folder, 'precision_data/graph'), { recursive: true })
    cpSync(path.join(net, 'precision_data/fusion'), path.join(folder, 'precision_data/fusion'), {
      recursive: true,
    })
    const { code, out } = await cli(['tf', folder, 'ac', '-c', '--json'])
    expect(code).toBe(0)
    const found = JSON.parse(out) as Record<string, unknown>
    expect(found).toMatchObject({ dangerousCast: {}, overflow: [], compare: [] })
    expect(Object.keys(found.fusion as object)).toEqual(['0_1'])
    expect(found.problems).not.toEqual([])
  })
})

test('what lies inside of a folder of dumps is no other run of it', async () => {
  const { err } = await cli(['tf', path.join(root, 'raw'), 'ac', '-c', '-o', temporaryFolder()])
  expect(err).toContain('tensors of the CPU or GPU')
})

test('two runs in one folder meet by names, and their graphs are likened', async () => {
  const folder = temporaryFolder()
  for (const run of ['debug_0', 'debug_1'])
    cpSync(path.join(net, 'precision_data/npu/debug_0'), path.join(folder, 'precision_data/npu', run), {
      recursive: true,
    })
  const compared = await cli(['tf', folder, 'vc', '-o', temporaryFolder(), '--json'])
  const { results } = JSON.parse(compared.out) as { results: object[] }
  expect(results).toMatchObject([
    { name: 'ge_default_20210510101134_1', rows: 9, measured: 9, errors: [], first: null },
  ])
  const { similarity } = JSON.parse((await cli(['tf', folder, 'ac', '--json'])).out) as {
    similarity: object[]
  }
  expect(similarity).toMatchObject([{ onlyLeft: [], onlyRight: [], unlike: [] }])
  expect((await cli(['tf', folder, 'ac'])).out).toContain('likeness of the graphs of both runs')
})

describe('a graph and dumps of different runs', () => {
  const foreign = path.join(temporaryFolder(), 'ge_proto_00000001_Build.txt')

  test('vc says that the graph knows too few operators, and vouches for nothing', async () => {
    writeFileSync(foreign, readFileSync(graph, 'utf8').replaceAll('LeNet', 'ResNet'))
    const words = ['tf', net, 'vc', '-lt', dump, '-rt', reference, '-o', temporaryFolder()]
    const { out, err } = await cli([...words, '-g', foreign])
    expect(err).toContain('of 4 dumped operators the graph knows 1')
    expect(out).toContain('no operator is wrong')
    const right = await cli([...words, '-g', graph])
    expect(right.err).not.toContain('the graph knows')
  })

  test('compare says so too', async () => {
    const folder = temporaryFolder()
    cpSync(dump, path.join(folder, 'dump'), { recursive: true })
    writeFileSync(
      path.join(folder, 'ge_proto_00000001_Build.txt'),
      readFileSync(graph, 'utf8').replaceAll('LeNet', 'ResNet'),
    )
    const { err } = await cli(['compare', folder, reference, '-o', temporaryFolder()])
    expect(err).toContain('of 4 dumped operators the graph knows 1')
  })

  test('nothing that was compared is no good news', async () => {
    const other = path.join(temporaryFolder(), 'tf')
    mkdirSync(other)
    cpSync(
      path.join(reference, 'LeNet_Softmax.0.1620612600000000.npy'),
      path.join(other, 'Other_Softmax.0.1620612600000000.npy'),
    )
    const words = ['tf', net, 'vc', '-lt', dump, '-rt', other, '-g', graph, '-o', temporaryFolder()]
    const { out, err } = await cli(words)
    expect(err).toContain('No tensor of')
    expect(out).toContain('no output was compared')
    expect(out).not.toContain('no operator is wrong')
  })
})

test('vcs refuses what is no result, in words of its own', async () => {
  const { code, err } = await cli(['tf', net, 'vcs', '-f', graph])
  expect(code).toBe(2)
  expect(err).toContain('full-net compare')
})

describe('verbs of other dumps', () => {
  const graphs = path.join(net, 'precision_data/npu/debug_0/graph')

  test('advise takes dump, reference and graph of a run as three folders', async () => {
    const { code, out } = await cli(['advise', dump, reference, graphs, '--json'])
    expect(code).toBe(0)
    expect(out).toContain('LeNet/fc/MatMul')
    // The graph alone knows that this input is a tensor of the script.
    expect(out).toContain('LeNet/fc/MatMul.input.1')
    const one = path.join(root, '../dumps/ms_lenet_extra_relu_md5_L1.tar.gz')
    expect(await cli(['advise', one, one, one])).toMatchObject({ code: 2 })
  })

  test('graph writes who met whom in the window, not what has the same name', async () => {
    const [folder, alone] = [temporaryFolder(), temporaryFolder()]
    expect(await cli(['graph', net, '-o', folder])).toMatchObject({ code: 0 })
    const written = readdirSync(folder).map(file => readFileSync(path.join(folder, file), 'utf8'))
    const { NPU } = JSON.parse(written[0]) as Record<'NPU', { node: Record<string, Drawn> }>
    expect(NPU.node['LeNet/conv1/Conv2DLeNet/conv1/Relu'].matched_node_link.at(-1)).toBe('LeNet/conv1/Relu')
    expect(NPU.node.trans_Cast_0.matched_node_link.at(-1)).toBe('input')
    const parts = [path.join(net, 'precision_data/npu'), '-o', alone, '--format', 'vis.db']
    expect(await cli(['graph', ...parts])).toMatchObject({ code: 0 })
    expect(readdirSync(alone)).toEqual([expect.stringMatching(/^build_\d+\.vis\.db$/)])
  })

  test('graph writes a file for each graph, device and step, or a database for each graph', async () => {
    const run = { graphs: ['g0', 'g1'], blocks: 1, steps: [0, 1], devices: [0, 1] }
    const data = drawRun(temporaryFolder(), run)
    const [vis, database] = [temporaryFolder(), temporaryFolder()]
    expect(await cli(['graph', data, '-o', vis])).toMatchObject({ code: 0 })
    const labels = readdirSync(vis).map(file => file.replace(/_\d{14}\.vis$/, ''))
    const wanted = ['g0', 'g1'].flatMap(g =>
      [0, 1].flatMap(step => [0, 1].map(rank => `compare_step${step}_rank${rank}_${g}`)),
    )
    expect(labels.toSorted()).toEqual(wanted.toSorted())
    expect(await cli(['graph', data, '-o', database, '--format', 'vis.db'])).toMatchObject({ code: 0 })
    expect(readdirSync(database).map(file => file.replace(/_\d{14}\./, '.'))).toEqual([
      'compare_g0.vis.db',
      'compare_g1.vis.db',
    ])
  })
})

interface Drawn {
  readonly matched_node_link: readonly string[]
}

describe('vc through a second graph', () => {
  const values = (...numbers: readonly number[]) => ({
    dtype: 1,
    shape: [numbers.length],
    originalShape: [numbers.length],
    data: new Uint8Array(Float32Array.from(numbers).buffer),
  })
  const written = (files: Readonly<Record<string, Uint8Array>>): string => {
    const folder = temporaryFolder()
    for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(folder, name), bytes)
    return folder
  }
  const compared = (words: readonly string[]): ReturnType<typeof answer> =>
    answer('vc', ...words, '-o', temporaryFolder())
  const graphOf = (...ops: readonly DrawnOp[]): string =>
    path.join(
      written({ 'ge_proto_00000001_Build.txt': new TextEncoder().encode(graphText(ops)) }),
      'ge_proto_00000001_Build.txt',
    )
  const fused: DrawnOp = {
    name: 'convrelu',
    type: 'Conv2D',
    originals: ['net/conv', 'net/relu'],
    output: [{ source: ['net/relu', 0] }],
  }
  const left = (): string =>
    written({ 'Conv2D.convrelu.3.5.1620612694000300': rawFile({ outputs: [values(1, 0, 3)] }) })
  const told = (rows: readonly (readonly string[])[]) => {
    const [titles, ...all] = rows
    const columns = ['NPUDump', 'GroundTruth', 'TensorIndex', 'MaxAbsoluteError'].map(name =>
      titles.indexOf(name),
    )
    return all.map(row => columns.map(at => row[at]))
  }

  test('of a run without fusion: the op that made the same output of the script', async () => {
    const unfused = graphOf(
      { name: 'conv_op', type: 'Conv2D', originals: ['net/conv'], output: [{ source: ['net/conv', 0] }] },
      {
        name: 'relu_op',
        type: 'Relu',
        input: ['conv_op:0'],
        originals: ['net/relu'],
        output: [{ source: ['net/relu', 0] }],
      },
    )
    const right = written({
      'Conv2D.conv_op.3.5.1620612694000300': rawFile({ outputs: [values(1, -2, 3)] }),
      'Relu.relu_op.4.5.1620612694000400': rawFile({ outputs: [values(1, 0, 3.5)] }),
    })
    const found = await compared(['-lt', left(), '-rt', right, '-g', graphOf(fused), '-cf', unfused])
    expect(told(resultIn(found))).toEqual([['convrelu', 'conv_op,relu_op', 'convrelu:output:0', '0.500000']])
  })

  test('of a run without fusion that lies beside the other one: nothing else need be named', async () => {
    const data = path.join(temporaryFolder(), 'precision_data')
    for (const side of ['debug_0', 'debug_1'])
      cpSync(path.join(net, 'precision_data/npu/debug_0'), path.join(data, 'npu', side), { recursive: true })
    cpSync(reference, path.join(data, 'tf/dump'), { recursive: true })
    const second = path.join(data, 'npu/debug_1/graph', path.basename(graph))
    const found = await answerOf(data, 'vc', '-cf', second, '-o', temporaryFolder())
    const [{ right }] = found.results as [{ right: string }]
    expect(right).toContain('debug_1')
  })

  test('of a quantized model: what its op stands for in the script', async () => {
    const quantized = graphOf({
      name: 'net/relu',
      type: 'Relu',
      originals: ['script/relu'],
      output: [{ source: ['script/relu', 0] }],
    })
    const folder = temporaryFolder()
    const array = joined([npyHead(dtypes.float32, [3]), new Uint8Array(Float32Array.of(1, 0.25, 3).buffer)])
    writeFileSync(path.join(folder, 'script_relu.0.1620612600000000.npy'), array)
    const found = await compared([
      '-lt',
      left(),
      '-rt',
      folder,
      '-g',
      graphOf(fused),
      '--quant_fusion_rule_file',
      quantized,
    ])
    expect(told(resultIn(found))).toEqual([
      ['convrelu', 'net/conv,script/relu', 'convrelu:output:0', '0.250000'],
    ])
  })
})

describe('a run that is not there as a whole', () => {
  const copied = (): string => {
    const folder = temporaryFolder()
    cpSync(dump, path.join(folder, 'npu'), { recursive: true })
    cpSync(reference, path.join(folder, 'tf'), { recursive: true })
    return folder
  }

  test('a graph that lies by itself belongs to dumps that have none', async () => {
    const folder = copied()
    mkdirSync(path.join(folder, 'graph'))
    cpSync(graph, path.join(folder, 'graph/ge_proto_00000012_Build.txt'))
    const { out } = await cli(['tf', folder, 'ac', '-c', '-o', temporaryFolder()])
    expect(out).toContain('first error: LeNet/fc/MatMul')
  })

  test('a compare that was asked for and could not be made is not offered again', async () => {
    const { out, err } = await cli(['tf', copied(), 'ac', '-c', '-o', temporaryFolder()])
    expect(err).toContain('there is no graph')
    expect(out).toContain('nothing was compared')
    expect(out).not.toContain('-c makes one')
  })

  test('folders without a graph say so, and that nothing is known of what is read', async () => {
    const { out, err } = await cli(['compare', dump, reference, '-o', temporaryFolder()])
    expect(err).toContain('there is no graph')
    expect(out).toContain('begins in LeNet/fc/MatMul')
    expect(out).toContain('its input.0 could not be compared')
  })

  test('a dump that was cut is told, and what is left is compared', async () => {
    const folder = copied()
    const file = path.join(folder, 'npu/Conv2D.LeNet_conv1_Conv2DLeNet_conv1_Relu.4.5.1620612694000300')
    writeFileSync(file, readFileSync(file).subarray(0, 300))
    const sides = ['-lt', path.join(folder, 'npu'), '-rt', path.join(folder, 'tf'), '-g', graph]
    const { out, err } = await cli(['tf', folder, 'vc', ...sides, '-o', temporaryFolder()])
    expect(err).toContain('ends early: 3,825 bytes are announced, 300 are there')
    expect(out).toContain('LeNet/fc/MatMul')
    const compared = await cli([
      'compare',
      path.join(folder, 'npu'),
      path.join(folder, 'tf'),
      '-o',
      temporaryFolder(),
    ])
    expect(compared.err).toContain('the same is told of 2 more tensors.')
  })

  test('of two runs each line says which it is about', async () => {
    const folder = temporaryFolder()
    cpSync(path.join(net, 'precision_data'), folder, { recursive: true })
    const runs = path.join(folder, 'npu/debug_0/dump')
    cpSync(path.join(runs, '20210510101133'), path.join(runs, '20210511101133'), { recursive: true })
    const { out } = await cli(['compare', folder, '-o', temporaryFolder()])
    expect(out).toContain('(20210510101133, step 0, rank 0)')
    expect(out).toContain('(20210511101133, step 0, rank 0)')
  })

  test('what an operator gave that was not dumped is found where it is read', async () => {
    const folder = temporaryFolder()
    cpSync(path.join(net, 'precision_data'), folder, { recursive: true })
    const run = path.join(folder, 'npu/debug_0/dump')
    for (const file of readdirSync(run, { recursive: true, encoding: 'utf8' }))
      if (path.basename(file).startsWith('MatMul')) rmSync(path.join(run, file))
    const { out } = await cli(['compare', folder, '-o', temporaryFolder()])
    expect(out).toContain('between LeNet/fc/MatMul and LeNet/Softmax')
    expect(out).toMatch(/rows .*, 2 differ,/)
  })

  test('names that were too long are asked after where no list tells what they stand for', async () => {
    const folder = temporaryFolder()
    for (const [i, file] of readdirSync(dump).entries())
      cpSync(path.join(dump, file), path.join(folder, String(i).repeat(32)))
    const { code, err } = await cli(['tf', folder, 'ls'])
    expect([code, err]).toEqual([2, expect.stringContaining('4 files have numbers in place of names')])
  })
})
