// What given paths hold: dumps in folders, finished files, a compare.json; and the plan that they make.
import { Candidate, type OpenPorts, placeAt } from '../formats/index.ts'
import { absolute, baseOf, dirOf } from '../io/index.ts'
import { problem, Refusal } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { ruleSets } from '../rules/index.ts'
import { mountAll } from './archives.ts'
import { planOfJson } from './json-plan.ts'
import { planOfOnePlace, planOfSides, planOfTwoPlaces } from './place-plan.ts'
import { sideTogether } from './together.ts'
import { type Asked, type Plan, type Planning, planOfTrees, type TreeOptions } from './plan.ts'
import { debugAndBench, looksLikeBench, looksLikeDebug, sidesInFolder } from './sides.ts'
import {
  candidateAt,
  type DumpTree,
  findIn,
  type Found,
  isOneDump,
  notADump,
  treesOfFile,
  treesIn,
  walk,
} from './walk.ts'
import { openRules } from './walk-rules.ts'

/** A path by what it holds. */
type Held =
  | { readonly is: 'dump'; readonly path: string; readonly tree: DumpTree }
  | { readonly is: 'pair'; readonly path: string; readonly trees: readonly [DumpTree, DumpTree] }
  | HeldPlace
  | { readonly is: 'compare.json' | 'mapping'; readonly path: string }

type HeldPlace = { readonly is: 'place'; readonly path: string } & Found

/** The plan of what one or two paths hold. */
export async function planOf(
  paths: readonly string[],
  asked: Asked,
  ports: OpenPorts,
  job: Job,
): Promise<Plan> {
  const leftOut = await mountAll(paths.map(absolute), ports, job)
  const { problems, ...plan } = await planned(paths, asked, ports, job)
  const { dialect = null } = asked
  const units = dialect === null ? plan.units : plan.units.map(unit => ({ ...unit, dialect }))
  return { ...plan, units, problems: [...leftOut, ...problems] }
}

async function planned(paths: readonly string[], asked: Asked, ports: OpenPorts, job: Job): Promise<Plan> {
  if (paths.length === 0) throw new Refusal(problem('nothing-given', ''))
  const at: Planning = { asked, ports, job }
  const each: Held[] = []
  for (const path of paths) each.push(...(await heldBy(candidateAt(ports.files, absolute(path)), job)))
  const held = await asOneRun(each, ports, job)
  const tables = held.filter(isTable)
  const values = held.some(({ is }) => runs.has(is)) ? held.filter(isValues) : []
  const asides = new Set<Held>([...tables, ...values])
  const dumps = held.filter(one => one.is !== 'mapping' && !asides.has(one))
  if (dumps.length === 0 && tables.length > 0) return planOfVerdicts(tables, at)
  const plan = withValues(await planOfAll(dumps, held[0].path, at), values, at)
  if (tables.length === 0) return plan
  if (plan.holds !== 'dump') return withoutRest(plan, tables)
  return { ...plan, beside: inOrder(tables, at).map(({ place }) => place) }
}

const runs: ReadonlySet<Held['is']> = new Set(['dump', 'pair', 'compare.json'])

/** What a run says over its steps and ranks. */
const isValues = (held: Held): held is HeldPlace => held.is === 'place' && held.format.holds === 'series'

/** Of one run, or of two of one sort. */
function withValues(plan: Plan, [first, second, ...more]: readonly HeldPlace[], at: Planning): Plan {
  if (!first) return plan
  if (plan.holds !== 'dump') return withoutRest(plan, [first, ...(second ? [second] : []), ...more])
  const [debug, bench] = sidesAlike(first, second, at)
  const rest = second && bench === null ? [second, ...more] : more
  return withoutRest({ ...plan, values: { debug: debug.place, bench: bench?.place ?? null } }, rest)
}

/** What could be parts of different formats is one run's where another part of it says so. */
async function asOneRun(held: Held[], { files }: Pick<OpenPorts, 'files'>, job: Job): Promise<Held[]> {
  const isPart = (one: Held): one is HeldPlace => one.is === 'place' && one.format.liesInSeveral === true
  const format = held.find(isPart)?.format
  if (!format?.findBeside) return held
  const found: Held[] = []
  for (const one of held) {
    const isOther = one.is === 'dump' || (one.is === 'place' && one.format !== format)
    const place = isOther ? await format.findBeside(candidateAt(files, one.path), job) : null
    found.push(place ? { is: 'place', path: one.path, format, place } : one)
  }
  return found
}

