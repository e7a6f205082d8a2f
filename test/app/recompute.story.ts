// A person asks of calls whether the operation is wrong or only its input.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { say } from '../../preload/contract/words/index.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { dump, expect, scratch, test, type App } from '../support/app.ts'
import { names } from '../support/names.ts'

const part = (name: string): string => path.join(fixturesRoot(), 'next', 'recompute', name)
const wrongPair = [part('wrong'), part('calls')] as [string, string]
const weights = [dump('pt_lenet_w_conv2_tensor_mix'), dump('pt_lenet_none_tensor_mix')] as [string, string]

const rows = async (app: App): Promise<number> => Number(await app.id(names.grid).getAttribute('data-rows'))
const run = (app: App, id: string): Promise<void> =>
  app.page.evaluate(command => window.plumbline.run(command), id)

test('the headline says whose fault it is, as soon as that is known', async ({ start }) => {
  const app = await start({ paths: weights })
  await expect(app.id('headline-recomputed')).toHaveAttribute('data-state', 'inputs')
  await expect(app.id('headline-recomputed')).toContainText(say('en', 'recompute.answer.inputs'))
  await run(app, 'language-zh')
  await expect(app.id('headline-recomputed')).toContainText(say('zh', 'recompute.answer.inputs'))
})

test('all calls are recomputed; a column says so and a filter leaves those that are wrong', async ({
  start,
}) => {
  const app = await start({ paths: wrongPair })
  await expect(app.id('headline-recomputed')).toHaveAttribute('data-state', 'debugWrong')
  const all = await rows(app)
  await run(app, 'recompute-all')
  await app.idle()
  await expect(app.id(names.grid).getByRole('columnheader', { name: 'Recomputed' })).toBeVisible()
  await app.id('chip-recomputed').click()
  await app.page.getByRole('menuitem', { name: /^debug wrong/ }).click()
  await app.idle()
  await expect.poll(() => rows(app)).toBeLessThan(all)
  expect(await rows(app)).toBeGreaterThan(30)
  const cell = app.id(names.grid).locator('[data-row="0"] [col-id="recomputed"]')
  await expect(cell).toHaveText('debug wrong')
  await app.id(names.grid).locator('[data-row="0"] [col-id="debugName"]').click()
  await run(app, 'tab-recompute')
  await app.idle()
  await expect(app.id('recomputed-call').first()).toHaveAttribute('data-state', 'debugWrong')
  await run(app, 'clear-filters')
  await expect.poll(() => rows(app)).toBe(all)
})

test('one call is recomputed in the inspector, and written down as a script with its data', async ({
  start,
}) => {
  const app = await start({ paths: [part('wrong')] })
  await app.id('quick').fill('layer_norm.0.forward')
  await app.idle()
  await app.id(names.grid).locator('[data-row="0"] [col-id="debugName"]').click()
  await run(app, 'tab-recompute')
  await app.idle()
  await app.id('recompute-run').click()
  await app.idle()
  await expect(app.id('recomputed-call').first()).toHaveAttribute('data-state', 'wrong')
  await expect(app.id('recomputed-call').first()).toContainText('3,100 times its bound')
  const folder = scratch()
  await app.answerDialogs([folder])
  await app.id('repro-debug').click()
  await app.idle()
  const script = path.join(folder, 'Functional.layer_norm.0', 'repro.py')
  await expect.poll(() => existsSync(script)).toBe(true)
  expect(readFileSync(script, 'utf8')).toContain('torch.nn.functional.layer_norm(load("input.0.npy"')
})

test('a module is recomputed by the calls in it, from the menu of a row too', async ({ start }) => {
  const app = await start({ paths: weights })
  await app.id('quick').fill('Functional.conv2d.1.forward.output')
  await app.idle()
  await app.id(names.grid).locator('[data-row="0"] [col-id="debugName"]').click({ button: 'right' })
  await app.page.getByRole('menuitem', { name: say('en', 'command.recompute'), exact: true }).click()
  await app.idle()
  const state = app.id(names.grid).locator('[data-row="0"] [col-id="recomputed"]')
  await expect(state).toHaveText('inputs differ')
  // With a lower limit the call is too large.
  await run(app, 'thresholds')
  await app.page.getByLabel(say('en', 'thresholds.recomputeLimit')).fill('10')
  await app.page.getByRole('button', { name: say('en', 'frame.done') }).click()
  await run(app, 'recompute-all')
  await app.idle()
  await expect(state).toHaveText('not computed')
})

test('recomputing can be stopped, and what was computed by then stays', async ({ start }) => {
  const app = await start({ paths: wrongPair })
  await run(app, 'recompute-all')
  await run(app, 'recompute-stop')
  await app.idle()
  // It can be asked for again, and comes to its end.
  await run(app, 'recompute-all')
  await app.idle()
  await expect(app.id('chip-recomputed')).toBeVisible()
  await app.id('chip-recomputed').click()
  await expect(app.page.getByRole('menuitem', { name: /^debug wrong/ })).toBeVisible()
})

test('a whole module is recomputed by its calls, which are listed', async ({ start }) => {
  const app = await start({ paths: weights })
  await app.id('quick').fill('Module.network.conv2.Conv2d.forward.0.output')
  await app.idle()
  await app.id(names.grid).locator('[data-row="0"] [col-id="debugName"]').click()
  await run(app, 'tab-recompute')
  await app.idle()
  await app.id('recompute-run').click()
  await app.idle()
  await expect(app.id('recomputed-call').first()).toHaveAttribute('data-state', /^(?:equal|rounding|inputs)$/)
})

test('what was recomputed stands in every report', async ({ start }) => {
  const app = await start({ paths: weights })
  await expect(app.id('headline-recomputed')).toHaveAttribute('data-state', 'inputs')
  await run(app, 'recompute-all')
  await app.idle()
  const folder = scratch()
  await app.answerDialogs([folder])
  for (const format of ['csv', 'html'] as const) {
    await app.press('Control+e')
    await app.id(`export-${format}`).click()
    await expect(app.id('notice')).toContainText('Saved')
    await app.idle()
  }
  const text = (ending: string): string =>
    readFileSync(path.join(folder, readdirSync(folder).find(name => name.endsWith(ending)) ?? ''), 'utf8')
  const [titles = '', ...rows] = text('.csv').split('\n')
  expect(titles.trim().endsWith('Recomputed')).toBe(true)
  expect(rows.some(row => row.trim().endsWith(say('en', 'recompute.state.inputs')))).toBe(true)
  expect(text('.html')).toContain(say('en', 'recompute.answer.inputs'))
})
