// One small whole input for everything that can be read, with a command line that reads it.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fixturesRoot } from './fixtures.ts'

export interface Specimen {
  readonly name: string
  /** Folder below the specimen's own → where it comes from: a path below the fixtures, or texts by name; `fixture:` begins
   * the path of one. */
  readonly parts: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  /** `@name` is a part's path; what it writes goes to `@out`. */
  readonly line: string
  /** A command whose results are what is read; `@made` is where they lie. */
  readonly first?: string
  /** What the window opens; without, it is not dropped there. */
  readonly drop?: string
  /** What was cut off is told in the answer itself. */
  readonly answers?: true
  /** How many files of a folder are kept. */
  readonly most?: number
}

const dump = (name: string): string => `dumps/${name}/step0/${name.startsWith('v26') ? 'proc1001' : 'rank'}`
const pair = (debug: string, bench: string): Specimen['parts'] => ({ a: dump(debug), b: dump(bench) })
const statistics = pair('pt_lenet_w_conv2_statistics_L0', 'pt_lenet_none_statistics_L0')
const tensors = pair('pt_odd_debug_tensor_mix', 'pt_odd_bench_tensor_mix')
const calls = pair('ms_odd_debug_statistics_mix', 'ms_odd_bench_statistics_mix')
const across = { a: dump('ms_lenet_none_statistics_L0'), b: dump('pt_lenet_none_statistics_L0') }
const texts = (name: string, text: string): Specimen['parts'] => ({ m: { [name]: text } })
const given =
  '{"npu_path": "../a/dump.json", "bench_path": "../b/dump.json", "stack_path": "../a/stack.json", "is_print_compare_log": true}'
const config = `{
 "task": "statistics", "dump_path": "./dump", "rank": [0, "2-4"], "step": [1], "level": "mix", "async_dump": false, "seed": 1,
 "statistics": {"scope": [], "list": ["conv"], "tensor_list": [], "data_mode": ["all"], "summary_mode": "md5"},
 "tensor": {"scope": [], "list": [], "data_mode": ["all"], "file_format": "npy"},
 "acc_check": {"white_list": ["relu"], "black_list": [], "error_data_path": "./"},
 "grad_probe": {"grad_level": "L1", "param_list": [], "bounds": [-1, 0, 1]}
}`
const monitored =
  '{"targets": {"a": {}}, "format": "csv", "ops": ["norm"], "alert": {"rules": [{"rule_name": "AnomalyTurbulence", "args": {"threshold": 0.5}}]}}'
const books = {
  'compare_result_rank0-rank0_20260101000000.xlsx': 'fixture:next/merge/books/600d6c68.xlsx',
  'compare_result_rank1-rank1_20260101000001.xlsx': 'fixture:next/merge/books/772d130c.xlsx',
}
const ir = `#IR entry: @net
subgraph @net() {
  %0(y) = MatMul(%para1, %para2) {instance name: matmul} primitive_attrs: {}
      : (<Tensor[Float32], (1, 2)>) -> (<Tensor[Float32], (1, 2)>)
      # Fullname with scope: (Default/net-Net/fc-Dense/MatMul-op1)
      # In file /m/net.py:10/  y = self.fc(x)/
}
`

