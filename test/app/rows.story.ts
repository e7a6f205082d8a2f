// Rows and items: our state with what decided it, msprobe's answer beside it, gradients at their node.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { root } from '../../.ci/electron.mjs'
import { dump, expect, test, type App } from '../support/app.ts'
import { names } from '../support/names.ts'

const sample = path.join(root, 'resources/sample')
const samplePair = readdirSync(sample)
  .toSorted()
  .map(side => path.join(sample, side))

const lenet = [dump('pt_lenet_w_conv2_tensor_mix'), dump('pt_lenet_none_tensor_mix')]

const misc = [dump('pt_misc_mul-bf-nanpos-zero-one-bool_tensor_L1'), dump('pt_misc_none_tensor_L1')]

const cell = (app: App, column: string) => app.id(names.grid).locator(`[data-row="0"] [col-id="${column}"]`)

async function find(app: App, text: string): Promise<void> {
  await app.id('quick').fill(text)
  await expect(cell(app, 'debugName')).toContainText(text.slice(-8))
  await app.idle()
}

test('what msprobe calls reached may differ: both answers stand side by side, and the tip says why', async ({
  start,
}) => {
  const app = await start({ paths: samplePair })
  await find(app, 'layer_norm.1.forward.output.0')
  await expect(app.page.locator('.grid-count')).toHaveText(/^1 row\b/)
  await expect(cell(app, 'state')).toContainText('differs')
  await expect(cell(app, 'accuracy')).toHaveText('Yes')
  await cell(app, 'state').hover()
  await expect(cell(app, 'state')).toHaveAttribute('title', /^Largest error: .* → differs/)
  await cell(app, 'debugName').click()
  await app.idle()
  await expect(
    app
      .id(names.inspector)
      .getByText(/^Largest error: .* → differs/)
      .first(),
  ).toBeVisible()
})

test('a row of gradients shows its own tensor, at the call of its module', async ({ start }) => {
  const app = await start({ paths: lenet })
  await find(app, 'parameters_grad.weight')
  await cell(app, 'debugName').click()
  await app.idle()
  const inspector = app.id(names.inspector)
  await expect(inspector).toHaveAttribute('data-node', /\.backward\.\d$/)
  await expect(inspector.getByRole('heading', { name: 'Gradients of parameters' })).toBeVisible()
  await app.page.getByRole('tab', { name: 'Values' }).click()
  await app.idle()
  await expect(inspector.locator('.values-head .value')).toHaveText('parameters_grad.weight')
  await app.id('quick').fill('')
  await app.id('chip-node').click()
  await app.idle()
  await expect(
    app
      .id(names.grid)
      .getByRole('gridcell', { name: /parameters_grad\.weight$/ })
      .first(),
  ).toBeVisible()
})

test('msprobe tints rows only while its reason can be read', async ({ start }) => {
  const app = await start({ paths: samplePair })
  await app.id('chip-highlighted').click()
  await app.idle()
  const holder = app.page.locator('.table-holder')
  await app.resize(1920, 1000)
  await expect(holder).toHaveClass(/why-in-view/)
  await app.resize(1100, 800)
  await expect(holder).not.toHaveClass(/why-in-view/)
})

test('names are cut at dots and begin at one edge', async ({ start }) => {
  const app = await start({ paths: lenet })
  await find(app, 'parameters_grad.weight')
  const shown = await app.id(names.grid).locator('[data-row] [col-id="debugName"]').allInnerTexts()
  expect(shown.some(name => name.startsWith('…'))).toBe(true)
  for (const name of shown) expect(name).toMatch(/^…?[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)+$/)
  const width = await app.page.evaluate(() => innerWidth)
  await app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(2),
  )
  await expect.poll(() => app.page.evaluate(() => innerWidth)).toBeLessThan(width * 0.6)
  await app.idle()
  for (const name of await app.id(names.grid).locator('[data-row] [col-id="debugName"]').allInnerTexts())
    expect(name).toMatch(/(?:^|…|\.)parameters_grad\.weight$/)
})

test('what has no partner is counted once, by side', async ({ start }) => {
  const app = await start({ paths: misc })
  const [debug = ''] = (await app.id('chip-unpaired').innerText()).match(/\d+/) ?? []
  await expect(app.id('status')).toContainText(new RegExp(`${debug} debug \\+ \\d+ bench without partner`))
  await app.id('chip-unpaired').click()
  await expect(app.id(names.grid)).toHaveAttribute('data-rows', debug)
})

test('in Chinese msprobe speaks Chinese, and copies keep its words', async ({ start }) => {
  const app = await start({ paths: misc })
  await app.resize(1920, 1000)
  await app.page.evaluate(() => window.plumbline.run('language-zh'))
  await app.idle()
  const texts = await app
    .id(names.grid)
    .locator('[data-row] [col-id="message"], [data-row] [col-id="accuracy"]')
    .allInnerTexts()
  for (const text of texts) expect(text).not.toMatch(/\b(?:Yes|No|data|tensor|matched)\b/)
})

test('the dialog shows what msprobe calls reached, as its own', async ({ start }) => {
  const app = await start({ paths: samplePair })
  await app.page.evaluate(() => window.plumbline.run('thresholds'))
  await expect(app.id('reached-limits')).toContainText('cosine below 0.9, or MaxAbsErr above 1')
  await expect(app.id('reached-limits').getByRole('textbox')).toHaveCount(0)
})
