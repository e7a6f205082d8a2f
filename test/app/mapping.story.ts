// Mapping two frameworks: proposals, trees, wires and text over one document with one history; files,
// previews, crashes.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { dump, expect, scratch, test, type App } from '../support/app.ts'
import { names } from '../support/names.ts'
import { blocks, renamedFolder, stages } from '../support/renamed-files.ts'

const pair = (): string[] => [dump('ms_tr_none_statistics_mix'), dump('pt_tr_none_statistics_mix')]

async function matched(app: App): Promise<number> {
  const text = await app.id('mapping-coverage').getByRole('meter').first().getAttribute('aria-valuenow')
  return Number(text)
}

const tab = async (app: App, name: string): Promise<void> => {
  await app.page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
  await app.idle()
}

/** A new mapping of a kind. */
async function begin(app: App, kind: string): Promise<void> {
  await app.button('mapping.title').first().click()
  await app.page.getByRole('button', { name: kind }).click()
  await app.id('mapping-new').click()
  await app.idle()
}

const rows = (app: App, side: 'debug' | 'bench') => app.id(`mapping-names-${side}`).locator('.long-row')

test('rows without partner lead from the advisor to the layers of two frameworks', async ({ start }) => {
  const app = await start({ paths: pair() })
  const card = app.page.getByTestId('unpaired')
  await card.getByRole('button').click()
  await app.idle()
  await expect(app.page.getByRole('button', { name: 'Layers' })).toHaveAttribute('aria-pressed', 'true')
  await app.id('mapping-new').click()
  await app.idle()
  await app.id('mapping-accept-all').click()
  await app.idle()
  await app.button('advisor.title').first().click()
  await app.idle()
  await expect(card).toHaveCount(0)
})

test('accepting proposals brings the two sides together, and undo takes it back', async ({ start }) => {
  const app = await start({ paths: pair() })
  await begin(app, 'Layers')
  await expect(app.id('mapping-proposals')).toBeVisible()
  const before = await matched(app)
  await app.id('mapping-accept-all').click()
  await expect.poll(() => matched(app)).toBeGreaterThan(before + 100)
  await tab(app, 'Text')
  await expect(app.id('mapping-editor')).toContainText('query_key_value')
  await app.button('mapping.undo').click()
  await expect(app.id('mapping-editor')).not.toContainText('query_key_value')
  await expect.poll(() => matched(app)).toBe(before)
})

test('layers are paired by keyboard alone in two trees; the rule names the class, and undo works across views', async ({
  start,
}) => {
  const app = await start({ paths: pair() })
  await begin(app, 'Layers')
  await tab(app, 'Pairs')
  const before = await matched(app)
  await app.id('mapping-names-debug').focus()
  await app.press('Home')
  await expect(rows(app, 'debug').first()).toHaveAttribute('aria-selected', 'true')
  await expect(rows(app, 'debug').first()).toContainText('TransformerModel')
  await app.id('mapping-names-bench').focus()
  await app.press('Home', 'Enter')
  await expect.poll(() => matched(app)).toBeGreaterThan(before)
  await expect(rows(app, 'debug').first()).toContainText('↔ module')

  // A level further down: the tree opens by key and shows what is below, with its class.
  await app.id('mapping-names-debug').focus()
  await app.press('Home', 'ArrowRight')
  await expect(rows(app, 'debug').first()).toHaveAttribute('aria-expanded', 'true')
  await expect(rows(app, 'debug').nth(1)).toHaveAttribute('aria-level', '2')
  await app.press('ArrowLeft')
  await expect(rows(app, 'debug').first()).toHaveAttribute('aria-expanded', 'false')

  await tab(app, 'Text')
  await expect(app.id('mapping-editor')).toContainText('Cell:')
  await expect(app.id('mapping-editor')).toContainText('model: module')
  await tab(app, 'Pairs')
  await app.id('mapping-names-debug').focus()
  await app.press('Home', 'Delete')
  await expect.poll(() => matched(app)).toBe(before)
  await app.press('Control+z')
  await expect.poll(() => matched(app)).toBeGreaterThan(before)
})

