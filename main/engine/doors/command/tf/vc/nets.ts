// A full-net compare with its files: the pairs one after the other, each with a result and, if wanted, a mapping.
import { cellTable, titled } from '../../../../formats/index.ts'
import { absolute, openOutput } from '../../../../io/index.ts'
import { problem, type Table } from '../../../../model/index.ts'
import { stampOf, writeCsv } from '../../../../report/index.ts'
import {
  ArraySideFiles,
  compareNets,
  defaultThreshold,
  type FirstError,
  type MappedRow,
  type Net,
  type NetsAsked,
  netsToCompare,
  RawSideFiles,
  type ResultSides,
  sidesNameOf,
  summaryOf,
} from '../../../../vector/index.ts'
import { defaultOutput } from '../../flags.ts'
import type { Tools } from '../../tools.ts'
import { UsageError } from '../../verb.ts'

interface Asked extends NetsAsked {
  readonly mapping?: true | undefined
  readonly overflow?: true | undefined
  /** Slices one by one. */
  readonly slices?: true | undefined
  readonly output?: string | undefined
}

export interface NetCompared {
  readonly name: string
  readonly left: string
  readonly right: string
  readonly file: string
  /** '' unless it was asked for. */
  readonly mappingFile: string
  readonly rows: number
  readonly measured: number
  readonly reshaped: readonly string[]
  readonly summary: FirstError
}

export async function runNets(asked: Asked, tools: Tools): Promise<readonly NetCompared[]> {
  const nets = await netsToCompare(asked, tools)
  // Neither a graph nor TensorFlow knows of slices.
  if (asked.slices && nets.some(({ ops, right }) => ops || !('graph' in right)))
    throw new UsageError('cli.usage.vcSlices')
  const results: NetCompared[] = []
  for (const [i, net] of nets.entries()) results.push(await compareNet(net, i, asked, tools))
  return results
}

async function compareNet(net: Net, place: number, asked: Asked, tools: Tools): Promise<NetCompared> {
  const { left, right, ops, beyond, name } = net
  const { files, pool, job } = tools
  const sides = {
    left: new RawSideFiles(left, asked.slices),
    right: 'graph' in right ? new RawSideFiles(right, asked.slices) : new ArraySideFiles(right),
  }
  const { table, mapping, measured, reshaped, foreign, problems } = await compareNets(
    { ...sides, ops, beyond, overflow: asked.overflow ?? false },
    { files, pool, job },
  )
  for (const found of problems) tools.tell(found)
  const { file, mappingFile } = await written(
    { table, mapping: asked.mapping ? mapping : null, place, sides: { left: left.path, right: right.path } },
    { folder: asked.output, dumps: [absolute(asked.folder), left.path, right.path] },
    tools,
  )
  const summary = summaryOf(table, defaultThreshold, file)
  if (measured === 0) tools.tell(problem('vc-nothing-met', left.path, { other: right.path }, 'warning'))
  if (foreign) tools.tell(problem('vc-foreign', left.path, foreign, 'warning'))
  return {
    name,
    left: left.path,
    right: right.path,
    file,
    mappingFile,
    rows: table.length,
    measured,
    reshaped,
    summary,
  }
}

const mappingTitles = [
  'Index',
  'OpType',
  'NPUDump',
  'GroundTruth',
  'TensorIndex',
  'NPUDumpPath',
  'GroundTruthPath',
]

interface ToWrite {
  readonly table: Table
  /** Null: not asked for. */
  readonly mapping: readonly MappedRow[] | null
  /** Which of several results. */
  readonly place: number
  readonly sides: ResultSides
}

/** Results of one run are a second apart, so that each has a name of its own. */
async function written(
  { table, mapping, place, sides }: ToWrite,
  { folder, dumps }: { readonly folder: string | undefined; readonly dumps: readonly string[] },
  { job, written: tellWritten }: Tools,
): Promise<Pick<NetCompared, 'file' | 'mappingFile'>> {
  const now = new Date()
  const stamp = stampOf(new Date(now.getTime() + place * 1000))
  const own = `${defaultOutput}/vector_compare/${stampOf(now)}`
  const output = openOutput(absolute(folder || own), dumps)
  const options = { extras: true, inert: true, end: '\r\n' } as const
  try {
    await writeCsv(table, output.create(`result_${stamp}.csv`), options, job)
    if (mapping) {
      const cells = mapping.map(row => [
        String(row.index),
        row.opType,
        row.npu,
        row.truth,
        row.tensor,
        row.leftPath || 'NaN',
        row.rightPath || 'NaN',
      ])
      const listed = cellTable(titled(mappingTitles), cells.length, (row, column) => cells[row][column])
      await writeCsv(listed, output.create(`mapping_${stamp}.csv`), options, job)
    }
    const sink = output.create(sidesNameOf(`result_${stamp}.csv`))
    sink.write(new TextEncoder().encode(`${JSON.stringify(sides, null, 2)}\n`))
    const paths = output.commit()
    tellWritten(paths)
    return { file: paths[0], mappingFile: mapping ? paths[1] : '' }
  } finally {
    output.abandon()
  }
}
