// The command line as a person and as a script use it: msprobe's own command lines, formats, exit codes, and
// everything it refuses.
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { parseCsv, readXlsx } from 'hucre'
import { parquetReadObjects } from 'hyparquet'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { build } from '../../.ci/build.mjs'
import { openEngine } from '../../main/engine/doors/window/index.ts'
import { g16 } from '../../main/engine/python/numpy.ts'
import { sentences } from '../../main/sentences.ts'
import { cli } from '../support/cli.ts'
import { fixturesRoot } from '../support/fixtures.ts'

const root = fixturesRoot()
const dump = (name: string, rest = 'step0/rank'): string => path.join(root, 'dumps', name, rest)
const [debug, bench] = [dump('ms_lenet_w_conv2_statistics_mix'), dump('ms_lenet_none_statistics_mix')]
const project = path.resolve(import.meta.dirname, '../..')

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'plumbline-cli-'))
})

const put = (name: string, content: unknown): string => {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}
const single = {
  npu_path: path.join(debug, 'dump.json'),
  bench_path: path.join(bench, 'dump.json'),
  stack_path: path.join(debug, 'stack.json'),
  is_print_compare_log: true,
}
const names = (dir: string): string[] =>
  existsSync(dir)
    ? readdirSync(dir)
        .map(name => name.replace(/\d{14}/, 'TIME'))
        .sort()
    : []