async function planOfAll(
  [first, second, ...more]: readonly Held[],
  given: string,
  at: Planning,
): Promise<Plan> {
  if (!first) throw new Refusal(problem('mapping-alone', given))
  if (!at.asked.ordered && second?.path === first.path)
    throw new Refusal(problem('same-folder-twice', first.path))
  if (first.is === 'place' && first.format.liesInSeveral) return planOfSeveral(first, [second, ...more], at)
  const { plan, takes } = await planOfHeld(first, second, at)
  return withoutRest(plan, second && takes === 1 ? [second, ...more] : more)
}

function withoutRest(plan: Plan, rest: readonly Held[]): Plan {
  const problems = rest.map(({ path }) => problem('left-out', path, {}, 'warning'))
  return problems.length === 0 ? plan : { ...plan, problems: [...problems, ...plan.problems] }
}

/** One study of all that is of the same format. */
async function planOfSeveral(
  { format, place }: HeldPlace,
  others: readonly (Held | undefined)[],
  at: Planning,
): Promise<Plan> {
  const more = others.filter(held => held !== undefined)
  const isSame = (held: Held): held is HeldPlace => held.is === 'place' && held.format === format
  const beside = more.filter(isSame).map(held => held.place)
  return withoutRest(
    await planOfOnePlace(format, place, at, beside),
    more.filter(held => !isSame(held)),
  )
}

/** The plan, and how many of the two it takes: some hold both sides. */
async function planOfHeld(
  first: Held,
  second: Held | undefined,
  at: Planning,
): Promise<{ readonly plan: Plan; readonly takes: 1 | 2 }> {
  if (first.is === 'compare.json') return { plan: await planOfJson(first.path, at), takes: 1 }
  if (first.is === 'pair') {
    const [debug, bench] = first.trees
    return { plan: planOfSidesTogether(debug, bench, at), takes: 1 }
  }
  if (first.is === 'dump') return { plan: await planOfDumps(first.tree, second, at), takes: 2 }
  if (first.is !== 'place') throw new Refusal(problem('not-a-dump', first.path))
  if (ownStudies.has(first.format.holds)) return planOfAlike(first, second, at)
  return first.format.holds === 'kernels'
    ? { plan: await planOfKernels(first, second, at), takes: 2 }
    : { plan: await planOfOnePlace(first.format, placeAt(first.path), at), takes: 1 }
}

/** What tables say of single calls. */
const isTable = (held: Held): held is HeldPlace => held.is === 'place' && held.format.holds === 'verdicts'

/** The NPU's before the GPU's, where their names or folders say which they are. */
const inOrder = (tables: readonly HeldPlace[], { asked }: Planning): readonly HeldPlace[] => {
  const looksLikeGpu = ({ path }: HeldPlace): boolean => looksLikeBench(path) || looksLikeBench(dirOf(path))
  return asked.ordered ? tables : tables.toSorted((a, b) => Number(looksLikeGpu(a)) - Number(looksLikeGpu(b)))
}

/** Two details are held against each other; what else there is stands beside them. */
function planOfVerdicts(tables: readonly HeldPlace[], at: Planning): Plan {
  const ordered = inOrder(tables, at)
  const [npu, gpu] = ordered.filter(({ place: { part } }) => part === 'details')
  const [first, second = null] = gpu ? [npu, gpu] : [ordered[0]]
  const beside = ordered.filter(one => one !== first && one !== second).map(({ place }) => place)
  return planOfSides(first.format, { ...first.place, beside }, second?.place ?? null)
}

/** What is read by a study of its own, and never lies in steps and ranks of dumps. */
const ownStudies: ReadonlySet<string> = new Set(['series', 'sheets', 'dataset'])

/** Two of one sort stand beside each other; anything else is left out. */
function planOfAlike(
  first: HeldPlace,
  second: Held | undefined,
  at: Planning,
): { readonly plan: Plan; readonly takes: 1 | 2 } {
  const [debug, bench] = sidesAlike(first, second, at)
  return { plan: planOfSides(first.format, debug.place, bench?.place ?? null), takes: bench ? 2 : 1 }
}

