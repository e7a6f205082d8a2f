// Whole compare commands over tensor files, from the first line read to the workbook written, against msprobe
// 1.2.2 where it is installed.
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { adviseOnFiles } from '../../main/engine/advisor/on-files.ts'
import { toHalf } from '../../main/engine/formats/tensors/dtype.ts'
import { job } from '../../main/engine/work/job.ts'
import { measurePairs } from '../../main/engine/measure/tensor-pairs.ts'
import { tasks } from '../../main/engine/threads/index.ts'
import { openPool } from '../../main/engine/work/pool.ts'
import type { Pool } from '../../main/engine/work/task.ts'
import { random, time, Timed, type Case } from './case.ts'
import { rowsOf } from './rows.ts'
import { buildOnce, cli, noReference, python, timed } from './reference.ts'

const home = path.join(
  process.env['PLUMBLINE_BENCH_TMP'] ?? path.join(tmpdir(), 'plumbline-bench'),
  'command',
)

const types = [
  { name: 'Float32', descr: '<f4', bytes: 4, share: 3 },
  { name: 'Float16', descr: '<f2', bytes: 2, share: 1 },
  { name: 'Int64', descr: '<i8', bytes: 8, share: 1 },
] as const
type Type = (typeof types)[number]

interface Asked {
  readonly name: string
  /** Calls with one input and one output each. */
  readonly calls: number
  /** Bytes of a tensor: the shapes of a model take turns. */
  readonly bytes: readonly number[]
}

const columns = 64
const leaf = ({ name }: Type, rows: number, file: string): string =>
  `{"type": "mindspore.Tensor", "dtype": "${name}", "shape": [${rows}, ${columns}], "Max": 4.0, "Min": -4.0, "Mean": 0.01, "Norm": 90.5, "data_name": "${file}"}`

/** A pair of MindSpore dumps with tensor files, written once per machine. */
function pair({ name, calls, bytes }: Asked): string {
  const folder = path.join(home, name)
  if (existsSync(path.join(folder, 'compare.json'))) return folder
  rmSync(folder, { recursive: true, force: true })
  const order = types.flatMap(type => Array.from({ length: type.share }, () => type))
  for (const side of ['npu', 'bench'] as const) {
    const dir = path.join(folder, side)
    mkdirSync(path.join(dir, 'dump_tensor_data'), { recursive: true })
    const blocks = new Map(
      types.map(type => [type.name, valuesOf(type, Math.max(...bytes), side === 'bench')]),
    )
    const tensor = (i: number, file: string): string => {
      const type = order[i % order.length]
      const rows = Math.max(1, Math.floor(bytes[i % bytes.length] / columns / type.bytes))
      writeNpy(
        path.join(dir, 'dump_tensor_data', file),
        i,
        type,
        rows,
        blocks.get(type.name) ?? new Uint8Array(0),
      )
      return leaf(type, rows, file)
    }
    const keys = Array.from({ length: calls }, (_, i) => `Primitive.matmul.MatMul.${i}.forward`)
    const entries = keys.map(
      (key, i) =>
        `"${key}": {"input_args": [${tensor(2 * i, `${key}.input.0.npy`)}], "input_kwargs": {}, "output": [${tensor(2 * i + 1, `${key}.output.0.npy`)}]}`,
    )
    writeFileSync(
      path.join(dir, 'dump.json'),
      `{"task": "tensor", "level": "L1", "framework": "mindspore", "dump_data_dir": "./dump_tensor_data", "data": {\n${entries.join(',\n')}\n}}`,
    )
    writeFileSync(
      path.join(dir, 'stack.json'),
      JSON.stringify(
        Object.fromEntries(keys.map(key => [key, ['File model.py, line 1, in construct, \n return x']])),
      ),
    )
  }
  const [npu, bench] = ['npu', 'bench'].map(side => path.join(folder, side))
  writeFileSync(
    path.join(folder, 'compare.json'),
    JSON.stringify({
      npu_path: path.join(npu, 'dump.json'),
      bench_path: path.join(bench, 'dump.json'),
      stack_path: path.join(npu, 'stack.json'),
      is_print_compare_log: false,
    }),
  )
  return folder
}

/** Normal values; the bench's are off by a thousandth. */
function valuesOf({ name, bytes }: Type, length: number, bench: boolean): Uint8Array {
  const next = random(11)
  const many = Math.ceil(length / bytes)
  const value = (): number => {
    const [size, off] = [next(), next()]
    return (size - 0.5) * 8 * (bench ? 1 + (off - 0.5) * 0.002 : 1)
  }
  if (name === 'Float32') return new Uint8Array(Float32Array.from({ length: many }, value).buffer)
  if (name === 'Float16')
    return new Uint8Array(Uint16Array.from({ length: many }, () => toHalf(value())).buffer)
  return new Uint8Array(BigInt64Array.from({ length: many }, () => BigInt(Math.round(value() * 1000))).buffer)
}

