// What one opened dump (one step, one rank, one side) is, as columns. Filled by formats, read by everything after it.
import type { Cells, TextPool } from './columns.ts'
import type { Framework, ItemRow, Level, OpRow, State } from './model.ts'
import type { Problem } from './problem.ts'

/** Where a dump lies. Paths are absolute; '' where the file does not exist. */
export interface DumpFiles {
  readonly dir: string
  readonly dump: string
  readonly stack: string
  readonly construct: string
  readonly tensors: string
}

export interface DumpHeader {
  readonly task: string
  readonly level: Level | ''
  readonly framework: Framework | ''
  /** Some tensor carries an md5 where msprobe looks for it (dump-formats.md section 8). */
  readonly hasMd5: boolean
}

/** One row per entry of `data`, in order of appearance. */
export interface OpTable {
  readonly length: number
  /** Code of the op's key. */
  readonly name: Uint32Array
  /** Byte range of the entry's value in dump.json, to parse it again for the inspector. */
  readonly from: Float64Array
  readonly to: Float64Array
  /** Items of op i are rows first[i] … first[i+1]-1; length + 1 entries. */
  readonly first: Uint32Array
}

/** One row per item (dump-formats.md section 3), op after op, in msprobe's order of the dump (not yet re-ordered by state). */
export interface ItemTable {
  readonly length: number
  readonly op: Uint32Array
  /** Code of the full item name. */
  readonly name: Uint32Array
  readonly state: Uint8Array
  /** Code of the leaf's `type` as written (`torch.Tensor`, `int` …); -1 for null. */
  readonly type: Int32Array
  /** Code of what the Dtype cell shows; -1 is none. */
  readonly dtype: Int32Array
  /** Code of what the Shape cell shows (`[2, 3]`, `(3,)`); -1 is none. */
  readonly shape: Int32Array
  readonly max: Cells
  readonly min: Cells
  readonly mean: Cells
  readonly norm: Cells
  /** Code of the md5 text (CRC-32 of str(value) where a leaf carries none); -1 is none. */
  readonly md5: Int32Array
  /** Code of `data_name`; -1 when the leaf has none. */
  readonly dataName: Int32Array
  /** 0 false, 1 true, 2 not given. */
  readonly requiresGrad: Uint8Array
  /** 1 when the item is a tensor (a leaf with a dtype), 0 for scalars, None, slices … */
  readonly tensor: Uint8Array
}

/** stack.json: the frames of ops, equal stacks stored once. */
export interface StackTable {
  /** The file lists ops per stack, the layout that msprobe 1.2.2 cannot read. */
  readonly newLayout?: boolean
  /** Row of the stack of an op key's text code, or -1. Keys that dump.json lacks are kept too. */
  of(nameCode: number): number
  /** Frames of a stack, innermost first, as written. */
  frames(stack: number): readonly string[]
  readonly length: number
}

/** construct.json: parents by text code, in the file's order. */
export interface ConstructTable {
  readonly length: number
  readonly child: Uint32Array
  /** Code of the parent's key, -1 for null or ''. */
  readonly parent: Int32Array
  /** Micro step written beside the parent (`[parent, step]`), -1 for plain values. */
  readonly micro: Int32Array
  /** Number of micro steps that the file announces (`megatron_micro_step_number` + 1), 0 when it announces none. */
  readonly microSteps: number
  /** Entry of a child's text code, or -1. */
  find(nameCode: number): number
}

export interface Dump {
  readonly files: DumpFiles
  readonly header: DumpHeader
  readonly texts: TextPool
  readonly ops: OpTable
  readonly items: ItemTable
  /** Absent file: length 0. */
  readonly stacks: StackTable
  readonly construct: ConstructTable
  /** True when the file ended early (cut or still being written). */
  readonly partial: boolean
  readonly problems: readonly Problem[]
}

export const opName = (dump: Dump, op: OpRow | number): string => dump.texts.get(dump.ops.name[op])
export const itemName = (dump: Dump, item: ItemRow | number): string => dump.texts.get(dump.items.name[item])
export const itemState = (dump: Dump, item: number): State => dump.items.state[item] as State

/** Path of the file that holds an item's values, '' when there is none. */
export function tensorFileOf(dump: Dump, item: number): string {
  const code = dump.items.dataName[item]
  const name = code < 0 ? '' : dump.texts.get(code)
  return name === '' || dump.files.tensors === '' || /[\\/\0]/.test(name) || name === '..' ? '' : `${dump.files.tensors}/${name}`
}