describe("msprobe's command lines, with the name replaced", () => {
  let built = ''
  beforeAll(() => {
    build()
    built = mkdtempSync(path.join(tmpdir(), 'plumbline-built-'))
    cpSync(path.join(project, 'out/main'), path.join(built, 'main'), { recursive: true })
  }, 240_000)
  const apiYaml =
    'ms_api: Functional.abs\npt_api: Torch.abs\nms_args:\n- 0\npt_args:\n- 0\nms_outputs:\n- 0\npt_outputs:\n- 0\n'
  const files: Readonly<Record<string, string>> = {
    'api_mapping.yaml': apiYaml,
    'cell_mapping.yaml': 'fc2.Dense: fc2.Linear\nconv1.Conv2d: conv3.Conv2d\n',
    'data_mapping.yaml': 'Functional.relu.0.forward.input.0: Functional.relu.0.forward.input.0\n',
    'layer_mapping.yaml':
      "ParallelAttention:\n  qkv_proj: query_key_value\nCell:\n  network_with_loss: module\nlayers:\n  '5': '0'\n",
  }
  const ran = (line: string): Promise<{ code: number; said: string }> =>
    new Promise(resolve => {
      execFile(
        process.execPath,
        [path.join(built, 'main/cli.js'), ...line.split(' ')],
        { cwd: folder, env: { PATH: process.env['PATH'], LANG: 'C' } },
        (error, stdout, stderr) =>
          resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: stdout + stderr }),
      )
    })

  it.each([
    ['-f mindspore compare -i ./compare.json -o ./output -s', 'ms_lenet_none_statistics_mix'],
    ['-f mindspore compare -i ./compare.json -o ./output', 'ms_lenet_none_statistics_mix'],
    [
      '-f mindspore compare --input_path ./compare.json --output_path ./output --stack_mode --compare_only --fuzzy_match',
      'ms_lenet_none_statistics_mix',
    ],
    ['-f mindspore compare -i ./compare.json -o ./output -s -am', 'pt_lenet_none_statistics_mix'],
    [
      '-f mindspore compare -i ./compare.json -o ./output -s -am api_mapping.yaml',
      'pt_lenet_none_statistics_mix',
    ],
    ['-f mindspore compare -i ./compare.json -o ./output -s -cm', 'pt_lenet_none_statistics_mix'],
    [
      '-f mindspore compare -i ./compare.json -o ./output -s -cm cell_mapping.yaml',
      'pt_lenet_none_statistics_mix',
    ],
    [
      '-f mindspore compare -i ./compare.json -o ./output -s -dm data_mapping.yaml',
      'pt_lenet_none_statistics_mix',
    ],
    [
      '-f mindspore compare -i ./compare.json -o ./output -s -lm layer_mapping.yaml',
      'pt_lenet_none_statistics_mix',
    ],
  ])('%s', async (line, other) => {
    cpSync(debug, path.join(folder, 'npu_dump'), { recursive: true })
    cpSync(dump(other), path.join(folder, 'bench_dump'), { recursive: true })
    put('compare.json', {
      npu_path: './npu_dump/dump.json',
      bench_path: './bench_dump/dump.json',
      stack_path: './npu_dump/stack.json',
      is_print_compare_log: true,
    })
    for (const [name, text] of Object.entries(files)) put(name, text)
    const { code, said } = await ran(line)
    expect(said).not.toContain('error')
    expect(code).toBe(0)
    expect(names(path.join(folder, 'output'))).toContain('compare_result_TIME.xlsx')
    expect(names(path.join(folder, 'output')).includes('advisor_TIME.txt')).toBe(
      !line.includes('compare_only'),
    )
    expect(names(path.join(folder, 'output')).includes('data_mapping_TIME.yaml')).toBe(line.includes('-lm'))
  })

  it('-f mindspore graph -i ./compare.json -o ./output', async () => {
    put('compare.json', { npu_path: debug, bench_path: bench, is_print_compare_log: true })
    expect((await ran('-f mindspore graph -i ./compare.json -o ./output')).code).toBe(0)
    expect(names(path.join(folder, 'output'))).toEqual(['compare_TIME.vis'])
    put('compare.json', { npu_path: debug, is_print_compare_log: true })
    expect((await ran('-f mindspore graph -i ./compare.json -o ./one')).code).toBe(0)
    expect(names(path.join(folder, 'one'))).toEqual(['build_TIME.vis'])
  })

  it('several cards, with the remarks that the documents show', async () => {
    put(
      'compare.json',
      `{\n"npu_path": "${dump('pt_tp_4ranks_rank2_w', 'step0')}", # the level of the steps\n"bench_path": "${dump('pt_tp_4ranks_none', 'step0')}", # the same\n"is_print_compare_log": true\n}`,
    )
    expect((await ran('-f pytorch compare -i ./compare.json -o ./output')).code).toBe(0)
    expect(names(path.join(folder, 'output'))).toEqual(
      [0, 1, 2, 3]
        .flatMap(rank => [
          `advisor_rank${rank}-rank${rank}_TIME.txt`,
          `compare_result_rank${rank}-rank${rank}_TIME.xlsx`,
        ])
        .sort(),
    )
  })

  it('ends with 130 and nothing written when it is interrupted', async () => {
    const stop = new AbortController()
    stop.abort()
    const { code, err } = await cli(['compare', debug, bench, '-o', path.join(folder, 'out')], {
      signal: stop.signal,
    })
    expect(code).toBe(130)
    expect(err).toContain('nothing was written')
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('two paths', () => {
  it.each([
    ['rank folders', debug, bench, ['advisor_TIME.txt', 'compare_result_TIME.xlsx']],
    [
      'dump.json files',
      path.join(debug, 'dump.json'),
      path.join(bench, 'dump.json'),
      ['advisor_TIME.txt', 'compare_result_TIME.xlsx'],
    ],
    ['a dump with itself', debug, debug, ['advisor_TIME.txt', 'compare_result_TIME.xlsx']],
    [
      'whole dumps of two steps',
      dump('ms_lenet_w_conv2_statistics_mix', ''),
      dump('ms_lenet_none_statistics_mix', ''),
      [0, 1].flatMap(step => [
        `advisor_step${step}_rank-rank_TIME.txt`,
        `compare_result_step${step}_rank-rank_TIME.xlsx`,
      ]),
    ],
  ])('%s', async (_, a, b, files) => {
    const { code } = await cli(['compare', a, b, '-o', path.join(folder, 'out')])
    expect(code).toBe(0)
    expect(names(path.join(folder, 'out'))).toEqual([...files].sort())
  })

  it('of two frameworks meet by the built-in API table, as in the window', async () => {
    const matched = async (...words: string[]): Promise<number> => {
      const { counts } = JSON.parse(
        (await cli(['compare', ...words, '-c', '--json', '-o', path.join(folder, 'out')])).out,
      ) as { counts: { rows: number; unmatchedDebug: number } }
      return counts.rows - counts.unmatchedDebug
    }
    const [ms, pt] = [dump('ms_tr_none_statistics_mix'), dump('pt_tr_none_statistics_mix')]
    const plain = put('compare.json', {
      npu_path: path.join(ms, 'dump.json'),
      bench_path: path.join(pt, 'dump.json'),
    })
    expect(await matched(ms, pt)).toBe(await matched(ms, pt, '-am'))
    expect(await matched('-i', plain)).toBeLessThan(await matched(ms, pt))
  })

  it('keep the order in which they are named', async () => {
    const { out } = await cli(['compare', bench, debug, '--json', '-c', '-o', path.join(folder, 'out')])
    expect((JSON.parse(out) as { units: { debug: string }[] }).units[0].debug).toBe(
      path.join(bench, 'dump.json'),
    )
  })
})

describe('formats', () => {
  it('hold the same cells', async () => {
    const out = path.join(folder, 'out')
    expect(
      (await cli(['compare', debug, bench, '-c', '--format', 'xlsx,csv,arrow,parquet', '-o', out])).code,
    ).toBe(0)
    const of = (ending: string): Buffer =>
      readFileSync(path.join(out, readdirSync(out).find(name => name.endsWith(ending)) ?? ''))
    const sheet = (await readXlsx(of('.xlsx'))).sheets[0].rows
    const texts = (cell: unknown): string => String(cell ?? '')
    expect(parseCsv(of('.csv').toString()).map(row => row.map(texts))).toEqual(
      sheet.map(row => row.map(cell => (typeof cell === 'number' ? g16(cell) : texts(cell)))),
    )
    const arrow = tableFromIPC(of('.arrow'))
    expect(arrow.numRows).toBe(sheet.length - 1)
    expect(arrow.schema.metadata.get('rules')).toBe('plumbline')
    const bytes = of('.parquet')
    const rows = await parquetReadObjects({
      file: {
        byteLength: bytes.length,
        slice: (from, to) => Promise.resolve(new Uint8Array(bytes.subarray(from, to)).slice().buffer),
      },
    })
    expect(rows).toHaveLength(sheet.length - 1)
    for (const row of [0, 46, 47, 100]) {
      expect(arrow.get(row)?.toJSON()['debugName']).toBe(sheet[row + 1][0])
      expect(rows[row]['debugName']).toBe(sheet[row + 1][0])
      expect(rows[row]['debugMax']).toBe(arrow.get(row)?.toJSON()['debugMax'])
      expect(Number(Number(rows[row]['debugMax']).toPrecision(16))).toBe(
        sheet[row + 1][sheet[0].indexOf('NPU max')],
      )
    }
  })

  it('the app writes the same csv, byte for byte', async () => {
    await cli(['compare', debug, bench, '-c', '--format', 'csv', '-o', path.join(folder, 'cli')])
    const engine = openEngine({ cacheDir: '', emit() {}, words: sentences })
    const never = new AbortController().signal
    const opened = await engine.open({ paths: [debug, bench] }, never)
    if (!opened.ok) throw new Error(opened.problem.code)
    const { session } = opened.value
    const written = await engine.write(
      { session, unit: 0, format: 'csv', folder: path.join(folder, 'app'), language: 'en' },
      never,
    )
    if (!written.ok) throw new Error(written.problem.code)
    await engine.close({ session }, never)
    const mine = path.join(folder, 'cli', readdirSync(path.join(folder, 'cli'))[0])
    expect(readFileSync(written.value.paths[0]).equals(readFileSync(mine))).toBe(true)
  })

  it("leave our own columns out where msprobe's exact file is wanted", async () => {
    const titles = async (rules: string): Promise<string[]> => {
      const out = path.join(folder, rules)
      await cli(['compare', debug, bench, '-c', '--format', 'csv', '--rules', rules, '-o', out])
      return readFileSync(path.join(out, readdirSync(out)[0]), 'utf8')
        .split('\n')[0]
        .split(',')
    }
    const exact = await titles('msprobe-1.2.2')
    expect(exact.at(-1)).toBe('NPU_Stack_Info')
    expect((await titles('plumbline')).slice(0, exact.length)).toEqual(exact)
  })
})

describe('what scripts read', () => {
  it('--json tells counts, the first failing node and the files, and nothing else on stdout', async () => {
    const { code, out, err } = await cli(['compare', debug, bench, '--json', '-o', path.join(folder, 'out')])
    const summary = JSON.parse(out) as {
      version: number
      rules: string
      counts: { rows: number; differs: number }
      first: { row: number; node: string }
      files: string[]
      findings: { node: string }[]
      units: { made: { node: string; arrived: number; made: number; out: number; way: string }[] }[]
    }
    expect(code).toBe(0)
    expect(err).toBe('')
    const { made } = summary.units[0]!
    expect(made[0]?.node).toMatch(/conv2/i)
    expect(made.every(one => one.out > 0 && one.made <= one.out)).toBe(true)
    expect(made.some(({ arrived }) => arrived > 0)).toBe(true)
    expect(summary).toMatchObject({
      version: 1,
      rules: 'plumbline',
      counts: { rows: 209, unmatchedDebug: 0 },
    })
    expect(summary.counts.differs).toBeGreaterThan(0)
    expect(summary.files.every(file => existsSync(file))).toBe(true)
    const advisor = readFileSync(summary.files.find(file => file.includes('advisor')) ?? '', 'utf8').split(
      '\n',
    )
    expect(advisor.slice(0, 2)).toEqual([
      `Line: ${summary.first.row}`,
      `Suspect Nodes: ${summary.first.node}`,
    ])
    expect(summary.findings[0].node).toMatch(/conv2/i)
  })

  it('advise writes nothing and names where the difference enters', async () => {
    const { code, out } = await cli(['advise', debug, bench, '--json'])
    expect((await cli(['advise', debug, bench])).out).not.toContain('written: ')
    expect(code).toBe(0)
    expect(
      (JSON.parse(out) as { findings: { node: string; rank: number | null }[] }).findings[0],
    ).toMatchObject({ node: expect.stringMatching(/conv2/i) as string, rank: null })
    expect(readdirSync(folder)).toEqual([])
    const same = await cli(['advise', bench, bench, '--json'])
    expect((JSON.parse(same.out) as { findings: unknown[] }).findings).toEqual([])
  })

  it.each([
    [['--fail-on', 'error'], debug, 1],
    [['--fail-on', 'warning'], debug, 1],
    [[], debug, 0],
    [['--fail-on', 'error'], bench, 0],
    [['--fail-on', 'warning'], bench, 0],
  ])('%j of %s ends with %i', async (words, side, code) => {
    expect((await cli(['compare', side, bench, '-c', '-o', path.join(folder, 'out'), ...words])).code).toBe(
      code,
    )
  })

  it('--quiet is quiet, help speaks both languages, NO_COLOR and pipes have no colours', async () => {
    expect(await cli(['compare', debug, bench, '-c', '--quiet', '-o', path.join(folder, 'out')])).toEqual({
      code: 0,
      out: '',
      err: '',
    })
    expect((await cli(['--help'])).out).toContain('usage: plumbline')
    expect((await cli(['compare', '--help', '--lang', 'zh'])).out).toContain('用法')
    expect((await cli(['--help'], { env: { LC_ALL: 'zh_CN.UTF-8' } })).out).toContain('用法')
    expect((await cli(['--version'])).out).toBe('1.2.3\n')
    expect((await cli(['compare', 'x'], { terminal: true })).err).toContain('\u001b[31m')
    for (const bare of [
      await cli(['compare', 'x']),
      await cli(['compare', 'x'], { terminal: true, env: { NO_COLOR: '1' } }),
      await cli(['compare', 'x', '--no-color'], { terminal: true }),
    ])
      expect(bare.err).not.toContain('\u001b')
  })

  it('shows a bar on a terminal only', async () => {
    const shown = await cli(['compare', debug, bench, '-c', '-o', path.join(folder, 'out')], {
      terminal: true,
    })
    expect(shown.err).toContain('%')
    expect(shown.out).not.toContain('\u001b')
  })
})

describe('kernel dumps', () => {
  const kernel = (side: string): string => path.join(root, 'kernel', side)
  it('give one table per rank and step', async () => {
    const file = put('compare.json', {
      npu_path: kernel('npu_npy'),
      bench_path: kernel('bench_npy'),
      rank_id: [1],
      step_id: [],
    })
    const { code, err } = await cli([
      '-f',
      'mindspore',
      'compare',
      '-i',
      file,
      '-o',
      path.join(folder, 'out'),
      '-s',
    ])
    expect(code).toBe(0)
    expect(err).toContain('had no effect')
    expect(names(path.join(folder, 'out'))).toEqual([
      'compare_result_1_0_TIME.xlsx',
      'compare_result_1_1_TIME.xlsx',
    ])
  })

  it('of different kinds are refused by us and left out by msprobe', async () => {
    const file = put('compare.json', {
      npu_path: kernel('npu_npy'),
      bench_path: kernel('bench_stat'),
      rank_id: [],
      step_id: [],
    })
    expect((await cli(['compare', '-i', file, '-o', path.join(folder, 'out')])).code).toBe(2)
    expect(
      (await cli(['compare', '-i', file, '-o', path.join(folder, 'out'), '--rules', 'msprobe-1.2.2'])).code,
    ).toBe(0)
    expect(existsSync(path.join(folder, 'out'))).toBe(false)
  })
})

/** Counts as --json tells them, and the headline. */
interface Told {
  readonly counts?: { readonly rows: number; readonly differs: number }
  readonly units: readonly { readonly step: number | null; readonly rank: number | null }[]
  readonly findings: readonly { readonly node: string }[]
}
const told = async (...words: string[]): Promise<Told> => {
  const { code, out, err } = await cli([...words, '--json'])
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out) as Told
}

describe('what the window opens, the command line opens', () => {
  const out = (name: string): string => path.join(folder, name)
  const written = (name: string): string => path.join(out(name), readdirSync(out(name))[0])

  it.each(['xlsx', 'csv'])('a finished %s', async format => {
    const first = await told('compare', debug, bench, '-c', '--format', format, '-o', out('first'))
    const again = await told('compare', written('first'), '-c', '-o', out('again'))
    expect(again.counts?.rows).toBe(first.counts?.rows)
    // A table holds fewer digits than the dumps, and no bytes.
    expect([again.counts?.differs === 0, first.counts?.differs === 0]).toEqual([false, false])
    expect((await told('advise', written('first'))).findings[0].node).toMatch(/conv2/i)
  })

  it('a graph file', async () => {
    await told('graph', debug, bench, '-o', out('graph'))
    expect((await told('advise', written('graph'))).findings[0].node).toMatch(/conv2/i)
    expect((await told('compare', written('graph'), '-o', out('again'))).counts?.differs).toBeGreaterThan(0)
  })

  it('a database of several ranks, each with files of its own', async () => {
    const [a, b] = [dump('pt_tp_4ranks_rank2_w', 'step0'), dump('pt_tp_4ranks_none', 'step0')]
    await told('graph', a, b, '--format', 'vis.db', '-o', out('graph'))
    const { units } = await told('compare', written('graph'), '-c', '--format', 'csv', '-o', out('again'))
    expect(units.map(unit => unit.rank)).toEqual([0, 1, 2, 3])
    expect(names(out('again'))).toEqual([0, 1, 2, 3].map(rank => `compare_result_step0_rank${rank}_TIME.csv`))
  })

  it('two tensors, and no one alone', async () => {
    const tensors = path.join(dump('ms_lenet_w_conv2_tensor_mix'), 'dump_tensor_data')
    const [file] = readdirSync(tensors).filter(name => /conv2d.*output.*\.npy$/i.test(name))
    const other = path.join(dump('ms_lenet_none_tensor_mix'), 'dump_tensor_data', file)
    const { counts } = await told('compare', path.join(tensors, file), other, '-c', '-o', out('pair'))
    expect(counts?.rows).toBe(1)
    expect((await cli(['compare', path.join(tensors, file)])).err).toContain('two dumps')
  })
})

describe('merge_result', () => {
  it('puts the metrics of the ranks side by side', async () => {
    const [a, b] = [dump('pt_tp_4ranks_rank2_w', 'step0'), dump('pt_tp_4ranks_none', 'step0')]
    const json = put('compare.json', { npu_path: a, bench_path: b })
    await cli(['compare', '-i', json, '-c', '-o', path.join(folder, 'ranks'), '--rules', 'msprobe-1.2.2'])
    const config = put(
      'config.yaml',
      'api:\n- Functional.linear\ncompare_index:\n- Max diff\n- MaxRelativeErr\n',
    )
    const { code, err } = await cli([
      'merge_result',
      '-i',
      path.join(folder, 'ranks'),
      '-o',
      path.join(folder, 'merged'),
      '-config',
      config,
    ])
    expect(err).toBe('')
    expect(code).toBe(0)
    const [file] = readdirSync(path.join(folder, 'merged'))
    expect(file).toMatch(/^multi_ranks_compare_merge_\d{14}\.xlsx$/)
    const { sheets } = await readXlsx(readFileSync(path.join(folder, 'merged', file)))
    expect(sheets.map(sheet => sheet.name)).toEqual(['Max diff', 'MaxRelativeErr'])
    expect(sheets[0].rows[0]).toEqual(['NPU Name', 'rank0', 'rank1', 'rank2', 'rank3'])
    expect(sheets[0].rows.length).toBeGreaterThan(10)
  })

  it('refuses what it cannot merge', async () => {
    const config = put('config.yaml', 'api:\n- Functional.linear\n')
    mkdirSync(path.join(folder, 'none'))
    expect(
      (
        await cli([
          'merge_result',
          '-i',
          path.join(folder, 'none'),
          '-o',
          path.join(folder, 'out'),
          '-config',
          config,
        ])
      ).code,
    ).toBe(2)
    expect(
      (await cli(['merge_result', '-i', path.join(folder, 'none'), '-o', path.join(folder, 'out')])).err,
    ).toContain('-config')
    expect(existsSync(path.join(folder, 'out'))).toBe(false)
  })
})

describe('map', () => {
  const [ms, pt] = [dump('ms_lenet_none_statistics_mix'), dump('pt_lenet_none_statistics_mix')]

  it('proposes a mapping that compare takes and check finds nothing wrong with', async () => {
    const file = path.join(folder, 'cells.yaml')
    const proposed = await cli(['map', 'propose', ms, pt, '--kind', 'cell', '-o', file])
    expect(proposed.code).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('network.fc1.Dense: network.fc1.Linear')
    const checked = await cli(['map', 'check', file, ms, pt])
    expect(checked).toMatchObject({ code: 0, err: '' })
    expect(checked.out).toContain('nothing to complain about')
    expect(
      (await cli(['-f', 'mindspore', 'compare', ms, pt, '-c', '-cm', file, '-o', path.join(folder, 'out')]))
        .code,
    ).toBe(0)
    const shown = await cli(['map', 'propose', ms, pt, '--kind', 'cell', '--score', '1'])
    expect(shown.out.trim()).toBe('')
    expect(shown.err).toContain('left out')
  })

  it('says what is wrong and where, by exit code too', async () => {
    const file = put(
      'api.yaml',
      'ms_api: Functional.relu\npt_api: Functional.relu\nms_args: [0, 1]\npt_args: [0]\n',
    )
    const { code, out } = await cli(['map', 'check', file, ms, pt])
    expect(code).toBe(1)
    expect(out).toMatch(/api\.yaml:3:\d+: error: The lists of args have 2 and 1 entries/)
    expect((await cli(['map', 'check', put('bad.yaml', 'a: [1'), '--kind', 'cell'])).code).toBe(1)
    expect(JSON.parse((await cli(['map', 'check', file, '--json'])).out)).toMatchObject({
      version: 1,
      kind: 'api',
    })
  })

  it('refuses what it cannot understand', async () => {
    for (const words of [
      ['map'],
      ['map', 'check'],
      ['map', 'check', 'a.yaml', ms],
      ['map', 'propose', ms, pt],
      ['map', 'propose', ms, '--kind', 'cell'],
      ['map', 'propose', ms, pt, '--kind', 'cell', '-o', 'x.txt'],
    ])
      expect((await cli(words)).code).toBe(2)
  })
})

/**
 * Everything that msprobe refuses, and what we add: one sentence that names the file and what to do, nothing
 * written.
 */
describe('refusals', () => {
  const kernels = (): string => path.join(root, 'kernel', 'npu_npy')
  const json = (content: unknown) => (): string[] => ['-i', put('compare.json', content)]
  const ranks = (sides: readonly (readonly string[])[]) => (): string[] => {
    sides.forEach((list, side) =>
      list.forEach(name =>
        put(path.join(`side${side}`, name), readFileSync(path.join(debug, 'dump.json'), 'utf8')),
      ),
    )
    return json({ npu_path: path.join(folder, 'side0'), bench_path: path.join(folder, 'side1') })()
  }
  const table: readonly (readonly [string, () => readonly string[], readonly string[]])[] = [
    ['no compare.json', () => ['-i', path.join(folder, 'none.json')], ['none.json', 'does not exist']],
    ['broken compare.json', json('{"npu_path": '), ['compare.json', 'not valid JSON']],
    ['a list in place of an object', json('[]'), ['compare.json', 'one object']],
    ['no npu_path', json({ bench_path: single.bench_path }), ['compare.json', '"npu_path"']],
    ['empty bench_path', json({ ...single, bench_path: '' }), ['compare.json', '"bench_path"']],
    [
      'a path that is not there',
      json({ ...single, npu_path: '/no/such/dump.json' }),
      ['/no/such/dump.json', 'does not exist'],
    ],
    [
      'a file against a folder',
      json({ ...single, bench_path: bench }),
      ['compare.json', 'a file on one side'],
    ],
    [
      'a file of another name',
      json({ ...single, npu_path: path.join(debug, 'stack.json') }),
      ['stack.json', 'no msprobe dump'],
    ],
    [
      'text in place of a boolean',
      json({ ...single, is_print_compare_log: 'true' }),
      ['compare.json', 'is_print_compare_log'],
    ],
    [
      '-s without stack_path',
      () => [...json({ npu_path: single.npu_path, bench_path: single.bench_path })(), '-s'],
      ['compare.json', 'stack_path', 'leave -s out'],
    ],
    [
      '-s with a stack_path that is not there',
      () => [...json({ ...single, stack_path: '/no/stack.json' })(), '-s'],
      ['/no/stack.json', 'does not exist'],
    ],
    [
      'sides of different tasks',
      json({ ...single, bench_path: path.join(dump('ms_lenet_none_tensor_mix'), 'dump.json') }),
      ['dump.json', 'same task'],
    ],
    [
      'md5 against none',
      json({ ...single, bench_path: path.join(dump('ms_lenet_none_md5_mix'), 'dump.json') }),
      ['dump.json', 'summary_mode'],
    ],
    [
      'two mappings',
      () => [...json(single)(), '-am', '-cm'],
      ['--api_mapping, --cell_mapping', 'one of them'],
    ],
    [
      'a mapping with another ending',
      () => [...json(single)(), '-am', put('map.txt', '')],
      ['map.txt', '.yaml'],
    ],
    [
      'a mapping that is not there',
      () => [...json(single)(), '-dm', path.join(folder, 'none.yaml')],
      ['none.yaml', 'does not exist'],
    ],
    [
      'a mapping that is no yaml',
      () => [...json(single)(), '-dm', put('bad.yaml', 'a: [1, 2')],
      ['bad.yaml', 'line 1'],
    ],
    [
      'an api mapping for PyTorch',
      () => [
        ...json({ ...single, npu_path: path.join(dump('pt_lenet_none_statistics_mix'), 'dump.json') })(),
        '-am',
      ],
      ['dump.json', 'pytorch'],
    ],
    [
      'unequal numbers of ranks',
      ranks([['rank0/dump.json', 'rank1/dump.json'], ['rank2/dump.json']]),
      ['side0', 'side1', 'same number'],
    ],
    [
      'a rank without dump.json',
      ranks([['rank0/dump.json'], ['rank0/other.json']]),
      ['side1', 'no msprobe dump'],
    ],
    [
      'kernel lists that are none',
      json({ npu_path: root, bench_path: root, rank_id: 'all' }),
      ['compare.json', 'rank_id', 'list'],
    ],
    [
      'kernels of PyTorch',
      () => ['-i', put('compare.json', { npu_path: kernels(), bench_path: kernels(), rank_id: [] })],
      ['compare.json', 'MindSpore alone'],
    ],
    [
      'half a dump.json',
      () =>
        json({
          ...single,
          npu_path: put('half/dump.json', readFileSync(path.join(debug, 'dump.json'), 'utf8').slice(0, 5000)),
        })(),
      ['half/dump.json', 'ends in the middle'],
    ],
    [
      'an empty dump',
      () =>
        json({
          ...single,
          npu_path: put('empty/dump.json', {
            task: 'statistics',
            level: 'mix',
            framework: 'mindspore',
            data: {},
          }),
        })(),
      ['empty/dump.json'],
    ],
    [
      'nothing in common',
      () =>
        json({
          ...single,
          npu_path: put('other/dump.json', {
            task: 'statistics',
            level: 'L1',
            framework: 'mindspore',
            dump_data_dir: null,
            data: {},
          }),
        })(),
      ['other/dump.json'],
    ],
    ['a folder without a dump', () => [folder, bench], ['no msprobe dump']],
    ['only one path', () => [debug], ['two dumps', '--help']],
    ['a path and compare.json', () => [debug, '-i', put('compare.json', single)], ['not both']],
    ['an unknown format', () => [debug, bench, '--format', 'xls'], ['--format', 'xlsx, csv, arrow, parquet']],
    ['unknown rules', () => [debug, bench, '--rules', 'msprobe'], ['--rules', 'msprobe-1.2.2']],
    [
      'an output folder that is a file',
      () => [debug, bench, '-o', put('file', '')],
      ['file', 'cannot be written'],
    ],
  ]
  it.each(table)('%s', async (name, words, said) => {
    const args = words()
    const before = readdirSync(folder, { recursive: true }).length
    const framework = name === 'kernels of PyTorch' ? ['-f', 'pytorch'] : []
    const { code, out, err } = await cli([
      ...framework,
      'compare',
      ...args,
      ...(args.includes('-o') ? [] : ['-o', path.join(folder, 'out')]),
    ])
    expect(
      err
        .trim()
        .split('\n')
        .filter(line => line.startsWith('error:')),
    ).toHaveLength(1)
    for (const part of said) expect(err).toContain(part)
    expect(err).not.toMatch(/\{\w+\}| {2}at /)
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(readdirSync(folder, { recursive: true }).length).toBe(before)
  })

  it('a mapping that meets nothing is a failure for us and an empty success for msprobe', async () => {
    const words = [
      'compare',
      '-i',
      put('compare.json', single),
      '-dm',
      put('map.yaml', 'a.b.0.forward.input.0: c.d.0.forward.input.0\n'),
      '-o',
      path.join(folder, 'out'),
    ]
    const ours = await cli(words)
    expect([ours.code, ours.err]).toEqual([2, expect.stringContaining('error: Nothing in')])
    const theirs = await cli([...words, '--rules', 'msprobe-1.2.2', '--json'])
    expect([theirs.code, theirs.err]).toEqual([0, expect.stringContaining('warning: Nothing in')])
    expect(JSON.parse(theirs.out)).toMatchObject({ units: [], files: [], first: null })
    expect(names(path.join(folder, 'out'))).toEqual([])
  })

  it('a layer mapping that msprobe ignores leaves no file', async () => {
    const [npu_path, bench_path] = ['w_conv2', 'none'].map(fault =>
      path.join(dump(`pt_lenet_${fault}_statistics_mix`), 'dump.json'),
    )
    const words = [
      '-f',
      'pytorch',
      'compare',
      '-c',
      '-i',
      put('compare.json', { npu_path, bench_path }),
      '-lm',
    ]
    expect((await cli([...words, '-o', path.join(folder, 'ours')])).code).toBe(0)
    expect((await cli([...words, '-o', path.join(folder, 'theirs'), '--rules', 'msprobe-1.2.2'])).code).toBe(
      0,
    )
    expect([names(path.join(folder, 'ours')).length, names(path.join(folder, 'theirs'))]).toEqual([
      2,
      ['compare_result_TIME.xlsx'],
    ])
  })

  it('an unasked output folder inside a dump', async () => {
    const copy = path.join(folder, 'dump')
    cpSync(debug, copy, { recursive: true })
    const { openOutput } = await import('../../main/engine/io/output.ts')
    expect(() => openOutput(path.join(copy, 'output'), [copy])).toThrow('output-in-dump')
    expect((await cli(['compare', copy, bench, '-c', '-o', path.join(copy, 'mine')])).code).toBe(0)
  })

  it('one broken rank does not cost the others', async () => {
    for (const rank of ['rank0', 'rank1'])
      for (const side of ['a', 'b'])
        cpSync(side === 'a' ? debug : bench, path.join(folder, side, rank), { recursive: true })
    writeFileSync(path.join(folder, 'a', 'rank1', 'dump.json'), '{"task": "statistics", "data": {"x')
    const { code, err } = await cli([
      'compare',
      '-i',
      put('compare.json', { npu_path: path.join(folder, 'a'), bench_path: path.join(folder, 'b') }),
      '-o',
      path.join(folder, 'out'),
    ])
    expect(code).toBe(2)
    expect(err).toContain(path.join('a', 'rank1', 'dump.json'))
    expect(names(path.join(folder, 'out'))).toEqual([
      'advisor_rank0-rank0_TIME.txt',
      'compare_result_rank0-rank0_TIME.xlsx',
    ])
    expect(
      (
        await cli([
          'compare',
          '-i',
          path.join(folder, 'compare.json'),
          '-o',
          path.join(folder, 'exact'),
          '--rules',
          'msprobe-1.2.2',
        ])
      ).code,
    ).toBe(2)
    expect(existsSync(path.join(folder, 'exact'))).toBe(false)
  })

  it('stray entries beside the ranks stop msprobe only', async () => {
    for (const side of ['a', 'b'])
      cpSync(side === 'a' ? debug : bench, path.join(folder, side, 'rank0'), { recursive: true })
    writeFileSync(path.join(folder, 'a', 'run.log'), '')
    const file = put('compare.json', { npu_path: path.join(folder, 'a'), bench_path: path.join(folder, 'b') })
    const ours = await cli(['compare', '-i', file, '-c', '-o', path.join(folder, 'out')])
    expect(ours.code).toBe(0)
    expect(ours.err).toContain('run.log')
    expect(
      (await cli(['compare', '-i', file, '-c', '-o', path.join(folder, 'exact'), '--rules', 'msprobe-1.2.2']))
        .code,
    ).toBe(2)
  })
})
