// The log: rotation, the memory of faults, and nobody's home folder in it.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openLog, withoutHome } from '../../main/log.ts'

const folder = (): string => mkdtempSync(path.join(os.tmpdir(), 'plumbline-log-'))

test('lines have a time, a level and a text; stacks are indented', () => {
  const log = openLog(folder())
  log.info('started')
  log.error('main', new RangeError('out of range'))
  const lines = readFileSync(log.file, 'utf8').trimEnd().split('\n')
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z info started$/)
  expect(lines[1]).toContain('error main: RangeError: out of range')
  expect(lines[2]).toMatch(/^ {4}\s+at /)
})

test('a full file moves aside, the oldest goes', () => {
  const log = openLog(folder(), 200)
  for (let i = 0; i < 40; i++) log.info(`line ${i} ${'x'.repeat(40)}`)
  expect(readdirSync(path.dirname(log.file)).sort()).toEqual([
    'plumbline.1.log',
    'plumbline.2.log',
    'plumbline.log',
  ])
  expect(readFileSync(log.file, 'utf8')).toContain('line 39')
})

test('warnings and faults are remembered without the home folder; news is not', () => {
  const log = openLog(folder())
  log.info('nothing')
  for (let i = 0; i < 40; i++) log.warn(`${os.homedir()}/dump ${i}`)
  expect(log.recent).toHaveLength(30)
  expect(log.recent.at(-1)).toContain('warn ~/dump 39')
})

test('the name of the user is left out of paths and addresses', () => {
  const home = 'D:\\People\\Li Wei'
  const text = 'D:\\People\\Li Wei\\a.ts D:/People/Li Wei/b.ts file:///D:/People/Li%20Wei/c.ts'
  expect(withoutHome(text, home)).toBe('~\\a.ts ~/b.ts file:///~/c.ts')
})
