// Writing reports: 200,000 rows as xlsx and csv against row objects in a string, and the memory of a full
// sheet.
import { zipSync } from 'fflate'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { tmpdir } from 'node:os'
import { inflateRawSync } from 'node:zlib'
import { openOutput, type Output } from '../../main/engine/io/output.ts'
import { job } from '../../main/engine/work/job.ts'
import { Kind } from '../../main/engine/model/names.ts'
import type { TableFormat } from '../../main/engine/model/index.ts'
import { writeTable } from '../../main/engine/report/index.ts'
import type { JudgedTable } from '../../main/engine/report/table.ts'
import { memory, random, time, type Case } from './case.ts'

const options = { extras: true, inert: true, facts: {} }
const titles = [
  'NPU Name',
  'Bench Name',
  'NPU Dtype',
  'Bench Dtype',
  'NPU Tensor Shape',
  'Bench Tensor Shape',
  'Max diff',
  'Min diff',
  'Mean diff',
  'L2norm diff',
  'MaxRelativeErr',
  'MinRelativeErr',
  'MeanRelativeErr',
  'NormRelativeErr',
  'NPU max',
  'NPU min',
  'NPU mean',
  'NPU l2norm',
  'Bench max',
  'Bench min',
  'Bench mean',
  'Bench l2norm',
  'Result',
  'Err_message',
]

/** A statistics table whose cells are made when asked for, as a comparison's are. */
function tableOf(rows: number): JudgedTable {
  const next = random(5)
  const values = Float64Array.from({ length: 50_021 }, () => Math.fround((next() - 0.5) * 100))
  const percents = Array.from(values.subarray(0, 5000), value => `${Math.abs(value)}%`)
  const number = (row: number, column: number): number => values[(row * 31 + column * 7919) % values.length]
  return {
    columns: titles.map((title, i) => ({ id: `c${i}`, title, numeric: i > 5 && i < 22, extra: false })),
    length: rows,
    fill: Uint8Array.from({ length: rows }, (_, row) => (row % 20 === 0 ? 1 + (row % 2) : 0)),
    state: new Uint8Array(rows),
    level: new Float64Array(rows),
    kind: (_, column) =>
      (column > 5 && column < 10) || (column > 13 && column < 22) ? Kind.float : Kind.text,
    number,
    text(row, column) {
      if (column < 2)
        return `Module.module.layers.${row % 96}.self_attention.ParallelAttention.forward.${Math.floor(row / 96)}.input.${row % 5}`
      if (column < 4) return 'torch.float32'
      if (column < 6) return '[4096, 1, 8192]'
      if (column < 14) return percents[(row + column) % percents.length]
      return column === 22 && row % 50 === 0 ? 'Warning' : ''
    },
  }
}

interface Input {
  readonly table: JudgedTable
  readonly folder: string
}

const made = (rows: number) => (): Input => {
  const base = process.env['PLUMBLINE_BENCH_TMP'] ?? tmpdir()
  mkdirSync(base, { recursive: true })
  return { table: tableOf(rows), folder: mkdtempSync(path.join(base, 'report-')) }
}

async function written(format: TableFormat, { table, folder }: Input): Promise<string> {
  const output: Output = openOutput(folder)
  await writeTable(format, table, { output, name: 'result' }, options, job())
  return output.commit()[0]
}

/** Every cell an object, every sheet a string: what a table becomes when nobody thinks of its size. */
function naiveXlsx({ table, folder }: Input): string {
  const rows = Array.from({ length: table.length }, (_, row) =>
    Object.fromEntries(
      titles.map((title, column) => [
        title,
        table.kind(row, column) === Kind.float ? table.number(row, column) : table.text(row, column),
      ]),
    ),
  )
  const cells = (row: Readonly<Record<string, string | number>>, line: number): string =>
    titles
      .map((title, i) => {
        const at = `${String.fromCharCode(65 + i)}${line}`
        const value = row[title]
        return typeof value === 'number'
          ? `<c r="${at}" t="n"><v>${Number(value.toPrecision(16))}</v></c>`
          : `<c r="${at}" t="inlineStr"><is><t>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</t></is></c>`
      })
      .join('')
  const xml = `<worksheet><sheetData>${rows.map((row, i) => `<row r="${i + 2}">${cells(row, i + 2)}</row>`).join('')}</sheetData></worksheet>`
  const zip = zipSync({ 'xl/worksheets/sheet1.xml': new TextEncoder().encode(xml) }, { level: 6 })
  const output = openOutput(folder)
  output.create('naive.xlsx').write(zip)
  return output.commit()[0]
}

function naiveCsv({ table, folder }: Input): string {
  const rows = Array.from({ length: table.length }, (_, row) =>
    Object.fromEntries(
      titles.map((title, column) => [
        title,
        table.kind(row, column) === Kind.float ? table.number(row, column) : table.text(row, column),
      ]),
    ),
  )
  const field = (value: string | number): string => {
    const text = typeof value === 'number' ? String(Number(value.toPrecision(16))) : value
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const text = [titles, ...rows.map(row => titles.map(title => row[title]))]
    .map(row => row.map(field).join(','))
    .join('\n')
  const output = openOutput(folder)
  output.create('naive.csv').write(new TextEncoder().encode(text))
  return output.commit()[0]
}

/** Rows and cells of the first sheet: the same on both sides. */
function sheetCounts(file: string): string {
  const bytes = readFileSync(file)
  for (let at = bytes.indexOf('PK\u0003\u0004'); at >= 0; at = bytes.indexOf('PK\u0003\u0004', at + 4)) {
    const name = bytes.toString('latin1', at + 30, at + 30 + bytes.readUInt16LE(at + 26))
    if (name !== 'xl/worksheets/sheet1.xml') continue
    const xml = inflateRawSync(bytes.subarray(at + 30 + name.length + bytes.readUInt16LE(at + 28)))
    const count = (what: string): number => {
      let n = 0
      for (let i = xml.indexOf(what); i >= 0; i = xml.indexOf(what, i + 1)) n++
      return n
    }
    return `${count('<v>')} numbers`
  }
  return 'no sheet'
}

const gone = ({ folder }: Input): void => rmSync(folder, { recursive: true, force: true })

export default [
  time<Input, string>({
    name: 'report: xlsx, 200,000 rows / row objects and one string',
    target: 2,
    clock: 'cpu',
    rounds: 2,
    make: made(200_000),
    done: gone,
    ours: input => written('xlsx', input),
    baseline: naiveXlsx,
    same: (ours, baseline) => sheetCounts(ours) === sheetCounts(baseline),
  }),
  time<Input, string>({
    name: 'report: csv, 200,000 rows / row objects and one string',
    target: 1.5,
    clock: 'cpu',
    rounds: 2,
    make: made(200_000),
    done: gone,
    ours: input => written('csv', input),
    baseline: naiveCsv,
    same: (ours, baseline) => Math.abs(statSync(ours).size - statSync(baseline).size) < 10_000,
  }),
  memory({
    name: 'report: xlsx of 1,048,575 rows, memory of the writer',
    target: { megabytes: 128 },
    async ours() {
      const input = made(1_048_575)()
      try {
        await written('xlsx', input)
      } finally {
        gone(input)
      }
    },
  }),
] satisfies Case[]