export const specimens: readonly Specimen[] = [
  { name: 'statistics', parts: statistics, line: 'compare @a @b -o @out --json', drop: '@a @b' },
  {
    name: 'calls',
    parts: calls,
    line: 'compare @a @b -o @out --format csv,arrow,parquet --json',
    drop: '@a @b',
  },
  {
    name: 'checksums',
    parts: pair('pt_odd_debug_md5_mix', 'pt_odd_bench_md5_mix'),
    line: 'advise @a @b --json',
    drop: '@a @b',
  },
  { name: 'tensors', parts: tensors, line: 'compare @a @b -o @out --json', drop: '@a @b', most: 30 },
  {
    name: 'compare.json',
    parts: { ...statistics, j: { 'compare.json': given } },
    line: 'compare -i @j/compare.json -s -o @out --json',
    drop: '@j/compare.json',
  },
  { name: 'graph', parts: statistics, line: 'graph @a @b -o @out --format vis.db --json' },
  {
    name: 'one graph',
    parts: { a: dump('ms_lenet_none_statistics_L0') },
    line: 'graph @a -oc -cs -o @out --json',
    drop: '@a',
  },
  {
    name: 'rules of 26',
    parts: pair('v26_pt_lenet_w_conv2_statistics_mix', 'v26_pt_lenet_none_statistics_mix'),
    line: 'compare @a @b -da --rules msprobe-26 -o @out --json',
  },
  {
    name: 'layer mapping',
    parts: {
      ...across,
      ...texts('m.yaml', 'TopLayer:\n  network: module\n\nLeNet:\n  conv1: conv1\n  conv2: conv2\n'),
    },
    line: 'compare @a @b -lm @m/m.yaml -o @out --json',
  },
  {
    name: 'cell mapping',
    parts: {
      ...across,
      ...texts(
        'm.yaml',
        'Cell.network.conv1.Conv2d: Module.conv1.Conv2d\nCell.network.fc1.Dense.forward.0: Module.fc1.Linear.forward.0\n',
      ),
    },
    line: 'map check @m/m.yaml @a @b --kind cell --json',
  },
  {
    name: 'API mapping',
    parts: {
      ...across,
      ...texts(
        'm.yaml',
        '- ms_api: mint.abs\n  pt_api: Torch.abs\n  ms_args: [0]\n  pt_args: [0]\n  ms_output: [0]\n  pt_output: [0]\n',
      ),
    },
    line: 'compare @a @b -am @m/m.yaml -o @out --json',
  },
  { name: 'proposal', parts: across, line: 'map propose @a @b --kind layer -o @out/m.yaml --json' },
  {
    name: 'workbook of results',
    parts: statistics,
    first: 'compare @a @b -c -o @out',
    line: 'advise @made/*.xlsx --json',
    drop: '@made/*.xlsx',
  },
  {
    name: 'csv of results',
    parts: { x: 'cases/new_cmp_pt_w_conv2_stat_xlsx/golden' },
    line: 'advise @x/*.csv --json',
    drop: '@x/*.csv',
  },
  {
    name: 'results to merge',
    parts: { x: books, m: { 'c.yaml': 'api:\n- Torch.matmul.0.forward\ncompare_index:\n- Max diff\n' } },
    line: 'merge_result -i @x -o @out -config @m/c.yaml --json',
  },
  {
    name: '.vis',
    parts: { x: 'cases/graph_pt_odd_statistics/golden' },
    line: 'compare @x/* -o @out --json',
    drop: '@x/*',
    most: 1,
  },
  {
    name: '.vis.db',
    parts: { x: 'cases/new_graph_pt_w_conv2_stat/golden' },
    line: 'compare -o @out @x/* --json',
    drop: '@x/*',
    most: 1,
  },
  {
    name: 'pre-check',
    parts: { n: 'next/api_precision/one_26/npu', g: 'next/api_precision/one_26/gpu' },
    line: 'api_precision_compare -npu @n/* -gpu @g/* -o @out --json',
    drop: '@n/* @g/*',
  },
  {
    name: 'packages of configuration',
    parts: { a: 'next/config/packages/aaf2dbcf.zip', b: 'next/config/packages/c9f0cae6.zip' },
    line: 'config_check -c @a @b -o @out --json',
    drop: '@a @b',
  },
  {
    name: 'checkpoints',
    parts: { a: 'next/checkpoint/runs/tp2/a', b: 'next/checkpoint/runs/tp2/b' },
    line: 'config_check -c @a @b -o @out/cases.json --json',
    drop: '@a @b',
  },
  {
    name: 'settings in logs',
    parts: { a: 'series/settings/slime_bench.log', b: 'series/settings/slime_debug.log' },
    line: 'config_check -c @a @b -o @out/s.csv --json',
    drop: '@a @b',
  },
  {
    name: 'config.json',
    parts: { c: { 'config.json': config } },
    line: 'config check @c/config.json --tool 26 --json',
    answers: true,
  },
  {
    name: 'switch',
    parts: { c: { 'config.json': config } },
    line: 'config switch @c/config.json --dump off --json',
  },
  {
    name: 'running dump',
    parts: { a: 'dumps/pt_lenet_none_statistics_L0' },
    line: 'watch @a --once --json',
    answers: true,
  },
  {
    name: 'pre-check command',
    parts: { a: dump('pt_lenet_none_statistics_L1') },
    line: 'run_ut -api_info @a/dump.json -o @out --json',
  },
  {
    name: 'raw dump',
    parts: { r: 'tf/raw' },
    line: 'parse -d @r -t npy -o @out --json',
    drop: '@r',
    most: 4,
  },
  {
    name: 'TensorFlow run',
    parts: { t: 'tf/net' },
    line: 'compare @t/precision_data -o @out --json',
    drop: '@t/precision_data',
    most: 40,
  },
  { name: 'TensorFlow graphs', parts: { t: 'tf/net' }, line: 'tf @t/precision_data ls --json', most: 40 },
  {
    name: 'kernels',
    parts: { a: 'kernel/npu_stat', b: 'kernel/bench_stat' },
    line: 'compare @a @b -o @out --json',
    drop: '@a @b',
  },
  {
    name: 'IR text',
    parts: {
      i: { 'net.ir': ir },
      d: { 'MatMul.Default_net-Net_fc-Dense_MatMul-op1.1.0.9.output.0.DefaultFormat.npy': '' },
    },
    line: '-f mindspore code_mapping --ir @i/net.ir --dump_data @d --output @out --json',
  },
  {
    name: 'recompute',
    parts: { a: dump('pt_odd_debug_tensor_mix') },
    line: 'recompute @a --json',
    most: 30,
    answers: true,
  },
  {
    name: 'overflow of one',
    parts: { a: 'next/run_overflow/step0/rank' },
    line: '-f pytorch run_overflow_check -api_info @a/dump.json --json',
    answers: true,
    most: 20,
  },
  {
    name: 'overflow of many',
    parts: { a: 'next/overflow/origin_groups' },
    line: 'overflow_check -i @a/step0 -o @out --json',
    drop: '@a/step0',
  },
  {
    name: 'overflow as 26 finds it',
    parts: { a: 'next/overflow/origin_single' },
    line: 'overflow_check -i @a/step0 -o @out --rules msprobe-26 --json',
  },
  {
    name: 'classes of overflow',
    parts: { a: 'next/overflow/classes_during' },
    line: 'overflow_check -i @a --classes --rules msprobe-1.2.2 --json',
  },
  {
    name: 'gradients',
    parts: { a: 'next/gradients/l0/a', b: 'next/gradients/l0/b' },
    line: 'grad_compare @a @b -o @out --json',
    drop: '@a @b',
  },
  {
    name: 'signs of gradients',
    parts: { a: 'grad/pt_lenet_none_L2', b: 'grad/pt_lenet_w_conv2_L2' },
    line: 'grad_compare @a @b -o @out --json',
    drop: '@a @b',
    most: 12,
  },
  {
    name: 'monitor',
    parts: { a: 'next/monitor/alerts_1_26/in' },
    line: 'monitor @a --threshold 0.5 --json',
    drop: '@a',
  },
  {
    name: 'monitor database',
    parts: { a: 'next/database/monitor/data' },
    line: 'data2db --db @out --data @a --json',
  },
  {
    name: 'dumps database',
    parts: { a: 'next/database/both/data' },
    line: 'data2db --db @out --data @a --json',
  },
  {
    name: 'trend database',
    parts: { a: 'next/database/monitor/data' },
    first: 'data2db --db @out --data @a',
    line: 'trend @made/* --metric exp_avg --stat norm --rank 0 --json',
    drop: '@made/*',
  },
  {
    name: 'training logs',
    parts: { a: 'series/megatron_bench.log', b: 'series/megatron_debug.log' },
    line: 'training_log @a @b --json',
    drop: '@a @b',
  },
  {
    name: 'other training logs',
    parts: { a: 'series/verl.log', b: 'series/huggingface.txt' },
    line: 'training_log @a @b --json',
    drop: '@a @b',
  },
  {
    name: 'noise profile',
    parts: statistics,
    first: 'noise @a @b -o @out',
    line: 'advise @a @b --noise @made/* --json',
  },
  {
    name: 'monitor configuration',
    parts: { c: { 'config.json': monitored } },
    line: 'config check @c/config.json --json',
    answers: true,
  },
  {
    name: 'safetensors',
    parts: { a: 'next/bundles/bundles/model.safetensors', b: 'next/bundles/bundles/model.safetensors' },
    line: 'diff @a @b --json',
    drop: '@a @b',
  },
  {
    name: 'npz',
    parts: { a: 'next/bundles/bundles/acts.npz', b: 'next/bundles/bundles/acts.npz' },
    line: 'diff @a @b --json',
    drop: '@a @b',
  },
  {
    name: '.pt',
    parts: { a: 'next/bundles/bundles/state.pt', b: 'next/bundles/bundles/state.pt' },
    line: 'diff @a @b --json',
    drop: '@a @b',
  },
  { name: 'old .pt', parts: { a: 'next/tensors/files/legacy.pt' }, line: 'show @a --json', drop: '@a' },
  {
    name: 'npy',
    parts: { a: 'next/tensors/files/float32.npy', b: 'next/tensors/files/float32_noise.npy' },
    line: 'diff @a @b --json',
    drop: '@a @b',
  },
  {
    name: 'SGLang',
    parts: { a: 'next/bundles/sglang_dumper/target', b: 'next/bundles/sglang_dumper/base' },
    line: 'compare @a @b -o @out --json',
    drop: '@a @b',
    most: 12,
  },
  { name: 'torchtitan', parts: { a: 'next/bundles/tt' }, line: 'graph @a -o @out --json', drop: '@a' },
  {
    name: 'DebugMode',
    parts: { a: 'next/bundles/debugmode_logs.json', b: 'next/bundles/debugmode_logs.json' },
    line: 'compare @a @b -o @out --json',
    drop: '@a @b',
  },
  {
    name: 'Polygraphy',
    parts: { a: 'next/bundles/polygraphy_outputs.json', b: 'next/bundles/polygraphy_outputs.json' },
    line: 'compare @a @b -o @out --json',
    drop: '@a @b',
  },
  {
    name: 'debug tree',
    parts: { a: 'next/bundles/hf_bf16' },
    line: 'graph @a -o @out --json',
    drop: '@a',
    most: 30,
  },
]

