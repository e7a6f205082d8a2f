// Finds out what a folder of a TensorFlow run holds, whichever part of one it is. Reads names only.
import { type Entry, type Files, join } from '../../io/index.ts'
import { problem, type Problem, Refusal } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { rawNameOf } from '../npu/index.ts'
import { decodedNameOf, graphFileNameOf } from './names.ts'
import { type Base, baseOf, dumpPlaceOf, partsBelow, sideOf, slashed } from './place.ts'
import type {
  ArrayFolder,
  DumpFolder,
  DumpRun,
  GeGraphFile,
  NpuSide,
  ResultRun,
  TensorFlowTree,
} from './tree.ts'
import { type FileKind, type FolderFiles, walkFolders } from './walk.ts'

/** Refuses a folder that holds nothing of such a run. */
export async function scanTensorFlow(files: Files, root: string, job: Job): Promise<TensorFlowTree> {
  const walked = await walkFolders(files, root, job)
  const { folders } = walked
  const base = baseOf(root, walked)
  const isOverflow = (folder: FolderFiles): boolean => holdsOverflow(base, folder)
  const dumps = folders.filter(({ kinds }) => kinds.has('raw') || kinds.has('summary'))
  const ownDumps = dumps.filter(folder => !isOverflow(folder))
  const graphs = graphsIn(folders, base, files)
  const tree: TensorFlowTree = {
    root,
    layout: base.layout,
    base: base.path,
    npu: sidesOf(
      base,
      // What was decoded serves where the dumps themselves were not brought along.
      ownDumps.length > 0 ? ownDumps : decodedDumps(folders, base),
      graphs,
    ),
    reference: arraysIn(
      folders.filter(({ path }) => partsBelow(base, path)[0] !== 'temp'),
      'array',
    ),
    decoded: arraysIn(folders, 'decoded'),
    overflow: runsOf(dumps.filter(isOverflow)),
    fusion: pathsOf(folders, 'fusion'),
    metas: newestFirst(folders),
    results: resultsIn(folders),
    debuggerRuns: debuggerRuns(folders),
    problems: walked.problems,
  }
  if (isNothing(tree))
    throw new Refusal(
      tree.problems.find(({ code }) => code === 'tf-long-names') ?? problem('not-tensorflow', root),
    )
  return { ...tree, problems: [...tree.problems, ...lacking(tree)] }
}

const isNothing = ({ npu, reference, decoded, overflow, ...more }: TensorFlowTree): boolean =>
  [npu, reference, decoded, overflow, more.fusion, more.metas, more.results, more.debuggerRuns].every(
    list => list.length === 0,
  )

/** What somebody who looks for the cause of a difference will miss. */
function lacking({ root, npu, reference }: TensorFlowTree): readonly Problem[] {
  if (npu.length === 0) return []
  return [
    ...(npu.some(side => side.graphs.length > 0) ? [] : [problem('tf-no-graph', root, {}, 'note')]),
    ...(npu.some(side => side.runs.length > 0) ? [] : [problem('tf-no-dump', root, {}, 'note')]),
    ...(reference.length > 0 ? [] : [problem('tf-no-reference', root, {}, 'note')]),
  ]
}

const entriesOf = ({ kinds }: FolderFiles, kind: FileKind): readonly Entry[] => kinds.get(kind) ?? []
const namesOf = (folder: FolderFiles, kind: FileKind): readonly string[] =>
  entriesOf(folder, kind).map(({ name }) => name)

const pathsOf = (folders: readonly FolderFiles[], kind: FileKind): readonly string[] =>
  folders.flatMap(folder => namesOf(folder, kind).map(name => join(folder.path, name)))

// ---------------------------------------- raw dumps

/** Overflow detection has a folder of its own; one that stands for itself is known by its records. */
const holdsOverflow = (base: Base, folder: FolderFiles): boolean =>
  partsBelow(base, folder.path).slice(0, 2).includes('overflow') ||
  namesOf(folder, 'raw').some(name => rawNameOf(folder.renamed.get(name) ?? name)?.opDebug)

function dumpFolder(folder: FolderFiles): DumpFolder {
  const { device, graph, model, step } = dumpPlaceOf(folder.path)
  return {
    path: folder.path,
    device,
    graph,
    model,
    step,
    files: [...namesOf(folder, 'raw'), ...(folder.kinds.has('raw') ? [] : namesOf(folder, 'decoded'))],
    summaries: namesOf(folder, 'summary'),
    renamed: renamedOf(folder, ['raw', 'summary', 'decoded']),
  }
}

