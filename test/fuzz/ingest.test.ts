// Damaged dumps: only a Dump with problems or a Refusal may come out, and the fast reader must say what the
// careful one says.
// A failure names its seed.
import { room } from '../../main/engine/formats/msprobe/window.ts'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Dump } from '../../main/engine/model/dump.ts'
import { dumpFilesOf, readDump } from '../../main/engine/formats/msprobe/read.ts'
import { rawText } from '../../main/engine/formats/raw.ts'
import { job } from '../../main/engine/work/job.ts'
import { Refusal } from '../../main/engine/model/problem.ts'
import { seedsOf } from '../support/fuzz.ts'
import { carefulDump, linesOf } from '../support/careful-dump.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { memoryFiles } from '../support/memory-files.ts'
import { mutate } from '../support/mutate.ts'

const names = ['dump.json', 'stack.json', 'construct.json'] as const
const sources = [
  'pt_misc_none_statistics_L1/step0/rank',
  'ms_misc_none_md5_L1/step0/rank',
  'pt_tp_4ranks_none/step0/rank1',
  'v26_pt_lenet_none_tensor_mix/step0/proc1001',
].map(folder =>
  names.map(name =>
    shortened(new Uint8Array(readFileSync(path.join(fixturesRoot(), 'dumps', folder, name))), name),
  ),
)

/** The head of a file, closed again: small enough for thousands of runs. */
function shortened(bytes: Uint8Array, name: string): Uint8Array {
  const text = new TextDecoder().decode(bytes)
  if (text.length < 14_000) return bytes
  const cut = text.lastIndexOf(name === 'dump.json' ? '\n  },' : '\n "', 12_000)
  return new TextEncoder().encode(
    name === 'dump.json'
      ? `${text.slice(0, cut)}\n  }\n }\n}`
      : `${text.slice(0, cut).replace(/,\s*$/, '')}\n}`,
  )
}

/** Small windows put a border into every entry. */
const windows = [4 << 20, 150, 700, 3000] as const

const tally = { dumps: 0, refusals: 0, withProblems: 0, partial: 0, compared: 0 }
afterAll(() => console.log(`fuzzed: ${JSON.stringify(tally)}`))

async function run(seed: number): Promise<void> {
  const which = seed % 5 === 0 ? 1 : seed % 5 === 1 ? 2 : 0
  room.first = windows[seed % windows.length]!
  const source = sources[seed % sources.length]!
  const { bytes, how } = mutate(source[which]!, seed)
  const content = Object.fromEntries(names.map((name, i) => [`/d/${name}`, i === which ? bytes : source[i]!]))
  const files = memoryFiles(content)
  let dump: Dump
  try {
    dump = await readDump(files, dumpFilesOf(files, '/d'), job())
  } catch (error) {
    if (!(error instanceof Refusal))
      throw new Error(`seed ${seed} (${how} of ${names[which]})`, { cause: error })
    tally.refusals++
    return
  }
  tally.dumps++
  if (dump.problems.length > 0) tally.withProblems++
  if (dump.partial) tally.partial++
  try {
    sound(dump)
    if (dump.ops.length > 0) rawText(files, dump, dump.ops.length - 1)
    if (which === 0) sameAsCareful(dump, bytes)
  } catch (error) {
    throw new Error(`seed ${seed} (${how} of ${names[which]})`, { cause: error })
  }
}

/** Every code leads to a text, every range lies in its table. */
function sound(dump: Dump): void {
  const { ops, items, texts, stacks, construct } = dump
  expect(ops.first.length).toBe(ops.length + 1)
  expect(ops.first[ops.length]).toBe(items.length)
  linesOf(dump)
  for (let i = 0; i < construct.length; i++) {
    texts.get(construct.child[i]!)
    if (construct.parent[i]! >= 0) texts.get(construct.parent[i]!)
    expect(construct.find(construct.child[i]!)).toBe(i)
  }
  for (let stack = 0; stack < stacks.length; stack++) stacks.frames(stack)
  for (let op = 0; op < ops.length; op++) expect(stacks.of(ops.name[op]!)).toBeLessThan(stacks.length)
}

/** Both readers must agree, up to where the file breaks. */
function sameAsCareful(dump: Dump, bytes: Uint8Array): void {
  // What only the whole reader does: duplicates are put together, a level after the data is taken back to it.
  if (
    dump.problems.some(p => p.code === 'duplicate-key' || p.code === 'too-many-problems') ||
    dump.header.level === 'debug'
  )
    return
  tally.compared++
  const careful = carefulDump(bytes)
  expect(linesOf(dump)).toEqual(linesOf(careful))
  const code =
    careful.stop &&
    ({ broken: 'json-broken', truncated: 'json-truncated', deep: 'json-deep' } as const)[careful.stop.why]
  expect(dump.problems.find(p => p.severity === 'error')?.code ?? null).toBe(code)
  const place = dump.problems.find(p => p.code === 'json-broken' || p.code === 'json-truncated')
  expect(place?.facts.byte ?? null).toBe(code === 'json-deep' ? null : (careful.stop?.at ?? null))
  expect(
    dump.problems
      .filter(p => p.severity === 'warning' && !['invalid-utf8', 'empty-dump'].includes(p.code))
      .map(p => p.code),
  ).toEqual(careful.problems.list.map(p => p.code))
}

test('damaged dumps', async () => {
  for (const seed of seedsOf(3000)) await run(seed)
  expect(tally.dumps + tally.refusals).toBeGreaterThan(0)
})
