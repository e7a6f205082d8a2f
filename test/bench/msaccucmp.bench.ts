// Raw NPU dumps against msaccucmp of mindstudio-probe 26.2.0, where a Python has it: the same files, in turns.
import { execFileSync } from 'node:child_process'
import { createHash, type Hash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { rawReading, rawTensors, readRawHeader } from '../../main/engine/formats/index.ts'
import { widenedPieces } from '../../main/engine/formats/tensors/npy-writer.ts'
import { inRoom } from '../../main/engine/formats/npu/read-at.ts'
import { layoutOf } from '../../main/engine/formats/tensors/tensor-file.ts'
import { diskFiles, quickFiles } from '../../main/engine/io/index.ts'
import { rawFile, type RawSpec } from '../support/raw-files.ts'
import { type Case, random, time, Timed } from './case.ts'
import { buildOnce, cli, timed } from './reference.ts'

/** PLUMBLINE_MSACCUCMP: a Python with mindstudio-probe 26.2.0, numpy below 2, protobuf, ml_dtypes and psutil. */
const python = process.env['PLUMBLINE_MSACCUCMP'] ?? ''
const script = path.resolve('test/bench/msaccucmp.py')
const missing = (): string =>
  existsSync(python) ? '' : 'PLUMBLINE_MSACCUCMP names no Python with mindstudio-probe 26.2.0'

interface Dumps {
  readonly home: string
  readonly folder: string
}

interface Asked {
  readonly files: number
  readonly dtype: number
  readonly shape: readonly number[]
  /** `letters`: the format of the original shape; NHWC where none is told. */
  readonly layout?: {
    readonly format: number
    readonly original: readonly number[]
    readonly letters?: number
  }
}

const widths: Readonly<Record<number, number>> = { 2: 2, 27: 2, 34: 1, 35: 1 }

/** Two inputs and an output each, of numbers that every reader agrees about. */
function dumps({ files, dtype, shape, layout }: Asked): Dumps {
  const home = mkdtempSync(path.join(made(), 'msaccucmp-'))
  const folder = path.join(home, 'raw')
  mkdirSync(folder)
  const next = random(7)
  const data = new Uint8Array(shape.reduce((all, dim) => all * dim, widths[dtype])).map(() => next() * 0x60)
  const tensor: RawSpec = {
    dtype,
    format: layout?.format ?? 2,
    shape,
    originalShape: layout?.original ?? shape,
    data,
  }
  const bytes = rawFile({
    inputs: [tensor, tensor],
    outputs: [layout ? { ...tensor, originalFormat: layout.letters ?? 1 } : tensor],
  })
  for (let i = 0; i < files; i++)
    writeFileSync(path.join(folder, `Conv2D.net_op${i}.${i}.5.1620612694000300`), bytes)
  return { home, folder }
}

/** In memory where nobody says otherwise and the system has such a place: on a disk both programs wait for it to make files. */
function made(): string {
  const inMemory = '/dev/shm'
  const base =
    process.env['PLUMBLINE_BENCH_TMP'] ??
    (existsSync(inMemory) ? path.join(inMemory, 'plumbline-bench') : tmpdir())
  mkdirSync(base, { recursive: true })
  return base
}

const done = ({ home }: Dumps): void => rmSync(home, { recursive: true, force: true })

/** All tensors of all files, one after the other, on one thread, as the engine reads a tensor it looks at. */
async function arrays(folder: string, hash?: Hash): Promise<void> {
  const allowed = diskFiles()
  allowed.allow(folder)
  const files = quickFiles(allowed.roots())
  for (const name of readdirSync(folder).sort()) {
    const file = path.join(folder, name)
    const handle = files.open(file)
    if (!handle) throw new Error(`${file} is gone`)
    // Read in one go and widened in pieces, as `parse` does with files of this size.
    const source = inRoom(handle)
    handle.close()
    for (const tensor of rawTensors(await readRawHeader(source, file))) {
      const { range } = rawReading(file, tensor, { layout: 'device' })
      if (!range) throw new Error('not decoded')
      const { from, size, dtype } = layoutOf(source, { file, part: range })
      for (const piece of widenedPieces(dtype, source.bytes.subarray(from, from + size * dtype.bytes)))
        hash?.update(piece)
    }
  }
}

async function decoded({ folder }: Dumps): Promise<Timed<string>> {
  await arrays(folder)
  const begun = process.cpuUsage()
  await arrays(folder)
  const { user, system } = process.cpuUsage(begun)
  const hash = createHash('md5')
  await arrays(folder, hash)
  return new Timed((user + system) / 1e6, hash.digest('hex'))
}

function decodedByReference({ folder }: Dumps): Timed<string> {
  const told = execFileSync(python, [script, 'decode', folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const { seconds, md5 } = JSON.parse(told) as { seconds: number; md5: string }
  return new Timed(seconds, md5)
}

const commands = {
  make: async (asked: Asked): Promise<Dumps> => {
    await buildOnce()
    return dumps(asked)
  },
  ours({ home, folder }: Dumps, layout: readonly string[]): Timed<true> {
    const out = path.join(home, 'ours')
    rmSync(out, { recursive: true, force: true })
    return timed(process.execPath, [cli, 'parse', '-d', folder, '-o', out, ...layout])
  },
  baseline({ home, folder }: Dumps, layout: readonly string[]): Timed<true> {
    const out = path.join(home, 'theirs')
    rmSync(out, { recursive: true, force: true })
    mkdirSync(out)
    return timed(python, [script, 'convert', '-d', folder, '-out', out, ...layout])
  },
}

const decoding = (name: string, target: number, asked: Asked): Case =>
  time({
    name: `raw: decode ${name}, against msaccucmp`,
    target,
    clock: 'cpu',
    missing,
    make: () => dumps(asked),
    ours: decoded,
    baseline: decodedByReference,
    same: (ours, baseline) => ours === baseline,
    done,
  })

const command = (name: string, target: number, asked: Asked, layout: readonly string[] = []): Case =>
  time({
    name: `raw: ${name} as a command, against msaccucmp`,
    target,
    clock: 'wall',
    missing,
    make: () => commands.make(asked),
    ours: input => commands.ours(input, layout),
    baseline: input => commands.baseline(input, layout),
    same: () => true,
    done,
  })

const features = { files: 2000, dtype: 2, shape: [1, 2, 14, 14, 16] } as const
const turned = { ...features, layout: { format: 3, original: [1, 14, 14, 29] } } as const
const weights = {
  files: 2000,
  dtype: 2,
  shape: [18, 2, 16, 16],
  layout: { format: 4, original: [29, 30, 3, 3], letters: 0 },
} as const
const wide = {
  files: 2,
  dtype: 2,
  shape: [32, 16, 56, 56, 16],
  layout: { format: 3, original: [32, 56, 56, 250] },
} as const
const matrices = {
  files: 4,
  dtype: 2,
  shape: [256, 128, 16, 16],
  layout: { format: 29, original: [2045, 4090] },
} as const
const kernels = {
  files: 4,
  dtype: 2,
  shape: [288, 32, 16, 16],
  layout: { format: 4, original: [512, 512, 3, 3], letters: 0 },
} as const
const brains = { files: 42, dtype: 27, shape: [1024, 1024] } as const

const cases: readonly Case[] = [
  decoding('2,000 small files', 10, features),
  decoding('large files of bf16', 3, { files: 20, dtype: 27, shape: [512, 1024] }),
  decoding('eight-bit floats', 10, { files: 2, dtype: 35, shape: [64, 1024] }),
  command('2,000 small files', 10, features),
  command('2,000 small files to NHWC', 10, turned, ['-f', 'NHWC']),
  command('2,000 small weights to NCHW', 10, weights, ['-f', 'NCHW']),
  command('large files to NHWC', 10, wide, ['-f', 'NHWC']),
  command('large matrices to ND', 10, matrices, ['-f', 'ND']),
  // Here the system's copying alone takes more than a tenth of what msaccucmp takes.
  command('large weights to NCHW', 5, kernels, ['-f', 'NCHW']),
  command('250 MB of bf16', 4, brains),
  command('250 MB of bf16 in one file', 5, { files: 1, dtype: 27, shape: [42, 1024, 1024] }),
  command('eight-bit floats', 10, { files: 4, dtype: 34, shape: [64, 1024] }),
]
export default cases
