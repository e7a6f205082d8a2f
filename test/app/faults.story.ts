// Processes that die and files that change at any point of the work: what was written is still there, what can be read is
// shown, and the rest is said in a sentence.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { dump, expect, scratch, test, usualPair, type App } from '../support/app.ts'
import { names } from '../support/names.ts'

const across = (): string[] => [dump('ms_tr_none_statistics_mix'), dump('pt_tr_none_statistics_mix')]
const rows = /^[1-9]\d+$/

/** A mapping that no file holds. */
async function beginMapping(app: App): Promise<void> {
  await app.button('mapping.title').first().click()
  await app.page.getByRole('button', { name: 'Layers' }).click()
  await app.id('mapping-new').click()
  await app.page.getByRole('tab', { name: /^Text/ }).click()
  await app.page.locator('.cm-content').click()
  await app.type('Cell:\nmodel: module\n')
}

async function typeLine(app: App, text: string): Promise<void> {
  await app.page.locator('.cm-content').click()
  await app.page.keyboard.press('Control+End')
  await app.page.keyboard.type(`${text}\n`)
}

/** What is begun, and not waited for, when the engine dies. */
const begun: Readonly<Record<string, (app: App, n: number) => Promise<unknown>>> = {
  'while files are read again': app => app.page.keyboard.press('F5'),
  'while a mapping is checked': (app, n) => typeLine(app, `# line ${n}`),
  'while rows are filtered': (app, n) =>
    app.page.evaluate(at => window.plumbline.run(at), n % 2 ? 'next-problem' : 'find'),
  'while the walk goes on': app => app.page.evaluate(() => window.plumbline.run('next-problem')),
  'while the data flow is drawn': app => app.page.evaluate(() => window.plumbline.run('first-failing')),
  'while a table is written': async app => {
    await app.page.keyboard.press('Control+e')
    await app.id('export-xlsx').click()
  },
  'while the walk goes back': app => app.page.evaluate(() => window.plumbline.run('previous-problem')),
  'while a name is searched': async app => {
    await app.id(names.search).fill('attention')
  },
  'while a panel is closed': app => app.page.evaluate(() => window.plumbline.run('panel-inspector')),
  'at rest': () => Promise.resolve(),
}
const points = Object.entries(begun)

/** After four deaths in a row the engine stays down until somebody asks. */
for (const half of [points.slice(0, 4), points.slice(4, 7), points.slice(7)])
  test(`the engine dies ${half.map(([name]) => name).join(', ')}`, async ({ start }) => {
    const app = await start({ paths: across() })
    const folder = scratch()
    await app.answerDialogs([folder])
    await beginMapping(app)
    for (const [n, [name, begin]] of half.entries()) {
      await begin(app, n)
      await app.killEngine()
      await app.page.keyboard.press('Escape')
      await expect(app.id(names.grid), name).toHaveAttribute('data-rows', rows)
      await expect(app.id('engine-gone'), name).toHaveCount(0)
      expect(
        readdirSync(folder).filter(
          file => !file.endsWith('.part') && !/^compare_result_.*\.xlsx$/.test(file),
        ),
      ).toEqual([])
    }
    await expect(app.id('mapping-editor')).toContainText('model: module')
    if (half[1]?.[0] === 'while a mapping is checked')
      await expect(app.id('mapping-editor')).toContainText('# line 1')
    await expect(app.page.locator('[data-code="internal"]')).toHaveCount(0)
    expect(app.log()).not.toMatch(/TypeError|ReferenceError/)
  })

test('the page is loaded anew while files are read: the mapping that no file holds is there again', async ({
  start,
}) => {
  const app = await start({ paths: across() })
  await beginMapping(app)
  await app.page.keyboard.press('F5')
  await app.page.reload()
  await app.page.waitForFunction(() => 'plumbline' in window)
  await app.idle()
  await expect(app.id(names.grid)).toHaveAttribute('data-rows', rows)
  await app.page.getByRole('tab', { name: /^Text/ }).click()
  await expect(app.id('mapping-editor')).toContainText('model: module')
})

const copied = (name: string): string => {
  const to = path.join(scratch(), name)
  cpSync(dump(name), to, { recursive: true })
  return to
}
const dumpFile = (folder: string): string => path.join(folder, 'step0', 'rank', 'dump.json')

test('files are cut, replaced and deleted before, while and after they are read', async ({ start }) => {
  const app = await start()
  const works = async (): Promise<void> => {
    await app.drop(usualPair)
    await expect(app.id(names.grid)).toHaveAttribute('data-rows', rows)
    await expect(app.page.locator('[data-code="internal"]')).toHaveCount(0)
  }
  const acts: Readonly<Record<string, (file: string) => void>> = {
    cut: file => truncateSync(file, 20_000),
    replaced: file => writeFileSync(file, readFileSync(dumpFile(usualPair[1]))),
    emptied: file => truncateSync(file, 0),
    deleted: file => rmSync(file),
  }
  for (const [name, act] of Object.entries(acts)) {
    // Before.
    const before = copied('pt_tr_w_qkv1_statistics_mix')
    act(dumpFile(before))
    await app.drop([before, usualPair[1]])
    await expect(app.page.locator('[data-code="internal"]'), name).toHaveCount(0)
    // While: nothing is waited for between the order to read and the change.
    const meanwhile = copied('pt_tr_w_qkv1_statistics_mix')
    await app.drop([meanwhile, usualPair[1]])
    await app.page.keyboard.press('F5')
    act(dumpFile(meanwhile))
    await app.idle()
    await expect(app.page.locator('[data-code="internal"]'), name).toHaveCount(0)
    // After: what is on screen is looked at, and the file asked for again.
    const after = copied('pt_tr_w_qkv1_statistics_mix')
    await app.drop([after, usualPair[1]])
    await expect(app.id(names.grid)).toHaveAttribute('data-rows', rows)
    act(dumpFile(after))
    await app.press('F8', 'F8', 'F5')
    await expect(app.page.locator('[data-code="internal"]'), name).toHaveCount(0)
    await works()
  }
})

