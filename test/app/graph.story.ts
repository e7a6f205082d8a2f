// A person works with the graphs: opens, closes, walks, zooms, filters, by mouse and by keys.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { say } from '../../preload/contract/words/index.ts'
import { dump, expect, scratch, usualPair, test, type App } from '../support/app.ts'
import { names } from '../support/names.ts'

type Side = 'graphDebug' | 'graphBench'
const boxes = async (app: App, side: Side): Promise<number> =>
  Number(await app.id(names[side]).getAttribute('data-boxes'))
const selected = (app: App, side: Side): Promise<string | null> =>
  app.id(names[side]).getAttribute('data-selected')
const opened = (app: App): Promise<{ debug: readonly string[]; bench: readonly string[] }> =>
  app.page.evaluate(
    () =>
      (window.plumbline.state()['look'] as { opened: { debug: readonly string[]; bench: readonly string[] } })
        .opened,
  )

test('opens and closes nodes on both sides at once, undoes it, and keeps what is looked at in place', async ({
  start,
}) => {
  const app = await start({ paths: usualPair })
  await app.page.evaluate(() => window.plumbline.run('close-all'))
  await app.idle()
  const closed = [await boxes(app, 'graphDebug'), await boxes(app, 'graphBench')]
  await app.id(names.graphDebug).focus()
  await app.press('Shift+Digit2')
  expect(await boxes(app, 'graphDebug')).toBeGreaterThan(closed[0])
  expect(await boxes(app, 'graphBench')).toBeGreaterThan(closed[1])
  await app.press('Control+z')
  expect(await boxes(app, 'graphDebug')).toBe(closed[0])
  await app.press('Control+Shift+z')
  expect(await boxes(app, 'graphDebug')).toBeGreaterThan(closed[0])
})

test('arrows walk the hierarchy, Enter opens, Esc clears', async ({ start }) => {
  const app = await start({ paths: usualPair })
  await app.menu('first-failing')
  const first = await selected(app, 'graphDebug')
  await app.id(names.graphDebug).focus()
  await app.press('ArrowLeft')
  const parent = await selected(app, 'graphDebug')
  expect(parent).not.toBe(first)
  expect((await opened(app)).debug).toContain(parent)
  await app.press('Enter')
  expect((await opened(app)).debug).not.toContain(parent)
  expect((await opened(app)).bench.length).toBe((await opened(app)).debug.length)
  await app.press('Enter', 'ArrowRight')
  expect(await selected(app, 'graphDebug')).not.toBe(parent)
  await app.press('Escape')
  expect(await selected(app, 'graphDebug')).toBe('')
})

test('a double click opens a node, a right click offers what can be done with it', async ({ start }) => {
  const app = await start({ paths: usualPair })
  await app.page.evaluate(() => window.plumbline.run('close-all'))
  await app.idle()
  await app.id(names.graphDebug).focus()
  await app.press('0')
  const before = await boxes(app, 'graphDebug')
  const at = await app.page.evaluate(() => {
    const { x, y, width } = document
      .querySelector('[data-testid="graph-debug"]:not([data-panel])')!
      .getBoundingClientRect()
    return { x: x + width / 2, y: y + 60 }
  })
  await app.page.mouse.dblclick(at.x, at.y)
  await app.idle()
  expect(await boxes(app, 'graphDebug')).toBeGreaterThan(before)
  await app.page.mouse.click(at.x, at.y, { button: 'right' })
  await expect(app.page.getByRole('menu')).toBeVisible()
  await app.page.getByRole('menuitem', { name: 'Copy Node Name' }).click()
  await app.idle()
  const copied = await app.electron.evaluate(({ clipboard }) => clipboard.readText())
  expect(copied).toBe(await selected(app, 'graphDebug'))
})

test('both sides show the same place and move together, unless told otherwise', async ({ start }) => {
  const app = await start({ paths: usualPair })
  await app.menu('first-failing')
  expect(await selected(app, 'graphBench')).toBe(
    (await selected(app, 'graphDebug'))?.replace('Cell', 'Module'),
  )
  await app.id('links').click()
  await app.page.getByRole('menuitem', { name: 'Open and Close Together' }).click()
  await app.id(names.graphDebug).focus()
  const before = await opened(app)
  await app.press('Shift+KeyC', 'Shift+Digit1')
  await app.menu('first-failing')
  expect((await opened(app)).debug.length).toBeGreaterThan(0)
  expect(before.bench.length).toBeGreaterThan(0)
})

test('views and hooks can be hidden; counts stay, and so does the choice', async ({ start }) => {
  const app = await start({ paths: usualPair })
  await app.page.evaluate(() => window.plumbline.run('expand-3'))
  // What is fitted is what is drawn.
  await app.idle()
  await app.id(names.graphDebug).focus()
  await app.press('0')
  const all = await boxes(app, 'graphDebug')
  const legend = await app.page.getByRole('group', { name: /Colours/ }).innerText()
  await app.id('plumbing').click()
  await app.idle()
  const fewer = await boxes(app, 'graphDebug')
  expect(fewer).toBeLessThan(all * 0.8)
  expect(await app.page.getByRole('group', { name: /Colours/ }).innerText()).toBe(legend)
  const { data } = app
  await app.close()
  const again = await start({ data, paths: usualPair })
  await expect(again.id('plumbing')).toHaveAttribute('aria-pressed', 'true')
  await again.id(names.graphDebug).focus()
  await again.press('0')
  expect(await boxes(again, 'graphDebug')).toBe(fewer)
  await again.press('h')
  await again.press('0')
  expect(await boxes(again, 'graphDebug')).toBe(all)
})

