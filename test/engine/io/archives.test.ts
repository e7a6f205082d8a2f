// Archives read in place: what they hold lies below their own paths, and what they must not do is not done.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { diskFiles, type Files, quickFiles } from '../../../main/engine/io/index.ts'
import { unpack } from '../../../main/engine/io/unpack.ts'
import { Refusal } from '../../../main/engine/model/index.ts'
import { job } from '../../../main/engine/work/index.ts'
import { paxNote, tarBytes, type TarMember } from '../../support/archives.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { sourceOf, zipBytes } from '../../support/tensor-files.ts'

const home = temporaryFolder()
const scratch = path.join(home, 'scratch')
const outside = path.join(home, 'outside')
mkdirSync(outside)
let serial = 0

function write(bytes: Uint8Array, ending = '.tar'): string {
  const file = path.join(home, `a${++serial}${ending}`)
  writeFileSync(file, bytes)
  return file
}
const text = (files: Files, file: string): string => new TextDecoder().decode(files.readAll(file, 1e6))
const unpackedNow = (): readonly string[] => (existsSync(scratch) ? readdirSync(scratch) : [])

/** Everything below a path, with its size. */
function listed(files: Files, at: string, name = ''): readonly string[] {
  return files
    .list(at)
    .flatMap(entry =>
      entry.kind === 'folder'
        ? [`${name}${entry.name}/`, ...listed(files, `${at}/${entry.name}`, `${name}${entry.name}/`)]
        : [`${name}${entry.name} ${entry.size}`],
    )
}

async function opened(members: readonly TarMember[]): Promise<readonly string[]> {
  const files = diskFiles(scratch)
  const archive = write(tarBytes(members))
  const mount = await files.mount(archive, job())
  const found = listed(files, archive)
  const { count, first } = mount!.leftOut
  files.close()
  return count > 0 ? [...found, `left out: ${count}, ${first}`] : found
}

async function refused(bytes: Uint8Array, ending?: string): Promise<string> {
  const files = diskFiles(scratch)
  try {
    await files.mount(write(bytes, ending), job())
    return 'accepted'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, facts } = error.problem
    return 'reason' in facts ? `${code} ${facts.reason}` : code
  } finally {
    files.close()
    expect(unpackedNow()).toEqual([])
  }
}

const two: readonly TarMember[] = [
  { name: 'dump.json', data: '{}' },
  { name: 'x/y/a.npy', data: 'abc' },
]

describe('what an archive holds', () => {
  it.each([
    ['.tar', tarBytes(two)],
    ['.tar.gz', gzipSync(tarBytes(two))],
    ['.tgz', gzipSync(tarBytes(two))],
    [
      '.zip',
      zipBytes([
        { name: 'dump.json', data: new TextEncoder().encode('{}') },
        { name: 'x/', data: new Uint8Array(0) },
        { name: 'x/y/a.npy', data: new TextEncoder().encode('abc'), deflate: true },
      ]),
    ],
  ])('lies below the path of a %s, for threads too', async (ending, bytes) => {
    const files = diskFiles(scratch)
    const archive = write(bytes, ending)
    const mount = await files.mount(path.join(archive, 'x'), job())
    expect(mount?.archive).toBe(archive)
    expect(listed(files, archive)).toEqual(['dump.json 2', 'x/', 'x/y/', 'x/y/a.npy 3'])
    expect(text(files, `${archive}/x/y/a.npy`)).toBe('abc')
    const handle = quickFiles(structuredClone(files.roots())).open(`${archive}/x/y/a.npy`)
    expect(handle?.size).toBe(3)
    handle?.close()
    for (const path of [`${archive}/../../outside`, `${archive}/x/../../../outside`])
      expect(() => files.list(path)).toThrow('outside-root')
    files.close()
    expect(unpackedNow()).toEqual([])
  })

  it('begins below a lone folder, unless that is a step or a rank', async () => {
    expect(await opened([{ name: 'home/me/npu/dump.json', data: '{}' }])).toEqual(['dump.json 2'])
    expect(await opened([{ name: 'step3/rank0/dump.json', data: '{}' }])).toEqual([
      'step3/',
      'step3/rank0/',
      'step3/rank0/dump.json 2',
    ])
  })

  it('is called by long names of every kind', async () => {
    const long = `${'d'.repeat(120)}/${'f'.repeat(90)}.npy`
    for (const members of [
      [{ name: `${'f'.repeat(90)}.npy`, prefix: 'd'.repeat(120), data: 'abc' }],
      [
        { name: '././@LongLink', type: 'L', data: `${long}\0` },
        { name: long.slice(0, 100), data: 'abc' },
      ],
      [paxNote('path', long), { name: 'short', data: 'abc' }],
      [paxNote('path', long), paxNote('size', '3'), { name: 'short', data: 'abc', size: 0 }],
    ])
      expect((await opened([...members, { name: 'z', data: '' }])).slice(1)).toEqual([`${long} 3`, 'z 0'])
  })
})