test('tensors that are gone or cut when they are looked at are said, and the rest is shown', async ({
  start,
}) => {
  const debug = copied('pt_lenet_w_conv2_tensor_mix')
  const app = await start({ paths: [debug, dump('pt_lenet_none_tensor_mix')] })
  await app.menu('first-failing')
  const folder = path.join(debug, 'step0', 'rank', 'dump_tensor_data')
  for (const [i, name] of readdirSync(folder).entries())
    if (i % 2 === 0) rmSync(path.join(folder, name))
    else truncateSync(path.join(folder, name), 40)
  await app.press('F8')
  const inspector = app.id(names.inspector)
  await expect(inspector).toHaveAttribute('data-node', /\S/)
  await expect(app.page.locator('[data-code="internal"]')).toHaveCount(0)
  await app.press('F8', 'F8')
  await expect(app.id(names.grid)).toHaveAttribute('data-rows', rows)
})

test('a folder that is gone is said when it is read again, and coming back it is read', async ({ start }) => {
  const debug = copied('pt_tr_w_qkv1_statistics_mix')
  const app = await start({ paths: [debug, usualPair[1]] })
  const kept = path.join(scratch(), 'kept')
  cpSync(debug, kept, { recursive: true })
  rmSync(debug, { recursive: true })
  await app.press('F5')
  await expect(app.page.locator(`[data-testid="${names.problem}"]`).first()).toContainText(
    path.basename(debug),
  )
  await expect(app.page.locator('[data-code="internal"]')).toHaveCount(0)
  cpSync(kept, debug, { recursive: true })
  await app.drop([debug, usualPair[1]])
  await expect(app.id(names.grid)).toHaveAttribute('data-rows', rows)
})

test('the whole app is held, as a laptop that sleeps, and goes on', async ({ start }) => {
  const app = await start({ paths: usualPair })
  const all = app.pids()
  for (const pid of all) process.kill(pid, 'SIGSTOP')
  for (const pid of all.toReversed()) process.kill(pid, 'SIGCONT')
  await app.press('F8')
  await expect(app.id(names.inspector)).toHaveAttribute('data-node', /\S/)
  await expect(app.id('engine-busy')).toHaveCount(0)
  await expect(app.id('engine-gone')).toHaveCount(0)
})

test('a data folder that cannot hold a log or settings costs these only', async ({ start }) => {
  const data = scratch()
  writeFileSync(path.join(data, 'logs'), 'no folder')
  mkdirSync(path.join(data, 'settings.json'))
  const app = await start({ paths: usualPair, data })
  await expect(app.id(names.grid)).toHaveAttribute('data-rows', rows)
  await app.menu('close')
  await expect(app.id(names.empty)).toBeVisible()
})

/** A disk of so many megabytes of its own; null where we may not make one. */
function smallDisk(megabytes: number): string | null {
  const at = scratch()
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', at])
  return made.status === 0 ? at : null
}

test('the disk of settings and drafts is full: it is said, nothing stops, and with room again all is kept', async ({
  start,
}) => {
  const disk = smallDisk(300)
  expect(disk, 'a disk of its own needs the rights of root').not.toBeNull()
  if (disk === null) return
  const filler = path.join(disk, 'filler')
  try {
    const data = path.join(disk, 'data')
    mkdirSync(data)
    const app = await start({ paths: across(), data })
    await beginMapping(app)
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k'])
    await typeLine(app, '# there was no room')
    await app.idle()
    await expect(app.page.locator('[data-code="drafts-not-kept"]')).toBeVisible()
    await expect(app.id('mapping-editor')).toContainText('# there was no room')
    await app.drop(usualPair)
    await expect(app.id(names.grid)).toHaveAttribute('data-rows', rows)
    await app.drop(across())
    await expect(app.id('mapping-editor')).toContainText('# there was no room')
    rmSync(filler)
    await app.page.getByRole('tab', { name: /^Text/ }).click()
    await typeLine(app, '# there is room')
    await app.idle()
    await expect(app.page.locator('[data-code="drafts-not-kept"]')).toHaveCount(0)
    await app.close()
    const again = await start({ paths: across(), data })
    await again.page.getByRole('tab', { name: /^Text/ }).click()
    await expect(again.id('mapping-editor')).toContainText('# there was no room')
    await expect(again.id('mapping-editor')).toContainText('# there is room')
    await again.close()
  } finally {
    spawnSync('umount', ['-l', disk])
  }
})