test('the legend of checksums calls the coloured nodes different', async ({ start }) => {
  const app = await start({ paths: [dump('ms_lenet_w_conv2_md5_mix'), dump('ms_lenet_none_md5_mix')] })
  const item = (bucket: number) =>
    app.page
      .getByRole('group', { name: say('en', 'legend.title') })
      .locator('.legend-item', { has: app.page.locator(`.swatch.b${bucket}`) })
  await app.page.evaluate(() => window.plumbline.run('colours-msprobe'))
  await app.idle()
  await expect(item(0)).toContainText(say('en', 'legend.equal'))
  await expect(item(5)).toContainText(say('en', 'legend.different'))
})

test('a click in the legend leads to the first node of a colour, inside what was closed, and on to the others', async ({
  start,
}) => {
  const app = await start({ paths: usualPair })
  await app.page.evaluate(() => window.plumbline.run('close-all'))
  await app.page.evaluate(() => window.plumbline.run('clear'))
  await app.idle()
  const legend = app.page.getByRole('group', { name: /Colours/ })
  const counts = await legend.locator('.legend-item .faint').allInnerTexts()
  const several = counts.findLastIndex(text => Number(text) > 2)
  const worst = legend.locator('.legend-item').nth(several)
  await worst.click()
  await app.idle()
  const walk = app.id('legend-walk')
  const total = (await worst.locator('.faint').innerText()).trim()
  await expect(walk).toContainText(`1/${total}`)
  const first = await selected(app, 'graphDebug')
  expect(first).toBeTruthy()
  expect((await opened(app)).debug.length).toBeGreaterThan(0)
  await walk.getByRole('button').last().click()
  await app.idle()
  await expect(walk).toContainText(`2/${total}`)
  expect(await selected(app, 'graphDebug')).not.toBe(first)
  await walk.getByRole('button').first().click()
  await walk.getByRole('button').first().click()
  await app.idle()
  await expect(walk).toContainText(`${total}/${total}`)
  await app.press('Escape')
  await expect(worst).toHaveAttribute('aria-pressed', 'false')
  await expect(walk).toHaveCount(0)
})

test('the legend says what colours mean and picks them', async ({ start }) => {
  const app = await start({ paths: usualPair })
  const legend = app.page.getByRole('group', { name: /Colours/ })
  await expect(legend).toBeVisible()
  const item = legend.locator('[aria-pressed]').first()
  await item.click()
  await expect(item).toHaveAttribute('aria-pressed', 'true')
  await app.press('Control+z')
  await expect(item).toHaveAttribute('aria-pressed', 'false')
})

/** Height in the window at which the selected box is: its menu opens below it. */
async function menuTop(app: App): Promise<number> {
  await app.id(names.graphDebug).focus()
  await app.press('Shift+F10')
  const box = await app.page.getByRole('menu').boundingBox()
  await app.press('Escape')
  await expect(app.page.getByRole('menu')).toHaveCount(0)
  return box?.y ?? Number.NaN
}

test('opening levels keeps what is selected where it is; a fit shows all of a large graph', async ({
  start,
}) => {
  const app = await start({ paths: usualPair })
  await app.press('Control+f')
  await app.type('linear.4.forward')
  await app.press('Enter', 'Escape', 'Escape')
  const node = await selected(app, 'graphDebug')
  expect(node).toBe('Functional.linear.4.forward')
  const before = await menuTop(app)
  for (const level of [1, 3, 2]) {
    await app.id(names.graphDebug).focus()
    await app.press(`Shift+Digit${level}`)
    expect(await selected(app, 'graphDebug')).toBe(node)
    expect(Math.abs((await menuTop(app)) - before)).toBeLessThan(30)
  }
  await app.page.evaluate(() => window.plumbline.run('expand-3'))
  await app.idle()
  const all = await boxes(app, 'graphDebug')
  await app.id(names.graphDebug).focus()
  await app.press('0')
  // What the far view needs is asked for: all of it.
  expect(await boxes(app, 'graphDebug')).toBeGreaterThanOrEqual(all)
})

