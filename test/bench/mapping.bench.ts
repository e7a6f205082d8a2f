// Mapping editors at 20,000 calls a side, MindSpore against PyTorch: proposals, matching again after an edit,
// a text of 20,000 lines.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { dumpFilesOf, readDump } from '../../main/engine/formats/msprobe/read.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/work/job.ts'
import { editMapping } from '../../main/engine/mapping/edit.ts'
import { MappingDesk } from '../../main/engine/mapping/desk.ts'
import { propose } from '../../main/engine/mapping/propose.ts'
import type { Dump } from '../../main/engine/model/dump.ts'
import type { MappingKind } from '../../preload/contract/engine.ts'
import { inApp, type Watched } from './app.bench.ts'
import { bigDump } from './big-dump.ts'
import { bound, time, Timed, type Case } from './case.ts'

/** About 20,000 calls a side: 18 MB of dump.json. */
const bytes = 18_000_000
const kinds = ['layer', 'cell', 'api', 'data'] as const

interface Pair {
  readonly debug: Dump
  readonly bench: Dump
}

async function read(): Promise<Pair> {
  const files = diskFiles()
  const [debug, bench] = await Promise.all(
    ['ms', 'pt'].map(side => {
      const { folder } = bigDump(`${side}_tr_none_statistics_mix`, bytes, true)
      files.allow(folder)
      return readDump(files, dumpFilesOf(files, folder), job())
    }),
  )
  return { debug, bench }
}

const open = ({ debug, bench }: Pair): MappingDesk =>
  new MappingDesk(debug, bench, { rules: 'plumbline', engine: 'mindspore', fuzzy: false, mapping: {} })

/** What somebody waits at most: the ratio is the limit against ours. */
const limit = (seconds: number): Timed<true> => new Timed(seconds, true)

async function texts(): Promise<
  Pair & { readonly desk: MappingDesk; readonly text: Readonly<Record<MappingKind, string>> }
> {
  const pair = await read()
  const desk = open(pair)
  const accepted = (kind: MappingKind): string =>
    editMapping(
      kind,
      '',
      propose(desk, kind, '', 100_000).flatMap(one => one.changes),
      [],
    )
  return {
    ...pair,
    desk,
    text: { layer: accepted('layer'), cell: accepted('cell'), api: accepted('api'), data: lines(pair) },
  }
}

/** A data mapping of 20,000 lines. */
function lines({ debug, bench }: Pair): string {
  const name = ({ texts: pool, items }: Dump, item: number): string => pool.get(items.name[item])
  return Array.from(
    { length: Math.min(20_000, debug.items.length, bench.items.length) },
    (_, item) => `${name(debug, item)}: ${name(bench, item)}\n`,
  ).join('')
}

let edits = 0

const keys = 'typed.while.the.engine.checks.and.the.text.is.kept'

/** The longest task of the window while 50 keys are pressed at the end of the text. */
async function typed(): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-mapping-'))
  const file = path.join(folder, 'data.yaml')
  writeFileSync(file, lines(await read()))
  try {
    return await inApp(
      [...['ms', 'pt'].map(side => bigDump(`${side}_tr_none_statistics_mix`, bytes, true).folder), file],
      async page => {
        await page.getByRole('tab', { name: /^Text/ }).click()
        await page.locator('.cm-content').click()
        await page.keyboard.press('Control+End')
        await page.evaluate(() => window.plumbline.idle())
        await page.evaluate(() => {
          ;(window as unknown as { watched: Watched }).watched.longest = 0
        })
        for (const key of keys) await page.keyboard.type(key)
        await page.evaluate(() => window.plumbline.idle())
        if (!(await page.locator('.cm-content').innerText()).includes(keys))
          throw new Error('nothing was typed')
        return page.evaluate(() => (window as unknown as { watched: Watched }).watched.longest)
      },
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export default [
  ...kinds.map(kind =>
    time<Pair, true>({
      name: `mapping: proposals of kind ${kind} for 20,000 calls a side / 2 s`,
      target: 1,
      clock: 'cpu',
      rounds: 2,
      make: read,
      ours: pair => {
        propose(open(pair), kind, '', 1000)
        return true
      },
      baseline: () => limit(2),
      same: (ours, baseline) => ours === baseline,
    }),
  ),
  ...kinds.map(kind =>
    time<Awaited<ReturnType<typeof texts>>, true>({
      name: `mapping: matched again after an edit of kind ${kind}${kind === 'data' ? ', 20,000 lines' : ''} / 300 ms`,
      target: 1,
      clock: 'cpu',
      rounds: 3,
      make: texts,
      ours: ({ desk, text }) => {
        desk.coverage(desk.pairing(kind, `${text[kind]}# ${edits++}\n`))
        return true
      },
      baseline: () => limit(0.3),
      same: (ours, baseline) => ours === baseline,
    }),
  ),
  time<Awaited<ReturnType<typeof texts>>, true>({
    name: 'mapping: one entry set in 20,000 lines / 100 ms',
    target: 1,
    clock: 'cpu',
    rounds: 3,
    make: texts,
    ours: ({ text, debug }) => {
      editMapping(
        'data',
        text.data,
        [{ kind: 'data', from: debug.texts.get(debug.items.name[7]), to: `N/A${edits++}` }],
        [],
      )
      return true
    },
    baseline: () => limit(0.1),
    same: (ours, baseline) => ours === baseline,
  }),
  time<Awaited<ReturnType<typeof texts>>, true>({
    name: 'mapping: 20,000 lines checked after an edit / 500 ms',
    target: 1,
    clock: 'cpu',
    rounds: 3,
    make: texts,
    ours: ({ desk, text }) => {
      desk.check('data', `${text.data}# ${edits++}\n`, 500)
      return true
    },
    baseline: () => limit(0.5),
    same: (ours, baseline) => ours === baseline,
  }),
  bound({ name: 'mapping: longest task while typing in 20,000 lines', bound: 50, measure: typed }),
] satisfies Case[]
