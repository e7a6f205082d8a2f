// A person drops the result of a full-net compare, and sees where the error enters.
import path from 'node:path'
import { root } from '../../.ci/electron.mjs'
import { expect, test } from '../support/app.ts'
import { names } from '../support/names.ts'

const result = path.join(root, 'test/fixtures/tf/expected/vector_compare/result.csv')

test('a result of msaccucmp opens as a table with the first error marked', async ({ start }) => {
  const app = await start({ paths: [result] })
  const grid = app.id(names.grid)
  await expect(grid).toHaveAttribute('data-rows', '9')
  await expect(grid.locator('[data-row="6"]')).toContainText('LeNet/fc/MatMul.output.0')
  await expect(grid.locator('[data-row="6"] [col-id="cosine"]')).toHaveText('0.103606')
  await expect(app.page.getByText('The output differs; not all inputs could be compared')).toBeVisible()
  await app.id('chip-differs').click()
  await app.idle()
  await expect(grid).toHaveAttribute('data-rows', '3')
})
