// One selection for the whole window.
import { dump, expect, usualPair, test } from '../support/app.ts'
import { names } from '../support/names.ts'

test('a row of the grid selects its node in both graphs and in the inspector', async ({ start }) => {
  const app = await start({ paths: usualPair })
  const cell = app
    .id(names.grid)
    .getByRole('gridcell', { name: /linear/i })
    .first()
  await cell.hover()
  const name = await cell.getAttribute('title')
  await cell.click()
  await app.idle()
  const node = (await app.id(names.inspector).getAttribute('data-node')) ?? ''
  expect(node).not.toBe('')
  expect(name).toContain(node)
  await expect(app.id(names.graphDebug)).toHaveAttribute('data-selected', /./)
  await expect(app.id(names.graphBench)).toHaveAttribute('data-selected', /./)
})

test('back and forward walk over what was selected', async ({ start }) => {
  const app = await start({ paths: usualPair })
  const node = (): Promise<string | null> => app.id(names.inspector).getAttribute('data-node')
  await app.menu('first-failing')
  const first = await node()
  await app.press('F8')
  const second = await node()
  expect(second).not.toBe(first)
  await app.press('Alt+ArrowLeft')
  expect(await node()).toBe(first)
  await app.press('Alt+ArrowRight')
  expect(await node()).toBe(second)
})

test('no message between window and engine is larger than a megabyte', async ({ start }) => {
  const app = await start({
    paths: [dump('pt_tr_extra_layer_statistics_mix'), dump('pt_tr_none_statistics_mix')],
  })
  for (const step of ['first-failing', 'next-problem', 'expand-failing', 'show-failing', 'graph-fit'])
    await app.page
      .evaluate(id => (window as unknown as { plumbline: { run(id: string): void } }).plumbline.run(id), step)
      .then(() => app.idle())
  const meter = await app.page.evaluate(() => window.plumbline.meter())
  expect(Object.keys(meter).length).toBeGreaterThan(5)
  expect(Object.entries(meter).filter(([, { largest }]) => largest > 2 ** 20)).toEqual([])
})
