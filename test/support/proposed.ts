// How far proposals alone come: accepted from no mapping on every cross-framework fixture, and judged by the
// golden mappings.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Dump } from '../../main/engine/model/dump.ts'
import { dumpFilesOf, readDump } from '../../main/engine/formats/msprobe/read.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/work/job.ts'
import { editMapping } from '../../main/engine/mapping/edit.ts'
import { MappingDesk } from '../../main/engine/mapping/desk.ts'
import { propose } from '../../main/engine/mapping/propose.ts'
import type { MappingKind } from '../../preload/contract/engine.ts'
import { fixturesRoot } from './fixtures.ts'

const kindOfCase = { am: 'api', cm: 'cell', dm: 'data', lm: 'layer' } as const satisfies Readonly<
  Record<string, MappingKind>
>
const least = 0.6

interface Score {
  readonly name: string
  readonly kind: MappingKind
  /** Item pairs of the golden mapping, and how many of them accepted proposals found. */
  readonly golden: number
  /** Of those, before anything was accepted: equal names and the built-in table. */
  readonly before: number
  readonly found: number
  /** Pairs that some golden mapping of the same model says otherwise. */
  readonly wrong: number
  /** Pairs of which no golden mapping speaks. */
  readonly beyond: number
  readonly text: string
}

const dumps = new Map<string, Promise<Dump>>()

async function read(dumpFile: string): Promise<Dump> {
  const files = diskFiles()
  files.allow(fixturesRoot())
  return readDump(files, dumpFilesOf(files, path.dirname(dumpFile)), job())
}

/** The desk of a case's two dumps. */
async function desk(folder: string): Promise<MappingDesk> {
  const { npu_path: debug, bench_path: bench } = JSON.parse(
    readFileSync(path.join(folder, 'compare.json'), 'utf8'),
  ) as { npu_path: string; bench_path: string }
  const [mine, theirs] = await Promise.all(
    [debug, bench].map(file => {
      const at = path.join(folder, file)
      const known = dumps.get(at) ?? read(at)
      dumps.set(at, known)
      return known
    }),
  )
  return new MappingDesk(mine, theirs, {
    rules: 'msprobe-1.2.2',
    engine: 'mindspore',
    fuzzy: false,
    mapping: {},
  })
}

type Pairs = ReadonlyMap<string, string>

/** Names of items that meet. */
function pairs(at: MappingDesk, kind: MappingKind, text: string): Pairs {
  const { debugItem, benchItem } = at.pairing(kind, text)
  return new Map(
    [...debugItem].flatMap((item, row) =>
      benchItem[row] >= 0 ? [[at.debug.itemName(item), at.bench.itemName(benchItem[row])] as const] : [],
    ),
  )
}

/** Accepts whatever is proposed with a good score until nothing new is. */
function accepted(at: MappingDesk, kind: MappingKind): string {
  let text = ''
  for (let round = 0; round < 8; round++) {
    const good = propose(at, kind, text, 100_000).filter(one => one.score >= least)
    const next = editMapping(
      kind,
      text,
      good.flatMap(one => one.changes),
      [],
    )
    if (next === text) break
    text = next
  }
  return text
}

const goldenText = (folder: string, kind: MappingKind): string => {
  const file = path.join(folder, `${kind}_mapping.yaml`)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** The golden that pairs layers crosswise, to try the mechanism: no statement about the model. */
const crosswise = 'cross_lm_tr_stat_shift'

export async function scores(): Promise<readonly Score[]> {
  const root = path.join(fixturesRoot(), 'cases')
  const cases = readdirSync(root)
    .filter(name => /^cross_(?:am|cm|dm|lm)_/.test(name) && name !== crosswise && !name.endsWith('_dockeys'))
    .sort()
  const of = (name: string): { kind: MappingKind; model: string } => {
    const [, letters, model] = name.split('_')
    return { kind: kindOfCase[letters as keyof typeof kindOfCase], model }
  }
  // Whatever a golden says of a model holds for all dumps of the model.
  const truth = new Map<string, Map<string, string>>()
  for (const name of cases) {
    const { kind, model } = of(name)
    const folder = path.join(root, name)
    const known = truth.get(model) ?? new Map<string, string>()
    truth.set(model, known)
    for (const [mine, theirs] of pairs(await desk(folder), kind, goldenText(folder, kind)))
      if (!known.has(mine)) known.set(mine, theirs)
  }
  const found: Score[] = []
  for (const name of cases) {
    const { kind, model } = of(name)
    const folder = path.join(root, name)
    const at = await desk(folder)
    const known = truth.get(model) ?? new Map<string, string>()
    const taken = new Set(known.values())
    const golden = pairs(at, kind, goldenText(folder, kind))
    // Where a side has no hierarchy nothing can meet.
    if (golden.size === 0) continue
    const text = accepted(at, kind)
    const ours = [...pairs(at, kind, text)]
    const wrong = ours.filter(([mine, theirs]) =>
      known.has(mine) ? known.get(mine) !== theirs : taken.has(theirs),
    )
    const meets = ([mine, theirs]: readonly [string, string]): boolean => golden.get(mine) === theirs
    found.push({
      name,
      kind,
      golden: golden.size,
      before: [...pairs(at, kind, '')].filter(meets).length,
      found: ours.filter(meets).length,
      wrong: wrong.length,
      beyond: ours.filter(([mine, theirs]) => !known.has(mine) && !taken.has(theirs)).length,
      text,
    })
  }
  return found
}

const share = (part: number, all: number): string =>
  `${all === 0 ? 0 : Math.floor((1000 * part) / all) / 10} %`

/** The table of docs/mapping.md. */
export function table(all: readonly Score[]): string {
  const kinds = ['layer', 'cell', 'api', 'data'] as const
  const sum = (list: readonly Score[], key: 'golden' | 'before' | 'found' | 'wrong' | 'beyond'): number =>
    list.reduce((total, one) => total + one[key], 0)
  const line = (name: string, list: readonly Score[]): string =>
    `| ${name} | ${sum(list, 'golden')} | ${share(sum(list, 'before'), sum(list, 'golden'))} | ${share(sum(list, 'found'), sum(list, 'golden'))} | ${share(sum(list, 'wrong'), sum(list, 'golden'))} | ${sum(list, 'beyond')} |`
  return [
    '| kind and fixture | golden pairs | before | found | wrong | beyond |',
    '|---|---:|---:|---:|---:|---:|',
    ...kinds.flatMap(kind => {
      const list = all.filter(one => one.kind === kind)
      return [line(`**${kind}**`, list), ...list.map(one => line(`\`${one.name}\``, [one]))]
    }),
  ].join('\n')
}
