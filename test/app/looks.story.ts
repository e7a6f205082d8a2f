// Themes, languages, sizes, and what a screen reader meets.
import path from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { say } from '../../preload/contract/words/index.ts'
import { dump, expect, usualPair, test, type App } from '../support/app.ts'
import { names } from '../support/names.ts'

async function serious(app: App): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page: app.page }).setLegacyMode(true).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}

test('names of dumps are cut in their middle and badges never, in windows of every width', async ({
  start,
}) => {
  const app = await start({ paths: usualPair })
  const cut = (selector: string): Promise<boolean[]> =>
    app.page.locator(selector).evaluateAll(all => all.map(one => one.scrollWidth > one.clientWidth + 1))
  for (const width of [1024, 1280, 1520, 1920]) {
    await app.resize(width, 900)
    expect(await cut('.toolbar')).toEqual([false])
    expect(await cut('.toolbar .tag-button')).toEqual([false, false])
    const [name] = await app.page.locator('.side-button .middle-cut').allInnerTexts()
    expect(name?.replace('\n', '')).toBe('pt_tr_w_qkv1_statistics_mix')
    const ends = app.page.locator('.side-button .middle-cut-tail')
    await expect(ends.first()).toBeInViewport({ ratio: 1 })
    const said = await app.page.locator('.graph-head .graph-name').count()
    expect(said).toBe((await cut('.side-button .middle-cut-head')).filter(Boolean).length)
  }
})

test('axe finds nothing serious, empty and with a pair, light and dark', async ({ start }) => {
  const app = await start()
  expect.soft(await serious(app), 'empty').toEqual([])
  await app.drop(usualPair)
  await app.menu('first-failing')
  for (const theme of ['light', 'dark'] as const) {
    await app.id(names.theme).click()
    await app.page
      .getByRole('menuitem', { name: say('en', `menu.theme.${theme}`), exact: true })
      .or(app.page.getByRole('menuitemradio', { name: say('en', `menu.theme.${theme}`), exact: true }))
      .click()
    await app.idle()
    expect.soft(await serious(app), theme).toEqual([])
  }
})

test('theme and language switch at once, in the window and in the menus, and stay', async ({ start }) => {
  const app = await start()
  const background = (): Promise<string> =>
    app.page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const menus = (): Promise<string[]> =>
    app.electron.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label) ?? [])
  const pick = async (button: string, entry: string): Promise<void> => {
    await app.id(button).click()
    await app.page.getByText(entry, { exact: true }).click()
    await app.idle()
  }
  await pick(names.theme, say('en', 'menu.theme.light'))
  const light = await background()
  await pick(names.theme, say('en', 'menu.theme.dark'))
  expect(await background()).not.toBe(light)

  await pick(names.language, '中文')
  await expect(app.id(names.openSample)).toHaveText(say('zh', 'opening.sample'))
  expect(await menus()).toContain(say('zh', 'menu.file'))
  expect(await app.page.evaluate(() => document.documentElement.lang)).toMatch(/^zh/)

  const { data } = app
  await app.close()
  const again = await start({ data })
  await expect(again.id(names.openSample)).toHaveText(say('zh', 'opening.sample'))
  expect(await again.page.evaluate(() => getComputedStyle(document.body).backgroundColor)).not.toBe(light)
})

test('nothing is cut off from the smallest window to a large one', async ({ start }) => {
  const app = await start({ paths: usualPair })
  for (const [width, height] of [
    [1024, 640],
    [1520, 940],
    [2400, 1300],
  ] as const) {
    await app.resize(width, height)
    const { scroll, inner } = await app.page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      inner: innerWidth,
    }))
    expect(scroll).toBeLessThanOrEqual(inner)
    for (const id of [names.toolbar, names.grid, names.status, names.graphDebug])
      await expect(app.id(id)).toBeInViewport()
  }
})

test('the smallest window shows a metric beside the name; at twice the size buttons stay in reach', async ({
  start,
}) => {
  const app = await start()
  await app.resize(1024, 640)
  await app.drop(usualPair)
  const [metric, grid] = [
    await app.page.getByRole('columnheader', { name: 'Max rel. err' }).boundingBox(),
    await app.id(names.grid).boundingBox(),
  ]
  expect((metric?.x ?? Infinity) + (metric?.width ?? 0)).toBeLessThanOrEqual(
    (grid?.x ?? 0) + (grid?.width ?? 0),
  )
  await expect(app.id('quick')).toBeInViewport({ ratio: 1 })

  await app.resize(1520, 940)
  await app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(2),
  )
  await expect.poll(() => app.page.evaluate(() => innerWidth)).toBeLessThan(800)
  await app.idle()
  await expect(
    app
      .id(names.grid)
      .locator('..')
      .getByRole('button', { name: say('en', 'command.columns') }),
  ).toBeInViewport({ ratio: 1 })
  await expect(
    app.page
      .locator('.graph-head')
      .first()
      .getByRole('button', { name: say('en', 'command.first-failing') }),
  ).toBeInViewport({ ratio: 1 })
  expect(
    await app.page.evaluate(() =>
      [...document.querySelectorAll('.cards')].every(cards => cards.scrollWidth <= cards.clientWidth),
    ),
  ).toBe(true)
})

