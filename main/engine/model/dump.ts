// What one opened dump (one step, one rank, one side) is, as columns. Filled by formats, read by everything
// after it.
import type { Cells, TextPool } from './columns.ts'
import type { NameGrammar } from './name-grammar.ts'
import type { Column, Ids, ItemRow, OpRow, TextCode } from './ids.ts'
import type { Framework, Level } from './names.ts'
import type { OpFact } from './node.ts'
import type { Overflowed } from './op-debug.ts'
import type { ShardsOf } from './parallel.ts'
import type { Problem } from './problem.ts'
import type { TensorStore } from './tensor-store.ts'

export interface DumpHeader {
  readonly task: string
  readonly level: Level | ''
  readonly framework: Framework | ''
  /** Some tensor carries an md5 where msprobe looks for it (dump-formats.md section 8). */
  readonly hasMd5: boolean
  /** Ranks of its step, itself among them; absent where its folder does not tell. */
  readonly ranks?: number
  /** Tensors as files hold them, above all weights: none was computed from another. */
  readonly stored?: boolean
}

/** One row per entry of `data`, in order of appearance. */
export interface OpTable {
  readonly length: number
  /** Code of the op's key. */
  readonly name: Column<Uint32Array, OpRow, TextCode>
  /** Byte range of the op as it was written, in the file of `Dump.raw`; empty where there is none. */
  readonly from: Column<Float64Array, OpRow>
  readonly to: Column<Float64Array, OpRow>
  /** Items of op i are rows first[i] … first[i+1]-1; length + 1 entries. */
  readonly first: Column<Uint32Array, OpRow, ItemRow>
}

/**
 * One row per item (dump-formats.md section 3), op after op, in msprobe's order of the dump (not yet
 * re-ordered by state).
 */
export interface ItemTable {
  readonly length: number
  readonly op: Column<Uint32Array, ItemRow, OpRow>
  /** Code of the full item name. */
  readonly name: Column<Uint32Array, ItemRow, TextCode>
  readonly state: Column<Uint8Array, ItemRow>
  /** Code of the leaf's `type` as written (`torch.Tensor`, `int` …); -1 for null. */
  readonly type: Ids<ItemRow, TextCode>
  /** Code of what the Dtype cell shows; -1 is none. */
  readonly dtype: Ids<ItemRow, TextCode>
  /** Code of what the Shape cell shows (`[2, 3]`, `(3,)`); -1 is none. */
  readonly shape: Ids<ItemRow, TextCode>
  readonly max: Cells<ItemRow>
  readonly min: Cells<ItemRow>
  readonly mean: Cells<ItemRow>
  readonly norm: Cells<ItemRow>
  /** Code of the md5 text (CRC-32 of str(value) where a leaf carries none); -1 is none. */
  readonly md5: Ids<ItemRow, TextCode>
  /** Code of the name that tables show for the item's values; -1 when it has none. See `Dump.tensors`. */
  readonly dataName: Ids<ItemRow, TextCode>
  /** 0 false, 1 true, 2 not given. */
  readonly requiresGrad: Column<Uint8Array, ItemRow>
  /** 1 when the item is a tensor (a leaf with a dtype), 0 for scalars, None, slices … */
  readonly tensor: Column<Uint8Array, ItemRow>
}

/** The frames of ops, equal stacks stored once. */
export interface StackTable {
  /** The file that tells them; '' where there is none. */
  readonly file: string
  /** The file lists ops per stack, the layout that msprobe 1.2.2 cannot read. */
  readonly newLayout?: boolean
  /** Row of the stack of an op key's text code, or -1. Keys that dump.json lacks are kept too. */
  of(nameCode: TextCode): number
  /** Frames of a stack, innermost first, as written. */
  frames(stack: number): readonly string[]
  readonly length: number
}

