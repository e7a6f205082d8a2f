// One compare.json, two doors: what the command line opens, the window opens, and finds the same dumps and stacks.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { csvRows } from '../support/csv.ts'
import { dumpFolder } from '../support/dumps.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { allDone, never, watchedEngine } from '../support/watched.ts'

const call = 'Functional.conv2d.1.forward'

interface Opened {
  readonly debug: string
  readonly bench: string
  readonly rows: number
  readonly differs: number
  readonly stack: string
}

/** What each door makes of a compare.json: the folders it found, its rows, and the stack of one call. */
async function commandLine(file: string, ...more: readonly string[]): Promise<Opened> {
  const out = temporaryFolder()
  const ran = await cli([
    '-f',
    'pytorch',
    'compare',
    '-i',
    file,
    '-o',
    out,
    '--format',
    'csv',
    '--json',
    ...more,
  ])
  if (ran.code !== 0) throw new Error(ran.err)
  const {
    units: [unit],
  } = JSON.parse(ran.out) as {
    units: readonly {
      readonly debug: string
      readonly bench: string
      readonly counts: { readonly rows: number; readonly differs: number }
    }[]
  }
  const csv = readdirSync(out).find(name => name.endsWith('.csv')) ?? ''
  const [titles = [], ...rows] = csvRows(readFileSync(path.join(out, csv), 'utf8'))
  const stack = rows.find(row => row[0]?.startsWith(call))?.[titles.indexOf('NPU_Stack_Info')] ?? ''
  return {
    debug: path.dirname(unit.debug),
    bench: path.dirname(unit.bench),
    rows: unit.counts.rows,
    differs: unit.counts.differs,
    stack,
  }
}

async function dropped(file: string): Promise<Opened> {
  const watched = watchedEngine()
  const { session } = await watched.open([file])
  const {
    units: [unit],
  } = await watched.until(session, allDone)
  const { stack } = await watched.engine.node({ session, unit: 0, at: { debug: call } }, never)
  await watched.engine.close({ session }, never)
  return {
    debug: unit.dirs[0] ?? '',
    bench: unit.dirs[1] ?? '',
    rows: unit.rows,
    differs: unit.differs,
    stack: stack.debug.map(frame => frame.file).join(),
  }
}

/** A folder with a compare.json, and perhaps with dumps of its own. */
function jsonFolder(text: string, folder = temporaryFolder()): string {
  const file = path.join(folder, 'compare.json')
  writeFileSync(file, text)
  return file
}

const rankOf = (name: string): string => path.join(dumpFolder(name), 'step0', 'rank')
const [debug, bench] = ['pt_lenet_w_conv2_statistics_mix', 'pt_lenet_none_statistics_mix'].map(rankOf)
const withoutStack = ({ debug, bench, rows, differs }: Opened): Omit<Opened, 'stack'> => ({
  debug,
  bench,
  rows,
  differs,
})

describe('a compare.json with remarks', () => {
  const texts: readonly (readonly [string, string])[] = [
    [
      'behind its lines',
      `{\n"npu_path": "${debug}/dump.json",  # the side to debug\n"bench_path": "${bench}/dump.json",  // the reference\n"is_print_compare_log": true\n}`,
    ],
    [
      'above it',
      `# Written by hand.\n{ "npu_path": "${debug}/dump.json", "bench_path": "${bench}/dump.json" }`,
    ],
    [
      'of the documents, for several ranks',
      `{\n"npu_path": "${path.dirname(debug)}", # a step\n"bench_path": "${path.dirname(bench)}" # the same step\n}`,
    ],
  ]

  // The form that the documents show must open wherever it is dropped.
  it.each(texts)('%s opens in the window as on the command line', async (_, text) => {
    const file = jsonFolder(text)
    expect(withoutStack(await dropped(file))).toEqual(withoutStack(await commandLine(file)))
  })
})

describe('relative paths of a compare.json', () => {
  const json = (npu: string, other: string): string => JSON.stringify({ npu_path: npu, bench_path: other })
  const fromHere = (folder: string): string => path.relative(process.cwd(), folder)

  // Two rules would compare two different pairs without a word.
  it('count from the current folder where the file has nothing beside it', async () => {
    const file = jsonFolder(json(`${fromHere(debug)}/dump.json`, `${fromHere(bench)}/dump.json`))
    expect(withoutStack(await dropped(file))).toEqual(withoutStack(await commandLine(file)))
  })

  it('mean the same dumps at both doors where both folders have some', async () => {
    const [here, there] = [temporaryFolder(), temporaryFolder()]
    // From the file's own folder the same steps up lead to its own root.
    const up = fromHere(here)
      .split(path.sep)
      .filter(part => part === '..')
    const deep = path.join(there, ...up.map((_, i) => `below${i}`))
    mkdirSync(deep, { recursive: true })
    const beside = path.resolve(deep, fromHere(here))
    for (const [root, one] of [
      [here, 'pt_lenet_w_conv2_statistics_mix'],
      [beside, 'pt_lenet_nan_statistics_mix'],
    ] as const) {
      cpSync(rankOf(one), path.join(root, 'npu'), { recursive: true })
      cpSync(bench, path.join(root, 'bench'), { recursive: true })
    }
    const file = jsonFolder(
      json(`${fromHere(here)}/npu/dump.json`, `${fromHere(here)}/bench/dump.json`),
      deep,
    )
    expect(withoutStack(await dropped(file))).toEqual(withoutStack(await commandLine(file)))
  })
})

describe('the files that a compare.json names', () => {
  // Stacks are often kept apart from the dump they belong to.
  it('include its stack_path', async () => {
    const folder = temporaryFolder()
    const stacks = path.join(folder, 'stack.json')
    writeFileSync(
      stacks,
      readFileSync(path.join(debug, 'stack.json'), 'utf8').replaceAll('/torch/nn/', '/marked/'),
    )
    const file = jsonFolder(
      JSON.stringify({
        npu_path: `${debug}/dump.json`,
        bench_path: `${bench}/dump.json`,
        stack_path: stacks,
      }),
      folder,
    )
    expect((await commandLine(file, '-s')).stack).toContain('/marked/')
    expect((await dropped(file)).stack).toContain('/marked/')
  })

  // A folder may hold the dump of yesterday beside that of today.
  it('are those very files', async () => {
    const folder = temporaryFolder()
    cpSync(rankOf('pt_lenet_nan_statistics_mix'), folder, { recursive: true })
    cpSync(path.join(debug, 'dump.json'), path.join(folder, 'other_dump.json'))
    const file = jsonFolder(
      JSON.stringify({ npu_path: `${folder}/other_dump.json`, bench_path: `${bench}/dump.json` }),
    )
    expect(withoutStack(await dropped(file))).toEqual(withoutStack(await commandLine(file)))
  })
})
