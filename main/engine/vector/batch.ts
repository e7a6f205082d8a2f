// Two trees of npy files, file by file (`vc` of msprobe's parse tool): which files meet, and how far apart they are.
import { longNames, OpenTensor, sameShape, walk } from '../formats/index.ts'
import { type Files, join, quickFiles, type QuickFiles, type Root } from '../io/index.ts'
import { problem, type Problem, Refusal } from '../model/index.ts'
import type { Job, Pool } from '../work/index.ts'
import { comparedInTasks } from './in-tasks.ts'

/** Why two files, or what lies in two folders, cannot be compared. */
export type BatchReason = 'alone' | 'folders' | 'files' | 'shape' | 'dtype' | 'complex' | 'unreadable'

/** Two files; or two folders that do not hold the same, then with the reason. */
interface BatchPair {
  /** '' where that side has nothing. */
  readonly left: string
  readonly right: string
  /** What they are called: their names before those were found too long. */
  readonly names: readonly [left: string, right: string]
  readonly reason: BatchReason | null
}

interface BatchNumbers {
  readonly mean: number
  readonly benchMean: number
  /** The same bytes. */
  readonly same: boolean
  readonly maxAbs: number
  readonly maxRel: number
}

interface BatchAnswer {
  readonly numbers: BatchNumbers | null
  readonly reason: BatchReason | null
  readonly problem: Problem | null
}

export type BatchRow = BatchPair & BatchAnswer

export interface BatchPorts {
  readonly files: Files
  readonly pool: Pick<Pool, 'run'>
  readonly job: Job
}

/** A row for each pair of files, and for each pair of folders that do not hold the same. */
export async function compareTrees(
  left: string,
  right: string,
  ports: BatchPorts,
): Promise<readonly BatchRow[]> {
  const { files, job } = ports
  const pairs = await new Trees(files, left, right).pairs(job)
  const met = pairs.filter(({ reason }) => reason === null)
  const all = await comparedInTasks<unknown, BatchAnswer>('batchPairs', met, ports)
  let next = 0
  return pairs.map(pair =>
    pair.reason === null ? { ...pair, ...all[next++] } : { ...pair, numbers: null, problem: null },
  )
}

// ---------------------------------------- which files meet

/** Operation, time, and what else somebody put between; deeper is no such tree. */
const deepest = 5
const longestMapping = 64 << 20

interface Level {
  readonly folders: readonly string[]
  readonly arrays: readonly string[]
}

interface At {
  readonly left: string
  readonly right: string
  readonly depth: number
}

class Trees {
  readonly #files: Files
  readonly #roots: readonly [string, string]
  readonly #long: readonly [ReadonlyMap<string, string>, ReadonlyMap<string, string>]

  constructor(files: Files, left: string, right: string) {
    this.#files = files
    this.#roots = [left, right]
    this.#long = [longNamesIn(files, left), longNamesIn(files, right)]
  }

  async pairs(job: Job): Promise<readonly BatchPair[]> {
    const [left, right] = this.#roots
    const found: BatchPair[] = []
    for await (const pair of this.#below({ left, right, depth: 0 }, job)) found.push(pair)
    return found
  }

  async *#below({ left, right, depth }: At, job: Job): AsyncGenerator<BatchPair> {
    await job.breathe()
    const mine = this.#level(left, 0)
    const theirs = this.#level(right, 1)
    if (mine.arrays.length === theirs.arrays.length)
      for (const [i, name] of mine.arrays.entries())
        yield this.#pair(join(left, name), join(right, theirs.arrays[i]), null)
    else yield this.#pair(left, right, 'files')
    if (depth === deepest) return
    const below = (a: string, b: string): AsyncGenerator<BatchPair> =>
      this.#below({ left: join(left, a), right: join(right, b), depth: depth + 1 }, job)
    // Operations meet by their names; times are never the same, and meet in their order.
    if (depth === 0) {
      const [has, hasToo] = [new Set(mine.folders), new Set(theirs.folders)]
      for (const name of [...new Set([...has, ...hasToo])].sort())
        if (!hasToo.has(name)) yield this.#pair(join(left, name), '', 'alone')
        else if (!has.has(name)) yield this.#pair('', join(right, name), 'alone')
        else yield* below(name, name)
    } else if (mine.folders.length === theirs.folders.length)
      for (const [i, name] of mine.folders.entries()) yield* below(name, theirs.folders[i])
    else yield this.#pair(left, right, 'folders')
  }

