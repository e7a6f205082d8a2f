// Dropping: the second dump completes the first, a drop on one side replaces that side only, and what fails leaves
// nothing behind.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { say } from '../../preload/contract/words/index.ts'
import { dump, expect, scratch, test, usualPair, type App } from '../support/app.ts'
import { membersOf, tarBytes } from '../support/archives.ts'
import { names } from '../support/names.ts'

const sides = (app: App): Promise<readonly string[]> =>
  app.page.evaluate(
    () =>
      (
        window.plumbline.state() as { session: { sides: readonly { name: string }[] } | null }
      ).session?.sides.map(side => side.name) ?? [],
  )
const rows = async (app: App): Promise<number> => Number(await app.id(names.grid).getAttribute('data-rows'))

const debug = 'pt_lenet_w_conv2_tensor_mix'
const bench = 'pt_lenet_none_tensor_mix'

test('the second dump that is dropped completes the first, and the next one replaces the side that it falls on', async ({
  start,
}) => {
  const app = await start()
  await app.drop([dump(debug)])
  await expect(app.id(names.problem)).toHaveCount(0)
  expect(await sides(app)).toEqual([debug])
  expect(await rows(app)).toBeGreaterThan(100)
  await app.drop([dump(bench)])
  expect(await sides(app)).toEqual([debug, bench])
  await app.drop([dump('pt_lenet_nan_tensor_mix')], app.id(names.graphDebug))
  expect(await sides(app)).toEqual(['pt_lenet_nan_tensor_mix', bench])
  await app.drop([dump(debug)], app.id('side-bench'))
  expect(await sides(app)).toEqual(['pt_lenet_nan_tensor_mix', debug])
  await app.drop([dump(bench)], app.id(names.status))
  expect(await sides(app)).toEqual([bench])
})

test('while something is dragged the window says where it would land', async ({ start }) => {
  const app = await start({ paths: usualPair })
  const session = await app.page.context().newCDPSession(app.page)
  const data = { items: [], files: [dump(debug)], dragOperationsMask: 1 }
  const dragTo = async (share: number, down: number, type: 'dragEnter' | 'dragOver'): Promise<void> => {
    const at = await app.page.evaluate(
      ([x, y]) => ({ x: innerWidth * (x ?? 0), y: innerHeight * (y ?? 0) }),
      [share, down],
    )
    await session.send('Input.dispatchDragEvent', { type, ...at, data })
  }
  /** What is held over a place tells so again and again, as a real pointer does; Chromium may leave single ones out. */
  const heldOver = async (share: number, down: number, box: string): Promise<void> => {
    await expect(async () => {
      await dragTo(share, down, 'dragOver')
      await expect(app.page.locator(`.drop-hint-box.${box}`)).toHaveClass(/over/, { timeout: 500 })
    }).toPass()
  }
  await dragTo(0.3, 0.4, 'dragEnter')
  await heldOver(0.3, 0.4, 'debug')
  await expect(app.page.locator('.drop-hint-box')).toHaveCount(3)
  await heldOver(0.7, 0.4, 'bench')
  await heldOver(0.5, 0.9, 'new')
  await session.detach()
})

test('a pair that cannot be compared says so once, and leaves nothing of the pair before', async ({
  start,
}) => {
  const app = await start({ paths: usualPair })
  expect(await rows(app)).toBeGreaterThan(100)
  await app.drop([dump('pt_lenet_w_conv2_statistics_mix'), dump('pt_lenet_none_md5_mix')])
  await expect(app.id('failure').locator(`[data-testid="${names.problem}"]`)).toHaveCount(1)
  await expect(app.page.locator('[data-code="modes-differ"]')).toHaveCount(1)
  await expect(app.id(names.grid)).toHaveCount(0)
  await expect(app.id(names.status)).not.toContainText(/[1-9]\d* (?:rows|without partner)/)
  await app.button('failure.alone').last().click()
  await app.idle()
  expect(await sides(app)).toEqual(['pt_lenet_none_md5_mix'])
})

test('a folder of many dumps lists them, and two clicks make a pair', async ({ start }) => {
  const app = await start()
  const folder = scratch()
  for (const name of ['pt_lenet_w_conv2_statistics_mix', 'pt_lenet_none_statistics_mix', bench])
    cpSync(dump(name), path.join(folder, name), { recursive: true })
  await app.drop([folder])
  const found = app.id('found-dumps').getByRole('listitem')
  await expect(found).toHaveCount(3)
  const choose = (name: string, side: 'debug' | 'bench'): Promise<void> =>
    found.filter({ hasText: name }).getByRole('button', { name: side, exact: true }).click()
  await choose('pt_lenet_w_conv2_statistics_mix', 'debug')
  await choose('pt_lenet_none_statistics_mix', 'bench')
  await app.idle()
  expect(await sides(app)).toEqual(['pt_lenet_w_conv2_statistics_mix', 'pt_lenet_none_statistics_mix'])
})

