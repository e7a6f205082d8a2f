// The ops of one graph of a run in the order in which they run, with those of the sub-graphs that it calls: their
// names and scopes, who reads whom, and which tensors of the script they stand for.
import { bodyMark } from '../../names/index.ts'
import { type Described, type GeLookup, isControl, type SourceOf } from '../ge/index.ts'
import { formatName } from '../npu/index.ts'
import { fileNameOf } from './names.ts'
import type { Dumped, RawFile } from './raw-files.ts'

export interface NetInput extends Described {
  /** Op among `Net.ops` that made it, through calls of sub-graphs; -1 nobody. */
  readonly producer: number
  /** Which of its outputs. */
  readonly output: number
}

export interface NetOutput extends Described {
  /** As the graph says it. */
  readonly source: SourceOf | null
}

export interface NetOp {
  /** Row of the model; -1 without one. */
  readonly row: number
  /** Told from its namesakes in other graphs. */
  readonly name: string
  readonly type: string
  /** Scopes around it, outermost first, each with its ending `/`. */
  readonly scopes: readonly string[]
  /** In the order of their descriptions, which is that of the dumped file. */
  readonly inputs: readonly NetInput[]
  readonly outputs: readonly NetOutput[]
  /** Ops among `Net.ops` that it waits for without reading anything of theirs. */
  readonly waitsFor: readonly number[]
  readonly inserted: boolean
  readonly originals: readonly string[]
  /** Its output is its input in another type or layout. */
  readonly handsOn: boolean
}

export interface Net {
  /** Null where there is no graph, only dumps. */
  readonly lookup: GeLookup | null
  /** Name of the graph, which is that of its folder of dumps. */
  readonly graph: string
  readonly file: string
  readonly ops: readonly NetOp[]
}

/** What compilers put between ops so that types and layouts fit. */
const passing = /^(?:Cast|TransData\w*|Identity|Reformat|ReFormat|MemcpyAsync|MemcpyAddrAsync|Memcpy)$/

/** The graph that dumps of this name belong to; the only one, or the first that nothing calls, where none is called so. */
export function netOf(lookup: GeLookup, name: string): Net {
  const graph = graphOf(lookup, name)
  const { model } = lookup
  const builder = new NetBuilder(lookup)
  builder.graph(graph, [])
  return {
    lookup,
    graph: lookup.text(model.graphs.name[graph]),
    file: model.files[model.graphs.file[graph]] ?? '',
    ops: builder.finish(),
  }
}

function graphOf(lookup: GeLookup, name: string): number {
  const { graphs } = lookup.model
  const all = lookup.graphs()
  const nameOf = (graph: number): string => lookup.text(graphs.name[graph])
  // Some dumps add a number to the name.
  const wanted = [name, name.replace(/_\d+$/, '')]
  for (const one of wanted) {
    const found = all.find(graph => nameOf(graph) === one)
    if (one !== '' && found !== undefined) return found
  }
  return all.find(graph => lookup.callers(nameOf(graph)).length === 0) ?? all[0] ?? 0
}

/** What dumps alone say: ops in the order of their times, and nobody knows who reads whom. */
export const netOfFiles = (files: readonly RawFile[]): Net => ({
  lookup: null,
  graph: '',
  file: '',
  ops: files.map(({ op, said, outputs }) => ({
    row: -1,
    name: op,
    type: said.type,
    scopes: scopesOfName(op),
    inputs: [],
    outputs: Array.from(outputs, output => ({ ...undescribed, source: sourceOf(output) })),
    waitsFor: [],
    inserted: false,
    originals: [],
    handsOn: false,
  })),
})

function sourceOf(output: Dumped | undefined): SourceOf | null {
  const origin = output?.raw?.origin
  return origin?.name
    ? { op: origin.name, output: origin.outputIndex, format: formatName(origin.format), dtype: '' }
    : null
}

const undescribed: Described = {
  dtype: '',
  format: '',
  shape: [],
  originFormat: '',
  originShape: [],
  valueRange: '',
  shapeRange: '',
}

class NetBuilder {
  readonly #lookup: GeLookup
  readonly #ops: NetOp[] = []
  readonly #rows = new Map<number, number>()
  readonly #names = new Set<string>()
  readonly #entered = new Set<string>()

