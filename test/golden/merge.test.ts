// Results of several ranks merged by both generations' rules: sheets, rows and cells of what the tools wrote.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readXlsx } from 'hucre'
import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { temporaryFolder } from '../support/temporary.ts'

interface Case {
  readonly name: string
  readonly rules: string
  readonly refused: boolean
  readonly config: string
  /** File of `books` by the name it has here. */
  readonly books: Readonly<Record<string, string>>
}

const root = path.join(fixturesRoot(), 'next', 'merge')
const cases = JSON.parse(readFileSync(path.join(root, 'cases.json'), 'utf8')) as readonly Case[]

async function merged({ books, config, rules }: Case): Promise<{ code: number; err: string; out: string }> {
  const folder = temporaryFolder()
  const [input, out] = [path.join(folder, 'books'), path.join(folder, 'out')]
  mkdirSync(input)
  mkdirSync(out)
  for (const [name, file] of Object.entries(books))
    copyFileSync(path.join(root, 'books', file), path.join(input, name))
  writeFileSync(path.join(folder, 'config.yaml'), config)
  const words = ['merge_result', '-i', input, '-o', out, '-config', path.join(folder, 'config.yaml')]
  const { code, err } = await cli([...words, '--rules', rules])
  return { code, err, out }
}

async function sheetsOf(file: string): Promise<unknown> {
  const { sheets } = await readXlsx(readFileSync(file))
  return sheets.map(({ name, rows }) => [name, rows])
}

describe.each(cases)('$name', one => {
  it(one.refused ? 'is refused' : 'is merged, cell for cell', async () => {
    const { code, err, out } = await merged(one)
    const files = readdirSync(out)
    if (one.refused) {
      expect([code, err.trim() === '', files]).toEqual([2, false, []])
      return
    }
    expect(code).toBe(0)
    expect(await sheetsOf(path.join(out, files[0]))).toEqual(
      await sheetsOf(path.join(root, 'golden', `${one.name}.xlsx`)),
    )
  })
})