test('packed dumps are opened in place, under the names of their archives', async ({ start }) => {
  const app = await start()
  const folder = scratch()
  const packed = (name: string, of: string): string => {
    const file = path.join(folder, name)
    const bytes = tarBytes(membersOf(dump(of)))
    writeFileSync(file, name.endsWith('.tar') ? bytes : gzipSync(bytes))
    return file
  }
  const [npu, gpu] = [packed('npu_dump.tar.gz', debug), packed('gpu_dump.tar', bench)]
  await app.drop([npu])
  expect(await sides(app)).toEqual(['npu_dump.tar.gz'])
  await app.drop([gpu])
  expect(await sides(app)).toEqual(['npu_dump.tar.gz', 'gpu_dump.tar'])
  await expect(app.id(names.problem)).toHaveCount(0)
  expect(await rows(app)).toBeGreaterThan(100)
  // Threads read the tensors.
  await app.page.evaluate(() => window.plumbline.run('tab-values'))
  await app.idle()
  await expect(app.id(names.inspector).getByRole('table').first()).toContainText(/\d/)
  expect(readdirSync(folder).sort()).toEqual(['gpu_dump.tar', 'npu_dump.tar.gz'])
  const whole = readFileSync(npu)
  writeFileSync(npu, whole.subarray(0, whole.length / 2))
  await app.drop([npu])
  await expect(app.page.locator(`[data-code="zip-invalid"]`)).toContainText('npu_dump.tar.gz')
})

test('of three dumps the third is left out, and what is packed otherwise is to be unpacked', async ({
  start,
}) => {
  const app = await start()
  const file = path.join(scratch(), 'npu_dump.tar.xz')
  writeFileSync(file, '')
  await app.drop([file])
  await expect(app.page.locator(`[data-code="packed"]`)).toContainText('npu_dump.tar.xz')
  await app.drop([...usualPair, dump(bench)])
  await expect(app.page.locator(`[data-code="left-out"]`)).toContainText(bench)
  expect(await rows(app)).toBeGreaterThan(100)
})

test('two tensor files are compared by their values, which fill the window', async ({ start }) => {
  const app = await start()
  const file = (of: string): string =>
    path.join(dump(of), 'step0', 'rank', 'dump_tensor_data', 'Functional.conv2d.1.forward.output.0.pt')
  await app.drop([file(debug), file(bench)])
  await expect(app.id('values')).toBeVisible()
  await expect(app.id(names.advisor)).toHaveCount(0)
  await expect(app.id(names.toolbar)).toContainText(debug)
  await expect(app.id('values').getByRole('table').nth(1)).toContainText(/\d/)
  await app.drop([file(debug)], app.id(names.status))
  await expect(app.id('values')).toBeVisible()
})

test('a scalar is one line, and what has no values leads to the worst tensor of its node', async ({
  start,
}) => {
  const app = await start()
  await app.page.evaluate(() => window.plumbline.run('sample'))
  await app.idle()
  await app.page.evaluate(() => window.plumbline.run('tab-tensors'))
  await app.idle()
  const scalar = app.id(names.inspector).locator('.item', { hasText: 'input.4' })
  await expect(scalar.getByTestId('direct')).toHaveText(/value\s*0\.1\s*≠\s*0\.00001\s*compared directly/)
  await expect(app.page.getByText('No bench data matched.')).toHaveCount(0)
  await expect(scalar).not.toContainText('unsupported')
  await scalar.getByRole('button').first().click()
  await app.page.evaluate(() => window.plumbline.run('tab-values'))
  await app.idle()
  await expect(app.id(names.inspector).getByRole('status').first()).toContainText('input.4')
})

test('sides are swapped with all that is measured between them, and before both are chosen too', async ({
  start,
}) => {
  const app = await start({ paths: usualPair })
  const [first, second] = await sides(app)
  const node = await app.id('headline').getAttribute('data-node')
  const values = (): Promise<string[]> =>
    app.id('headline').locator('.evidence-row').first().locator('.evidence-value').allInnerTexts()
  const before = await values()
  await app.page.evaluate(() => window.plumbline.run('colours-msprobe'))
  await app.idle()
  await app.button('command.swap').click()
  await app.idle()
  expect(await sides(app)).toEqual([second, first])
  await expect(app.id('headline')).toHaveAttribute('data-node', node ?? '')
  expect(await values()).toEqual(before.toReversed())
  const colours = (): Promise<string | undefined> =>
    app.page.evaluate(
      () =>
        (window.plumbline.state() as { session: { options: { colours: string } } | null }).session?.options
          .colours,
    )
  expect(await colours()).toBe('msprobe')

  const empty = await start()
  await empty.answerDialogs([dump(bench)])
  await empty.id(names.chooseDebug).click()
  await empty.idle()
  await empty.page.evaluate(() => window.plumbline.run('swap'))
  await empty.answerDialogs([dump(debug)])
  await empty.id(names.chooseDebug).click()
  await empty.idle()
  expect(await sides(empty)).toEqual([debug, bench])
})

test('one side that cannot be opened lets the other one be opened alone', async ({ start }) => {
  const app = await start()
  // A folder without any dump.
  await app.drop([scratch(), dump(bench)])
  const card = app.id(names.problem)
  await expect(card).toHaveCount(1)
  await card.getByRole('button', { name: say('en', 'failure.alone-of', { name: bench }) }).click()
  await app.idle()
  expect(await sides(app)).toEqual([bench])
  await expect(card).toHaveCount(0)
  expect(await rows(app)).toBeGreaterThan(100)
})
