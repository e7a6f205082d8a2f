// parse vc: two trees of npy files, file by file; where raw dumps lie, as `tf vc` without a graph.
import { rawFilesIn } from '../../../../formats/index.ts'
import { absolute, openOutput } from '../../../../io/index.ts'
import { problem, Refusal } from '../../../../model/index.ts'
import { writeCsv } from '../../../../report/index.ts'
import { type BatchRow, batchTable, compareTrees, defaultThreshold } from '../../../../vector/index.ts'
import { defaultOutput } from '../../flags.ts'
import { type NetCompared, runNets } from '../../tf/vc/nets.ts'
import { told as netsTold } from '../../tf/vc/run.ts'
import type { Page, Tools } from '../../tools.ts'
import type { Asked, Command } from '../../verb.ts'
import type { VcField, VcFlags } from './index.ts'

interface Batch {
  readonly file: string
  readonly rows: readonly BatchRow[]
}

interface Answer {
  /** Of trees of npy files; null where raw dumps were compared. */
  readonly batch: Batch | null
  readonly nets: readonly NetCompared[]
}

/** Lines of what cannot be compared; all of them stand in the table. */
const mostLines = 20

export const command: Command<VcFlags, Answer, VcField> = {
  async run(asked, tools) {
    const [left, right] = [asked.flags.left, asked.flags.right].map(given => folderAt(given, tools))
    if (!(await hasRaw(left, tools)) && !(await hasRaw(right, tools)))
      return { batch: await runBatch([left, right], asked, tools), nets: [] }
    const nets = await runNets({ folder: left, left, right, output: asked.flags.output }, tools)
    return { batch: null, nets }
  },
  print({ batch, nets }, page) {
    if (batch) printBatch(batch.rows, page)
    else netsTold.print(nets, page)
  },
  json({ batch, nets }) {
    const { compared, equal, apart } = countsOf(batch?.rows ?? [])
    return {
      ...netsTold.json(nets),
      file: batch?.file ?? null,
      compared,
      equal,
      notComparable: apart.length,
      rows: (batch?.rows ?? []).map(({ left, right, numbers, reason }) => ({
        left,
        right,
        mean: numbers?.mean ?? null,
        benchMean: numbers?.benchMean ?? null,
        md5: numbers?.same ?? null,
        maxAbs: numbers?.maxAbs ?? null,
        maxRel: numbers?.maxRel ?? null,
        reason,
      })),
      threshold: defaultThreshold,
    }
  },
}

function folderAt(given: string, { files }: Tools): string {
  const folder = absolute(given)
  files.allow(folder)
  const at = files.stat(folder)
  if (!at) throw new Refusal(problem('not-found', folder))
  if (at.kind === 'file') throw new Refusal(problem('not-a-folder', folder))
  return folder
}

const noRaws: ReadonlySet<string> = new Set(['raw-none', 'tf-long-names'])

async function hasRaw(folder: string, { files, job }: Tools): Promise<boolean> {
  try {
    return (await rawFilesIn(files, [folder], job)).files.length > 0
  } catch (error) {
    if (error instanceof Refusal && noRaws.has(error.problem.code)) return false
    throw error
  }
}

async function runBatch(
  [left, right]: readonly string[],
  { flags }: Asked<VcFlags>,
  tools: Tools,
): Promise<Batch> {
  const rows = await compareTrees(left, right, tools)
  if (rows.length === 0) throw new Refusal(problem('batch-nothing', left, { other: right }))
  for (const row of rows) if (row.problem) tools.tell({ ...row.problem, severity: 'warning' })
  const output = openOutput(absolute(flags.output ?? defaultOutput), [left, right])
  try {
    const name = `batch_compare_${Math.floor(Date.now() / 1000)}.csv`
    const options = { extras: true, inert: true, end: '\r\n' } as const
    await writeCsv(batchTable(rows), output.create(name), options, tools.job)
    const paths = output.commit()
    tools.written(paths)
    return { file: paths[0], rows }
  } finally {
    output.abandon()
  }
}

function countsOf(rows: readonly BatchRow[]) {
  const met = rows.flatMap(({ numbers }) => numbers ?? [])
  return {
    compared: met.length,
    equal: met.filter(({ same }) => same).length,
    apart: rows.filter(({ numbers }) => !numbers),
  }
}

function printBatch(rows: readonly BatchRow[], page: Page): void {
  const { compared, equal, apart } = countsOf(rows)
  page.line(page.say('cli.parse.batch', { compared, equal, apart: apart.length }))
  for (const { left, right, reason } of apart.slice(0, mostLines))
    if (reason)
      page.line(
        page.say('cli.parse.apart', {
          left: left || '–',
          right: right || '–',
          reason: page.say(`cli.parse.apart.${reason}`),
        }),
      )
  if (apart.length > mostLines) page.line(page.say('cli.tf.moreErrors', { count: apart.length - mostLines }))
}
