// Reading dump.json against JSON.parse and Python's json.load; memory; sizes beyond V8's longest string; the
// cache.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Dump } from '../../main/engine/model/dump.ts'
import { openDump } from '../../main/engine/formats/msprobe/dump-cache.ts'
import { dumpFilesOf, readDump } from '../../main/engine/formats/msprobe/read.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/work/job.ts'
import { Kind } from '../../main/engine/model/names.ts'
import { bigDump, type BigDump } from './big-dump.ts'
import { memory, time, Timed, works, type Case } from './case.ts'

const template = 'pt_tr_none_statistics_mix'
const usual = (): BigDump => bigDump(template, 200e6, false)
const whole = (): BigDump => bigDump(template, 60e6, true)
const huge = (): BigDump => bigDump(template, 1e9, false)

async function read({ folder }: BigDump, grown?: (dump: Dump) => void): Promise<Dump> {
  const files = diskFiles()
  files.allow(folder)
  return readDump(files, dumpFilesOf(files, folder), job(), grown)
}

/** What both sides must find: entries, tensors, and the sum of their finite maxima in order. */
interface Found {
  readonly entries: number
  readonly tensors: number
  readonly sum: number
}

async function ours(input: BigDump): Promise<Found> {
  const { ops, items } = await read(input)
  let tensors = 0
  let sum = 0
  for (let i = 0; i < items.length; i++) {
    if (!items.tensor[i]) continue
    tensors++
    if (
      (items.max.kind[i] === Kind.float || items.max.kind[i] === Kind.int) &&
      Number.isFinite(items.max.value[i])
    )
      sum += items.max.value[i]
  }
  return { entries: ops.length, tensors, sum }
}

type Value = null | boolean | number | string | Value[] | { [key: string]: Value }

/** The plain way: the whole text, the whole tree, a walk over it. */
function parsed({ dump }: BigDump): Found {
  const { data } = JSON.parse(readFileSync(dump, 'utf8')) as { data: Record<string, Record<string, Value>> }
  let tensors = 0
  let sum = 0
  const walk = (value: Value): void => {
    if (value === null || typeof value !== 'object') return
    if (Array.isArray(value)) return value.forEach(walk)
    if (typeof value['type'] !== 'string') return Object.values(value).forEach(walk)
    if (!value['dtype']) return
    tensors++
    if (typeof value['Max'] === 'number') sum += value['Max']
  }
  const entries = Object.entries(data)
  for (const [name, entry] of entries) {
    if (name.includes('parameters_grad')) walk(entry)
    else
      for (const part of ['input_args', 'input_kwargs', 'input', 'output', 'parameters'])
        walk(entry[part] ?? null)
  }
  return { entries: entries.length, tensors, sum }
}

const sameFound = (a: Found, b: Found): boolean =>
  a.entries === b.entries && a.tensors === b.tensors && Math.abs(a.sum - b.sum) <= 1e-9 * Math.abs(a.sum)

const python = `
import json, sys, time
start = time.process_time()
with open(sys.argv[1]) as file:
    data = json.load(file)['data']
print(time.process_time() - start, len(data))
`

const noPython = (): string => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' })
    return ''
  } catch {
    return 'no python3 here'
  }
}

interface Cached {
  readonly input: BigDump
  readonly cacheDir: string
}
const opened = async ({ input, cacheDir }: Cached): Promise<Dump> => {
  const files = diskFiles()
  files.allow(input.folder)
  return openDump(files, dumpFilesOf(files, input.folder), job(), { cacheDir })
}
const shape = ({ ops, items, stacks, construct, texts }: Dump): string =>
  [ops.length, items.length, stacks.length, construct.length, texts.size].join()

export default [
  time<BigDump, Found>({
    name: 'ingest: dump.json of 200 MB / JSON.parse and a walk',
    target: process.versions['electron'] ? 3.5 : 6,
    clock: 'cpu',
    make: usual,
    ours,
    baseline: parsed,
    same: sameFound,
  }),
  time<BigDump, number>({
    name: 'ingest: dump.json of 200 MB / Python json.load',
    target: 12,
    clock: 'cpu',
    rounds: 3,
    missing: noPython,
    make: usual,
    ours: async input => (await read(input)).ops.length,
    baseline: ({ dump }) => {
      const [seconds = '', entries = ''] = execFileSync('python3', ['-c', python, dump], { encoding: 'utf8' })
        .trim()
        .split(' ')
      return new Timed(Number(seconds), Number(entries))
    },
    same: (a, b) => a === b,
  }),
  time<Cached, string>({
    // Electron's sandboxed memory makes new pages dear, and both sides are little else.
    name: 'ingest: from the cache / the first time',
    target: process.versions['electron'] ? 5 : 10,
    clock: 'cpu',
    make: async () => {
      const made = { input: whole(), cacheDir: mkdtempSync(path.join(tmpdir(), 'plumbline-bench-cache-')) }
      await opened(made)
      return made
    },
    ours: async made => shape(await opened(made)),
    baseline: async ({ input }) => shape(await read(input)),
    same: (a, b) => a === b,
    done: ({ cacheDir }) => rmSync(cacheDir, { recursive: true, force: true }),
  }),
  memory({
    name: 'ingest: peak memory of 200 MB / JSON.parse',
    target: { part: 0.4 },
    ours: async () => {
      await read(usual())
    },
    baseline: () => {
      parsed(usual())
    },
  }),
  memory({
    name: 'ingest: peak memory of 1 GB',
    target: { megabytes: 550 },
    ours: async () => {
      await read(huge())
    },
  }),
  works({
    name: 'ingest: 1 GB opens, first rows within a second',
    run: async () => {
      const input = huge()
      const start = performance.now()
      let first = Infinity
      const dump = await read(input, () => {
        first = Math.min(first, performance.now() - start)
      })
      rmSync(input.folder, { recursive: true, force: true })
      return dump.ops.length !== input.entries
        ? `${dump.ops.length} of ${input.entries} entries`
        : first > 1000
          ? `first rows after ${Math.round(first)} ms`
          : ''
    },
  }),
] satisfies Case[]
