// tf ac: all that can be told of a run at once. A step that fails is told, and the others go on.
import {
  castsIn,
  effectsOf,
  fileNameOf,
  type GeLookup,
  readCsv,
  readFusion,
  type Similarity,
  similarityOf,
  type TensorFlowTree,
} from '../../../../formats/index.ts'
import { absolute, join } from '../../../../io/index.ts'
import { Refusal } from '../../../../model/index.ts'
import {
  defaultThreshold,
  newestResults,
  type Overflow,
  overflowsOf,
  summaryOf,
} from '../../../../vector/index.ts'
import { defaultOutput } from '../../flags.ts'
import type { Tools } from '../../tools.ts'
import type { Asked, Command } from '../../verb.ts'
import { openGraphs } from '../graphs.ts'
import { openTree } from '../tree.ts'
import { runNets } from '../vc/nets.ts'
import type { AcField, AcFlags } from './index.ts'
import { type Compared, type Effects, type Overview, print } from './print.ts'

/** Errors, records and names that are listed. */
const usually = 3

export const command: Command<AcFlags, Overview, AcField> = {
  async run(asked, tools) {
    const [folder] = asked.paths
    const limit = asked.flags.limit ?? usually
    const tree = await openTree(folder, tools)
    const compare =
      asked.flags.overflow && !asked.flags.compare
        ? null
        : await attempt(tools, () => comparison(asked, tools))
    const hasGraphs = tree.npu.some(({ graphs }) => graphs.length > 0)
    const lookup = hasGraphs
      ? await attempt(tools, async () => (await openGraphs(folder, {}, tools)).lookup)
      : null
    return {
      compare: compare ?? [],
      fusion: fusionOf(tree, tools),
      overflow: (await attempt(tools, () => overflowIn(tree, lookup, limit, tools))) ?? [],
      casts: lookup ? castsIn(lookup, 'dangerous') : new Map(),
      similarity: (await attempt(tools, () => similarity(folder, tree, tools))) ?? [],
    }
  },
  print(overview, page, { flags }) {
    print(overview, page, {
      only: flags.overflow ? 'overflow' : null,
      limit: flags.limit ?? usually,
      asked: flags.compare === true,
    })
  },
  json: ({ compare, fusion, overflow, casts, similarity }) => ({
    compare: compare.map(({ file, summary }) => ({
      file,
      errors: summary.errors.map(({ op }) => op),
      first: summary.first?.op ?? null,
    })),
    fusion,
    overflow: overflow.map(({ statuses, ...rest }) => ({ ...rest, units: statuses })),
    dangerousCast: Object.fromEntries(casts),
    similarity,
  }),
}

/** What cannot be done is told, and is no reason to leave out the rest. */
async function attempt<T>({ tell }: Tools, act: () => Promise<T>): Promise<T | null> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    tell({ ...error.problem, severity: 'warning' })
    return null
  }
}

/** A new compare with `-c`; else what the newest one came to, if there is one. */
async function comparison({ flags, paths }: Asked<AcFlags>, tools: Tools): Promise<readonly Compared[]> {
  const { files, job } = tools
  if (flags.compare) return runNets({ folder: paths[0], output: flags.output }, tools)
  const own = join(absolute(defaultOutput), 'vector_compare')
  files.allow(own)
  const found: Compared[] = []
  for (const file of resultsOrNone(() =>
    newestResults(files, absolute(paths[0]), files.stat(own) ? [own] : []),
  ))
    found.push({ file, summary: summaryOf(await readCsv(files, file, job), defaultThreshold, file) })
  return found
}

function resultsOrNone(find: () => readonly string[]): readonly string[] {
  try {
    return find()
  } catch (error) {
    if (error instanceof Refusal && error.problem.code === 'no-results') return []
    throw error
  }
}

function fusionOf({ fusion }: TensorFlowTree, { files, tell }: Tools): Effects {
  const all: Effects = {}
  for (const path of fusion) {
    try {
      const read = readFusion(files, path)
      for (const found of read.problems) tell(found)
      Object.assign(all, effectsOf(read))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      tell({ ...error.problem, severity: 'warning' })
    }
  }
  return all
}

async function overflowIn(
  { overflow }: TensorFlowTree,
  lookup: GeLookup | null,
  limit: number,
  tools: Tools,
): Promise<readonly Overflow[]> {
  if (overflow.length === 0) return []
  let names: Map<string, string> | null = null
  const nameOf = (file: string): string | undefined => {
    names ??= new Map(
      lookup ? [...lookup.ops()].map(op => [fileNameOf(lookup.name(op)), lookup.name(op)]) : [],
    )
    return names.get(file)
  }
  return overflowsOf(overflow[0], { looked: limit, nameOf }, tools)
}

async function similarity(
  folder: string,
  { npu }: TensorFlowTree,
  tools: Tools,
): Promise<readonly Similarity[]> {
  const [first, second] = npu.filter(({ graphs }) => graphs.length > 0)
  if (!first || !second) return []
  const [left, right] = [
    await openGraphs(folder, { run: first.name }, tools),
    await openGraphs(folder, { run: second.name }, tools),
  ]
  return similarityOf(left.lookup, right.lookup)
}
