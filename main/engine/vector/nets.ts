// Which folders of a run are compared with which, and by which graph: those that were named, or all that belong
// together.
import {
  type ArrayFolder,
  type DumpFolder,
  type GeModel,
  graphsFor,
  type NpuSide,
  readGraphs,
  scanTensorFlow,
  type TensorFlowTree,
} from '../formats/index.ts'
import { absolute, type Files } from '../io/index.ts'
import { problem, type Problem, Refusal } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { type Beyond, intoUnfused, throughQuantized } from './beyond.ts'
import { FusedOps } from './groups.ts'
import type { NpuFolder } from './sides.ts'

export interface NetsAsked {
  readonly folder: string
  readonly left?: string | undefined
  readonly right?: string | undefined
  readonly graph?: string | undefined
  /** The graph of the right side, which ran without fusion. */
  readonly unfused?: string | undefined
  /** The graph of the quantized model that the run was made of. */
  readonly quantized?: string | undefined
}

/** A pair of folders, and the graph that says which tensors meet. */
export interface Net {
  /** Of the graph; '' where names alone decide. */
  readonly name: string
  readonly left: NpuFolder
  readonly right: NpuFolder | ArrayFolder
  readonly ops: FusedOps | null
  readonly beyond: Beyond | null
}

interface Tools {
  readonly files: Files
  readonly job: Job
  tell(problem: Problem): void
}

/** Refuses a folder that lacks a side, or names that lead nowhere. */
export async function netsToCompare(asked: NetsAsked, tools: Tools): Promise<readonly Net[]> {
  const named = asked.left !== undefined || asked.right !== undefined
  const beyond = await beyondOf(asked, tools)
  const nets = named ? [await namedNet(asked, tools)] : await netsOf(asked, tools)
  // A second graph is no use without the first.
  if (beyond && nets.some(({ ops }) => !ops))
    throw new Refusal(problem('tf-no-graph', absolute(asked.folder)))
  return nets.map(net => ({ ...net, beyond }))
}

async function beyondOf({ unfused, quantized }: NetsAsked, tools: Tools): Promise<Beyond | null> {
  if (quantized !== undefined) return throughQuantized(new FusedOps(await graphAt(quantized, tools)))
  return unfused === undefined ? null : intoUnfused(new FusedOps(await graphAt(unfused, tools)))
}

type FoundNet = Omit<Net, 'beyond'>

const treeOf = (folder: string, { files, job }: Tools): Promise<TensorFlowTree> => {
  const root = absolute(folder)
  files.allow(root)
  return scanTensorFlow(files, root, job)
}

/** A folder that was named and one that was not: the latter is the one that the run has. */
async function namedNet({ folder, left, right, graph }: NetsAsked, tools: Tools): Promise<FoundNet> {
  const mine = left === undefined ? await leafOf(folder, tools) : await leafAt(left, tools)
  const theirs = right === undefined ? await referenceOf(folder, tools) : await rightAt(right, tools)
  if (graph !== undefined) return netBy(await graphAt(graph, tools), mine, theirs)
  // Runs meet by names; what TensorFlow has is told by a graph alone.
  const paths = 'graph' in theirs ? [] : await graphsBeside(folder, mine, tools)
  if (paths.length === 0 && !('graph' in theirs)) throw new Refusal(problem('vc-no-graph', theirs.path))
  return netBy(paths.length > 0 ? await graphAt(paths, tools) : null, mine, theirs)
}

const netBy = (model: GeModel | null, left: NpuFolder, right: NpuFolder | ArrayFolder): FoundNet => ({
  name: '',
  left,
  right,
  ops: model && new FusedOps(model),
})

/** Those of the run of the folder that the dumps are of. */
async function graphsBeside(folder: string, { path }: NpuFolder, tools: Tools): Promise<readonly string[]> {
  const sides = (await treeOf(folder, tools)).npu.filter(({ graphs }) => graphs.length > 0)
  const own = sides.find(side => path === side.path || path.startsWith(`${side.path}/`))
  return graphsFor(own?.graphs ?? []).used.map(used => used.path)
}

async function graphAt(given: string | readonly string[], { files, job, tell }: Tools): Promise<GeModel> {
  const paths = [given].flat().map(absolute)
  for (const path of paths) files.allow(path)
  const model = await readGraphs(files, paths, job)
  for (const found of model.problems) tell(found)
  return model
}

async function leafOf(folder: string, tools: Tools): Promise<DumpFolder> {
  const [leaf] = (await treeOf(folder, tools)).npu.flatMap(newestFolders)
  if (!leaf) throw new Refusal(problem('tf-no-dump', absolute(folder)))
  return leaf
}

