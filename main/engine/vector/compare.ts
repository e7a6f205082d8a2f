// A full-net compare: which tensors meet, in which rows; the threads measure them, and the rows become a table.
import { type RawHeader, readRawHeader } from '../formats/index.ts'
import type { Files } from '../io/index.ts'
import { type Problem, Refusal, type Table, type TensorRef } from '../model/index.ts'
import type { Job, Pool } from '../work/index.ts'
import type { FusedOps, Group, OpRow } from './groups.ts'
import { spellMetrics } from './metrics.ts'
import type { RawPart, VectorAnswer, VectorPair } from './pairs.ts'
import type { LeftOrigin } from './prepare.ts'
import type { ArraySideFiles, RawFile, RawSideFiles } from './sides.ts'
import { emptyRow, type VectorRow, vectorTable } from './table.ts'

export interface VectorPorts {
  readonly files: Files
  readonly pool: Pick<Pool, 'run' | 'size'>
  readonly job: Job
}

export interface VectorInput {
  readonly left: RawSideFiles
  readonly right: RawSideFiles | ArraySideFiles
  /** Null: operations of equal names meet. */
  readonly ops: FusedOps | null
}

/** Which file met which; '' none. */
export interface MappedRow extends Pick<VectorRow, 'index' | 'opType' | 'npu' | 'truth' | 'tensor'> {
  readonly leftPath: string
  readonly rightPath: string
}

export interface VectorResult {
  readonly table: Table
  readonly mapping: readonly MappedRow[]
  /** Rows that were measured. */
  readonly measured: number
  /** Tensors that hold the same elements under another shape. */
  readonly reshaped: readonly string[]
  /** Dumped operators, and those that the graph knows, where it knows less than half of them; null: enough. */
  readonly foreign: { readonly count: number; readonly known: number } | null
  readonly problems: readonly Problem[]
}

/** What a row will be: measured, or why not. */
interface Planned {
  readonly row: VectorRow
  /** Number of the pair; -1 none. */
  readonly pair: number
  readonly leftPath: string
  readonly rightPath: string
}

export async function compareNets(input: VectorInput, ports: VectorPorts): Promise<VectorResult> {
  const plan = new Plan(input, ports)
  await plan.make()
  const answers = await measure(plan.pairs, ports)
  const rows = plan.rows.map(planned =>
    planned.pair < 0 ? planned.row : filled(planned.row, answers[planned.pair]),
  )
  return {
    table: vectorTable(rows, { npuAddress: true, truthAddress: plan.bothRaw }),
    mapping: plan.rows.map(({ row, leftPath, rightPath }) => ({ ...row, leftPath, rightPath })),
    measured: answers.filter(({ numbers }) => numbers.length > 0).length,
    reshaped: plan.rows.flatMap(({ row, pair }) => (pair >= 0 && answers[pair].reshaped ? [row.tensor] : [])),
    foreign: foreignTo(input),
    problems: plan.problems,
  }
}

/** A graph of another run knows some names by chance, such as those of the data that goes in. */
function foreignTo({ left, ops }: VectorInput): VectorResult['foreign'] {
  if (!ops) return null
  const count = left.inTime().length
  const known = new Set(ops.groups.flatMap(group => group.ops.flatMap(op => left.of(ops.name(op)) ?? [])))
    .size
  return known * 2 < count ? { count, known } : null
}

/** Pairs of one task: enough to make the way there worthwhile. */
const perTask = 16

async function measure(
  pairs: readonly VectorPair[],
  { files, pool, job }: VectorPorts,
): Promise<readonly VectorAnswer[]> {
  const parts = Array.from({ length: Math.ceil(pairs.length / perTask) }, (_, i) =>
    pairs.slice(i * perTask, (i + 1) * perTask),
  )
  const roots = files.roots()
  let done = 0
  const answers = await Promise.all(
    parts.map(async part => {
      const answer = await pool.run<readonly VectorAnswer[]>(
        'vectorPairs',
        { roots, pairs: part },
        { signal: job.signal },
      )
      done += part.length
      job.report({ what: 'job.comparing', done, total: pairs.length, countedIn: 'items' })
      return answer
    }),
  )
  return answers.flat()
}

function filled(row: VectorRow, answer: VectorAnswer): VectorRow {
  const { apart, problem, numbers, shape, types, count, bool } = answer
  if (apart)
    return {
      ...row,
      reason: `[${row.tensor}] The shapes ${spelled(apart[0])} and ${spelled(apart[1])} differ.`,
    }
  if (problem) return { ...row, reason: `[${row.tensor}] ${sentenceOf(problem)}` }
  const scalar = shape.every(dim => dim === 1)
  const { cells, reasons } = spellMetrics(numbers, { bool, count, scalar })
  return {
    ...row,
    npuType: types[0],
    truthType: types[1],
    shape: `[${shape.join(',')}]`,
    cells,
    reason: reasons.join(','),
  }
}

