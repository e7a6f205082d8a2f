// An opened pair of many steps and ranks: one picture that leads to each, questions, and results that outlive the window.
import path from 'node:path'
import { expect, scratch, test, type App } from '../support/app.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { names } from '../support/names.ts'
import { rankTrees } from '../support/rank-trees.ts'

const call = 'Functional.linear.9.forward'

function runs(ranks: number): readonly [string, string] {
  const order = { folder: path.join(scratch(), 'runs'), steps: 2, ranks, tensors: 100 }
  const { debug, bench } = rankTrees({ ...order, fault: { rank: 2, step: 1, layer: 1 } })
  return [debug, bench]
}

const picture = (app: App): ReturnType<App['id']> => app.id('ranks-picture')

test('the picture fills, a cell leads to its step and rank, with the call that was looked at', async ({
  start,
}) => {
  const app = await start({ paths: runs(8) })
  await app.id('rail-units').click()
  await expect(picture(app)).toHaveAttribute('data-cells', '16')
  await expect(app.id('ranks-verdict')).toHaveText(
    `16 of 16 steps and ranks compared, 8 differ. step 1, rank 2: The difference begins in ${call}: all it reads agrees, what it gives does not.`,
  )
  await app.id('ranks-origin').first().click()
  await app.idle()
  await expect(app.id('ranks-chosen')).toContainText('step 1, rank 2')
  await expect(app.id('rank')).toHaveText(/2/)
  await app.id('ranks-colour').click()
  await app.page.getByRole('menuitem', { name: 'One call…' }).click()
  await app.id('ranks-node').fill(call)
  await app.id('ranks-node').press('Enter')
  await app.idle()
  await expect(picture(app)).toHaveAttribute('data-by', 'node')
  await app.id('ranks-open').click()
  await app.idle()
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', call)
})

test('questions are asked of the pair on screen, and a row leads to its step and rank', async ({ start }) => {
  const app = await start({ paths: runs(4) })
  await app.press('Control+Shift+Q')
  await app.id('ranks-ask').click()
  await expect(app.id('ranks-told')).toHaveText(/^8 rows in \d+ ms$/)
  await app.id('ranks-answer').getByText(call).first().dblclick()
  await app.idle()
  await expect(app.id('ranks-chosen')).toContainText('step 1, rank 2')
})

test('what was compared is there at the next start', async ({ start }) => {
  const paths = runs(4)
  const first = await start({ paths })
  await first.id('rail-units').click()
  await expect(first.id('ranks-verdict')).toContainText('8 of 8 steps and ranks compared')
  await first.close()
  const next = await start({ paths, data: first.data })
  await expect(next.id('ranks-verdict')).toContainText('8 of 8 steps and ranks compared, 4 differ.')
})

test('ranks that hold one model together are put together in the window, and again at the next start', async ({
  start,
}) => {
  const paths = ['tp2pp2', 'tp1'].map(name => path.join(fixturesRoot(), 'ranks', name))
  const app = await start({ paths })
  await app.id('rail-units').click()
  await app.id('ranks-put-together').click()
  await app.id('together-debug-tp').fill('2')
  await app.id('together-debug-pp').fill('3')
  await app.id('together-apply').click()
  await app.idle()
  await expect(app.page.getByText(/cannot be tp 2 × pp 3/)).toBeVisible()
  await app.id('ranks-put-together').click()
  await app.id('together-debug-tp').fill('2')
  await app.id('together-debug-pp').fill('2')
  await app.id('together-apply').click()
  await app.idle()
  await expect(app.id('ranks-verdict')).toContainText('1 of 1 steps and ranks compared, 0 differ.')
  await app.close()
  const next = await start({ paths, data: app.data })
  await expect(next.id('ranks-verdict')).toContainText('1 of 1 steps and ranks compared, 0 differ.')
  await next.id('ranks-put-together').click()
  await expect(next.id('together-debug-pp')).toHaveValue('2')
})
