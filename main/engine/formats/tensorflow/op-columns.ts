// Fills a dump of ops with scopes, edges and tensors that lie in files of any kind.
import {
  type Controls,
  type Dump,
  type DumpHeader,
  type Edges,
  emptyDump,
  type ItemTable,
  Kind,
  type NameGrammar,
  type About,
  State,
  type TensorRef,
  type TensorStore,
  TextPool,
} from '../../model/index.ts'
import { geNames } from '../../names/index.ts'
import { DumpColumns, noneCell, type OneCell } from '../dump-columns.ts'
import { ConstructBuilder } from '../msprobe/construct.ts'
import { Problems } from '../msprobe/items.ts'

export interface OneTensor {
  readonly io: 'input' | 'output'
  readonly index: number | string
  /** Names of the types as files of arrays have them; '' unknown. */
  readonly dtype: string
  /** Null unknown. */
  readonly shape: readonly number[] | null
  readonly ref: TensorRef | null
  /** What tables call the values; '' where there are none. */
  readonly dataName: string
  /** Max, min, mean and norm as they were told; NaN where one was not. */
  readonly stats?: readonly [number, number, number, number]
}

export interface OneOp {
  readonly name: string
  /** Outermost first. */
  readonly scopes: readonly string[]
  /** Byte range in the file of the graph. */
  readonly from: number
  readonly to: number
}

/** Where the values of each item lie, as a list. */
class ListedTensors implements TensorStore {
  readonly place: string
  readonly #refs: readonly (TensorRef | null)[]

  constructor(place: string, refs: readonly (TensorRef | null)[]) {
    this.place = place
    this.#refs = refs
  }

  ref(item: number): TensorRef | null {
    return this.#refs[item] ?? null
  }
}

const unknown = [NaN, NaN, NaN, NaN] as const
const cellOf = (value: number): OneCell => (Number.isNaN(value) ? noneCell : { kind: Kind.float, value })

export const itemNameOf = (op: string, io: 'input' | 'output', index: number | string): string =>
  `${op}.${io}.${index}`

export class OpColumns {
  readonly texts = new TextPool()
  readonly #columns = new DumpColumns()
  readonly #construct: ConstructBuilder
  readonly #scopes = new Set<string>()
  readonly #refs: (TensorRef | null)[] = []
  readonly #rowOf = new Map<string, number>()
  readonly #producers: [reader: number, made: string][] = []
  readonly #passed: [output: number, input: string][] = []
  readonly #opOf = new Map<string, number>()
  readonly #waits: [from: string, to: string][] = []

  readonly #names: NameGrammar

  /** `file`: what tells the hierarchy. */
  constructor(file: string, names = geNames) {
    this.#names = names
    this.#construct = new ConstructBuilder(
      { add: text => this.texts.add(text), name: text => this.texts.add(text) },
      file,
      new Problems(),
    )
  }

  add({ name, scopes, from, to }: OneOp, tensors: readonly OneTensor[]): void {
    for (const tensor of tensors) this.#tensor(name, tensor)
    this.#opOf.set(name, this.#columns.ops)
    this.#columns.addOp(this.texts.add(name), from, to)
    this.#stand(name, scopes)
  }

  /** An input is an output that was added before. */
  link(input: string, output: string): void {
    const row = this.#rowOf.get(input)
    if (row !== undefined) this.#producers.push([row, output])
  }

  /** An output is its op's input, in another type or layout. */
  pass(output: string, input: string): void {
    const row = this.#rowOf.get(output)
    if (row !== undefined) this.#passed.push([row, input])
  }

  /** An op waits for another, which may be added later. */
  wait(from: string, to: string): void {
    this.#waits.push([from, to])
  }

  finish(
    header: DumpHeader,
    facts: Pick<Dump, 'dir' | 'file' | 'raw' | 'partial' | 'problems'> & {
      readonly about: About
      /** Who reads whom is known. */
      readonly hasEdges: boolean
    },
  ): Dump {
    const tables = this.#columns.tables()
    const { hasEdges, ...rest } = facts
    return {
      ...emptyDump({ header, names: this.#names }),
      ...rest,
      texts: this.texts,
      ...tables,
      construct: this.#construct.finish(),
      edges: hasEdges ? this.#edges(tables.items) : null,
      tensors: new ListedTensors(rest.dir, this.#refs),
    }
  }

  #edges(items: ItemTable): Edges {
    return {
      producer: this.#rows(this.#producers, items, (of, other) => other < of),
      handsOn: this.#rows(this.#passed, items, () => true),
      controls: this.#controls(),
    }
  }

  #controls(): Controls {
    const rows = this.#waits.map(([from, to]) => [this.#opOf.get(from) ?? -1, this.#opOf.get(to) ?? -1])
    const known = rows.filter(([from, to]) => from >= 0 && to >= 0 && from !== to)
    return { from: Int32Array.from(known, ([from]) => from), to: Int32Array.from(known, ([, to]) => to) }
  }

  #tensor(op: string, { io, index, dtype, shape, ref, dataName, stats = unknown }: OneTensor): void {
    const { texts } = this
    const name = itemNameOf(op, io, index)
    this.#rowOf.set(name, this.#refs.length)
    this.#refs.push(ref)
    this.#columns.addItem({
      name: texts.add(name),
      state: State[io],
      type: texts.add('Tensor'),
      dtype: dtype === '' ? -1 : texts.add(dtype),
      shape: shape ? texts.add(`[${shape.join(', ')}]`) : -1,
      stats: [cellOf(stats[0]), cellOf(stats[1]), cellOf(stats[2]), cellOf(stats[3])],
      md5: -1,
      dataName: dataName === '' ? -1 : texts.add(dataName),
      requiresGrad: 2,
      tensor: 1,
    })
  }

  #stand(name: string, scopes: readonly string[]): void {
    let above = -1
    for (const scope of scopes) {
      const code = this.texts.add(scope)
      if (!this.#scopes.has(scope)) this.#construct.put(code, above, -1)
      this.#scopes.add(scope)
      above = code
    }
    // A module with calls below it stands as their scope already.
    if (!this.#scopes.has(name)) this.#construct.put(this.texts.add(name), above, -1)
    this.#scopes.add(name)
  }

  #rows(
    pairs: readonly (readonly [number, string])[],
    items: ItemTable,
    fits: (row: number, other: number) => boolean,
  ): Int32Array {
    const column = new Int32Array(items.length).fill(-1)
    for (const [row, name] of pairs) {
      const other = this.#rowOf.get(name)
      if (other !== undefined && fits(row, other)) column[row] = other
    }
    return column
  }
}
