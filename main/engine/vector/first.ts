// Where the error enters, by the rows of a full-net compare: what agrees going in and does not coming out.
import type { Table } from '../model/index.ts'
import { vectorPlaces } from '../formats/index.ts'
import { type ResultRow, resultRows } from './table.ts'

export interface ResultOp {
  readonly index: number
  readonly op: string
  readonly npu: string
  readonly truth: string
  /** Cosines by number of the tensor; NaN not compared. */
  readonly input: readonly number[]
  readonly output: readonly number[]
  /** An output at or below the threshold. */
  readonly wrong: boolean
  /** An input was so already: the error came in with it. */
  readonly carried: boolean
  /** Inputs that could not be compared: the error may have come in with one of them. */
  readonly unknown: readonly number[]
}

export interface FirstError {
  /** Ops with an output at or below the threshold, in the order of the graph. */
  readonly errors: readonly ResultOp[]
  /** The first of them that nothing was carried into. */
  readonly first: ResultOp | null
  /** What the first of them reads is not in the table: the error may have come in with it. */
  readonly inputsUnseen: boolean
  /** Ops that feed the net and differ before anything else does: what follows says little. */
  readonly differingInputs: readonly string[]
  /** Ops in all, and those of which an output was compared. */
  readonly ops: number
  readonly compared: number
}

export const defaultThreshold = 0.98

/** Ops that bring data into a net. */
const bringsData = new Set(['Data', 'AippData', 'RefData', 'GetNext'])
/** Ops that read nothing. */
const readsNothing = new Set([
  ...bringsData,
  'Constant',
  'Const',
  'Variable',
  'VariableV2',
  'Recv',
  'FileConstant',
])

/** `typeOf`: the type of the op of a row; '' where the table does not say. */
function firstError(
  rows: readonly ResultRow[],
  threshold: number,
  typeOf: (row: ResultRow) => string,
): FirstError {
  const ops = opsOf(rows, threshold)
  const errors = ops.filter(({ wrong }) => wrong)
  const types = new Map(rows.map(row => [row.op, typeOf(row)]))
  const isOf = (kinds: ReadonlySet<string>, { op }: ResultOp): boolean => kinds.has(types.get(op) ?? '')
  const first = errors.find(({ carried }) => !carried) ?? null
  // Behind the first error it is the argument of a sub-graph, which is handed what is wrong already.
  const made = errors.findIndex(error => !isOf(bringsData, error))
  return {
    errors,
    first,
    inputsUnseen: first !== null && first.input.length === 0 && !isOf(readsNothing, first),
    differingInputs: errors.slice(0, made < 0 ? undefined : made).map(({ op }) => op),
    ops: ops.length,
    compared: ops.filter(({ output }) => output.some(cosine => !Number.isNaN(cosine))).length,
  }
}

/** By index, then in the order of the table. */
function opsOf(rows: readonly ResultRow[], threshold: number): readonly ResultOp[] {
  const byOp = new Map<string, ResultRow[]>()
  for (const row of rows) {
    const key = `${row.index}\0${row.op}`
    const known = byOp.get(key)
    if (known) known.push(row)
    else byOp.set(key, [row])
  }
  return [...byOp.values()]
    .map((group): ResultOp => {
      const [{ index, op, npu, truth }] = group
      const [input, output] = [cosines(group, 'input'), cosines(group, 'output')]
      const low = (cosine: number): boolean => cosine <= threshold
      return {
        index,
        op,
        npu,
        truth,
        input,
        output,
        wrong: output.some(low),
        carried: input.some(low),
        unknown: input.flatMap((cosine, at) => (Number.isNaN(cosine) ? [at] : [])),
      }
    })
    .toSorted((a, b) => a.index - b.index)
}

/** By number of the tensor, whatever the order of the rows; the last of two that have the same. */
function cosines(rows: readonly ResultRow[], io: ResultRow['io']): readonly number[] {
  const of = new Map(rows.filter(row => row.io === io).map(row => [row.at, row.cosine]))
  return [...of].toSorted(([a], [b]) => a - b).map(([, cosine]) => cosine)
}

/** What a table says. Refuses one with other columns. */
export function summaryOf(table: Table, threshold: number, path = ''): FirstError {
  const rows = resultRows(table, path)
  const type = vectorPlaces(table)?.opType ?? -1
  return firstError(rows, threshold, ({ row }) => (type < 0 ? '' : table.text(row, type)))
}
