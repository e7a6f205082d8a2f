// What one command compares: pairs of dumps with the names that their result files get.
import { pairUnits, treeOf, type DumpTree } from '../formats/detect.ts'
import { dumpFilesOf } from '../formats/msprobe.ts'
import type { DumpFiles } from '../dump.ts'
import type { Files } from '../io/files.ts'
import { absolute, baseOf, dirOf, join } from '../io/paths.ts'
import type { Rules } from '../model.ts'
import { pairRanks } from '../match/ranks.ts'
import { problem, Refusal, type Problem } from '../problem.ts'
import type { CompareJson } from './compare-json.ts'

export interface PairOfDumps {
  readonly step: number | null
  readonly rank: number | null
  readonly debug: DumpFiles
  readonly bench: DumpFiles
  /** Part of the result files' names: '' or `_rank0-rank0`. */
  readonly suffix: string
  readonly stack: boolean | 'auto'
}

export interface Pairs {
  readonly pairs: readonly PairOfDumps[]
  readonly problems: readonly Problem[]
}

/** The pairs that a compare.json asks for, by msprobe's rules for one and for several cards. */
export function pairsOfJson(files: Files, json: CompareJson, stackMode: boolean, rules: Rules): Pairs {
  return json.kind === 'files' ? { pairs: [singleCard(files, json, stackMode, rules)], problems: [] } : severalCards(files, json, rules)
}

function singleCard(files: Files, json: CompareJson, stackMode: boolean, rules: Rules): PairOfDumps {
  const [debug, bench] = [json.debug, json.bench].map(path => {
    if (!path.endsWith('dump.json')) throw new Refusal(problem('not-a-dump', path))
    return { ...dumpFilesOf(files, dirOf(path)), dump: path }
  })
  const at = { step: null, rank: null, bench, suffix: '' }
  if (json.stack === undefined) {
    // msprobe 1.2.2 looks beside the dump whatever the switch says; its documents ask for the key.
    if (stackMode && rules === 'plumbline') throw new Refusal(problem('stack-path-missing', json.path, { suggestion: debug.stack || join(debug.dir, 'stack.json') }))
    return { ...at, debug, stack: 'auto' }
  }
  if (!stackMode) return { ...at, debug, stack: false }
  if (json.stack === '') throw new Refusal(problem('compare-json-missing-key', json.path, { key: 'stack_path' }))
  const found = files.stat(json.stack)
  if (!found) throw new Refusal(problem('not-found', json.stack))
  if (found.kind === 'folder') throw new Refusal(problem('not-a-file', json.stack))
  return { ...at, debug: { ...debug, stack: json.stack }, stack: true }
}

function severalCards(files: Files, json: CompareJson, rules: Rules): Pairs {
  const hasRanks = (dir: string): boolean => files.list(dir).some(entry => entry.kind === 'folder' && rankName.test(entry.name))
  if (!hasRanks(json.debug) || !hasRanks(json.bench)) {
    // A rank folder, or a whole dump root: more than msprobe takes here.
    if (rules === 'plumbline') return pairsOfPaths(files, [json.debug, json.bench])
    throw new Refusal(problem('not-a-dump', hasRanks(json.debug) ? json.bench : json.debug))
  }
  const { pairs, problems } = pairRanks(files, json.debug, json.bench, rules)
  return {
    pairs: pairs.map(({ debug, bench, suffix }) => ({ step: stepOf(json.debug), rank: rankOf(debug), debug: dumpIn(files, debug), bench: dumpIn(files, bench), suffix, stack: 'auto' })),
    problems,
  }
}

const rankName = /^rank(\d*)$/
const rankOf = (dir: string): number | null => numberIn(rankName.exec(baseOf(dir))?.[1])
const stepOf = (dir: string): number | null => numberIn(/^step(\d+)$/.exec(baseOf(dir))?.[1])
const numberIn = (digits: string | undefined): number | null => (digits ? Number(digits) : null)

function dumpIn(files: Files, dir: string): DumpFiles {
  const found = dumpFilesOf(files, dir)
  if (found.dump === '') throw new Refusal(problem('not-a-dump', dir))
  return found
}

/** The pairs of two named paths: rank, step or root folders, or dump.json files. The first is the debug side, whatever its name says. */
export function pairsOfPaths(files: Files, [debug, bench]: readonly [string, string]): Pairs {
  const [ours, theirs] = [treeAt(files, debug), treeAt(files, bench)]
  const { units, problems } = pairUnits(ours, theirs)
  const failed = problems.find(p => p.severity === 'error')
  if (failed) throw new Refusal(failed)
  const pairs = units.map((unit): PairOfDumps => ({
    step: unit.step, rank: unit.rank, debug: dumpAt(files, unit.debug, debug), bench: dumpAt(files, unit.bench, bench), stack: 'auto',
    suffix: units.length === 1 ? '' : `${unit.step === null ? '' : `_step${unit.step}`}_${baseOf(unit.debug)}-${baseOf(unit.bench)}`,
  }))
  return { pairs, problems: [...ours.problems, ...theirs.problems, ...problems] }
}

function treeAt(files: Files, given: string): DumpTree {
  const path = absolute(given)
  files.allow(path)
  files.allow(dirOf(path))
  const entry = files.stat(path)
  if (!entry) throw new Refusal(problem('not-found', path))
  if (entry.kind !== 'folder') {
    if (!path.endsWith('dump.json') && baseOf(path) !== 'debug.json') throw new Refusal(problem('not-a-dump', path))
    const dir = dirOf(path)
    return { root: dir, ranks: [{ step: null, rank: null, dir }], problems: [] }
  }
  const inside = (): DumpTree[] => files.list(path).filter(e => e.kind === 'folder').map(e => treeOf(files, join(path, e.name))).filter(found => found !== null)
  const tree = treeOf(files, path) ?? (([only, ...more]) => (only && more.length === 0 ? only : null))(inside())
  if (!tree) throw new Refusal(problem('not-a-dump', path))
  return tree
}

/** The dump of a folder; the very file when it was named on the command line. */
function dumpAt(files: Files, dir: string, given: string): DumpFiles {
  const path = absolute(given)
  const named = path.endsWith('.json') && dirOf(path) === dir
  return named ? { ...dumpFilesOf(files, dir), dump: path } : dumpIn(files, dir)
}