/** The hierarchy: parents by text code, in the file's order. */
export interface ConstructTable {
  /** The file that tells them; '' where there is none. */
  readonly file: string
  readonly length: number
  readonly child: Column<Uint32Array, number, TextCode>
  /** Code of the parent's key, -1 for null or ''. */
  readonly parent: Ids<number, TextCode>
  /** Micro step written beside the parent (`[parent, step]`), -1 for plain values. */
  readonly micro: Int32Array
  /**
   * Number of micro steps that the file announces (`megatron_micro_step_number` + 1), 0 when it announces
   * none.
   */
  readonly microSteps: number
  /** Entry of a child's text code, or -1. */
  find(nameCode: TextCode): number
}

/** What a text of a column means to each item, found out once per text: a dump has few shapes and dtypes. */
export function byText(
  texts: Pick<TextPool, 'get'>,
  codes: Ids<ItemRow, TextCode>,
  meaning: (text: string) => number,
): (item: ItemRow) => number {
  const known = new Map<TextCode, number>()
  return item => {
    const code = codes[item]
    let found = known.get(code)
    if (found === undefined) known.set(code, (found = meaning(code < 0 ? '' : texts.get(code))))
    return found
  }
}

/** Elements of each item by its shape; 1 for scalars, -1 for what has no shape. */
export function elementsIn({ items, texts }: Pick<Dump, 'items' | 'texts'>): (item: ItemRow) => number {
  const elements = byText(texts, items.shape, shape =>
    (shape.match(/\d+/g) ?? []).reduce((count, dim) => count * Number(dim), 1),
  )
  return item => (items.shape[item] < 0 ? -1 : elements(item))
}

/** Dataflow that a format tells itself; where it tells none, it is inferred from equal values. */
export interface Edges {
  /** Per item: the output that this input is, -1 for none. Writers stand before readers among the ops. */
  readonly producer: Ids<ItemRow, ItemRow>
  /** Per output: the input that it only is in another layout or type, of ops that a compiler put in; -1 for none. */
  readonly handsOn?: Ids<ItemRow, ItemRow>
  readonly controls?: Controls
}

/** Ops that wait for others without reading anything of theirs: no tensor goes along. One entry per such edge. */
export interface Controls {
  readonly from: Ids<number, OpRow>
  readonly to: Ids<number, OpRow>
}

/** What ops were made of, to be read again for what the columns do not keep. */
export interface RawOps {
  readonly file: string
  /** `json`: entries of a dump.json. */
  readonly form: 'json' | 'text'
}

/** What a format knows of ops and items that has no column. */
export interface About {
  op(op: OpRow): readonly OpFact[]
  /** How the values lie on the device; '' where that is how they are shown. */
  layout(item: ItemRow): string
  /** What a value was put together of; absent where each is of one rank. */
  shards?(item: ItemRow): ShardsOf
  /** Mean and norm are made of those of pieces: right but for rounding. */
  rounded?(item: ItemRow): boolean
  /** Records of the device about operations that overflowed, in their order. */
  readonly overflows?: readonly Overflowed[]
}

/** Nothing beside what the columns say. */
export const quietAbout: About = { op: () => [], layout: () => '' }

export interface Dump {
  /** The folder of the dump, or the file that it is the only dump of. */
  readonly dir: string
  /** The file that sentences name; '' where there is none. */
  readonly file: string
  readonly raw: RawOps | null
  readonly header: DumpHeader
  readonly texts: TextPool
  readonly names: NameGrammar
  readonly ops: OpTable
  readonly items: ItemTable
  /** Absent file: length 0. */
  readonly stacks: StackTable
  readonly construct: ConstructTable
  readonly edges: Edges | null
  readonly tensors: TensorStore
  readonly about?: About
  /** True when the file ended early (cut or still being written). */
  readonly partial: boolean
  /** Ops from here on are told of by their tensor files alone; absent where there are none. */
  readonly provisionalFrom?: number
  readonly problems: readonly Problem[]
}

export const opName = (dump: Dump, op: OpRow): string => dump.texts.get(dump.ops.name[op])
export const itemName = (dump: Dump, item: ItemRow): string => dump.texts.get(dump.items.name[item])
/** '' where the dump holds no shape. */
export const itemShape = ({ items, texts }: Pick<Dump, 'items' | 'texts'>, item: ItemRow): string =>
  items.shape[item] < 0 ? '' : texts.get(items.shape[item])
