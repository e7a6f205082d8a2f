// Twins beside a pair: what they change in rows, headline and panels, and how they come and go.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { say } from '../../preload/contract/words/index.ts'
import { expect, scratch, test } from '../support/app.ts'
import { names } from '../support/names.ts'
import { twinDumps } from '../support/twin-dumps.ts'

/** Folders npu, gpu, npu_twin and gpu_twin of a packed pair with twins. */
function unpacked(name: string): readonly string[] {
  const root = scratch()
  const folders = { debug: 'npu', bench: 'gpu', 'twin-debug': 'npu_twin', 'twin-bench': 'gpu_twin' }
  for (const [file, text] of Object.entries(twinDumps(name))) {
    const [, of = '', base = ''] = file.split('/')
    const folder = path.join(root, folders[of as keyof typeof folders])
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, base), text)
  }
  return Object.values(folders).map(folder => path.join(root, folder))
}

test('four folders are a pair and its twins, which take thresholds from what was measured', async ({
  start,
}) => {
  const app = await start()
  const [npu = '', gpu = '', npuTwin = '', gpuTwin = ''] = unpacked('moe-noise-tf')
  await app.drop([npu, gpu])
  await expect(app.page.getByTestId('headline')).toBeVisible()
  await expect(app.page.getByTestId('noise')).toHaveAttribute('data-by', '')
  await app.drop([gpu, gpuTwin, npu, npuTwin])
  await expect(app.page.getByTestId('noise')).toHaveAttribute('data-by', 'twins')
  await expect(app.page.getByTestId('headline')).toHaveCount(0)
  await expect(app.id(names.problem)).toHaveCount(0)
  await app.page.evaluate(() => window.plumbline.run('reload'))
  await app.idle()
  await expect(app.page.getByTestId('noise')).toHaveAttribute('data-by', 'twins')
  await expect(app.id(names.problem)).toHaveCount(0)
  await app.page.evaluate(() => window.plumbline.run('noise-remove'))
  await app.idle()
  await expect(app.page.getByTestId('headline')).toBeVisible()
  await app.page.evaluate(() => window.plumbline.run('reload'))
  await app.idle()
  await expect(app.page.getByTestId('noise')).toHaveAttribute('data-by', '')
  await expect(app.id(names.problem)).toHaveCount(0)
})

test('of a fault two numbers say that its error was made there, in inspector and colours', async ({
  start,
}) => {
  const app = await start({ paths: unpacked('cnn-fault-bf16') })
  await expect(app.page.getByTestId('headline')).toHaveAttribute('data-node', 'Functional.conv2d.1.forward')
  await expect(app.page.getByTestId('made')).toHaveAttribute('data-way', 'makes')
  await expect(app.page.getByTestId('makers')).toBeVisible()
  await app.page.evaluate(() => window.plumbline.run('colours-made'))
  await app.idle()
  await expect(app.page.locator('.legend')).toContainText(say('en', 'measure.made'))
})

test('twins of another model are refused in a sentence, and the pair is judged without', async ({
  start,
}) => {
  const app = await start()
  const [npu = '', gpu = ''] = unpacked('cnn-fault-bf16')
  const [, , npuTwin = '', gpuTwin = ''] = unpacked('moe-noise-tf')
  await app.drop([npu, gpu, npuTwin, gpuTwin])
  await expect(app.page.locator('[data-code="noise-other-model"]')).toBeVisible()
  await expect(app.page.getByTestId('noise')).toHaveAttribute('data-by', '')
  await expect(app.page.getByTestId('headline')).toBeVisible()
})

test('what twins tell is saved, and judges another model from its file; a file that is none is refused', async ({
  start,
}) => {
  const [npu = '', gpu = '', npuTwin = '', gpuTwin = ''] = unpacked('cnn-fault-bf16')
  const app = await start({ paths: [npu, gpu, npuTwin, gpuTwin] })
  const noise = app.page.getByTestId('noise')
  await expect(noise).toHaveAttribute('data-by', 'twins')
  const file = path.join(scratch(), 'devices.json')
  await app.answerDialogs([file])
  await app.page.evaluate(() => window.plumbline.run('noise-save'))
  await expect.poll(() => existsSync(file)).toBe(true)
  expect(readFileSync(file, 'utf8')).not.toContain(path.dirname(npuTwin))

  const [otherNpu = '', otherGpu = ''] = unpacked('moe-noise-tf')
  await app.drop([otherNpu, otherGpu])
  await expect(noise).toHaveAttribute('data-by', '')
  await app.page.evaluate(() => window.plumbline.run('noise-profile'))
  await expect(noise).toHaveAttribute('data-by', 'profile')

  await app.answerDialogs([path.join(otherNpu, 'dump.json')])
  await app.page.evaluate(() => window.plumbline.run('noise-profile'))
  await expect(app.page.locator('[data-code^="noise-"]')).toBeVisible()
  await expect(noise).toHaveAttribute('data-by', '')
})
