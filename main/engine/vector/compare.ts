// A full-net compare: which tensors meet, in which rows; the threads measure them, and the rows become a table.
import {
  arrayAsRaw,
  inSlice,
  joinSlices,
  layoutOf,
  npuType,
  type OnDevice,
  type RawHeader,
  rawTensors,
  readRawHeader,
  type SliceFile,
} from '../formats/index.ts'
import type { Files } from '../io/index.ts'
import { type Problem, Refusal, type Table, type TensorRef } from '../model/index.ts'
import type { Job, Pool } from '../work/index.ts'
import type { Beyond } from './beyond.ts'
import type { FusedOps, Group, OpRow } from './groups.ts'
import { comparedInTasks, inParts } from './in-tasks.ts'
import { halfLimit, spellMetrics } from './metrics.ts'
import { isDecoded, type RawPart, type VectorAnswer, type VectorPair } from './pairs.ts'
import type { LeftOrigin } from './prepare.ts'
import type { ArraySideFiles, DecodedFile, RawFile, RawSideFiles } from './sides.ts'
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
  /** A graph between the two sides; absent: the first names the tensors of the right side. */
  readonly beyond?: Beyond | null
  /** Whether halves of the left side that reach their largest number are told. */
  readonly overflow?: boolean
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
  readonly left: RawPart | null
  readonly leftPath: string
  readonly rightPath: string
}

