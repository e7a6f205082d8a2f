// The only writer: all or nothing, never into a dump.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { abandonAll, openOutput } from '../../../main/engine/io/output.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'plumbline-out-'))
})
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('output', () => {
  it('shows nothing under the final name until everything is written', () => {
    const output = openOutput(path.join(folder, 'new', 'out'))
    const a = output.create('a.txt')
    output.create('b.txt').write(bytes('b'))
    a.write(bytes('one '))
    a.write(bytes('two'))
    expect(readdirSync(output.folder).every(name => name.startsWith('.') && name.endsWith('.part'))).toBe(
      true,
    )
    expect(output.commit()).toEqual([
      path.join(folder, 'new', 'out', 'a.txt'),
      path.join(folder, 'new', 'out', 'b.txt'),
    ])
    expect(readdirSync(output.folder).sort()).toEqual(['a.txt', 'b.txt'])
    expect(readFileSync(a.path, 'utf8')).toBe('one two')
    output.abandon()
    expect(readdirSync(output.folder)).toHaveLength(2)
  })

  it('writes several parts one after the other, on the disk at once or when the disk likes', () => {
    for (const lasting of [true, false]) {
      const output = openOutput(folder, [], true, lasting)
      const sink = output.create(`${lasting}.txt`)
      sink.write(bytes('one '), bytes(''), bytes('two '))
      sink.write(bytes('three'))
      sink.write()
      expect(sink.size).toBe(13)
      output.commit()
      expect(readFileSync(sink.path, 'utf8')).toBe('one two three')
    }
  })

  it('leaves nothing behind when given up, and nothing of others', () => {
    const output = openOutput(path.join(folder, 'deep', 'out'))
    output.create('a.txt').write(bytes('x'))
    output.abandon()
    expect(readdirSync(folder)).toEqual([])
    writeFileSync(path.join(folder, 'mine'), '')
    const second = openOutput(folder)
    second.create('b').write(bytes('x'))
    abandonAll()
    expect(readdirSync(folder)).toEqual(['mine'])
  })

  it('writes and gives up large files, which the disk takes while they are written', () => {
    const piece = new Uint8Array(8 << 20).fill(0x61)
    const kept = openOutput(path.join(folder, 'kept'))
    const sink = kept.create('large')
    for (let i = 0; i < 9; i++) sink.write(piece)
    kept.commit()
    expect([sink.size, statSync(sink.path).size]).toEqual([9 * piece.length, 9 * piece.length])
    const given = openOutput(path.join(folder, 'given'))
    const other = given.create('large')
    for (let i = 0; i < 5; i++) other.write(piece)
    given.abandon()
    expect(readdirSync(folder)).toEqual(['kept'])
  })

  it('replaces no result of another run, and tells the names that it took instead', () => {
    const results = ['compare_result_20260131235959.csv', 'advisor_20260131235959.txt']
    const run = (text: string): string[] => {
      const output = openOutput(folder)
      for (const name of results) output.create(name).write(bytes(text))
      return output.commit().map(file => path.basename(file))
    }
    expect(run('first')).toEqual(results)
    expect(run('second')).toEqual(['compare_result_20260131235959_1.csv', 'advisor_20260131235959_1.txt'])
    expect(run('third')).toEqual(['compare_result_20260131235959_2.csv', 'advisor_20260131235959_2.txt'])
    expect(readFileSync(path.join(folder, 'advisor_20260131235959.txt'), 'utf8')).toBe('first')
    expect(readdirSync(folder)).toHaveLength(6)
  })

  it('two runs at once share a name no more than two in a row', () => {
    const [one, other] = [openOutput(folder), openOutput(folder)]
    for (const [output, text] of [
      [one, '1'],
      [other, '2'],
    ] as const)
      output.create('result_20260131235959.csv').write(bytes(text))
    expect([...one.commit(), ...other.commit()].map(file => readFileSync(file, 'utf8'))).toEqual(['1', '2'])
  })

  it('replaces a file whose name the user chose', () => {
    writeFileSync(path.join(folder, 'mapping.yaml'), 'old')
    const output = openOutput(folder)
    output.create('mapping.yaml').write(bytes('new'))
    expect(output.commit().map(file => readFileSync(file, 'utf8'))).toEqual(['new'])
  })

  it('clears up what a killed process left, and nothing that is young or still being written', () => {
    const tag = createHash('md5').update(hostname()).digest('hex').slice(0, 6)
    const dead = spawnSync(process.execPath, ['-e', '']).pid
    const put = (name: string, hours: number): string => {
      const file = path.join(folder, name)
      writeFileSync(file, 'x')
      utimesSync(file, Date.now() / 1000, Date.now() / 1000 - hours * 3600)
      return name
    }
    put(`.a.csv.${tag}-${dead}-0-1.part`, 2)
    const kept = [
      put(`.b.csv.${tag}-${dead}-0-2.part`, 0),
      put(`.c.csv.${tag}-${process.pid}-0-3.part`, 2),
      put(`.d.csv.ffffff-${dead}-0-4.part`, 2),
      put('.e.part', 2),
    ]
    openOutput(folder).abandon()
    expect(readdirSync(folder).sort()).toEqual(kept)
  })

  it('drops one of several', () => {
    const output = openOutput(folder)
    output.drop(output.create('a'))
    output.create('b')
    output.commit()
    expect(readdirSync(folder)).toEqual(['b'])
  })

  it('does not write into a dump unless that folder was chosen', () => {
    const dump = path.join(folder, 'dump')
    mkdirSync(dump)
    symlinkSync(dump, path.join(folder, 'link'))
    expect(() => openOutput(path.join(dump, 'output'), [dump])).toThrow('output-in-dump')
    expect(() => openOutput(path.join(folder, 'link', 'output'), [dump])).toThrow('output-in-dump')
    expect(existsSync(path.join(dump, 'output'))).toBe(false)
    expect(openOutput(path.join(dump, 'output'), [dump], true).folder).toBe(path.join(dump, 'output'))
    expect(openOutput(path.join(folder, 'dump2'), [dump]).folder).toBe(path.join(folder, 'dump2'))
    abandonAll()
  })

  it('says when a folder cannot be made', () => {
    writeFileSync(path.join(folder, 'file'), '')
    expect(() => openOutput(path.join(folder, 'file', 'out'))).toThrow('output-not-writable')
    const output = openOutput(folder)
    expect(() => output.create('no/such/file')).toThrow('output-not-writable')
    output.abandon()
  })
})
