// Mapping two frameworks: proposals accepted, text edited, one history, files opened by drop.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { dump, expect, scratch, test, type App } from '../support/app.ts'

const pair = (): string[] => [dump('ms_tr_none_statistics_mix'), dump('pt_tr_none_statistics_mix')]

async function matched(app: App): Promise<number> {
  const text = await app.id('mapping-coverage').getByRole('meter').first().getAttribute('aria-valuenow')
  return Number(text)
}

test('accepting proposals brings the two sides together, and undo takes it back', async ({ start }) => {
  const app = await start({ paths: pair() })
  await app.button('mapping.title').first().click()
  await app.page.getByRole('button', { name: 'Layers' }).click()
  await app.id('mapping-new').click()
  await app.idle()
  await expect(app.id('mapping-proposals')).toBeVisible()
  const before = await matched(app)
  await app.id('mapping-accept-all').click()
  await expect.poll(() => matched(app)).toBeGreaterThan(before + 100)
  await app.page.getByRole('tab', { name: /^Text/ }).click()
  await expect(app.id('mapping-editor')).toContainText('query_key_value')
  await app.button('mapping.undo').click()
  await expect(app.id('mapping-editor')).not.toContainText('query_key_value')
  await expect.poll(() => matched(app)).toBe(before)
})

test('a mapping file dropped on the window comes into force, and its errors stand at their place', async ({ start }) => {
  const app = await start({ paths: pair() })
  const file = path.join(scratch(), 'layer.yaml')
  writeFileSync(file, '# of the story\nCell:\n  modle: module\n')
  await app.drop([file])
  await expect(app.id('mapping')).toBeVisible()
  await app.page.getByRole('tab', { name: /^Text/ }).click()
  await expect(app.id('mapping-editor')).toContainText('# of the story')
  await expect(app.page.locator('.mapping-problems')).toContainText('1 warnings')
})