export async function compareNets(input: VectorInput, ports: VectorPorts): Promise<VectorResult> {
  const plan = new Plan(input, ports)
  await plan.make()
  const answers = await measure(plan.pairs, ports)
  const overflow = input.overflow ?? false
  const flags = overflow ? await overflowsOf(plan.rows, ports) : new Map<Planned, string>()
  const rows = plan.rows.map(planned => {
    const row = { ...planned.row, overflow: flags.get(planned) ?? planned.row.overflow }
    return planned.pair < 0 ? row : filled(row, answers[planned.pair])
  })
  return {
    table: vectorTable(rows, { npuAddress: !input.left.decoded, truthAddress: plan.rightIsRaw, overflow }),
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

const measure = (pairs: readonly VectorPair[], ports: VectorPorts): Promise<readonly VectorAnswer[]> =>
  comparedInTasks('vectorPairs', pairs, ports)

/** Halves only: chips of the first generation stop at their largest number. */
async function overflowsOf(
  rows: readonly Planned[],
  { files, pool, job }: VectorPorts,
): Promise<ReadonlyMap<Planned, string>> {
  const asked = rows.filter(({ left }) => left && isHalf(left))
  const roots = files.roots()
  const peaks = await inParts(asked, part =>
    pool.run<readonly number[]>(
      'vectorPeaks',
      { roots, parts: part.map(({ left }) => left) },
      { signal: job.signal },
    ),
  )
  const told = (peak: number): string => (peak >= halfLimit ? 'YES' : 'NO')
  return new Map(peaks.map((peak, i) => [asked[i], Number.isNaN(peak) ? 'NaN' : told(peak)] as const))
}

const isHalf = ({ tensor }: RawPart): boolean =>
  (isDecoded(tensor) ? tensor.array : npuType(tensor.dtype).as) === 'float16'

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
  readonly #parts = new Map<string, Promise<readonly RawPart[]>>()

  constructor(input: VectorInput, ports: VectorPorts) {
    this.#input = input
    this.#ports = ports
  }

  /** Both sides are dumps of the NPU, and the right one's are not decoded. */
  get rightIsRaw(): boolean {
    const { right } = this.#input
    return isRaw(right) && !right.decoded
  }

  async make(): Promise<void> {
    const { ops, left, right } = this.#input
    if (ops) for (const group of ops.groups) await this.#group(ops, group)
    else if (isRaw(right)) await this.#byNames(left, right)
  }

  // ---------------------------------------- by a graph

  async #group(ops: FusedOps, group: Group): Promise<void> {
    const names = namesOf(ops, group, this.#truthOf)
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
      const base = {
        index: group.index,
        opType: ops.type(op),
        ...(names ?? ownNames(ops, op, this.#truthOf)),
      }
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
    this.#empty({
      index: group.index,
      opType: ops.type(first),
      ...(names ?? ownNames(ops, first, this.#truthOf)),
      reason,
    })
  }

  /** What the right side calls the ops that an op stands for. */
  readonly #truthOf = (originals: readonly string[]): string =>
    (this.#input.beyond?.names(originals) ?? originals).join(',')

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
    const parts = await this.#partsOf(file)
    if (!parts) {
      this.#empty({ ...base, reason: `[${ops.name(op)}] Its dump cannot be read.` })
      return true
    }
    const shown = ops.sides(op).flatMap(io => parts.filter(({ tensor }) => tensor.io === io))
    for (const lying of shown) {
      const { io, index } = lying.tensor
      const made = file.slices && io === 'input' ? await this.#madeBefore(ops, op, lying) : null
      const part = made ?? asDumped(lying, ops.onDevice(op, io, index))
      const met = await this.#meet(ops, op, io, index)
      this.#tensor({ ...base, tensor: `${ops.name(op)}:${io}:${index}` }, part, met)
    }
    if (shown.length === 0) this.#empty({ ...base, reason: '' })
    return true
  }

  /** A slice reads a part of what goes in, and the next one some of it again: whole is what was made before. */
  async #madeBefore(ops: FusedOps, op: OpRow, { tensor }: RawPart): Promise<RawPart | null> {
    if (!isDecoded(tensor) && tensor.through) return null
    const shows = ops.shows(op, 'input', tensor.index)
    const file = typeof shows === 'string' ? undefined : this.#input.left.of(ops.name(shows[0]))
    const parts = file && (await this.#partsOf(file))
    return (parts && partAt(parts, 'output', Number(shows[1]))) ?? null
  }

  /** The tensor of the other side, or why there is none. */
  async #meet(ops: FusedOps, op: OpRow, io: Io, index: number): Promise<Met | string> {
    const shows = ops.shows(op, io, index)
    if (typeof shows === 'string') return shows
    const named = ops.origin(...shows)
    const { right, beyond } = this.#input
    const origin = named && beyond ? beyond.origin(named) : named
    if (!origin) return `${ops.name(shows[0])} stands for nothing on the other side.`
    if (!isRaw(right)) {
      const path = right.of(origin.name, origin.index)
      return path === undefined
        ? `The other side has no tensor ${origin.name}:${origin.index}.`
        : { right: { file: path }, path, origin }
    }
    const file = right.of(origin.name)
    const part = file && partAt(await this.#partsOf(file), 'output', origin.index)
    return part
      ? { right: part, path: part.file, origin }
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
    const [mine, theirs] = [await this.#partsOf(file), await this.#partsOf(other)]
    if (!mine || !theirs) return none(op, 'A dump of it cannot be read.')
    const before = this.rows.length
    const base = { index, opType: type, npu: op, truth: op }
    for (const part of mine) {
      const { io, index } = part.tensor
      const right = partAt(theirs, io, index)
      const met = right
        ? { right, path: right.file, origin: { format: '', shape: [] } }
        : `The other side has no ${io} ${index} of it.`
      this.#tensor({ ...base, tensor: `${op}:${io}:${index}` }, part, met)
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
        left,
        leftPath: left.file,
        rightPath: '',
      })
      return
    }
    const pair = this.pairs.push({ left, right: met.right, origin: met.origin }) - 1
    this.rows.push({ row, pair, left, leftPath: left.file, rightPath: met.path })
  }

  #empty(of: Base & { readonly reason: string }): void {
    this.rows.push({ row: emptyRow(of), pair: -1, left: null, leftPath: '', rightPath: '' })
  }

  /** Inputs, then outputs; null where the file is no raw dump, which is told once. */
  async #partsOf(file: RawFile): Promise<readonly RawPart[] | null> {
    const { files, job } = this.#ports
    await job.breathe()
    const known = this.#parts.get(file.path)
    try {
      return await (known ?? this.#read(file, files))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (!known) this.problems.push(error.problem)
      return null
    }
  }

  #read({ path, name: said, decoded, slices }: RawFile, files: Files): Promise<readonly RawPart[]> {
    const headerAt = async (file: string): Promise<RawHeader> => {
      const handle = files.open(file)
      try {
        const header = await readRawHeader(handle, file)
        this.problems.push(...header.problems.filter(({ severity }) => severity !== 'note'))
        return header
      } finally {
        handle.close()
      }
    }
    const inParts = (file: string, of: Pick<RawHeader, 'inputs' | 'outputs'>): readonly RawPart[] =>
      rawTensors(of).map(tensor => ({ file, tensor }))
    const read = async (): Promise<readonly RawPart[]> => {
      if (!slices) return inParts(path, inSlice(await headerAt(path), said))
      const all: SliceFile[] = []
      for (const { path: file, name } of slices)
        all.push({ path: file, said: name, header: await headerAt(file) })
      const joined = joinSlices(all)
      this.problems.push(...joined.problems)
      return inParts(joined.first.path, joined)
    }
    const parts = decoded ? Promise.resolve(this.#arrays(decoded, files)) : read()
    this.#parts.set(path, parts)
    return parts
  }

  /** Of one that cannot be read its row says so; the others are compared. */
  #arrays(decoded: readonly DecodedFile[], files: Files): readonly RawPart[] {
    const inOrder = decoded.toSorted((a, b) => a.io.localeCompare(b.io) || a.index - b.index)
    return inOrder.map(({ path, io, index }) => {
      try {
        const handle = files.open(path)
        try {
          const layout = layoutOf(handle, { file: path })
          const { shape, dtype } = layout
          return { file: path, tensor: { io, index, shape, array: dtype.array, layout } }
        } finally {
          handle.close()
        }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        this.problems.push(error.problem)
        return { file: path, tensor: { io, index, shape: [], array: '', layout: null } }
      }
    })
  }
}

