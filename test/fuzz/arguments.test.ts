// Whatever is typed, on real and on missing paths: an answer or a sentence, nothing in the folder where one stands, and
// nothing but text that is safe on a terminal.
// A failure names its seed.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { everywhere } from '../../main/cli/args.ts'
import { verbs } from '../../main/engine/doors/command/index.ts'
import { cli } from '../support/cli.ts'
import { dumpFolder } from '../support/dumps.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { seedsOf } from '../support/fuzz.ts'
import { random } from '../support/random.ts'
import { isFilled, isSafe } from '../support/said.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** These run what is typed behind them. */
const running = /^(?:tf_dump|npu_dump|npu_overflow|tf run|tf prompt)$/
const typed = verbs.filter(({ name }) => !running.test(name))

let here = ''
let paths: readonly string[] = []
beforeAll(() => {
  here = temporaryFolder()
  const file = (name: string, text: string): string => {
    writeFileSync(path.join(here, name), text)
    return path.join(here, name)
  }
  const fixture = (...parts: readonly string[]): string => path.join(fixturesRoot(), ...parts)
  mkdirSync(path.join(here, 'empty'))
  paths = [
    dumpFolder('pt_lenet_none_statistics_L0'),
    dumpFolder('pt_lenet_w_conv2_statistics_L0'),
    dumpFolder('ms_lenet_none_statistics_L0'),
    path.join(dumpFolder('pt_lenet_none_statistics_L0'), 'step0', 'rank', 'dump.json'),
    fixture('next', 'tensors', 'files', 'float32.npy'),
    fixture('next', 'bundles', 'bundles', 'model.safetensors'),
    fixture('next', 'config', 'packages', 'aaf2dbcf.zip'),
    fixture('series', 'megatron_bench.log'),
    fixture('tf', 'net', 'precision_data'),
    fixture('next', 'gradients', 'l0', 'a'),
    fixture('next', 'monitor', 'alerts_1_26', 'in'),
    path.join(here, 'empty'),
    path.join(here, 'missing'),
    file('a.yaml', 'a: b\n'),
    file('empty.json', ''),
    file('compare.json', '{"npu_path": "x", "bench_path": "y"}'),
    '/dev/null',
    '/proc/self',
  ]
})

const words = [
  '',
  ' ',
  '-',
  '--',
  '---',
  '0',
  '-1',
  '1e9',
  'NaN',
  '99999999999999999999',
  '0-3',
  '3-0',
  '0/2',
  '2/2',
  '1,2,,3',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '\u001b]0;x\u0007',
  '\u009b2J',
  '\u202etxt',
  'x\ny',
  'é节点',
  '[',
  '(a+)+$',
  '{count}',
  '$(x)',
  'a'.repeat(5000),
  '[1,2',
  '"',
  "'",
  '=',
  '--=',
  '--json=1',
  '-o=',
  '--rank',
  '-qq',
]
const tally: Record<string, number> = {}
afterAll(() => console.log(`fuzzed: ${JSON.stringify(tally)}`))

function line(next: () => number, out: string): string[] {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!
  const verb = pick(typed)
  const flags = [...Object.values(verb.flags), ...Object.values(everywhere)]
  const value = (): string => (next() < 0.5 ? pick(paths) : pick(words))
  const said: string[] = next() < 0.1 ? ['-f', pick(['pytorch', 'mindspore', 'x'])] : []
  said.push(...(next() < 0.05 ? [pick(words)] : verb.name.split(' ')))
  for (let count = pick([0, 1, 1, 2, 2, 2, 3]); count > 0; count--)
    said.push(next() < 0.85 ? pick(paths) : pick(words))
  for (let count = pick([0, 1, 2, 4]); count > 0; count--) {
    const flag = pick(flags)
    // Where it may write is fixed below.
    if (flag.names.some(name => /^(?:-o|--out|--db|--repro|-p$)/.test(name))) continue
    const name = pick(flag.names)
    said.push(next() < 0.2 ? name.slice(0, Math.ceil(name.length * next())) : name)
    if (flag.takes !== 'nothing' && next() < 0.9)
      said.push(Array.isArray(flag.value) && next() < 0.5 ? pick(flag.value as string[]) : value())
  }
  const target = Object.values(verb.flags).find(({ names }) =>
    names.some(name => /^(?:-o|--output\w*|--out|--db)$/.test(name)),
  )
  if (target) said.push(target.names.at(-1)!, out)
  return said
}

test('any command line', async () => {
  const stands = vi.spyOn(process, 'cwd').mockReturnValue(here)
  const before = readdirSync(here)
  const really = readdirSync('.')
  for (const seed of seedsOf(150)) {
    const out = temporaryFolder()
    const said = line(random(seed * 65_537), path.join(out, 'to.yaml'))
    if (said[0] === 'watch' && !said.includes('--once')) said.push('--once')
    try {
      const { code, out: printed, err } = await cli(said)
      tally[code] = (tally[code] ?? 0) + 1
      expect([0, 1, 2]).toContain(code)
      expect(isSafe(`${printed}${err}`) && isFilled(err), `${printed}${err}`).toBe(true)
      expect([readdirSync(here), readdirSync('.')]).toEqual([before, really])
    } catch (error) {
      throw new Error(`seed ${seed}: ${JSON.stringify(said)}`, { cause: error })
    }
  }
  stands.mockRestore()
})
