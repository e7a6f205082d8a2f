// A person drops a run of TensorFlow on an NPU: the first failing operator, the graph's own words, overflows, runs.
import { cpSync } from 'node:fs'
import path from 'node:path'
import { say } from '../../preload/contract/words/index.ts'
import { App, expect, scratch, test } from '../support/app.ts'
import { names } from '../support/names.ts'
import { drawSliced } from '../support/sliced-run.ts'
import { drawRun } from '../support/tensorflow-tree.ts'
import { drawZoo, unreadable } from '../support/tensorflow-zoo.ts'

const run = path.join(import.meta.dirname, '../fixtures/tf/net/precision_data')
const small = { graphs: ['net'], blocks: 3, steps: [0], devices: [0] }
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

test('the newest run is looked at first, and the overview leads to an older one that went wrong', async ({
  start,
}) => {
  const times = ['20210510101133', '20210601000000']
  const wrong = { op: 'net/block1/BiasAdd', step: 0, device: 0, time: times[0] ?? '' }
  const app = await start()
  await app.drop([drawRun(scratch(), { ...small, times, wrong })])
  const overall = app.id(names.overall)
  await expect(overall).toContainText('20210510101133')
  await expect(overall).toContainText('20210601000000')
  await app.idle()
  const run = app.page.getByTestId('run')
  await expect(run).toContainText('20210601000000')
  await overall.getByRole('button').click()
  await app.idle()
  await expect(run).toContainText('20210510101133')
  await expect(app.page.getByTestId('headline')).toContainText('net/block1/BiasAdd')
  await run.click()
  await app.page.getByRole('menuitem', { name: /20210601000000/ }).click()
  await expect(run).toContainText('20210601000000')
})

test('edges of control are dashed in the dataflow, and listed apart from what is read', async ({ start }) => {
  const app = await start()
  await app.drop([drawRun(scratch(), { ...small, waits: true })])
  await app.id(names.search).fill('type:noop')
  await app.page.getByRole('option').first().click()
  await app.idle()
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', 'net/done')
  const listed = app.page.getByTestId('inspector-controls')
  await expect(listed.getByRole('listitem')).toHaveText([
    /block0\/Relu/,
    /block1\/Relu/,
    /block2\/Relu/,
    /net\/after/,
  ])
  await app.page.evaluate(() => window.plumbline.run('graph-view'))
  await app.idle()
  await expect(app.id('flow-debug')).toHaveAttribute('data-controls', '4')
  const dashes = app.id('flow-debug').locator('.flow-edge.control path').first()
  await expect(dashes).toHaveCSS('stroke-dasharray', /7/)
  await expect(app.page.getByText(say('en', 'flow.control'))).toBeVisible()
  await listed.getByRole('button', { name: /after/ }).click()
  await app.idle()
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', 'net/after')
})

test('what the device recorded is marked in the graph, said in words, and gone to one by one', async ({
  start,
}) => {
  const app = await start()
  const overflowed = ['net/block1/Relu', 'net/block0/MatMul']
  await app.drop([drawRun(scratch(), { ...small, overflowed })])
  const graph = app.id(names.graphDebug)
  await expect(graph).toHaveAttribute('data-overflowed', /./)
  const next = app.page.getByTestId('legend-overflowed').getByRole('button')
  for (const node of [...overflowed, overflowed[0]]) {
    await next.click()
    await app.idle()
    await expect(app.id(names.inspector)).toHaveAttribute('data-node', node ?? '')
    await expect.poll(() => graph.getAttribute('data-overflowed')).toContain(node)
  }
  await expect(graph.getByRole('treeitem')).toContainText(say('en', 'overflow.float', { bit: 5 }))
  await expect(graph.getByRole('treeitem')).toContainText(/1/)
})

