// The walker of step and rank folders: which dumps a folder holds, and of which steps and ranks.
import { Candidate, type Format, formats, msprobe, type Place, placeAt } from '../formats/index.ts'
import { baseOf, dirOf, type Files } from '../io/index.ts'
import { problem, type Problem, Refusal } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { openRules, type WalkRules } from './walk-rules.ts'

/** One rank of one step. */
export interface RankFolder {
  /** From `step3`; null where there is no step folder. */
  readonly step: number | null
  /** From `rank3`; null for `rank`, `proc123` and a bare folder. */
  readonly rank: number | null
  /** The folders below the root that lead to it: `['step3', 'rank3']`. */
  readonly names: readonly string[]
  readonly dir: string
  readonly format: Format
  readonly place: Place
}

/** One side: a rank, the ranks of a step, or steps with their ranks. */
export interface DumpTree {
  readonly root: string
  readonly is: 'rank' | 'ranks' | 'steps'
  readonly ranks: readonly RankFolder[]
  readonly problems: readonly Problem[]
}

const stepName = /^step(\d+)$/
const rankName = /^(?:rank|proc)(\d*)$/

type Numbers = Pick<RankFolder, 'step' | 'rank'>

export interface Found {
  readonly format: Format
  readonly place: Place
}

/** A place of it is one side of one step and rank. */
export const isOneDump = (format: Format): boolean => format.holds === 'dump' && !format.parts

const rankFolder = (
  dir: string,
  numbers: Numbers,
  names: readonly string[],
  { format, place }: Found,
): RankFolder => ({ ...numbers, names, dir, format, place: { ...place, ...numbers } })

/** What a path holds for a format, without looking into step and rank folders. */
export async function findIn(
  at: Candidate,
  holds: (format: Format) => boolean,
  job: Job,
): Promise<Found | null> {
  for (const format of formats) {
    const place = holds(format) ? await format.find(at, job) : null
    if (place) return { format, place }
  }
  return null
}

/** The dump below a folder; null where there is none. */
export async function walk(root: Candidate, rules: WalkRules, job: Job): Promise<DumpTree | null> {
  return new Walk(rules, job).run(root)
}

/** The step and rank that a folder's own name and that of its parent say. */
const numbersOf = (dir: string): Numbers => ({
  step: numberIn(stepName, baseOf(dirOf(dir))),
  rank: rankIn(baseOf(dir)),
})

class Walk {
  readonly #rules: WalkRules
  readonly #job: Job
  readonly #problems: Problem[] = []

  constructor(rules: WalkRules, job: Job) {
    this.#rules = rules
    this.#job = job
  }

  async run(root: Candidate): Promise<DumpTree | null> {
    const tree = (is: DumpTree['is'], ranks: readonly RankFolder[]): DumpTree => ({
      root: root.path,
      is,
      ranks,
      problems: this.#problems,
    })
    const numbers = numbersOf(root.path)
    const alone = this.#rules.isRank(root)
      ? ((await this.#dumpIn(root, numbers, [])) ?? this.#empty(root, numbers, []))
      : null
    if (alone) return { ...treesOf(root.path, alone, root.files)[0], problems: this.#problems }
    const ranks = await this.#ranks(root, numberIn(stepName, root.name), [])
    if (ranks.length > 0) return tree('ranks', ranks)
    const steps = await this.#steps(root)
    return steps.length > 0 ? tree('steps', steps) : null
  }

  async #steps(root: Candidate): Promise<readonly RankFolder[]> {
    const found: RankFolder[] = []
    for (const at of this.#named(root, this.#rules.step)) {
      const step = numberIn(stepName, at.name)
      const ranks = await this.#ranks(at, step, [at.name])
      const alone =
        ranks.length === 0 && this.#rules.strays !== 'refused'
          ? await this.#dumpIn(at, { step, rank: null }, [at.name])
          : null
      const here = alone ? [alone] : ranks
      if (here.length === 0) this.#problems.push(problem('empty-dump', at.path, {}, 'warning'))
      found.push(...here)
    }
    return found
  }

  async #ranks(
    folder: Candidate,
    step: number | null,
    names: readonly string[],
  ): Promise<readonly RankFolder[]> {
    const found: RankFolder[] = []
    for (const at of this.#named(folder, this.#rules.rank)) {
      const numbers = { step, rank: rankIn(at.name) }
      const below = [...names, at.name]
      const rank = (await this.#dumpIn(at, numbers, below)) ?? this.#empty(at, numbers, below)
      if (rank) found.push(rank)
    }
    return found
  }

  /** The dump that lies in a folder itself. */
  async #dumpIn(at: Candidate, numbers: Numbers, names: readonly string[]): Promise<RankFolder | null> {
    await this.#job.breathe()
    const found = await findIn(at, isOneDump, this.#job)
    return found && rankFolder(at.path, numbers, names, found)
  }

  /** A rank folder without a dump; what is missing there is said by reading it. */
  #empty(at: Candidate, numbers: Numbers, names: readonly string[]): RankFolder | null {
    return this.#rules.keepsEmpty
      ? rankFolder(at.path, numbers, names, { format: msprobe, place: placeAt(at.path) })
      : null
  }

  /** Folders of such a name in order; what else lies beside them is passed, noted or refused. */
  #named(folder: Candidate, name: RegExp): readonly Candidate[] {
    const { strays, order } = this.#rules
    const fits = folder.entries.filter(({ kind, name: of }) => kind !== 'file' && name.test(of))
    // Where there is no such folder at all, this is not their level.
    if (fits.length === 0) return []
    for (const entry of folder.entries) {
      if (fits.includes(entry) || strays === 'passed') continue
      const { path } = folder.below(entry)
      if (strays === 'refused') throw new Refusal(problem('stray-entry-stops', path))
      this.#problems.push(problem('stray-entry', path, {}, 'note'))
    }
    const found = fits.map(entry => folder.below(entry))
    return order === 'text'
      ? found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
      : found.toSorted((a, b) => kindOrder(a) - kindOrder(b) || digits(a) - digits(b))
  }
}

