// Tensor compare: kernels in memory, files, many small pairs, threads and memory.
import type { Measured } from '../../main/engine/model/measured.ts'
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { dtypes, type DtypeName } from '../../main/engine/formats/tensors/dtype.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/work/job.ts'
import { chunkBytes, type Kernels } from '../../main/engine/measure/chunks.ts'
import { epsilon, noSums, type Sums } from '../../main/engine/measure/kernels.ts'
import { simdKernels } from '../../main/engine/measure/simd.ts'
import { measurePairs } from '../../main/engine/measure/tensor-pairs.ts'
import { tasks, warmUp } from '../../main/engine/threads/index.ts'
import { inlinePool } from '../../main/engine/work/inline.ts'
import { openPool } from '../../main/engine/work/pool.ts'
import type { Pool } from '../../main/engine/work/task.ts'
import { type Case, memory, random, time, Timed } from './case.ts'

const folder = path.join(
  process.env['PLUMBLINE_BENCH_TMP'] ?? path.join(tmpdir(), 'plumbline-bench'),
  'tensor',
)
const mebi = 1 << 20

// ---------------------------------------- in memory

interface InMemory {
  readonly kernels: Kernels
  readonly a: Float32Array
  readonly b: Float32Array
  readonly rounds: number
}

/** Both sides of one chunk, in the memory that the kernels read. */
function chunk(): InMemory {
  const kernels = simdKernels()
  const count = chunkBytes / 4
  const a = new Float32Array(kernels.debug.buffer, kernels.debug.byteOffset, count)
  const b = new Float32Array(kernels.bench.buffer, kernels.bench.byteOffset, count)
  fillPair(a, b, 3)
  return { kernels, a, b, rounds: 64 }
}

function fillPair(a: Float32Array, b: Float32Array, seed: number): void {
  const next = random(seed)
  for (let i = 0; i < a.length; i++) {
    a[i] = (next() - 0.5) * 8
    b[i] = a[i] * (1 + (next() - 0.5) * 0.01)
  }
}

/** The formulas as one would write them down. */
function plainLoop({ a, b, rounds }: InMemory): Sums {
  const sums = noSums()
  const thousandth = Math.fround(0.001)
  const fiveThousandths = Math.fround(0.005)
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < a.length; i++) {
      let x = a[i]
      let y = b[i]
      if (!Number.isFinite(x) || !Number.isFinite(y)) {
        x = 0
        y = 0
      }
      const d = x - y
      sums.debugSquares += x * x
      sums.benchSquares += y * y
      sums.product += x * y
      sums.differenceSquares += d * d
      sums.maxAbs = Math.max(sums.maxAbs, Math.abs(d))
      if (y === 0) {
        x = Math.fround(x + epsilon)
        y = Math.fround(y + epsilon)
      }
      const r = Math.abs(Math.fround(Math.fround(x - y) / y))
      sums.maxRel = Math.max(sums.maxRel, r)
      if (r < thousandth) sums.belowThousandth++
      if (r < fiveThousandths) sums.belowFiveThousandths++
    }
  }
  return sums
}

function kernelLoop({ kernels, a, rounds }: InMemory, dtype: DtypeName = 'float32'): Sums {
  const sums = noSums()
  const types = kernels.types(dtypes[dtype], dtypes[dtype])
  kernels.begin()
  for (let round = 0; round < rounds; round++)
    kernels.add(types, 0, 0, a.byteLength / dtypes[dtype].bytes, sums)
  kernels.end()
  return sums
}

const near = (x: number, y: number): boolean =>
  x === y || Math.abs(x - y) <= 1e-9 * Math.max(Math.abs(x), Math.abs(y))
const sameSums = (x: Sums, y: Sums): boolean =>
  near(x.debugSquares, y.debugSquares) &&
  near(x.benchSquares, y.benchSquares) &&
  near(x.product, y.product) &&
  near(x.differenceSquares, y.differenceSquares) &&
  x.maxAbs === y.maxAbs &&
  x.maxRel === y.maxRel &&
  x.belowThousandth === y.belowThousandth &&
  x.belowFiveThousandths === y.belowFiveThousandths

// ---------------------------------------- files