/** Some tools give each operation a folder, and each time of it another: together they are one dump. */
function decodedDumps(folders: readonly FolderFiles[], base: Base): readonly FolderFiles[] {
  const together = new Map<string, Map<string, Entry>>()
  const found: FolderFiles[] = []
  for (const folder of folders) {
    const entries = entriesOf(folder, 'decoded')
    const below = partsBelow(base, folder.path)
    if (entries.length === 0 || below.some(part => part.startsWith('overflow'))) continue
    const [op, time] = slashed(folder.path).split('/').slice(-2)
    const isOfTime = entries.every(({ name }) => (decodedNameOf(name)?.raw ?? '').endsWith(`.${time}`))
    if (!isOfTime) {
      found.push(folder)
      continue
    }
    const above = slashed(folder.path).slice(0, -(op.length + time.length + 2))
    const known = together.get(above) ?? new Map<string, Entry>()
    for (const entry of entries) known.set(`${op}/${time}/${entry.name}`, entry)
    together.set(above, known)
  }
  for (const [path, files] of together) {
    const entries = [...files].map(([way, entry]) => ({ ...entry, name: way }))
    const renamed = new Map([...files].map(([way, { name }]) => [way, name]))
    found.push({ path, kinds: new Map([['decoded', entries]]), renamed })
  }
  return found
}

const renamedOf = (folder: FolderFiles, kinds: readonly FileKind[]): DumpFolder['renamed'] =>
  folder.renamed.size === 0
    ? []
    : kinds.flatMap(kind =>
        namesOf(folder, kind).flatMap(name => {
          const real = folder.renamed.get(name)
          return real === undefined ? [] : [[name, real] as const]
        }),
      )

function runsOf(folders: readonly FolderFiles[]): readonly DumpRun[] {
  const runs = new Map<string, DumpRun & { folders: DumpFolder[] }>()
  for (const folder of folders) {
    const { run, time } = dumpPlaceOf(folder.path)
    const known = runs.get(run) ?? { path: run, name: time, folders: [] }
    known.folders.push(dumpFolder(folder))
    runs.set(run, known)
  }
  // Times are written so that their texts stand in their order.
  return [...runs.values()].toSorted((a, b) => (a.name < b.name ? 1 : -1))
}

// ---------------------------------------- sides

/** Folder of a side that stands for itself: where the folders of its runs lie. */
function ownSide(folder: FolderFiles): string {
  const { run, time } = dumpPlaceOf(folder.path)
  return time === '' ? run : run.slice(0, run.lastIndexOf('/'))
}

/** The run that arrays were decoded from: by its number, or the only one; null of raw dumps. */
function decodedOf({ path, kinds }: FolderFiles, known: readonly string[]): string | null {
  if (kinds.has('raw') || kinds.has('summary')) return null
  const [, id] = /\/dump_decode\/(\d+)$/.exec(slashed(path)) ?? []
  const named = known.find(side => id !== undefined && side.endsWith(`/debug_${id}`))
  return named ?? (known.length === 1 ? known[0] : null)
}

