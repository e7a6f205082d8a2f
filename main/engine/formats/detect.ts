// Says what dropped paths are and which pairs they form, from names and a few bytes, without asking.
import type { Entry, Files } from '../io/files.ts'
import { problem, Refusal, type Problem } from '../problem.ts'
import { baseOf, dirOf, isAbsolute, join } from '../io/paths.ts'

/** One side's dump: step folders with rank folders, or less. */
export interface DumpTree {
  readonly root: string
  readonly ranks: readonly RankFolder[]
  readonly problems: readonly Problem[]
}

export interface RankFolder {
  /** From `step3`; null where there is no step folder. */
  readonly step: number | null
  /** From `rank3`; null for `rank`, `proc123` and a bare folder. */
  readonly rank: number | null
  readonly dir: string
}

export interface Unit {
  readonly step: number | null
  readonly rank: number | null
  readonly debug: string
  /** '' when there is no bench. */
  readonly bench: string
}

export type Detected =
  | { readonly is: 'dumps'; readonly debug: DumpTree; readonly bench: DumpTree | null; readonly units: readonly Unit[]; readonly problems: readonly Problem[] }
  | { readonly is: 'kernel'; readonly debug: string; readonly bench: string; readonly ranks: readonly number[]; readonly steps: readonly number[] }
  | { readonly is: 'vis' | 'vis-db' | 'result'; readonly file: string }
  | { readonly is: 'tensors'; readonly files: readonly [string] | readonly [string, string] }
  | { readonly is: 'mapping'; readonly files: readonly string[] }

const stepName = /^step(\d+)$/
const rankName = /^rank(\d*)$/
const processName = /^proc(\d+)$/
const dumpNames = ['dump.json', 'debug.json']
const benchWords = ['bench', 'gpu', 'golden', 'golden_dump', 'none', 'base', 'baseline', 'ref', 'reference', 'cpu', 'right']
const debugWords = ['debug', 'npu', 'ascend', 'target', 'test', 'new', 'left', 'ms', 'mindspore']
const smallJson = 1 << 20

/** What the paths are. The first dump is the debug side unless names say otherwise. */
export function detect(files: Files, paths: readonly string[]): Detected {
  for (const path of paths) {
    files.allow(path)
    if (files.stat(path)?.kind !== 'folder') files.allow(dirOf(path))
  }
  if (paths.length === 0) throw new Refusal(problem('nothing-given'))
  const kinds = paths.map(path => kindOf(files, path))

  const tensors = kinds.filter(kind => kind.is === 'tensor')
  if (tensors.length === kinds.length && (tensors.length === 1 || tensors.length === 2))
    return { is: 'tensors', files: tensors.length === 1 ? [paths[0]] : [paths[0], paths[1]] }
  if (kinds.every(kind => kind.is === 'mapping')) return { is: 'mapping', files: paths }

  const rest = kinds.filter(kind => kind.is !== 'mapping')
  const [first, second] = rest
  if (rest.length > 2) throw new Refusal(problem('unknown-file', paths[2], { count: rest.length }))
  if (first.is === 'vis' || first.is === 'vis-db' || first.is === 'result') return { is: first.is, file: first.path }
  if (first.is === 'compare-json') return fromCompareJson(files, first.path)
  if (first.is === 'kernel') {
    if (second?.is !== 'kernel') throw new Refusal(problem('not-a-dump', second?.path ?? first.path, { found: 'kernel' }))
    return { is: 'kernel', debug: first.path, bench: second.path, ranks: [], steps: [] }
  }
  if (first.is === 'pair') return dumps(first.debug, first.bench)
  if (first.is !== 'dump') throw new Refusal(problem('not-a-dump', first.path))
  if (!second) return dumps(first.tree, guessBench(files, first.tree))
  if (second.is !== 'dump') throw new Refusal(problem('not-a-dump', second.path))
  if (first.tree.root === second.tree.root && paths[0] === paths[1]) throw new Refusal(problem('same-folder-twice', first.path))
  return looksLike(second.tree.root, debugWords) > looksLike(first.tree.root, debugWords) && looksLike(first.tree.root, benchWords) > 0
    ? dumps(second.tree, first.tree)
    : dumps(first.tree, second.tree)
}

type PathKind =
  | { readonly is: 'dump'; readonly path: string; readonly tree: DumpTree }
  | { readonly is: 'pair'; readonly path: string; readonly debug: DumpTree; readonly bench: DumpTree }
  | { readonly is: 'compare-json' | 'vis' | 'vis-db' | 'result' | 'tensor' | 'mapping' | 'kernel'; readonly path: string }

const byEnding: readonly (readonly [RegExp, Exclude<PathKind['is'], 'dump' | 'pair'>])[] = [
  [/\.vis$/i, 'vis'],
  [/\.vis\.db$|\.db$/i, 'vis-db'],
  [/\.(xlsx|csv)$/i, 'result'],
  [/\.(npy|npz|pt)$/i, 'tensor'],
  [/\.ya?ml$/i, 'mapping'],
]

