// A dump read by a thread is the dump that this thread reads: values, partial views, progress, refusals, archives.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Dump } from '../../../main/engine/model/dump.ts'
import { dumpFilesOf, readDump } from '../../../main/engine/formats/msprobe/read.ts'
import { readBeside, readTask } from '../../../main/engine/formats/msprobe/read-beside.ts'
import { diskFiles, type Files } from '../../../main/engine/io/files.ts'
import { inlinePool } from '../../../main/engine/work/inline.ts'
import { Cancelled, job, type Progress } from '../../../main/engine/work/job.ts'
import { linesOf } from '../../support/careful-dump.ts'
import { fixturesRoot } from '../../support/fixtures.ts'
import { tarBytes } from '../../support/archives.ts'

const source = path.join(fixturesRoot(), 'dumps', 'pt_tr_none_statistics_mix', 'step0', 'rank')
let home = ''
const threads = inlinePool({ readDump: readTask })

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'plumbline-beside-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const told = (dump: Dump): unknown => ({
  header: dump.header,
  lines: linesOf(dump),
  frames: Array.from({ length: dump.ops.length }, (_, op) =>
    dump.stacks.frames(dump.stacks.of(dump.ops.name[op] ?? -1)),
  ),
  parents: Array.from(dump.construct.parent),
  files: [dump.dir, dump.file, dump.stacks.file, dump.construct.file],
  problems: dump.problems,
})

function opened(folder: string) {
  const files = diskFiles()
  files.allow(folder)
  return { files, where: dumpFilesOf(files, folder) }
}

test('a thread reads what this thread reads', async () => {
  const { files, where } = opened(source)
  const here = await readDump(files, where, job())
  const beside = await readBeside(threads, files, { where, provisional: false }, job())
  expect(told(beside)).toEqual(told(here))
})

test('columns are shared, not copied', async () => {
  const { files, where } = opened(source)
  const dump = await readBeside(threads, files, { where, provisional: false }, job())
  for (const column of [dump.ops.name, dump.items.max.value, dump.construct.child, dump.texts.pack().heap])
    expect(column.buffer).toBeInstanceOf(SharedArrayBuffer)
})

test('progress is told, and what is there before the end', async () => {
  const { files, where } = opened(source)
  const progress: Progress[] = []
  const parts: number[] = []
  const watched = job(undefined, one => progress.push(one))
  const dump = await readBeside(threads, files, { where, provisional: false }, watched, part =>
    parts.push(part.items.length),
  )
  expect(progress.length).toBeGreaterThan(0)
  expect(progress.at(-1)?.done).toBeLessThanOrEqual(progress.at(-1)?.total ?? 0)
  for (const many of parts) expect(many).toBeLessThanOrEqual(dump.items.length)
})

test('a file that is no dump is refused by its name, a link that leads out as well', async () => {
  const dir = path.join(home, 'rank')
  mkdirSync(dir)
  writeFileSync(path.join(dir, 'dump.json'), '{"task": "statistics"}')
  const { files, where } = opened(dir)
  await expect(readBeside(threads, files, { where, provisional: false }, job())).rejects.toMatchObject({
    problem: { path: where.dump },
  })
  const outside = { ...where, dump: path.join(source, 'dump.json') }
  await expect(
    readBeside(threads, files, { where: outside, provisional: false }, job()),
  ).rejects.toMatchObject({ problem: { code: 'outside-root' } })
})

test('cancelled work ends as cancelled', async () => {
  const { files, where } = opened(source)
  const stop = AbortSignal.abort()
  await expect(readBeside(threads, files, { where, provisional: false }, job(stop))).rejects.toBeInstanceOf(
    Cancelled,
  )
})

/** Where the dump begins below an archive's own path. */
const folderIn = (files: Files, archive: string): string =>
  files.list(archive).some(({ name }) => name === 'dump.json') ? archive : path.join(archive, 'rank')

test('a dump inside an archive is read where it was unpacked', async () => {
  const archive = path.join(home, 'dump.tar')
  const names = ['dump.json', 'stack.json', 'construct.json']
  writeFileSync(
    archive,
    tarBytes(names.map(name => ({ name: `rank/${name}`, data: readFileSync(path.join(source, name)) }))),
  )
  const files = diskFiles(home)
  const mount = await files.mount(archive, job())
  try {
    const where = dumpFilesOf(files, folderIn(files, archive))
    const here = await readDump(files, where, job())
    const beside = await readBeside(threads, files, { where, provisional: false }, job())
    expect(told(beside)).toEqual(told(here))
  } finally {
    mount?.close()
    files.close()
  }
})