async function referenceOf(folder: string, tools: Tools): Promise<ArrayFolder> {
  const [reference] = (await treeOf(folder, tools)).reference
  if (!reference) throw new Refusal(problem('tf-no-reference', absolute(folder)))
  return reference
}

/** The dumps in a folder: its own, else the first of the newest run below it. */
async function leafAt(path: string, tools: Tools): Promise<NpuFolder> {
  const found = await rightAt(path, tools)
  if (!('graph' in found)) throw new Refusal(problem('tf-no-dump', absolute(path)))
  return found
}

async function rightAt(path: string, tools: Tools): Promise<NpuFolder | ArrayFolder> {
  const folder = absolute(path)
  const { files, job } = tools
  files.allow(folder)
  const tree = await scanTensorFlow(files, folder, job)
  const raw = [...tree.npu.flatMap(newestFolders), ...tree.overflow.flatMap(({ folders }) => folders)]
  const known = new Set(raw.map(({ path }) => path))
  const decoded = tree.decoded
    .filter(({ path }) => !known.has(path))
    .map((one): NpuFolder => ({ ...one, graph: '' }))
  const all = [...raw, ...tree.reference, ...decoded]
  const found = all.find(({ path }) => path === folder) ?? all.at(0)
  if (!found) throw new Refusal(problem('tf-no-dump', folder))
  if (found.path !== folder && all.length > 1)
    tools.tell(problem('vc-several', folder, { count: all.length, chosen: found.path }, 'note'))
  return found
}

const newestFolders = ({ runs }: NpuSide): readonly DumpFolder[] => runs[0]?.folders ?? []

/** Every graph of every side that something was dumped of; two sides without a reference meet by names. */
async function netsOf({ folder, graph, unfused }: NetsAsked, tools: Tools): Promise<readonly FoundNet[]> {
  const tree = await treeOf(folder, tools)
  const [first, ...others] = tree.npu.filter(({ runs }) => runs.length > 0)
  if (!first) throw new Refusal(problem('tf-no-dump', tree.root))
  // What lies inside of a folder of dumps is no other run of it.
  const second = others.find(({ path }) => !path.startsWith(`${first.path}/`))
  const [reference] = tree.reference
  if (!reference) {
    if (!second) throw new Refusal(problem('tf-no-reference', tree.root))
    if (unfused === undefined) return sidesByNames(first, second)
  }
  // A graph that lies by itself belongs to dumps that have none.
  const graphs = [first, ...tree.npu].find(side => side.graphs.length > 0)?.graphs ?? []
  const chosen = graph === undefined ? graphsFor(graphs).used.map(({ path }) => path) : [absolute(graph)]
  if (chosen.length === 0) throw new Refusal(problem('tf-no-graph', tree.root))
  for (const path of chosen) tools.files.allow(path)
  const model = await readGraphs(tools.files, chosen, tools.job)
  for (const found of model.problems) tools.tell(found)
  const other = reference && unfused === undefined ? reference : null
  const nets = other
    ? netsOfGraphs(model, newestFolders(first), other, tools)
    : (second ? sidesByNames(first, second) : []).map(net => ({ ...net, ops: new FusedOps(model) }))
  if (nets.length === 0) throw new Refusal(problem('vc-no-pair', tree.root))
  return nets
}

function netsOfGraphs(
  model: GeModel,
  folders: readonly DumpFolder[],
  reference: ArrayFolder,
  tools: Tools,
): readonly FoundNet[] {
  const { graphs, texts } = model
  const current = Array.from({ length: graphs.length }, (_, g) => g).filter(g => graphs.superseded[g] === 0)
  return current.flatMap((g): FoundNet[] => {
    const name = texts.get(graphs.name[g])
    // Some runs put a number behind the name; a single folder without names belongs to a single graph.
    const found = folders.filter(
      one => one.graph === name || one.graph === `${name}_0` || (one.graph === '' && current.length === 1),
    )
    if (found.length === 0) return []
    if (found.length > 1)
      tools.tell(problem('vc-several', found[0].path, { count: found.length, chosen: found[0].path }, 'note'))
    return [{ name, left: found[0], right: reference, ops: new FusedOps(model, [g]) }]
  })
}

function sidesByNames(first: NpuSide, second: NpuSide): readonly FoundNet[] {
  const others = newestFolders(second)
  const nets = newestFolders(first).flatMap((left): FoundNet[] => {
    const right =
      others.find(
        ({ graph, step, device }) => graph === left.graph && step === left.step && device === left.device,
      ) ?? others.find(({ graph }) => graph === left.graph)
    return right ? [{ name: left.graph, left, right, ops: null }] : []
  })
  if (nets.length === 0) throw new Refusal(problem('vc-no-pair', first.path))
  return nets
}