test('the changes to a script are there to copy, with the folder of the run in them', async ({ start }) => {
  const app = await start()
  await app.drop([run])
  await app.id('rail-script').click()
  const panel = app.page.getByTestId('script')
  const folder = panel.getByRole('textbox', { name: say('en', 'script.folder') })
  await expect(folder).toHaveValue(run)
  await panel.getByRole('button', { name: say('en', 'script.kind.fusion') }).click()
  const piece = panel.getByRole('region', { name: say('en', 'tf.snippet.fusion.estimator') })
  await expect(piece.locator('pre')).toContainText(run)
  await folder.fill('/mnt/next/precision_data')
  await app.idle()
  await piece.getByRole('button', { name: say('en', 'script.copy') }).click()
  const copied = (): Promise<string> => app.electron.evaluate(({ clipboard }) => clipboard.readText())
  await expect.poll(copied).toContain('"/mnt/next/precision_data/fusion_switch.cfg"')
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

test('a large run of every type and layout opens where it goes wrong; what cannot be read says why', async ({
  start,
}) => {
  const app = await start()
  const ops = 62
  await app.drop([drawZoo(scratch(), { ops, graphs: 2, steps: 1, devices: 2, wrongFrom: 33 })])
  await expect(app.page.getByTestId('headline')).toContainText('net1/stage1/block6/op33')
  await expect(app.page.getByTestId('rank')).toContainText('1')
  await expect.poll(() => boxesOf(app, 'graphDebug')).toBeGreaterThan(5)
  const [blind] = unreadable(ops).slice(-1)
  await app.id(names.search).fill(`op${blind}`)
  await app.page.getByRole('option').first().click()
  await app.idle()
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', new RegExp(`op${blind}$`))
  await app.page.getByRole('tab', { name: say('en', 'inspector.values') }).click()
  await app.idle()
  const one = { side: 'debug', dtype: 'dual_sub_int8', other: 'bench' }
  await expect(app.id(names.inspector)).toContainText(say('en', 'values.one-side', one))
})

test('decoded arrays in place of dumps lead to the same operator', async ({ start }) => {
  const app = await start()
  const net = path.join(run, '..')
  await app.drop([
    path.join(net, '../expected/decode'),
    path.join(run, 'tf/dump'),
    path.join(run, 'npu/debug_0/graph'),
  ])
  await expect(app.page.getByTestId('headline')).toContainText('LeNet/fc/MatMul')
  await app.page.getByRole('tab', { name: say('en', 'inspector.values') }).click()
  await app.idle()
  await expect(app.id(names.inspector).getByText(say('en', 'values.histogram'))).toBeVisible()
})

test('parts of a run that are dropped one by one make the run, in any order', async ({ start }) => {
  const parts = scratch()
  const from = path.join(run, 'npu/debug_0')
  cpSync(path.join(from, 'graph'), path.join(parts, 'graphs'), { recursive: true })
  cpSync(path.join(from, 'dump/20210510101133/0/ge_default_20210510101134_1/1/0'), path.join(parts, 'npu'), {
    recursive: true,
  })
  cpSync(path.join(run, 'tf/dump'), path.join(parts, 'cpu'), { recursive: true })
  cpSync(path.join(run, 'overflow'), path.join(parts, 'overflow'), { recursive: true })
  const app = await start()
  for (const part of ['npu', 'cpu', 'graphs', 'overflow']) await app.drop([path.join(parts, part)])
  await expect(app.id(names.modeBadge)).toContainText('CANN → TensorFlow')
  await expect(app.page.getByTestId('headline')).toContainText('LeNet/fc/MatMul')
  await expect(app.page.getByTestId('inspector-facts')).toContainText('ge_proto_00000012_Build.txt')
  await expect(app.id(names.advisor)).toContainText('LeNet/loss/mul')
})

test('a table that is dropped on a run opens by itself, and takes no side of it', async ({ start }) => {
  const app = await start()
  await app.drop([run])
  await app.drop([path.join(run, '../../expected/vector_compare/result.csv')])
  await expect(app.id(names.grid)).toHaveAttribute('data-rows', '9')
  await expect(app.id(names.problem)).toHaveCount(0)
})

test('slices of an operation are one tensor in the table and the inspector', async ({ start }) => {
  const app = await start()
  const { dump, reference, graph } = drawSliced(scratch(), 'relu', ['relu'])
  await app.drop([dump, reference, graph])
  await app.id(names.search).fill('relu')
  await app.page.getByRole('option').first().click()
  await app.idle()
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', 'relu')
  await expect(app.id(names.inspector)).toContainText('[2, 4]')
})