type Base = Pick<VectorRow, 'index' | 'opType' | 'npu' | 'truth'>

interface Met {
  readonly right: RawPart | TensorRef
  readonly path: string
  readonly origin: LeftOrigin
}

/** An array that lies as the device had it is turned like the raw tensor that it was. */
function asDumped(part: RawPart, device: OnDevice | null): RawPart {
  const { tensor, file } = part
  if (!isDecoded(tensor) || !tensor.layout || String(device?.shape) !== String(tensor.shape)) return part
  const raw = arrayAsRaw(tensor, tensor.layout, device)
  return raw ? { file, tensor: raw } : part
}

const isRaw = (side: RawSideFiles | ArraySideFiles): side is RawSideFiles => 'inTime' in side
const addressOf = ({ tensor }: RawPart): string =>
  isDecoded(tensor) || tensor.address === 0n ? 'NaN' : String(tensor.address)
const partAt = (parts: readonly RawPart[] | null, io: Io, index: number): RawPart | undefined =>
  parts?.find(({ tensor }) => tensor.io === io && tensor.index === index)

/** What stands in the columns of an op by itself. */
const ownNames = (ops: FusedOps, op: OpRow, truthOf: TruthOf): Pick<Base, 'npu' | 'truth'> => ({
  npu: ops.name(op),
  truth: truthOf(ops.originals(op)) || '*',
})
type TruthOf = (originals: readonly string[]) => string

/** Of a group of several: all of them, by what they stand for. Null for an op by itself. */
function namesOf(ops: FusedOps, group: Group, truthOf: TruthOf): Pick<Base, 'npu' | 'truth'> | null {
  if (group.relation === 'one') return null
  const byTruth = new Map<string, string[]>()
  for (const op of group.ops) {
    const truth = truthOf(ops.originals(op))
    byTruth.set(truth, [...(byTruth.get(truth) ?? []), ops.name(op)])
  }
  return { npu: [...byTruth.values()].flat().join(','), truth: [...byTruth.keys()].join(',') }
}
