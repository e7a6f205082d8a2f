// A run that is still being dumped: it grows on screen without losing the place, says where it hangs, and is switched.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { say } from '../../preload/contract/words/index.ts'
import { Dumping } from '../support/dumping.ts'
import { expect, scratch, test, type App } from '../support/app.ts'
import { names } from '../support/names.ts'

function pair(calls: number, framework: 'mindspore' | 'pytorch' = 'pytorch') {
  const root = scratch()
  const at = (...parts: readonly string[]): string => path.join(root, ...parts)
  new Dumping(at('bench', 'step0', 'rank0'), { framework }).calls(80).flush()
  const debug = new Dumping(at('debug', 'step0', 'rank0'), { framework, scale: 2 }).calls(calls).flush()
  return { at, debug, paths: [at('debug'), at('bench')] }
}

const rows = (app: App, count: number) =>
  expect(app.id('status')).toContainText(say('en', 'status.rows', { rows: String(count) }))
const chosen = (app: App) => app.id(names.grid).locator('[role="row"][aria-selected="true"]').first()

test('rows come in as they are dumped; what is chosen and where one looks stays', async ({ start }) => {
  const { debug, paths } = pair(40)
  const app = await start({ paths })
  await expect(app.id('live')).toHaveCount(0)
  await app.press('F8', 'F8', 'F8')
  await app.id(names.grid).locator('.body, [role="rowgroup"]').first().hover()
  await app.page.mouse.wheel(0, 130)
  await app.idle()
  const before = [await chosen(app).innerText(), (await chosen(app).boundingBox())?.y]

  debug.calls(3, 40).input('Functional.softmax.0.forward')
  const line = app.id('live')
  await expect(line).toHaveAttribute('data-is', 'writing')
  await rows(app, 87)
  await expect(app.id('provisional-findings')).toBeVisible()
  await app.id('live-details').click()
  await expect(app.id('live-table')).toContainText('40 calls · 4 more by their tensor files only')
  await expect(app.id('live-table')).toContainText('in Functional.softmax.0.forward')
  if (process.env['LIVE_PICTURES'])
    await app.page.screenshot({ path: `${process.env['LIVE_PICTURES']}/details.png` })
  await app.page.keyboard.press('Escape')

  debug.output('Functional.softmax.0.forward').calls(20, 43).flush()
  await rows(app, 128)
  await app.idle()
  const now = [await chosen(app).innerText(), (await chosen(app).boundingBox())?.y]
  // The line above the panes moves all of them.
  expect(now[0]).toBe(before[0])
  await expect(chosen(app)).toBeInViewport()
})

test('new steps come in by themselves, and dumping is switched in the config.json that the user chose', async ({
  start,
}) => {
  const { at, debug, paths } = pair(10)
  const app = await start({ paths })
  debug.calls(2, 10).flush()
  new Dumping(at('debug', 'step1', 'rank0'), { framework: 'pytorch' }).calls(3).flush()
  new Dumping(at('bench', 'step1', 'rank0'), { framework: 'pytorch' }).calls(3).flush()
  // They come in by themselves; what is on screen stays.
  const before = await chosen(app).innerText()
  await expect(app.page.getByTestId('toolbar')).toContainText('step')
  expect(await chosen(app).innerText()).toBe(before)

  const file = at('config.json')
  writeFileSync(file, '{"task": "tensor", "dump_path": "./d", "level": "L1", "dump_enable": true}')
  new Dumping(at('debug', 'step2', 'rank0'), { framework: 'pytorch' }).calls(3).flush()
  await expect(app.id('live-switch')).toBeVisible()
  await app.answerDialogs([file])
  await app.id('live-switch').click()
  await app.page.getByRole('menuitem', { name: say('en', 'live.switch-off'), exact: true }).click()
  await expect(app.id('notice')).toContainText('dump_enable is false')
  expect(readFileSync(file, 'utf8')).toContain('"dump_enable": false')
})

test('a folder that vanishes is told of, and what was read stays', async ({ start }) => {
  const { debug, paths } = pair(10)
  const app = await start({ paths })
  debug.calls(2, 10).flush()
  await expect(app.id('live')).toHaveAttribute('data-is', 'writing')
  await rows(app, 24)
  debug.vanish()
  await app.id('live-details').click()
  await expect(app.id('live-table')).toContainText(say('en', 'live.state.gone'))
  await rows(app, 24)
})
