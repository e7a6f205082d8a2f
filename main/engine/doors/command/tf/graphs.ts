// The graphs that commands of `tf` ask: those of one run of the folder, read once for all lines of a prompt.
import {
  GeLookup,
  graphsFor,
  type GeGraphFile,
  type NpuSide,
  readGraphs,
  type TensorFlowTree,
} from '../../../formats/index.ts'
import { absolute } from '../../../io/index.ts'
import { problem, Refusal } from '../../../model/index.ts'
import type { Tools } from '../tools.ts'
import { openTree } from './tree.ts'

export interface Which {
  readonly run?: string | undefined
  readonly graphFile?: string | undefined
}

export interface OpenGraphs {
  readonly tree: TensorFlowTree
  readonly side: NpuSide
  readonly lookup: GeLookup
}

/** What reading graphs takes. */
export type Looking = Pick<Tools, 'files' | 'job' | 'kept' | 'tell'>

export async function openGraphs(folder: string, which: Which, tools: Looking): Promise<OpenGraphs> {
  const tree = await openTree(folder, tools)
  const side = sideOf(tree, which.run)
  const chosen = filesOf(side, which.graphFile, tree.root)
  if (chosen.length === 0) throw new Refusal(problem('tf-no-graph', tree.root))
  const key = `graphs ${chosen.map(({ path, size, modified }) => `${path} ${size} ${modified}`).join(' ')}`
  const lookup = await tools.kept.of(key, () => read(side, chosen, which, tools))
  return { tree, side, lookup }
}

async function read(
  side: NpuSide,
  chosen: readonly GeGraphFile[],
  which: Which,
  tools: Looking,
): Promise<GeLookup> {
  if (which.graphFile === undefined && graphsFor(side.graphs).otherStage)
    tools.tell(problem('ge-other-stage', chosen[0].path, {}, 'note'))
  const model = await readGraphs(
    tools.files,
    chosen.map(({ path }) => path),
    tools.job,
  )
  for (const found of model.problems) tools.tell(found)
  return new GeLookup(model)
}

/** The first that has graphs, or the one that was named. */
function sideOf({ npu, root }: TensorFlowTree, name: string | undefined): NpuSide {
  const side = npu.find(one => (name === undefined ? one.graphs.length > 0 : one.name === name))
  if (side) return side
  if (name === undefined) throw new Refusal(problem('tf-no-graph', root))
  throw new Refusal(problem('tf-no-run', root, { name, names: npu.map(one => one.name).join(', ') }))
}

/** Those that the run was built with, or the one that was named by its name or path. */
export function filesOf(side: NpuSide, named: string | undefined, root: string): readonly GeGraphFile[] {
  if (named === undefined) return graphsFor(side.graphs).used
  const file = side.graphs.find(({ name, path }) => name === named || path === absolute(named))
  if (file) return [file]
  const names = side.graphs.map(({ name }) => name).join(', ')
  throw new Refusal(problem('tf-no-graph-file', root, { file: named, names }))
}

/** Rows as lines, their columns side by side. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, cell.length)),
    [],
  )
  return rows.map(row =>
    row
      .map((cell, i) => cell.padEnd(widths[i]))
      .join('  ')
      .trimEnd(),
  )
}
