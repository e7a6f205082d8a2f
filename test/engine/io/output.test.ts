// Small files that are put down in one go.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openOutput } from '../../../main/engine/io/output.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'output-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const at = (name: string): string => path.join(home, 'out', name)

test('are there, and listed in the order in which they were made', () => {
  const output = openOutput(path.join(home, 'out'), [], true, false)
  output.put('b', bytes('one'), bytes('two'))
  output.create('a').write(bytes('three'))
  output.put('c', bytes('four'))
  expect(output.commit()).toEqual([at('b'), at('a'), at('c')])
  expect(['a', 'b', 'c'].map(name => readFileSync(at(name), 'utf8'))).toEqual(['three', 'onetwo', 'four'])
})

test('replace what stands there only at the end', () => {
  openOutput(path.join(home, 'out'))
  writeFileSync(at('a'), 'old')
  const output = openOutput(path.join(home, 'out'), [], true, false)
  output.put('a', bytes('new'))
  expect(readFileSync(at('a'), 'utf8')).toBe('old')
  output.commit()
  expect(readFileSync(at('a'), 'utf8')).toBe('new')
})

test('are gone again when the rest fails, with folders that were made for them', () => {
  const output = openOutput(path.join(home, 'out'), [], true, false)
  output.put('a', bytes('one'))
  output.abandon()
  expect(readdirSync(home)).toEqual([])
})
