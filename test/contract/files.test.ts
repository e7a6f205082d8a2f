// One suite for every kind of Files: on the disk and in memory.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskFiles, type Files } from '../../main/engine/io/files.ts'
import { memoryFiles } from '../support/memory-files.ts'

const content = {
  'a/one.json': '{"x": 1}',
  'a/b/two.txt': 'äö€',
  'a/b/zero': '',
  'other/secret': 'no',
  'rank1/x': '1',
  'rank10/x': '10',
} as const
let home = ''

beforeAll(() => {
  home = realpathSync(mkdtempSync(path.join(tmpdir(), 'plumbline-files-')))
  for (const [name, text] of Object.entries(content)) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
    writeFileSync(path.join(home, name), text)
  }
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const kinds: readonly (readonly [string, () => Files])[] = [
  ['on the disk', () => diskFiles()],
  [
    'in memory',
    () =>
      memoryFiles(
        Object.fromEntries(Object.entries(content).map(([name, text]) => [`${home}/${name}`, text])),
        [],
      ),
  ],
]
const refusal = (code: string) =>
  expect.objectContaining({
    name: 'Refusal',
    problem: expect.objectContaining({ code }) as unknown,
  }) as unknown

function caught(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return null
}

describe.each(kinds)('files %s', (_, make) => {
  const opened = (): Files => {
    const files = make()
    files.allow(`${home}/a`)
    return files
  }
  const at = (name: string): string => `${home}/${name}`

  test('names what a folder lists, and no more', () => {
    const files = make()
    files.allow(path.join(home, 'a'))
    const folder = path.join(home, 'a', 'b')
    expect(files.names(folder)).toEqual(files.list(folder).map(({ name, kind }) => ({ name, kind })))
    expect(() => files.names(path.join(home, 'other'))).toThrow('outside-root')
    files.close()
  })

  test('folders list their entries by name, files and folders alike', () => {
    expect(
      opened()
        .list(at('a'))
        .map(({ name, kind }) => [name, kind]),
    ).toEqual([
      ['b', 'folder'],
      ['one.json', 'file'],
    ])
    expect(
      opened()
        .list(at('a/b'))
        .map(({ name, size }) => [name, size]),
    ).toEqual([
      ['two.txt', 7],
      ['zero', 0],
    ])
  })

  test('stat knows files, folders and what is not there', () => {
    const files = opened()
    expect(files.stat(at('a/one.json'))).toMatchObject({ name: 'one.json', kind: 'file', size: 8 })
    expect(files.stat(at('a/b'))).toMatchObject({ name: 'b', kind: 'folder' })
    expect(files.stat(at('a/none'))).toBeNull()
  })

  test('reads give the bytes asked for, fewer only at the end', () => {
    const handle = opened().open(at('a/one.json'))
    const four = new Uint8Array(4)
    expect([handle.size, handle.read(2, four), new TextDecoder().decode(four)]).toEqual([8, 4, 'x": '])
    expect([handle.read(6, four), handle.read(8, four), handle.read(1000, four)]).toEqual([2, 0, 0])
    handle.close()
  })

  test('a whole file is read up to a limit', () => {
    expect(new TextDecoder().decode(opened().readAll(at('a/b/two.txt'), 7))).toBe('äö€')
    expect(opened().readAll(at('a/b/zero'), 0).length).toBe(0)
    expect(caught(() => opened().readAll(at('a/b/two.txt'), 6))).toEqual(refusal('too-large'))
  })

  test('what was not allowed is refused, even when its name begins like what was', () => {
    const files = make()
    expect(caught(() => files.open(at('a/one.json')))).toEqual(refusal('outside-root'))
    files.allow(at('rank1'))
    expect(files.roots()).toEqual([{ path: at('rank1'), real: at('rank1') }])
    expect(files.stat(at('rank1/x'))?.size).toBe(1)
    expect(caught(() => files.stat(at('rank10/x')))).toEqual(refusal('outside-root'))
    expect(caught(() => files.list(at('other')))).toEqual(refusal('outside-root'))
  })

  test('a single file can be allowed', () => {
    const files = make()
    files.allow(at('a/one.json'))
    expect(files.open(at('a/one.json')).size).toBe(8)
    expect(caught(() => files.open(at('a/b/two.txt')))).toEqual(refusal('outside-root'))
  })

  test('what is not there and what is no file cannot be opened', () => {
    expect(caught(() => opened().open(at('a/none')))).toEqual(refusal('not-found'))
    expect(caught(() => opened().list(at('a/none')))).toEqual(refusal('not-found'))
    expect(caught(() => opened().open(at('a/b')))).toEqual(refusal('not-a-file'))
    expect(caught(() => opened().list(at('a/one.json')))).toEqual(refusal('not-readable'))
  })
})

test.runIf(process.platform !== 'win32')(
  'on the disk, links do not lead out, loops are refused and pipes do not stop us',
  () => {
    const files = diskFiles()
    files.allow(`${home}/a`)
    symlinkSync('../other/secret', `${home}/a/out`)
    symlinkSync('loop', `${home}/a/loop`)
    symlinkSync('one.json', `${home}/a/in`)
    expect(caught(() => files.open(`${home}/a/out`))).toEqual(refusal('outside-root'))
    expect(caught(() => files.open(`${home}/a/loop`))).toEqual(refusal('not-readable'))
    expect(files.stat(`${home}/a/in`)).toMatchObject({ kind: 'link', size: 8 })
    execFileSync('mkfifo', [`${home}/a/pipe`])
    expect(caught(() => files.open(`${home}/a/pipe`))).toEqual(refusal('not-a-file'))
  },
)