test('layers are paired by drag, found by search, and filtered by what became of them', async ({ start }) => {
  const app = await start({ paths: pair() })
  await begin(app, 'Layers')
  await tab(app, 'Pairs')
  const before = await matched(app)
  await rows(app, 'debug').first().dragTo(rows(app, 'bench').first())
  await expect.poll(() => matched(app)).toBeGreaterThan(before)

  const find = app.id('mapping-pairs').getByRole('searchbox').first()
  await find.fill('qkv_proj')
  await app.idle()
  // What leads there stays, so that the tree can be read.
  await expect(rows(app, 'debug').first()).toContainText('model')
  await expect(rows(app, 'debug').filter({ hasText: 'qkv_proj' })).toHaveCount(2)
  await rows(app, 'debug').filter({ hasText: 'qkv_proj' }).first().click()
  const other = app.id('mapping-pairs').getByRole('searchbox').nth(1)
  await other.fill('query_key_value')
  await app.idle()
  await rows(app, 'bench').filter({ hasText: 'query_key_value' }).first().click()
  // The attention around them has not met, so the rule begins there.
  await expect(app.id('mapping-pairs')).toContainText(
    'ParallelTransformerLayer: attention.qkv_proj → self_attention.query_key_value',
  )
  await app.id('mapping-pair').click()
  await app.idle()
  await expect(rows(app, 'debug').filter({ hasText: 'qkv_proj' }).first()).toContainText('↔ query_key_value')
  await find.fill('')
  await app.id('mapping-pairs').getByRole('button', { name: 'Matched', exact: true }).click()
  await app.idle()
  await expect(
    rows(app, 'debug')
      .filter({ has: app.page.locator('.names-state.matched') })
      .first(),
  ).toBeVisible()
})

test('arguments of an API are wired by keys and by mouse', async ({ start }) => {
  const app = await start({ paths: pair() })
  await begin(app, 'APIs')
  await tab(app, 'Pairs')
  for (const i of [0, 1]) await app.id('mapping-pairs').getByRole('searchbox').nth(i).fill('split')
  await app.idle()
  await rows(app, 'debug').first().click()
  await rows(app, 'bench').first().click()
  await app.id('mapping-pair').click()
  await app.idle()
  const wiring = app.id('mapping-wiring')
  await expect(wiring.getByRole('button', { name: '0 → 0' }).first()).toBeAttached()
  const wires = await wiring.getByRole('button', { name: /→/ }).count()

  await wiring.locator('.ports.left button').first().focus()
  await app.press('Delete')
  await expect(wiring.getByRole('button', { name: /→/ })).toHaveCount(wires - 1)
  await wiring.locator('.ports.left button').first().focus()
  await app.press('Enter', 'ArrowRight', 'Enter')
  await expect(wiring.getByRole('button', { name: /→/ })).toHaveCount(wires)
  // A straight line has no height of its own.
  const line = await wiring.getByRole('button', { name: /→/ }).first().boundingBox()
  if (!line) throw new Error('no line')
  await app.page.mouse.click(line.x + line.width / 2, line.y + line.height / 2)
  await expect(wiring.getByRole('button', { name: /→/ })).toHaveCount(wires - 1)
  await tab(app, 'Text')
  await expect(app.id('mapping-editor')).toContainText('ms_api: Functional.split')
})

test('the built-in table can be read and overridden, and says so', async ({ start }) => {
  const app = await start({ paths: pair() })
  await begin(app, 'APIs')
  await tab(app, 'Built-in')
  const table = app.id('mapping-built-in')
  await expect(table).toContainText('Torch.')
  await table.getByRole('button', { name: 'Override' }).first().click()
  await app.idle()
  await tab(app, 'Text')
  await expect(app.id('mapping-editor')).toContainText('ms_api')
  await tab(app, 'Built-in')
  await expect(table).toContainText('overridden')
})

test('a mapping file dropped on the window comes into force; its errors stand at their place, with a fix and a hover', async ({
  start,
}) => {
  const app = await start({ paths: pair() })
  const file = path.join(scratch(), 'layer.yaml')
  writeFileSync(file, '# of the story\nCell:\n  modle: module\n')
  await app.drop([file])
  await expect(app.id('mapping')).toBeVisible()
  await tab(app, 'Text')
  await expect(app.id('mapping-editor')).toContainText('# of the story')
  await expect(app.page.locator('.mapping-problems')).toContainText('1 warning')

  await app.page.locator('.cm-lintRange-warning').hover()
  await expect(app.page.locator('.cm-tooltip-lint')).toContainText('The debug side has no modle.')
  await app.page.locator('.cm-diagnosticAction').click()
  await app.idle()
  await expect(app.id('mapping-editor')).toContainText('model: module')
  await expect(app.page.locator('.mapping-problems')).toContainText('No problems')
  await app.page.mouse.move(0, 0)
  await app.page
    .locator('.cm-line')
    .filter({ hasText: 'model: module' })
    .hover({ position: { x: 30, y: 6 } })
  await expect(app.page.locator('.mapping-hover')).toContainText('pairs')
})