  #level(folder: string, side: 0 | 1): Level {
    const entries = this.#files.list(folder)
    const called = (name: string): string => this.#long[side].get(name) ?? name
    const named = (kind: 'file' | 'folder'): readonly string[] =>
      entries
        .filter(entry => entry.kind === kind)
        .map(({ name }) => name)
        .sort((a, b) => (called(a) < called(b) ? -1 : 1))
    return { folders: named('folder'), arrays: named('file').filter(name => name.endsWith('.npy')) }
  }

  #pair(left: string, right: string, reason: BatchReason | null): BatchPair {
    return { left, right, names: [this.#nameOf(left, 0), this.#nameOf(right, 1)], reason }
  }

  /** Of a file its name, of a folder the way to it. */
  #nameOf(path: string, side: 0 | 1): string {
    const below = path.slice(this.#roots[side].length).replace(/^[\\/]/, '')
    if (!below.endsWith('.npy')) return below
    const name = below.replace(/^.*[\\/]/, '')
    return this.#long[side].get(name) ?? name
  }
}

/** Names that were too long stand in a list at the top of the tree. */
const longNamesIn = (files: Files, folder: string): ReadonlyMap<string, string> =>
  files.list(folder).some(({ name }) => name === 'mapping.csv')
    ? longNames(new TextDecoder().decode(files.readAll(join(folder, 'mapping.csv'), longestMapping)))
    : new Map()

// ---------------------------------------- how far apart they are

/** What a thread does of it. */
export function* batchTask(arg: {
  readonly roots: readonly Root[]
  readonly pairs: readonly BatchPair[]
}): Generator<void, readonly BatchAnswer[], void> {
  const files = quickFiles(arg.roots)
  const answers: BatchAnswer[] = []
  for (const pair of arg.pairs) answers.push(yield* answerOf(files, pair))
  return answers
}

function* answerOf(files: QuickFiles, pair: BatchPair): Generator<void, BatchAnswer, void> {
  const open: OpenTensor[] = []
  try {
    for (const file of [pair.left, pair.right]) open.push(new OpenTensor(files, { file }))
    return yield* measured(open[0], open[1])
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { numbers: null, reason: 'unreadable', problem: error.problem }
  } finally {
    for (const tensor of open) tensor.close()
  }
}

const apart = (reason: BatchReason): BatchAnswer => ({ numbers: null, reason, problem: null })

function* measured(left: OpenTensor, right: OpenTensor): Generator<void, BatchAnswer, void> {
  if (!sameShape(left.layout, right.layout)) return apart('shape')
  const { dtype, size } = left.layout
  if (dtype.name !== right.layout.dtype.name) return apart('dtype')
  // Doubles hold only one part of them.
  if (dtype.arithmetic === 'complex') return apart('complex')
  const sums = new Sums(epsilons[dtype.arithmetic])
  let read = 0
  yield* walk(
    [left, right],
    (first, count) => {
      sums.add(left, right, count)
      read = first + count
    },
    () => {},
  )
  if (read < size) throw new Refusal(problem('npy-truncated', left.file, { expected: size, found: read }))
  return { numbers: sums.numbers(size), reason: null, problem: null }
}

/** What stands for a 0 that is divided by: the step behind 1 in the type of the reference. */
const epsilons = { f16: 2 ** -10, f32: 2 ** -23, f64: 2 ** -52, int: 2 ** -52 } as const

/** NaN spreads: a largest error beside one would say too little. */
class Sums {
  readonly #epsilon: number
  #same = true
  #left = 0
  #right = 0
  #abs = 0
  #rel = 0

  constructor(epsilon: number) {
    this.#epsilon = epsilon
  }

  add(left: OpenTensor, right: OpenTensor, count: number): void {
    for (let i = 0; i < count; i++) {
      const l = left.values[i]
      const r = right.values[i]
      this.#left += l
      this.#right += r
      const off = Math.abs(l - r)
      this.#abs = Math.max(this.#abs, off)
      this.#rel = Math.max(this.#rel, off / Math.abs(r === 0 ? this.#epsilon : r))
    }
    const bytes = count * left.layout.dtype.bytes
    for (let i = 0; this.#same && i < bytes; i++) this.#same = left.bytes[i] === right.bytes[i]
  }

  /** Of no elements nothing is largest. */
  numbers(size: number): BatchNumbers {
    const [maxAbs, maxRel] = size === 0 ? [NaN, NaN] : [this.#abs, this.#rel]
    return { mean: this.#left / size, benchMean: this.#right / size, same: this.#same, maxAbs, maxRel }
  }
}
