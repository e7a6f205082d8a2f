// Inputs that were made to hurt, or that a broken run left: said in a sentence, and the rest goes on.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli } from '../../support/cli.ts'
import { dumpFolder } from '../../support/dumps.ts'
import { fixturesRoot } from '../../support/fixtures.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** A dump of its own to spoil. */
function copied(name: string): string {
  const to = path.join(temporaryFolder(), name)
  cpSync(dumpFolder(name), to, { recursive: true })
  execFileSync('chmod', ['-R', 'u+w', to])
  return to
}

const filesOf = (folder: string, name: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => name.test(file))
    .map(file => path.join(folder, file))
    .toSorted()

describe('hostile and broken inputs', () => {
  it('goes on where one tensor has no shape', async () => {
    const debug = copied('pt_lenet_w_conv2_statistics_mix')
    for (const file of filesOf(debug, /dump\.json$/))
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replaceAll(/"shape": \[[^\]]*\]/g, (shape, at: number) =>
          at > 20_000 ? shape : '"form": 0',
        ),
      )
    const bench = dumpFolder('pt_lenet_none_statistics_mix')
    const advised = await cli(['advise', debug, bench, '--json'])
    expect(advised.err).toContain('is shown as absent')
    expect(advised.code).toBe(0)
    const { findings } = JSON.parse(advised.out) as { findings: readonly unknown[] }
    expect(findings.length).toBeGreaterThan(0)
  })

  it.runIf(process.platform !== 'win32')(
    'refuses a pipe in the place of a tensor without waiting for it',
    async () => {
      const debug = copied('pt_lenet_half_tensor_L1')
      const [tensor = ''] = filesOf(debug, /\.(?:pt|npy)$/)
      rmSync(tensor)
      execFileSync('mkfifo', [tensor])
      const { code, err } = await cli([
        'compare',
        debug,
        dumpFolder('pt_lenet_none_tensor_L1'),
        '-o',
        temporaryFolder(),
      ])
      expect(code).toBe(0)
      expect(err).toContain(`${tensor} is not a file`)
    },
  )

  it.runIf(process.platform !== 'win32').each(['stack.json', 'construct.json', 'dump_tensor_data'])(
    'reads no %s that leads out of the dump, and compares without it',
    async name => {
      const debug = copied('pt_lenet_half_tensor_L1')
      const outside = temporaryFolder()
      for (const dump of filesOf(debug, /dump\.json$/)) {
        const there = path.join(path.dirname(dump), name)
        if (existsSync(there)) renameSync(there, path.join(outside, path.basename(path.dirname(dump)) + name))
        symlinkSync(path.join(outside, path.basename(path.dirname(dump)) + name), there)
      }
      const bench = dumpFolder('pt_lenet_none_tensor_L1')
      const { code, err } = await cli(['compare', debug, bench, '-o', temporaryFolder()])
      expect(code).toBe(0)
      expect(err).toContain('lies outside of what was opened')
      expect(err).not.toContain('was left out')
    },
  )

  it('says that no step could be compared, where none could', async () => {
    const debug = copied('pt_lenet_w_conv2_statistics_mix')
    for (const file of filesOf(debug, /dump\.json$/)) truncateSync(file, 40)
    const { code, err } = await cli([
      'compare',
      debug,
      dumpFolder('pt_lenet_none_statistics_mix'),
      '-o',
      temporaryFolder(),
    ])
    expect(code).toBe(2)
    expect(err).not.toContain('go on')
    expect(err).toContain('None of the 2 steps and ranks')
  })

  it('does not call a comparison good whose tensors could not be read', async () => {
    const debug = copied('pt_lenet_half_tensor_L1')
    for (const file of filesOf(debug, /\.(?:pt|npy)$/)) truncateSync(file, 50)
    const words = ['compare', debug, dumpFolder('pt_lenet_none_tensor_L1'), '-o', temporaryFolder()]
    expect((await cli(words)).code).toBe(0)
    expect((await cli([...words, '--fail-on', 'error'])).code).toBe(1)
  })

  it.each([
    ['brackets', '['.repeat(1000)],
    ['lists in lists', '- '.repeat(30_000)],
    ['keys in keys', '? '.repeat(30_000)],
    ['blocks in blocks', Array.from({ length: 3000 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')],
    ['anchors', Array.from({ length: 200_000 }, (_, at) => `k${at}: &a${at} v\n`).join('')],
  ])('a mapping of %s is called wrong, by check and by compare', async (_, text) => {
    const file = path.join(temporaryFolder(), 'mapping.yaml')
    writeFileSync(file, text)
    const pair = ['ms_lenet_none_statistics_mix', 'pt_lenet_none_statistics_mix'].map(dumpFolder)
    expect((await cli(['map', 'check', file, ...pair])).code).toBe(1)
    const compared = await cli(['compare', ...pair, '-dm', file, '-o', temporaryFolder()])
    expect(compared.code).toBe(2)
    expect(compared.err).not.toContain('Something went wrong')
  })

  it('spells out what a terminal would act on', async () => {
    const { err } = await cli(['compare', '/nowhere/\u001b]0;title\u0007\u009b2J\u202ename', '/nowhere'])
    expect(err).toContain(String.raw`/nowhere/\u001b]0;title\u0007\u009b2J\u202ename`)
  })

  it('says where a dump ends early, whatever is asked of it', async () => {
    const folders = ['ms_lenet_none_statistics_L0', 'pt_lenet_none_statistics_L0']
    const [debug = '', bench = ''] = folders.map(copied)
    const [file = ''] = filesOf(debug, /dump\.json$/)
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -400))
    const mapping = path.join(temporaryFolder(), 'mapping.yaml')
    writeFileSync(mapping, 'a: b\n')
    for (const words of [
      ['map', 'check', mapping, debug, bench],
      ['map', 'propose', debug, bench, '--kind', 'cell'],
      ['overflow_check', '-i', path.join(debug, 'step0'), '-o', temporaryFolder()],
    ])
      expect((await cli(words)).err, words.join(' ')).toContain(`${file} ends`)
  })

  it('says why a call was left out of a check of overflows', async () => {
    const folder = path.join(temporaryFolder(), 'rank')
    cpSync(path.join(fixturesRoot(), 'next', 'run_overflow', 'step0', 'rank'), folder, { recursive: true })
    writeFileSync(path.join(folder, 'dump_tensor_data', 'Functional.softmax.0.forward.input.0.pt'), 'cut')
    const { out } = await cli([
      '-f',
      'pytorch',
      'run_overflow_check',
      '-api_info',
      path.join(folder, 'dump.json'),
    ])
    expect(out).toMatch(/Functional\.softmax\.0: skipped, \S/)
  })

  it('names the version of a foreign noise profile, whatever stands there', async () => {
    const file = path.join(temporaryFolder(), 'noise.json')
    writeFileSync(file, '{"format": "plumbline noise profile", "version": {"a": 1}}')
    const { err } = await cli(['noise', file])
    expect(err).toContain('version {"a":1}')
  })
})
