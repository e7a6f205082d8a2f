// A person looks at what surrounds two runs: how they were configured, results of many ranks.
import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '../support/app.ts'
import { fixturesRoot } from '../support/fixtures.ts'

const next = (...parts: readonly string[]): string => path.join(fixturesRoot(), 'next', ...parts)

test('two packages dropped: what matters as sentences, then the table that it leads to', async ({
  start,
}) => {
  const app = await start()
  await app.drop(['c52d4e92.zip', '3d80a721.zip'].map(name => next('config', 'packages', name)))
  await expect(app.id('sheets-verdict')).toHaveAttribute('data-verdict', 'error')
  await expect(app.id('sheets-findings')).toHaveAttribute('data-findings', '3')
  await app.page.getByText(/Start both runs from the same weights/).click()
  await app.idle()
  const rows = app.id('sheets-rows')
  await expect(rows).toHaveAttribute('data-rows', '29')
  await app.id('sheets-error').click()
  await expect(rows).toHaveAttribute('data-rows', '3')
  await app.id('sheets-find').fill('head')
  await expect(rows).toHaveAttribute('data-rows', '1')
  await expect(rows).toContainText('head.weight')
  const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-saved-'))
  await app.answerDialogs([folder])
  for (const format of ['csv', 'xlsx']) {
    await app.id(`sheets-save-${format}`).click()
    await app.idle()
  }
  const saved = readdirSync(folder).map(name => name.replace(/\d{14}/, '…'))
  expect(saved.sort()).toEqual(['configuration_….csv', 'configuration_….xlsx'])
  await expect(app.id('problem')).toHaveCount(0)
})

test('many ranks: sorted by a column', async ({ start }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-ranks-'))
  const books = ['d84b993e', '36f140fd', '6cc406b4', '1d3f9af6']
  for (const [rank, book] of books.entries())
    copyFileSync(
      next('merge', 'books', `${book}.xlsx`),
      path.join(folder, `compare_result_rank${rank}_20261119052153.xlsx`),
    )
  const app = await start({ paths: [folder] })
  await expect(app.page.getByText(/^rank2 is far from all other ranks in/)).toBeVisible()
  await app.id('sheet-Max diff').click()
  await expect(app.page.getByRole('columnheader', { name: 'rank3' })).toBeVisible()
})

test('two logs of verl: what was set, beside the values', async ({ start }) => {
  const logs = ['verl_debug.log', 'verl_bench.log'].map(name =>
    path.join(fixturesRoot(), 'series', 'settings', name),
  )
  const app = await start({ paths: logs })
  await expect(app.id('series-map')).toBeVisible()
  await app.id('series-settings').click()
  await expect(app.id('sheets-rows')).toHaveAttribute('data-rows', '27')
  await expect(app.page.getByRole('row', { name: /optim\/lr/ })).toHaveAttribute('aria-rowindex', '2')
  await app.id('series-values').click()
  await expect(app.id('series-map')).toBeVisible()
})