describe('what an archive must not do', () => {
  it('leads nowhere outside: such entries and links are left out, the rest is there', async () => {
    const bad: readonly TarMember[] = [
      { name: '../outside/x', data: 'no' },
      { name: 'a/../../outside/x', data: 'no' },
      { name: `${outside}/x`, data: 'no' },
      { name: 'C:\\x', data: 'no' },
      { name: '..\\x', data: 'no' },
      paxNote('path', '../outside/x'),
      { name: 'harmless', data: 'no' },
      { name: 'link', type: '2', link: outside },
      { name: 'hard', type: '1', link: '/etc/passwd' },
      { name: 'pipe', type: '6' },
      { name: 'n'.repeat(100), prefix: 'p'.repeat(155) },
    ]
    expect(await opened([...bad, ...two, { name: 'link/x', data: 'in' }])).toEqual([
      'dump.json 2',
      'link/',
      'link/x 2',
      `${'p'.repeat(155)}/`,
      `${'p'.repeat(155)}/${'n'.repeat(100)} 0`,
      'x/',
      'x/y/',
      'x/y/a.npy 3',
      'left out: 9, ../outside/x',
    ])
    expect(readdirSync(outside)).toEqual([])
  })

  it('fills no disk', async () => {
    const into = path.join(home, 'into')
    mkdirSync(into)
    const limits = { times: 100, bytes: 1 << 20, entries: 100 }
    const unpacked = async (members: readonly TarMember[]): Promise<string> => {
      const bytes = gzipSync(tarBytes(members))
      const handle = { ...sourceOf(bytes), close() {} }
      try {
        await unpack(handle, 'a.tgz', into, job(), limits)
        return 'accepted'
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return error.problem.code
      }
    }
    const zeros = (mib: number): TarMember => ({ name: 'z', data: new Uint8Array(mib << 20) })
    expect(await unpacked([zeros(1)])).toBe('accepted')
    expect(await unpacked([zeros(2)])).toBe('archive-too-large')
    expect(await unpacked([zeros(1), { name: 'y', data: 'y' }])).toBe('archive-too-large')
    expect(await unpacked(Array.from({ length: 101 }, () => ({ name: 'z' })))).toBe('archive-too-large')
  })

  it('is refused where it is broken', async () => {
    const whole = tarBytes(two)
    const packed = gzipSync(whole)
    expect(await refused(whole.subarray(0, 1024 + 513))).toBe('zip-invalid end')
    expect(await refused(packed.subarray(0, packed.length - 20), '.tgz')).toBe('zip-invalid gzip')
    expect(await refused(whole.map((byte, i) => (i === 1024 ? byte + 1 : byte)))).toBe('zip-invalid header')
    expect(await refused(tarBytes([{ name: 'a', type: 'L', size: 2 ** 30 }]))).toBe('zip-invalid notes')
    expect(await refused(tarBytes([{ name: 'a', size: 2 ** 32 }]))).toBe('zip-invalid end')
    expect(await refused(new Uint8Array(0))).toBe('zip-invalid magic')
    expect(await refused(new TextEncoder().encode('no archive'.repeat(100)))).toBe('zip-invalid magic')
    expect(
      await refused(
        tarBytes([
          { name: 'a', data: 'file' },
          { name: 'a/b', data: 'below a file' },
        ]),
      ),
    ).toMatch(/^zip-invalid E/)
  })

  it('is given up when nobody wants it any more', async () => {
    const files = diskFiles(scratch)
    const stop = new AbortController()
    const archive = write(tarBytes([{ name: 'a', data: new Uint8Array(1 << 20) }]))
    const waiting = files.mount(
      archive,
      job(stop.signal, () => stop.abort()),
    )
    await expect(waiting).rejects.toMatchObject({ name: 'Cancelled' })
    expect(unpackedNow()).toEqual([])
  })
})

describe('how long it stays', () => {
  it('is unpacked once for all, anew where the archive changed, and removed after the next but one', async () => {
    const files = diskFiles(scratch)
    const [archive, ...others] = [two, two, two].map(members => write(tarBytes(members)))
    const mount = await files.mount(archive!, job())
    const again = await files.mount(archive!, job())
    const [first] = unpackedNow()
    expect(unpackedNow()).toHaveLength(1)
    writeFileSync(archive!, tarBytes([{ name: 'dump.json', data: '{"a": 1}' }]))
    utimesSync(archive!, 1e9, 1e9)
    expect(files.stat(`${archive}/dump.json`)).toMatchObject({ size: 2, modified: 1e12 })
    const changed = await files.mount(archive!, job())
    expect(listed(files, archive!)).toEqual(['dump.json 8'])
    expect(unpackedNow()).not.toContain(first)
    for (const one of [mount, again, changed]) one?.close()
    expect(unpackedNow()).toHaveLength(1)
    for (const other of others) (await files.mount(other, job()))?.close()
    expect(unpackedNow()).toHaveLength(2)
    expect(files.stat(archive!)?.kind).toBe('file')
    files.close()
    expect(unpackedNow()).toEqual([])
  })

  it('removes what a process left that is gone', async () => {
    const left = path.join(scratch, 'plumbline-99999999-abcdef')
    const other = path.join(scratch, 'plumbline-99999999-abcdef-mine')
    for (const folder of [left, other]) {
      mkdirSync(path.join(folder, 'x'), { recursive: true })
      utimesSync(folder, 1e9, 1e9)
    }
    const files = diskFiles(scratch)
    await files.mount(write(tarBytes(two)), job())
    files.close()
    expect(unpackedNow()).toEqual(['plumbline-99999999-abcdef-mine'])
    expect(statSync(other).isDirectory()).toBe(true)
    rmSync(other, { recursive: true })
  })
})
