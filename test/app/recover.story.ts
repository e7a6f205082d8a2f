// The engine dies in the middle of the work: the window stays, says so, and the work is there again.
import { expect, sample, test } from '../support/app.ts'
import { names } from '../support/names.ts'

test('comes back with the same session and selection', async ({ start }) => {
  const app = await start({ paths: sample })
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

test('a page that is loaded anew finds the engine again', async ({ start }) => {
  const app = await start({ paths: sample })
  await app.page.reload()
  await app.page.waitForFunction(() => 'plumbline' in window)
  await app.idle()
  await expect(app.id(names.grid)).toHaveAttribute('data-rows', /^[1-9]\d+$/)
})

test('a page that crashes is loaded again', async ({ start }) => {
  const app = await start({ paths: sample })
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer())
  // The page that the story held is gone for good; the window is asked through main.
  const alive = (): Promise<unknown> => app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript("document.querySelector('[data-testid=grid][data-rows]')?.dataset.rows > 400"))
  await expect.poll(() => alive().catch(() => false)).toBe(true)
  expect(app.log()).toContain("the window's process ended")
})
