// A person saves what was found: tables, reports, pictures.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { say } from '../../preload/contract/words/index.ts'
import { expect, usualPair, scratch, test } from '../support/app.ts'
import { names } from '../support/names.ts'

test('saves the table, the advice and a report where the person says', async ({ start }) => {
  const app = await start({ paths: usualPair })
  const folder = scratch()
  await app.answerDialogs([folder])
  for (const format of ['xlsx', 'csv', 'advisor', 'html'] as const) {
    await app.press('Control+e')
    await app.id(`export-${format}`).click()
    await expect(app.id('notice')).toContainText('Saved')
    await app.idle()
  }
  const written = readdirSync(folder)
  for (const ending of ['.xlsx', '.csv', '.txt', '.html'])
    expect(
      written.some(name => name.endsWith(ending)),
      ending,
    ).toBe(true)
  const report = readFileSync(path.join(folder, written.find(name => name.endsWith('.html')) ?? ''), 'utf8')
  expect(report.includes('data:image/svg+xml')).toBe(true)
  const card = app.page.getByTestId('headline')
  // What the ticket says is what the card says: how it enters, the line of source, what it explains.
  for (const text of [card.locator('.card-sub'), card.locator('pre'), card.getByTestId('explains')])
    expect(report).toContain(await text.innerText())
  const head = report.slice(report.indexOf('class="first"'), report.indexOf('</section>'))
  expect(head).toMatch(/linear\.4\.forward\.output\.0.*class="state differs"/)
  // Rows around the culprit come first, the culprit is marked among them, and each row has its state.
  const around = report.indexOf(say('en', 'report.around', { node: 'Functional.linear.4.forward' }))
  expect(around).toBeGreaterThan(0)
  const marked = report.search(/<tr class="[^"]*origin"/)
  expect(marked).toBeGreaterThan(around)
  expect(report.indexOf(say('en', 'report.rows'))).toBeGreaterThan(marked)
})

test('saves pictures of the graphs and of the window', async ({ start }) => {
  const app = await start({ paths: usualPair })
  const folder = scratch()
  for (const [picture, name, begins] of [
    ['svg-debug', 'g.svg', '<svg'],
    ['png-bench', 'g.png', '\x89PNG'],
    ['window', 'w.png', '\x89PNG'],
  ] as const) {
    const file = path.join(folder, name)
    await app.answerDialogs([file])
    await app.press('Control+e')
    await app.id(`export-${picture}`).click()
    await expect.poll(() => existsSync(file)).toBe(true)
    await app.idle()
    expect(readFileSync(file, 'latin1').startsWith(begins)).toBe(true)
  }
  expect(readFileSync(path.join(folder, 'g.svg'), 'utf8')).toContain('query_key_value')
})

test('a folder that cannot be written to is said to be so', async ({ start }) => {
  const app = await start({ paths: usualPair })
  await app.answerDialogs(['/proc/1'])
  await app.press('Control+e')
  await app.id('export-csv').click()
  await expect(app.page.getByRole('dialog').locator(`[data-testid="${names.problem}"]`)).toHaveAttribute(
    'data-code',
    'output-not-writable',
  )
})
