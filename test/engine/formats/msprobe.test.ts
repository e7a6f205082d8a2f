// Reading real msprobe dumps into columns: names, cells, stacks and parents as the files have them.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { dumpFilesOf, readDump } from '../../../main/engine/formats/msprobe/read.ts'
import { rawText } from '../../../main/engine/formats/raw.ts'
import { itemName, opName, type Dump } from '../../../main/engine/model/dump.ts'
import { diskFiles } from '../../../main/engine/io/files.ts'
import { job } from '../../../main/engine/work/job.ts'
import { Kind } from '../../../main/engine/model/names.ts'
import { carefulDump, linesOf } from '../../support/careful-dump.ts'
import { drawn } from '../../support/dump-text.ts'
import { dumpFolders, fixturesRoot } from '../../support/fixtures.ts'

const root = path.join(fixturesRoot(), 'dumps')
const files = diskFiles()
files.allow(root)
const read = (dir: string): Promise<Dump> => readDump(files, dumpFilesOf(files, path.join(root, dir)), job())
const textOf = (dump: Dump, code: number): string | null => (code < 0 ? null : dump.texts.get(code))

test('every real dump opens without a problem, and every op has its text', async () => {
  for (const dir of dumpFolders(root)) {
    const dump = await readDump(files, dumpFilesOf(files, dir), job())
    expect(dump.problems, dir).toEqual([])
    expect(dump.partial).toBe(false)
    expect(dump.ops.length).toBeGreaterThan(0)
    expect(dump.items.length).toBe(dump.ops.first[dump.ops.length])
    for (const op of [0, dump.ops.length - 1]) expect(rawText(files, dump, op)).toMatch(/^\{[^]*\}$/)
    if (dump.header.level !== 'L1') expect(dump.construct.length).toBeGreaterThan(0)
    const forward = Array.from({ length: dump.ops.length }, (_, op) => op).find(op =>
      opName(dump, op).includes('.forward'),
    )
    if (forward !== undefined && dump.stacks.length > 0)
      expect(dump.stacks.frames(dump.stacks.of(dump.ops.name[forward]))[0]).toContain('File ')
  }
})

test('names, cells and checksums of scalars, tensors and None are those of msprobe', async () => {
  const dump = await read('pt_misc_none_statistics_L1/step0/rank')
  const rows = Array.from({ length: dump.items.length }, (_, i) => i)
  const kinds = new Set(rows.map(i => textOf(dump, dump.items.dtype[i])))
  for (const kind of ["<class 'int'>", "<class 'float'>", 'torch.float32', 'slice', null])
    expect(kinds).toContain(kind)
  const int = rows.find(
    i => textOf(dump, dump.items.dtype[i]) === "<class 'int'>" && dump.items.max.value[i] === 3,
  )
  if (int !== undefined) expect(textOf(dump, dump.items.md5[int])).toBe('6dd28e9b')
  const none = rows.find(i => dump.items.dtype[i] < 0)!
  expect(dump.items.max.kind[none]).toBe(Kind.none)
  expect(itemName(dump, 0).startsWith(`${opName(dump, 0)}.input.`)).toBe(true)
})

test('a checksum that is null or empty counts as not given, as msprobe takes it', async () => {
  const leaf = (md5: string): string =>
    `{"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2], "Max": 1.0, "Min": 0.0, "Mean": 0.5, "Norm": 1.0, "requires_grad": false, "md5": ${md5}}`
  const dump = await drawn(
    {
      'Tensor.add.0.forward': {
        input_args: `[${leaf('null')}, ${leaf('""')}, ${leaf('"0a1b2c3d"')}]`,
        output: '[{"type": "int", "value": 3, "md5": ""}]',
      },
    },
    { framework: 'pytorch' },
  )
  expect([...dump.items.md5].map(code => textOf(dump, code))).toEqual([
    '00000000',
    '00000000',
    '0a1b2c3d',
    '6dd28e9b',
  ])
  expect(dump.header.hasMd5).toBe(true)
})

test('the fast reader says what the careful one says, on every real dump', async () => {
  for (const dir of dumpFolders(root)) {
    const dump = await readDump(files, dumpFilesOf(files, dir), job())
    expect(linesOf(dump), dir).toEqual(linesOf(carefulDump(readFileSync(dump.file))))
  }
})
