// Where NaN and infinity enter: the panel names the call and its rank, leads there, and says how it spread.
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { say } from '../../preload/contract/words/index.ts'
import { expect, test, type App } from '../support/app.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { names } from '../support/names.ts'

const step = (name: string): string => path.join(fixturesRoot(), 'next', 'overflow', name, 'step0')
function copied(from: string, as = 'other'): string {
  const to = path.join(mkdtempSync(path.join(tmpdir(), 'plumbline-story-')), as, 'step0')
  cpSync(from, to, { recursive: true })
  return to
}

/** The same run without NaN and infinity. */
function healthy(from: string): string {
  const to = copied(from, 'healthy')
  for (const rank of readdirSync(to)) {
    const file = path.join(to, rank, 'dump.json')
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll(/-?\b(?:NaN|Infinity)\b|"-?(?:nan|inf)"/gi, '1.5'),
    )
  }
  return to
}

const run = async (app: App, id: string): Promise<void> => {
  await app.page.evaluate(command => window.plumbline.run(command), id)
  await app.idle()
}

test('the origin over all ranks, what lies behind it, and the way there', async ({ start }) => {
  const app = await start({ paths: [step('origin_eight')] })
  await run(app, 'panel-overflow')
  const panel = app.id('overflow')
  const origins = panel.locator('section', { hasText: say('en', 'overflow.origins') })
  await expect(origins.getByRole('listitem')).toHaveCount(1)
  const card = origins.getByRole('listitem').first()
  await expect(card).toContainText('bad calls behind it, on 8 ranks')
  // Every rank has its band, and all others got it from the one that it enters.
  await expect(panel.locator('.overflow-rank')).toHaveCount(8)
  await expect(panel.locator('.enters')).toHaveCount(1)
  await expect(
    panel.locator('section', { hasText: say('en', 'overflow.spread') }).getByRole('listitem'),
  ).toContainText(['rank 2 → ranks 0, 1, 3–7'])
  await expect(panel.locator('.overflow-marks .way')).toHaveCount(7)
  await card.locator('.cut-name').click()
  await app.idle()
  const rank = (await card.locator('.faint').innerText()).replace(/\D/g, '')
  await expect(panel.locator('.overflow-rank.here .num')).toHaveText(rank)
  // The call is selected in the list of its rank, and the graph follows.
  const called = await panel.getByRole('option', { selected: true }).getAttribute('aria-posinset')
  expect(called).toBe('1')
  // The next call that shows anything, and back.
  await run(app, 'next-overflow')
  await app.idle()
  await expect(panel.getByRole('option', { selected: true })).toHaveAttribute('aria-posinset', '2')
  await panel.getByRole('button', { name: say('en', 'command.previous-overflow') }).click()
  await app.idle()
  await expect(panel.getByRole('option', { selected: true })).toHaveAttribute('aria-posinset', '1')
  await panel.getByRole('button', { name: say('en', 'overflow.level.critical') }).click()
  await app.idle()
  await expect(panel.getByRole('option')).toHaveCount(1)
  await expect(app.id(names.graphDebug)).toHaveAttribute('data-selected', /./)
})

test('what was seen first where no cause was dumped', async ({ start }) => {
  const app = await start({ paths: [step('origin_not_dumped')] })
  await run(app, 'panel-overflow')
  const panel = app.id('overflow')
  await expect(panel).toContainText(say('en', 'overflow.no-origin'))
  await expect(panel).toContainText(say('en', 'overflow.why.inputs-bad'))
})

test('how much a norm may grow is set, and the calls that grow more are listed', async ({ start }) => {
  const app = await start({ paths: [step('origin_clean')] })
  await run(app, 'panel-overflow')
  await expect(app.id('overflow')).toContainText(say('en', 'overflow.no-calls'))
  await app.id('growth-limit').fill('1')
  await app.idle()
  await expect(app.id('overflow').getByText(say('en', 'overflow.level.high')).first()).toBeVisible()
  await expect(app.id('overflow')).not.toContainText(say('en', 'overflow.no-calls'))
})

test('what the bench side shows as well is told from what only this side shows', async ({ start }) => {
  const same = await start({ paths: [step('origin_eight'), copied(step('origin_eight'))] })
  await run(same, 'panel-overflow')
  await expect(same.id('overflow-bench').first()).toHaveText(say('en', 'overflow.bench-same'))
  await same.id('overflow-here').click()
  await same.idle()
  await expect(same.id('overflow')).toContainText(say('en', 'overflow.no-calls'))
  await same.close()
  const clean = await start({ paths: [step('origin_eight'), healthy(step('origin_eight'))] })
  await run(clean, 'panel-overflow')
  await expect(clean.id('overflow-bench').first()).toHaveText(say('en', 'overflow.bench-clean'))
  await expect(clean.id('overflow-sides')).toHaveCount(0)
})

test('nothing, where everything is finite', async ({ start }) => {
  const app = await start({ paths: [step('origin_clean')] })
  await run(app, 'panel-overflow')
  await expect(app.id('overflow')).toContainText(say('en', 'overflow.none'))
  await expect(app.id('overflow')).toContainText(say('en', 'overflow.no-calls'))
})

test('whether the data or the device is to blame, where tensors were dumped', async ({ start }) => {
  const app = await start({ paths: [path.join(fixturesRoot(), 'next', 'run_overflow', 'step0')] })
  await run(app, 'panel-overflow')
  const explained = app.id('overflow-explained')
  await expect(explained.first()).toContainText(say('en', 'cli.overflow.explained.normal'))
})

test('an origin draws its path through the tensors, coloured by what is not finite', async ({ start }) => {
  const app = await start({ paths: [step('origin_eight')] })
  await run(app, 'panel-overflow')
  await app.id('overflow-path').first().click()
  await app.idle()
  const flow = app.id('flow-debug')
  await expect(flow).toBeVisible()
  await expect(flow).toContainText(/\S/)
})

test('of several steps the first with anything is named, and leads there', async ({ start }) => {
  const steps = mkdtempSync(path.join(tmpdir(), 'plumbline-steps-'))
  for (const [i, name] of ['origin_clean', 'origin_during'].entries())
    cpSync(step(name), path.join(steps, `step${i}`), { recursive: true })
  const app = await start({ paths: [steps] })
  await run(app, 'panel-overflow')
  await expect(app.id('overflow')).toContainText(say('en', 'overflow.none'))
  await app.id('overflow-first').getByRole('button').click()
  await app.idle()
  await expect(app.id('overflow-first')).toContainText(say('en', 'overflow.first.here', { total: '2' }))
  await expect(app.id('overflow')).toContainText('Torch.add.1.forward')
})
