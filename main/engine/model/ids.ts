// Ids: rows, nodes, units and codes are numbers, and different types to the compiler. One kind of id is refused
// where another belongs; a plain number (a loop over a column) may become any of them, so they cost nothing.

declare const kind: unique symbol
declare const side: unique symbol
declare const index: unique symbol
declare const strict: unique symbol
type Id<Name extends string> = number & { readonly [kind]?: Name }
type Strict<Name extends string> = number & { readonly [strict]: Name }

export type SessionId = Strict<'session'>
export type ViewId = Strict<'view'>
/** Place of a unit among those of its study. */
export type UnitIndex = Id<'unit'>
/** Row in the op table of one dump. */
export type OpRow = Id<'op'>
/** Row in the item table of one dump: one tensor or scalar of one op. */
export type ItemRow = Id<'item'>
/** Row of a comparison, in its own order. */
export type PairRow = Id<'pair'>
/** Place in the order in which a view shows the rows of a table. */
export type ViewRow = Id<'shown'>
/** Entry of a pair of tensors among what is measured. */
export type MeasuredRow = Id<'measured'>
/** Place on the line of time that both sides share. */
export type TimeStep = Id<'time'>
/** Node of one graph. */
export type NodeRow = Id<'node'>
/** Code of a text in the pool of its dump or graph. */
export type TextCode = Id<'text'>
/** Code of a name among those that both sides share. */
export type NameCode = Id<'name'>
/** Number of a text among those of several pools. */
export type TextId = Id<'text of pools'>

/** An id of one side: what is known to be of the bench side is refused where debug belongs. */
export type OnDebug<Of extends number> = Of & { readonly [side]?: 'debug' }
export type OnBench<Of extends number> = Of & { readonly [side]?: 'bench' }
export type DebugOp = OnDebug<OpRow>
export type BenchOp = OnBench<OpRow>
export type DebugItem = OnDebug<ItemRow>
export type BenchItem = OnBench<ItemRow>
export type DebugNode = OnDebug<NodeRow>
export type BenchNode = OnBench<NodeRow>

type Numbers = Int32Array | Uint32Array | Uint16Array | Int8Array | Uint8Array | Float64Array

/** A typed array of which the compiler knows what it is indexed by and what it holds. */
export type Column<In extends Numbers, By extends number, Of extends number = number> = Omit<
  In,
  number | typeof Symbol.iterator
> & { [at in By]: Of } & { [Symbol.iterator](): ArrayIterator<Of>; readonly [index]?: By }

/** A column of ids, -1 where there is none. */
export type Ids<By extends number, Of extends number> = Column<Int32Array, By, Of>
