// Graphs of 200,000 nodes: built, rolled up, drawn, searched, written and read, against node objects and
// whole strings.
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { TextPool } from '../../main/engine/model/columns.ts'
import type { Dump } from '../../main/engine/model/dump.ts'
import { msprobeNames } from '../../main/engine/names/msprobe.ts'
import { noTensors } from '../../main/engine/model/tensor-store.ts'
import { dumpFilesOf, readDump } from '../../main/engine/formats/msprobe/read.ts'
import { readVis } from '../../main/engine/formats/graph-file/vis.ts'
import { buildGraph } from '../../main/engine/graph/build.ts'
import { compareGraphs, comparePair } from '../../main/engine/graph/compare.ts'
import { openGraphFile, outlineOf } from '../../main/engine/graph/opened.ts'
import { marksOf, differingBelow, singleSource } from '../../main/engine/graph/marks.ts'
import { noRows } from '../../main/engine/graph/own-rows.ts'
import { nodeName, type Graph } from '../../main/engine/graph/graph.ts'
import type { GraphPair } from '../../main/engine/graph/pair.ts'
import { GraphView } from '../../main/engine/graph/view.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/work/job.ts'
import { emptyMeasured } from '../../main/engine/measure/metrics.ts'
import { Kind } from '../../main/engine/model/names.ts'
import { writeVis } from '../../main/engine/report/vis.ts'
import { memory, random, time, Timed, works, type Case } from './case.ts'
import { buildOnce, cli, gone, made, noReference, python, timed, type Pair } from './reference.ts'

/**
 * A transformer-like run: blocks of modules with APIs in them, forward and backward, named as PyTorch names
 * them.
 */
function eachName(nodes: number, take: (id: string, up: string | null) => void): void {
  const calls = { linear: 0, gelu: 0, add: 0, softmax: 0 }
  const add = take
  const layers = Math.ceil(nodes / 42)
  for (let layer = 0; layer < layers; layer++) {
    for (const way of ['forward', 'backward'] as const) {
      const block = `Module.module.encoder.layers.${layer}.TransformerLayer.${way}.0`
      add(block, null)
      for (const [part, type] of [
        ['self_attention', 'ParallelAttention'],
        ['mlp', 'ParallelMLP'],
        ['input_norm', 'LayerNorm'],
        ['post_norm', 'LayerNorm'],
      ] as const) {
        const module = `Module.module.encoder.layers.${layer}.${part}.${type}.${way}.0`
        add(module, block)
        for (const api of ['linear', 'gelu', 'add', 'softmax'] as const)
          add(`${api === 'add' ? 'Tensor' : 'Functional'}.${api}.${calls[api]++}.${way}`, module)
      }
    }
  }
}

function names(nodes: number): { readonly child: string[]; readonly parent: (string | null)[] } {
  const child: string[] = []
  const parent: (string | null)[] = []
  eachName(nodes, (id, up) => {
    child.push(id)
    parent.push(up)
  })
  return { child, parent }
}

