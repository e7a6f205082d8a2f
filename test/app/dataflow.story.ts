// The dataflow view, and the way to communication peers in other ranks.
import { dump, expect, usualPair, test, type App } from '../support/app.ts'
import { names } from '../support/names.ts'

const flow = (app: App, side: 'debug' | 'bench') => app.id(`flow-${side}`)

test('dataflow is drawn around the selection and inside modules, by key, by arrows and by double click', async ({
  start,
}) => {
  const app = await start({ paths: usualPair })
  const node = await app.id(names.inspector).getAttribute('data-node')
  await app.id(names.graphDebug).focus()
  await app.press('v')
  await expect(flow(app, 'debug')).toHaveAttribute('data-focus', node ?? '')
  await expect(flow(app, 'bench')).toBeVisible()
  await expect(flow(app, 'debug').locator('text').filter({ hasText: /^\[\d/ }).first()).toBeVisible()
  const near = Number(await flow(app, 'debug').getAttribute('data-boxes'))
  await app.id('reach-3').click()
  await app.idle()
  expect(Number(await flow(app, 'debug').getAttribute('data-boxes'))).toBeGreaterThan(near)

  // A step along a line selects everywhere and leaves the drawing as it is.
  await flow(app, 'debug').focus()
  await app.press('ArrowUp')
  const writer = await app.id(names.inspector).getAttribute('data-node')
  expect(writer).not.toBe(node)
  await expect(flow(app, 'debug')).toHaveAttribute('data-focus', node ?? '')
  await app.press('Enter')
  await expect(flow(app, 'debug')).toHaveAttribute('data-focus', writer ?? '')

  // Inside the enclosing module: more calls, and the same on the other side.
  await app.page
    .getByRole('navigation', { name: 'Enclosing nodes' })
    .first()
    .getByRole('button')
    .last()
    .click()
  await app.idle()
  await expect(flow(app, 'debug')).toHaveAttribute('data-focus', /Module\./)
  expect(await flow(app, 'debug').getAttribute('data-boxes')).toBe(
    await flow(app, 'bench').getAttribute('data-boxes'),
  )
  await app.press('v')
  await expect(app.id(names.graphDebug)).toBeVisible()
})

test('without a selection the way of the error is drawn, its tensors coloured by how far they are off', async ({
  start,
}) => {
  const app = await start({ paths: usualPair })
  const origin = await app.id(names.inspector).getAttribute('data-node')
  await app.page.evaluate(() => window.plumbline.run('clear'))
  await app.page.evaluate(() => window.plumbline.run('graph-view'))
  await app.idle()
  await expect(flow(app, 'debug')).toHaveAttribute('data-focus', '')
  const boxes = flow(app, 'debug').getByRole('option')
  await expect(boxes.first()).toHaveAccessibleName(new RegExp(origin?.replace('.forward', '') ?? 'none'))
  expect(await boxes.count()).toBeGreaterThan(2)
  const lines = flow(app, 'debug').locator('.flow-edge')
  const classes = await lines.evaluateAll(all => all.map(line => line.getAttribute('class') ?? ''))
  expect(classes.length).toBeGreaterThan(1)
  expect(classes.filter(name => !/ e[1-5] /.test(name))).toEqual([])
  await expect(lines.first().locator('title')).toContainText('%')
  await boxes.nth(1).click()
  await app.idle()
  await expect(flow(app, 'debug')).toHaveAttribute('data-focus', '')
})

test('the legend says that edges are inferred and takes no room from the drawings', async ({ start }) => {
  const app = await start({ paths: usualPair })
  await app.page.evaluate(() => window.plumbline.run('graph-view'))
  await app.idle()
  const legend = app.page.getByRole('group', { name: /Colours/ })
  await expect(legend).toContainText('inferred from equal data')
  const [below, drawing] = [await legend.boundingBox(), await flow(app, 'debug').boundingBox()]
  expect(below?.y).toBeGreaterThanOrEqual((drawing?.y ?? Infinity) + (drawing?.height ?? 0) - 1)
})

test('a collective leads to the same call of another rank, and back', async ({ start }) => {
  const app = await start({ paths: [dump('pt_tp_4ranks_rank2_w'), dump('pt_tp_4ranks_none')] })
  for (const rank of ['1', '0']) {
    await app.page.evaluate(() => window.plumbline.run('previous-unit'))
    await expect(app.id('rank')).toContainText(rank)
  }
  await app.idle()
  await app.press('Control+f')
  await app.type('Distributed.all_reduce.3.forward')
  await expect(app.page.getByRole('option').first()).toContainText('all_reduce.3')
  await app.press('Enter', 'Escape')
  const ranks = app.id('peers-send_receive').getByRole('button')
  await expect(ranks).toHaveCount(3)
  await ranks.filter({ hasText: 'rank 2' }).click()
  await app.idle()
  await expect(app.id('rank')).toContainText('2')
  expect(await app.id(names.inspector).getAttribute('data-node')).toBe('Distributed.all_reduce.3.forward')
  await app.press('Alt+ArrowLeft')
  await expect(app.id('rank')).toContainText('0')
  await app.page.evaluate(() => window.plumbline.run('peer'))
  await app.idle()
  await expect(app.id('rank')).toContainText('1')
})
