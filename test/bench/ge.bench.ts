// The text form of GE graphs: read in pieces, with weights that nobody looks at.
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readGraphs } from '../../main/engine/formats/ge/read.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/work/job.ts'
import { type Case, memory, works } from './case.ts'

const folder = path.join(process.env['PLUMBLINE_BENCH_TMP'] ?? path.join(tmpdir(), 'plumbline-bench'), 'ge')
const file = path.join(folder, 'ge_proto_00000001_Build.txt')

const desc = (key: string): string =>
  `  ${key} {\n    dtype: DT_FLOAT16\n    shape {\n      dim: 2\n      dim: 16\n      dim: 3\n      dim: 3\n      dim: 16\n    }\n    layout: "NC1HWC0"\n    attr {\n      key: "origin_format"\n      value {\n        s: "NHWC"\n      }\n    }\n  }\n`

/** Operators of some 3 KB, each reading the one before; every hundredth has a weight of 200 KB. */
function written(bytes: number): number {
  mkdirSync(folder, { recursive: true })
  const into = openSync(file, 'w')
  let size = writeSync(into, 'name: "model"\ngraph {\n  name: "ge_default_1"\n')
  let ops = 0
  const weight = `  attr {\n    key: "value"\n    value {\n      t {\n        data: "${'\\000\\177ab'.repeat(20_000)}"\n      }\n    }\n  }\n`
  for (; size < bytes; ops++) {
    const reads = ops > 0 ? `  input: "block_${(ops - 1) >> 4}/op_${ops - 1}:0"\n` : ''
    const text = `op {\n  name: "block_${ops >> 4}/op_${ops}"\n  type: "Conv2D"\n${reads}  id: ${ops}\n${desc('input_desc').repeat(6)}${desc('output_desc').repeat(3)}${ops % 100 === 0 ? weight : ''}}\n`
    size += writeSync(into, text)
  }
  writeSync(into, '}\n')
  closeSync(into)
  return ops
}

async function opsIn(): Promise<number> {
  const files = diskFiles()
  files.allow(folder)
  try {
    return (await readGraphs(files, [file], job())).ops.length
  } finally {
    files.close()
  }
}

const gigabyte = 1 << 30
const soon = 20

async function readSoon(): Promise<string> {
  const ops = written(gigabyte)
  // Of the processor: what else the machine does is not this program's.
  const begun = process.cpuUsage()
  const found = await opsIn()
  const { user, system } = process.cpuUsage(begun)
  const seconds = (user + system) / 1e6
  rmSync(folder, { recursive: true, force: true })
  if (found !== ops) return `${found} of ${ops} operators found`
  return seconds < soon ? '' : `${seconds.toFixed(1)} s`
}

async function readSmall(): Promise<void> {
  written(gigabyte)
  await opsIn()
  rmSync(folder, { recursive: true, force: true })
}

const cases: readonly Case[] = [
  works({ name: 'ge: 1 GB of text in twenty seconds of the processor', run: readSoon }),
  memory({ name: 'ge: memory for 1 GB of text', target: { megabytes: 1000 }, ours: readSmall }),
]
export default cases
