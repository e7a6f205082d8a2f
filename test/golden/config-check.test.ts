// Packages of configuration compared, and made of scripts, as msprobe 26 does it: every sheet, row and setting.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { unzipSync } from 'fflate'
import { readXlsx } from 'hucre'
import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { temporaryFolder } from '../support/temporary.ts'

interface Compared {
  readonly name: string
  readonly refused: boolean
  readonly bench: string
  readonly cmp: string
}
interface Packed {
  readonly name: string
  readonly scripts: readonly string[]
}

const root = path.join(fixturesRoot(), 'next', 'config')
const cases = JSON.parse(readFileSync(path.join(root, 'cases.json'), 'utf8')) as readonly (
  Compared | Packed
)[]
const compared = cases.filter((one): one is Compared => 'bench' in one)
const packed = cases.filter((one): one is Packed => 'scripts' in one)

/** The tool's rows stand in no order; -0 is 0 to whoever reads them, and 9 digits are what two divisions share. */
async function sheetsOf(file: string): Promise<unknown> {
  const { sheets } = await readXlsx(readFileSync(file))
  return sheets.map(({ name, rows }) => {
    const [head = [], ...rest] = rows
    const cell = (value: unknown): unknown =>
      typeof value === 'number' ? Number(value.toPrecision(9)) + 0 : (value ?? '')
    return [name, head, rest.map(row => JSON.stringify(head.map((_, i) => cell(row[i])))).toSorted()]
  })
}

describe.each(compared)('$name', ({ name, refused, bench, cmp }) => {
  it(refused ? 'is refused' : 'has the rows of msprobe 26', async () => {
    const folder = temporaryFolder()
    const [a, b] = [bench, cmp].map(file => path.join(root, 'packages', file))
    const out = path.join(folder, 'out')
    const { code, err } = await cli(['config_check', '-c', a, b, '-o', out, '--rules', 'msprobe-26'])
    if (refused) {
      expect([code, err.includes('outside'), readdirSync(folder)]).toEqual([2, true, []])
      return
    }
    expect(code).toBe(0)
    expect(await sheetsOf(path.join(out, 'result.xlsx'))).toEqual(
      await sheetsOf(path.join(root, 'golden', `${name}.xlsx`)),
    )
  })
})

describe.each(packed)('$name', ({ name, scripts }) => {
  it('has the settings that msprobe 26 reads, and no environment', async () => {
    const file = path.join(temporaryFolder(), 'pack.zip')
    const words = ['config_check', '-d', ...scripts.map(script => path.join(root, name, script)), '-o', file]
    expect((await cli([...words, '--rules', 'msprobe-26'], { env: { MY_TOKEN: 'x' } })).code).toBe(0)
    const members = unzipSync(readFileSync(file))
    expect(Object.keys(members)).toEqual(['hyperparameters/hyperparameters_static.json'])
    expect(new TextDecoder().decode(Object.values(members)[0])).toBe(
      readFileSync(path.join(root, name, 'hyperparameters_static.json'), 'utf8'),
    )
  })
})

describe('our own answer', () => {
  const packages = (name: string): string[] => {
    const one = compared.find(other => other.name === name)
    return [one?.bench ?? '', one?.cmp ?? ''].map(file => path.join(root, 'packages', file))
  }
  const answered = async (name: string): Promise<{ code: number; out: string }> =>
    cli(['config_check', '-c', ...packages(name), '-o', temporaryFolder(), '--json', '--fail-on', 'error'])

  it('says what matters most first, and fails where it does', async () => {
    const { code, out } = await answered('weights')
    const { verdict, findings } = JSON.parse(out) as {
      verdict: string
      findings: readonly Record<string, unknown>[]
    }
    expect([code, verdict]).toEqual([1, 'error'])
    expect(findings[0]).toMatchObject({
      part: 'weights',
      reason: 'weights-differ',
      step: 0,
      rank: 0,
      differ: 3,
    })
  })

  it.each([
    ['weights_one_sided', 'error'],
    ['equal', 'pass'],
    ['nan', 'pass'],
    ['minimal', 'warning'],
  ])('%s: %s', async (name, verdict) => {
    expect(JSON.parse((await answered(name)).out)).toMatchObject({ verdict })
  })

  it('hides secrets of the environment that it packs', async () => {
    const file = path.join(temporaryFolder(), 'pack.zip')
    const script = path.join(root, 'pack_shell', 'run.sh')
    const env = { HF_TOKEN: 'abc', HCCL_ALGO: 'ring', LANG: 'C' }
    await cli(['config_check', '-d', script, '-o', file, '--env'], { env })
    const text = new TextDecoder().decode(unzipSync(readFileSync(file))['env'])
    expect(JSON.parse(text)).toEqual({ ...env, HF_TOKEN: '***' })
  })
})