  constructor(lookup: GeLookup) {
    this.#lookup = lookup
  }

  /** `within`: the scopes that it lies in, of which the last begins the names of its own. */
  graph(graph: number, within: readonly string[]): void {
    const { graphs } = this.#lookup.model
    this.#entered.add(this.#lookup.text(graphs.name[graph]))
    for (let row = graphs.firstOp[graph]; row < graphs.firstOp[graph + 1]; row++) this.#op(row, within)
  }

  /** Who made an input is known when all ops are. */
  finish(): readonly NetOp[] {
    return withReaders(
      this.#ops.map(op => ({ ...op, inputs: this.#inputs(op.row), waitsFor: this.#waitsFor(op.row) })),
    )
  }

  /** What an op calls stands before it: readers of its results come later. */
  #op(row: number, within: readonly string[]): void {
    const name = this.#ownName(row)
    for (const called of this.#lookup.subgraphs(row)) {
      const graph = this.#graphNamed(called)
      if (graph >= 0 && !this.#entered.has(called))
        this.graph(graph, [...this.#scopes(row, within), name + bodyMark])
    }
    this.#rows.set(row, this.#ops.length)
    this.#ops.push(this.#made(row, name, within))
  }

  #ownName(row: number): string {
    const plain = this.#lookup.name(row)
    let name = this.#names.has(plain) ? `${plain}@${this.#lookup.graph(row)}` : plain
    for (let more = 1; this.#names.has(name); more++) name = `${plain}@${more}`
    this.#names.add(name)
    return name
  }

  #made(row: number, name: string, within: readonly string[]): NetOp {
    const lookup = this.#lookup
    const { ops } = lookup.model
    const type = lookup.type(row)
    const inserted = ops.inserted[row] === 1
    const [from, to] = [ops.firstOutput[row], ops.firstDesc[row + 1]]
    const outputs = Array.from({ length: to - from }, (_, i) => ({
      ...lookup.described(from + i),
      source: lookup.source(from + i, i),
    }))
    const isArgument = type === 'Data' && ops.parentIndex[row] >= 0
    return {
      row,
      name,
      type,
      scopes: this.#scopes(row, within),
      inputs: [],
      outputs,
      waitsFor: [],
      inserted,
      originals: this.#originals(row),
      handsOn: outputs.length === 1 && (isArgument || (inserted && passing.test(type))),
    }
  }

  #originals(row: number): readonly string[] {
    return this.#lookup.originals(row).filter(original => original !== '')
  }

  #scopes(row: number, within: readonly string[]): readonly string[] {
    return scopesOf(scopeOf(this.#lookup.name(row), this.#originals(row)), within)
  }

  #inputs(row: number): readonly NetInput[] {
    const at = this.#rows.get(row) ?? -1
    return this.#lookup
      .inputs(row)
      .filter(edge => !isControl(edge))
      .map(edge => {
        const [made, output] = this.#maker(edge.producerOp, edge.index)
        // A loop closes behind the op that reads: what it read first came from nowhere.
        const producer = made < at ? made : -1
        return { ...edge, producer, output }
      })
  }

  #waitsFor(row: number): readonly number[] {
    const first = this.#lookup
      .inputs(row)
      .filter(isControl)
      .map(({ producerOp }) => this.#rows.get(producerOp) ?? -1)
    return [...new Set(first)].filter(op => op >= 0 && op !== this.#rows.get(row))
  }

  /** What a call hands out was made by what its sub-graph ends with. */
  #maker(row: number, output: number): readonly [op: number, output: number] {
    let [at, index] = [row, output]
    for (let steps = 0; at >= 0 && steps < 64; steps++) {
      const [called, more] = this.#lookup.subgraphs(at)
      if (called === undefined || more !== undefined) break
      const edge = this.#end(called, index)
      if (!edge) break
      ;[at, index] = [edge.producerOp, edge.index]
    }
    return [this.#rows.get(at) ?? -1, index]
  }

  #end(graph: string, position: number) {
    const { model } = this.#lookup
    const at = this.#graphNamed(graph)
    if (at < 0) return null
    for (let row = model.graphs.firstOp[at + 1] - 1; row >= model.graphs.firstOp[at]; row--)
      if (this.#lookup.type(row) === 'NetOutput')
        return this.#lookup.edges(row).find(edge => edge.position === position) ?? null
    return null
  }

  #graphNamed(name: string): number {
    const { graphs } = this.#lookup.model
    return this.#lookup.graphs().find(graph => this.#lookup.text(graphs.name[graph]) === name) ?? -1
  }
}