function sidesOf(
  base: Base,
  dumps: readonly FolderFiles[],
  graphs: readonly GeGraphFile[],
): readonly NpuSide[] {
  const sides = new Map<string, { dumps: FolderFiles[]; graphs: GeGraphFile[] }>()
  const sideAt = (path: string) => {
    const known = sides.get(path) ?? { dumps: [], graphs: [] }
    sides.set(path, known)
    return known
  }
  const known = [...new Set(graphs.flatMap(({ path }) => sideOf(base, path) ?? []))]
  for (const folder of dumps)
    sideAt(decodedOf(folder, known) ?? sideOf(base, folder.path) ?? ownSide(folder)).dumps.push(folder)
  const loose: GeGraphFile[] = []
  for (const graph of graphs) {
    const side = sideOf(base, graph.path)
    if (side === null) loose.push(graph)
    else sideAt(side).graphs.push(graph)
  }
  for (const graph of loose)
    for (const path of nearest([...sides.keys()], graph.path, base.path)) sideAt(path).graphs.push(graph)
  return [...sides]
    .map(([path, side]) => ({
      name: partsBelow(base, path).at(-1) ?? path.slice(path.lastIndexOf('/') + 1),
      path,
      graphs: side.graphs,
      runs: runsOf(side.dumps),
    }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** The sides whose folders share most with the place of a graph; a side for it alone where there is none. */
function nearest(sides: readonly string[], graph: string, otherwise: string): readonly string[] {
  const parts = slashed(graph).split('/')
  const shared = (side: string): number => {
    const own = side.split('/')
    const at = own.findIndex((part, i) => part !== parts[i])
    return at < 0 ? own.length : at
  }
  const most = Math.max(...sides.map(shared))
  return sides.length === 0 ? [otherwise] : sides.filter(side => shared(side) === most)
}

// ---------------------------------------- graphs

function graphsIn(folders: readonly FolderFiles[], base: Base, files: Files): readonly GeGraphFile[] {
  const known = new Map<string, GeGraphFile>()
  for (const folder of folders) {
    const named = [...entriesOf(folder, 'graph'), ...jsonGraphs(folder, base, files)]
    for (const entry of named) {
      const graph = graphFile(folder.path, entry)
      // A graph is often kept twice: in two folders, or as text with its JSON beside it.
      const key = `${sideOf(base, folder.path) ?? folder.path} ${graph.name.replace(/(?:\.txt)?\.(?:txt|json)$/, '')}`
      if (known.get(key)?.form !== 'text') known.set(key, graph)
    }
  }
  return [...known.values()].toSorted((a, b) => a.counter - b.counter || (a.path < b.path ? -1 : 1))
}

function graphFile(folder: string, { name, size, modified }: Entry): GeGraphFile {
  const { counter, stage } = graphFileNameOf(name) ?? { counter: -1, stage: '' }
  const form = name.endsWith('.json') ? 'json' : 'text'
  return { path: join(folder, name), name, form, counter, stage, size, modified }
}

const graphFolders = ['graph', 'model']
/** So much of a JSON is looked at to tell whether it is a graph. */
const headBytes = 4096

/** JSON files that are called otherwise: those of graph folders, and those that begin like a graph. */
const jsonGraphs = (folder: FolderFiles, base: Base, files: Files): readonly Entry[] =>
  partsBelow(base, folder.path).some(part => graphFolders.includes(part)) || base.layout === 'loose'
    ? entriesOf(folder, 'json').filter(({ name }) => beginsLikeGraph(join(folder.path, name), files))
    : []

function beginsLikeGraph(path: string, files: Files): boolean {
  try {
    const handle = files.open(path)
    try {
      const head = new Uint8Array(Math.min(headBytes, handle.size))
      const text = new TextDecoder().decode(head.subarray(0, handle.read(0, head)))
      return /^\s*\{/.test(text) && /"(?:graph|op|attr)"\s*:\s*\[/.test(text)
    } finally {
      handle.close()
    }
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

// ---------------------------------------- the rest

function arraysIn(folders: readonly FolderFiles[], kind: 'array' | 'decoded'): readonly ArrayFolder[] {
  return folders.flatMap(folder => {
    const files = namesOf(folder, kind)
    return files.length > 0 ? [{ path: folder.path, files, renamed: renamedOf(folder, [kind]) }] : []
  })
}

const newestFirst = (folders: readonly FolderFiles[]): readonly string[] =>
  folders
    .flatMap(folder => entriesOf(folder, 'meta').map(entry => ({ folder, entry })))
    .toSorted((a, b) => b.entry.modified - a.entry.modified)
    .map(({ folder, entry }) => join(folder.path, entry.name))

const resultsIn = (folders: readonly FolderFiles[]): readonly ResultRun[] =>
  folders
    .flatMap(folder => {
      const files = namesOf(folder, 'result')
      return files.length > 0 ? [{ path: folder.path, files }] : []
    })
    .toSorted((a, b) => (a.path < b.path ? 1 : -1))

/** The folder above those of the devices. */
const debuggerRuns = (folders: readonly FolderFiles[]): readonly string[] => [
  ...new Set(
    folders
      .filter(({ kinds }) => kinds.has('debugger'))
      .map(({ path }) => slashed(path).replace(/\/_tfdbg_.*$/, '')),
  ),
]
