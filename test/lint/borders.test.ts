// The borders hold: for each line of the table one file that breaks it is planted, and the linter must find
// it.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { borders as table, order, reasonAgainst } from './borders.mjs'
import { root, sources } from './tracked.ts'

/**
 * [file, its import, why it must not stand]. One per line of the table, in its order, then the ways to hide
 * an import.
 */
const planted = [
  ['main/engine/io/bad.ts', "import { app } from 'electron'\nexport const x = app", 'electron'],
  [
    'main/engine/doors/window/bad.ts',
    "import { x } from '../command/index.ts'\nexport const y = x",
    'doors/command comes after doors/window',
  ],
  ['main/engine/judge/bad.ts', "import fs from 'node:fs'\nexport const x = fs", 'node'],
  [
    'main/utility.ts',
    "import { x } from './engine/session/index.ts'\nexport const y = x",
    'main/engine/session/index.ts',
  ],
  [
    'main/window.ts',
    "import { openEngine } from './engine/doors/window/index.ts'\nexport const y = openEngine",
    'main/engine/doors/window/index.ts',
  ],
  [
    'preload/contract/bad.ts',
    "import { State } from '../../main/engine/model/shared.ts'\nexport const y = State",
    'main/engine/model/shared.ts',
  ],
  ['preload/index.ts', "import fs from 'node:fs'\nexport const x = fs", 'node'],
  [
    'renderer/panels/grid/bad.ts',
    "import { x } from '../graph/index.ts'\nexport const y = x",
    'renderer/panels/graph/index.ts',
  ],
  [
    'renderer/state/bad.ts',
    "import { x } from '../../main/engine/doors/window/index.ts'\nexport const y = x",
    'main/engine/doors/window/index.ts',
  ],
  ['renderer/bad.ts', "import electron from 'electron'\nexport const x = electron", 'electron'],
  ['main/engine/graph/all.ts', "export * from 'electron'", 'electron'],
  ['main/engine/graph/later.ts', "export const x = (): Promise<unknown> => import('node:net')", 'node'],
  [
    'main/engine/model/bad.ts',
    "import { x } from '../session/index.ts'\nexport const y = x",
    'session comes after model',
  ],
  [
    'main/engine/graph/past.ts',
    "import { x } from '../pair/queue.ts'\nexport const y = x",
    'enter pair/index.ts',
  ],
  [
    'main/engine/graph/past-type.ts',
    "import type { X } from '../pair/queue.ts'\nexport type Y = X",
    'enter pair/index.ts',
  ],
  [
    'main/engine/novelty/index.ts',
    "import { x } from '../model/index.ts'\nexport const y = x",
    'stands in no folder of the engine',
  ],
  [
    'main/engine/loose.ts',
    "import { x } from './model/index.ts'\nexport const y = x",
    'stands in no folder of the engine',
  ],
  [
    'main/engine/graph/wire.ts',
    "import type { EngineApi } from '../../../preload/contract/engine.ts'\nexport type Y = EngineApi",
    'may not import preload/contract/engine.ts',
  ],
  ['stray.ts', "import fs from 'node:fs'\nexport const x = fs", 'belongs to no folder'],
] as const

const borders = table as unknown as readonly (readonly [RegExp, readonly (string | RegExp)[]])[]

describe('planted violations', () => {
  let found = ''
  beforeAll(() => {
    const garden = mkdtempSync(path.join(tmpdir(), 'plumbline-borders-'))
    for (const [file, text] of planted) {
      mkdirSync(path.dirname(path.join(garden, file)), { recursive: true })
      writeFileSync(path.join(garden, file), `${text}\n`)
    }
    writeFileSync(
      path.join(garden, '.oxlintrc.json'),
      JSON.stringify({
        jsPlugins: [path.join(root, 'test/lint/borders.mjs')],
        rules: { 'plumbline/borders': 'error' },
      }),
    )
    try {
      found = execFileSync(
        process.execPath,
        [path.join(root, 'node_modules/oxlint/bin/oxlint'), '--format=unix'],
        { cwd: garden, encoding: 'utf8' },
      )
    } catch (error) {
      found = String((error as { stdout?: unknown }).stdout)
    }
  })

  test.each(planted)('%s', (file, _text, why) => {
    const said = found
      .split('\n')
      .filter(line => line.startsWith(`${file}:`) || line.includes(`/${file}:`))
      .join('\n')
    expect(said).toContain(why)
  })
})

test('every line of the table that forbids something has a violation planted', () => {
  const free = (allowed: readonly unknown[]): boolean =>
    allowed.some(may => may instanceof RegExp && may.test('anything/at/all.ts'))
  for (const [who, allowed] of borders)
    if (!free(allowed))
      expect(
        planted.some(([file]) => who.test(file)),
        String(who),
      ).toBe(true)
})

test('every source file stands in a folder of the house', () => {
  for (const file of sources)
    expect(
      borders.some(([who]) => who.test(file)),
      file,
    ).toBe(true)
})

test('every folder of the engine stands in the order, and has a door', () => {
  const folders = new Set(
    sources.flatMap(file => /^main\/engine\/((?:doors\/)?[^/]+)\/[^/]+\.ts$/.exec(file)?.[1] ?? []),
  )
  expect([...folders].toSorted()).toEqual([...order].toSorted())
  for (const folder of folders) expect(sources).toContain(`main/engine/${folder}/index.ts`)
})

test('types may cross where values may not', () => {
  const nouns = 'main/engine/model/shared.ts'
  expect(reasonAgainst('preload/contract/x.ts', nouns, true)).toBeUndefined()
  expect(reasonAgainst('preload/contract/x.ts', nouns, false)).toBeDefined()
})