/** Null: the second is of another sort. */
function sidesAlike(
  first: HeldPlace,
  second: Held | undefined,
  { asked }: Planning,
): readonly [HeldPlace, HeldPlace | null] {
  if (second?.is !== 'place' || second.place.part !== first.place.part) return [first, null]
  const turned = !asked.ordered && looksLikeBench(first.path) && !looksLikeBench(second.path)
  return turned ? [second, first] : [first, second]
}

/** What was dropped or named meets as it is; its results are called as the rule set has it. */
const openAt = ({ ports: { rules } }: Planning): TreeOptions => ({
  meet: openRules.meet,
  suffixes: ruleSets[rules].writing.ranks,
})

async function planOfDumps(first: DumpTree, second: Held | undefined, at: Planning): Promise<Plan> {
  const { ordered, alone } = at.asked
  if (!second) return planOfSidesTogether(first, alone ? null : await benchBeside(first, at), at)
  if (second.is === 'pair')
    throw new Refusal(problem('several-dumps', second.path, { count: second.trees.length }))
  if (second.is !== 'dump') throw new Refusal(problem('left-out', second.path))
  if (second.tree.ranks[0].format !== first.ranks[0].format)
    throw new Refusal(problem('formats-differ', second.path, { other: first.root }))
  const [debug, bench] = ordered ? [first, second.tree] : debugAndBench(first, second.tree)
  return planOfSidesTogether(debug, bench, at)
}

/** Two runs, or one, with the ranks of each put together where that was asked for. */
function planOfSidesTogether(debug: DumpTree, bench: DumpTree | null, at: Planning): Plan {
  const { together } = at.asked
  return planOfTrees(
    sideTogether(debug, together, 'debug'),
    bench && sideTogether(bench, together, 'bench'),
    openAt(at),
  )
}

function planOfKernels({ format, path }: HeldPlace, second: Held | undefined, at: Planning): Promise<Plan> {
  if (second?.is !== 'place' || second.format !== format)
    throw new Refusal(problem('not-a-dump', second?.path ?? path))
  return planOfTwoPlaces(format, [placeAt(path), placeAt(second.path)], () => true, at)
}

/** Several only of a folder with tables. */
async function heldBy(at: Candidate, job: Job): Promise<readonly Held[]> {
  if (at.kind !== 'folder') return [await heldByFile(at, job)]
  const found = await heldByFolder(at, job)
  if (found) return [found]
  const tables = await tablesIn(at, job)
  if (tables.length === 0) throw notADump(at)
  return tables
}

async function heldByFile(at: Candidate, job: Job): Promise<Held> {
  const { path } = at
  if (/\.ya?ml$/i.test(path)) return { is: 'mapping', path }
  if (packed.test(path)) throw new Refusal(problem('packed', path))
  const found = await findIn(at, () => true, job)
  if (found && isOneDump(found.format))
    return heldTrees(path, treesOfFile(path, found, at.files), sidesInFile)
  if (found) return { is: 'place', path, ...found }
  if (isCompareJson(at)) return { is: 'compare.json', path }
  throw new Refusal(problem('unknown-file', path))
}

async function heldByFolder(at: Candidate, job: Job): Promise<Held | null> {
  const { path } = at
  // Its steps hold files of tensors too, of which each would be one.
  const own = await findIn(at, ({ holds }) => ownStudies.has(holds), job)
  if (own) return { is: 'place', path, ...own }
  const trees = await treesIn(at, job)
  if (trees.length > 0) return heldTrees(path, trees, sidesInFolder)
  const found = await findIn(at, format => !isOneDump(format), job)
  return found ? { is: 'place', path, ...found } : null
}

