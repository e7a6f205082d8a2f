// One run of several ranks, nothing to compare it with: what should be the same on them and is not, and the way there.
import path from 'node:path'
import { expect, test } from '../support/app.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { names } from '../support/names.ts'

const run = (name: string): string => path.join(fixturesRoot(), 'ranks', name)

test('a card of the advisor names the call, and leads to it on its rank', async ({ start }) => {
  const app = await start({ paths: [run('copies_recompute')] })
  const found = app.id('unequal')
  await expect(found).toHaveCount(1)
  await expect(found).toHaveAttribute('data-kind', 'recomputed-input')
  await found.getByRole('button').click()
  await app.idle()
  await expect(app.id('rank')).toHaveText(/1/)
  await expect(app.id(names.inspector)).toHaveAttribute(
    'data-node',
    'Module.layers.1.down.RowParallelLinear.forward.1',
  )
})

test('the layout is offered as the groups say it; another one makes other claims', async ({ start }) => {
  const app = await start({ paths: [run('copies')] })
  await expect(app.id('replicas')).toContainText('Nothing that should be the same differs.')
  await app.id('replicas-layout').click()
  await expect(app.id('replicas-tp')).toHaveValue('2')
  await app.id('replicas-tp').fill('1')
  await app.id('replicas-apply').click()
  await expect(app.id('unequal').first()).toHaveAttribute('data-kind', 'parameter')
  await app.id('replicas-layout').click()
  await app.id('replicas-reset').click()
  await expect(app.id('replicas')).toContainText('Nothing that should be the same differs.')
})
