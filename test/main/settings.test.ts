// The settings file: defaults, damage, unknown keys, and a write that is whole or not at all.
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { RecentPair } from '../../preload/contract/host.ts'
import type { Log } from '../../main/log.ts'
import { openSettings, withRecent, withoutRecent } from '../../main/settings.ts'

const quiet: Log = { file: '', recent: [], info() {}, warn() {}, error() {} }
const place = (text?: string): string => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'plumbline-settings-')), 'settings.json')
  if (text !== undefined) writeFileSync(file, text)
  return file
}

test('a first start has defaults and writes nothing by itself', () => {
  const file = place()
  const settings = openSettings(file, quiet)
  expect(settings.now).toMatchObject({ theme: 'system', language: 'system', recent: [], zoom: 1 })
  settings.flush()
  expect(existsSync(file)).toBe(false)
})

test('what is changed is there after a restart, and listeners hear of it', () => {
  const file = place()
  const settings = openSettings(file, quiet)
  const heard: string[] = []
  settings.onChange(({ theme }) => heard.push(theme))
  settings.change({ theme: 'dark', layout: { sizes: [1, 2, 3] } })
  settings.flush()
  expect(heard).toEqual(['dark'])
  expect(openSettings(file, quiet).now).toMatchObject({ theme: 'dark', layout: { sizes: [1, 2, 3] } })
  expect(readdirSync(path.dirname(file))).toEqual(['settings.json'])
})

test('keys of another version survive a change', () => {
  const file = place(JSON.stringify({ theme: 'light', fromTheFuture: { a: [1] } }))
  const settings = openSettings(file, quiet)
  settings.change({ zoom: 1.5 })
  settings.flush()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    theme: 'light',
    zoom: 1.5,
    fromTheFuture: { a: [1] },
  })
})

test.each([
  [
    'a wrong value',
    '{"theme":"pink","language":"zh","zoom":9,"recent":"none","bounds":{"width":"wide"}}',
    'zh',
  ],
  ['a list', '[1,2]', 'system'],
  ['null', 'null', 'system'],
])('%s costs only what is wrong', (_what, text, language) => {
  const { now } = openSettings(place(text), quiet)
  expect(now).toMatchObject({ theme: 'system', language, zoom: 1, recent: [] })
  expect(now.bounds.width).toBe(1520)
})

test('a broken file is kept beside the new one', () => {
  const file = place('{"theme": "da')
  const settings = openSettings(file, quiet)
  settings.change({ theme: 'light' })
  settings.flush()
  expect(readFileSync(`${file}.broken`, 'utf8')).toBe('{"theme": "da')
  expect(openSettings(file, quiet).now.theme).toBe('light')
})

test('recent pairs: newest first, each once, twelve at most', () => {
  const pair = (name: string) => ({ paths: [`/d/${name}`, `/b/${name}`], title: name, at: 1 })
  let list = ['a', 'b', 'a'].reduce<RecentPair[]>((old, name) => withRecent(old, pair(name)), [])
  expect(list.map(({ title }) => title)).toEqual(['a', 'b'])
  for (let i = 0; i < 20; i++) list = withRecent(list, pair(`n${i}`))
  expect(list).toHaveLength(12)
  expect(withoutRecent(list, pair('n19').paths)[0]?.title).toBe('n18')
})

test('the history of a pair: newest first, twenty at most, only what came out otherwise; it outlives a restart', () => {
  const pair = (at: number) => ({ paths: ['/d', '/b'], title: 'a', at })
  const run = (differs: number) => ({ rows: 300, differs, node: 'conv.0', step: 0, rank: null })
  let list = withRecent([], pair(1), run(14))
  list = withRecent(list, pair(2))
  list = withRecent(list, pair(3), run(14))
  list = withRecent(list, pair(4), run(357))
  expect(list[0]?.runs.map(({ at, differs }) => [at, differs])).toEqual([
    [4, 357],
    [1, 14],
  ])
  for (let i = 0; i < 30; i++) list = withRecent(list, pair(5 + i), run(i))
  expect(list[0]?.runs).toHaveLength(20)

  const file = place()
  const settings = openSettings(file, quiet)
  settings.change({ recent: list })
  settings.flush()
  expect(openSettings(file, quiet).now.recent).toEqual(list)
})

test('a run that cannot be read costs only itself, and pairs of older versions have none', () => {
  const run = { at: 1, rows: 3, differs: 1, node: '', step: null, rank: null }
  const given = (runs: unknown) => ({ paths: ['/d'], title: 'a', at: 1, runs })
  const recent = [
    given([run, { ...run, differs: -1 }, 'odd']),
    given('odd'),
    { paths: ['/e'], title: 'b', at: 1 },
  ]
  const { now } = openSettings(place(JSON.stringify({ recent })), quiet)
  expect(now.recent.map(({ runs }) => runs)).toEqual([[run], [], []])
})
