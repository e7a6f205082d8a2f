// Every command that reads something, on damaged input: it answers or refuses in a sentence, whatever the bytes; it writes
// nowhere but where it was told to; and what was cut off is said to be missing.
// A failure names its seed.
import { afterAll, expect, test } from 'vitest'
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { cli } from '../support/cli.ts'
import { damage } from '../support/damage.ts'
import { fuzzRuns, firstSeed } from '../support/fuzz.ts'
import { random } from '../support/random.ts'
import { isFilled, isSafe } from '../support/said.ts'
import { Laid, specimens, type Specimen } from '../support/specimens.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** A command takes as long as thousands of runs of a parser. */
const rounds = fuzzRuns(4, 20)
const tally = { runs: 0, refused: 0, found: 0, cuts: 0 }
const slow: [number, string][] = []
afterAll(() => {
  slow.sort(([a], [b]) => b - a)
  console.log(`fuzzed: ${JSON.stringify(tally)}; slowest: ${JSON.stringify(slow.slice(0, 3))}`)
})

type Ran = Awaited<ReturnType<typeof cli>>

function sound({ code, out, err }: Ran): void {
  expect([0, 1, 2]).toContain(code)
  expect(isSafe(err) && isFilled(err), err).toBe(true)
  if (out !== '') JSON.parse(out)
  if (code === 2) expect(err).not.toBe('')
}

const listing = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => `${name} ${statSync(path.join(folder, name)).isFile() ? 'file' : 'folder'}`)
    .filter(name => !name.startsWith('out'))
    .toSorted()

/** What was answered, without where and when it was written. */
const answer = ({ out }: Ran): string => {
  const whole: object = out === '' ? {} : JSON.parse(out)
  const rest = JSON.stringify({ ...whole, files: [], problems: [], tool: '', command: '' })
  return rest.replaceAll(/\d{14}|20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\dZ]*/g, '')
}

/** Ends of their own: a part of them is not a whole one. */
const isClosed = (file: string, bytes: Uint8Array): boolean =>
  /\.(?:json|vis|npy|npz|pt|zip|xlsx|safetensors|db)$/.test(file) && bytes.length > 40

async function run(laid: Laid, { line }: Specimen): Promise<Ran> {
  const began = performance.now()
  const ran = await cli(laid.words(line))
  slow.push([Math.round(performance.now() - began), line.split(' ')[0] ?? ''])
  laid.clear()
  return ran
}

test.each(specimens)('$name', async specimen => {
  const laid = new Laid(temporaryFolder(), specimen)
  if (specimen.first) {
    expect((await cli(laid.words(specimen.first))).code).toBe(0)
    laid.adopt()
  }
  const whole = await run(laid, specimen)
  sound(whole)
  expect(whole.code, whole.err).toBeLessThan(2)
  const before = listing(laid.root)
  for (let seed = firstSeed; seed < firstSeed + rounds; seed++) {
    const next = random(seed * 7919 + specimen.name.length)
    const some = laid.files.filter(file => next() < 2 / laid.files.length && laid.bytes(file).length > 0)
    const spoilt = some.length > 0 ? some.slice(0, 2) : laid.files.slice(0, 1)
    const cut = next() < 0.25 ? spoilt[0] : null
    for (const file of cut ? [cut] : spoilt) {
      const bytes = laid.bytes(file)
      if (file === cut) laid.spoil(file, bytes.slice(0, Math.floor(next() * (bytes.length - 2))))
      else laid.spoil(file, next() < 0.05 ? null : damage(path.basename(file), bytes, seed))
    }
    try {
      const ran = await run(laid, specimen)
      sound(ran)
      tally.runs++
      if (ran.code === 2) tally.refused++
      if (ran.code === 1) tally.found++
      if (cut && !specimen.answers && isClosed(cut, laid.bytes(cut)) && answer(ran) !== answer(whole)) {
        tally.cuts++
        expect(ran.err, 'nothing is said of what was cut off').not.toBe(whole.err)
      }
    } catch (error) {
      throw new Error(`seed ${seed}: ${spoilt.map(file => path.relative(laid.root, file)).join(', ')}`, {
        cause: error,
      })
    }
    for (const file of spoilt) laid.restore(file)
    expect(listing(laid.root)).toEqual(before)
  }
})