/** The same as a dump: two tensors per op. */
function dumpOf(nodes: number, change: number): Dump {
  const { child, parent } = names(nodes)
  const texts = new TextPool()
  const next = random(11)
  const codes = Uint32Array.from(child, id => texts.add(id))
  const rowOf = new Int32Array(texts.size).fill(-1)
  codes.forEach((code, row) => {
    rowOf[code] = row
  })
  const items = child.length * 2
  const [type, dtype, shape, md5] = ['torch.Tensor', 'torch.float32', '[4096, 1, 8192]', '00000000'].map(
    text => texts.add(text),
  )
  const cells = () => ({
    kind: new Uint8Array(items).fill(Kind.float),
    value: Float64Array.from({ length: items }, () => Math.fround((next() - 0.5) * 8 * change)),
  })
  const fill = (code: number | undefined): Int32Array => new Int32Array(items).fill(code ?? -1)
  const [input, output] = [texts.add('.input.0'), texts.add('.output.0')]
  const joined = texts.appendJoined(
    Uint32Array.from({ length: items * 2 }, (_, i) =>
      i % 2 === 0 ? (codes[i >> 2] ?? 0) : (i >> 1) % 2 === 0 ? input : output,
    ),
  )
  return {
    dir: '/d',
    file: '',
    raw: null,
    edges: null,
    tensors: noTensors,
    header: { task: 'statistics', level: 'mix', framework: 'pytorch', hasMd5: false },
    texts,
    names: msprobeNames,
    ops: {
      length: child.length,
      name: codes,
      from: new Float64Array(child.length),
      to: new Float64Array(child.length),
      first: Uint32Array.from({ length: child.length + 1 }, (_, i) => i * 2),
    },
    items: {
      length: items,
      op: Uint32Array.from({ length: items }, (_, i) => i >> 1),
      name: Uint32Array.from({ length: items }, (_, i) => joined + i),
      state: Uint8Array.from({ length: items }, (_, i) => i % 2),
      type: fill(type),
      dtype: fill(dtype),
      shape: fill(shape),
      max: cells(),
      min: cells(),
      mean: cells(),
      norm: cells(),
      md5: fill(md5),
      dataName: fill(-1),
      requiresGrad: new Uint8Array(items).fill(2),
      tensor: new Uint8Array(items).fill(1),
    },
    stacks: { file: '', length: 0, of: () => -1, frames: () => [] },
    construct: {
      file: '',
      length: child.length,
      child: codes,
      parent: Int32Array.from(parent, up => (up === null ? -1 : texts.find(up))),
      micro: new Int32Array(child.length).fill(-1),
      microSteps: 0,
      find: code => rowOf[code] ?? -1,
    },
    partial: false,
    problems: [],
  }
}

/** What a graph is when every node is an object. */
interface Naive {
  readonly id: string
  readonly type: number
  up: Naive | null
  readonly sub: Naive[]
  readonly link: string[]
  readonly data: Record<string, unknown>
  failing: number
  readonly stack: string[]
  readonly inputs: Record<string, unknown>
  readonly outputs: Record<string, unknown>
}

const statNames = ['Max', 'Min', 'Mean', 'Norm'] as const

/** Every node with its items as objects, as a dump's record gives them. */
function naiveGraph({ child, parent }: ReturnType<typeof names>, values: ArrayLike<number>): Naive {
  const items = (id: string, part: string, i: number): Record<string, unknown> => ({
    [`${id}.${part}.0`]: {
      type: 'torch.Tensor',
      dtype: 'torch.float32',
      shape: [4096, 1, 8192],
      ...Object.fromEntries(statNames.map(key => [key, values[i]])),
      data_name: '-1',
      md5: '00000000',
    },
  })
  const all = new Map<string, Naive>()
  const modules = /^(Module|Cell|optimizer|clip_grad)/
  const make = (id: string): Naive => {
    const known = all.get(id)
    if (known) return known
    const node: Naive = {
      id,
      type: modules.test(id) ? 0 : 1,
      up: null,
      sub: [],
      link: [],
      data: {},
      failing: 0,
      stack: [],
      inputs: items(id, 'input', all.size * 2),
      outputs: items(id, 'output', all.size * 2 + 1),
    }
    all.set(id, node)
    return node
  }
  const root = make('DefaultModel')
  child.forEach((id, i) => {
    const up = parent[i]
    const above = up ? make(up) : root
    const node = make(id)
    if (node.up) return
    node.up = above
    above.sub.push(node)
  })
  return root
}

const many = 200_000
const naiveCount = (node: Naive): number => node.sub.reduce((sum, child) => sum + naiveCount(child), 1)

interface Rolled {
  readonly marks: ReturnType<typeof marksOf>
  readonly failing: Int32Array
  readonly dump: Dump
  readonly graph: Graph
  readonly naive: Naive
}

