// What is found in a folder of a TensorFlow run, whichever part of one was given and however it lies.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { scanTensorFlow, type TensorFlowTree } from '../../../../main/engine/formats/tensorflow/index.ts'
import { unitsOf } from '../../../../main/engine/formats/tensorflow/units.ts'
import { diskFiles } from '../../../../main/engine/io/index.ts'
import { Refusal } from '../../../../main/engine/model/index.ts'
import { job } from '../../../../main/engine/work/index.ts'
import { memoryFiles } from '../../../support/memory-files.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

const drawn = (
  paths: readonly string[],
  text: Readonly<Record<string, string>> = {},
): Record<string, string> => Object.fromEntries(paths.map(file => [`/w/${file}`, text[file] ?? '']))
const scan = (
  root: string,
  paths: readonly string[],
  text?: Readonly<Record<string, string>>,
): Promise<TensorFlowTree> => scanTensorFlow(memoryFiles(drawn(paths, text), [root]), root, job())

const raw = 'MatMulV2.net_fc_MatMul.7.5.1620612694000500'
const record = 'Opdebug.Node_OpDebug.21.5.1620612700000100'
const npy = 'net_fc_MatMul.0.1620612600000000.npy'
const r1 = [
  'precision_data/npu/debug_0/graph/ge_proto_00000012_Build.txt',
  'precision_data/npu/debug_0/graph/ge_proto_00000003_PreRunBegin.txt',
  'precision_data/npu/debug_0/graph/ge_proto_00000012_Build.txt.json',
  `precision_data/npu/debug_0/dump/20210510101133/0/ge_default_1/1/0/${raw}`,
  `precision_data/npu/debug_0/dump/20210510101133/0/ge_default_1/1/5/${raw}`,
  `precision_data/npu/debug_0/dump/20210510101133/1/ge_default_1/1/0/${raw}`,
  `precision_data/npu/debug_0/dump/20210511000000/0/ge_default_2/11/0/${raw}`,
  'precision_data/npu/debug_0/dump/20210511000000/0/ge_default_2/11/0/a.csv',
  `precision_data/npu/debug_1/dump/20210512000000/0/ge_default_1/1/0/${raw}`,
  `precision_data/overflow/dump/20210510102000/0/ge_default_1/1/0/${record}`,
  `precision_data/overflow/dump/20210510102000/0/ge_default_1/1/0/${raw}`,
  'precision_data/fusion/fusion_result.json',
  `precision_data/tf/dump/${npy}`,
  'precision_data/tf/graph/model.meta',
  'precision_data/tf/tf_debug/run_1/_tfdbg_device_,job_localhost/net/fc/MatMul_0_DebugIdentity_1620612600000000',
  `precision_data/temp/decode/dump_decode/0/${raw}.output.0.npy`,
  'precision_data/temp/vector_compare/20210601000000/result_20210601000000.csv',
  'precision_data/temp/vector_compare/20210602000000/result_20210602000000.csv',
  'precision_data/npu/debug_0/prof/data.bin',
  'readme.md',
]

/** A tree in a few words. */
const told = ({ layout, base, npu, reference, overflow }: TensorFlowTree): unknown => ({
  layout,
  base,
  npu: npu.map(({ name, graphs, runs }) => [
    name,
    graphs.map(graph => graph.name),
    runs.map(run => [run.name, run.folders.map(at => [at.device, at.graph, at.model, at.step].join(' '))]),
  ]),
  reference: reference.map(folder => folder.files.length),
  overflow: overflow.map(run => [run.name, run.folders.map(folder => folder.files.length)]),
})

