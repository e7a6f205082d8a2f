// The right dump, the first time: a config.json as form and text, what the tool makes of it, what to run next.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { say } from '../../preload/contract/words/index.ts'
import { dump, expect, scratch, test, type App } from '../support/app.ts'

const pair = (): string[] => [dump('ms_lenet_w_conv2_statistics_mix'), dump('ms_lenet_none_statistics_mix')]

async function open(app: App): Promise<void> {
  await app.id('rail-collect').click()
  await app.idle()
}

const tab = async (app: App, name: string): Promise<void> => {
  await app.id('collect').getByRole('tab', { name }).click()
  await app.idle()
}

const state = (app: App, is: 'takes' | 'but' | 'stops') =>
  expect(app.id('collect-verdict')).toHaveAttribute('data-state', is)

test('a preset becomes a checked config.json, by form and by text over one document', async ({ start }) => {
  const app = await start({ paths: pair() })
  await open(app)
  await app.id('collect').locator('[data-preset=layer]').click()
  await app.idle()
  await state(app, 'takes')
  await expect(app.id('collect-mode')).toHaveText(say('en', 'collect.mode.pynative'))

  const steps = app.id('collect-form').locator('[data-key=step]')
  await steps.getByRole('textbox').fill('5-1')
  await steps.getByRole('textbox').press('Enter')
  await app.idle()
  await state(app, 'stops')
  await expect(steps).toContainText('5-1: the left number')

  await tab(app, say('en', 'collect.tab.text'))
  await expect(app.id('collect-editor')).toContainText('"step": ["5-1"]')
  await app.button('mapping.undo').click()
  await app.idle()
  await expect(app.id('collect-editor')).toContainText('"step": [0]')
  await state(app, 'takes')
})

test('what is impossible is refused with the reason, keys of another version are told', async ({ start }) => {
  const app = await start({ paths: pair() })
  await open(app)
  await app.id('collect').locator('[data-preset=statistics]').click()
  await app.idle()
  await app.id('collect-mode').click()
  await app.page.getByRole('menuitem', { name: 'PyTorch', exact: true }).click()
  await app.idle()
  await app.id('collect-level').click()
  const kernels = app.page.getByRole('menuitem', { name: /^L2/ })
  await expect(kernels).toContainText(/list|Level L2/)
  await app.page.keyboard.press('Escape')

  const file = path.join(scratch(), 'config.json')
  writeFileSync(
    file,
    '{"task":"statistics","dump_path":"./d","level":"L1","extra_info":false,"statistics":{"list":["conv"]}}',
  )
  await app.answerDialogs([file])
  await app.id('collect-open').click()
  await app.idle()
  await state(app, 'but')
  await expect(app.id('collect-rest')).toContainText('"extra_info" belongs to 26')
  await app
    .id('collect-import')
    .getByText(/config.json against what stood here/)
    .click()
  await expect(app.id('collect-import')).toContainText('statistics/list: [] ["conv"]')
  await expect(app.id('collect-verdict')).toContainText(/of \d+ calls/)

  await app.id('collect-level').click()
  await app.page.getByRole('menuitem', { name: 'mix' }).click()
  await app.idle()
  await app
    .id('collect-diff')
    .getByText(/changed against config.json/)
    .click()
  await expect(app.id('collect-diff')).toContainText('level: "L1" "mix"')

  await app.id('collect-save').click()
  await app.page.getByRole('menuitem', { name: say('en', 'mapping.save'), exact: true }).click()
  await app.idle()
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('"level":"mix"')
})

test('what to dump next stands in the editor at once, and the run is kept in a log', async ({ start }) => {
  const app = await start({ paths: pair() })
  await expect(app.id('taken')).toHaveClass(/alike/)
  await app.id('dump-next-edit').click()
  await app.idle()
  await state(app, 'takes')
  await expect(app.id('collect-form').locator('[data-key=task]')).toContainText('tensor')

  await tab(app, say('en', 'collect.tab.next'))
  const first = app.id('collect-next').locator('[data-experiment]').first()
  await expect(first).toHaveAttribute('data-experiment', 'tensors-here')
  await first.getByRole('button', { name: say('en', 'experiment.log') }).click()
  await app.idle()
  const log = app.id('experiment-log')
  await log.getByRole('button', { name: say('en', 'experiment.outcome.ruled-out') }).click()
  await expect(log).toContainText(say('en', 'experiment.tensors-here'))

  const folder = scratch()
  await app.answerDialogs([folder])
  await app.id('export').click()
  await app.id('export-html').click()
  const page = (): string => readdirSync(folder).find(name => name.endsWith('.html')) ?? ''
  await expect.poll(page).not.toBe('')
  const ticket = readFileSync(path.join(folder, page()), 'utf8')
  expect(ticket).toContain(say('en', 'experiment.log.title'))
  expect(ticket).toContain(say('en', 'experiment.outcome.ruled-out'))
  expect(ticket).toContain('Taken alike: framework, level')
  await app.idle()

  await tab(app, say('en', 'collect.tab.code'))
  await expect(app.id('collect-code').locator('[data-snippet=ms-loop] pre')).toContainText(
    'debugger.start(model)',
  )
  await app.id('collect-copy-page').click()
  const copied = (): Promise<string> => app.electron.evaluate(({ clipboard }) => clipboard.readText())
  await expect.poll(copied).toContain('# Dump with msprobe 1.2')
})

test('a config.json can be written before anything was dumped, and goes along with the pair', async ({
  start,
}) => {
  const app = await start()
  await app.id('open-collect').click()
  await app.idle()
  await app.id('collect').locator('[data-preset=graph]').click()
  await app.idle()
  await state(app, 'takes')
  await expect(app.id('collect').getByRole('tab')).toHaveCount(3)
  await tab(app, say('en', 'collect.tab.code'))
  await expect(app.id('collect-code').locator('[data-snippet=torch-loop]')).toBeVisible()
  await app.id('collect-back').click()
  await app.drop(pair())
  await open(app)
  await state(app, 'takes')
  await expect(app.id('collect-verdict')).toContainText(/of \d+ calls/)
})

test('each pair keeps its own config.json', async ({ start }) => {
  const app = await start({ paths: pair() })
  await open(app)
  await app.id('collect').locator('[data-preset=md5]').click()
  await app.idle()
  await app.menu('close')
  await app.drop([dump('pt_lenet_none_statistics_mix'), dump('pt_lenet_w_conv2_statistics_mix')])
  await expect(app.id('collect').locator('[data-preset=md5]')).toBeVisible()
  await app.menu('close')
  await app.drop(pair())
  await tab(app, say('en', 'collect.tab.text'))
  await expect(app.id('collect-editor')).toContainText('"summary_mode": "md5"')
})
