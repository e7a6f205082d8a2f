// api_precision_compare against both generations of the tool: every cell of both files, and everything that is refused.
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli } from '../support/cli.ts'
import { csvRows } from '../support/csv.ts'
import { fixturesRoot } from '../support/fixtures.ts'

const root = path.join(fixturesRoot(), 'next', 'api_precision')
const cases = readdirSync(root)
  .filter(name => existsSync(path.join(root, name, 'case.json')))
  .sort()
const text = (...at: string[]): string => readFileSync(path.join(...at), 'utf8')

interface Case {
  readonly tool: string
  readonly command: readonly string[]
  readonly expect: 'files' | 'error' | 'refuse'
}
const caseOf = (name: string): Case => JSON.parse(text(root, name, 'case.json')) as Case
const optionOf = (name: string, option: string): string => {
  const { command } = caseOf(name)
  return path.join(root, name, command[command.indexOf(option) + 1] ?? '')
}

async function compared(name: string, more: readonly string[]) {
  const output = mkdtempSync(path.join(tmpdir(), 'plumbline-precision-'))
  const before = caseOf(name).command.includes('-f') ? ['-f', 'pytorch'] : []
  const both = ['-npu', optionOf(name, '-npu'), '-gpu', optionOf(name, '-gpu')]
  const ran = await cli([...before, 'api_precision_compare', ...both, '-o', output, ...more, '--json'])
  return { ...ran, output }
}

const rulesOf = (name: string): string =>
  caseOf(name).tool.endsWith(' 1.2.2') ? 'msprobe-1.2.2' : 'msprobe-26'

/** Files by what they hold, without their stamps. */
function tables(folder: string): ReadonlyMap<string, string[][]> {
  const found = readdirSync(folder).filter(file => file.endsWith('.csv'))
  return new Map(
    found.map(file => [
      file.replace(/_\d{14}/, ''),
      csvRows(text(folder, file).replace('\uFEFF', '')).map(row =>
        row.map(cell => cell.replaceAll('\r\n', '\n')),
      ),
    ]),
  )
}

/** Numbers to twelve digits: the tool hands some on as they were spelled. */
const shown = (cell: string): string => (cell === 'Infinity' ? 'inf' : numberShown(cell))
const numberShown = (cell: string): string =>
  /^ ?-?\d/.test(cell) && Number.isFinite(Number(cell)) ? String(Number(Number(cell).toPrecision(12))) : cell

/** What an exception of the tool says is no text to be repeated. */
const withoutReasons = (rows: readonly string[][]): string[][] =>
  rows.map(row =>
    (row.includes('SKIP') && row.at(-1)?.trim() ? [...row.slice(0, -1), '(why)'] : row).map(shown),
  )

const of = (expected: Case['expect']): string[] => cases.filter(name => caseOf(name).expect === expected)

describe('the files of the tool, cell for cell', () => {
  it.each([...of('files'), ...of('refuse')])('%s', async name => {
    const { code, err, output } = await compared(name, ['--rules', rulesOf(name)])
    expect(err).not.toMatch(/bug|internal/i)
    expect(code).toBe(0)
    const [mine, theirs] = [tables(output), tables(path.join(root, name, 'golden'))]
    expect([...mine.keys()].sort()).toEqual([...theirs.keys()].sort())
    for (const [file, rows] of theirs)
      expect(withoutReasons(mine.get(file) ?? [])).toEqual(withoutReasons(rows))
  })
})

it.each(of('error'))('%s is refused', async name => {
  const { code, err, output } = await compared(name, ['--rules', rulesOf(name)])
  expect(code).toBe(2)
  expect(err).not.toBe('')
  expect(readdirSync(output)).toEqual([])
})

it.each(of('refuse'))('%s is refused where nobody says by which rules to go', async name => {
  const { code, err } = await compared(name, [])
  expect(code).toBe(2)
  expect(err).toMatch(/was written by msprobe (1\.2\.2|26)/)
})

describe('by our own rules', () => {
  it('an output that one side lacks has a state of its own, in either direction', async () => {
    const { code, out, output } = await compared('names_12', ['--rules', 'plumbline'])
    expect(code).toBe(0)
    const answer = JSON.parse(out) as { missing: unknown; outputs: unknown; generation: string }
    expect(answer.generation).toBe('1.2.2')
    expect(answer.missing).toEqual([
      { name: 'Torch.exp.404.forward.output.0', missingOn: 'gpu' },
      { name: 'Torch.log.406.forward.output.0', missingOn: 'npu' },
    ])
    expect(tables(output).get('api_precision_compare_result.csv')).toContainEqual([
      'Torch.exp.404',
      'missing',
      ' ',
      'This output is not in the GPU details.',
    ])
  })

  it('nothing passes by blank cells', async () => {
    const { out } = await compared('blanks_26', ['--rules', 'plumbline'])
    const { outputs } = JSON.parse(out) as { outputs: unknown }
    expect(outputs).toEqual({ pass: 1, error: 0, SKIP: 6, missing: 0 })
  })

  it('a call has one line wherever its outputs stand', async () => {
    const { output } = await compared('interleaved_12', ['--rules', 'plumbline'])
    const names = (tables(output).get('api_precision_compare_result.csv') ?? []).map(([name]) => name)
    expect(names).toEqual(['API Name', 'Functional.softmax.500', 'Torch.mean.501', 'Torch.topk.502'])
  })

  it('what fails is told with its numbers and limits', async () => {
    const { out } = await compared('limits_12', [])
    const { failing } = JSON.parse(out) as { failing: readonly { name: string; checks: unknown }[] }
    expect(failing.find(({ name }) => name.startsWith('Functional.pad.103'))).toEqual({
      name: 'Functional.pad.103.forward.output.0',
      standard: 'binary',
      checks: [
        expect.objectContaining({ metric: 'binary', npu: 0.04, gpu: null, limit: 0, verdict: 'error' }),
      ],
    })
  })
})

it('the generation of every pair is told by its cells, or by the command line where they do not tell', async () => {
  // Random cells are of no generation.
  for (const name of of('files').filter(one => !one.startsWith('random'))) {
    const { code, out, err } = await compared(name, [])
    expect([name, code, err.trim()]).toEqual([name, 0, ''])
    expect((JSON.parse(out) as { generation: string }).generation).toBe(
      rulesOf(name).slice('msprobe-'.length),
    )
  }
})