function kindOf(files: Files, path: string): PathKind {
  const entry = files.stat(path)
  if (!entry) throw new Refusal(problem('not-found', path))
  if (entry.kind === 'folder') return kindOfFolder(files, path)
  if (dumpNames.includes(baseOf(path)) || baseOf(path).endsWith('dump.json')) {
    const dir = dirOf(path)
    return { is: 'dump', path, tree: { root: dir, ranks: [{ ...numbersOf(dir), dir }], problems: [] } }
  }
  const known = byEnding.find(([ending]) => ending.test(path))
  if (known) return { is: known[1], path }
  if (/\.json$/i.test(path)) {
    const text = headOf(files, path, 4096)
    if (/"(npu_path|bench_path)"/.test(text)) return { is: 'compare-json', path }
    if (baseOf(path) === 'stack.json' || baseOf(path) === 'construct.json') return kindOfFolder(files, dirOf(path))
  }
  throw new Refusal(problem('unknown-file', path, { name: baseOf(path) }))
}

function kindOfFolder(files: Files, path: string): PathKind {
  const tree = treeOf(files, path)
  if (tree) return { is: 'dump', path, tree }
  const inside = files.list(path).filter(entry => entry.kind === 'folder')
  const trees = inside.map(entry => treeOf(files, join(path, entry.name))).filter(found => found !== null)
  if (trees.length === 1) return { is: 'dump', path, tree: trees[0] }
  if (trees.length === 2) {
    const [a, b] = trees
    return looksLike(a.root, benchWords) > looksLike(b.root, benchWords) || looksLike(b.root, debugWords) > looksLike(a.root, debugWords)
      ? { is: 'pair', path, debug: b, bench: a }
      : { is: 'pair', path, debug: a, bench: b }
  }
  if (trees.length > 2) throw new Refusal(problem('not-a-dump', path, { dumps: trees.length }))
  if (isKernelTree(files, path, 10)) return { is: 'kernel', path }
  throw new Refusal(problem('not-a-dump', path, { found: inside.slice(0, 3).map(entry => entry.name).join(', ') || files.list(path).slice(0, 3).map(e => e.name).join(', ') }))
}

/** The dump below a folder: the folder itself, its ranks, or its steps and their ranks; null when there is none. */
export function treeOf(files: Files, root: string): DumpTree | null {
  const entries = files.list(root)
  if (isRank(entries)) return { root, ranks: [{ ...numbersOf(root), dir: root }], problems: [] }
  const ranks = ranksIn(files, root, entries, stepOf(baseOf(root)))
  if (ranks.length > 0) return { root, ranks, problems: [] }
  const found: RankFolder[] = []
  const problems: Problem[] = []
  for (const entry of byNumber(entries, stepName)) {
    const dir = join(root, entry.name)
    const inside = files.list(dir)
    const here = isRank(inside) ? [{ step: stepOf(entry.name), rank: null, dir }] : ranksIn(files, dir, inside, stepOf(entry.name))
    if (here.length === 0) problems.push(problem('empty-dump', dir, {}, 'warning'))
    found.push(...here)
  }
  return found.length > 0 ? { root, ranks: found, problems } : null
}

const isRank = (entries: readonly Entry[]): boolean => entries.some(entry => entry.kind === 'file' && dumpNames.includes(entry.name))

function ranksIn(files: Files, dir: string, entries: readonly Entry[], step: number | null): RankFolder[] {
  const named = [...byNumber(entries, rankName), ...byNumber(entries, processName)]
  return named
    .filter(entry => isRank(files.list(join(dir, entry.name))))
    .map(entry => ({ step, rank: rankOf(entry.name), dir: join(dir, entry.name) }))
}

function byNumber(entries: readonly Entry[], name: RegExp): Entry[] {
  const number = (entry: Entry): number => Number(name.exec(entry.name)?.[1] || -1)
  return entries.filter(entry => entry.kind === 'folder' && name.test(entry.name)).sort((a, b) => number(a) - number(b))
}

const stepOf = (name: string): number | null => numberOf(stepName.exec(name)?.[1])
const rankOf = (name: string): number | null => numberOf(rankName.exec(name)?.[1])
const numberOf = (digits: string | undefined): number | null => (digits ? Number(digits) : null)
const numbersOf = (dir: string): { step: number | null; rank: number | null } => ({ step: stepOf(baseOf(dirOf(dir))), rank: rankOf(baseOf(dir)) })

/** Steps and ranks of both sides that belong together: by number; a lone one on each side whatever its number; unnumbered ones in order. */
export function pairUnits(debug: DumpTree, bench: DumpTree | null): { units: Unit[]; problems: Problem[] } {
  if (!bench) return { units: debug.ranks.map(r => ({ step: r.step, rank: r.rank, debug: r.dir, bench: '' })), problems: [] }
  const problems: Problem[] = []
  const units: Unit[] = []
  const debugSteps = groupBy(debug.ranks, r => r.step)
  const benchSteps = groupBy(bench.ranks, r => r.step)
  for (const [step, ours, theirs] of partners(debugSteps, benchSteps, missing => problems.push(problem('steps-differ', missing.side === 'debug' ? debug.root : bench.root, { step: missing.key ?? '' }, 'warning')))) {
    const matched = partners(groupBy(ours, r => r.rank), groupBy(theirs, r => r.rank), missing =>
      problems.push(problem('rank-missing', missing.side === 'debug' ? debug.root : bench.root, { step: step ?? '', rank: missing.key ?? '' }, 'warning')))
    for (const [rank, a, b] of matched) for (let i = 0; i < Math.min(a.length, b.length); i++) units.push({ step, rank: rank ?? (a.length > 1 ? i : null), debug: a[i].dir, bench: b[i].dir })
  }
  if (units.length === 0) problems.push(problem('ranks-differ', debug.root, { bench: bench.root }))
  return { units, problems }
}

