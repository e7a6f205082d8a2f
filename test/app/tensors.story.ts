// Two tensor files: what kind of difference it is, the pictures, the numbers, and unlike shapes.
import { copyFileSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, scratch, test, type App } from '../support/app.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { random } from '../support/random.ts'
import { say } from '../../preload/contract/words/index.ts'
import { npyBytes, safetensorsBytes } from '../support/tensor-files.ts'

const values = (size: number): Float32Array => {
  const next = random(4)
  return Float32Array.from({ length: size }, () => next() - 0.5)
}
const npy = (file: string, shape: readonly number[], data: Float32Array): string => {
  writeFileSync(file, npyBytes({ descr: '<f4', shape, data: new Uint8Array(data.buffer) }))
  return file
}
/** One channel of the last axis is off. */
function pair(folder: string): [string, string] {
  const left = values(6 * 40 * 64)
  const right = left.map((x, i) => (i % 64 === 21 ? x * 1.5 + 0.01 : x))
  return [
    npy(path.join(folder, 'left.npy'), [6, 40, 64], left),
    npy(path.join(folder, 'right.npy'), [6, 40, 64], right),
  ]
}

const clipboard = (app: App): Promise<string> =>
  app.electron.evaluate(({ clipboard: board }) => board.readText())

test('two files say what kind of difference it is, and every picture leads to the element', async ({
  start,
}) => {
  const app = await start()
  await app.drop(pair(scratch()))
  await expect(app.id('difference-kind')).toContainText('21')
  const heat = app.id('heat')
  await expect(heat).toHaveAttribute('data-cols', '0-64')
  const box = await heat.boundingBox()
  if (!box) throw new Error('no heat map')
  const at = (part: number): number => box.x + ((part + 0.5) / 64) * box.width
  await app.page.mouse.move(at(21), box.y + box.height / 2)
  await expect(app.id('heat-under')).toContainText('21')
  await app.page.mouse.move(at(16), box.y + 4)
  await app.page.mouse.down()
  await app.page.mouse.move(at(27), box.y + box.height - 4, { steps: 4 })
  await app.page.mouse.up()
  await expect(heat).toHaveAttribute('data-cols', '16-28')
  await app.id('heat-unzoom').click()
  await expect(heat).toHaveAttribute('data-cols', '0-64')
  // The worst element leads to its number, in bits too.
  await app.page.locator('.worst .link').first().click()
  const here = app.id('numbers').locator('td.here')
  await expect(here).toHaveClass(/differs/)
  await app.page.getByRole('button', { name: 'bits', exact: true }).click()
  await expect(here).toHaveText(/^[0-9a-f]{8}$/)
  await app.id('jump').fill('5, 39, 63')
  await app.id('jump').press('Enter')
  await expect(app.id('numbers')).toHaveAttribute('data-row', /^(?:2[0-9]|3[0-9])$/)
})

test('plots are copied as data and as SVG, and Python loads what is shown', async ({ start }) => {
  const app = await start()
  const [left, right] = pair(scratch())
  await app.drop([left, right])
  const copy = async (what: string): Promise<string> => {
    await app.page.locator('figure.along').getByTestId('copy-picture').click()
    await app.page.getByRole('menuitem', { name: what }).click()
    await app.idle()
    return clipboard(app)
  }
  const table = await copy('data')
  expect(table.split('\n')).toHaveLength(65)
  expect(table.split('\n')[0]).toBe('index\tmax\tmean')
  expect(await copy('SVG')).toMatch(/^<svg [\s\S]*<\/svg>$/)
  await copy('PNG')
  const picture = await app.electron.evaluate(({ clipboard: board }) => {
    const image = board.readImage()
    return { ...image.getSize(), colours: new Set(image.toBitmap()).size }
  })
  expect(picture.width).toBeGreaterThan(300)
  expect(picture.height).toBeGreaterThan(60)
  expect(picture.colours).toBeGreaterThan(20)
  await app.id('snippet').click()
  await app.idle()
  const python = await clipboard(app)
  expect(python).toContain(`np.load("${left}")`)
  expect(python).toContain(`np.load("${right}")`)
})

test('unlike shapes are laid over each other by a proposal and by hand', async ({ start }) => {
  const app = await start()
  const folder = scratch()
  const data = values(24 * 16)
  const turned = Float32Array.from(data, (_, i) => data[(i % 24) * 16 + Math.floor(i / 24)] ?? 0)
  await app.drop([
    npy(path.join(folder, 'left.npy'), [24, 16], data),
    npy(path.join(folder, 'right.npy'), [16, 24], turned),
  ])
  await expect(app.id('proposal').first()).toContainText('100')
  await app.id('align-axes').fill('1, 0')
  await app.id('align-apply').click()
  await expect(app.id('proposal').first()).toHaveAttribute('aria-pressed', 'true')
  await expect(app.id('heat')).toBeVisible()
})

/** Zeros that take no room, and so many that nobody reads them all within a test. */
function endless(file: string): string {
  const shape = [1 << 14, 1 << 22]
  const head = npyBytes({ descr: '<f4', shape, data: new Uint8Array(0) })
  writeFileSync(file, head)
  truncateSync(file, head.length + shape.reduce((size, dim) => size * dim, 4))
  return file
}