describe('precision_tool as it was published last', () => {
  const whole = {
    layout: 'r1',
    base: '/w/precision_data',
    npu: [
      [
        'debug_0',
        ['ge_proto_00000003_PreRunBegin.txt', 'ge_proto_00000012_Build.txt'],
        [
          ['20210511000000', ['0 ge_default_2 11 0']],
          ['20210510101133', ['0 ge_default_1 1 0', '0 ge_default_1 1 5', '1 ge_default_1 1 0']],
        ],
      ],
      ['debug_1', [], [['20210512000000', ['0 ge_default_1 1 0']]]],
    ],
    reference: [1],
    overflow: [['20210510102000', [2]]],
  }

  it.each(['/w/precision_data', '/w'])('is found from %s', async root => {
    const tree = await scan(root, r1)
    expect(told(tree)).toEqual(whole)
    expect(tree.fusion).toHaveLength(1)
    expect(tree.metas).toHaveLength(1)
    expect(tree.decoded[0]?.files).toEqual([`${raw}.output.0.npy`])
    expect(tree.results.map(run => run.files[0])).toEqual([
      'result_20210602000000.csv',
      'result_20210601000000.csv',
    ])
    expect(tree.debuggerRuns).toEqual(['/w/precision_data/tf/tf_debug/run_1'])
    expect(tree.problems).toEqual([])
  })

  it('is known from any part of it', async () => {
    const leaf = '/w/precision_data/npu/debug_0/dump/20210510101133/0/ge_default_1'
    const tree = await scan(leaf, r1)
    expect(told(tree)).toEqual({
      layout: 'r1',
      base: '/w/precision_data',
      npu: [['debug_0', [], [['20210510101133', ['0 ge_default_1 1 0', '0 ge_default_1 1 5']]]]],
      reference: [],
      overflow: [],
    })
    expect(tree.problems.map(({ code }) => code)).toEqual(['tf-no-graph', 'tf-no-reference'])
    const deepest = await scan(`${leaf}/1/5`, r1)
    expect(deepest.npu[0]?.runs[0]?.folders[0]).toMatchObject({ device: 0, graph: 'ge_default_1', step: 5 })
    expect(told(await scan('/w/precision_data/npu/debug_0', r1))).toMatchObject({ npu: [whole.npu[0]] })
    expect(told(await scan('/w/precision_data/tf/dump', r1))).toMatchObject({ npu: [], reference: [1] })
    expect((await scan('/w/precision_data/overflow', r1)).overflow).toHaveLength(1)
    expect((await scan('/w/precision_data/fusion', r1)).fusion).toHaveLength(1)
  })
})

describe('other layouts', () => {
  it('of 2021 keep graphs and dumps of one side apart', async () => {
    const tree = await scan('/w/precision_data', [
      'precision_data/graph/all/ge_proto_00000012_Build.txt',
      'precision_data/graph/last/ge_proto_00000012_Build.txt',
      'precision_data/graph/json/ge_proto_00000012_Build.txt.json',
      'precision_data/graph/cpu/model.meta',
      `precision_data/dump/npu/all/20210510101133/0/ge_default_1/1/0/${raw}`,
      `precision_data/dump/overflow/20210510102000/0/ge_default_1/1/0/${record}`,
      `precision_data/dump/cpu/${npy}`,
      `precision_data/dump/decode/${raw}.output.0.npy`,
      'precision_data/dump/vector/compare/result_1.csv',
    ])
    expect(told(tree)).toEqual({
      layout: 'r0',
      base: '/w/precision_data',
      npu: [
        ['precision_data', ['ge_proto_00000012_Build.txt'], [['20210510101133', ['0 ge_default_1 1 0']]]],
      ],
      reference: [1],
      overflow: [['20210510102000', [1]]],
    })
    expect([tree.metas.length, tree.decoded.length, tree.results.length]).toEqual([1, 1, 1])
  })

  it('of msquickcmp have the graph as JSON', async () => {
    const tree = await scan(
      '/w/out',
      [
        'out/20220101000000/model/net.json',
        `out/20220101000000/dump_data/npu/20220101000100/0/net/1/0/${raw}`,
        `out/20220101000000/dump_data/tf/${npy}`,
        'out/20220101000000/result_20220101.csv',
      ],
      { 'out/20220101000000/model/net.json': '{"name": "net", "graph": [{}]}' },
    )
    expect(told(tree)).toEqual({
      layout: 'msquickcmp',
      base: '/w/out/20220101000000',
      npu: [['20220101000000', ['net.json'], [['20220101000100', ['0 net 1 0']]]]],
      reference: [1],
      overflow: [],
    })
  })

  it('that nobody knows: each dump stands for itself, the graph goes to the nearest', async () => {
    const tree = await scan(
      '/w/mine',
      [
        `mine/a/20210510101133/0/g/1/0/${raw}`,
        'mine/a/ge_proto_00000001_Build.txt',
        `mine/b/${raw}`,
        `mine/cpu/${npy}`,
        `mine/over/${record}`,
        'mine/b/graph_of_mine.json',
        'mine/settings.json',
      ],
      { 'mine/b/graph_of_mine.json': '{"graph": []}', 'mine/settings.json': '{"a": 1}' },
    )
    expect(told(tree)).toEqual({
      layout: 'loose',
      base: '/w/mine',
      npu: [
        ['a', ['ge_proto_00000001_Build.txt'], [['20210510101133', ['0 g 1 0']]]],
        ['b', ['graph_of_mine.json'], [['', ['   ']]]],
      ],
      reference: [1],
      overflow: [['', [1]]],
    })
  })
})