test('names are completed from both dumps, with their class or shape', async ({ start }) => {
  const app = await start({ paths: pair() })
  await begin(app, 'APIs')
  await tab(app, 'Text')
  await app.page.locator('.cm-content').click()
  await app.type('- ms_api: Functional.spl')
  const list = app.page.locator('.cm-tooltip-autocomplete')
  await expect(list).toContainText('Functional.split')
  await expect(list.locator('.cm-completionDetail').first()).toContainText('[')
  // A key right after the list appears is not for it.
  await list.locator('li').first().click()
  await app.idle()
  await expect(app.id('mapping-editor')).toContainText('Functional.split')
})

test('what saving changes is shown before, and the file holds what the editor shows', async ({ start }) => {
  const app = await start({ paths: pair() })
  const file = path.join(scratch(), 'mine.yaml')
  await app.answerDialogs([file])
  await begin(app, 'Layers')
  await app.id('mapping-accept-all').click()
  await app.idle()
  await app.button('mapping.save').click()
  await app.page.getByRole('menuitem', { name: 'Save', exact: true }).click()
  const preview = app.id('mapping-preview')
  await expect(preview).toContainText(/\d+ pairs more/)
  await expect(preview.locator('.mapping-diff li').first()).toContainText('→')
  await app.id('mapping-save').click()
  await app.idle()
  expect(readFileSync(file, 'utf8')).toContain('qkv_proj: query_key_value')
  await expect(app.page.locator('.mapping-kinds .dot.changed')).toHaveCount(0)
})

test('what is not saved survives the engine and the whole app being killed, even where it cannot be read', async ({
  start,
}) => {
  const first = await start({ paths: pair() })
  await begin(first, 'Layers')
  await tab(first, 'Text')
  await first.page.locator('.cm-content').click()
  await first.type('Cell:\nmodel: module\n')
  await first.killEngine()
  await expect(first.id('mapping-editor')).toContainText('model: module')
  // The history goes on over the crash of the engine.
  await first.page.locator('.cm-content').click()
  await first.press('Control+End')
  await first.type('broken: [')
  await first.kill()

  const second = await start({ paths: pair(), data: first.data })
  await tab(second, 'Text')
  await expect(second.id('mapping-editor')).toContainText('model: module')
  await expect(second.id('mapping-editor')).toContainText('broken: [')
  await expect(second.page.locator('.mapping-kinds .dot.changed')).toHaveCount(1)
})

test('files in other encodings are opened whole, and say so', async ({ start }) => {
  const app = await start({ paths: pair() })
  const folder = scratch()
  const text = '# größer\nCell:\n  model: module\n'
  const wide = path.join(folder, 'wide.yaml')
  writeFileSync(wide, Buffer.from(`\uFEFF${text}`, 'utf16le'))
  await app.drop([wide])
  await tab(app, 'Text')
  await expect(app.id('mapping-editor')).toContainText('# größer')
  await expect(app.page.locator('[data-code="mapping-encoding"]')).toContainText('utf-16')
  await expect(app.page.locator('.mapping-kinds .dot.changed')).toHaveCount(1)

  const narrow = path.join(folder, 'narrow.yaml')
  writeFileSync(narrow, Buffer.from(text.replace('größer', 'kleiner größer'), 'latin1'))
  await app.drop([narrow])
  await expect(app.id('mapping-editor')).toContainText('# kleiner größer')
})

/** Two ports of one model that share no names, one of them with a fault. */
function ports(): string[] {
  const folder = scratch()
  return [
    renamedFolder('ms_tr_w_qkv1_statistics_mix', blocks, folder),
    renamedFolder('pt_tr_none_statistics_mix', stages, folder),
  ]
}

const selected = (app: App, side: 'debug' | 'bench') => app.id(`graph-${side}`)

test('ports that share no names are paired by what they carry, to the last module; both graphs follow', async ({
  start,
}) => {
  const app = await start({ paths: ports() })
  // The module around the call that is named first.
  await app.id('headline').getByTitle('Cell.vit.blocks').first().click()
  await app.idle()
  await begin(app, 'Layers')
  await expect(app.id('mapping-proposals')).toContainText('blocks → stages')
  await expect(app.id('mapping-proposals')).toContainText('as many numbered parts')
  await expect(selected(app, 'debug')).toHaveAttribute('data-selected', /vit\.blocks/)
  await expect(selected(app, 'bench')).toHaveAttribute('data-selected', '')
  await app.id('mapping-accept-all').click()
  await app.idle()
  await expect(app.id('mapping-alone')).toContainText('All modules are paired.')
  await expect(app.id('mapping-proposals')).toContainText('compares a part with the whole')
  await expect(selected(app, 'bench')).toHaveAttribute('data-selected', /stages/)
  // Its box is drawn, so that it can be told to those who cannot see it.
  await expect(selected(app, 'bench')).toHaveAttribute('aria-activedescendant', 'bench-selected')
})

