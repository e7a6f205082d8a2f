// The cache of opened dumps: the same dump comes back, damage and change are noticed, old files go, and
// growing dumps are followed.
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { opName, type Dump } from '../../../main/engine/model/dump.ts'
import { followDump, openDump } from '../../../main/engine/formats/msprobe/dump-cache.ts'
import { packDump, unpackDump } from '../../../main/engine/formats/dump-pack.ts'
import { dumpFilesOf, readDump } from '../../../main/engine/formats/msprobe/read.ts'
import { diskCache } from '../../../main/engine/io/cache.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { job, type Progress } from '../../../main/engine/work/job.ts'
import { linesOf } from '../../support/careful-dump.ts'
import { dumpFolders, fixturesRoot } from '../../support/fixtures.ts'

let home = ''
let dir = ''
let cacheDir = ''
const source = path.join(fixturesRoot(), 'dumps', 'pt_tr_none_statistics_mix', 'step0', 'rank')
const files = diskFiles()
files.allow(tmpdir())

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'plumbline-cache-test-'))
  dir = path.join(home, 'rank')
  cacheDir = path.join(home, 'cache')
  mkdirSync(dir)
  for (const name of ['dump.json', 'stack.json', 'construct.json'])
    cpSync(path.join(source, name), path.join(dir, name))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const open = (): Promise<Dump> => openDump(files, dumpFilesOf(files, dir), job(), { cacheDir, cacheFrom: 0 })
const kept = (): string[] => (existsSync(cacheDir) ? readdirSync(cacheDir).sort() : [])

/** Everything that a dump says. */
function all(dump: Dump): unknown {
  return {
    header: dump.header,
    partial: dump.partial,
    problems: dump.problems,
    places: [dump.dir, dump.file, dump.stacks.file, dump.construct.file, dump.tensors.place],
    raw: dump.raw,
    tensors: Array.from({ length: dump.items.length }, (_, item) => dump.tensors.ref(item)),
    lines: linesOf(dump),
    stacks: Array.from({ length: dump.ops.length }, (_, op) => dump.stacks.of(dump.ops.name[op]!)),
    frames: Array.from({ length: dump.stacks.length }, (_, i) => dump.stacks.frames(i)),
    newLayout: dump.stacks.newLayout,
    construct: Array.from({ length: dump.construct.length }, (_, i) => [
      dump.texts.get(dump.construct.child[i]!),
      dump.construct.parent[i],
      dump.construct.micro[i],
      dump.construct.find(dump.construct.child[i]!),
    ]),
    microSteps: dump.construct.microSteps,
  }
}

/** Whether the cache answered: then the first thing told is that everything is read. */
async function fromCache(): Promise<boolean> {
  const told: Progress[] = []
  await openDump(
    files,
    dumpFilesOf(files, dir),
    job(undefined, p => told.push(p)),
    { cacheDir, cacheFrom: 0 },
  )
  return told.length === 1 && told[0]!.done === told[0]!.total
}

test('the second opening says the same as the first, and its texts can grow', async () => {
  const first = await open()
  expect(kept().length).toBe(1)
  expect(await fromCache()).toBe(true)
  const second = await open()
  expect(all(second)).toEqual(all(first))
  expect(second.texts.find(opName(first, 5))).toBe(first.ops.name[5])
  const code = second.texts.add('something new')
  expect(second.texts.get(code)).toBe('something new')
  expect(second.texts.find('nowhere')).toBe(-1)
})

test('packing and unpacking keeps every real dump', async () => {
  const root = path.join(fixturesRoot(), 'dumps')
  for (const folder of dumpFolders(root).filter((_, i) => i % 6 === 0)) {
    const dump = await readDump(files, dumpFilesOf(files, folder), job())
    expect(all(unpackDump(packDump(dump)!))).toEqual(all(dump))
  }
})