const header = (descr: string, shape: string): Uint8Array => {
  const dict = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape}), }`
  return new TextEncoder()
    .encode(`\x93NUMPY\x01\x00v\x00${dict.padEnd(117)}\n`)
    .subarray(1)
    .with(0, 0x93)
}

function writeNpy(file: string, values: Float32Array): void {
  const fd = openSync(file, 'w')
  writeSync(fd, header('<f4', `${values.length},`))
  writeSync(fd, new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
  closeSync(fd)
}

interface FilePair {
  readonly debug: string
  readonly bench: string
  readonly bytes: number
}

/** Pairs of files of a size, written once per machine. `how` says in what they differ. */
function pairsOf(
  name: string,
  pairs: number,
  bytes: number,
  how: 'close' | 'equal' | 'first',
): readonly FilePair[] {
  const to = path.join(folder, name)
  const list = Array.from({ length: pairs }, (_, i) => ({
    debug: path.join(to, 'npu', `Functional.op.${i}.forward.output.0.npy`),
    bench: path.join(to, 'bench', `Functional.op.${i}.forward.output.0.npy`),
    bytes,
  }))
  if (existsSync(path.join(to, 'done'))) return list
  for (const side of ['npu', 'bench']) mkdirSync(path.join(to, side), { recursive: true })
  const a = new Float32Array(bytes / 4)
  const b = new Float32Array(bytes / 4)
  fillPair(a, b, 17)
  if (how !== 'close') b.set(a)
  // One element per chunk is enough to take the short way for equal chunks from them.
  if (how === 'first') for (let i = 0; i < b.length; i += chunkBytes / 16) b[i] += 1
  list.forEach((pair, i) => {
    a[0] = i
    writeNpy(pair.debug, a)
    if (how === 'equal') b[0] = i
    writeNpy(pair.bench, b)
  })
  writeFileDone(path.join(to, 'done'))
  return list
}

function writeFileDone(file: string): void {
  closeSync(openSync(file, 'w'))
}

interface FromFiles {
  readonly pairs: readonly FilePair[]
  readonly pool: Pool
  readonly other?: readonly FilePair[]
}

const inline = (pairs: readonly FilePair[], other?: readonly FilePair[]): FromFiles => {
  warmUp()
  return { pairs, pool: inlinePool(tasks), ...(other ? { other } : {}) }
}

function measure({ pairs, pool }: FromFiles, list = pairs): Promise<Measured> {
  const files = diskFiles()
  files.allow(folder)
  return measurePairs(
    pool,
    files,
    list.map(({ debug, bench, bytes }) => ({ debug: { file: debug }, bench: { file: bench }, bytes })),
    job(),
  )
}

const buffer = new Uint8Array(chunkBytes)
/** Reads the same bytes and does nothing with them. */
function readAlone({ pairs }: FromFiles): number {
  let total = 0
  for (const pair of pairs) {
    for (const file of [pair.debug, pair.bench]) {
      const fd = openSync(file, 'r')
      for (let at = 0; ;) {
        const got = readSync(fd, buffer, 0, buffer.length, at)
        at += got
        total += got
        if (got < buffer.length) break
      }
      closeSync(fd)
    }
  }
  return total
}

const readWhole = ({ pairs }: FromFiles): number =>
  pairs.reduce((sum, pair) => sum + readFileSync(pair.debug).length + readFileSync(pair.bench).length, 0)

const all = (so: unknown): boolean => (so as Measured).outcome.every(outcome => outcome === 1)
const many = { pairs: 10_000, bytes: 4096 }

// ---------------------------------------- numpy, where there is one

const numpyMissing = (): string =>
  spawnSync('python3', ['-c', 'import numpy']).status === 0 ? '' : 'no Python with numpy'
const formulas = (type: string, make: string): string => `
import numpy as np, time, sys
${make}
def metrics(n, b):
    if b.dtype not in (np.float16, np.float32, np.float64): n, b = n.astype(np.float64), b.astype(np.float64)
    n, b = n.copy(), b.copy()
    bad = np.isnan(n) | np.isinf(n)
    z = b == 0; n[z] += np.finfo(float).eps; b[z] += np.finfo(float).eps
    r = np.abs((n - b) / b)
    n, b = n.astype(np.float64), b.astype(np.float64)
    return n.dot(b) / (np.linalg.norm(n) * np.linalg.norm(b)), np.max(np.abs(n - b)), np.max(r), np.mean(r < 0.001), np.mean(r < 0.005), np.linalg.norm(n - b)
best = 1e9
for i in range(3):
    t = time.process_time(); x = metrics(n, b) if ${type === 'files' ? 'False' : 'True'} else metrics(np.load(sys.argv[1]), np.load(sys.argv[2])); best = min(best, time.process_time() - t)