const failingOf = (length: number): Int32Array =>
  Int32Array.from({ length }, (_, i) => (i % 97 === 0 ? 3 : 0))

function naiveRoll(node: Naive): number {
  let sum = Number(node.data['own'] ?? 0)
  for (const child of node.sub) sum += naiveRoll(child)
  node.failing = sum
  return sum
}

const temporary = (): string => {
  const base = process.env['PLUMBLINE_BENCH_TMP'] ?? tmpdir()
  mkdirSync(base, { recursive: true })
  return mkdtempSync(path.join(base, 'graph-'))
}

async function pairOf(nodes: number): Promise<GraphPair> {
  const [debugDump, benchDump] = [dumpOf(nodes, 1.001), dumpOf(nodes, 1)]
  const [debug, bench] = [
    await buildGraph(debugDump, 'plumbline', job()),
    await buildGraph(benchDump, 'plumbline', job()),
  ]
  return comparePair(
    { rules: 'plumbline', debug, bench, debugDump, benchDump },
    { rules: 'plumbline', fuzzy: false, layerMapping: null, overflow: false },
    job(),
    pairs => Promise.resolve(emptyMeasured(pairs.length)),
  )
}

async function write(pair: GraphPair, file: string): Promise<number> {
  const fd = openSync(file, 'w')
  let size = 0
  await writeVis(
    pair,
    { fullStacks: false, overflow: false },
    diskFiles(),
    {
      path: file,
      size: 0,
      write: bytes => {
        size += writeSync(fd, bytes)
      },
      close() {},
    },
    job(),
  )
  closeSync(fd)
  return size
}

/** The same file from objects, written as one string. */
function naiveWrite(pair: GraphPair, file: string): number {
  const side = (graph: Graph, dump: Dump, compared: boolean): object => ({
    root: 'DefaultModel',
    dump_data_dir: null,
    node: Object.fromEntries(
      Array.from({ length: graph.length }, (_, node) => {
        const id = nodeName(graph, node)
        const itemsIn = (state: number): object =>
          Object.fromEntries(
            (graph.op[node]! < 0 ? [] : [graph.op[node]! * 2, graph.op[node]! * 2 + 1])
              .filter(item => dump.items.state[item] === state)
              .map(item => {
                const there = compared ? pair.benchItem[item]! : -1
                const stats = [dump.items.max, dump.items.min, dump.items.mean, dump.items.norm]
                const theirs = [
                  pair.benchDump.items.max,
                  pair.benchDump.items.min,
                  pair.benchDump.items.mean,
                  pair.benchDump.items.norm,
                ]
                const text = (x: number): string => String(Number(x.toFixed(6)))
                const fields: Record<string, string> = {
                  type: 'torch.Tensor',
                  dtype: 'torch.float32',
                  shape: '[4096, 1, 8192]',
                }
                for (const [s, key] of ['Max', 'Min', 'Mean', 'Norm'].entries())
                  fields[key] = text(stats[s]!.value[item]!)
                fields['data_name'] = '-1'
                fields['md5'] = '00000000'
                if (there >= 0)
                  for (const [s, key] of ['Max', 'Min', 'Mean', 'L2norm'].entries())
                    fields[`${key} diff`] = text(stats[s]!.value[item]! - theirs[s]!.value[there]!)
                if (there >= 0)
                  for (const [s, key] of ['Max', 'Min', 'Mean', 'Norm'].entries())
                    fields[`${key}RelativeErr`] =
                      `${text(Math.abs(stats[s]!.value[item]! / theirs[s]!.value[there]! - 1) * 100)}%`
                return [dump.texts.get(dump.items.name[item]!), fields]
              }),
          )
        const way: string[] = []
        for (let at = node; at >= 0; at = graph.parent[at]!) way.unshift(nodeName(graph, at))
        return [
          id,
          {
            id,
            node_type: graph.kind[node],
            output_data: itemsIn(1),
            input_data: itemsIn(0),
            upnode: graph.parent[node]! < 0 ? 'None' : nodeName(graph, graph.parent[node]!),
            subnodes: Array.from(
              graph.children.subarray(graph.firstChild[node], graph.firstChild[node + 1]),
              at => nodeName(graph, at),
            ),
            matched_node_link: way,
            suggestions: {},
            stack_info: [],
            micro_step_id: 0,
            data: {},
          },
        ]
      }),
    ),
  })
  const text = JSON.stringify(
    {
      NPU: side(pair.debug, pair.debugDump, true),
      Bench: side(pair.bench, pair.benchDump, false),
      MicroSteps: 1,
      task: 'summary',
    },
    null,
    4,
  )
  const fd = openSync(file, 'w')
  writeSync(fd, text)
  closeSync(fd)
  return text.length
}

