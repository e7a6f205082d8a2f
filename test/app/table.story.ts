// A person works with the table: filters, sorts, chooses columns, copies.
import path from 'node:path'
import { root } from '../../.ci/electron.mjs'
import { dump, expect, usualPair, test, type App } from '../support/app.ts'
import { names } from '../support/names.ts'

const sample = path.join(root, 'resources', 'sample')

const rows = async (app: App): Promise<number> => Number(await app.id(names.grid).getAttribute('data-rows'))
const clipboard = (app: App): Promise<string> => app.electron.evaluate(({ clipboard: c }) => c.readText())
const header = (app: App, name: string) => app.id(names.grid).getByRole('columnheader', { name }).first()

test('chips, quick filter and the filter row narrow the rows; undo brings them back', async ({ start }) => {
  const app = await start({ paths: usualPair })
  const all = await rows(app)
  await app.id('chip-differs').click()
  await app.idle()
  const failing = await rows(app)
  expect(failing).toBeGreaterThan(0)
  expect(failing).toBeLessThan(all)
  await app.id('chip-differs').click()
  await expect.poll(() => rows(app)).toBe(all)
  await app.id('quick').fill('softmax')
  await expect.poll(() => rows(app)).toBeLessThan(all)
  await app.id('quick').fill('')
  await expect.poll(() => rows(app)).toBe(all)
  await app.id(names.grid).getByLabel('Filter Max rel. err').fill('> 1')
  await expect.poll(() => rows(app)).toBeLessThan(all)
  await app.id(names.grid).getByLabel('Filter Max rel. err').fill('>>')
  await expect(app.id(names.grid).getByLabel('Filter Max rel. err')).toHaveAttribute('aria-invalid', 'true')
  await app.page.evaluate(() => window.plumbline.run('clear-filters'))
  await expect.poll(() => rows(app)).toBe(all)
})

test('a click on a header sorts, another turns it round', async ({ start }) => {
  const app = await start({ paths: usualPair })
  const first = async (): Promise<number> =>
    Number.parseFloat(await app.id(names.grid).locator('[data-row="0"] [col-id="maxRelative"]').innerText())
  await app.page.evaluate(() => window.plumbline.run('show-failing'))
  await app.idle()
  await header(app, 'Max rel. err').click()
  await app.idle()
  await expect(header(app, 'Max rel. err')).toHaveAttribute('aria-sort', 'ascending')
  const least = await first()
  await header(app, 'Max rel. err').click()
  await app.idle()
  await expect(header(app, 'Max rel. err')).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(first).toBeGreaterThan(least)
})

test('columns can be hidden and come back as they were', async ({ start }) => {
  const app = await start({ paths: usualPair })
  await expect(header(app, 'Shape')).toBeVisible()
  await header(app, 'Shape').click({ button: 'right' })
  await app.page.getByRole('menuitem', { name: 'Hide column' }).click()
  await app.idle()
  await expect(header(app, 'Shape')).toHaveCount(0)
  await app.page.evaluate(() => window.plumbline.run('columns'))
  await app.page.getByRole('dialog', { name: 'Columns' }).getByRole('button', { name: 'As it was' }).click()
  await app.idle()
  await expect(header(app, 'Shape')).toBeVisible()
})

test('copies a cell exactly, and rows as TSV, Markdown and names', async ({ start }) => {
  const app = await start({ paths: usualPair })
  const cell = app
    .id(names.grid)
    .getByRole('gridcell', { name: /linear/i })
    .first()
  await cell.click()
  await app.press('Control+c')
  expect(await clipboard(app)).toMatch(/^\S*linear\S*\.(?:input|output)\.\d+$/i)
  await cell.click({ button: 'right' })
  await app.page.getByRole('menuitem', { name: 'Copy rows as Markdown' }).click()
  await app.idle()
  expect(await clipboard(app)).toMatch(/^\| NPU Name \| Bench Name \|/)
  await cell.click({ button: 'right' })
  await app.page.getByRole('menuitem', { name: 'Copy names' }).click()
  await app.idle()
  expect((await clipboard(app)).split('\t')).toHaveLength(2)
})

test('a bench name that says the same is a sign of equality, whole on hover and in copies', async ({
  start,
}) => {
  const app = await start({ paths: usualPair })
  const cell = app.id(names.grid).locator('[data-row] [col-id="benchName"]').first()
  await expect(cell).toHaveText('=')
  await cell.click()
  await app.press('Control+c')
  expect(await clipboard(app)).toMatch(/\.(?:input|output|parameters)/)
  const width = await app
    .id(names.grid)
    .locator('[data-row] [col-id="debugName"]')
    .first()
    .evaluate(el => el.getBoundingClientRect().width)
  expect(width).toBeGreaterThan(220)
  await expect(header(app, 'State')).toBeInViewport({ ratio: 0.9 })
})

test('what was set up comes back with the pair: filters, open nodes, selection, columns', async ({
  start,
}) => {
  const app = await start({ paths: usualPair })
  await app.page.evaluate(() => window.plumbline.run('show-failing'))
  await app.menu('next-problem')
  const node = await app.id(names.inspector).getAttribute('data-node')
  const failing = await rows(app)
  const { data } = app
  await app.press('Control+b')
  await app.close()
  const again = await start({ data, paths: usualPair })
  expect(await rows(again)).toBe(failing)
  expect(await again.id(names.inspector).getAttribute('data-node')).toBe(node)
  await expect(again.id(names.advisor)).toHaveCount(0)
})