test('the selected tensor and all tabs stay in view when the window becomes the smallest', async ({
  start,
}) => {
  const app = await start({
    paths: ['debug', 'bench'].map(side => path.resolve('resources', 'sample', side)),
  })
  const chosen = app.page.locator('.inspector .item.here')
  await expect(chosen).toBeInViewport({ ratio: 1 })
  await app.resize(1024, 640)
  await expect(chosen).toBeInViewport({ ratio: 1 })
  await expect(
    app.page.locator('.inspector').getByRole('tab', { name: say('en', 'inspector.recompute') }),
  ).toBeInViewport({ ratio: 1 })
})

test('the toolbar keeps Read again whole beside the longest badges', async ({ start }) => {
  const app = await start({ paths: [dump('ms_tr_none_statistics_mix'), dump('pt_tr_none_statistics_mix')] })
  for (const language of ['en', 'zh'] as const) {
    await app.page.evaluate(id => window.plumbline.run(id), `language-${language}`)
    for (const width of [1024, 1180, 1320, 1520]) {
      await app.resize(width, 700)
      await expect(app.id('read-again')).toBeInViewport({ ratio: 1 })
      const [search, compare] = [
        await app.id(names.search).boundingBox(),
        await app.id('read-again').boundingBox(),
      ]
      expect(search?.width).toBeGreaterThan(60)
      expect((compare?.x ?? 0) + (compare?.width ?? 0)).toBeLessThanOrEqual(width)
    }
  }
  // The smallest window at twice the size.
  await app.resize(1024, 640)
  await app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(2),
  )
  await expect.poll(() => app.page.evaluate(() => innerWidth)).toBeLessThan(620)
  await app.idle()
  await expect(app.id('read-again')).toBeInViewport({ ratio: 1 })
  await expect(app.id(names.search)).toBeInViewport({ ratio: 1 })
})

test('copy diagnostics: versions and faults, no contents', async ({ start }) => {
  const app = await start({ paths: usualPair })
  await app.menu('diagnostics')
  const text = await app.electron.evaluate(({ clipboard }) => clipboard.readText())
  expect(text).toMatch(/^plumbline \d+\.\d+\.\d+\nelectron \d+/)
  expect(text).toContain('engine ready')
  expect(text).not.toContain('layers.1')
})

test('names of nodes are cut between their parts, in paths and titles, at twice the size too', async ({
  start,
}) => {
  const app = await start({ paths: usualPair })
  await app.menu('first-failing')
  const overflows = (selector: string): Promise<string[]> =>
    app.page
      .locator(selector)
      .evaluateAll(all =>
        all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => (one as HTMLElement).innerText),
      )
  for (const zoom of [1, 2]) {
    await app.electron.evaluate(
      ({ BrowserWindow }, factor) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(factor),
      zoom,
    )
    await app.idle()
    for (const selector of ['.crumbs', '.inspector-title', '.headline-node', '.evidence-label'])
      await expect.poll(() => overflows(selector), { message: `${selector} at ${zoom}` }).toEqual([])
    await expect(app.id(names.inspector).locator('.crumb').last()).toContainText('query_key_value.Linear')
  }
  // A layer keeps the name of its list beside its number.
  await app.page.getByRole('treeitem').first().waitFor({ state: 'attached' })
  await app.id(names.graphDebug).focus()
  for (let above = 0; above < 3; above++) await app.press('ArrowLeft')
  await expect(app.page.locator('.inspector-title')).toHaveText('layers.1.ParallelTransformerLayer')
})

test('About names the versions and the licences of what is built in, in both languages', async ({
  start,
}) => {
  const app = await start()
  await app.page.evaluate(() => window.plumbline.run('about'))
  const about = app.id('about')
  await expect(about).toContainText('electron')
  await expect(about.getByLabel(say('en', 'about.notices'))).toContainText('cytoscape 3')
  expect(await serious(app)).toEqual([])
  await app.page.evaluate(() => window.plumbline.run('language-zh'))
  await expect(about).toContainText(say('zh', 'about.what'))
})
