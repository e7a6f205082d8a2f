// The units that given places come to: for each run, device, graph and step what it is compared with.
import { baseOf, dirOf, join } from '../../io/index.ts'
import { problem, type Problem, Refusal } from '../../model/index.ts'
import type { Part, Parts, Place } from '../format.ts'
import { graphsFor } from './graph-choice.ts'
import { slashed } from './place.ts'
import type { ArrayFolder, DumpFolder, DumpRun, GeGraphFile, NpuSide, TensorFlowTree } from './tree.ts'

/** What one given path holds. */
export interface Given {
  readonly tree: TensorFlowTree
  /** Graph files that were named themselves: they are used instead of any others. */
  readonly graphs: readonly GeGraphFile[]
}

/** What the places of this format say of a dump. */
export const placePart = { npu: 'npu', reference: 'reference' } as const

/** A side with what belongs to it. */
interface Side {
  readonly name: string
  readonly path: string
  readonly graphs: readonly GeGraphFile[]
  readonly runs: readonly DumpRun[]
  /** Folders with overflow records. */
  readonly overflow: readonly string[]
}

/** Two sides to be compared: one of the NPU with another, or with the script's own tensors. */
interface Pairing {
  readonly debug: Side
  readonly bench: Side | 'reference' | null
}

export function unitsOf(given: readonly Given[]): Parts {
  const sides = sidesOf(given)
  const references = given.flatMap(({ tree }) => tree.reference)
  const problems = problemsOf(given, sides)
  const [main] = sides
  if (!main && references.length === 0 && problems.length === 0)
    throw new Refusal(problem('tf-no-dump', given[0]?.tree.root ?? ''))
  if (!main) return referenceAlone(references, problems)
  const pairings = pairingsOf(sides, references, given.length > 1)
  const several = pairings.length > 1
  const [{ bench }] = pairings
  const parts = pairings.flatMap((pairing, at) =>
    partsOf(pairing, references, several).map(part => (at === 0 ? part : { ...part, aside: true })),
  )
  const root = bench === 'reference' ? referenceRoot(references) : (bench?.path ?? '')
  return { parts, problems, roots: { debug: main.path, bench: root } }
}

/** Folders called `dump` say nothing. */
const referenceRoot = ([first]: readonly ArrayFolder[]): string =>
  (first?.path ?? '').replace(/[\\/]dump[\\/]?$/, '')

/** Graphs that lie for themselves belong to every side that has none of its own. */
function sidesOf(given: readonly Given[]): readonly Side[] {
  const named = given.flatMap(({ graphs }) => graphs)
  const all: readonly NpuSide[] = given.flatMap(({ tree }) => tree.npu)
  const dumped = all.filter(({ runs }) => runs.length > 0)
  const loose = all.filter(({ runs }) => runs.length === 0).flatMap(({ graphs }) => graphs)
  const graphsOf = (own: readonly GeGraphFile[]): readonly GeGraphFile[] => {
    if (named.length > 0) return named
    return own.length > 0 ? own : loose
  }
  const overflow = overflowIn(given)
  if (dumped.length > 0) return dumped.map(side => ({ ...side, graphs: graphsOf(side.graphs), overflow }))
  const graphs = graphsOf([])
  const [first] = graphs
  if (first) return [{ name: first.name, path: first.path, graphs, runs: [], overflow }]
  // Overflow detection dumps only what overflowed.
  const [run] = given.flatMap(({ tree }) => tree.overflow)
  return run ? [{ name: 'overflow', path: run.path, graphs, runs: [run], overflow }] : []
}

/** Of the newest run of each path. */
const overflowIn = (given: readonly Given[]): readonly string[] =>
  given.flatMap(({ tree }) => tree.overflow[0]?.folders ?? []).map(({ path }) => path)

/** What somebody looks at first stands first. */
function pairingsOf(
  sides: readonly Side[],
  references: readonly ArrayFolder[],
  severalGiven: boolean,
): readonly Pairing[] {
  const [main, ...rest] = sides
  // What lies inside of a folder of dumps is no other run of it.
  const others = rest.filter(({ path }) => !slashed(path).startsWith(`${slashed(main.path)}/`))
  const runs = others.map(bench => ({ debug: main, bench }))
  const script = references.length > 0 ? sides.map(debug => ({ debug, bench: 'reference' as const })) : []
  const all = severalGiven && runs.length > 0 ? [...runs, ...script] : [...script, ...runs]
  return all.length > 0 ? all : [{ debug: main, bench: null }]
}

function partsOf(pairing: Pairing, references: readonly ArrayFolder[], several: boolean): readonly Part[] {
  const { debug, bench } = pairing
  const placed = dumpsOf(debug)
  const names = new Names(placed, debug, several ? pairing : null)
  const newest = placed[0]?.run ?? null
  return placed.flatMap(one => {
    const named = names.of(one)
    const part = {
      place: npuPlace(debug, one, references),
      pair: false,
      mode: 'tensor',
      ...(named !== '' && { name: named }),
      ...(one.run !== newest && { aside: true }),
      ...(several && bench !== null && { sideNames: [debug.name, benchName(pairing)] }),
    }
    if (bench === null) return [part]
    if (bench === 'reference') return [{ ...part, bench: referencePlace(debug, one, references) }]
    const other = partnerOf(one, dumpsOf(bench))
    return other ? [{ ...part, bench: npuPlace(bench, other, []) }] : []
  })
}

