// Dumps of other tools and bundles with one of their files damaged: a dump or a sentence comes out, never anything else.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Candidate, type FormatOf, formats, OpenTensor, wholeOf } from '../../main/engine/formats/index.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { quickFiles } from '../../main/engine/io/quick.ts'
import { type Dump, itemName, opName, Refusal } from '../../main/engine/model/index.ts'
import { job } from '../../main/engine/work/job.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { seedsOf } from '../support/fuzz.ts'
import { mutate } from '../support/mutate.ts'
import { random } from '../support/random.ts'

const root = mkdtempSync(path.join(tmpdir(), 'foreign-fuzz-'))
const files = diskFiles()
beforeAll(() => {
  cpSync(path.join(fixturesRoot(), 'next', 'bundles'), root, { recursive: true })
  files.allow(root)
})
afterAll(() => rmSync(root, { recursive: true }))

const opened = [
  'hf_bf16',
  'hf_safetensors',
  'sglang_dumper',
  'tt',
  'debugmode_logs.json',
  'polygraphy_outputs.json',
  'polygraphy_inputs.json',
  'bundles/state.pt',
  'bundles/model.safetensors',
  'bundles/acts.npz',
]
const ports = { files, cacheDir: '', rules: 'plumbline', shared: { once: () => {} }, partial: false } as never

const below = (file: string): readonly string[] =>
  statSync(file).isFile()
    ? [file]
    : readdirSync(file)
        .sort()
        .flatMap(name => below(path.join(file, name)))

async function dumpsAt(file: string): Promise<readonly Dump[]> {
  const at = new Candidate(files, file, files.stat(file)?.kind ?? 'file')
  for (const format of formats as readonly FormatOf<'dump'>[]) {
    const place = await format.find(at, job())
    if (!place) continue
    if (format.holds !== 'dump') return []
    const places = (format.sides?.(place, files) ?? [[place]]).flat()
    const dumps: Dump[] = []
    for (const one of places.slice(0, 3)) dumps.push(await wholeOf(format.open(one, ports, job())))
    return dumps
  }
  return []
}

/** Names and values are there for all that a dump says it holds, or are refused. */
function looked(dump: Dump): void {
  for (let op = 0; op < dump.ops.length; op++) opName(dump, op as never)
  for (let item = 0; item < Math.min(dump.items.length, 40); item++) {
    itemName(dump, item as never)
    const ref = dump.tensors.ref(item as never)
    if (!ref) continue
    try {
      const tensor = new OpenTensor(quickFiles(files.roots()), ref)
      try {
        tensor.read(0, Math.min(tensor.layout.size, 100))
      } finally {
        tensor.close()
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
}

test('damaged dumps of other tools, and bundles', async () => {
  const seen = { dumps: 0, refused: 0, withProblems: 0 }
  for (const seed of seedsOf(400)) {
    const next = random(seed)
    const given = path.join(root, opened[seed % opened.length]!)
    const all = below(given)
    // What tells the rest is damaged as often as any of the many tensors.
    const telling = all.filter(file => /\.(?:jsonl?|log)$/.test(file))
    const among = telling.length > 0 && next() < 0.5 ? telling : all
    const file = among[Math.floor(next() * among.length)]!
    const whole = readFileSync(file)
    try {
      const { bytes, how } = mutate(whole, seed)
      writeFileSync(file, bytes)
      try {
        const dumps = await dumpsAt(given)
        seen.dumps += dumps.length
        for (const dump of dumps) {
          if (dump.problems.length > 0) seen.withProblems++
          looked(dump)
        }
      } catch (error) {
        if (!(error instanceof Refusal))
          throw new Error(`seed ${seed}: ${how} of ${path.relative(root, file)}`, { cause: error })
        seen.refused++
      }
    } finally {
      writeFileSync(file, whole)
    }
  }
  expect(seen.dumps).toBeGreaterThan(0)
  expect(seen.refused + seen.withProblems).toBeGreaterThan(0)
}, 300_000)
