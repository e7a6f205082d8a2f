// Noise on the command line: measured between twins, saved, shown, used on the pair and on another model, and refused.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { twinDumps } from '../support/twin-dumps.ts'

interface Summary {
  readonly findings: readonly { readonly node: string }[]
  readonly units: readonly { readonly noise: readonly { readonly key: string }[] }[]
}
interface Saved {
  readonly profile: { readonly calls: number; readonly classes: readonly { readonly op: string }[] }
  readonly files: readonly string[]
}

let folder = ''
let [cnn, moe]: readonly (readonly string[])[] = [[], []]
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'plumbline-noise-'))
  ;[cnn, moe] = ['cnn-fault-bf16', 'moe-noise-tf'].map(unpacked)
})

/** Folders of debug, bench and their twins. */
function unpacked(name: string): readonly string[] {
  for (const [file, text] of Object.entries(twinDumps(name))) {
    const at = path.join(folder, name, file)
    mkdirSync(path.dirname(at), { recursive: true })
    writeFileSync(at, text)
  }
  return ['debug', 'bench', 'twin-debug', 'twin-bench'].map(side => path.join(folder, name, side))
}

const advised = async (words: readonly string[]): Promise<Summary> =>
  JSON.parse((await cli(['advise', ...words, '--json'])).out) as Summary

it('measures twins, saves what they tell, and shows the same of the file', async () => {
  const [, , a = '', b = ''] = cnn
  const out = path.join(folder, 'profiles')
  const measured = JSON.parse((await cli(['noise', a, b, '-o', out, '--json'])).out) as Saved
  expect(measured.profile.calls).toBeGreaterThan(10)
  const [file = ''] = measured.files
  const text = readFileSync(file, 'utf8')
  // Somebody else may read it: names of folders, and nothing of the rest of the disk.
  expect(text).not.toContain(folder)
  const shown = await cli(['noise', file])
  expect(shown.code).toBe(0)
  for (const { op } of measured.profile.classes) expect(shown.out).toContain(op)
  expect((JSON.parse((await cli(['noise', file, '--json'])).out) as Saved).profile.classes).toEqual(
    measured.profile.classes,
  )
})

it('twins take the alarm of rounding alone away, and leave a fault where it is', async () => {
  const [debug = '', bench = '', a = '', b = ''] = moe
  expect((await advised([debug, bench])).findings).not.toEqual([])
  const judged = await advised([debug, bench, '--noise', a, b])
  expect(judged.findings).toEqual([])
  expect(judged.units[0]?.noise.map(({ key }) => key)).toContain('hint.noise-twins')
  const [faulty = '', healthy = '', c = '', d = ''] = cnn
  expect((await advised([faulty, healthy, '--noise', c, d])).findings[0]?.node).toBe(
    'Functional.conv2d.1.forward',
  )
})

it('a profile judges another model, which has no twins of its own', async () => {
  const [, , a = '', b = ''] = cnn
  const { files } = JSON.parse((await cli(['noise', a, b, '-o', folder, '--json'])).out) as Saved
  const [debug = '', bench = ''] = moe
  const judged = await advised([debug, bench, '--noise', files[0] ?? ''])
  expect(judged.units[0]?.noise.map(({ key }) => key)).toContain('hint.noise-profile')
})

it('what tells no noise is refused in one sentence, and nothing is judged', async () => {
  const [debug = '', bench = ''] = cnn
  const [other = '', , a = '', b = ''] = moe
  for (const [twins, sentence] of [
    [[a, b], /another model|other model/i],
    [[bench, other], /other data/i],
    [[debug, path.join(folder, 'nowhere')], /not found|no such|does not exist|nowhere/i],
    [[path.join(debug, 'dump.json')], /two|twins|profile/i],
  ] as const) {
    const { code, out, err } = await cli(['advise', debug, bench, '--noise', ...twins])
    expect(code, err).toBe(2)
    expect(out).toBe('')
    expect(err).toMatch(sentence)
    expect(err.trim().split('\n')).toHaveLength(1)
  }
})
