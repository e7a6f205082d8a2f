// The advisor's cards: what they say, where they lead, and how they follow the thresholds.
import { say } from '../../preload/contract/words/index.ts'
import path from 'node:path'
import { dump, expect, usualPair, test } from '../support/app.ts'
import { root } from '../../.ci/electron.mjs'
import { names } from '../support/names.ts'

const sample = {
  debug: path.join(root, 'resources', 'sample', 'debug'),
  bench: path.join(root, 'resources', 'sample', 'bench'),
}

test('the headline leads to its node everywhere, its evidence to the row', async ({ start }) => {
  const app = await start({ paths: usualPair })
  const card = app.page.getByTestId('headline')
  const node = (await card.getAttribute('data-node')) ?? ''
  expect(node).not.toBe('')
  // Whoever opens two folders sees the numbers that prove it without a click.
  await expect(app.id(names.inspector).locator('.item.here .item-name')).toHaveText(
    /^\u200e?(?:input|output)\./,
  )
  const proof = (await app.id(names.inspector).locator('.item.here .item-name').innerText()).replaceAll(
    '\u200e',
    '',
  )
  expect((await card.locator('.evidence-label').first().innerText()).replaceAll('\u200e', '')).toBe(proof)
  await card.locator('.headline-node').click()
  await app.idle()
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', node)
  await expect(app.id(names.graphDebug)).toHaveAttribute('data-selected', /./)
  await card.locator('.evidence button').first().click()
  await app.idle()
  await expect(app.id(names.grid).locator('[aria-selected="true"]').first()).toBeVisible()
})

test('without an origin one begins at the first failing row', async ({ start }) => {
  const app = await start({ paths: [dump('ms_tr_none_statistics_mix'), dump('pt_tr_none_statistics_mix')] })
  await expect(app.page.getByTestId('headline')).toHaveCount(0)
  await expect(app.id(names.inspector).locator('.item.here .item-name')).toContainText('output.0')
})

test('a dump without hierarchy is not called a fault', async ({ start }) => {
  const app = await start({
    paths: [dump('ms_lenet_half_statistics_L1'), dump('ms_lenet_none_statistics_L1')],
  })
  await expect(app.page.getByTestId('headline')).toBeVisible()
  await expect(app.id(names.problem)).toHaveCount(0)
})

test('a difference that a collective passed on leads to the rank where it begins', async ({ start }) => {
  const app = await start({ paths: [dump('pt_tp_4ranks_rank2_w'), dump('pt_tp_4ranks_none')] })
  // The window opened there; another rank only sees what it was passed.
  await app.page.evaluate(() => window.plumbline.run('previous-unit'))
  await app.idle()
  await app.page.getByTestId('find-rank').click()
  await expect(app.page.getByTestId('headline').locator('.card-sub')).toHaveText(
    say('en', 'finding-kind.different-weights'),
  )
  await app.idle()
  await expect(app.id(names.toolbar)).toContainText(/rank ?2/)
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', 'Functional.linear.2.forward')
})

test('a click into the curve selects the operation there', async ({ start }) => {
  const app = await start({ paths: usualPair })
  const curve = app.id(names.advisor).locator('.u-over')
  await curve.scrollIntoViewIfNeeded()
  const box = await curve.boundingBox()
  if (!box) throw new Error('no curve')
  await app.page.mouse.click(box.x + box.width * 0.9, box.y + box.height / 2)
  await app.idle()
  const late = await app.id(names.inspector).getAttribute('data-node')
  await app.page.mouse.click(box.x + box.width * 0.1, box.y + box.height / 2)
  await app.idle()
  expect(late).toBeTruthy()
  expect(await app.id(names.inspector).getAttribute('data-node')).not.toBe(late)
})

test('a threshold of the advisor changes what it says at once, and can be taken back', async ({ start }) => {
  const app = await start({ paths: [dump('pt_tr_ln_eps_statistics_mix'), dump('pt_tr_none_statistics_mix')] })
  const kind = app.page.getByTestId('headline').locator('.card-sub')
  await expect(kind).toHaveText(say('en', 'finding-kind.argument'))
  await app
    .id(names.advisor)
    .getByRole('button', { name: say('en', 'command.thresholds'), exact: true })
    .click()
  await app.page.getByText(say('en', 'thresholds.advisor'), { exact: true }).click()
  const field = app.page.getByLabel(say('en', 'thresholds.argument'))
  await field.fill('-1')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await field.fill('1e9')
  await app.idle()
  await expect(kind).toHaveText(say('en', 'finding-kind.origin'))
  await app.button('thresholds.back').click()
  await app.idle()
  await expect(kind).toHaveText(say('en', 'finding-kind.argument'))
  await expect(field).toHaveValue('0.000001')
})

test('what a headline explains is a click away, and so is what it leaves open', async ({ start }) => {
  const app = await start({ paths: [sample.debug, sample.bench] })
  const card = app.page.getByTestId('headline')
  const claim = await card.getByTestId('explains').innerText()
  const [explained = 0, of = 0] = (claim.match(/\d+/g) ?? []).map(Number)
  expect(explained).toBeGreaterThan(0)
  const left = of - explained
  expect(left).toBeGreaterThan(0)
  await card.getByTestId('explains').click()
  await app.idle()
  await expect(app.page.locator('.grid-count')).toContainText(`${explained} `)
  await expect(app.page.getByTestId('chip-differs')).toContainText(String(explained))
  await card.getByTestId('explains-rest').click()
  await app.idle()
  await expect(app.page.locator('.grid-count')).toContainText(`${left} `)
  await expect(app.page.getByTestId('chip-differs')).toContainText(String(left))
  await app.page.getByTestId('chip-explained').click()
  await app.idle()
  await expect(app.page.getByTestId('chip-differs')).toContainText(String(of))
})