/** Files of a folder, the first of them by name, the ones that describe the others before all. */
function filesBelow(folder: string, most: number): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => statSync(path.join(folder, name)).isFile())
    .toSorted()
  const plain = all.filter(name => !/dump_tensor_data|\.(?:npy|pt|safetensors|bin)$/.test(name))
  return [...new Set([...plain, ...all])].slice(0, Math.max(most, 1))
}

const contentOf = (text: string): Uint8Array =>
  text.startsWith('fixture:')
    ? readFileSync(path.join(fixturesRoot(), text.slice('fixture:'.length)))
    : Buffer.from(text)

/** A specimen on the disk. */
export class Laid {
  readonly root: string
  readonly #specimen: Specimen
  readonly #whole = new Map<string, Uint8Array>()

  constructor(root: string, specimen: Specimen) {
    this.root = root
    this.#specimen = specimen
    const fixtures = fixturesRoot()
    for (const [part, from] of Object.entries(specimen.parts)) {
      const to = path.join(root, part)
      if (typeof from !== 'string')
        for (const [name, text] of Object.entries(from)) this.#keep(path.join(to, name), contentOf(text))
      else {
        const source = path.join(fixtures, from)
        if (statSync(source).isFile()) this.#keep(`${to}${path.extname(from)}`, readFileSync(source))
        else
          for (const name of filesBelow(source, specimen.most ?? 60))
            this.#keep(path.join(to, name), readFileSync(path.join(source, name)))
      }
    }
    mkdirSync(this.out, { recursive: true })
  }

