// Notes and pins: written on a node, marked, listed, there again with the pair, and in the page for a ticket.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { say } from '../../preload/contract/words/index.ts'
import { expect, scratch, test, usualPair } from '../support/app.ts'
import { names } from '../support/names.ts'

test('a note and a pin stay with the pair and go into the ticket', async ({ start }) => {
  const app = await start({ paths: usualPair })
  const node = (await app.id(names.inspector).getAttribute('data-node')) ?? ''
  await app.id('note').locator('summary').click()
  await app.page.getByRole('textbox', { name: say('en', 'note.title') }).fill('Ask <Li> about the scale.')
  await app.id('pin').click()
  await app.idle()
  await expect(app.id(names.graphDebug)).toHaveAttribute('data-noted', node)
  const { data } = app
  await app.close()

  const again = await start({ data, paths: usualPair })
  await expect(again.id(names.graphDebug)).toHaveAttribute('data-noted', node)
  await expect(again.page.getByRole('textbox', { name: say('en', 'note.title') })).toHaveValue(/scale/)
  await again.id('rail-nodes').click()
  await again.page.getByRole('tab', { name: say('en', 'nodes.notes') }).click()
  await expect(again.id('nodes').getByText('Ask <Li> about the scale.')).toBeVisible()

  const folder = scratch()
  await again.answerDialogs([folder])
  await again.page.evaluate(() => window.plumbline.run('export'))
  await again.idle()
  await again.id('export-html').click()
  await again.idle()
  const written = (): string => readdirSync(folder).find(name => name.endsWith('.html')) ?? ''
  await expect.poll(written).not.toBe('')
  const page = readFileSync(path.join(folder, written()), 'utf8')
  expect(page).toContain('Ask &lt;Li&gt; about the scale.')
  expect(page).toContain(`<h3>${node}</h3>`)
})

test('the mark of a pin is in the overview and in pictures', async ({ start }) => {
  const app = await start({ paths: usualPair })
  await app.press('Control+f')
  await app.type('view_as.0.forward')
  await app.press('Enter', 'Escape', 'Escape')
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', 'Tensor.view_as.0.forward')
  await app.id('pin').click()
  await app.idle()
  for (const side of ['debug', 'bench'])
    await expect(app.id(`minimap-${side}`)).toHaveAttribute('data-noted', '1')

  const file = path.join(scratch(), 'debug.svg')
  await app.answerDialogs([file])
  await app.press('Control+e')
  await app.id('export-svg-debug').click()
  await expect.poll(() => existsSync(file)).toBe(true)
  await app.idle()
  expect(readFileSync(file, 'utf8').split('class="noted"')).toHaveLength(2)
})
