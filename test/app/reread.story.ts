// After each fix: a dump that was taken again is noticed, reading it says what changed, and the history stays.
import { cpSync } from 'node:fs'
import path from 'node:path'
import { dump, expect, scratch, test, type App } from '../support/app.ts'
import { names } from '../support/names.ts'

const right = dump('pt_tr_none_statistics_mix')

/** Two runs alike; `takeAgain` puts another dump where the debug side lies. */
function alike(): { readonly paths: readonly string[]; takeAgain(name: string): void } {
  const debug = path.join(scratch(), 'debug')
  cpSync(right, debug, { recursive: true })
  return {
    paths: [debug, right],
    takeAgain: name => cpSync(dump(name), debug, { recursive: true, force: true }),
  }
}

const chosen = (app: App) => app.id(names.grid).locator('[role="row"][aria-selected="true"]').first()

test('a dump taken again is noticed, read again, told of and kept in the history', async ({ start }) => {
  const { paths, takeAgain } = alike()
  const app = await start({ paths })
  await expect(app.sees('advisor.clean')).toBeVisible()
  await expect(app.id(names.outdated)).toHaveCount(0)

  takeAgain('pt_tr_w_qkv1_statistics_mix')
  await expect(app.id(names.outdated)).toBeVisible()
  await app.press('F5')
  const notice = app.id('notice')
  await expect(notice).toContainText(/Read again: 0 → \d+ rows differ, the error enters at /)
  await expect(app.id(names.outdated)).toHaveCount(0)
  await app.id('notice-go').click()
  await app.idle()
  const headline = await app.page.getByTestId('headline').getAttribute('data-node')
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', headline ?? '')

  await expect(app.id(names.history).locator('li')).toHaveCount(2)
  await app.menu('close')
  const pair = app.id(names.recent).getByRole('button').first()
  await expect(pair).toContainText(/\d+ rows differ/)
  expect((await pair.getAttribute('title'))?.split('\n')).toHaveLength(2)
})

test('reading again what has not changed moves nothing and says so', async ({ start }) => {
  const app = await start({ paths: [dump('pt_tr_w_qkv1_statistics_mix'), right] })
  await app.press('F8', 'F8', 'F8')
  await app.id(names.grid).locator('.body, [role="rowgroup"]').first().hover()
  await app.page.mouse.wheel(0, 78)
  await app.idle()
  const before = [await chosen(app).innerText(), (await chosen(app).boundingBox())?.y]
  await app.id('read-again').click()
  await expect(app.id('notice')).toContainText('as before')
  await app.idle()
  expect([await chosen(app).innerText(), (await chosen(app).boundingBox())?.y]).toEqual(before)
  await expect(app.id(names.history)).toHaveCount(0)
})
