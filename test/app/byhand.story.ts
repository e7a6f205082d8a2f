// Matching by hand: in the inspector, by clicks in the graphs, from a file; rows, counts, graphs and exports
// follow at once.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { dump, expect, scratch, test, type App } from '../support/app.ts'
import { names } from '../support/names.ts'

const pair = (): string[] => [dump('pt_tr_extra_layer_statistics_mix'), dump('pt_tr_none_statistics_mix')]

async function loneCall(app: App): Promise<string> {
  await app.press('Control+f')
  await app.type('Functional.linear.9.forward')
  await expect(app.page.getByRole('option').first()).toContainText('linear.9')
  await app.press('Enter', 'Escape')
  return (await app.id(names.inspector).getAttribute('data-node')) ?? ''
}

/** Texts of a column of the rows that are on screen. */
const column = async (app: App, id: string): Promise<string[]> =>
  (await app.id(names.grid).locator(`[data-row] [col-id="${id}"]`).allInnerTexts()).map(text =>
    text.replaceAll('\u200e', ''),
  )
/** The whole name on the bench side of the first row, as it stands in the tip. */
async function partner(app: App): Promise<string> {
  const cell = app.id(names.grid).locator('[data-row="0"] [col-id="benchName"]')
  await app.page.mouse.move(0, 0)
  await cell.hover()
  return (await cell.getAttribute('title')) ?? ''
}
const unmatched = async (app: App): Promise<string> => app.id('chip-unpaired').innerText()

test('a match by hand fills the rows of the call, undoing it empties them', async ({ start }) => {
  const app = await start({ paths: pair() })
  const lone = await loneCall(app)
  await app.page.evaluate(() => window.plumbline.run('show-node'))
  await app.idle()
  const before = await unmatched(app)
  expect(new Set(await column(app, 'benchName'))).toEqual(new Set(['N/A']))

  await app.page.getByLabel('Name on the other side').fill('Functional.linear.5.forward')
  await app.id('match').click()
  await app.idle()
  await expect.poll(() => partner(app)).toContain('linear.5')
  expect(await app.id(names.graphBench).getAttribute('data-selected')).toBe('Functional.linear.5.forward')

  await app.page.evaluate(() => window.plumbline.run('match-undo'))
  await app.idle()
  await expect.poll(async () => new Set(await column(app, 'benchName'))).toEqual(new Set(['N/A']))
  expect(await unmatched(app)).toBe(before)
  expect(await app.id(names.inspector).getAttribute('data-node')).toBe(lone)
})

test('matches are saved, dropped on the window again, and come back with the pair', async ({ start }) => {
  const app = await start({ paths: pair() })
  const lone = await loneCall(app)
  await app.page.getByLabel('Name on the other side').fill('Functional.linear.5.forward')
  await app.id('match').click()
  await app.idle()
  const file = path.join(scratch(), 'mine.vis.config')
  await app.answerDialogs([file])
  await app.page.evaluate(() => window.plumbline.run('matches-save'))
  await app.idle()
  await expect
    .poll(() => (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)[lone])
    .toBe('Functional.linear.5.forward')

  const { data } = app
  await app.close()
  const again = await start({ data, paths: pair() })
  await again.page.evaluate(() => window.plumbline.run('show-node'))
  await again.idle()
  expect(await partner(again)).toContain('linear.5')

  await again.page.evaluate(() => window.plumbline.run('match-undo'))
  await again.idle()
  writeFileSync(file, JSON.stringify({ [lone]: 'Functional.linear.5.forward', nobody: 'nowhere' }))
  await again.drop([file])
  await again.idle()
  await expect.poll(() => partner(again)).toContain('linear.5')
  await expect(again.id('notice')).toContainText('1 of 2')
  await expect(again.id(names.problem).filter({ hasText: 'nobody' })).toBeVisible()
})

test('a crash of the engine loses no match', async ({ start }) => {
  const app = await start({ paths: pair() })
  await loneCall(app)
  await app.page.getByLabel('Name on the other side').fill('Functional.linear.5.forward')
  await app.id('match').click()
  await app.idle()
  await app.killEngine()
  await app.page.evaluate(() => window.plumbline.run('show-node'))
  await app.idle()
  await expect.poll(() => partner(app)).toContain('linear.5')
})

test('Esc leaves the matching by click wherever the focus is; a wrong click is said in the bar', async ({
  start,
}) => {
  const app = await start({ paths: pair() })
  const lone = await loneCall(app)
  const bar = app.id('pairing')
  await app.button('matching.click').click()
  await expect(bar).toBeVisible()
  await app.press('Escape')
  await expect(bar).toHaveCount(0)
  await app.button('matching.click').click()
  await app.page.getByLabel('Name on the other side').focus()
  await app.press('Escape')
  await expect(bar).toHaveCount(0)

  await app.button('matching.click').click()
  const own = app.id(names.graphDebug)
  const before = await own.boundingBox()
  const problems = await app.id(names.problem).count()
  for (let step = 0; step < 12 && !(await bar.innerText()).includes('same side'); step++) {
    await own.click({
      position: { x: (before?.width ?? 0) / 2, y: (before?.height ?? 0) * (0.2 + step * 0.05) },
    })
    await app.idle()
  }
  await expect(bar).toContainText('That node is on the same side.')
  expect(await own.boundingBox()).toEqual(before)
  // A module is no partner of a call.
  await app.press('Control+f')
  await app.page.keyboard.press('Escape')
  const there = app.id(names.graphBench)
  const size = await there.boundingBox()
  await app.page.evaluate(() => window.plumbline.run('graph-fit'))
  await app.idle()
  await there.click({ position: { x: (size?.width ?? 0) / 2, y: 14 } })
  await app.idle()
  await expect(bar).toBeVisible()
  await expect(app.id(names.problem)).toHaveCount(problems)
  expect(await own.boundingBox()).toEqual(before)
  expect(await app.id(names.inspector).getAttribute('data-node')).toBe(lone)
})

test('the partner is clicked in the other graph', async ({ start }) => {
  const app = await start({ paths: pair() })
  const lone = await loneCall(app)
  await app.button('matching.click').click()
  await expect(app.id('pairing')).toContainText('linear.9')
  await app.press('Control+f')
  await app.page.keyboard.press('Escape')
  const { bench } = await app.page.evaluate(() => {
    const box = document
      .querySelector('[data-testid="graph-bench"]:not([data-panel])')!
      .getBoundingClientRect()
    return { bench: { x: box.x, y: box.y, width: box.width, height: box.height } }
  })
  // A call of the bench graph: what is under the middle of the pane, or what lies around it.
  for (let step = 0; step < 12 && (await app.id('pairing').isVisible()); step++) {
    await app.page.mouse.click(
      bench.x + bench.width * 0.5 + ((step % 3) - 1) * 60,
      bench.y + bench.height * (0.25 + step * 0.05),
    )
    await app.idle()
  }
  await expect(app.id('pairing')).toHaveCount(0)
  expect(await app.id(names.inspector).getAttribute('data-node')).toBe(lone)
})
