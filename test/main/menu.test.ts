// Menus: every entry has words in both languages, keys are given once, clicks arrive as commands.
import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, test } from 'vitest'
import { commandWords, pathsIn } from '../../main/arguments.ts'
import { menuTemplate } from '../../main/menu.ts'
import { menuCommands } from '../../preload/contract/commands.ts'
import { settingsSchema } from '../../preload/contract/host-schemas.ts'
import { isWordKey, languages, type Language } from '../../preload/contract/words/index.ts'

const settings = {
  ...settingsSchema.parse({}),
  recent: [{ paths: ['/a', '/b'], title: 'R&D · gpu', at: 1, runs: [] }],
}

function draw(language: Language, disabled: readonly string[] = []) {
  const done: unknown[] = []
  const template = menuTemplate(
    { language, settings, disabled: new Set(disabled), mac: false },
    { command: id => done.push(id), change: patch => done.push(patch), open: paths => done.push(paths) },
  )
  const flat = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
    items.flatMap(item => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])])
  const all = flat(template)
  const click = (find: (item: MenuItemConstructorOptions) => boolean): void => {
    ;(all.find(find)?.click as (() => void) | undefined)?.()
  }
  return { template, all, done, click }
}

describe('words and keys', () => {
  test.each(languages)('%s: no entry without a label', language => {
    for (const item of draw(language).all)
      if (item.type !== 'separator') expect(item.label, JSON.stringify(item)).toBeTruthy()
  })

  test('every command has words, ids and keys are given once', () => {
    for (const { id } of menuCommands) expect(isWordKey(`command.${id}`), id).toBe(true)
    expect(new Set(menuCommands.map(({ id }) => id)).size).toBe(menuCommands.length)
    const keys = menuCommands.flatMap(({ key }) => key ?? [])
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('the languages differ', () => {
    expect(draw('zh').template.map(({ label }) => label)).not.toEqual(
      draw('en').template.map(({ label }) => label),
    )
  })
})

describe('clicks', () => {
  test('a command goes out by its id; a disabled one is shown as such', () => {
    const { all, done, click } = draw('en', ['export'])
    click(({ id }) => id === 'reload')
    expect(done).toEqual(['reload'])
    expect(all.find(({ id }) => id === 'export')?.enabled).toBe(false)
  })

  test('theme, language and recent pairs', () => {
    const { done, click } = draw('en')
    click(({ label }) => label === 'Dark')
    click(({ label }) => label === '中文')
    click(({ label }) => label === 'R&&D · gpu')
    expect(done).toEqual([{ theme: 'dark' }, { language: 'zh' }, ['/a', '/b']])
  })
})

test('paths are what is named after --, or what is no switch', () => {
  expect(pathsIn(['electron', '--no-sandbox', '.', '--', 'a', '/b'], '/data', false)).toEqual([
    '/data/a',
    '/b',
  ])
  expect(pathsIn(['electron', '--inspect=0', '.', '--user-data-dir=/x'], '/data', false)).toEqual([])
  expect(pathsIn(['/opt/plumbline', '--no-sandbox', 'a', 'b'], '/data', true)).toEqual(['/data/a', '/data/b'])
  expect(pathsIn(['/opt/plumbline', '--', '--odd-name'], '/data', true)).toEqual(['/data/--odd-name'])
})

test('--cli asks for the command line, unless it is the name of a file', () => {
  expect(commandWords(['/opt/plumbline', '--no-sandbox', '--cli', 'compare', 'a', '--json'])).toEqual([
    'compare',
    'a',
    '--json',
  ])
  expect(commandWords(['/opt/plumbline', '--', '--cli'])).toBeUndefined()
  expect(commandWords(['electron', '.'])).toBeUndefined()
})
