// Folders of a process in the scratch folder, and what one left that was killed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { makeScratch, removeScratch } from '../../../main/engine/io/scratch.ts'
import { temporaryFolder } from '../../support/temporary.ts'

it('takes away what a process left that was killed long ago, and nothing else', () => {
  const parent = temporaryFolder()
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  const left = (name: string, agoMs: number): string => {
    const folder = path.join(parent, name)
    mkdirSync(folder)
    const at = (Date.now() - agoMs) / 1000
    utimesSync(folder, at, at)
    return folder
  }
  const day = 86_400_000
  const dead = left(`plumbline-${pid}-abc123`, day)
  const young = left(`plumbline-${pid}-abc124`, 0)
  const alive = left(`plumbline-${process.pid}-abc125`, day)
  const other = left('plumbline-notes', day)
  const mine = makeScratch(parent)
  expect([dead, young, alive, other, mine].map(folder => existsSync(folder))).toEqual([
    false,
    true,
    true,
    true,
    true,
  ])
  removeScratch(mine)
  expect(existsSync(mine)).toBe(false)
})
