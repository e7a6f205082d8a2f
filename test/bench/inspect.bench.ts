// Large tensors looked at: the sample, all elements against reading them, a slice, two checkpoints against reading them.
import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openBundle } from '../../main/engine/formats/index.ts'
import { compareBundles, type LookAt, Looks } from '../../main/engine/inspect/index.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import type { HeatQuery } from '../../main/engine/model/index.ts'
import { tasks } from '../../main/engine/threads/index.ts'
import { inlinePool } from '../../main/engine/work/inline.ts'
import { job } from '../../main/engine/work/job.ts'
import { openPool } from '../../main/engine/work/pool.ts'
import type { Pool } from '../../main/engine/work/task.ts'
import { type Case, memory, random, time } from './case.ts'

const folder = path.join(
  process.env['PLUMBLINE_BENCH_TMP'] ?? path.join(tmpdir(), 'plumbline-bench'),
  'inspect',
)
const mebi = 1 << 20
const [rows, columns] = [16_384, 16_384]

/** 1 GB of float32 a side, written once per machine. */
function pair(): LookAt {
  const at = (side: string): string => path.join(folder, `${side}.npy`)
  const left = written(at('debug'), () => header('<f4', [rows, columns]), 1)
  const right = written(at('bench'), () => header('<f4', [rows, columns]), 1 + 1e-4)
  return { debug: { file: left }, bench: { file: right }, align: null }
}