test('search finds over both sides and walks with F3', async ({ start }) => {
  const app = await start({ paths: usualPair })
  await app.press('Control+f')
  await app.type('softmax')
  await expect(app.page.getByRole('option').first()).toContainText('softmax')
  await app.press('Enter')
  const first = await selected(app, 'graphDebug')
  expect(first).toContain('softmax')
  await expect(app.page.getByRole('option').first().locator('mark').first()).toHaveText(/softmax/i)
  const texts = await app.page.getByRole('option').allInnerTexts()
  expect(texts.filter(text => /·.*softmax\.\d+\.(?:for|back)ward/.test(text))).toEqual([])
  await app.press('Escape')
  const counter = app.page.locator('search .num')
  await expect(counter).toHaveText(/^1\//)
  await app.press('F3')
  await expect(counter).toHaveText(/^2\//)
  expect(await selected(app, 'graphDebug')).not.toBe(first)
})

test('the palette runs any command and finds nodes', async ({ start }) => {
  const app = await start({ paths: usualPair })
  await app.press('Control+k')
  await expect(app.id(names.palette)).toBeVisible()
  await app.type('only rows that differ')
  await app.press('Enter')
  await expect(app.id('chip-differs')).toHaveAttribute('aria-pressed', 'true')
  await app.press('Control+Shift+p')
  await app.type('@embedding')
  await expect(app.page.getByRole('option').first()).toContainText(/embedding/i)
  await app.press('Enter')
  expect(await app.id(names.inspector).getAttribute('data-node')).toMatch(/embedding/i)
})

test('the key sheet lists every key and can be searched', async ({ start }) => {
  const app = await start({ paths: usualPair })
  await app.id(names.graphDebug).focus()
  await app.press('?')
  const sheet = app.id(names.keys)
  await expect(sheet).toBeVisible()
  await app.type('minimap')
  await app.page.keyboard.press('Control+a')
  await app.type('error enters')
  await expect(sheet).toContainText('Where the Error Enters')
  await expect(sheet).not.toContainText('Read the Dumps Again')
})

test('the colours show overflow where there is some, and our error level again', async ({ start }) => {
  const app = await start({
    paths: [dump('ms_lenet_nan_statistics_mix'), dump('ms_lenet_none_statistics_mix')],
  })
  const legend = app.page.getByRole('group', { name: say('en', 'legend.title') })
  await expect(legend).toContainText(say('en', 'measure.error'))
  await app.id('colours').click()
  await app.page.getByRole('menu').getByText(say('en', 'measure.overflow'), { exact: true }).click()
  await app.idle()
  await expect(legend).toContainText(say('en', 'overflow.3'))
  await app.page.evaluate(() => window.plumbline.run('colours-error'))
  await app.idle()
  await expect(legend).toContainText(say('en', 'measure.error'))
})

test('what has no partner is hatched, in the legend and in pictures too', async ({ start }) => {
  const app = await start({
    paths: [dump('pt_tr_extra_layer_statistics_mix'), dump('pt_tr_none_statistics_mix')],
  })
  const swatch = app.page.locator('.legend .swatch.b-2')
  expect(await swatch.evaluate(one => getComputedStyle(one).backgroundImage)).toContain('repeating-linear')
  const file = path.join(scratch(), 'debug.svg')
  await app.answerDialogs([file])
  await app.press('Control+e')
  await app.id('export-svg-debug').click()
  await expect.poll(() => existsSync(file)).toBe(true)
  await app.idle()
  const picture = readFileSync(file, 'utf8')
  const pattern = /<pattern id="(\w+)"/.exec(picture)?.[1] ?? ''
  expect(picture).toMatch(new RegExp(`<title>[^<]*layers\\.2\\.[^<]*</title>[^]{0,300}url\\(#${pattern}\\)`))
})

test('a colour that is picked in the legend filters the table too, and both give it up together', async ({
  start,
}) => {
  const app = await start({ paths: usualPair })
  const rows = async (): Promise<number> => Number(await app.id(names.grid).getAttribute('data-rows'))
  const all = await rows()
  const item = app.page.locator('.legend-item', { has: app.page.locator('.swatch.b3') })
  await item.click()
  await app.idle()
  const coloured = await rows()
  expect(coloured).toBeGreaterThan(0)
  expect(coloured).toBeLessThan(all)
  await expect(app.id(names.grid).locator('.ag-row[aria-selected="true"]')).toHaveCount(1)
  await app.id('chip-colour').click()
  await app.idle()
  expect(await rows()).toBe(all)
  await expect(item).toHaveAttribute('aria-pressed', 'false')
  await item.click()
  await app.press('Escape')
  expect(await rows()).toBe(all)
  await expect(app.id('chip-colour')).toHaveCount(0)
})

test('a hidden view that is selected in the table is said to be hidden, and shown on request', async ({
  start,
}) => {
  const app = await start({ paths: usualPair })
  await app.id('plumbing').click()
  await app.idle()
  await expect(app.id('hidden-node')).toHaveCount(0)
  await app.id('quick').fill('view_as.23')
  await app.idle()
  await app.id(names.grid).locator('[data-row="0"] [col-id="debugName"]').click()
  await app.idle()
  const node = await selected(app, 'graphDebug')
  expect(node).toContain('view_as.23')
  await expect(app.id('hidden-node')).toContainText('Tensor.view_as.23')
  await expect(app.id(names.graphDebug).getByRole('treeitem')).toHaveCount(0)
  await app.id('hidden-node').getByRole('button').click()
  await app.idle()
  await expect(app.id('hidden-node')).toHaveCount(0)
  await expect(app.id(names.graphDebug).getByRole('treeitem')).toContainText('view_as.23')
})