interface Written {
  readonly folder: string
  readonly file: string
  readonly pair: GraphPair
}
const drop = ({ folder }: Written): void => rmSync(folder, { recursive: true, force: true })

// ---------------------------------------- against msprobe

const asked = { rules: 'plumbline', fuzzy: false, layerMapping: null, overflow: false } as const
const unmeasured = (pairs: readonly unknown[]): Promise<ReturnType<typeof emptyMeasured>> =>
  Promise.resolve(emptyMeasured(pairs.length))

async function dumpsOf({ debug, bench }: Pair): Promise<readonly [Dump, Dump]> {
  const files = diskFiles()
  const read = (dir: string): Promise<Dump> => {
    files.allow(dir)
    return readDump(files, dumpFilesOf(files, dir), job())
  }
  return [await read(debug), await read(bench)]
}

/** Nodes and matched nodes. */
const counted = ({ debug, matching }: GraphPair): string =>
  `${debug.length} ${matching.toBench.filter(node => node >= 0).length}`

/**
 * What msprobe's graph command does before it writes, timed in parts: all of it, and the part that reads the
 * files.
 */
const referenceSteps = `
import argparse, json, sys, time
import msprobe.core.common.file_utils as files
real, read = files.load_json, 0.0
def timed(*args, **more):
    global read
    began = time.perf_counter()
    try:
        return real(*args, **more)
    finally:
        read += time.perf_counter() - began
import msprobe.visualization.graph_service as service
for module in list(sys.modules.values()):
    if getattr(module, 'load_json', None) is real:
        module.load_json = timed
began = time.perf_counter()
result = service._compare_graph({'npu_path': sys.argv[1], 'bench_path': sys.argv[2], 'is_print_compare_log': False},
    argparse.Namespace(output_path=None, layer_mapping=None, overflow_check=False, fuzzy_match=False, complete_stack=False, framework='mindspore'))
whole = time.perf_counter() - began
nodes = result.graph_n.node_map.values()
print('\\n' + json.dumps({'whole': whole, 'read': read, 'counted': f'{len(nodes)} {sum(1 for node in nodes if node.matched_node_link)}'}))
`

interface Steps {
  readonly whole: number
  readonly read: number
  readonly counted: string
}

function reference(pair: Pair): Steps {
  const said = execFileSync(python, ['-c', referenceSteps, pair.debug, pair.bench], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 26,
  })
  return JSON.parse(said.trim().split('\n').at(-1) ?? '') as Steps
}

/** In a process that has done it before: the best of so many times. */
async function timedPair(dumps: () => Promise<readonly [Dump, Dump]>): Promise<Timed<string>> {
  let seconds = Infinity
  let answer = ''
  for (let i = 0; i < 6; i++) {
    const began = performance.now()
    const [debug, bench] = await dumps()
    const pair = await compareGraphs(debug, bench, asked, job(), unmeasured)
    seconds = Math.min(seconds, (performance.now() - began) / 1e3)
    answer = counted(pair)
  }
  return new Timed(seconds, answer)
}