/** What the compiler put in has no scope in its name: it stands with the first that reads it. */
function withReaders(ops: readonly NetOp[]): readonly NetOp[] {
  const scopes = ops.map(op => op.scopes)
  for (let at = ops.length - 1; at >= 0; at--) {
    for (const { producer } of ops[at].inputs) {
      const made = ops[producer]
      // Readers come last first, so that the first one has the last word.
      if (made?.inserted && made.scopes.length === 0 && scopes[at].length > 0) scopes[producer] = scopes[at]
    }
  }
  return ops.map((op, at) => ({ ...op, scopes: scopes[at] }))
}

/** The scope that a name says; of fused ops, whose names are those of several, that of the first. */
function scopeOf(name: string, [first]: readonly string[]): string {
  const said = first !== undefined && name.startsWith(first) ? first : name
  return said.slice(0, said.lastIndexOf('/') + 1)
}

/** Outermost first. */
export const scopesOfName = (name: string): readonly string[] => scopesOf(scopeOf(name, []), [])

function scopesOf(scope: string, within: readonly string[]): readonly string[] {
  const scopes = [...within]
  for (let at = scope.indexOf('/'); at >= 0; at = scope.indexOf('/', at + 1))
    if (at > 0) scopes.push((within.at(-1) ?? '') + scope.slice(0, at + 1))
  return scopes
}

// ---------------------------------------- what ops stand for

/** A tensor of the script. */
export interface Origin {
  readonly op: string
  readonly output: number
}

/** As the script writes it. */
export const originKey = ({ op, output }: Origin): string => `${op}:${output}`

/** The tensor of the script that an output is; null where it is none, or one that only the compiler knows. */
export function originOf(net: Pick<Net, 'ops'>, op: number, output: number): Origin | null {
  let [at, index] = [op, output]
  for (let steps = 0; at >= 0 && steps < 1000; steps++) {
    const { name, outputs, inputs, inserted, handsOn, originals } = net.ops[at]
    const told = outputs[index]?.source
    if (told) return { op: told.op, output: told.output }
    if (!handsOn) return inserted || originals.length > 1 ? null : { op: originals[0] ?? name, output: index }
    const [input] = inputs
    if (!input) return null
    ;[at, index] = [input.producer, input.output]
  }
  return null
}

/** The op of the script that each op stands for, '' for none; ops that say it come before those that are called so. */
export function counterparts(net: Pick<Net, 'ops'>): readonly string[] {
  const taken = new Set<string>()
  const names = net.ops.map(() => '')
  const take = (op: number, name: string | undefined): void => {
    if (names[op] !== '' || !name || taken.has(name)) return
    taken.add(name)
    names[op] = name
  }
  net.ops.forEach(({ outputs }, op) => take(op, outputs.find(({ source }) => source)?.source?.op))
  net.ops.forEach(({ inserted, handsOn, originals, name }, op) => {
    if (!inserted && !handsOn) take(op, originals.at(-1) ?? name)
  })
  return names
}

/** What ops of other graphs of the run are called as files: tensors of theirs are nothing that is missing here. */
export function namesElsewhere({ lookup, ops }: Net): ReadonlySet<string> {
  const names = new Set<string>()
  if (!lookup) return names
  const mine = new Set(ops.map(({ row }) => row))
  const { descs, ops: all } = lookup.model
  for (const row of lookup.ops()) {
    if (mine.has(row)) continue
    names.add(fileNameOf(lookup.name(row)))
    for (const original of lookup.originals(row)) names.add(fileNameOf(original))
    for (let desc = all.firstOutput[row]; desc < all.firstDesc[row + 1]; desc++)
      names.add(fileNameOf(lookup.text(descs.source[desc])))
  }
  return names
}
