// Small files that are put down in one go.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openOutput, openStage } from '../../../main/engine/io/output.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'output-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const at = (name: string): string => path.join(home, 'out', name)

test('are there, and listed in the order in which they were made', () => {
  const output = openOutput(path.join(home, 'out'), [], true, true)
  output.put('b', bytes('one'), bytes('two'))
  output.create('a').write(bytes('three'))
  output.put('c', bytes('four'))
  expect(output.commit()).toEqual([at('b'), at('a'), at('c')])
  expect(['a', 'b', 'c'].map(name => readFileSync(at(name), 'utf8'))).toEqual(['three', 'onetwo', 'four'])
})

test('replace what stands there only at the end', () => {
  openOutput(path.join(home, 'out'))
  writeFileSync(at('a'), 'old')
  const output = openOutput(path.join(home, 'out'), [], true, true)
  output.put('a', bytes('new'))
  expect(readFileSync(at('a'), 'utf8')).toBe('old')
  output.commit()
  expect(readFileSync(at('a'), 'utf8')).toBe('new')
})

test('are gone again when the rest fails, with folders that were made for them', () => {
  const output = openOutput(path.join(home, 'out'), [], true, true)
  output.put('a', bytes('one'))
  output.abandon()
  expect(readdirSync(home)).toEqual([])
})

test('a stage keeps what it holds out of sight until all of it is there', () => {
  const out = path.join(home, 'new', 'out')
  const stage = openStage(out)
  openOutput(path.join(stage.folder, 'below'), [], true, true).put('a', bytes('one'))
  expect(readdirSync(path.join(home, 'new')).every(name => name.startsWith('.'))).toBe(true)
  const placed = stage.commit()
  expect(placed(path.join(stage.folder, 'below', 'a'))).toBe(path.join(out, 'below', 'a'))
  expect(readFileSync(path.join(out, 'below', 'a'), 'utf8')).toBe('one')
  expect(readdirSync(path.join(home, 'new'))).toEqual(['out'])
})

test('a stage puts its files beside those that are there, and in place of older ones', () => {
  const out = path.join(home, 'out')
  mkdirSync(path.join(out, 'below'), { recursive: true })
  for (const name of ['kept', 'a', 'below/b']) writeFileSync(path.join(out, name), 'old')
  const stage = openStage(out)
  const output = openOutput(path.join(stage.folder, 'below'), [], true, true)
  for (const name of ['b', 'c']) output.put(name, bytes('new'))
  output.commit()
  openOutput(stage.folder, [], true, true).put('a', bytes('new'))
  expect(readFileSync(path.join(out, 'a'), 'utf8')).toBe('old')
  stage.commit()
  const told = ['kept', 'a', 'below/b', 'below/c'].map(name => readFileSync(path.join(out, name), 'utf8'))
  expect(told).toEqual(['old', 'new', 'new', 'new'])
  expect(readdirSync(out).sort()).toEqual(['a', 'below', 'kept'])
})

test('a stage that nothing was put into leaves nothing, nor folders that were made for it', () => {
  openStage(path.join(home, 'new', 'out')).commit()
  expect(readdirSync(home)).toEqual([])
})

test('a stage that a killed process left goes with the next one', () => {
  const left = openStage(path.join(home, 'out')).folder
  writeFileSync(path.join(left, 'a'), 'one')
  const dead = left.replace(`-${process.pid}-`, '-4194999-')
  renameSync(left, dead)
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  utimesSync(dead, longAgo, longAgo)
  openStage(path.join(home, 'out')).commit()
  expect(readdirSync(home)).toEqual([])
})