test('reading all of a large tensor is stopped, the sample stays, and it is begun again', async ({
  start,
}) => {
  const app = await start()
  const folder = scratch()
  await app.letGo(['left', 'right'].map(name => endless(path.join(folder, `${name}.npy`))))
  await expect(app.id('heat')).toBeVisible()
  await expect(app.id('sampled').first()).toBeVisible()
  await app.id('exact-stop').first().click()
  await expect(app.id('exact-begin').first()).toBeVisible()
  await expect(app.id('exact-stop')).toHaveCount(0)
  await expect(app.id('sampled').first()).toBeVisible()
  await app.id('exact-begin').first().click()
  await expect(app.id('exact-stop').first()).toBeVisible()
  await app.id('exact-stop').first().click()
  await expect(app.id('exact-begin').first()).toBeVisible()
  // Meanwhile the numbers of any place are shown.
  await app.id('jump').fill('16383, 4194303')
  await app.id('jump').press('Enter')
  await expect(app.id('numbers').locator('td.here')).toHaveText('0')
})

test('of a large tensor all elements are read after the sample', async ({ start }) => {
  const app = await start()
  const folder = scratch()
  const left = values(9 << 20)
  await app.drop(
    [left, left.map(x => x * 1.01)].map((data, i) => npy(path.join(folder, `${i}.npy`), [9, 1 << 20], data)),
  )
  await app.idle()
  await expect(app.id('sampled')).toHaveCount(0)
  await expect(app.id('difference-kind')).toContainText('1.01')
})

test('two checkpoints are rows and a graph, and their renames a mapping that is edited', async ({
  start,
}) => {
  const app = await start()
  const folder = scratch()
  const weights = { qkv: values(48), proj: values(16), odd: values(8) }
  const file = (name: string, tensors: Readonly<Record<string, Float32Array>>): string => {
    const to = path.join(folder, name)
    let at = 0
    const header = Object.fromEntries(
      Object.entries(tensors).map(([tensor, { length }]) => {
        at += length * 4
        return [tensor, { dtype: 'F32', shape: [length], data_offsets: [at - length * 4, at] }]
      }),
    )
    const data = Object.values(tensors).map(one => new Uint8Array(one.buffer))
    writeFileSync(to, safetensorsBytes(header, Buffer.concat(data)))
    return to
  }
  await app.drop([
    file('train.safetensors', {
      'decoder.layers.0.self_attention.linear_qkv.weight': weights.qkv,
      'decoder.layers.0.self_attention.linear_proj.weight': weights.proj,
      'decoder.layers.0.odd_norm.weight': weights.odd,
    }),
    file('infer.safetensors', {
      'model.layers.0.self_attn.qkv_proj.weight': weights.qkv,
      'model.layers.0.self_attn.o_proj.weight': weights.proj.map(x => x * 2),
      'model.layers.0.strange_norm.weight': weights.odd,
    }),
  ])
  await expect(app.id('graph-debug')).toBeVisible()
  await expect(app.id('status')).toContainText(say('en', 'status.rows', { rows: '3' }))
  await app.idle()
  const headline = app.id('headline')
  await expect(headline).toContainText(say('en', 'advisor.headline.stored'))
  await expect(headline).toHaveAttribute('data-node', 'decoder.layers.0.self_attention.linear_proj.weight')
  await expect(app.id('inspector')).not.toContainText(say('en', 'inspector.made'))
  await expect(
    app.page.getByText(say('en', 'mapping.tensors-paired', { paired: '2', all: '3' })),
  ).toBeVisible()
  await expect(app.id('grid').getByText(/output\.0/)).toHaveCount(0)
  await app.id('rail-mapping').click()
  await app.id('mapping-new').click()
  await app.idle()
  await app.page.getByRole('tab', { name: say('en', 'mapping.tab.pairs') }).click()
  await app.idle()
  await expect(app.id('mapping-names-debug').getByText(/odd_norm/)).toBeVisible()
  await app.page.getByRole('tab', { name: say('en', 'mapping.tab.proposals') }).click()
  await app.id('mapping-accept-all').click()
  await app.idle()
  await expect(app.id('grid').getByText(say('en', 'state.equal'), { exact: true })).toHaveCount(2)
})

test('dumps of other tools open when they are dropped', async ({ start }) => {
  const app = await start()
  const folder = path.join(fixturesRoot(), 'next', 'bundles')
  const copies = scratch()
  const alike = (name: string): readonly [string, string] => {
    const copy = path.join(copies, path.basename(name))
    copyFileSync(path.join(folder, name), copy)
    return [path.join(folder, name), copy]
  }
  const inFolder = (...names: readonly string[]): readonly string[] =>
    names.map(name => path.join(folder, name))
  const pairs: readonly (readonly [dropped: readonly string[], rows: string, origin: string | null])[] = [
    [inFolder('sglang_dumper/target', 'sglang_dumper/base'), '30', 'layers.1.mlp'],
    [inFolder('hf_bf16', 'hf_safetensors'), '99', null],
    [alike('debugmode_logs.json'), '62', null],
    [alike('tt/rank_0_activations.log'), '65', null],
    [alike('polygraphy_outputs.json'), '2', null],
  ]
  for (const [dropped, rows, origin] of pairs) {
    await app.drop(dropped)
    await app.idle()
    await expect(app.id('status')).toContainText(say('en', 'status.rows', { rows }))
    await expect(app.id('graph-debug')).toBeVisible()
    if (origin === null) await expect(app.id('headline')).toHaveCount(0)
    else await expect(app.id('headline')).toHaveAttribute('data-node', origin)
  }
})
