// A dump as named columns and a few plain facts: what is stored in the cache, or sent to another thread.
import {
  type Cells,
  type ConstructTable,
  type Dump,
  type DumpHeader,
  type ItemTable,
  type NameGrammar,
  noTensors,
  type Problem,
  type RawOps,
  TextPool,
} from '../model/index.ts'
import { constructTable } from './msprobe/construct.ts'
import { nameGrammars } from '../names/index.ts'
import { FolderTensors, folderTensors } from './tensors/folder.ts'
import { CodeMap } from './dump-columns.ts'
import { Stacks } from './msprobe/stack.ts'

export type PackedColumn = Uint8Array | Int32Array | Uint32Array | Float64Array

export interface PackedDump {
  readonly facts: {
    readonly dir: string
    readonly file: string
    readonly raw: RawOps | null
    readonly stackFile: string
    readonly constructFile: string
    readonly tensors: string
    readonly names: NameGrammar['id']
    readonly header: DumpHeader
    readonly partial: boolean
    readonly provisionalFrom: number | undefined
    readonly problems: readonly Problem[]
    readonly newLayout: boolean
    readonly microSteps: number
  }
  /** By `table.column`. They are the dump's own memory: not to be changed. */
  readonly columns: Readonly<Record<string, PackedColumn>>
}

const cells = ['max', 'min', 'mean', 'norm'] as const
const itemColumns = [
  'op',
  'name',
  'state',
  'type',
  'dtype',
  'shape',
  'md5',
  'dataName',
  'requiresGrad',
  'tensor',
] as const
const constructColumns = ['child', 'parent', 'micro'] as const

/** Null for a dump whose stacks or tensors are not columns, which those of msprobe's dumps are. */
export function packDump(dump: Dump): PackedDump | null {
  const { items, ops, stacks, construct, tensors } = dump
  if (!(stacks instanceof Stacks)) return null
  if (!(tensors instanceof FolderTensors) && tensors !== noTensors) return null
  const columns: Record<string, PackedColumn> = {
    'ops.name': ops.name,
    'ops.from': ops.from,
    'ops.to': ops.to,
    'ops.first': ops.first,
    'stacks.frames': stacks.columns.frames,
    'stacks.ends': stacks.columns.ends,
    'stacks.ofName': stacks.columns.ofName,
  }
  for (const name of itemColumns) columns[`items.${name}`] = items[name]
  for (const name of cells) {
    columns[`items.${name}.kind`] = items[name].kind
    columns[`items.${name}.value`] = items[name].value
  }
  for (const name of constructColumns) columns[`construct.${name}`] = construct[name]
  if (dump.edges) columns['edges.producer'] = dump.edges.producer
  for (const [name, column] of Object.entries(dump.texts.pack()))
    columns[`texts.${name}`] = column as PackedColumn
  const { dir, file, raw, header, partial, provisionalFrom, problems } = dump
  return {
    facts: {
      dir,
      file,
      raw,
      stackFile: stacks.file,
      constructFile: construct.file,
      tensors: tensors.place,
      names: dump.names.id,
      header,
      partial,
      provisionalFrom,
      problems,
      newLayout: stacks.newLayout,
      microSteps: construct.microSteps,
    },
    columns,
  }
}

/** Columns by name; throws where one is missing or of another kind: then another version packed them. */
class Unpacking {
  readonly #columns: PackedDump['columns']

  constructor(columns: PackedDump['columns']) {
    this.#columns = columns
  }

  bytes(name: string): Uint8Array {
    return this.#as(Uint8Array, name)
  }
  ints(name: string): Int32Array {
    return this.#as(Int32Array, name)
  }
  codes(name: string): Uint32Array {
    return this.#as(Uint32Array, name)
  }
  numbers(name: string): Float64Array {
    return this.#as(Float64Array, name)
  }
  cells(name: string): Cells {
    return { kind: this.bytes(`${name}.kind`), value: this.numbers(`${name}.value`) }
  }

  #as<T extends PackedColumn>(Type: abstract new (...args: never[]) => T, name: string): T {
    const column = this.#columns[name]
    if (!(column instanceof Type)) throw new TypeError(`no column ${name} of ${Type.name}`)
    return column
  }
}

/** Takes the columns over. */
export function unpackDump({ facts, columns }: PackedDump): Dump {
  const of = new Unpacking(columns)
  const texts = TextPool.of({
    heap: of.bytes('texts.heap'),
    offsets: of.numbers('texts.offsets'),
    flags: of.bytes('texts.flags'),
  })
  const items = itemsIn(of)
  const { dir, file, raw, header, partial, provisionalFrom, problems } = facts
  return {
    dir,
    file,
    raw,
    header,
    texts,
    names: nameGrammars[facts.names],
    items,
    partial,
    ...(provisionalFrom === undefined ? {} : { provisionalFrom }),
    problems,
    ops: {
      length: of.codes('ops.name').length,
      name: of.codes('ops.name'),
      from: of.numbers('ops.from'),
      to: of.numbers('ops.to'),
      first: of.codes('ops.first'),
    },
    edges: 'edges.producer' in columns ? { producer: of.ints('edges.producer') } : null,
    tensors: folderTensors(facts.tensors, items, texts),
    stacks: new Stacks(
      facts.stackFile,
      texts,
      { frames: of.codes('stacks.frames'), ends: of.codes('stacks.ends'), ofName: of.ints('stacks.ofName') },
      facts.newLayout,
    ),
    construct: construct(
      facts.constructFile,
      of.codes('construct.child'),
      of.ints('construct.parent'),
      of.ints('construct.micro'),
      facts.microSteps,
    ),
  }
}

function itemsIn(of: Unpacking): ItemTable {
  return {
    length: of.codes('items.op').length,
    op: of.codes('items.op'),
    name: of.codes('items.name'),
    state: of.bytes('items.state'),
    type: of.ints('items.type'),
    dtype: of.ints('items.dtype'),
    shape: of.ints('items.shape'),
    max: of.cells('items.max'),
    min: of.cells('items.min'),
    mean: of.cells('items.mean'),
    norm: of.cells('items.norm'),
    md5: of.ints('items.md5'),
    dataName: of.ints('items.dataName'),
    requiresGrad: of.bytes('items.requiresGrad'),
    tensor: of.bytes('items.tensor'),
  }
}

function construct(
  file: string,
  child: Uint32Array,
  parent: Int32Array,
  micro: Int32Array,
  microSteps: number,
): ConstructTable {
  const rowOf = new CodeMap()
  for (let row = 0; row < child.length; row++) rowOf.set(child[row], row)
  return constructTable(file, { child, parent, micro }, microSteps, rowOf)
}