async function graphInput(): Promise<Pair> {
  await buildOnce()
  const pair = made('ms')
  writeFileSync(
    path.join(pair.folder, 'graph.json'),
    JSON.stringify({ npu_path: pair.debug, bench_path: pair.bench, is_print_compare_log: false }),
  )
  return pair
}

const graphWords = ({ folder }: Pair, to: string): string[] => {
  mkdirSync(path.join(folder, to), { recursive: true })
  return ['-f', 'mindspore', 'graph', '-i', path.join(folder, 'graph.json'), '-o', path.join(folder, to)]
}

/** Best of three: the reference runs for many seconds, ours for a moment. */
function best(run: () => Timed<true>): Timed<true> {
  return [run(), run(), run()].reduce((a, b) => (b.seconds < a.seconds ? b : a))
}

const theirCommand = (pair: Pair): number =>
  timed(python, ['-m', 'msprobe.msprobe', ...graphWords(pair, 'theirs')]).seconds

/** `against` says how long the reference took for what is compared. */
const inProcess = (
  name: string,
  target: number,
  ready: boolean,
  against: (pair: Pair, steps: Steps) => number,
): Case =>
  time<{ readonly pair: Pair; dumps(): Promise<readonly [Dump, Dump]> }, string>({
    name: `graph: 20,000 calls, ${name}`,
    target,
    clock: 'wall',
    rounds: 1,
    missing: noReference,
    make: async () => {
      const pair = await graphInput()
      const dumps = ready ? await dumpsOf(pair) : null
      return { pair, dumps: () => (dumps ? Promise.resolve(dumps) : dumpsOf(pair)) }
    },
    done: ({ pair }) => gone(pair),
    ours: ({ dumps }) => timedPair(dumps),
    baseline: ({ pair }) => {
      const steps = reference(pair)
      return new Timed(against(pair, steps), steps.counted)
    },
    same: (ours, baseline) => ours === baseline,
  })

const againstMsprobe: Case[] = [
  time<Pair, true>({
    name: 'graph: 20,000 calls, whole command with .vis / msprobe 1.2.2',
    target: 20,
    clock: 'wall',
    rounds: 1,
    missing: noReference,
    make: graphInput,
    done: gone,
    ours: pair => best(() => timed(process.execPath, [cli, ...graphWords(pair, 'ours')])),
    baseline: pair => new Timed(theirCommand(pair), true),
    same: (ours, baseline) => ours === baseline,
  }),
  inProcess('read, built and compared / graph command of msprobe 1.2.2', 100, false, theirCommand),
  inProcess('read, built and compared / the same steps of msprobe 1.2.2', 30, false, (_, { whole }) => whole),
  inProcess(
    'built and compared / the same steps of msprobe 1.2.2',
    100,
    true,
    (_, { whole, read }) => whole - read,
  ),
]

// ---------------------------------------- large files