/** One step of one graph on one device; no folder where there is a graph alone. */
interface Dumped {
  readonly run: DumpRun | null
  readonly folder: DumpFolder | null
}

const dumpsOf = ({ runs }: Side): readonly Dumped[] =>
  runs.length === 0
    ? [{ run: null, folder: null }]
    : runs.flatMap(run => run.folders.toSorted(byPlace).map(folder => ({ run, folder })))

const byPlace = (a: DumpFolder, b: DumpFolder): number =>
  (a.device ?? -1) - (b.device ?? -1) ||
  (a.graph < b.graph ? -1 : Number(a.graph > b.graph)) ||
  (a.model ?? -1) - (b.model ?? -1) ||
  (a.step ?? -1) - (b.step ?? -1)

/** Graphs are called after the time of their session, so that two runs hardly share a name: then their order counts. */
function partnerOf({ folder }: Dumped, others: readonly Dumped[]): Dumped | undefined {
  const newest = others.filter(({ run }) => run === others[0]?.run)
  const at = newest.filter(
    other => other.folder?.device === folder?.device && other.folder?.step === folder?.step,
  )
  return at.find(other => other.folder?.graph === folder?.graph) ?? at[0]
}

const stepOf = ({ folder }: Dumped): Pick<Place, 'step' | 'rank'> => ({
  step: folder?.step ?? null,
  rank: folder?.device ?? null,
})

const sourcesOf = (
  side: Side,
  { folder }: Dumped,
  references: readonly ArrayFolder[],
): NonNullable<Place['sources']> => ({
  graph: graphsFor(side.graphs).used.map(({ path }) => path),
  npu: folder ? foldersOf(folder) : [],
  reference: references.map(({ path }) => path),
  overflow: side.overflow,
})

/** Arrays may lie in folders below. */
const foldersOf = ({ path, files }: DumpFolder): readonly string[] => {
  const folders = new Set(files.map(file => dirOf(join(path, file))))
  return folders.size > 0 ? [...folders] : [path]
}

const npuPlace = (side: Side, at: Dumped, references: readonly ArrayFolder[]): Place => ({
  path: at.folder?.path ?? side.path,
  ...stepOf(at),
  sources: sourcesOf(side, at, references),
  part: placePart.npu,
})

const referencePlace = (side: Side, at: Dumped, references: readonly ArrayFolder[]): Place => ({
  path: references[0]?.path ?? '',
  ...stepOf(at),
  sources: sourcesOf(side, at, references),
  part: placePart.reference,
})

function referenceAlone(references: readonly ArrayFolder[], problems: readonly Problem[]): Parts {
  const [first] = references
  if (!first) return { parts: [], problems }
  const place: Place = {
    path: first.path,
    step: null,
    rank: null,
    sources: { graph: [], npu: [], reference: references.map(({ path }) => path) },
    part: placePart.reference,
  }
  return {
    parts: [{ place, pair: false, mode: 'tensor' }],
    problems,
    roots: { debug: first.path, bench: '' },
  }
}

/** What units are called by what differs among them. */
class Names {
  readonly #runs: boolean
  readonly #graphs: boolean
  readonly #models: boolean
  readonly #sides: string

  constructor(all: readonly Dumped[], debug: Side, pairing: Pairing | null) {
    const differ = (of: (one: Dumped) => unknown): boolean => new Set(all.map(of)).size > 1
    this.#runs = differ(({ run }) => run?.path)
    this.#graphs = differ(({ folder }) => folder?.graph)
    this.#models = differ(({ folder }) => `${folder?.graph} ${folder?.model}`) && !this.#graphs
    this.#sides = pairing ? `${debug.name} – ${benchName(pairing)}` : ''
  }

  of({ run, folder }: Dumped): string {
    const model = folder?.model ?? null
    return [
      this.#sides,
      this.#graphs ? (folder?.graph ?? '') : '',
      this.#models && model !== null ? String(model) : '',
      this.#runs ? (run?.name ?? '') : '',
    ]
      .filter(Boolean)
      .join(' · ')
  }
}

function benchName({ bench }: Pairing): string {
  if (bench === null) return ''
  return bench === 'reference' ? 'TensorFlow' : bench.name
}

function problemsOf(given: readonly Given[], sides: readonly Side[]): readonly Problem[] {
  const lacking = new Set(['tf-no-graph', 'tf-no-dump', 'tf-no-reference'])
  const found = given.flatMap(({ tree }) => tree.problems)
  // What one of several paths lacks, another one may hold.
  const told = found.filter(({ code }) => given.length === 1 || !lacking.has(code))
  const noGraph = given.length > 1 && sides.every(side => side.graphs.length === 0)
  if (noGraph) told.push(...found.filter(({ code }) => code === 'tf-no-graph').slice(0, 1))
  const graphs = sides.flatMap((side): readonly Problem[] => {
    const { used, otherStage } = graphsFor(side.graphs)
    const [first] = used
    if (!first) return []
    const facts = { used: used.map(({ name }) => name).join(', '), all: side.graphs.length }
    if (otherStage) return [problem('tf-graph-stage', first.path, { used: baseOf(first.path) }, 'warning')]
    return side.graphs.length > used.length || used.length > 1
      ? [problem('tf-graph-used', first.path, facts, 'note')]
      : []
  })
  return [...told, ...graphs]
}