test.each([
  [
    'a byte flipped in the middle',
    (bytes: Buffer) => {
      bytes[bytes.length >> 1]! ^= 4
    },
  ],
  [
    'a byte flipped in the directory',
    (bytes: Buffer) => {
      bytes[bytes.length - 40]! ^= 1
    },
  ],
  [
    'a byte flipped at the end',
    (bytes: Buffer) => {
      bytes[bytes.length - 1]! ^= 1
    },
  ],
  ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
  ['empty', () => Buffer.alloc(0)],
  ['something else', () => Buffer.from('no cached dump at all')],
])('a damaged file is replaced: %s', async (_, damage) => {
  const first = await open()
  const file = path.join(cacheDir, kept()[0]!)
  const bytes = readFileSync(file)
  writeFileSync(file, damage(bytes) ?? bytes)
  expect(all(await open())).toEqual(all(first))
  expect(statSync(file).size).toBe(bytes.length)
  expect(await fromCache()).toBe(true)
})

test('a changed file is read again', async () => {
  await open()
  utimesSync(path.join(dir, 'stack.json'), new Date(1e12), new Date(1e12))
  expect(await fromCache()).toBe(false)
  writeFileSync(path.join(dir, 'construct.json'), '{}')
  expect((await open()).construct.length).toBe(0)
})

test('the folder may be deleted, be unwritable or be a file', async () => {
  const first = await open()
  rmSync(cacheDir, { recursive: true })
  expect(all(await open())).toEqual(all(first))
  rmSync(cacheDir, { recursive: true })
  writeFileSync(cacheDir, 'a file')
  expect(all(await open())).toEqual(all(first))
})

test('the longest unused go when there is no room, and nothing else is touched', async () => {
  const cache = diskCache(cacheDir, 250)
  const write = (key: string): Promise<void> =>
    cache.write(
      key,
      (async function* () {
        yield new Uint8Array(60)
        yield new Uint8Array(40)
      })(),
    )
  await write('a')
  const a = path.join(cacheDir, kept()[0]!)
  await write('b')
  const b = path.join(
    cacheDir,
    kept().find(name => !a.endsWith(name))!,
  )
  writeFileSync(path.join(cacheDir, 'not ours.txt'), 'x'.repeat(1000))
  utimesSync(a, new Date(2e9), new Date(2e9))
  utimesSync(b, new Date(1e9), new Date(1e9))
  await write('c')
  expect([cache.read('a')?.length, cache.read('b'), cache.read('c')?.length]).toEqual([100, null, 100])
  expect(readFileSync(path.join(cacheDir, 'not ours.txt')).length).toBe(1000)
  expect(kept().filter(name => name.endsWith('.part'))).toEqual([])
})

test('a partial dump is not kept', async () => {
  const file = path.join(dir, 'dump.json')
  writeFileSync(file, readFileSync(file).subarray(0, -100))
  const dump = await open()
  expect(dump.partial).toBe(true)
  expect(kept()).toEqual([])
})

test('a growing dump is followed from cut to whole', async () => {
  const file = path.join(dir, 'dump.json')
  const whole = readFileSync(file)
  writeFileSync(file, whole.subarray(0, whole.length >> 1))
  const half = await open()
  expect(half.partial).toBe(true)
  expect(await followDump(files, half, job())).toBe(half)
  appendFileSync(file, whole.subarray(whole.length >> 1))
  const full = await followDump(files, half, job())
  expect(full.partial).toBe(false)
  expect(full.ops.length).toBeGreaterThan(half.ops.length)
  expect(opName(full, half.ops.length - 1)).toBe(opName(half, half.ops.length - 1))
  expect(await followDump(files, full, job())).toBe(full)
})

test('a dump that changes while it is read is partial', async () => {
  const where = dumpFilesOf(files, dir)
  const dump = await openDump(
    files,
    where,
    job(undefined, () => appendFileSync(path.join(dir, 'construct.json'), ' ')),
    { cacheDir, cacheFrom: 0 },
  )
  expect(dump.partial).toBe(true)
  expect(dump.problems.map(p => p.code)).toContain('growing')
  expect(kept()).toEqual([])
})
