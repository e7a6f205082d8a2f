// A person drops what the pre-check found, sees which outputs failed and why, and goes to their calls.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { say } from '../../preload/contract/words/index.ts'
import { dump, expect, scratch, test, type App } from '../support/app.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { names } from '../support/names.ts'

const next = path.join(fixturesRoot(), 'next')
const fileIn = (what: string, ...at: string[]): string => {
  const folder = path.join(next, 'api_precision', ...at)
  return path.join(folder, readdirSync(folder).find(name => name.includes(what)) ?? '')
}
const run = async (app: App, id: string): Promise<void> => {
  await app.page.evaluate(command => window.plumbline.run(command), id)
  await app.idle()
}
const rows = async (app: App): Promise<number> =>
  Number(await app.id('verdicts-list').getAttribute('data-rows'))

test('a result of a pre-check opens as a table of calls', async ({ start }) => {
  const app = await start({ paths: [fileIn('result', 'real_26', 'golden')] })
  await expect(app.id('verdicts')).toContainText('Torch.add.4')
  await expect(app.id('verdict-detail')).toContainText('Forward Test Success: error')
})

test('the details of a pre-check say of each output its status and what decided', async ({ start }) => {
  const app = await start({ paths: [fileIn('details', 'real_26', 'npu')] })
  await expect(app.id('side-debug')).toBeVisible()
  const detail = app.id('verdict-detail')
  await expect(detail).toContainText('Torch.mul.0.forward.output.0')
  await expect(detail).toContainText('share within a thousandth')
  await expect(detail).toContainText('> 0.999')
  const all = await rows(app)
  await app.id('verdicts-pass').click()
  await app.idle()
  expect(await rows(app)).toBeLessThan(all)
  // A pass is called a pass.
  await expect(app.id('verdicts-list').getByRole('option').first()).toContainText('pass')
  await expect(app.id('verdicts')).not.toContainText('within noise')
})

test('details of both sides that are dropped together are judged; rules and groups can be chosen', async ({
  start,
}) => {
  const app = await start({})
  await app.drop([fileIn('details', 'real_1.2.2', 'gpu'), fileIn('details', 'real_1.2.2', 'npu')])
  const panel = app.id('verdicts')
  await expect(panel).toContainText(say('en', 'verdicts.holds.judged', { generation: '1.2.2' }))
  await app.id('verdicts-by-standard').click()
  await app.idle()
  await panel.getByRole('button', { name: /^Against the GPU/ }).click()
  await app.idle()
  await app.id('verdicts-error').click()
  await app.idle()
  const detail = app.id('verdict-detail')
  await expect(detail).toContainText('largest relative error')
  await expect(detail).toContainText(say('en', 'verdicts.rule.benchmark'))
  await expect(detail.getByRole('columnheader', { name: 'ratio' })).toBeVisible()
  await run(app, 'language-zh')
  await expect(detail).toContainText('相对误差最大值')
  await run(app, 'language-en')
  // Turned round, the file of the GPU is the one under test.
  await run(app, 'swap')
  await expect(panel.getByTitle('add', { exact: true })).toBeVisible()
  await expect(panel.locator('.tables-files .mono').first()).toHaveAttribute('title', /gpu/)
})

test('limits can be set, count at once and are taken back; a folder of results is enough', async ({
  start,
}) => {
  const folder = scratch()
  for (const side of ['npu', 'gpu']) {
    mkdirSync(path.join(folder, side))
    const from = fileIn('details', 'real_1.2.2', side)
    cpSync(from, path.join(folder, side, path.basename(from)))
  }
  const app = await start()
  await app.drop([folder])
  await expect(app.id('verdicts')).toContainText('1.2.2')
  const failing = async (): Promise<number> =>
    Number((await app.id('verdicts-error').locator('.badge').textContent()) ?? '')
  const usual = await failing()
  await app.id('verdicts-limits').click()
  for (const limit of ['rmse', 'maxRelative', 'meanRelative', 'smallShare'])
    await app.id(`verdict-limit-${limit}`).fill('1000000000')
  await app.idle()
  await expect(app.id('verdicts-limits')).toContainText('4')
  expect(await failing()).toBeLessThan(usual)
  await app.id('verdict-limits-usual').click()
  await app.idle()
  expect(await failing()).toBe(usual)
})

test('details of two generations are refused', async ({ start }) => {
  const app = await start({
    paths: [fileIn('details', 'real_1.2.2', 'npu'), fileIn('details', 'real_26', 'gpu')],
  })
  await expect(app.id('failure')).toContainText('was written by msprobe 1.2.2')
})

test('a table that is dropped on the dump of its calls leads there, and from a call to its rows', async ({
  start,
}) => {
  const app = await start({ paths: [path.join(next, 'recompute', 'wrong')] })
  await app.drop([fileIn('details', 'real_1.2.2', 'npu')])
  await expect(app.id('verdicts-joined')).toHaveAttribute('data-joined', '103')
  await app.id('verdicts-find').fill('layer_norm.0.forward')
  await app.idle()
  await app.id('verdicts-list').getByRole('option').first().click()
  await app.idle()
  await app.id('verdict-node').click()
  await app.idle()
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', 'Functional.layer_norm.0.forward')
  await run(app, 'tab-precheck')
  const told = app.id('told')
  await expect(told.getByTitle('Functional.layer_norm.0.forward.output.0')).toBeVisible()
  await app.id('quick').fill('softmax.0.forward')
  await app.idle()
  await app.id(names.grid).locator('[data-row="0"] [col-id="debugName"]').click()
  await app.idle()
  await told.getByRole('button').first().click()
  await app.idle()
  await expect(app.id('verdict-detail')).toContainText('softmax')
})

