// Runs of TensorFlow on an NPU: what the compiler built and the NPU dumped, beside TensorFlow's own tensors.
import { baseOf, dirOf, join } from '../../io/index.ts'
import type { Dump } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { Candidate, type FormatOf, type OpenPorts, type Place, placeAt } from '../format.ts'
import { GeLookup, readGraphs } from '../ge/index.ts'
import { growing } from '../growing.ts'
import { holdsDecoded, holdsRun } from './look.ts'
import { meetTold } from './meeting.ts'
import { graphFileNameOf, isFusionResult, longNames } from './names.ts'
import { type Net, netOf, netOfFiles } from './net.ts'
import { npuDump } from './npu-dump.ts'
import { type Overflows, readOverflows } from './overflow.ts'
import { dumpPlaceOf } from './place.ts'
import { RawFiles, readRawFiles } from './raw-files.ts'
import { type NamedFiles, readReferences, type References } from './reference.ts'
import { referenceDump } from './reference-dump.ts'
import { scanTensorFlow } from './scan.ts'
import { fillStatistics } from './statistics.ts'
import { type Given, placePart, unitsOf } from './units.ts'

export const tensorflow: FormatOf<'dump'> = {
  id: 'tensorflow',
  holds: 'dump',
  liesInSeveral: true,
  async find(at, job) {
    if (at.kind === 'file')
      return graphFileNameOf(at.name) || isFusionResult(at.name) ? placeAt(at.path) : null
    return (await holdsRun(at, job)) ? placeAt(at.path) : null
  },
  async findBeside(at, job) {
    return at.kind === 'folder' && (await holdsDecoded(at, job)) ? placeAt(at.path) : null
  },
  async parts(place, ports, job, beside) {
    const given: Given[] = []
    for (const one of [place, ...beside]) given.push(await givenAt(one, ports, job))
    return unitsOf(given)
  },
  async completes(opened, place, ports, job) {
    const trees: Given['tree'][] = []
    for (const one of [...opened, place]) trees.push((await givenAt(one, ports, job)).tree)
    const added = trees.pop()
    return roles.every(has => !added || !has(added) || !trees.some(has))
  },
  open: (place, ports, job) => growing(() => opened(place, ports, job)),
  ofTensors: () => true,
  meet: meetTold,
}

/** What a run has once; of graphs, records and the rest there may be more. */
const roles: readonly ((tree: Given['tree']) => boolean)[] = [
  ({ npu, decoded }) => decoded.length > 0 || npu.some(({ runs }) => runs.length > 0),
  ({ reference }) => reference.length > 0,
]

async function givenAt({ path }: Place, { files }: Pick<OpenPorts, 'files'>, job: Job): Promise<Given> {
  const entry = files.stat(path)
  if (isFusionResult(baseOf(path))) return { tree: { ...nothingIn(path), fusion: [path] }, graphs: [] }
  const said = graphFileNameOf(baseOf(path))
  if (entry?.kind === 'folder' || !said) return { tree: await scanTensorFlow(files, path, job), graphs: [] }
  const form = path.endsWith('.json') ? ('json' as const) : ('text' as const)
  const graph = {
    path,
    name: baseOf(path),
    form,
    ...said,
    size: entry?.size ?? 0,
    modified: entry?.modified ?? 0,
  }
  return {
    tree: { ...nothingIn(path), npu: [{ name: graph.name, path, graphs: [graph], runs: [] }] },
    graphs: [graph],
  }
}

const nothingIn = (root: string): Given['tree'] => ({
  root,
  layout: 'loose',
  base: dirOf(root),
  npu: [],
  reference: [],
  decoded: [],
  overflow: [],
  fusion: [],
  metas: [],
  results: [],
  debuggerRuns: [],
  problems: [],
})

// ---------------------------------------- one side of one step

async function opened(place: Place, ports: OpenPorts, job: Job): Promise<Dump> {
  const { npu = [], reference = [], overflow = [] } = place.sources ?? {}
  const references = reference.length > 0 ? await referencesOf(reference, ports, job) : null
  const raw = await rawOf(npu, ports, job)
  const net = await netAt(place, raw, ports, job)
  const problems = net.lookup?.model.problems ?? []
  const dir = place.path
  const dump =
    place.part === placePart.reference && references
      ? referenceDump({ net, references, dir, problems: [] })
      : npuDump({ net, raw, references, dir, overflows: await overflowsOf(overflow, ports, job), problems })
  await fillStatistics(dump, ports.files.roots(), job)
  return dump
}

const overflowsOf = (folders: readonly string[], { files }: OpenPorts, job: Job): Promise<Overflows> =>
  readOverflows(
    files,
    folders.map(folder => namedIn(folder, files)),
    job,
  )

/** The graph of a step; what its dumps alone say where there is no graph file. */
async function netAt({ sources, path }: Place, raw: RawFiles, ports: OpenPorts, job: Job): Promise<Net> {
  const { graph = [], npu = [] } = sources ?? {}
  if (graph.length === 0) return netOfFiles(raw.all)
  const name = dumpPlaceOf(npu[0] ?? path).graph
  const { net } = await ports.shared.once(`net ${name} ${graph.join(' ')}`, async () => {
    const { lookup } = await ports.shared.once(`graphs ${graph.join(' ')}`, async () => ({
      lookup: new GeLookup(await readGraphs(ports.files, graph, job)),
      close() {},
    }))
    return { net: netOf(lookup, name), close() {} }
  })
  return net
}

const referencesOf = (
  folders: readonly string[],
  { files, shared }: OpenPorts,
  job: Job,
): Promise<References> =>
  shared.once(`references ${folders.join(' ')}`, () =>
    readReferences(
      files,
      folders.map(folder => namedIn(folder, files)),
      job,
    ),
  )

/** Both sides look at the same files. */
async function rawOf(folders: readonly string[], { files, shared }: OpenPorts, job: Job): Promise<RawFiles> {
  const { raw } = await shared.once(`raw ${folders.join(' ')}`, async () => ({
    raw: await readRawFiles(
      files,
      folders.map(folder => namedIn(folder, files)),
      job,
    ),
    close() {},
  }))
  return raw
}

/** A table of long names is some megabytes. */
const longestTable = 64 << 20

/** Files under the names that they should have. */
function namedIn(folder: string, files: OpenPorts['files']): NamedFiles {
  const at = new Candidate(files, folder, 'folder')
  const names = at.has('mapping.csv')
    ? longNames(new TextDecoder().decode(files.readAll(join(folder, 'mapping.csv'), longestTable)))
    : new Map<string, string>()
  return {
    path: folder,
    files: at.entries
      .filter(({ kind }) => kind === 'file' || kind === 'link')
      .map(({ name }) => [name, names.get(name) ?? name] as const),
  }
}
