// A person looks at values over steps and ranks: gradients of two runs, then a training monitor.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root } from '../../.ci/electron.mjs'
import { say } from '../../preload/contract/words/index.ts'
import { dump, expect, test } from '../support/app.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { names } from '../support/names.ts'
import { pairWithGradients } from '../support/pair-with-gradients.ts'

const gradients = ['pt_lenet_w_conv2_L2', 'pt_lenet_none_L2'].map(name =>
  path.join(fixturesRoot(), 'grad', name),
)

test('gradients: what is suspect, by limits that can be changed, and its line over the steps', async ({
  start,
}) => {
  const app = await start({ paths: gradients })
  const map = app.id('series-map')
  await expect(map).toHaveAttribute('data-columns', '3')
  await expect(map).toHaveAttribute('data-rows', '13')
  const count = app.id('series-count')
  await expect(count).toHaveAttribute('data-count', '14')
  await app.id('series-limit-first').fill('0.4')
  await app.id('series-limit-first').press('Enter')
  await expect(count).toHaveAttribute('data-count', '11')
  await app.page.getByRole('button', { name: 'As usual' }).click()
  await expect(count).toHaveAttribute('data-count', '14')
  await app
    .id('series-suspects')
    .getByRole('button', { name: /network\.conv2\.bias/ })
    .first()
    .click()
  await expect(app.id('series-lines')).toHaveAttribute('data-lines', '1')
  await map.click({ position: { x: 300, y: 40 } })
  await expect(app.id('series-lines')).toHaveAttribute('data-lines', '2')
  await app.id('series-metric').click()
  await app.page.getByRole('menuitem', { name: 'gradients' }).click()
  await app.id('series-view').click()
  await app.page.getByRole('menuitem', { name: 'difference' }).click()
  await app.idle()
  await expect(map).toHaveAttribute('data-rows', '12')
  await expect(app.id('problem')).toHaveCount(0)
})

test('gradients that are dropped on a pair lead to the calls of the pair', async ({ start }) => {
  const { dumps, probes } = pairWithGradients()
  const app = await start({ paths: dumps })
  await app.drop(probes, app.id(names.toolbar))
  await expect(app.id('series')).toBeVisible()
  await app
    .id('series-suspects')
    .getByRole('button', { name: /network\.fc\.weight/ })
    .first()
    .click()
  await app.id('series-go').click()
  await app.idle()
  await expect(app.page.getByTestId('toolbar')).toContainText('step1')
  await expect(app.id(names.inspector)).toHaveAttribute(
    'data-node',
    'Module.network.fc.Linear.parameters_grad',
  )
})

test('a training monitor: ranks at a step, and one target over all ranks', async ({ start }) => {
  const app = await start({ paths: [path.join(fixturesRoot(), 'next', 'monitor', 'alerts_1_26', 'in')] })
  const map = app.id('series-map')
  await expect(map).toHaveAttribute('data-columns', '12')
  await app.id('series-fixed').click()
  await app.page.getByRole('menuitem', { name: 'ranks × targets' }).click()
  await expect(map).toHaveAttribute('data-columns', '2')
  await map.click({ position: { x: 300, y: 20 } })
  await expect(app.id('series-lines')).toHaveAttribute('data-lines', '1')
  await app.id('series-fixed').click()
  await app.page.getByRole('menuitem', { name: 'one target' }).click()
  await expect(map).toHaveAttribute('data-rows', '2')
})

test('two training logs: both runs on one plot, and the step to dump', async ({ start }) => {
  const logs = ['megatron_debug.log', 'megatron_bench.log'].map(name =>
    path.join(fixturesRoot(), 'series', name),
  )
  const app = await start({ paths: logs })
  await expect(app.id('series-lines')).toHaveAttribute('data-lines', '4')
  await expect(app.id('series-advice')).toContainText('dump backward of step 23 and forward of step 24')
  await app.id('series-pattern').fill(String.raw`iteration\s+(?<step>\d+)/.*lm loss: (?<loss>\S+)`)
  await app.id('series-pattern-take').click()
  await expect(app.id('series-map')).toHaveAttribute('data-rows', '1')
  await app.id('series-pattern').fill('no pattern')
  await app.id('series-pattern-take').click()
  await expect(app.page.getByText('is no pattern with a named group').first()).toBeVisible()
})

