// What the repository may not hold: machine paths, download addresses, talk about how it was made, files that
// nobody can read.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary.ts'
import { isText, read, root, sources, tracked } from './tracked.ts'

const setup = pathToFileURL(path.join(root, '.ci/setup.mjs')).href
const texts = tracked.filter(file => isText(file))
/** Written in pieces, so that this file does not find itself. */
const pattern = (...alternatives: (readonly string[])[]): RegExp =>
  new RegExp(alternatives.map(parts => parts.join('')).join('|'), 'i')

const forbidden: readonly (readonly [string, RegExp])[] = [
  [
    "a path of somebody's machine",
    pattern(
      ['(?<![\\w./-])/wo', 'rk/(?:main|shared)'],
      ['(?<![\\w.-])/ro', 'ot/'],
      ['/tmp/plumb', 'line-fixtures/'],
      ['/Us', 'ers/\\w'],
    ),
  ],
  [
    'a registry or mirror',
    pattern(
      ['registry\\.', 'npmjs'],
      ['npm', 'mirror'],
      ['registry\\.', 'yarnpkg'],
      ['https?://registry', '\\.'],
    ),
  ],
  [
    'talk about how it was made',
    pattern(['\\bcla', 'ude\\b'], ['\\bsub', '-?agent'], ['\\bco', 'pilot\\b'], ['\\bas an a', 'i\\b']),
  ],
  ['an unfinished place', pattern(['\\bTO', 'DO\\b'], ['\\bFIX', 'ME\\b'], ['coming so', 'on'])],
]

describe('no tracked text file holds', () => {
  test.each(forbidden)('%s', (_what, found) => {
    const hits = texts.flatMap(file =>
      read(file)
        .split('\n')
        .flatMap((line, i) => (found.test(line) ? [`${file}:${i + 1} ${line.trim().slice(0, 120)}`] : [])),
    )
    expect(hits.filter(hit => !hit.startsWith('test/fixtures/') && !hit.startsWith('LICENSE'))).toEqual([])
  })
})

describe('sources', () => {
  test('begin with a line that says what they are', () => {
    expect(sources.filter(file => !/^(?:#!.*\n)?(?:\/\/ \S|\/\*\* \S)/.test(read(file)))).toEqual([])
  })

  test('keep to 110 columns where the formatter cannot read them', () => {
    const wide = sources
      .filter(file => file.endsWith('.as.ts'))
      .flatMap(file =>
        read(file)
          .split('\n')
          .flatMap((line, i) => (line.length > 110 ? [`${file}:${i + 1}`] : [])),
      )
    expect(wide).toEqual([])
  })

  test('skip no test and leave none alone', () => {
    expect(
      sources.filter(
        file =>
          file.startsWith('test/') &&
          pattern(['\\b(?:test|it|describe)\\.', '(?:skip|only|to', 'do)\\b']).test(read(file)),
      ),
    ).toEqual([])
  })
})

test('programs are started in two places: the editor, and what the command line is asked to run', () => {
  const starts = sources.filter(
    file => /^(?:main|preload|renderer)\//.test(file) && /from 'node:child_process'/.test(read(file)),
  )
  // The seal takes the same module only to close it.
  expect(starts.toSorted()).toEqual(['main/cli/programs.ts', 'main/editor.ts', 'main/sealed.ts'])
  const users = sources.filter(
    file => /^(?:main|preload|renderer)\//.test(file) && /cli\/programs|'\.\/programs/.test(read(file)),
  )
  expect(users.filter(file => !/^main\/(?:cli|engine\/doors\/command)\//.test(file))).toEqual([])
})

test('the repository stays small enough to clone', () => {
  const bytes = tracked.reduce((sum, file) => sum + statSync(path.join(root, file)).size, 0)
  expect(bytes).toBeLessThan(90 * 2 ** 20)
})

test('setting up never empties a folder of packages that is only linked here', () => {
  const folder = temporaryFolder()
  const [shared, link] = ['shared', 'node_modules'].map(name => path.join(folder, name)) as [string, string]
  mkdirSync(shared)
  writeFileSync(path.join(shared, 'used.txt'), 'by others')
  symlinkSync(shared, link, 'junction')
  const refuse = (at: string): ReturnType<typeof spawnSync> =>
    spawnSync(
      process.execPath,
      ['-e', `import(${JSON.stringify(setup)}).then(m => m.refuseShared(${JSON.stringify(at)}))`],
      { encoding: 'utf8' },
    )
  expect(refuse(shared)).toMatchObject({ status: 0, stderr: '' })
  const { status, stderr } = refuse(link)
  expect(status).toBe(1)
  expect(stderr).toContain(`${link} is a link`)
  expect(readdirSync(shared)).toEqual(['used.txt'])
})

test('the lockfile is whole: npm ci refuses one that lacks packages of other systems', () => {
  interface Locked {
    readonly version?: string
    readonly resolved?: string
    readonly dependencies?: Record<string, string>
    readonly optionalDependencies?: Record<string, string>
  }
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
  const found = (from: string, name: string): boolean => {
    for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('node_modules/') - 1))) {
      if (packages[`${base && `${base}/`}node_modules/${name}`]) return true
      if (base === '') return false
    }
  }
  const missing = Object.entries(packages).flatMap(
    ([place, { dependencies = {}, optionalDependencies = {} }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter(name => !found(place, name))
        .map(name => `${place} wants ${name}`),
  )
  expect(missing).toEqual([])
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([])
})

test('the threats of SECURITY.md name files and tests that exist', () => {
  const named = [...read('SECURITY.md').matchAll(/`((?:main|test)\/[^`]+)`/g)].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(file => !existsSync(path.join(root, file)))).toEqual([])
})
