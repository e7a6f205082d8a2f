// A person starts the app, opens things in every way there is, and finds it again as it was left.
import { say } from '../../preload/contract/words/index.ts'
import { App, dump, expect, usualPair, test } from '../support/app.ts'
import { names } from '../support/names.ts'

const rowsOf = async (app: App): Promise<number> => Number(await app.id(names.grid).getAttribute('data-rows'))
const boxesOf = async (app: App, side: 'graphDebug' | 'graphBench'): Promise<number> =>
  Number(await app.id(names[side]).getAttribute('data-boxes'))

test('starts empty, with two places to drop and no complaints', async ({ start }) => {
  const app = await start()
  for (const id of [names.empty, names.dropDebug, names.dropBench, names.openSample])
    await expect(app.id(id)).toBeVisible()
  await expect(app.id(names.problem)).toHaveCount(0)
  await expect(app.id(names.grid)).toHaveCount(0)
  expect(await app.page.title()).toContain('Plumbline')
  expect(app.log()).not.toMatch(/ (?:warn|error) /)
})

test('opens the sample in one click: rows, both graphs, findings, values of tensors', async ({ start }) => {
  const app = await start()
  await app.id(names.openSample).click()
  await app.idle()
  expect(await rowsOf(app)).toBeGreaterThan(400)
  // A short name has no middle to cut.
  await expect(app.page.locator('.side-button .middle-cut')).toHaveCount(2)
  await expect(app.page.locator('.side-button .middle-cut-tail')).toHaveCount(0)
  await expect.poll(() => boxesOf(app, 'graphDebug')).toBeGreaterThan(3)
  await expect.poll(() => boxesOf(app, 'graphBench')).toBeGreaterThan(3)
  // The fault of the sample: one layer norm is called with another epsilon.
  await expect(app.id(names.advisor)).toContainText('post_attention_norm')
  await expect(app.page.getByTestId('headline').locator('.card-sub')).toHaveText(
    say('en', 'finding-kind.argument'),
  )
  await app.page.getByRole('tab', { name: say('en', 'inspector.values') }).click()
  await app.idle()
  await expect(app.id(names.inspector).getByText(say('en', 'values.histogram'))).toBeVisible()
  await expect(app.id(names.problem)).toHaveCount(0)
})

test('takes a real drop of two folders', async ({ start }) => {
  const app = await start()
  await app.drop([dump('pt_lenet_w_conv2_statistics_mix'), dump('pt_lenet_none_statistics_mix')])
  expect(await rowsOf(app)).toBeGreaterThan(50)
  await expect.poll(() => boxesOf(app, 'graphDebug')).toBeGreaterThan(1)
  await expect(app.id(names.modeBadge)).toBeVisible()
})

test('takes one folder after the other, each on its side', async ({ start }) => {
  const app = await start()
  await app.drop([dump('pt_lenet_w_conv2_statistics_mix')], app.id(names.dropDebug))
  await app.drop([dump('pt_lenet_none_statistics_mix')], app.id(names.dropBench))
  expect(await rowsOf(app)).toBeGreaterThan(50)
})

test('asks for folders with the system dialog', async ({ start }) => {
  const app = await start()
  await app.answerDialogs([])
  await app.menu('open')
  await expect(app.id(names.empty)).toBeVisible()
  await app.answerDialogs(usualPair)
  await app.menu('open')
  expect(await rowsOf(app)).toBeGreaterThan(400)
})

test('opens what the command line names, and what a second start names', async ({ start }) => {
  const app = await start({
    paths: [dump('pt_lenet_w_conv2_statistics_mix'), dump('pt_lenet_none_statistics_mix')],
  })
  const rows = await rowsOf(app)
  expect(rows).toBeGreaterThan(50)
  const second = await app.startAgain(usualPair)
  expect(second).toBe(0)
  await expect.poll(() => rowsOf(app)).toBeGreaterThan(rows)
})

test('remembers pairs, size, theme and language', async ({ start }) => {
  const first = await start({ paths: usualPair })
  await first.resize(1200, 700)
  const { data } = first
  await first.close()

  const second = await start({ data })
  expect(await second.page.evaluate(() => innerWidth)).toBe(1200)
  await second.id(names.recent).getByRole('button').first().click()
  await second.idle()
  expect(await rowsOf(second)).toBeGreaterThan(400)
})
