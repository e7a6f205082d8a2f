// Several ranks: the window opens where the error enters, says how all of them stand, and walks on to the next.
import { cpSync } from 'node:fs'
import path from 'node:path'
import { dump, expect, scratch, test, type App } from '../support/app.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { names } from '../support/names.ts'

const ofStep = (name: string): string => dump(path.join(name, 'step0'))

/** One step of four ranks, twice alike. */
function fourRanks(): readonly [string, string] {
  const folder = scratch()
  const [debug, bench] = [path.join(folder, 'debug'), path.join(folder, 'bench')]
  for (const side of [debug, bench])
    cpSync(ofStep('pt_tp_4ranks_none'), path.join(side, 'step0'), { recursive: true })
  return [debug, bench]
}

/** The same, but one rank was computed with other weights. */
function oneOfFour(): readonly [string, string] {
  const [debug, bench] = fourRanks()
  cpSync(path.join(ofStep('pt_tp_4ranks_rank2_w'), 'rank2'), path.join(debug, 'step0', 'rank2'), {
    recursive: true,
  })
  return [debug, bench]
}

const onScreen = (app: App): Promise<number> =>
  app.page.evaluate(() => (window.plumbline.state() as { session: { unit: number } }).session.unit)

test('the window opens on the rank where the error enters and says how all ranks stand', async ({
  start,
}) => {
  const app = await start({ paths: oneOfFour() })
  const card = app.id(names.overall)
  await expect(card).toHaveText(/^rank 2 differs in \d+ rows; ranks 0, 1, 3 agree$/)
  expect(await onScreen(app)).toBe(2)
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', 'Functional.linear.2.forward')
  await expect(app.id('rank').locator('.unit-dot')).toHaveText('1')
})

test('a rank chosen by hand stays, does not speak for the others, and a walk goes on to the next', async ({
  start,
}) => {
  const app = await start({ paths: oneOfFour() })
  await app.id('rank').click()
  await app.page.getByRole('menuitem', { name: /rank 0/ }).click()
  await app.idle()
  expect(await onScreen(app)).toBe(0)
  await expect(app.sees('advisor.clean')).toHaveCount(0)
  await expect(app.id(names.advisor).getByText('rank 0 agrees', { exact: true })).toBeVisible()

  await app.press('F8')
  expect(await onScreen(app)).toBe(2)
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', /./)

  await app.page.evaluate(() => window.plumbline.run('previous-unit'))
  await app.idle()
  expect(await onScreen(app)).toBe(1)
  await app.id('go-first').click()
  await app.idle()
  expect(await onScreen(app)).toBe(2)
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', 'Functional.linear.2.forward')
})

test('ranks that all agree are said to agree once', async ({ start }) => {
  const app = await start({ paths: fourRanks() })
  await expect(app.id(names.overall)).toHaveText('ranks 0, 1, 2, 3 agree')
  await expect(app.sees('advisor.clean')).toBeVisible()
})

test('kernels have no graph: a walk goes from row to row, and on to the next step', async ({ start }) => {
  const kernels = path.join(fixturesRoot(), 'kernel')
  const app = await start({ paths: [path.join(kernels, 'npu_stat'), path.join(kernels, 'bench_stat')] })
  const first = await onScreen(app)
  const differing = await app.page.evaluate(
    unit =>
      (window.plumbline.state() as { session: { units: readonly { differs: number }[] } }).session.units[unit]
        ?.differs ?? 0,
    first,
  )
  const been = new Set<string>()
  const chosen = app.id(names.grid).locator('.ag-row[aria-selected="true"]')
  for (let step = 0; step <= differing + 1 && (await onScreen(app)) === first; step++) {
    await app.press('F8')
    if ((await onScreen(app)) !== first) break
    await expect(chosen.locator('[col-id="state"]')).toContainText('differs')
    been.add((await chosen.getAttribute('data-row')) ?? '')
  }
  expect(been.size).toBeGreaterThan(3)
  expect(await onScreen(app)).toBe(first + 1)
})