/** Writes a compare file of at least so many bytes, layer after layer; returns its path. */
function bigVis(folder: string, bytes: number): string {
  const file = path.join(folder, 'compare.vis')
  const fd = openSync(file, 'w')
  const next = random(5)
  const number = (): string => ((next() - 0.5) * 8).toFixed(6)
  const item = (differs: boolean): Record<string, string> => ({
    type: 'torch.Tensor',
    dtype: 'torch.float32',
    shape: '[4096, 1, 8192]',
    ...Object.fromEntries(statNames.map(key => [key, number()])),
    data_name: '-1',
    md5: '00000000',
    ...(differs &&
      Object.fromEntries(['Max', 'Min', 'Mean', 'L2norm'].map(key => [`${key} diff`, number()]))),
    ...(differs && Object.fromEntries(statNames.map(key => [`${key}RelativeErr`, `${number()}%`]))),
  })
  const root = 'DefaultModel'
  const sample = nodesOf(0, 1)
  const layers = Math.ceil(
    bytes /
      (2 *
        sample.reduce((sum, { id, below, way }) => sum + node(id, root, below, way, false).length + 400, 0)),
  )
  function node(
    id: string,
    up: string,
    below: readonly string[],
    way: readonly string[],
    differs: boolean,
  ): string {
    const items = (part: string): object =>
      id === root ? {} : Object.fromEntries([0, 1].map(i => [`${id}.${part}.${i}`, item(differs)]))
    const whole = {
      id,
      node_type: 0,
      output_data: items('output'),
      input_data: items('input'),
      upnode: up,
      subnodes: below,
      matched_node_link: way,
      suggestions: {},
      stack_info: [`File /model.py, line ${id.length}, in forward, \n out = self.layer("x")`],
      micro_step_id: 0,
      data: differs ? { precision_index: 0.3 } : {},
    }
    return `            ${JSON.stringify(id)}: ${JSON.stringify(whole, null, 4).replaceAll('\n', '\n            ')}`
  }
  for (const side of ['NPU', 'Bench']) {
    const blocks = Array.from({ length: layers }, (_, layer) =>
      nodesOf(layer, layer + 1)
        .filter(one => one.up === root)
        .map(one => one.id),
    ).flat()
    writeSync(
      fd,
      `${side === 'NPU' ? '{' : ','}\n    "${side}": {\n        "root": "${root}",\n        "dump_data_dir": null,\n        "node": {\n${node(root, 'None', blocks, [root], false)}`,
    )
    for (let layer = 0; layer < layers; layer++)
      writeSync(
        fd,
        nodesOf(layer, layer + 1)
          .map(({ id, up, below, way }) => `,\n${node(id, up, below, way, side === 'NPU')}`)
          .join(''),
      )
    writeSync(fd, '\n        }\n    }')
  }
  writeSync(
    fd,
    ',\n    "Colors": {"#FFFCF3": {"value": [0, 0.2], "description": ""}, "#FF704D": {"value": [0.2, 1], "description": ""}},\n    "MicroSteps": 1,\n    "task": "summary",\n    "OverflowCheck": false\n}',
  )
  closeSync(fd)
  return file
}

interface VisNode {
  readonly id: string
  readonly up: string
  readonly below: readonly string[]
  readonly way: readonly string[]
}

/** The nodes of some layers with what is above and below them. */
function nodesOf(from: number, to: number): VisNode[] {
  const nodes = new Map<string, VisNode & { readonly below: string[] }>()
  eachName((to - from) * 42, (name, above) => {
    // The generator counts from 0; calls of APIs go on from layer to layer.
    const [id, up] = [name, above].map(
      text =>
        text
          ?.replace('layers.0.', `layers.${from}.`)
          .replace(
            /^(Functional|Tensor)\.(\w+)\.(\d+)\./,
            (_, kind: string, api: string, call: string) => `${kind}.${api}.${Number(call) + from * 8}.`,
          ) ?? 'DefaultModel',
    ) as [string, string]
    nodes.get(up)?.below.push(id)
    nodes.set(id, { id, up, below: [], way: [...(nodes.get(up)?.way ?? ['DefaultModel']), id] })
  })
  return [...nodes.values()]
}

/** Boxes of the first level, as the window asks for them. */
async function firstLevel(file: string): Promise<number> {
  const files = diskFiles()
  files.allow(path.dirname(file))
  const read = await readVis(files, file, job())
  const { source } = await openGraphFile(read, job(), outlineOf(read), 500)
  const scene = new GraphView(source).scene({
    debug: { open: [], top: 0, bottom: 900 },
    bench: { open: [], top: 0, bottom: 900 },
  })
  read.close()
  return scene.debug.boxes.length
}

const halfGiga = 500_000_000

/**
 * What the main thread has worked: on a busy machine the clock says little. Clock time where the system does
 * not tell.
 */