/** Of a folder with results of the pre-check, or of the folders in it, such as the NPU's and the GPU's: of each kind the newest. */
async function tablesIn(at: Candidate, job: Job): Promise<readonly HeldPlace[]> {
  const found: HeldPlace[] = []
  for (const folder of [at, ...at.folders().slice(0, mostFolders)]) {
    const newest = new Map<string, Candidate>()
    for (const entry of folder.entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      if (entry.kind === 'file' && /\.csv$/i.test(entry.name))
        newest.set(entry.name.replaceAll(/\d{14}/g, ''), folder.below(entry))
    for (const one of [...newest.values()].slice(0, mostTables)) {
      await job.breathe()
      const table = await findIn(one, ({ holds }) => holds === 'verdicts', job)
      if (table) found.push({ is: 'place', path: one.path, ...table })
    }
  }
  return found
}

/** A folder with more is no folder of results. */
const mostFolders = 50
const mostTables = 50

const sidesInFile = (first: DumpTree, second: DumpTree): readonly [DumpTree, DumpTree] => [first, second]

/** One dump, or both sides. */
function heldTrees(path: string, trees: readonly DumpTree[], sidesOf: typeof sidesInFile): Held {
  const [first, second] = trees
  if (trees.length > 2) throw new Refusal(problem('several-dumps', path, { count: trees.length }))
  if (!first) throw new Refusal(problem('not-a-dump', path))
  return second ? { is: 'pair', path, trees: sidesOf(first, second) } : { is: 'dump', path, tree: first }
}

/** Whether a path is a table of verdicts; of that part of a pre-check, where one is named. */
export async function isVerdicts(
  { path, part }: { readonly path: string; readonly part?: 'details' },
  { files }: Pick<OpenPorts, 'files'>,
  job: Job,
): Promise<boolean> {
  const held = await heldBy(candidateAt(files, absolute(path)), job)
  return held.every(one => isTable(one) && (part === undefined || one.place.part === part))
}

/** Whether a path holds what a run says over its steps and ranks. */
export async function holdsValues(
  path: string,
  { files }: Pick<OpenPorts, 'files'>,
  job: Job,
): Promise<boolean> {
  const held = await heldBy(candidateAt(files, absolute(path)), job)
  return held.every(isValues)
}

/** Whether a path is a further part of the one run that these are parts of. */
export async function completes(
  { paths, path }: { readonly paths: readonly string[]; readonly path: string },
  ports: Pick<OpenPorts, 'files'>,
  job: Job,
): Promise<boolean> {
  const each: Held[] = []
  for (const one of [...paths, path])
    each.push(...(await heldBy(candidateAt(ports.files, absolute(one)), job)))
  const held = await asOneRun(each, ports, job)
  const added = held.pop()
  if (added?.is !== 'place' || !added.format.completes) return false
  const parts = held.flatMap(one => (one.is === 'place' && one.format === added.format ? [one.place] : []))
  return parts.length === held.length && added.format.completes(parts, added.place, ports, job)
}

/** The dumps in a folder that holds too many of them to know which are meant. */
export async function dumpsIn(
  path: string,
  { files }: Pick<OpenPorts, 'files'>,
  job: Job,
): Promise<readonly string[]> {
  const at = absolute(path)
  const mount = await files.mount(at, job)
  try {
    return (await treesIn(candidateAt(files, at), job)).map(({ root }) => root)
  } finally {
    mount?.close()
  }
}

/** Archives that cannot be read in place. */
const packed = /\.(?:tbz2?|txz|tzst|7z|rar|gz|bz2|xz|zst)$/i

/** A lone debug dump may have its bench as the only such neighbour. */
async function benchBeside(debug: DumpTree, { ports: { files }, job }: Planning): Promise<DumpTree | null> {
  if (!looksLikeDebug(debug.root)) return null
  const [found, more] = candidateAt(files, dirOf(debug.root))
    .folders()
    .filter(({ name }) => name !== baseOf(debug.root) && looksLikeBench(name))
  const tree = found && !more ? await walk(found, openRules, job) : null
  return tree && tree.ranks[0].format === debug.ranks[0].format ? tree : null
}

/** The keys of a compare.json stand within so many bytes, behind whatever remarks. */
const headBytes = 1 << 16

function isCompareJson({ files, path, name }: Candidate): boolean {
  if (!/\.json$/i.test(name)) return false
  if (name === 'compare.json') return true
  const handle = files.open(path)
  try {
    const head = new Uint8Array(Math.min(headBytes, handle.size))
    return /"(npu_path|bench_path)"/.test(new TextDecoder().decode(head.subarray(0, handle.read(0, head))))
  } finally {
    handle.close()
  }
}
