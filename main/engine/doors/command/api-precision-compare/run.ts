// api_precision_compare: reads both details files, judges the outputs, writes the two tables of the tool.
import { readCsv } from '../../../formats/index.ts'
import { absolute, dirOf, openOutput, type Sink } from '../../../io/index.ts'
import { problem, Refusal, type Rules, type Table } from '../../../model/index.ts'
import {
  detailsOf,
  detailsTable,
  type Details,
  type PrecheckGeneration,
  PrecisionCompare,
  type PrecisionRules,
  resultTable,
  rulesOfPair,
} from '../../../precheck/index.ts'
import { stampOf, writeCsv } from '../../../report/index.ts'
import { defaultOutput } from '../flags.ts'
import type { Tools } from '../tools.ts'
import type { Asked, Command } from '../verb.ts'
import type { PrecisionField, PrecisionFlags } from './index.ts'
import { failingOutputs, missingOutputs, outcomeCounts, printCompared, standardCounts } from './print.ts'

export interface Compared {
  readonly compare: PrecisionCompare
  readonly files: readonly string[]
}

export const command: Command<PrecisionFlags, Compared, PrecisionField> = {
  async run({ flags, framework }, tools) {
    const npu = await openDetails(flags.npu, tools)
    const gpu = await openDetails(flags.gpu, tools)
    const compare = new PrecisionCompare(npu, gpu, rulesOf(flags.rules, framework !== null, npu, gpu))
    return { compare, files: await write(compare, flags.output || defaultOutput, tools) }
  },
  print: ({ compare }, page) => printCompared(compare, page),
  json: ({ compare, files }) => ({
    generation: compare.rules.generation,
    outputs: outcomeCounts(compare),
    standards: standardCounts(compare),
    failing: failingOutputs(compare),
    missing: missingOutputs(compare),
    files,
  }),
  outcome({ compare }, { flags }: Asked<PrecisionFlags>) {
    const { error, missing } = outcomeCounts(compare)
    const found = error > 0 || (flags.failOn === 'warning' && missing > 0)
    return flags.failOn !== undefined && found ? 'found' : 'ran'
  },
}

async function openDetails(given: string, { files, job }: Tools): Promise<Details> {
  const path = absolute(given)
  files.allow(path)
  files.allow(dirOf(path))
  const at = files.stat(path)
  if (!at) throw new Refusal(problem('not-found', path))
  if (at.kind === 'folder') throw new Refusal(problem('not-a-file', path))
  if (!/\.csv$/i.test(path)) throw new Refusal(problem('precheck-suffix', path))
  return detailsOf(await readCsv(files, path, job))
}

/**
 * Rules as asked for; otherwise those of the generation that wrote the details. With `-f` in front the command is
 * written as 1.2.2 writes it, without as 26: details of the other would be judged by rules that their blank cells pass.
 */
function rulesOf(asked: Rules | undefined, framed: boolean, npu: Details, gpu: Details): PrecisionRules {
  const written: PrecheckGeneration = framed ? '1.2.2' : '26'
  const rules = rulesOfPair(asked ?? 'plumbline', npu, gpu, written)
  if (asked === undefined && rules.generation !== written)
    throw new Refusal(problem('precheck-form', npu.path, { found: rules.generation, written }))
  return rules
}

const bom = new Uint8Array([0xef, 0xbb, 0xbf])

async function write(
  compare: PrecisionCompare,
  folder: string,
  { job, written }: Tools,
): Promise<readonly string[]> {
  const output = openOutput(absolute(folder), [], true)
  const stamp = stampOf(new Date())
  const put = async (name: string, table: Table): Promise<void> => {
    const sink: Sink = output.create(`api_precision_compare_${name}_${stamp}.csv`)
    sink.write(bom)
    await writeCsv(table, sink, { extras: true, inert: !compare.rules.exact, end: '\r\n' }, job)
  }
  try {
    await put('result', resultTable(compare))
    await put('details', detailsTable(compare))
    const paths = output.commit()
    written(paths)
    return paths
  } finally {
    output.abandon()
  }
}