function header(descr: string, shape: readonly number[]): Uint8Array {
  const dict = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`
  const bytes = new TextEncoder().encode(`?NUMPY\x01\x00v\x00${dict.padEnd(117)}\n`)
  bytes[0] = 0x93
  return bytes
}

/** A header and a gigabyte of numbers behind it, all off by a factor. */
function written(file: string, head: () => Uint8Array, factor: number, isBrain = false): string {
  if (existsSync(file)) return file
  mkdirSync(folder, { recursive: true })
  const next = random(5)
  const floats = Float32Array.from({ length: (16 * mebi) / (isBrain ? 2 : 4) }, () => (next() - 0.5) * factor)
  // The upper halves of float32 are bfloat16.
  const block = isBrain ? Uint16Array.from(new Uint32Array(floats.buffer), bits => bits >>> 16) : floats
  const fd = openSync(`${file}.part`, 'w')
  writeSync(fd, head())
  for (let i = 0; i < 64; i++) {
    block[0] = i
    writeSync(fd, new Uint8Array(block.buffer))
  }
  closeSync(fd)
  renameSync(`${file}.part`, file)
  return file
}

const tensorBytes = 64 * mebi
/** Two checkpoints of 1 GB of bfloat16; `differ`: every second tensor does. */
function checkpoints(differ: boolean): readonly [string, string] {
  const head = (): Uint8Array => {
    const entries = Array.from({ length: 16 }, (_, i) => [
      `model.layers.${i}.mlp.weight`,
      { dtype: 'BF16', shape: [8192, 4096], data_offsets: [i * tensorBytes, (i + 1) * tensorBytes] },
    ])
    const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)))
    const bytes = new Uint8Array(8 + text.length)
    new DataView(bytes.buffer).setUint32(0, text.length, true)
    bytes.set(text, 8)
    return bytes
  }
  const at = (name: string): string => path.join(folder, `${name}.safetensors`)
  const left = written(at('brain'), head, 1, true)
  return [left, written(at(differ ? 'brain-other' : 'brain-same'), head, differ ? 1.01 : 1, true)]
}

const files = diskFiles()
files.allow(folder)

/** What was read is forgotten, so that the disk is asked again. */
const forget = (paths: readonly string[]): void => {
  for (const file of paths)
    execFileSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' })
}

const noDd = (): string => (process.platform === 'linux' ? '' : 'no dd that forgets files')

const buffer = new Uint8Array(mebi)
function readAlone(paths: readonly string[]): number {
  let total = 0
  for (const file of paths) {
    const fd = openSync(file, 'r')
    for (let got = 1; got > 0; total += got) got = readSync(fd, buffer, 0, buffer.length, -1)
    closeSync(fd)
  }
  return total
}

const pathsOf = ({ debug, bench }: LookAt): readonly string[] => [debug?.file ?? '', bench?.file ?? '']

interface Looked {
  readonly at: LookAt
  readonly pool: Pool
}
const looked = (): Looked => ({ at: pair(), pool: openPool(async () => tasks, 2) })
const fresh = (pool: Pool): Looks => new Looks(pool, files)

const whole: HeatQuery & { readonly sample: boolean } = {
  measure: 'abs',
  rest: 'slice',
  rowAxis: 0,
  colAxis: 1,
  at: [0, 0],
  rows: [0, rows],
  cols: [0, columns],
  sample: true,
}

/** Processor time of one question, of files that were just read, on a thread that is warm. */
async function cost(ask: (looks: Looks, at: LookAt) => Promise<unknown>): Promise<number> {
  const at = pair()
  const pool = inlinePool(tasks)
  await ask(fresh(pool), at)
  const rounds = 10
  const before = process.cpuUsage()
  for (let i = 0; i < rounds; i++) {
    // eslint-disable-next-line no-await-in-loop -- one behind the other is what is timed
    await ask(fresh(pool), at)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e3 / rounds
}

const bounds: readonly (readonly [string, number, (looks: Looks, at: LookAt) => Promise<unknown>])[] = [
  ['first health and worst of a 1 GB pair', 300, (looks, at) => looks.about(at, true, job())],
  ['first spread of a 1 GB pair', 300, (looks, at) => looks.spread(at, true, job())],
  ['first heat map of a 1 GB pair', 300, (looks, at) => looks.heat(at, whole, job())],
  [
    'heat map of a part of a 1 GB pair',
    50,
    (looks, at) => looks.heat(at, { ...whole, rows: [4000, 4600], cols: [9000, 9600], sample: false }, job()),
  ],
  [
    'numbers in view of a 1 GB pair',
    50,
    (looks, at) =>
      looks.numbers(at, { rowAxis: 0, colAxis: 1, at: [9000, 9000], rows: 40, cols: 12, wrap: 0 }, job()),
  ],
]

export default [
  ...bounds.map(([name, most, ask]): Case => ({
    is: 'bound',
    name: `inspect: ${name}`,
    bound: most,
    measure: () => cost(ask),
  })),
  time<Looked, unknown>({
    name: 'inspect: all of a cold 1 GB pair, two threads / reading it once (wall)',
    target: 0.83,
    clock: 'wall',
    rounds: 2,
    missing: noDd,
    make: looked,
    ours({ at, pool }) {
      forget(pathsOf(at))
      return fresh(pool).about(at, false, job())
    },
    baseline({ at }) {
      forget(pathsOf(at))
      return readAlone(pathsOf(at))
    },
    same: () => true,
    done: ({ pool }) => pool.close(),
  }),
  ...[false, true].map(differ =>
    time<{ readonly paths: readonly [string, string]; readonly pool: Pool }, unknown>({
      name: `inspect: two cold checkpoints of 1 GB, ${differ ? 'all unlike' : 'equal'}, two threads / reading them (wall)`,
      target: 0.83,
      clock: 'wall',
      rounds: 2,
      missing: noDd,
      make: () => ({ paths: checkpoints(differ), pool: openPool(async () => tasks, 2) }),
      ours({ paths, pool }) {
        forget(paths)
        return compareAll(paths, pool)
      },
      baseline({ paths }) {
        forget(paths)
        return readAlone(paths)
      },
      same: rowsAre =>
        (rowsAre as { readonly state: string }[]).every(({ state }) => (state === 'equal') !== differ),
      done: ({ pool }) => pool.close(),
    }),
  ),
  memory({
    name: 'inspect: peak memory, two unlike checkpoints of 1 GB in two threads',
    target: { megabytes: 96 },
    async ours() {
      const pool = openPool(async () => tasks, 2)
      await compareAll(checkpoints(true), pool)
      await pool.close()
    },
  }),
] satisfies readonly Case[]

async function compareAll(paths: readonly [string, string], pool: Pool): Promise<unknown> {
  const [left, right] = paths.map(file => openBundle(files, file))
  const { rows: found } = await compareBundles(left, right, { atol: 0, rtol: 0 }, { pool, files, job: job() })
  return found
}