test('a text that cannot be read has one error, and the last one that could be stays in force', async ({
  start,
}) => {
  const app = await start({ paths: pair() })
  await begin(app, 'Layers')
  await app.id('mapping-accept-all').click()
  await app.idle()
  const before = await matched(app)
  await tab(app, 'Text')
  await app.page.locator('.cm-content').click()
  await app.press('Control+End')
  await app.type('broken: [')
  const problems = app.page.locator('.mapping-problems')
  await expect(problems).toContainText('1 error. The last text that could be read is in force')
  expect(await matched(app)).toBe(before)
})

test('a pair that only the advisor makes becomes a rule by one click', async ({ start }) => {
  const app = await start({ paths: ports() })
  const card = app.id('only-advised')
  await expect(card).toContainText('paired by the advisor only')
  await app.id('make-rule').click()
  await app.idle()
  await expect(app.id('mapping')).toBeVisible()
  // The modules around a product that the other side computes with its bias: class by class.
  await tab(app, 'Text')
  for (const rule of ['blocks: stages', 'attn: mixer', 'qkv: in_proj'])
    await expect(app.id('mapping-editor')).toContainText(rule)
  await expect(app.id('mapping-editor')).not.toContainText('MatMul')
  await tab(app, 'Proposals')
  await app.id('mapping-accept-all').click()
  await app.idle()
  await expect(app.id('mapping-alone')).toContainText('All modules are paired.')
  await app.button('advisor.title').first().click()
  await app.idle()
  await expect(card).toHaveCount(0)
})

test('nodes without partner say why once, by how many', async ({ start }) => {
  const app = await start({ paths: ports() })
  await begin(app, 'Layers')
  await app.id('mapping-accept-all').click()
  await app.button('nodes.title').first().click()
  await app.page.getByRole('tab', { name: /^Only debug/ }).click()
  await app.idle()
  const reason = app.id('nodes').getByRole('button', { name: /^not in the mapping/ })
  await expect(reason).toHaveCount(1)
  await reason.click()
  await expect(reason).toHaveAttribute('aria-pressed', 'true')
  await expect(app.id('nodes').locator('.long-row').first()).not.toContainText('The mapping in use')
})

test('the panel opens on layers, of one framework too', async ({ start }) => {
  const app = await start({ paths: [dump('pt_tr_w_qkv1_statistics_mix'), dump('pt_tr_none_statistics_mix')] })
  await app.button('mapping.title').first().click()
  await app.idle()
  await expect(app.page.getByRole('button', { name: 'Layers' })).toHaveAttribute('aria-pressed', 'true')
  await app.id('mapping-new').click()
  await app.idle()
  await expect(app.id('mapping-coverage')).toBeVisible()
})

test('the badge and the advisor’s card count the same calls', async ({ start }) => {
  const app = await start({ paths: pair() })
  const numbers = async (text: Promise<string>): Promise<number[]> =>
    ((await text).replaceAll(',', '').match(/\d+/g) ?? []).map(Number)
  const badge = app.page.locator('.mapping-badge .badge-words')
  await expect(badge).toHaveText(/\d+ of \d+ calls have a partner$/)
  const [paired = 0, all = 0] = await numbers(badge.innerText())
  const [alone] = await numbers(app.page.getByTestId('unpaired').locator('h3').innerText())
  expect(all - paired).toBe(alone)
  await badge.hover()
  await expect(app.page.getByRole('tooltip')).toContainText(`debug: ${paired} of ${all} calls`)
})

test('the mapping fills the window on request, text beside lists, and does so at the next start', async ({
  start,
}) => {
  const app = await start({ paths: pair() })
  await begin(app, 'Layers')
  const width = async (of: App): Promise<number> => (await of.id('mapping').boundingBox())?.width ?? 0
  const narrow = await width(app)
  await app.id('mapping-wide').click()
  await app.idle()
  expect(await width(app)).toBeGreaterThan(narrow * 3)
  await expect(app.id(names.grid)).toHaveCount(0)
  await expect(app.id('mapping-proposals')).toBeVisible()
  await app.id('mapping-accept-all').click()
  await expect(app.id('mapping-editor')).toContainText('query_key_value')
  // Whoever goes elsewhere sees the rest of the window.
  await app.id('rail-advisor').click()
  await expect(app.id(names.grid)).toBeVisible()
  await app.id('rail-mapping').click()
  await expect(app.id(names.grid)).toHaveCount(0)
  const { data } = app
  await app.close()
  const again = await start({ data, paths: pair() })
  await expect(again.id('mapping')).toBeVisible()
  expect(await width(again)).toBeGreaterThan(narrow * 3)
  await again.id('mapping-wide').click()
  await again.idle()
  expect(await width(again)).toBeCloseTo(narrow, -1)
  await expect(again.id(names.grid)).toBeVisible()
})