type Key = number | null

function partners<T>(ours: Map<Key, T[]>, theirs: Map<Key, T[]>, missing: (m: { side: 'debug' | 'bench'; key: Key }) => void): [Key, T[], T[]][] {
  if (ours.size === 1 && theirs.size === 1) {
    const [[key, a]] = ours
    const [[, b]] = theirs
    return [[key, a, b]]
  }
  const found: [Key, T[], T[]][] = []
  for (const [key, a] of ours) {
    const b = theirs.get(key)
    if (b) found.push([key, a, b])
    else missing({ side: 'bench', key })
  }
  for (const key of theirs.keys()) if (!ours.has(key)) missing({ side: 'debug', key })
  return found
}

function groupBy<T>(list: readonly T[], keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>()
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

function dumps(debug: DumpTree, bench: DumpTree | null): Detected {
  const { units, problems } = pairUnits(debug, bench)
  return { is: 'dumps', debug, bench, units, problems: [...debug.problems, ...(bench?.problems ?? []), ...problems] }
}

/** A sibling that is named like a bench and holds a dump. */
function guessBench(files: Files, debug: DumpTree): DumpTree | null {
  const parent = dirOf(debug.root)
  if (parent === debug.root || looksLike(debug.root, benchWords) > 0 && looksLike(debug.root, debugWords) === 0) return null
  files.allow(parent)
  const siblings = files.list(parent).filter(entry => entry.kind === 'folder' && entry.name !== baseOf(debug.root) && looksLike(entry.name, benchWords) > 0)
  if (siblings.length !== 1 || looksLike(debug.root, debugWords) === 0) return null
  return treeOf(files, join(parent, siblings[0].name))
}

/** How many of the words stand in the last two parts of a path, as whole words. */
function looksLike(path: string, words: readonly string[]): number {
  const parts = baseOf(path).toLowerCase().split(/[^a-z]+/)
  return words.filter(word => parts.includes(word)).length
}

function fromCompareJson(files: Files, path: string): Detected {
  const json = parse(headOf(files, path, smallJson), path)
  const side = (key: 'npu_path' | 'bench_path'): string => {
    const value = json[key]
    if (typeof value !== 'string' || value === '') throw new Refusal(problem('compare-json-missing-key', path, { key }))
    const full = isAbsolute(value) ? value : join(dirOf(path), value)
    files.allow(/\.json$/i.test(full) ? dirOf(full) : full)
    return full
  }
  const debug = side('npu_path')
  // A graph of one side is asked for without a bench.
  if (json['bench_path'] === undefined || json['bench_path'] === '') {
    const alone = kindOf(files, debug)
    if (alone.is !== 'dump') throw new Refusal(problem('not-a-dump', debug))
    return dumps(alone.tree, null)
  }
  const bench = side('bench_path')
  if (json['rank_id'] !== undefined && json['rank_id'] !== null)
    return { is: 'kernel', debug, bench, ranks: numbers(json['rank_id']), steps: numbers(json['step_id']) }
  const [a, b] = [kindOf(files, debug), kindOf(files, bench)]
  if (a.is !== 'dump' || b.is !== 'dump') throw new Refusal(problem('not-a-dump', a.is === 'dump' ? bench : debug))
  return dumps(a.tree, b.tree)
}

const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.filter(v => typeof v === 'number') : [])

function parse(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text)
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { ...json }
  } catch (error) {
    throw new Refusal(problem('compare-json-invalid', path, { reason: error instanceof Error ? error.message : '' }))
  }
  throw new Refusal(problem('compare-json-invalid', path, { reason: 'no object' }))
}

function headOf(files: Files, path: string, bytes: number): string {
  const handle = files.open(path)
  try {
    const into = new Uint8Array(Math.min(bytes, handle.size))
    return new TextDecoder().decode(into.subarray(0, handle.read(0, into)))
  } finally {
    handle.close()
  }
}

/** A static-graph tree: some lowest folder holds npy files or a statistic.csv. */
function isKernelTree(files: Files, dir: string, depth: number): boolean {
  const entries = files.list(dir)
  const folders = entries.filter(entry => entry.kind === 'folder')
  if (folders.length === 0) return entries.some(entry => entry.kind === 'file' && (entry.name.endsWith('.npy') || entry.name === 'statistic.csv'))
  return depth > 0 && folders.some(entry => isKernelTree(files, join(dir, entry.name), depth - 1))
}

