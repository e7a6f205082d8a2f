// A session comes back as it was left, and a folder that was dumped anew is read again without losing the
// view.
import { cpSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, scratch, test, usualPair, type App } from '../support/app.ts'
import { names } from '../support/names.ts'

interface Left {
  readonly look: {
    readonly opened: { readonly debug: readonly string[] }
    readonly show: readonly string[]
    readonly quick: string
  }
  readonly layout: { readonly graphView: string; readonly inspectorTab: string }
  readonly session: { readonly options: { readonly thresholds: { readonly tolerance: number } } }
}
const left = (app: App): Promise<Left> =>
  app.page.evaluate(() => {
    const { look, layout, session } = window.plumbline.state() as unknown as Left
    return { look, layout, session }
  })
const rows = async (app: App): Promise<number> => Number(await app.id(names.grid).getAttribute('data-rows'))

function copyOfPair(): [string, string] {
  const folder = scratch()
  for (const [i, side] of (['debug', 'bench'] as const).entries())
    cpSync(usualPair[i] ?? '', path.join(folder, side), { recursive: true })
  return [path.join(folder, 'debug'), path.join(folder, 'bench')]
}

function dumpJson(folder: string): string {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    if (name === 'dump.json') return file
    if (statSync(file).isDirectory()) {
      const found = dumpJson(file)
      if (found !== '') return found
    }
  }
  return ''
}

test('reopening from the recent list brings back expansion, selection, filters, thresholds and layout', async ({
  start,
}) => {
  const app = await start({ paths: copyOfPair() })
  await app.page.evaluate(() => window.plumbline.run('expand-2'))
  await app.idle()
  await app.page.evaluate(() => window.plumbline.run('next-problem'))
  await app.page.evaluate(() => window.plumbline.run('show-failing'))
  await app.idle()
  await app.id('quick').fill('forward')
  await expect.poll(async () => (await left(app)).look.quick).toBe('forward')
  await app.page.evaluate(() => {
    window.plumbline.run('tab-stack')
    window.plumbline.run('graph-view')
    window.plumbline.run('thresholds')
  })
  await app.idle()
  await app.page.getByRole('dialog').getByRole('textbox').first().fill('5')
  await app.page.keyboard.press('Tab')
  await app.press('Escape')
  await expect.poll(async () => (await left(app)).session.options.thresholds.tolerance).not.toBe(0)
  const before = await left(app)
  const node = await app.id(names.inspector).getAttribute('data-node')
  await app.idle()
  const { data } = app
  await app.close()

  const again = await start({ data })
  await again.id(names.recent).getByRole('button').first().click()
  await again.idle()
  expect(await left(again)).toMatchObject({
    look: before.look,
    layout: { graphView: 'dataflow', inspectorTab: 'stack' },
    session: { options: { thresholds: before.session.options.thresholds } },
  })
  expect(await again.id(names.inspector).getAttribute('data-node')).toBe(node)
  await expect(again.id('quick')).toHaveValue('forward')
  await expect(again.id('flow-debug')).toBeVisible()
})

test('reading a folder again after a new dump keeps what is looked at, and drops what is no longer wrong', async ({
  start,
}) => {
  const [debug, bench] = copyOfPair()
  const file = dumpJson(debug)
  const whole = readFileSync(file)
  const app = await start({ paths: [debug, bench] })
  await app.page.evaluate(() => window.plumbline.run('next-problem'))
  await app.page.evaluate(() => window.plumbline.run('show-failing'))
  await app.idle()
  const [before, failing, node] = [
    await left(app),
    await rows(app),
    await app.id(names.inspector).getAttribute('data-node'),
  ]
  expect(failing).toBeGreaterThan(0)

  // The fault is mended: the dump is the bench's own.
  writeFileSync(file, readFileSync(dumpJson(bench)))
  await app.press('F5')
  await expect.poll(() => rows(app)).toBe(0)
  expect((await left(app)).look).toEqual(before.look)
  expect(await app.id(names.inspector).getAttribute('data-node')).toBe(node)

  // A file that is cut short is said, and no more once it is whole again.
  writeFileSync(file, whole.subarray(0, whole.length >> 1))
  await app.press('F5')
  await expect(app.id(names.problem).first()).toBeVisible()
  writeFileSync(file, whole)
  await app.press('F5')
  await expect.poll(() => rows(app)).toBe(failing)
  await expect(app.id(names.problem)).toHaveCount(0)
})

test('reading again finds steps that were dumped meanwhile', async ({ start }) => {
  const whole = copyOfPair()
  const [debug, bench] = ['debug', 'bench'].map((side, i) => {
    const folder = path.join(scratch(), side)
    cpSync(path.join(whole[i] ?? '', 'step0'), path.join(folder, 'step0'), { recursive: true })
    return folder
  }) as [string, string]
  const app = await start({ paths: [debug, bench] })
  const steps = (): Promise<number> =>
    app.page.evaluate(
      () => (window.plumbline.state() as { session: { units: unknown[] } }).session.units.length,
    )
  const node = await app.id(names.inspector).getAttribute('data-node')
  expect(await steps()).toBe(1)
  for (const [i, folder] of [debug, bench].entries())
    cpSync(path.join(whole[i] ?? '', 'step1'), path.join(folder, 'step1'), { recursive: true })
  await app.menu('reload')
  await app.idle()
  expect(await steps()).toBe(2)
  expect(await app.id(names.inspector).getAttribute('data-node')).toBe(node)
})
