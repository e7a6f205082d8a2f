// The node where the error enters is marked wherever it appears, and walking leads to rows that differ.
import { say } from '../../preload/contract/words/index.ts'
import { dump, expect, usualPair, test, type App } from '../support/app.ts'
import { names } from '../support/names.ts'

const run = async (app: App, id: string): Promise<void> => {
  await app.page.evaluate(command => window.plumbline.run(command), id)
  await app.idle()
}
const selected = (app: App): Promise<string | null> => app.id(names.graphDebug).getAttribute('data-selected')
const flagged = (app: App): Promise<string | null> => app.id(names.graphDebug).getAttribute('data-origin')
const chosenState = (app: App): Promise<string> =>
  app.id(names.grid).locator('.ag-row[aria-selected="true"] [col-id="state"]').innerText()

test('the origin has its flag in graph, strip, list and table, whatever the colours show', async ({
  start,
}) => {
  const app = await start({ paths: [dump('ms_tr_ln_eps_tensor_mix'), dump('ms_tr_none_tensor_mix')] })
  const culprit = 'Primitive.layer_norm.LayerNorm.1.forward'
  const origin = say('en', 'graph.origin')
  await expect(app.id('headline')).toHaveAttribute('data-node', culprit)
  for (const colours of ['colours-error', 'colours-msprobe']) {
    await run(app, colours)
    expect(await flagged(app)).toBe(culprit)
    expect(Number(await app.id('minimap-debug').getAttribute('data-origin'))).toBeGreaterThan(0)
    await expect(app.id(names.graphDebug).getByRole('treeitem')).toContainText(origin)
    await expect(app.id(names.grid).locator('.row-origin')).toContainText('LayerNorm.1.forward.output.0')
  }
  await run(app, 'panel-nodes')
  const entry = app.id('nodes').getByRole('option', { name: origin })
  await expect(entry).toHaveCount(1)
  await expect(entry).toContainText('layer_norm.LayerNorm.1')
  // A closed box that holds it has the flag in its stead.
  await run(app, 'close-all')
  expect(await flagged(app)).not.toBe(culprit)
  expect(await flagged(app)).toMatch(/TransformerModel/)
})

test('the first step leads to the origin and to its row that differs', async ({ start }) => {
  const app = await start({ paths: usualPair })
  const node = await app.id('headline').getAttribute('data-node')
  await app.menu('next-problem')
  await app.menu('next-problem')
  expect(await selected(app)).not.toBe(node)
  await app.menu('first-failing')
  expect(await selected(app)).toBe(node)
  expect(await chosenState(app)).toContain(say('en', 'state.differs'))
})

test('a call that only one side makes is shown by a row of its own', async ({ start }) => {
  const app = await start({
    paths: [dump('pt_tr_extra_layer_statistics_mix'), dump('pt_tr_none_statistics_mix')],
  })
  const node = (await app.id('headline').getAttribute('data-node')) ?? ''
  await app.menu('first-failing')
  expect(await selected(app)).toBe(node)
  expect(await chosenState(app)).toContain(say('en', 'state.unpaired'))
  const flags = app.id(names.grid).locator('.row-origin [col-id="debugName"]')
  // Names are cut at dots where they have no room; their ends stay.
  const called = (text: string): string =>
    text.replaceAll(/[\u200e…]/g, '').replace(/\.(?:input|output|kwargs).*$/, '')
  for (const text of await flags.allInnerTexts()) expect(node).toContain(called(text))
})

test('walking comes to calls before the modules around them, each time to a row that differs', async ({
  start,
}) => {
  const app = await start({ paths: usualPair })
  await app.menu('first-failing')
  const call = await selected(app)
  await app.menu('next-problem')
  const module = await selected(app)
  expect(call).toMatch(/^Functional\.linear/)
  expect(module).toMatch(/query_key_value\.Linear\.forward/)
  for (let step = 0; step < 4; step++) {
    expect(await chosenState(app)).toContain(say('en', 'state.differs'))
    await app.menu('next-problem')
  }
})

test('a tip says how far the rows of a node are off and how many differ', async ({ start }) => {
  const app = await start({ paths: usualPair })
  await app.menu('first-failing')
  await expect(app.id(names.graphDebug).getByRole('treeitem')).toContainText(
    /largest error [\d.]+% of the range, 2 of 4 rows differ, arrived [\d.]+, made here [\d.]+/,
  )
})
