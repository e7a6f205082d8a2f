// The engine dies in the middle of the work: the window stays, says so, and the work is there again.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { findElectron, root } from '../../.ci/electron.mjs'
import { say } from '../../preload/contract/words/index.ts'
import { expect, usualPair, test } from '../support/app.ts'
import { BareApp } from '../support/bare.ts'
import { names } from '../support/names.ts'

test('comes back with the same session and selection', async ({ start }) => {
  const app = await start({ paths: usualPair })
  const grid = app.id(names.grid)
  const rows = await grid.getAttribute('data-rows')
  await app.menu('first-failing')
  const node = await app.id(names.inspector).getAttribute('data-node')
  expect(node).toBeTruthy()

  // The notice goes by itself, so it is watched for while the engine comes back.
  await Promise.all([app.id(names.engineRestarted).waitFor(), app.killEngine()])

  await expect(grid).toHaveAttribute('data-rows', rows ?? '')
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', node ?? '')
  expect(app.log()).toContain('the engine process ended with code')

  await app.killEngine()
  await expect(grid).toHaveAttribute('data-rows', rows ?? '')
})

test('an engine that does not come up any more is said, and can be tried again', async ({ start }) => {
  const app = await start()
  for (let again = 0; again < 4; again++) await app.killEngine()
  process.kill(await app.enginePid(), 'SIGKILL')
  const card = app.id('engine-gone')
  await expect(card).toBeVisible()
  await expect(app.id(names.status)).not.toContainText(say('en', 'status.ready'))
  await card.getByRole('button', { name: say('en', 'frame.try-again') }).click()
  await expect(card).toHaveCount(0)
  await app.id(names.openSample).click()
  await expect(app.id(names.grid)).toHaveAttribute('data-rows', /^[1-9]\d+$/)
})

test('an engine that is held by one piece of work is said, and can be stopped with everything else kept', async ({
  start,
}) => {
  const app = await start({ paths: usualPair })
  const grid = app.id(names.grid)
  const rows = await grid.getAttribute('data-rows')
  process.kill(await app.enginePid(), 'SIGSTOP')
  const card = app.id('engine-busy')
  await expect(card).toBeVisible({ timeout: 30_000 })
  await card.getByRole('button', { name: say('en', 'engine-busy.stop') }).click()
  await expect(card).toHaveCount(0)
  await expect(grid).toHaveAttribute('data-rows', rows ?? '')
})

test('what held the engine stays closed after it was stopped', async ({ start }) => {
  const app = await start()
  process.kill(await app.enginePid(), 'SIGSTOP')
  await app.id(names.openSample).click()
  const card = app.id('engine-busy')
  await expect(card).toBeVisible({ timeout: 30_000 })
  await card.getByRole('button', { name: say('en', 'engine-busy.stop') }).click()
  await expect(app.page.locator('[data-code="engine-stopped"]')).toBeVisible()
  await app.id(names.openSample).click()
  await expect(app.id(names.grid)).toHaveAttribute('data-rows', /^[1-9]\d+$/)
})

test('a page that is loaded anew finds the engine again', async ({ start }) => {
  const app = await start({ paths: usualPair })
  await app.page.reload()
  await app.page.waitForFunction(() => 'plumbline' in window)
  await app.idle()
  await expect(app.id(names.grid)).toHaveAttribute('data-rows', /^[1-9]\d+$/)
})

test('a page that crashes is loaded again', async () => {
  const found = findElectron()
  if ('missing' in found) throw new Error(found.missing)
  const app = await BareApp.start(found.path, [root, '--', ...usualPair])
  try {
    const rows = (): Promise<string | null> =>
      app.look(page =>
        page
          .locator(`[data-testid="${names.grid}"][data-rows]`)
          .getAttribute('data-rows', { timeout: 10_000 }),
      )
    await app.idle()
    const before = await rows()
    await app.look(async page => {
      void (await page.context().newCDPSession(page)).send('Page.crash').catch(() => {})
    })
    await expect
      .poll(() => readFileSync(path.join(app.data, 'logs', 'plumbline.log'), 'utf8'))
      .toContain("the window's process ended")
    await expect
      .poll(() => app.look(page => page.evaluate(() => 'plumbline' in window)).catch(() => false))
      .toBe(true)
    await app.idle()
    expect(await rows()).toBe(before)
    expect(app.running).toBe(true)
  } finally {
    await app.stop()
  }
})

test('the app ends where all its processes are asked to at once', async () => {
  const found = findElectron()
  if ('missing' in found) throw new Error(found.missing)
  const app = await BareApp.start(found.path, [root, '--', ...usualPair])
  try {
    await app.idle()
    const [main = 0, ...others] = app.pids()
    for (const pid of others) process.kill(pid, 'SIGTERM')
    process.kill(main, 'SIGTERM')
    await expect.poll(() => app.running).toBe(false)
    expect(readFileSync(path.join(app.data, 'logs', 'plumbline.log'), 'utf8')).not.toContain('error main:')
  } finally {
    await app.stop()
  }
})
