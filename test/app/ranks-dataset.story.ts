// A dataset of many steps and ranks: one picture, a cell that leads to its pair, layers, questions, and how it grows.
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { root } from '../../.ci/electron.mjs'
import { expect, scratch, test, type App } from '../support/app.ts'
import { names } from '../support/names.ts'
import { rankTrees } from '../support/rank-trees.ts'

function dataset(ranks: number, tensors = 100): string {
  const folder = scratch()
  const order = { folder: path.join(folder, 'runs'), steps: 2, ranks, tensors }
  const { debug, bench } = rankTrees({ ...order, fault: { rank: 2, step: 1, layer: 1 } })
  const at = path.join(folder, 'dataset')
  const cli = path.join(root, 'out', 'main', 'cli.js')
  execFileSync(process.execPath, [cli, 'compare', debug, bench, '-o', at, '--format', 'dataset', '-q'])
  return at
}

const picture = (app: App): ReturnType<App['id']> => app.id('ranks-picture')

test('the picture says how all stand, a cell what it is, and opens its pair where the error enters', async ({
  start,
}) => {
  const app = await start({ paths: [dataset(8)] })
  await expect(picture(app)).toHaveAttribute('data-cells', '16')
  await expect(app.id('ranks-verdict')).toHaveText(
    '16 of 16 steps and ranks compared, 8 differ. step 1, rank 2: The difference begins in Functional.linear.9.forward: all it reads agrees, what it gives does not.',
  )
  await expect(app.id('ranks-origin')).toHaveCount(2)
  await app.id('ranks-origin').first().click()
  await app.idle()
  await expect(app.id('ranks-chosen')).toContainText('step 1, rank 2')
  await app.id('ranks-view-layers').click()
  await app.idle()
  await expect(app.id('ranks-layers')).toHaveAttribute('data-cells', '24')
  await app.id('ranks-view-ranks').click()
  await app.id('ranks-open').click()
  await app.idle()
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', 'Functional.linear.9.forward')
})

test('keys walk the cells, ranks stand by a dimension, and cells take the colour of one call', async ({
  start,
}) => {
  const app = await start({ paths: [dataset(8)] })
  await picture(app).focus()
  await app.press('ArrowRight')
  await app.press('PageDown')
  await app.idle()
  await expect(app.id('ranks-chosen')).toContainText('step 1, rank 1')
  await app.id('ranks-order').click()
  await app.page.getByRole('menuitem', { name: 'By tp' }).click()
  await app.id('ranks-tp').fill('2')
  await app.idle()
  await expect(app.id('ranks-chosen')).toContainText('step 1, rank 2')
  await app.id('ranks-tp').fill('3')
  await expect(app.page.getByText('These sizes do not divide the number of ranks.')).toBeVisible()
  await app.id('ranks-colour').click()
  await app.page.getByRole('menuitem', { name: 'One call…' }).click()
  await app.id('ranks-node').fill('Functional.linear.9.forward')
  await app.id('ranks-node').press('Enter')
  await app.idle()
  await expect(picture(app)).toHaveAttribute('data-by', 'node')
})

test('a question is typed with completion, answered, refused where it reaches out, kept', async ({
  start,
}) => {
  const app = await start({ paths: [dataset(4)] })
  await app.press('Control+Shift+Q')
  await app.id('ranks-ask').click()
  await app.idle()
  await expect(app.id('ranks-told')).toHaveText(/^\d+ rows in \d+ ms$/)
  const editor = app.id('ranks-editor').locator('.cm-content')
  await editor.click()
  await app.press('Control+A')
  await app.page.keyboard.type('select headl')
  await app.page.locator('.cm-tooltip-autocomplete').getByText('headline').click()
  await app.page.keyboard.type(", rank from units where kind = 'origin'")
  await app.press('Control+Enter')
  await app.idle()
  await expect(app.id('ranks-answer').locator('tbody')).toContainText('Functional.linear.9.forward')
  await app.id('ranks-kept').click()
  await app.page.getByRole('menuitem', { name: 'Keep this question' }).click()
  await editor.click()
  await app.press('Control+A')
  await app.page.keyboard.type("copy units to '/x.csv'")
  await app.press('Control+Enter')
  await app.idle()
  await expect(app.page.getByText('The question was not answered', { exact: false })).toHaveCount(0)
  await expect(app.page.getByText('Only a SELECT is answered here', { exact: false })).toBeVisible()
  await app.id('ranks-kept').click()
  await app.page.getByRole('menuitem', { name: /^select headline/ }).click()
  await app.idle()
  await expect(app.id('ranks-answer').locator('tbody')).toContainText('Functional.linear.9.forward')
})

test('a dataset that grows fills in while it is looked at', async ({ start }) => {
  const whole = dataset(4)
  const growing = path.join(scratch(), 'growing')
  cpSync(whole, growing, { recursive: true })
  for (const name of ['_summary.json', '_nodes.parquet', 'step=1'])
    rmSync(path.join(growing, name), { recursive: true })
  const app = await start({ paths: [growing] })
  await expect(app.id('ranks-verdict')).toContainText(
    '4 of 8 steps and ranks compared, 0 differ. 4 are not there yet.',
  )
  cpSync(path.join(whole, 'step=1'), path.join(growing, 'step=1'), { recursive: true })
  await expect(app.id('ranks-verdict')).toContainText('8 of 8 steps and ranks compared, 4 differ.', {
    timeout: 30_000,
  })
})
