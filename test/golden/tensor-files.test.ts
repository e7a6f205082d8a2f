// Numbers of real tensor files against those that msprobe printed for the same files.
import { type Measured, Note, Outcome, type TensorPair } from '../../main/engine/model/measured.ts'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { diskFiles } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/work/job.ts'
import { fixed12, roundCosine } from '../../main/engine/python/numpy.ts'
import { measurePairs } from '../../main/engine/measure/tensor-pairs.ts'
import { tasks } from '../../main/engine/threads/index.ts'
import { inlinePool } from '../../main/engine/work/inline.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { csvRows } from '../support/csv.ts'

const root = fixturesRoot()
const all = readdirSync(path.join(root, 'cases'))
const cases = all.filter(name => /^(?:cmp|cross)_.*_tensor/.test(name))
const newCases = all.filter(name => /^new_cmp_.*_tensor$/.test(name))
const counts = { cells: 0, lastDigit: 0 }
afterAll(() =>
  console.log(`tensor cells ${counts.cells}, one unit of the last digit off ${counts.lastDigit}`),
)

interface Row {
  readonly name: string
  readonly pair: { readonly debug: string; readonly bench: string }
  readonly cells: readonly string[]
  readonly message: string
}

const refsOf = ({ pair: { debug, bench } }: Row): TensorPair => ({
  debug: { file: debug },
  bench: { file: bench },
})

/** The two dump.json: from compare.json, or from the command line of msprobe 26. */
function pathsOf(folder: string): [string, string] {
  const file = path.join(folder, 'compare.json')
  const command = path.join(folder, 'cmd.txt')
  const option = (name: string): string =>
    new RegExp(`-${name} (\\S+)`).exec(readFileSync(command, 'utf8'))?.[1] ?? ''
  if (!existsSync(file)) return [option('tp'), option('gp')]
  const { npu_path: debug, bench_path: bench } = JSON.parse(readFileSync(file, 'utf8')) as {
    npu_path: string
    bench_path: string
  }
  return [debug, bench]
}

function rowsOf(folder: string): readonly Row[] {
  const [debug, bench] = pathsOf(folder)
  const sheet = readdirSync(path.join(folder, 'golden')).find(name => name.endsWith('.csv'))
  if (!sheet) return []
  const [head, ...rows] = csvRows(readFileSync(path.join(folder, 'golden', sheet), 'utf8'))
  const column = (row: readonly string[], title: string): string => row[head.indexOf(title)] ?? ''
  const file = (dump: string, name: string): string => {
    const base = path.join(path.dirname(path.resolve(folder, dump)), 'dump_tensor_data', name)
    return ['.npy', '.pt'].map(end => base + end).find(existsSync) ?? ''
  }
  return (
    rows
      .filter(row => column(row, 'Data_name') !== '-1' && column(row, 'Bench Name') !== 'N/A')
      .map(row => ({
        name: column(row, 'NPU Name'),
        pair: { debug: file(debug, column(row, 'NPU Name')), bench: file(bench, column(row, 'Bench Name')) },
        cells: [
          'Cosine',
          'MaxAbsErr',
          'MaxRelativeErr',
          'One Thousandth Err Ratio',
          'Five Thousandths Err Ratio',
        ].map(title => column(row, title)),
        message: column(row, 'Err_message'),
      }))
      // What msprobe did not read, by its own way of finding files, is none of the kernels' business.
      .filter(row => row.pair.debug && row.pair.bench && !/not have data file/.test(row.message))
  )
}

const five = (text: string | number): (string | number)[] => Array.from({ length: 5 }, () => text)
const number = (x: number): string | number => (Number.isNaN(x) ? 'Nan' : fixed12(x))

function printed(so: Measured, row: number): readonly (string | number)[] {
  const outcome = so.outcome[row]
  if (outcome === Outcome.empty) return five(0)
  if (outcome === Outcome.shapesDiffer) return five('shape unmatched')
  if (outcome === Outcome.nanPositions) return five('N/A')
  const scalar = outcome === Outcome.scalar
  return [
    scalar || so.notes[row] & Note.single
      ? 'unsupported'
      : Number.isNaN(so.cosine[row])
        ? 'Nan'
        : roundCosine(so.cosine[row]),
    number(so.maxAbs[row]),
    number(so.maxRel[row]),
    scalar ? 'unsupported' : number(so.thousandth[row]),
    scalar ? 'unsupported' : number(so.fiveThousandths[row]),
  ]
}

/** Equal, or one unit apart in the last of the digits that are printed. */
function close(cell: string | number, golden: string): boolean {
  if (typeof cell === 'string') return cell === golden
  const want = golden.trim() === 'inf' ? Infinity : Number(golden)
  counts.cells++
  if (cell === want || Number(cell.toPrecision(15)) === Number(want.toPrecision(15))) return true
  counts.lastDigit++
  return Math.abs(cell - want) <= 1.01e-12
}

describe('tensor files by the rules of msprobe 26', () => {
  it.each(newCases)('%s', async name => {
    const rows = rowsOf(path.join(root, 'cases', name))
    const files = diskFiles()
    files.allow(root)
    const so = await measurePairs(
      inlinePool(tasks),
      files,
      rows.map(row => ({ ...refsOf(row), zeros: 'machine' as const })),
      job(),
    )
    let numbers = 0
    const wrong = rows.flatMap((row, i) => {
      const cells = printed(so, i)
      // Texts and what stands for empty tensors are other ones; numbers have the same columns.
      return cells.every(
        (cell, k) => !/^-?[\d.]/.test(row.cells[k]) || (numbers++, close(cell, row.cells[k])),
      )
        ? []
        : [{ name: row.name, cells, golden: row.cells }]
    })
    expect(wrong).toEqual([])
    expect(numbers).toBeGreaterThan(100)
  })
})

describe('tensor files of real dumps', () => {
  it.each(cases)('%s', async name => {
    const rows = rowsOf(path.join(root, 'cases', name))
    const files = diskFiles()
    files.allow(root)
    const so = await measurePairs(inlinePool(tasks), files, rows.map(refsOf), job())
    const wrong = rows.flatMap((row, i) => {
      const cells = printed(so, i)
      return cells.every((cell, k) => close(cell, row.cells[k]))
        ? []
        : [{ name: row.name, cells, golden: row.cells }]
    })
    expect(wrong).toEqual([])
  })
})
