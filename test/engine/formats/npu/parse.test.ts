// Many raw files as arrays: nothing under its own name before it is whole, whatever ends the work.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseRaws, parseTask, rawFilesIn } from '../../../../main/engine/formats/npu/parse.ts'
import type { SavedFile } from '../../../../main/engine/formats/npu/save.ts'
import { OpenTensor } from '../../../../main/engine/formats/tensors/walk.ts'
import { diskFiles, quickFiles } from '../../../../main/engine/io/index.ts'
import { inlinePool } from '../../../../main/engine/work/inline.ts'
import { Cancelled, job, type Job } from '../../../../main/engine/work/index.ts'
import { rawFile } from '../../../support/raw-files.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'parse-'))
  mkdirSync(path.join(home, 'raw'), { recursive: true })
  const data = new Uint8Array(24).fill(7)
  const bytes = rawFile({ outputs: [{ dtype: 1, format: 2, shape: [6], data }] })
  for (let i = 0; i < 20; i++)
    writeFileSync(path.join(home, 'raw', `Add.net_op${i}.${i}.5.1620612694000300`), bytes)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

async function parsed(work: Job): Promise<readonly string[]> {
  const files = diskFiles()
  files.allow(home)
  const found = await rawFilesIn(files, [path.join(home, 'raw')], work)
  const pool = inlinePool(async () => ({ parseRaw: parseTask }))
  const order = { files: found.files, folder: path.join(home, 'out'), settings: { kind: 'npy' } } as const
  const saved = await parseRaws(pool, files, order, work)
  return saved.flatMap(one => one.written)
}

const arrays = (): string[] =>
  readdirSync(path.join(home, 'out'), { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.npy'),
  )

test('arrays are under their names when all of them are', async () => {
  mkdirSync(path.join(home, 'raw', '1'))
  for (let i = 1; i < 20; i += 2)
    writeFileSync(
      path.join(home, 'raw', '1', `Add.deep_op${i}.${i}.5.1620612694000300`),
      rawFile({ outputs: [{ dtype: 1, format: 2, shape: [6], data: new Uint8Array(24) }] }),
    )
  const seen: boolean[] = []
  const work = job(undefined, () => {
    seen.push(readdirSync(home).includes('out'))
  })
  const written = await parsed(work)
  expect(seen.length).toBeGreaterThan(20)
  expect(seen).not.toContain(true)
  expect(written.every(file => statSync(file).size === 128 + 24)).toBe(true)
  expect(arrays()).toHaveLength(written.length)
  expect(readdirSync(home).sort()).toEqual(['out', 'raw'])
})

test('what was whole when it was stopped stays, and nothing else', async () => {
  const stop = new AbortController()
  let done = 0
  const work = job(stop.signal, () => {
    if (++done === 5) stop.abort()
  })
  await expect(parsed(work)).rejects.toThrow(Cancelled)
  expect(arrays()).toHaveLength(5)
  expect(readdirSync(home).sort()).toEqual(['out', 'raw'])
})

test('a name that is a number is told of, with or without others beside it', async () => {
  const raw = path.join(home, 'raw')
  const bytes = rawFile({ outputs: [{ dtype: 1, format: 2, shape: [6], data: new Uint8Array(24) }] })
  writeFileSync(path.join(raw, '17395082635118062912'), bytes)
  const files = diskFiles()
  files.allow(home)
  const found = await rawFilesIn(files, [raw], job())
  expect(found.files).toHaveLength(20)
  expect(found.problems.map(({ code, facts }) => [code, facts])).toEqual([['tf-long-names', { count: 1 }]])
  const alone = path.join(home, 'alone')
  mkdirSync(alone)
  writeFileSync(path.join(alone, '0123456789abcdef0123456789abcdef'), bytes)
  await expect(rawFilesIn(files, [alone], job())).rejects.toMatchObject({
    problem: { code: 'tf-long-names' },
  })
})

/** Files large enough to be shared: numbers that tell where they stand, as they lie and in a device's order. */
function large(): string {
  const raw = path.join(home, 'large')
  mkdirSync(raw)
  const numbers = (count: number): Uint8Array => {
    const words = new Uint16Array(count)
    for (let i = 0; i < count; i++) words[i] = (i * 40_503) & 0x7bff
    return new Uint8Array(words.buffer)
  }
  const plain = { dtype: 27, format: 2, shape: [3_000_001], data: numbers(3_000_001) } as const
  const small = { dtype: 2, format: 2, shape: [7], data: numbers(7) } as const
  const tiles = { dtype: 2, format: 4, shape: [288, 32, 16, 16], data: numbers(288 * 32 * 256) } as const
  const kernel = { ...tiles, originalShape: [509, 511, 3, 3], originalFormat: 0 }
  writeFileSync(
    path.join(raw, 'Conv2D.net_op.1.5.1620612694000300'),
    rawFile({
      inputs: [plain, small, plain],
      outputs: [kernel, kernel, kernel, { ...plain, shape: [1, 3_000_001] }, kernel],
    }),
  )
  return raw
}

const digests = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder).map(name => [
      name,
      createHash('md5')
        .update(readFileSync(path.join(folder, name)))
        .digest('hex'),
    ]),
  )

async function largeParsed(
  raw: string,
  out: string,
  size: number,
  work = job(),
): Promise<readonly SavedFile[]> {
  const files = diskFiles()
  files.allow(home)
  const found = await rawFilesIn(files, [raw], work)
  const inline = inlinePool(async () => ({ parseRaw: parseTask }))
  const order = {
    files: found.files,
    folder: path.join(home, out),
    settings: { kind: 'npy', layout: 'NCHW' },
  } as const
  return parseRaws({ ...inline, size, run: inline.run }, files, order, work)
}

test('a large file that threads share comes out as one thread writes it', async () => {
  const raw = large()
  const alone = await largeParsed(raw, 'alone', 1)
  const shared = await largeParsed(raw, 'shared', 3)
  expect(digests(path.join(home, 'shared'))).toEqual(digests(path.join(home, 'alone')))
  expect(shared.map(({ tensors, problems }) => ({ tensors, problems }))).toEqual(
    alone.map(({ tensors, problems }) => ({ tensors, problems })),
  )
  expect(shared[0].written).toHaveLength(8)
})

test('of a large file that was stopped halfway nothing is left', async () => {
  const raw = large()
  const stop = new AbortController()
  let breaths = 0
  const work: Job = {
    ...job(stop.signal),
    breathe: async () => {
      if (++breaths > 20) throw new Cancelled()
    },
  }
  await expect(largeParsed(raw, 'out', 3, work)).rejects.toThrow(Cancelled)
  expect(readdirSync(home).sort()).toEqual(['large', 'raw'])
})

test('as .pt the same tensors lie under the names that msaccucmp gives them', async () => {
  const files = diskFiles()
  files.allow(home)
  const found = await rawFilesIn(files, [path.join(home, 'raw')], job())
  const pool = inlinePool(async () => ({ parseRaw: parseTask }))
  const order = { files: found.files, folder: path.join(home, 'out'), settings: { kind: 'pt' } } as const
  const written = (await parseRaws(pool, files, order, job())).flatMap(one => one.written)
  expect(written).toHaveLength(20)
  expect(written[0]).toMatch(/Add\.net_op\d+\.\d+\.5\.1620612694000300\.output\.0\.pt$/)
  const tensor = new OpenTensor(quickFiles(files.roots()), { file: written[0] ?? '' })
  expect([tensor.layout.dtype.name, tensor.layout.shape]).toEqual(['float32', [6]])
  tensor.close()
})