function mainSeconds(): number {
  const file = `/proc/self/task/${process.pid}/stat`
  if (!existsSync(file)) return performance.now() / 1e3
  // User and system time in hundredths of a second, behind the name in brackets.
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = temporary()
  try {
    return await act(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const largeFiles: Case[] = [
  works({
    name: 'graph: first level of a .vis of 500 MB within 2 s of one core',
    run: () =>
      inFolder(async folder => {
        const file = bigVis(folder, halfGiga)
        const began = mainSeconds()
        const boxes = await firstLevel(file)
        const seconds = mainSeconds() - began
        return statSync(file).size < halfGiga
          ? 'the file is smaller'
          : boxes < 10
            ? `${boxes} boxes`
            : seconds > 2
              ? `${seconds.toFixed(2)} s`
              : ''
      }),
  }),
  memory({
    name: 'graph: memory of opening a .vis of 500 MB to its first level',
    target: { megabytes: 200 },
    ours: () =>
      inFolder(async folder => {
        await firstLevel(bigVis(folder, halfGiga))
      }),
  }),
]

const cases: Case[] = [
  ...againstMsprobe,
  ...largeFiles,
  time<{ dump: Dump; strings: ReturnType<typeof names> }, number>({
    name: 'graph: 200,000 nodes with two items each built / objects',
    target: 6,
    clock: 'cpu',
    make: () => ({ dump: dumpOf(many, 1), strings: names(many) }),
    ours: async ({ dump }) => (await buildGraph(dump, 'plumbline', job())).length,
    baseline: ({ strings, dump }) => naiveCount(naiveGraph(strings, dump.items.max.value)),
    same: (a, b) => a === b,
  }),
  time<Rolled, number>({
    name: 'graph: failing rows rolled up over 200,000 nodes / recursion over objects',
    target: 20,
    clock: 'cpu',
    make: async () => {
      const dump = dumpOf(many, 1)
      const graph = await buildGraph(dump, 'plumbline', job())
      const failing = failingOf(dump.ops.length)
      const rows = { ...noRows(graph.length), differs: graph.op.map(op => (op < 0 ? 0 : failing[op]!)) }
      const naive = naiveGraph(names(many), dump.items.max.value)
      const own = new Map(
        Array.from({ length: dump.ops.length }, (_, op) => [
          dump.texts.get(dump.ops.name[op]!),
          failing[op]!,
        ]),
      )
      const put = (node: Naive): void => {
        node.data['own'] = own.get(node.id) ?? 0
        node.sub.forEach(put)
      }
      put(naive)
      const marks = marksOf(singleSource('plumbline', graph, dump), { rows, origin: null })
      return { marks, failing, dump, graph, naive }
    },
    ours: ({ marks }) => {
      const { graph, rows, before } = marks.debug
      for (let place = 0; place < graph.length; place++)
        before[place + 1] = before[place]! + rows.differs[graph.order[place]!]!
      return differingBelow(marks.debug, 0)
    },
    baseline: ({ naive }) => naiveRoll(naive),
    same: (a, b) => a === b,
  }),
  memory({
    name: 'graph: memory of 200,000 nodes with their names',
    target: { megabytes: 90 },
    ours: async () => {
      const texts = new TextPool()
      const codes = new Uint32Array(many + 100)
      const parents = new Int32Array(many + 100)
      let length = 0
      eachName(many, (id, up) => {
        parents[length] = up === null ? -1 : texts.addPlain(up)
        codes[length++] = texts.addPlain(id)
      })
      const dump = { ...dumpOf(10, 1), texts }
      const rowOf = new Int32Array(texts.size + 1).fill(-1)
      for (let i = 0; i < length; i++) rowOf[codes[i]!] = i
      await buildGraph(
        {
          ...dump,
          ops: { ...dump.ops, length: 0 },
          construct: {
            ...dump.construct,
            length,
            child: codes,
            parent: parents,
            find: code => rowOf[code] ?? -1,
          },
        },
        'plumbline',
        job(),
      )
    },
  }),
  time<{ view: GraphView; open: readonly string[]; names: readonly string[] }, number>({
    name: 'graph: 200,000 names searched / lower-cased one by one',
    target: 3,
    clock: 'cpu',
    rounds: 9,
    make: async () => {
      const dump = dumpOf(many, 1)
      const graph = await buildGraph(dump, 'plumbline', job())
      const view = new GraphView(singleSource('plumbline', graph, dump))
      view.search('warm', 10)
      return { view, open: [], names: Array.from(graph.order, node => nodeName(graph, node)) }
    },
    ours: ({ view }) => view.search('LAYERS.77.SELF', 1000).filter(hit => hit.what === 'name').length,
    baseline: ({ names: all }) => all.filter(name => name.toLowerCase().includes('layers.77.self')).length,
    same: (a, b) => a === b,
  }),
  time<{ view: GraphView; naive: readonly { readonly id: string }[] }, number>({
    name: 'graph: a screen of 10,000 open children / all boxes',
    target: 10,
    clock: 'cpu',
    rounds: 9,
    make: async () => {
      const base = dumpOf(10, 1)
      const texts = new TextPool()
      const ids = [
        'Module.m.Net.forward.0',
        ...Array.from({ length: 10_000 }, (_, i) => `Module.m.block${i}.Layer.forward.0`),
      ]
      const codes = Uint32Array.from(ids, id => texts.add(id))
      const rows = new Map(Array.from(codes, (code, row) => [code, row]))
      const dump: Dump = {
        ...base,
        texts,
        ops: { ...base.ops, length: 0 },
        construct: {
          ...base.construct,
          length: ids.length,
          child: codes,
          parent: Int32Array.from(ids, (_, i) => (i === 0 ? -1 : codes[0]!)),
          find: code => rows.get(code) ?? -1,
        },
      }
      const view = new GraphView(singleSource('plumbline', await buildGraph(dump, 'plumbline', job()), dump))
      return { view, naive: ids.map(id => ({ id })) }
    },
    ours: ({ view }) =>
      view.scene({ debug: { open: ['Module.m.Net.forward.0'], top: 150_000, bottom: 151_000 }, bench: null })
        .debug.boxes.length,
    baseline: ({ naive }) => {
      let y = 0
      const boxes = naive.map(({ id }) => ({
        id,
        label: id.split('.').slice(-4, -2).join('.'),
        x: 0,
        y: (y += 30),
        w: Math.min(250, id.length * 7),
        h: 24,
      }))
      return boxes.filter(box => box.y > 150_000 && box.y < 151_000).length
    },
    same: (a, b) => Math.abs(a - b) < 6,
  }),
  time<Written, number>({
    name: 'graph: .vis of 40,000 nodes written / objects and JSON.stringify',
    target: 3,
    clock: 'cpu',
    rounds: 3,
    make: async () => {
      const folder = temporary()
      return { folder, file: path.join(folder, 'a.vis'), pair: await pairOf(40_000) }
    },
    ours: ({ pair, file }) => write(pair, file),
    baseline: ({ pair, file }) => naiveWrite(pair, `${file}.naive`),
    same: (a, b) => Math.abs(a - b) < b * 0.2,
    done: drop,
  }),
  time<Written, number>({
    name: 'graph: hierarchy of a .vis read / JSON.parse of the whole',
    target: 2,
    clock: 'cpu',
    rounds: 3,
    make: async () => {
      const folder = temporary()
      const file = path.join(folder, 'a.vis')
      const pair = await pairOf(40_000)
      await write(pair, file)
      return { folder, file, pair }
    },
    ours: async ({ file, folder }) => {
      const files = diskFiles()
      files.allow(folder)
      const read = await readVis(files, file, job())
      read.close()
      return read.debug.length
    },
    baseline: ({ file }) =>
      Object.keys((JSON.parse(readFileSync(file, 'utf8')) as { NPU: { node: object } }).NPU.node).length,
    same: (a, b) => a === b,
    done: drop,
  }),
]

export default cases