test('evidence names its measure, shows both sides and the state of its row', async ({ start }) => {
  const app = await start({ paths: [sample.debug, sample.bench] })
  const rows = app.page.getByTestId('headline').locator('.evidence-row')
  await expect(rows.nth(0)).toContainText('input.4')
  await expect(rows.nth(0)).toContainText(say('en', 'shown.value'))
  await expect(rows.nth(0).locator('.evidence-value')).toHaveText(['0.1', '0.00001'])
  // As far off as graph and table have it.
  await expect(rows.nth(0).locator('.evidence-level')).toHaveText('1')
  await expect(rows.nth(0)).toHaveAttribute('data-state', 'differs')
  await expect(rows.nth(1)).toContainText(say('en', 'shown.norm'))
  await expect(rows.nth(1)).toHaveAttribute('data-state', 'differs')
  await expect(rows.nth(2)).toHaveAttribute('data-state', 'equal')
})

test('msprobe’s own first row is a folded line at the end, in its own name', async ({ start }) => {
  const app = await start({ paths: usualPair })
  const first = app.page.getByTestId('first-row')
  await expect(first).not.toHaveAttribute('open')
  await first.locator('summary').click()
  await first.locator('.link').click()
  await app.idle()
  await expect(app.id(names.grid).locator('[aria-selected="true"]').first()).toBeVisible()
})

for (const [fault, kind, shown] of [
  ['tr_bf16_mlp1_tensor_mix', 'precision', ['bfloat16', 'float32']],
  ['lenet_shape_statistics_mix', 'shape', ['[48, 300]', '[40, 300]']],
] as const)
  test(`of another ${kind}: both sides stand in the card, nothing is said to agree`, async ({ start }) => {
    const bench = fault.replace(/_(?:bf16_mlp1|shape)_/, '_none_')
    const app = await start({ paths: [dump(`pt_${fault}`), dump(`pt_${bench}`)] })
    const card = app.page.getByTestId('headline')
    await expect(card.locator('.card-sub')).toHaveText(say('en', `finding-kind.${kind}`))
    await expect(card.locator('.evidence-row').first().locator('.evidence-value')).toHaveText([...shown])
    await expect(card.locator('.evidence-row:not([data-state="differs"])')).toHaveCount(0)
    // The table does not pair the two, which is said once; of what has no partner nothing was measured.
    await expect(card.getByText(say('en', 'advisor.against-alone'))).toHaveCount(1)
    await expect(app.id(names.inspector).locator('.item.here .row-state')).toContainText(
      say('en', 'state.unpaired'),
    )
    await expect(app.id(names.inspector).locator('.item.here .metrics')).toHaveCount(0)
  })

test('infinity is spelled alike in the card and beside it', async ({ start }) => {
  const app = await start({
    paths: [dump('pt_tr_inf_attn_statistics_mix'), dump('pt_tr_none_statistics_mix')],
  })
  const first = app.page.getByTestId('headline').locator('.evidence-row').first()
  await expect(first.locator('.evidence-value').first()).toHaveText('-inf')
  await expect(app.id(names.inspector).locator('.item.here')).toContainText('-inf')
  await expect(app.page.getByTestId('headline')).not.toContainText('Infinity')
})

test('why can be folded away, of the finding and of every item; what is wrong stays in view', async ({
  start,
}) => {
  const app = await start({ paths: [sample.debug, sample.bench] })
  const [inspector, card] = [app.id(names.inspector), app.page.getByTestId('headline')]
  await expect(card.locator('.card-text')).toBeVisible()
  await card.locator('.fold > summary').click()
  await expect(card.locator('.card-text')).toBeHidden()
  await expect(card.locator('.card-sub')).toBeVisible()

  const reasons = inspector.getByTestId('reason')
  expect(await reasons.count()).toBeGreaterThan(1)
  const toggle = inspector.getByRole('button', { name: /^Why: differs/ }).first()
  await toggle.click()
  await expect(reasons).toHaveCount(0)
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  const { data } = app
  await app.close()

  const again = await start({ data, paths: [sample.debug, sample.bench] })
  await expect(again.id(names.inspector).locator('.item').first()).toBeVisible()
  await expect(again.id(names.inspector).getByTestId('reason')).toHaveCount(0)
  await again
    .id(names.inspector)
    .getByRole('button', { name: /^Why: differs/ })
    .first()
    .click()
  await expect(again.id(names.inspector).getByTestId('reason').first()).toBeVisible()

  // An item that is longer than its panel keeps its name and its state at the top.
  await again.resize(1520, 640)
  const last = again.id(names.inspector).locator('.item').last()
  await last.evaluate(item => item.scrollIntoView({ block: 'end' }))
  await expect(last.locator('.row-state')).toBeInViewport({ ratio: 1 })
})

test('the rules that were checked are listed with what became of them', async ({ start }) => {
  const app = await start({ paths: [sample.debug, sample.bench] })
  const list = app.page.getByTestId('checked')
  await list.locator('summary').click()
  await expect(list.locator('[data-state="fail"]').first()).toBeVisible()
  await expect(list.locator('[data-state="pass"] [title]').first()).toHaveAttribute(
    'title',
    say('en', 'checked.pass'),
  )
  await expect(list.locator('[data-rule="collectives"]')).toContainText(say('en', 'checked.not-applicable'))
})