/** The number makes each tensor another: equal ones would be the same data to the advisor. */
function writeNpy(
  file: string,
  number: number,
  { descr, bytes }: Type,
  rows: number,
  block: Uint8Array,
): void {
  const head = Buffer.from(
    `\u0093NUMPY\u0001\u0000v\u0000${`{'descr': '${descr}', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`.padEnd(117)}\n`,
    'latin1',
  )
  const fd = openSync(file, 'w')
  writeSync(fd, head)
  new DataView(block.buffer).setUint16(bytes === 4 ? 1 : 0, number, true)
  writeSync(fd, block, 0, rows * columns * bytes)
  closeSync(fd)
}

const words = (folder: string, to: string): string[] => [
  '-f',
  'mindspore',
  'compare',
  '-i',
  path.join(folder, 'compare.json'),
  '-o',
  path.join(folder, to),
]

const whole = (what: string, target: number, asked: Asked): Case =>
  time<string, true>({
    name: `command: compare of ${what} / msprobe 1.2.2`,
    target,
    clock: 'wall',
    rounds: 2,
    missing: noReference,
    async make() {
      await buildOnce()
      return pair(asked)
    },
    ours: folder => timed(process.execPath, [cli, ...words(folder, 'ours')]),
    baseline: folder => timed(python, ['-m', 'msprobe.msprobe', ...words(folder, 'theirs')]),
    same: (ours, baseline) => ours === baseline,
    done: folder => {
      for (const to of ['ours', 'theirs']) rmSync(path.join(folder, to), { recursive: true, force: true })
    },
  })

interface Running {
  readonly folder: string
  readonly pool: Pool
}

const running = (asked: Asked): Running => ({ folder: pair(asked), pool: openPool(async () => tasks) })

/** An engine that runs, as in the app, has compared something before. */
const comparedBefore = 4

async function rowsReady(
  { folder, pool }: Running,
  asked: Asked,
  findings: boolean,
): Promise<Timed<boolean>> {
  const once = async (): Promise<Timed<boolean>> => {
    const began = performance.now()
    const sides: readonly [string, string] = [path.join(folder, 'npu'), path.join(folder, 'bench')]
    const comparison = await rowsOf(
      sides,
      'mindspore',
      files => (pairs, work) => measurePairs(pool, files, pairs, work),
    )
    if (findings)
      await adviseOnFiles(
        { comparison },
        sides.map(side => ({ path: side, real: side })),
        job(),
      )
    return new Timed(
      (performance.now() - began) / 1e3,
      comparison.pending === 0 && comparison.length === 2 * asked.calls,
    )
  }
  for (let before = 0; before < comparedBefore; before++) await once()
  return once()
}

const inRunningEngine = (what: string, target: number, asked: Asked): Case =>
  time<Running, boolean>({
    name: `command: ${what}, rows ready in a running engine / msprobe 1.2.2`,
    target,
    clock: 'wall',
    rounds: 2,
    missing: noReference,
    make: () => running(asked),
    ours: on => rowsReady(on, asked, false),
    baseline: ({ folder }) => timed(python, ['-m', 'msprobe.msprobe', ...words(folder, 'theirs')]),
    same: (ours, baseline) => ours === baseline,
    async done({ folder, pool }) {
      rmSync(path.join(folder, 'theirs'), { recursive: true, force: true })
      await pool.close()
    },
  })

// A third of the tensors of a transformer are weights of a megabyte, the rest activations.
const gigabyte: Asked = {
  name: 'gigabyte',
  calls: 2400,
  bytes: [76_800, 16_384, 76_800, 1_228_800, 32_768, 76_800],
}
const small: Asked = { name: 'small', calls: 5000, bytes: [4096] }

export default [
  // A command that starts anew and writes the workbook and the advice spends half a second on what does not
  // grow with the tensors.
  whole('tensors of 1 GB', 15, gigabyte),
  whole('10,000 pairs of 4 KB', 12, small),
  inRunningEngine('tensors of 1 GB', 30, gigabyte),
  inRunningEngine('10,000 pairs of 4 KB', 80, small),
  time<Running, boolean>({
    name: 'command: tensors of 1 GB with findings / without, running engine',
    target: 0.95,
    clock: 'wall',
    rounds: 4,
    make: () => running(gigabyte),
    ours: on => rowsReady(on, gigabyte, true),
    baseline: on => rowsReady(on, gigabyte, false),
    same: (ours, baseline) => ours && baseline,
    done: ({ pool }) => pool.close(),
  }),
] satisfies Case[]