  get out(): string {
    return path.join(this.root, 'out')
  }

  /** Paths below the root; in the order in which they were laid. */
  get files(): readonly string[] {
    return [...this.#whole.keys()]
  }

  bytes(file: string): Uint8Array {
    return this.#whole.get(file) ?? new Uint8Array(0)
  }

  /** `@a` as a path; `@a/*` the first file of that folder. */
  words(line: string): string[] {
    return line.split(' ').map(word => {
      if (!word.startsWith('@')) return word
      const [part = '', ...rest] = word.slice(1).split('/')
      const from = this.#specimen.parts[part]
      const at = path.join(this.root, part)
      const wanted = rest[0]?.startsWith('*') ? rest[0].slice(1) : null
      const first = this.files.find(file => file.startsWith(at) && file.endsWith(wanted ?? ''))
      if (wanted !== null) return first ?? at
      const isFile = typeof from === 'string' && first !== undefined && !first.startsWith(`${at}${path.sep}`)
      return isFile ? first : path.join(at, ...rest)
    })
  }

  spoil(file: string, bytes: Uint8Array | null): void {
    if (bytes) writeFileSync(file, bytes)
    else rmSync(file, { force: true })
  }

  /** As it was; what was written goes. */
  restore(file: string): void {
    writeFileSync(file, this.bytes(file))
  }

  /** What was written is what is read from now on, and nothing else is spoilt. */
  adopt(): void {
    this.#whole.clear()
    const made = path.join(this.root, 'made')
    renameSync(this.out, made)
    for (const name of filesBelow(made, Infinity))
      this.#keep(path.join(made, name), readFileSync(path.join(made, name)))
    mkdirSync(this.out)
  }

  clear(): void {
    rmSync(this.out, { recursive: true, force: true })
    mkdirSync(this.out)
  }

  #keep(file: string, bytes: Uint8Array): void {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, bytes)
    this.#whole.set(file, Uint8Array.from(bytes))
  }
}
