// A person drops a run of TensorFlow on an NPU: the first failing operator, the graph's own words, overflows, runs.
import path from 'node:path'
import { say } from '../../preload/contract/words/index.ts'
import { App, expect, scratch, test } from '../support/app.ts'
import { names } from '../support/names.ts'
import { drawRun } from '../support/tensorflow-tree.ts'

const run = path.join(import.meta.dirname, '../fixtures/tf/net/precision_data')
const boxesOf = async (app: App, side: 'graphDebug' | 'graphBench'): Promise<number> =>
  Number(await app.id(names[side]).getAttribute('data-boxes'))

test('a dropped run shows both graphs and leads to the first failing operator, with what the graph knows of it', async ({
  start,
}) => {
  const app = await start()
  await app.drop([run])
  await expect.poll(() => boxesOf(app, 'graphDebug')).toBeGreaterThan(5)
  await expect.poll(() => boxesOf(app, 'graphBench')).toBeGreaterThan(5)
  await expect(app.id(names.modeBadge)).toContainText('CANN → TensorFlow')
  await expect(app.page.getByTestId('headline')).toContainText('LeNet/fc/MatMul')
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', 'LeNet/fc/MatMul')
  const facts = app.page.getByTestId('inspector-facts')
  await expect(facts).toContainText('MatMulV2')
  await expect(facts).toContainText('ge_proto_00000012_Build.txt')
  await expect(app.id(names.inspector)).toContainText('FRACTAL_NZ')
  await app.page.getByRole('tab', { name: say('en', 'inspector.values') }).click()
  await app.idle()
  await expect(app.id(names.inspector).getByText(say('en', 'values.histogram'))).toBeVisible()
  await app.page.getByRole('tab', { name: say('en', 'inspector.raw') }).click()
  await app.idle()
  await expect(app.id(names.inspector).locator('pre')).toContainText('type: "MatMulV2"')
})

test('overflows that the device recorded are listed in their order, in words', async ({ start }) => {
  const app = await start()
  await app.drop([run])
  const listed = app.page.getByTestId('overflows').getByRole('listitem')
  await expect(listed).toHaveCount(2)
  await expect(listed.first()).toContainText('LeNet/loss/mul')
  await expect(listed.first()).toContainText(say('en', 'overflow.half', { bit: 8 }))
})

test('dumps of overflow detection open by themselves: a record leads to its operator', async ({ start }) => {
  const app = await start()
  await app.drop([path.join(run, 'overflow')])
  await app.page.getByTestId('overflows').getByRole('button', { name: 'LeNet/loss/AddN' }).click()
  await app.idle()
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', 'LeNet/loss/AddN')
  await expect(app.page.getByTestId('inspector-facts')).toContainText('AIC 0x20')
})

test('several graphs, steps and devices are chosen in the toolbar', async ({ start }) => {
  const wrong = { op: 'train_2/block1/BiasAdd', step: 5, device: 1 }
  const app = await start()
  await app.drop([
    drawRun(scratch(), { graphs: ['train_1', 'train_2'], blocks: 3, steps: [0, 5], devices: [0, 1], wrong }),
  ])
  await app.page.getByTestId('run').click()
  await app.page.getByRole('menuitem', { name: /train_2/ }).click()
  await app.idle()
  await app.page.getByTestId('step').click()
  await app.page.getByRole('menuitem', { name: /step 5/ }).click()
  await app.idle()
  await app.page.getByTestId('rank').click()
  await app.page.getByRole('menuitem', { name: /rank 1/ }).click()
  await app.idle()
  await expect(app.page.getByTestId('headline')).toContainText('train_2/block1/BiasAdd')
})

test('an operator is found by its type and its fusion pass, and the list says by which', async ({
  start,
}) => {
  const app = await start()
  await app.drop([run])
  const hits = app.page.getByRole('option')
  await app.id(names.search).fill('type:matmul')
  await expect(hits.first()).toContainText('LeNet/fc/MatMul')
  await expect(hits.first()).toContainText('MatMulV2')
  await app.id(names.search).fill('tbeconvrelu')
  await expect(hits.first()).toContainText(say('en', 'search.what.pass'))
})