print(best)`
const numpySeconds = (type: string, make: string, args: readonly string[] = []): Timed<Sums> =>
  new Timed(
    Number(spawnSync('python3', ['-c', formulas(type, make), ...args], { encoding: 'utf8' }).stdout),
    noSums(),
  )

const numpyCases = (
  [
    ['f32', 'float32', 12],
    ['f16', 'float16', 20],
    ['f64', 'float64', 9],
    ['i32', 'int32', 10],
  ] as const
).map(([short, dtype, target]) =>
  time<InMemory, Sums>({
    name: `tensor: ${short} metrics in memory / numpy formulas`,
    target,
    clock: 'cpu',
    missing: numpyMissing,
    make: chunk,
    ours: input => kernelLoop(input, dtype),
    baseline: ({ rounds }) =>
      numpySeconds(
        'memory',
        `n = (np.random.randn(${(chunkBytes / dtypes[dtype].bytes) * rounds}) * 100).astype(np.${dtype}); b = n + n.dtype.type(1)`,
      ),
    same: () => true,
  }),
)

export default [
  time<InMemory, Sums>({
    name: 'tensor: f32 metrics in memory / typed-array loop',
    target: 7,
    clock: 'cpu',
    make: chunk,
    ours: kernelLoop,
    baseline: plainLoop,
    same: sameSums,
  }),
  ...numpyCases,
  time<FromFiles, unknown>({
    name: 'tensor: f32 pair from warm files / numpy with np.load',
    target: 15,
    clock: 'cpu',
    missing: numpyMissing,
    make: () => inline(pairsOf('large', 4, 32 * mebi, 'close').slice(0, 1)),
    ours: input => measure(input),
    baseline: ({ pairs }) => numpySeconds('files', '', [pairs[0].debug, pairs[0].bench]),
    same: () => true,
  }),
  time<FromFiles, unknown>({
    name: 'tensor: files and kernel / reading alone (rate)',
    target: 0.38,
    clock: 'cpu',
    make: () => inline(pairsOf('large', 4, 32 * mebi, 'close')),
    ours: input => measure(input),
    baseline: readAlone,
    same: all,
  }),
  time<FromFiles, unknown>({
    name: 'tensor: 10,000 pairs of 4 KB / readFileSync alone (time)',
    target: 1,
    clock: 'cpu',
    make: () => inline(pairsOf('small', many.pairs, many.bytes, 'close')),
    ours: input => measure(input),
    baseline: readWhole,
    same: all,
  }),
  time<FromFiles, unknown>({
    name: 'tensor: 10,000 pairs of 4 KB, two threads / readFileSync alone (time)',
    target: 1,
    clock: 'wall',
    async make() {
      const made = {
        pairs: pairsOf('small', many.pairs, many.bytes, 'close'),
        pool: openPool(async () => tasks, 2),
      }
      await measure(made)
      return made
    },
    ours: input => measure(input),
    baseline: readWhole,
    same: all,
    done: ({ pool }) => pool.close(),
  }),
  time<FromFiles, unknown>({
    name: 'tensor: equal pair / pair without the short way',
    target: 1.5,
    clock: 'cpu',
    make: () => inline(pairsOf('equal', 4, 32 * mebi, 'equal'), pairsOf('unequal', 4, 32 * mebi, 'first')),
    ours: input => measure(input),
    baseline: input => measure(input, input.other),
    same: all,
  }),
  time<FromFiles & { readonly one: Pool }, Measured>({
    name: 'tensor: two threads / one, warm files of 4 MB',
    target: 1.3,
    clock: 'wall',
    async make() {
      const made = {
        pairs: pairsOf('middle', 48, 4 * mebi, 'close'),
        pool: openPool(async () => tasks, 2),
        one: openPool(async () => tasks, 1),
      }
      for (const pool of [made.pool, made.one]) await measure({ ...made, pool })
      return made
    },
    ours: input => measure(input),
    baseline: input => measure({ ...input, pool: input.one }),
    same: (ours, baseline) =>
      all(ours) &&
      ours.cosine.every(
        (cosine, i) => cosine === baseline.cosine[i] && ours.debugHash[i] === baseline.debugHash[i],
      ),
    async done({ pool, one }) {
      await pool.close()
      await one.close()
    },
  }),
  memory({
    name: 'tensor: peak memory, 16 pairs of 64 MB in two threads',
    target: { megabytes: 64 },
    ours: () => inThreads(pairsOf('huge', 4, 64 * mebi, 'close'), 4),
  }),
  memory({
    name: 'tensor: peak memory, one pair of 4 GB',
    target: { megabytes: 64 },
    ours: () => inThreads([sparsePair(4 * 1024 * mebi)], 1),
  }),
] satisfies readonly Case[]

async function inThreads(pairs: readonly FilePair[], times: number): Promise<void> {
  const pool = openPool(async () => tasks, 2)
  const list = Array.from({ length: times }, () => pairs).flat()
  const so = await measure({ pairs: list, pool })
  if (!all(so)) throw new Error(`outcomes ${so.outcome.join()}`)
  await pool.close()
}

/** Files that are mostly holes: as large as one wants, and no disk is needed. */
function sparsePair(bytes: number): FilePair {
  mkdirSync(folder, { recursive: true })
  const [debug, bench] = ['npu', 'bench'].map((side, i) => {
    const file = path.join(folder, `sparse-${bytes}-${side}.npy`)
    rmSync(file, { force: true })
    const fd = openSync(file, 'w')
    const head = header('<f4', `${bytes / 4},`)
    writeSync(fd, head)
    ftruncateSync(fd, head.length + bytes)
    // Something differs in every chunk.
    const value = new Uint8Array(Float32Array.of(1 + i).buffer)
    for (let at = head.length; at < bytes; at += chunkBytes) writeSync(fd, value, 0, 4, at)
    closeSync(fd)
    return file
  })
  return { debug, bench, bytes }
}