describe('names', () => {
  it('that were too long are found by their table, and never by chance', async () => {
    const tree = await scan(
      '/w/dump',
      ['dump/123456789', 'dump/987654321', 'dump/mapping.csv', `dump/${raw}`],
      { 'dump/mapping.csv': `123456789,Add.${'x'.repeat(300)}.1.2.1620612694000500\r\n42,gone\nbroken\n` },
    )
    const folder = tree.npu[0]?.runs[0]?.folders[0]
    expect(folder?.files).toEqual(['123456789', raw])
    expect(folder?.renamed.map(([file]) => file)).toEqual(['123456789'])
  })
})

describe('folders that hold', () => {
  it('nothing of a run are refused', async () => {
    await expect(scan('/w', ['readme.md', 'a/b.npy'])).rejects.toThrow(Refusal)
  })

  it('links that go round, or lead away, are walked once or left alone', async () => {
    const root = temporaryFolder()
    const away = temporaryFolder()
    const dump = path.join(root, 'precision_data/dump/npu/all/20210510101133/0/ge_default_1/1/0')
    mkdirSync(dump, { recursive: true })
    writeFileSync(path.join(dump, raw), '')
    writeFileSync(path.join(away, raw), '')
    symlinkSync(
      path.join(root, 'precision_data/dump/npu/all'),
      path.join(root, 'precision_data/dump/npu/current'),
    )
    symlinkSync(root, path.join(dump, 'round'))
    symlinkSync(away, path.join(root, 'away'))
    symlinkSync(path.join(root, 'nowhere'), path.join(root, 'broken'))
    const files = diskFiles()
    files.allow(root)
    const tree = await scanTensorFlow(files, root, job())
    expect(tree.npu.flatMap(side => side.runs.flatMap(run => run.folders.map(at => at.path)))).toEqual([dump])
    expect(tree.problems.map(({ code }) => code).toSorted()).toEqual([
      'not-found',
      'outside-root',
      'tf-no-graph',
      'tf-no-reference',
    ])
  })
})

describe('sides of a comparison', () => {
  const benchesOf = async (...paths: readonly string[]): Promise<readonly (string | undefined)[]> => {
    const tree = await scan('/w', paths)
    return unitsOf([{ tree, graphs: [] }]).parts.map(({ bench }) => bench?.path)
  }

  it('are folders beside each other, and not what lies inside of one', async () => {
    expect(await benchesOf(`a/${raw}`, `b/${raw}`)).toEqual(['/w/b'])
    expect(await benchesOf(raw, `broken/${raw}`)).toEqual([undefined])
  })
})
