// Values that were read are kept between openings, and taken only while the files are as they were.
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { diskFiles, keptFolders } from '../../../main/engine/io/index.ts'
import type { Problem } from '../../../main/engine/model/index.ts'
import { lineOf } from '../../../main/engine/series/index.ts'
import { infoOf, marksOf, readSeries, type SeriesData, tagsOf } from '../../../main/engine/study/index.ts'
import { keptSeries } from '../../../main/engine/study/series/kept.ts'
import { job } from '../../../main/engine/work/index.ts'
import { seriesLimits } from '../../../preload/contract/engine.ts'
import { fixturesRoot } from '../../support/fixtures.ts'

let home = ''
const opened: SeriesData[] = []
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'kept-'))
})
afterEach(() => {
  for (const data of opened.splice(0)) data.close()
  rmSync(home, { recursive: true, force: true })
})

const cacheDir = (): string => path.join(home, 'data')
const kept = (): readonly string[] =>
  existsSync(path.join(cacheDir(), 'series'))
    ? readdirSync(path.join(cacheDir(), 'series')).filter(name => name.endsWith('.plumbline-kept'))
    : []

type Part = 'gradients' | 'monitor' | 'trend'

async function read(
  part: Part,
  [debug, bench]: readonly string[],
  fresh = false,
): Promise<{ data: SeriesData; told: readonly Problem[] }> {
  const files = diskFiles()
  for (const root of [debug, bench]) if (root) files.allow(root)
  const told: Problem[] = []
  const asked = { debug: debug ?? '', bench: bench ?? null, rules: 'plumbline', pattern: '' } as const
  const ports = { files, job: job(), tell: (found: Problem) => void told.push(found) }
  const data = await readSeries(part, asked, ports, keptSeries(cacheDir(), fresh, 0))
  opened.push(data)
  return { data, told }
}

async function said({ data, told }: Awaited<ReturnType<typeof read>>): Promise<unknown> {
  const files = diskFiles()
  files.allow(home)
  const lines = await Promise.all(
    data.metrics.map(({ values }) =>
      lineOf(values, {
        stat: values.debug.stats[0] ?? '',
        view: values.bench ? 'difference' : 'debug',
        rank: values.ranks[0] ?? 0,
        target: values.targets.get(0),
      }),
    ),
  )
  return {
    info: { ...infoOf(data), readAt: 0 },
    lines,
    tags: data.metrics.map((_, metric) => tagsOf(data, metric)),
    marks: await marksOf(data, seriesLimits, { files, job: job(), tell: () => {} }),
    told,
  }
}

const copied = (...parts: readonly string[]): string => {
  const to = path.join(home, parts.join('-').replaceAll('/', '-'))
  cpSync(path.join(fixturesRoot(), ...parts), to, { recursive: true })
  return to
}

const studies: readonly (readonly [Part, () => readonly string[]])[] = [
  ['gradients', () => [copied('grad', 'pt_lenet_w_conv2_L2'), copied('grad', 'pt_lenet_none_L2')]],
  [
    'monitor',
    () => [copied('next', 'monitor', 'alerts_1_26', 'in'), copied('next', 'monitor', 'alerts_1_12', 'in')],
  ],
]

it.each(studies)('%s read again say what they said', async (part, paths) => {
  const roots = paths()
  const first = await read(part, roots)
  expect([first.data.readAt, kept().length]).toEqual([null, 1])
  const before = await said(first)
  const second = await read(part, roots)
  expect(second.data.readAt).toBeGreaterThan(0)
  expect(await said(second)).toEqual(before)
  // Whoever wants the files read again has them read, and that is what is kept then.
  const third = await read(part, roots, true)
  expect([third.data.readAt, kept().length]).toEqual([null, 1])
  expect(await said(third)).toEqual(before)
  expect((await read(part, roots)).data.readAt).toBeGreaterThan(0)
})

it('a file that has changed is read again, and its folder is never written to', async () => {
  const root = copied('next', 'monitor', 'alerts_1_26', 'in')
  const all = (): readonly string[] => readdirSync(root, { recursive: true }).map(String).sort()
  const before = all()
  await read('monitor', [root])
  expect(all()).toEqual(before)
  const file = path.join(root, before.find(name => name.endsWith('.csv')) ?? '')
  utimesSync(file, new Date(), new Date(Date.now() + 5000))
  expect((await read('monitor', [root])).data.readAt).toBeNull()
  expect((await read('monitor', [root])).data.readAt).toBeGreaterThan(0)
})

it('what was damaged, cut or emptied is read again, without a word', async () => {
  const root = copied('next', 'monitor', 'alerts_1_26', 'in')
  const before = await said(await read('monitor', [root]))
  for (const data of opened.splice(0)) data.close()
  const folder = path.join(cacheDir(), 'series', kept()[0] ?? '')
  const harms = [
    () => writeFileSync(path.join(folder, 'about.json'), '{"bytes": 1'),
    () => writeFileSync(path.join(folder, 'about.json'), '{}'),
    () => truncateSync(path.join(folder, 'values.duckdb'), 5000),
    () => writeFileSync(path.join(folder, 'values.duckdb'), ''),
    () => rmSync(path.join(folder, 'values.duckdb')),
  ]
  for (const harm of harms) {
    harm()
    const again = await read('monitor', [root])
    expect(again.data.readAt).toBeNull()
    expect(await said(again)).toEqual(before)
    again.data.close()
    expect(kept()).toHaveLength(1)
    const right = await read('monitor', [root])
    expect(right.data.readAt).toBeGreaterThan(0)
    right.data.close()
  }
})

it('two who read the same at once both have it, and one is kept', async () => {
  const root = copied('next', 'monitor', 'alerts_1_26', 'in')
  const both = await Promise.all([read('monitor', [root]), read('monitor', [root])])
  const [mine, theirs] = await Promise.all(both.map(said))
  expect(mine).toEqual(theirs)
  expect(kept()).toHaveLength(1)
  // One of them goes: the other still answers.
  both[0].data.close()
  expect(await said(both[1])).toEqual(theirs)
})

it('the longest unused goes when all take too much; scratch folders go with those who made them', async () => {
  const room = path.join(home, 'room')
  const folders = keptFolders(room, 250)
  const made = (name: string): void => {
    const folder = mkdtempSync(path.join(home, 'one-'))
    writeFileSync(path.join(folder, 'values'), 'x'.repeat(100))
    expect(folders.keep(name, folder, name)?.about).toBe(name)
  }
  // Before anything is kept there is no room to move it to.
  cpSync(mkdtempSync(path.join(home, 'empty-')), room, { recursive: true })
  for (const name of ['a', 'b']) made(name)
  const long = new Date(Date.now() - 1e6)
  utimesSync(folders.find('a')?.folder ?? '', long, long)
  made('c')
  expect([folders.find('a'), folders.find('b')?.about, folders.find('c')?.about]).toEqual([null, 'b', 'c'])
  const root = copied('next', 'monitor', 'alerts_1_26', 'in')
  const { data } = await read('monitor', [root])
  data.close()
  await expect
    .poll(() =>
      readdirSync(path.join(cacheDir(), 'series')).filter(name => !name.endsWith('.plumbline-kept')),
    )
    .toEqual([])
})