test('rows and filters stay when the language changes', async ({ start }) => {
  const app = await start({ paths: usualPair })
  await app.page.evaluate(() => window.plumbline.run('show-failing'))
  await app.idle()
  const failing = await rows(app)
  await app.page.evaluate(() => window.plumbline.run('language-zh'))
  await app.idle()
  expect(await rows(app)).toBe(failing)
  await expect(app.id(names.grid).locator('[data-row] [col-id="debugName"]').first()).toContainText('.')
  await expect(app.id(names.grid).getByRole('columnheader', { name: '状态' })).toBeVisible()
})

test('columns are dragged wider and to another place, and stay there', async ({ start }) => {
  const app = await start({ paths: usualPair })
  const boxOf = async (id: string): Promise<{ x: number; y: number; width: number; height: number }> =>
    (await app.id(names.grid).locator(`.ag-header-cell[col-id="${id}"]`).first().boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    }
  const dragged = async (from: { x: number; y: number }, to: number): Promise<void> => {
    await app.page.mouse.move(from.x, from.y)
    await app.page.mouse.down()
    await app.page.mouse.move((from.x + to) / 2, from.y, { steps: 4 })
    await app.page.mouse.move(to, from.y, { steps: 4 })
    await app.page.mouse.up()
    await app.idle()
  }
  const before = await boxOf('normRelative')
  const middle = before.y + before.height / 2
  await dragged({ x: before.x + before.width - 1, y: middle }, before.x + before.width + 39)
  await expect
    .poll(async () => Math.abs((await boxOf('normRelative')).width - before.width - 40))
    .toBeLessThan(4)
  const wide = await boxOf('normRelative')
  const first = await boxOf('maxRelative')
  await dragged({ x: wide.x + 20, y: middle }, first.x + 8)
  await expect.poll(async () => (await boxOf('normRelative')).x).toBeLessThan((await boxOf('maxRelative')).x)
  await app.page.evaluate(() => window.plumbline.run('language-zh'))
  await app.idle()
  expect((await boxOf('normRelative')).width).toBeCloseTo(wide.width, 0)
  expect((await boxOf('normRelative')).x).toBeLessThan((await boxOf('maxRelative')).x)
})

test('keys reach the last row, which says its place among all; the state stays in view sideways', async ({
  start,
}) => {
  const app = await start({ paths: usualPair })
  const all = await rows(app)
  const grid = app.id(names.grid).getByRole('grid')
  await expect(grid).toHaveAttribute('aria-rowcount', String(all + 2))
  await grid.focus()
  await app.press('Control+End')
  const last = app.id(names.grid).locator(`[data-row="${all - 1}"]`)
  await expect(last).toHaveAttribute('aria-rowindex', String(all + 2))
  await expect(last).toHaveAttribute('aria-selected', 'true')
  await expect(last.locator('[col-id="state"]')).toBeInViewport({ ratio: 0.9 })
  await expect(app.id(names.grid).locator('#active-cell')).toBeInViewport({ ratio: 0.9 })
  await expect(grid).toHaveAttribute('aria-activedescendant', 'active-cell')
  await app.press('ArrowLeft', 'ArrowLeft')
  await expect(header(app, 'State')).toBeInViewport({ ratio: 0.9 })
  await last.locator('[col-id="state"]').click()
  await app.press('ArrowUp')
  await expect(app.id(names.grid).locator(`[data-row="${all - 2}"]`)).toHaveAttribute('aria-selected', 'true')
  await app.press('Control+Home', 'ArrowUp', 'Enter')
  await expect(app.id(names.grid).locator('.ag-header-cell#active-cell')).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await app.press('Tab')
  await expect(app.id(names.grid).getByLabel('Filter Debug name')).toBeFocused()
})

for (const [mode, pair, columns] of [
  ['tensor', [path.join(sample, 'debug'), path.join(sample, 'bench')], ['cosine', 'accuracy']],
  ['statistics', usualPair, ['maxRelative', 'result']],
  ['md5', [dump('ms_tr_w_qkv1_md5_mix'), dump('ms_tr_none_md5_mix')], ['debugMd5', 'result']],
  ['two frameworks', [dump('ms_tr_none_statistics_mix'), usualPair[1]], ['maxRelative', 'result']],
] as const)
  test(`of ${mode}: name, partner, error, what msprobe says and the state stand beside each other`, async ({
    start,
  }) => {
    const app = await start({ paths: pair })
    await app.resize(1520, 900)
    const right = async (column: string): Promise<number> => {
      const box = await app
        .id(names.grid)
        .locator(`.ag-header-cell[col-id="${column}"]`)
        .first()
        .boundingBox()
      return box ? box.x + box.width : Number.NaN
    }
    const state = await app.id(names.grid).locator('.ag-header-cell[col-id="state"]').first().boundingBox()
    for (const column of ['debugName', 'benchName', ...columns])
      expect.soft(await right(column), column).toBeLessThanOrEqual((state?.x ?? 0) + 1)
  })
