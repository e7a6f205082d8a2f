// A person drops the details of a pre-check, sees which outputs failed, and why.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '../support/app.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { names } from '../support/names.ts'

const folder = path.join(fixturesRoot(), 'next', 'api_precision', 'real_26', 'npu')
const details = path.join(folder, readdirSync(folder)[0] ?? '')

test('a result of a pre-check opens as a table of calls', async ({ start }) => {
  const golden = path.join(fixturesRoot(), 'next', 'api_precision', 'real_26', 'golden')
  const result = readdirSync(golden).find(name => name.includes('result')) ?? ''
  const app = await start({ paths: [path.join(golden, result)] })
  await expect(app.id(names.grid).locator('[data-row="0"]')).toContainText('Torch.add.0')
  await expect(app.id(names.inspector)).toContainText('Forward Test Success: error')
  await expect(app.id(names.inspector)).not.toContainText('not found')
})

test('the details of a pre-check open as a table with the status of each output and its reason', async ({
  start,
}) => {
  const app = await start({ paths: [details] })
  const grid = app.id(names.grid)
  await expect(app.id('side-debug')).toContainText('file')
  await expect(app.id('side-bench')).toHaveCount(0)
  await expect(grid.locator('[data-row="0"]')).toContainText('Torch.add.0.forward.output.0')
  await expect(app.id(names.inspector)).toContainText('The file says')
  await expect(app.id(names.inspector)).toContainText('share within a thousandth')
  await expect(app.id(names.inspector)).not.toContainText('not found')
  await expect(app.id(names.inspector)).not.toContainText(/\p{Script=Han}/u)
  await app.id('chip-differs').click()
  await app.idle()
  await expect(grid.locator('[data-row="0"]')).toBeVisible()
})
