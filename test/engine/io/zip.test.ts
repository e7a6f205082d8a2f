// Zip files: what is read, and the lies that are refused before anything is allocated.
import { describe, expect, it } from 'vitest'
import { memberBytes, memberPieces, zipEntries } from '../../../main/engine/io/zip.ts'
import { Refusal } from '../../../main/engine/model/problem.ts'
import { joined, sourceOf, zipBytes } from '../../support/tensor-files.ts'

const text = (s: string): Uint8Array => new TextEncoder().encode(s)
const reason = (work: () => unknown): string => {
  try {
    work()
    return ''
  } catch (error) {
    return error instanceof Refusal
      ? 'reason' in error.problem.facts
        ? error.problem.facts.reason
        : error.problem.code
      : `bug ${String(error)}`
  }
}

describe('zip files', () => {
  const members = [
    { name: 'a', data: text('hello') },
    { name: 'dir/b', data: text('x'.repeat(5000)), deflate: true, pad: 9 },
  ]

  it('give their members, stored and deflated, whole and in pieces', () => {
    const source = sourceOf(zipBytes(members))
    const entries = zipEntries(source)
    expect(entries.map(({ name, size, stored }) => [name, size, stored])).toEqual([
      ['a', 5, true],
      ['dir/b', 5000, false],
    ])
    for (const [i, entry] of entries.entries()) {
      expect(memberBytes(source, entry, 1e6)).toEqual(members[i].data)
      expect(joined([...memberPieces(source, entry)])).toEqual(members[i].data)
    }
  })

  it('may end in a comment', () => {
    const bytes = joined([zipBytes(members), text('a comment')])
    expect(zipEntries(sourceOf(bytes)).length).toBe(2)
  })

  it('read 64-bit directories', () => {
    const plain = zipBytes([{ name: 'a', data: text('hello') }])
    const end = plain.length - 22
    const at = new DataView(plain.buffer).getUint32(end + 16, true)
    const record = new DataView(new ArrayBuffer(56))
    record.setUint32(0, 0x06064b50, true)
    record.setBigUint64(32, 1n, true)
    record.setBigUint64(40, BigInt(end - at), true)
    record.setBigUint64(48, BigInt(at), true)
    const locator = new DataView(new ArrayBuffer(20))
    locator.setUint32(0, 0x07064b50, true)
    locator.setBigUint64(8, BigInt(end), true)
    const short = plain.slice(end)
    short.fill(0xff, 8, 20)
    const bytes = joined([
      plain.subarray(0, end),
      new Uint8Array(record.buffer),
      new Uint8Array(locator.buffer),
      short,
    ])
    expect(zipEntries(sourceOf(bytes)).map(entry => entry.name)).toEqual(['a'])
  })

  const change = (edit: (view: DataView, directory: number, end: number) => void): Uint8Array => {
    const bytes = zipBytes(members)
    const view = new DataView(bytes.buffer)
    const end = bytes.length - 22
    edit(view, view.getUint32(end + 16, true), end)
    return bytes
  }

  it.each([
    ['no end', () => zipBytes(members).subarray(0, 60), 'end'],
    [
      'more entries than the directory can hold',
      () => change((v, _, end) => v.setUint16(end + 10, 50_000, true)),
      'directory',
    ],
    [
      'a directory beyond the file',
      () => change((v, _, end) => v.setUint32(end + 12, 0x7fffffff, true)),
      'directory',
    ],
    ['a member beyond the file', () => change((v, d) => v.setUint32(d + 42, 0x7ffffff0, true)), 'member'],
    [
      'a size that deflate cannot reach',
      () => change((v, d) => v.setUint32(d + 46 + 1 + 24, 0x7fffffff, true)),
      'bomb',
    ],
    [
      'members on top of each other',
      () =>
        change((v, d) => {
          v.setUint32(d + 20, 200, true)
          v.setUint32(d + 24, 200, true)
          v.setUint32(d + 46 + 1 + 20, 200, true)
        }),
      'member',
    ],
    ['encryption', () => change((v, d) => v.setUint16(d + 8, 1, true)), 'encrypted'],
    ['an unknown method', () => change((v, d) => v.setUint16(d + 10, 12, true)), 'method'],
  ])('refuse %s', (_, make, wanted) => {
    expect(reason(() => zipEntries(sourceOf(make())))).toBe(wanted)
  })

  it('refuse members that unpack to more or less than promised, and those above the limit', () => {
    for (const size of [4000, 6000]) {
      const source = sourceOf(change((v, d) => v.setUint32(d + 46 + 1 + 24, size, true)))
      const entry = zipEntries(source)[1]
      expect(reason(() => memberBytes(source, entry, 1e6))).toBe('member')
      expect(reason(() => [...memberPieces(source, entry)])).toMatch(/member|bomb/)
    }
    const source = sourceOf(zipBytes(members))
    expect(reason(() => memberBytes(source, zipEntries(source)[1], 100))).toBe('too-large')
  })

  it('refuse bytes that are no deflate stream', () => {
    const bytes = zipBytes(members)
    const source = sourceOf(bytes)
    const entry = zipEntries(source)[1]
    bytes.fill(0xff, entry.header + 45, entry.header + 60)
    expect(reason(() => memberBytes(source, entry, 1e6))).toBe('member')
    expect(reason(() => [...memberPieces(source, entry)])).toMatch(/member|bomb/)
  })
})