test('opened dumps of many steps and ranks: a statistic over time, and the way back to its call', async ({
  start,
}) => {
  const app = await start({ paths: [dump('ms_lenet_4ranks_fault'), dump('ms_lenet_4ranks_none')] })
  await app.id('rail-overtime').click()
  const map = app.id('series-map')
  await expect(map).toHaveAttribute('data-columns', '2')
  await app.id('series-search').fill('conv1')
  await expect.poll(async () => Number(await map.getAttribute('data-rows'))).toBeLessThan(60)
  await app.id('series-wide').click()
  const chosen = app.id(names.grid).locator('.ag-row[aria-selected="true"]')
  const clickAt = async (share: number): Promise<void> => {
    await app.idle()
    const width = await map.evaluate(canvas => canvas.clientWidth)
    await map.click({ position: { x: width * share, y: 20 } })
  }
  await expect.poll(() => map.evaluate(canvas => canvas.clientWidth)).toBeLessThan(500)
  await clickAt(0.8)
  await expect(app.id('series-lines')).toHaveAttribute('data-lines', '2')
  await app.idle()
  // The picture stays, and what it shows is chosen in the panes of that step and rank.
  await expect(chosen.first()).toContainText('conv1')
  await expect(map).toBeVisible()
  await app.id('series-fixed').click()
  await app.page.getByRole('menuitem', { name: 'ranks × targets' }).click()
  await expect(map).toHaveAttribute('data-columns', '4')
  await clickAt(0.9)
  await expect(app.id('series-go')).toContainText('rank 3')
  await expect(app.id('rank')).toContainText('3')
  await app.id('series-go').click()
  await expect(app.id('series')).toHaveCount(0)
  await expect(app.id('grid')).toBeVisible()
})

/** A database as msprobe's own tool would write it of a monitor. */
function trendDatabase(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-trend-'))
  const data = path.join(fixturesRoot(), 'next', 'database', 'monitor', 'data')
  execFileSync(process.execPath, [
    path.join(root, 'out/main/cli.js'),
    'data2db',
    '--db',
    folder,
    '--data',
    data,
  ])
  return path.join(folder, 'monitor_data.trend.db')
}

test('a trend database: targets by tag, a part of the picture, and how ranks share the model', async ({
  start,
}) => {
  const app = await start({ paths: [trendDatabase()] })
  const map = app.id('series-map')
  const rows = Number(await map.getAttribute('data-rows'))
  expect(rows).toBeGreaterThan(4)
  await app.id('series-tags').click()
  await app.page.getByRole('menuitem', { name: /layers\.0/ }).click()
  await app.page.keyboard.press('Escape')
  await expect.poll(async () => Number(await map.getAttribute('data-rows'))).toBeLessThan(rows)
  await app.id('series-unfilter').click()
  await expect(map).toHaveAttribute('data-rows', String(rows))
  const columns = Number(await map.getAttribute('data-columns'))
  const box = await map.boundingBox()
  if (!box) throw new Error('no picture')
  await app.page.mouse.move(box.x + box.width * 0.4, box.y + 5)
  await app.page.mouse.down()
  await app.page.mouse.move(box.x + box.width * 0.55, box.y + 25, { steps: 4 })
  await app.page.mouse.up()
  await expect.poll(async () => Number(await map.getAttribute('data-columns'))).toBeLessThan(columns)
  await app.id('series-unzoom').click()
  await expect(map).toHaveAttribute('data-columns', String(columns))
  await app.id('series-plan').click()
  await expect(app.id('series-plan-chart')).toBeVisible()
  await app.id('series-plan-order').fill('tp-pp')
  await app.id('series-plan-order').press('Enter')
  await expect(app.id('series-plan-wrong').or(app.id('series-plan-chart')).first()).toBeVisible()
  await expect(app.id('problem')).toHaveCount(0)
})

test('from a row of the table to its value over steps and ranks', async ({ start }) => {
  const app = await start({ paths: [dump('ms_lenet_4ranks_fault'), dump('ms_lenet_4ranks_none')] })
  await app
    .id(names.grid)
    .locator('[col-id="debugName"]')
    .filter({ hasText: 'forward.input.0' })
    .first()
    .click({ button: 'right' })
  await app.page.getByRole('menuitem', { name: say('en', 'series.of-item') }).click()
  await expect(app.id('series-map')).toHaveAttribute('data-rows', '4')
  await expect(app.id('series-lines')).toHaveAttribute('data-lines', '2')
})

test('what is odd among good files is said, and the rest is shown', async ({ start }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-odd-'))
  const write = (name: string, text: string): string => {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }
  const head = 'vpp_stage,name,step,norm\n'
  const run = 'run/Dec03_21-34-40-rank0-1a2b3c4d/grad_reduced_0-9.csv'
  // A second header with another column, texts for NaN, a last line that was cut; another run of the rank, and strays.
  write(run, `${head}0,w,0,1\n0,w,1,nan\nvpp_stage,name,step,min,norm\n0,w,2,-2,3\n0,w,3,-`)
  write('run/Dec04_09-00-00-rank0-99999999/grad_reduced_0-0.csv', `${head}0,w,0,2\n`)
  write('run/tensorboard/events.out', 'x')
  const app = await start({ paths: [path.join(folder, 'run')] })
  const map = app.id('series-map')
  await expect(map).toHaveAttribute('data-columns', '3')
  await app.id('series-metric').click()
  await expect(app.page.getByRole('menuitem')).toHaveCount(2)
  await app.page.keyboard.press('Escape')
  await app.drop([write('empty.trend.db', '')])
  await expect(app.page.getByText(/empty\.trend\.db/).first()).toBeVisible()
  await app.drop([path.join(folder, 'run')])
  await expect(map).toHaveAttribute('data-columns', '3')
})