const spelled = (shape: readonly number[]): string => `(${shape.join(', ')})`
/** The engine has no words: what a file is told in is its code and its facts. */
const sentenceOf = ({ code, path, facts }: Problem): string =>
  `${path} cannot be read (${[code, ...Object.values(facts).map(String)].join(', ')}).`

type Io = 'input' | 'output'

class Plan {
  readonly rows: Planned[] = []
  readonly pairs: VectorPair[] = []
  readonly problems: Problem[] = []
  readonly #input: VectorInput
  readonly #ports: VectorPorts
  readonly #headers = new Map<string, Promise<RawHeader>>()

  constructor(input: VectorInput, ports: VectorPorts) {
    this.#input = input
    this.#ports = ports
  }

  /** Both sides are raw dumps. */
  get bothRaw(): boolean {
    return isRaw(this.#input.right)
  }

  async make(): Promise<void> {
    const { ops, left, right } = this.#input
    if (ops) for (const group of ops.groups) await this.#group(ops, group)
    else if (isRaw(right)) await this.#byNames(left, right)
  }

  // ---------------------------------------- by a graph

  async #group(ops: FusedOps, group: Group): Promise<void> {
    const names = namesOf(ops, group)
    const shown = group.relation === 'l1' ? this.#firstAndLast(ops, group.ops) : group.ops
    const lacking: string[] = []
    let any = false
    for (const op of shown) {
      if (ops.isQuantized(op)) {
        // A group of its own has no row then.
        any ||= group.relation === 'one'
        continue
      }
      if (group.relation === 'many' && ops.isInner(op)) {
        lacking.push(`[${ops.name(op)}] Inside of a group: it stands for nothing itself.`)
        continue
      }
      const file = this.#input.left.of(ops.name(op))
      const base = { index: group.index, opType: ops.type(op), ...(names ?? ownNames(ops, op)) }
      const lack = file ? '' : `[${ops.name(op)}] Nothing was dumped of this ${ops.type(op)}.`
      if (file && (await this.#op(ops, op, { base, file }))) any = true
      if (lack === '') continue
      if (group.relation === 'one') this.#empty({ ...base, reason: lack })
      else lacking.push(lack)
      any ||= group.relation === 'one'
    }
    if (any) return
    const [first] = group.ops
    const reason = lacking.join(',') || `[${ops.name(first)}] Nothing was dumped of this group.`
    this.#empty({ index: group.index, opType: ops.type(first), ...(names ?? ownNames(ops, first)), reason })
  }

  /** Of ops that share a buffer only the first one's inputs and the last one's outputs are whole. */
  #firstAndLast(ops: FusedOps, of: readonly OpRow[]): readonly OpRow[] {
    const dumped = of
      .flatMap(op => {
        const file = this.#input.left.of(ops.name(op))
        return file ? [{ op, time: file.name.time }] : []
      })
      .toSorted((a, b) => Number(a.time - b.time))
    const [first, last] = [dumped.at(0), dumped.at(-1)]
    if (!first || !last) return []
    const alike = ops.originals(first.op).join() === ops.originals(last.op).join()
    return alike ? [last.op] : [first.op, last.op]
  }

  /** Rows of one op that was dumped; whether there are any. */
  async #op(
    ops: FusedOps,
    op: OpRow,
    { base, file }: { readonly base: Base; readonly file: RawFile },
  ): Promise<boolean> {
    const header = await this.#headerOf(file)
    if (!header) {
      this.#empty({ ...base, reason: `[${ops.name(op)}] Its dump cannot be read.` })
      return true
    }
    const tensors = ops.sides(op).flatMap(io => (io === 'input' ? header.inputs : header.outputs))
    for (const tensor of tensors) {
      const { io, index } = tensor
      const met = await this.#meet(ops, op, io, index)
      this.#tensor({ ...base, tensor: `${ops.name(op)}:${io}:${index}` }, { file: file.path, tensor }, met)
    }
    if (tensors.length === 0) this.#empty({ ...base, reason: '' })
    return true
  }

  /** The tensor of the other side, or why there is none. */
  async #meet(ops: FusedOps, op: OpRow, io: Io, index: number): Promise<Met | string> {
    const shows = ops.shows(op, io, index)
    if (typeof shows === 'string') return shows
    const origin = ops.origin(...shows)
    if (!origin) return `${ops.name(shows[0])} stands for nothing on the other side.`
    const { right } = this.#input
    if (!isRaw(right)) {
      const path = right.of(origin.name, origin.index)
      return path === undefined
        ? `The other side has no tensor ${origin.name}:${origin.index}.`
        : { right: { file: path }, path, origin }
    }
    const file = right.of(origin.name)
    const tensor = file && (await this.#headerOf(file))?.outputs[origin.index]
    return file && tensor
      ? { right: { file: file.path, tensor }, path: file.path, origin }
      : `The other side has no tensor ${origin.name}:${origin.index}.`
  }

