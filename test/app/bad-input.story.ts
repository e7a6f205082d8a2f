// Whatever is dropped, the window says in one sentence what is wrong, and goes on working.
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { dump, expect, usualPair, scratch, test, type App } from '../support/app.ts'
import { names } from '../support/names.ts'

const good = (): string => dump('pt_lenet_none_statistics_mix')
const debugSide = (): string => dump('pt_lenet_w_conv2_statistics_mix')

/** One card, one sentence, with the place in it. */
async function complains(app: App, code: string, about: string): Promise<string> {
  const card = app.page.locator(`[data-testid="${names.problem}"][data-code="${code}"]`)
  await expect(card).toHaveCount(1)
  await expect(card).toBeVisible()
  const text = await card.innerText()
  expect(text).toContain(path.basename(about))
  expect(text).not.toMatch(/\{\w+\}|undefined|\[object/)
  return text
}

async function stillWorks(app: App): Promise<void> {
  await app.drop(usualPair)
  await expect(app.id(names.grid)).toHaveAttribute('data-rows', /^[1-9]\d+$/)
}

test('a folder that is no dump', async ({ start }) => {
  const app = await start()
  const folder = scratch()
  writeFileSync(path.join(folder, 'notes.txt'), 'hello')
  await app.drop([folder, good()])
  await complains(app, 'not-a-dump', folder)
  await stillWorks(app)
})

test('a file that is nothing known', async ({ start }) => {
  const app = await start()
  const file = path.join(scratch(), 'picture.bmp')
  writeFileSync(file, 'BM')
  await app.drop([file, good()])
  await complains(app, 'unknown-file', file)
  await stillWorks(app)
})

test('a folder that cannot be read', async ({ start }) => {
  // Root reads everything: then the name of a folder that is gone stands in for one that is closed.
  const root = process.getuid?.() === 0
  const app = await start()
  const folder = path.join(scratch(), 'closed')
  cpSync(debugSide(), folder, { recursive: true })
  if (root) rmSync(folder, { recursive: true })
  else chmodSync(folder, 0)
  await app.drop([folder, good()])
  await complains(app, root ? 'not-found' : 'not-readable', folder)
  if (!root) chmodSync(folder, 0o700)
  await stillWorks(app)
})

test('a broken dump.json: line and column, and what stands before it is shown', async ({ start }) => {
  const app = await start()
  const folder = path.join(scratch(), 'broken')
  cpSync(debugSide(), folder, { recursive: true })
  const file = path.join(folder, 'step0', 'rank', 'dump.json')
  const text = readFileSync(file, 'utf8')
  const cut = text.indexOf('"Functional', Math.floor(text.length / 2))
  writeFileSync(file, `${text.slice(0, cut)}?${text.slice(cut)}`)
  const line = text.slice(0, cut).split('\n').length
  await app.drop([folder, good()])
  const said = await complains(app, 'json-broken', 'dump.json')
  expect(said.replaceAll(',', '')).toContain(`line ${line}`)
  expect(said).toMatch(/column \d/)
  await expect(app.id(names.grid)).toHaveAttribute('data-rows', /^[1-9]\d*$/)
  await stillWorks(app)
})

test('the same folder on both sides', async ({ start }) => {
  const app = await start()
  await app.drop([good(), good()])
  await complains(app, 'same-folder-twice', good())
  await stillWorks(app)
})

test('an empty folder and a path that is gone', async ({ start }) => {
  const app = await start()
  const folder = path.join(scratch(), 'empty')
  mkdirSync(folder)
  await app.drop([folder, good()])
  await complains(app, 'not-a-dump', folder)
  await stillWorks(app)
})
