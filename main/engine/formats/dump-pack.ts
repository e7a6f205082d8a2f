// A dump as named columns and a few plain facts: what is stored in the cache, or sent to another thread.
import { TextPool } from '../columns.ts'
import type { ConstructTable, Dump, DumpFiles, DumpHeader, ItemTable } from '../dump.ts'
import type { Problem } from '../problem.ts'
import { constructTable } from './construct.ts'
import { CodeMap } from './dump-columns.ts'
import { Stacks } from './stack.ts'

export type PackedColumn = Uint8Array | Int32Array | Uint32Array | Float64Array

export interface PackedDump {
  readonly facts: {
    readonly files: DumpFiles
    readonly header: DumpHeader
    readonly partial: boolean
    readonly problems: readonly Problem[]
    readonly newLayout: boolean
    readonly microSteps: number
  }
  /** By `table.column`. They are the dump's own memory: not to be changed. */
  readonly columns: Readonly<Record<string, PackedColumn>>
}

const cells = ['max', 'min', 'mean', 'norm'] as const
const itemColumns = ['op', 'name', 'state', 'type', 'dtype', 'shape', 'md5', 'dataName', 'requiresGrad', 'tensor'] as const
const constructColumns = ['child', 'parent', 'micro'] as const

/** Null for a dump whose stacks are not columns (made of something else than stack.json). */
export function packDump(dump: Dump): PackedDump | null {
  const { items, ops, stacks, construct } = dump
  if (!(stacks instanceof Stacks)) return null
  const columns: Record<string, PackedColumn> = {
    'ops.name': ops.name, 'ops.from': ops.from, 'ops.to': ops.to, 'ops.first': ops.first,
    'stacks.frames': stacks.columns.frames, 'stacks.ends': stacks.columns.ends, 'stacks.ofName': stacks.columns.ofName,
  }
  for (const name of itemColumns) columns[`items.${name}`] = items[name]
  for (const name of cells) {
    columns[`items.${name}.kind`] = items[name].kind
    columns[`items.${name}.value`] = items[name].value
  }
  for (const name of constructColumns) columns[`construct.${name}`] = construct[name]
  for (const [name, column] of Object.entries(dump.texts.pack())) columns[`texts.${name}`] = column as PackedColumn
  const { files, header, partial, problems } = dump
  return { facts: { files, header, partial, problems, newLayout: stacks.newLayout, microSteps: construct.microSteps }, columns }
}

/** Takes the columns over. Throws when one is missing or of another kind: then it was packed by another version. */
export function unpackDump({ facts, columns }: PackedDump): Dump {
  const as = <T extends PackedColumn>(Type: abstract new (...args: never[]) => T, name: string): T => {
    const column = columns[name]
    if (!(column instanceof Type)) throw new TypeError(`no column ${name} of ${Type.name}`)
    return column
  }
  const bytes = (name: string): Uint8Array => as(Uint8Array, name)
  const ints = (name: string): Int32Array => as(Int32Array, name)
  const codes = (name: string): Uint32Array => as(Uint32Array, name)
  const numbers = (name: string): Float64Array => as(Float64Array, name)
  const stat = (name: string) => ({ kind: bytes(`items.${name}.kind`), value: numbers(`items.${name}.value`) })

  const texts = TextPool.of({ heap: bytes('texts.heap'), offsets: numbers('texts.offsets'), flags: bytes('texts.flags') })
  const items: ItemTable = {
    length: codes('items.op').length, op: codes('items.op'), name: codes('items.name'), state: bytes('items.state'), type: ints('items.type'), dtype: ints('items.dtype'), shape: ints('items.shape'),
    max: stat('max'), min: stat('min'), mean: stat('mean'), norm: stat('norm'), md5: ints('items.md5'), dataName: ints('items.dataName'), requiresGrad: bytes('items.requiresGrad'), tensor: bytes('items.tensor'),
  }
  return {
    files: facts.files, header: facts.header, texts, items, partial: facts.partial, problems: facts.problems,
    ops: { length: codes('ops.name').length, name: codes('ops.name'), from: numbers('ops.from'), to: numbers('ops.to'), first: codes('ops.first') },
    stacks: new Stacks(texts, { frames: codes('stacks.frames'), ends: codes('stacks.ends'), ofName: ints('stacks.ofName') }, facts.newLayout),
    construct: construct(codes('construct.child'), ints('construct.parent'), ints('construct.micro'), facts.microSteps),
  }
}

function construct(child: Uint32Array, parent: Int32Array, micro: Int32Array, microSteps: number): ConstructTable {
  const rowOf = new CodeMap()
  for (let row = 0; row < child.length; row++) rowOf.set(child[row], row)
  return constructTable({ child, parent, micro }, microSteps, rowOf)
}