  // ---------------------------------------- by names

  async #byNames(left: RawSideFiles, right: RawSideFiles): Promise<void> {
    let index = 0
    const seen = new Set<string>()
    for (const file of left.inTime()) {
      const { op } = file.name
      seen.add(op)
      await this.#namesakes(index++, file, right.of(op))
    }
    for (const { name } of right.inTime()) {
      if (seen.has(name.op)) continue
      const reason = `[${name.op}] Only the other side dumped it.`
      this.#empty({ index: index++, opType: 'NaN', npu: '*', truth: name.op, reason })
    }
  }

  async #namesakes(index: number, file: RawFile, other: RawFile | undefined): Promise<void> {
    const { op, type } = file.name
    const none = (truth: string, reason: string): void =>
      this.#empty({ index, opType: other ? type : 'NaN', npu: op, truth, reason: `[${op}] ${reason}` })
    if (!other) return none('*', 'The other side dumped nothing of it.')
    const [mine, theirs] = [await this.#headerOf(file), await this.#headerOf(other)]
    if (!mine || !theirs) return none(op, 'A dump of it cannot be read.')
    const before = this.rows.length
    const base = { index, opType: type, npu: op, truth: op }
    for (const [io, ours, others] of [
      ['input', mine.inputs, theirs.inputs],
      ['output', mine.outputs, theirs.outputs],
    ] as const)
      for (const tensor of ours) {
        const right = others.at(tensor.index)
        const met = right
          ? {
              right: { file: other.path, tensor: right },
              path: other.path,
              origin: { format: '', shape: [] },
            }
          : `The other side has no ${io} ${tensor.index} of it.`
        this.#tensor({ ...base, tensor: `${op}:${io}:${tensor.index}` }, { file: file.path, tensor }, met)
      }
    if (this.rows.length === before) none(op, 'It has no tensors.')
  }

  // ---------------------------------------- rows

  #tensor(base: Base & { readonly tensor: string }, left: RawPart, met: Met | string): void {
    const { tensor } = left
    const blank = emptyRow({ ...base, reason: '' })
    const row: VectorRow = {
      ...blank,
      tensor: base.tensor,
      npuAddress: addressOf(left),
      truthAddress: typeof met !== 'string' && 'tensor' in met.right ? addressOf(met.right) : 'NaN',
      shape: `[${tensor.shape.join(',')}]`,
    }
    if (typeof met === 'string') {
      this.rows.push({
        row: { ...row, reason: `[${base.tensor}] ${met}` },
        pair: -1,
        leftPath: left.file,
        rightPath: '',
      })
      return
    }
    const pair = this.pairs.push({ left, right: met.right, origin: met.origin }) - 1
    this.rows.push({ row, pair, leftPath: left.file, rightPath: met.path })
  }

  #empty(of: Base & { readonly reason: string }): void {
    this.rows.push({ row: emptyRow(of), pair: -1, leftPath: '', rightPath: '' })
  }

  /** Null where the file is no raw dump; that is told once. */
  async #headerOf({ path }: RawFile): Promise<RawHeader | null> {
    const { files, job } = this.#ports
    await job.breathe()
    const known = this.#headers.get(path)
    try {
      return await (known ?? this.#read(path, files))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (!known) this.problems.push(error.problem)
      return null
    }
  }

  #read(path: string, files: Files): Promise<RawHeader> {
    const read = async (): Promise<RawHeader> => {
      const handle = files.open(path)
      try {
        return await readRawHeader(handle, path)
      } finally {
        handle.close()
      }
    }
    const header = read()
    this.#headers.set(path, header)
    return header
  }
}

type Base = Pick<VectorRow, 'index' | 'opType' | 'npu' | 'truth'>

interface Met {
  readonly right: RawPart | TensorRef
  readonly path: string
  readonly origin: LeftOrigin
}

const isRaw = (side: RawSideFiles | ArraySideFiles): side is RawSideFiles => 'inTime' in side
const addressOf = ({ tensor }: RawPart): string => (tensor.address === 0n ? 'NaN' : String(tensor.address))

/** What stands in the columns of an op by itself. */
const ownNames = (ops: FusedOps, op: OpRow): Pick<Base, 'npu' | 'truth'> => ({
  npu: ops.name(op),
  truth: ops.originals(op).join(',') || '*',
})

/** Of a group of several: all of them, by what they stand for. Null for an op by itself. */
function namesOf(ops: FusedOps, group: Group): Pick<Base, 'npu' | 'truth'> | null {
  if (group.relation === 'one') return null
  const byTruth = new Map<string, string[]>()
  for (const op of group.ops) {
    const truth = ops.originals(op).join(',')
    byTruth.set(truth, [...(byTruth.get(truth) ?? []), ops.name(op)])
  }
  return { npu: [...byTruth.values()].flat().join(','), truth: [...byTruth.keys()].join(',') }
}