/** Ranks come before processes; folders without a number before numbered ones. */
const kindOrder = ({ name }: Candidate): number => (name.startsWith('proc') ? 1 : 0)
const digits = ({ name }: Candidate): number => Number(/\d+$/.exec(name)?.[0] ?? -1)

const numberIn = (pattern: RegExp, name: string): number | null => {
  const found = pattern.exec(name)?.[1]
  return found ? Number(found) : null
}
/** The number of a process says nothing about its rank. */
const rankIn = (name: string): number | null => (name.startsWith('proc') ? null : numberIn(rankName, name))

/** A path as it was given; a link is what it leads to. */
export function candidateAt(files: Files, path: string): Candidate {
  files.allow(path)
  const entry = files.stat(path)
  if (entry?.kind !== 'folder') files.allow(dirOf(path))
  if (!entry) throw new Refusal(problem('not-found', path))
  const at = new Candidate(files, path, entry.kind)
  return entry.kind === 'link' && at.entries.length > 0 ? new Candidate(files, path, 'folder') : at
}

/** A dump that a single file stands for. */
export function oneTree(path: string, found: Found, numbers: Numbers): DumpTree {
  const ranks = [rankFolder(dirOf(path), numbers, [], found)]
  return { root: found.place.path, is: 'rank', ranks, problems: [] }
}

/** The same, or the two sides in it. */
export function treesOfFile(
  path: string,
  found: Found,
  files: Files,
  numbers = numbersOf(found.place.path),
): readonly DumpTree[] {
  return treesOf(found.place.path, rankFolder(dirOf(path), numbers, [], found), files)
}

/** A rank, or the steps and ranks that its format finds in the same place. */
function treesOf(root: string, alone: RankFolder, files: Files): readonly DumpTree[] {
  const { format, place, dir } = alone
  const sides = format.holds === 'dump' ? format.sides?.(place, files) : undefined
  if (!sides) return [{ root, is: 'rank', ranks: [alone], problems: [] }]
  return sides.map(places => {
    const ranks = places.map((one): RankFolder => {
      const { step, rank } = one
      const names = [step === null ? '' : `step${step}`, rank === null ? '' : `rank${rank}`]
      return { step, rank, names: names.filter(name => name !== ''), dir, format, place: one }
    })
    const hasSteps = new Set(places.map(({ step }) => step)).size > 1
    const is = hasSteps ? 'steps' : places.length > 1 ? 'ranks' : 'rank'
    return { root, is, ranks, problems: [] }
  })
}

/** The dump of a folder, or those of the folders in it. */
export async function treesIn(at: Candidate, job: Job): Promise<readonly DumpTree[]> {
  const own = await walk(at, openRules, job)
  if (own) return [own]
  const found: DumpTree[] = []
  for (const child of at.folders()) {
    const tree = await walk(child, openRules, job)
    if (tree) found.push(tree)
  }
  return found
}

/** The only dump that one named path holds. */
export async function treeAt(files: Files, path: string, job: Job): Promise<DumpTree> {
  const at = candidateAt(files, path)
  if (at.kind !== 'folder') {
    const found = await findIn(at, isOneDump, job)
    if (!found) throw new Refusal(problem('not-a-dump', path))
    const [tree, more] = treesOfFile(path, found, files, { step: null, rank: null })
    if (!tree || more) throw notADump(at)
    return tree
  }
  const [tree, more] = await treesIn(at, job)
  if (!tree || more) throw notADump(at)
  return tree
}

export const notADump = (at: Candidate): Refusal => new Refusal(problem('not-a-dump', at.path))