test('the values that were kept of an output that failed are compared', async ({ start }) => {
  const folder = scratch()
  const table = fileIn('details', 'real_1.2.2', 'npu')
  const copy = path.join(folder, path.basename(table))
  cpSync(table, copy)
  const saved = path.join(folder, 'ut_error_data20250101010101')
  mkdirSync(saved)
  const tensors = path.join(dump('pt_lenet_none_tensor_mix'), 'step0', 'rank', 'dump_tensor_data')
  for (const side of ['device', 'bench'])
    cpSync(
      path.join(tensors, 'Functional.conv2d.0.forward.output.0.pt'),
      path.join(saved, `Torch.rsqrt.0.forward.output.${side}.0.pt`),
    )
  const app = await start({ paths: [copy] })
  await app.id('verdicts-find').fill('rsqrt.0.forward')
  await app.idle()
  await app.id('verdict-saved').click()
  await app.idle()
  await expect(app.id('side-debug')).toContainText('device')
  await expect(app.id('side-bench')).toContainText('bench')
})

test('a table of verdicts is saved, as text and as a workbook with every metric', async ({ start }) => {
  const folder = scratch()
  const app = await start({
    paths: [fileIn('details', 'real_1.2.2', 'npu'), fileIn('details', 'real_1.2.2', 'gpu')],
  })
  await app.answerDialogs([folder])
  for (const format of ['csv', 'xlsx']) {
    await app.id(`verdicts-${format}`).click()
    await app.idle()
  }
  const saved = readdirSync(folder).map(name => name.replace(/\d{14}/, '…'))
  expect(saved.sort()).toEqual(['precheck_….csv', 'precheck_….xlsx'])
  const csv = readdirSync(folder).find(name => name.endsWith('.csv')) ?? ''
  const [head, first] = readFileSync(path.join(folder, csv), 'utf8').split('\n')
  expect(head).toContain('API Name,Verdict,Status,Standard,Metric,NPU,GPU,Ratio,Limit')
  expect(first).toMatch(/\.forward\.output\.\d,(?:pass|error|skip),/)
})

/** Details of integers alone: nothing in them tells by which generation they were written. */
function untold(): string[] {
  return ['npu', 'gpu'].map(side => {
    const folder = path.join(scratch(), side)
    mkdirSync(folder, { recursive: true })
    const [head, ...lines] = readFileSync(fileIn('details', 'real_26', side), 'utf8').split('\r\n')
    const kept = lines.filter(line => /,torch\.(?:int64|bool),/.test(line))
    const file = path.join(folder, 'accuracy_checking_details_20260101000000.csv')
    writeFileSync(file, `${[head, ...kept].join('\r\n')}\r\n`)
    return file
  })
}

test('where nothing tells which generation wrote the details, nothing is judged before it is said', async ({
  start,
}) => {
  const app = await start({ paths: untold() })
  await expect(app.id('verdicts')).toContainText(say('en', 'verdicts.untold'))
  await expect(app.id('verdicts-list')).toHaveCount(0)
  await app.id('verdicts-generation-1.2.2').click()
  await app.idle()
  await expect(app.id('verdicts-list')).toBeVisible()
  await expect(app.id('verdicts')).toContainText(say('en', 'verdicts.holds.judged', { generation: '1.2.2' }))
  await expect(app.id('verdicts-answered')).toBeVisible()
})

test('a table of another kind takes no place of details: it opens by itself', async ({ start }) => {
  const app = await start({
    paths: [fileIn('details', 'real_26', 'npu'), fileIn('details', 'real_26', 'gpu')],
  })
  await expect(app.id('verdicts')).toContainText(say('en', 'verdicts.holds.judged', { generation: '26' }))
  const other = fileIn('result', 'real_26', 'golden')
  await app.drop([other], app.id('verdict-detail'))
  await expect(app.id('verdicts')).toContainText(say('en', 'verdicts.holds.result'))
  await expect(app.id('verdicts')).not.toContainText(say('en', 'verdicts.holds.details'))
})

test('the command lines of a pre-check are made from the opened dump, with what to see to', async ({
  start,
}) => {
  const app = await start({ paths: [path.join(next, 'recompute', 'calls')] })
  await app.id('rail-collect').click()
  await app.idle()
  await app.id('collect-precheck-open').click()
  await app.idle()
  const page = app.id('collect-precheck')
  await expect(page.locator('[data-snippet=precheck-npu]')).toContainText(
    'msprobe -f pytorch run_ut -api_info',
  )
  await expect(page.locator('[data-check=inputs]')).toHaveAttribute('data-holds', 'true')
  await app.id('precheck-white').fill('relu matmul')
  await app.idle()
  await expect(page.locator('[data-snippet=precheck-config]')).toContainText('"white_list"')
  await app.id('collect-tool').click()
  await app.page.getByRole('menuitem', { name: 'msprobe 26' }).click()
  await app.id('precheck-tool').click()
  await app.page.getByRole('menuitem', { name: say('en', 'precheck.panel.several') }).click()
  await app.idle()
  await expect(page.locator('[data-snippet=precheck-npu]')).toContainText('msprobe multi_acc_check -api_info')
  await app.id('precheck-copy').click()
  await app.idle()
  expect(await app.electron.evaluate(({ clipboard }) => clipboard.readText())).toContain('multi_acc_check')
  const { data } = app
  await app.close()

  const again = await start({ data, paths: [path.join(next, 'recompute', 'calls')] })
  await again.idle()
  await again.id('collect-precheck-open').click()
  await again.idle()
  await expect(again.id('precheck-white')).toHaveValue('relu matmul')
  await expect(again.id('precheck-tool')).toContainText(say('en', 'precheck.panel.several'))
})
