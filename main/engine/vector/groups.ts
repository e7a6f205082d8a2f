// Which ops of a GE graph stand for the same ops of the script: the groups that the compiler fused or split, and their
// order, which is the `Index` of the result.
import { type GeModel, type OnDevice, unsliced } from '../formats/index.ts'

/** One row of `GeOps`. */
export type OpRow = number

/** What an output of an op is on the other side. */
export interface Origin {
  /** Op of the script; '' where it is none. */
  readonly name: string
  /** Output of that op. */
  readonly index: number
  /** Layout there, '' not said. */
  readonly format: string
  readonly shape: readonly number[]
}

export type Relation = 'one' | 'many' | 'l1'

export interface Group {
  /** Number of the group: the order in which groups first appear. */
  readonly index: number
  readonly ops: readonly OpRow[]
  readonly relation: Relation
}

/** Ops that only hand on what they get, in another type or layout: what they stand for is what went in. */
const handsOn = new Set(['Cast', 'TransData'])

const quantName = /_quant_layer|\/AscendQuant|\/AscendWeightQuant|\.quant|\.weight_quant/
const dequantName = /_dequant_layer|_anti_quant_layer|\/AscendDequant|\/AntiQuant|\.dequant|\.anti_quant/
const dequantEnd = /(?:_dequant_layer|AscendDequant|_dequant)$/

/** A graph as the full-net compare asks it. */
export class FusedOps {
  readonly groups: readonly Group[]
  readonly #graph: GeModel
  readonly #byName = new Map<string, OpRow>()
  readonly #alone = new Set<OpRow>()
  readonly #quantized: ReadonlySet<OpRow>
  #made: ReadonlyMap<string, readonly [OpRow, number]> | null = null

  /** `of`: rows of graphs that count; all that no later file replaces by default. */
  constructor(graph: GeModel, of: readonly number[] = currentGraphs(graph)) {
    this.#graph = graph
    const rows = of.flatMap(g => range(graph.graphs.firstOp[g], graph.graphs.firstOp[g + 1]))
    const byKey = new Map<string, OpRow[]>()
    for (const op of rows) {
      const name = this.name(op)
      if (!this.#byName.has(name)) this.#byName.set(name, op)
      const key = this.#keyOf(op)
      const group = byKey.get(key)
      if (!group) byKey.set(key, [op])
      else if (!group.some(other => this.name(other) === name)) group.push(op)
    }
    this.groups = [...byKey.values()].map((ops, index) => ({ index, ops, relation: this.#relationOf(ops) }))
    for (const { ops } of this.groups) if (ops.length === 1) this.#alone.add(ops[0])
    this.#quantized = this.#betweenQuants(rows)
  }

  /** Slices of an op are one. */
  name(op: OpRow): string {
    return unsliced(this.#text(this.#graph.ops.name[op]))
  }
  type(op: OpRow): string {
    return this.#text(this.#graph.ops.type[op])
  }
  find(name: string): OpRow | undefined {
    return this.#byName.get(name)
  }

  /** Names of the ops of the script; `['']` for an op that the compiler put in. */
  originals(op: OpRow): readonly string[] {
    const { ops, originals } = this.#graph
    if (ops.inserted[op] === 1) return ['']
    const names = range(ops.firstOriginal[op], ops.firstOriginal[op + 1]).map(at => this.#text(originals[at]))
    return names.length > 0 ? names : [this.name(op)]
  }

  /** Inside of a group of several, standing for nothing itself. */
  isInner(op: OpRow): boolean {
    return this.#graph.ops.multiOp[op] === 1 && this.#outputs(op).every(desc => this.#sourceOf(desc) === '')
  }

  /** Between a quantization and the way back: nothing there compares with the script. */
  isQuantized(op: OpRow): boolean {
    return this.#quantized.has(op)
  }

  /** Which sides of an op can be compared: what was quantized only on one of them. */
  sides(op: OpRow): readonly ('input' | 'output')[] {
    const type = this.type(op)
    const sides: ('input' | 'output')[] = []
    if (type !== 'AscendDequant' && !dequantEnd.test(this.name(op))) sides.push('input')
    if (type !== 'AscendQuant') sides.push('output')
    return sides
  }

  /**
   * The op of the graph, and its output, that an input or output of an op shows; a text says why there is
   * none.
   */
  shows(op: OpRow, io: 'input' | 'output', index: number): readonly [op: OpRow, output: number] | string {
    let at: readonly [OpRow, number] | string = io === 'input' ? this.#before(op, index) : [op, index]
    // A loop of such ops would never end.
    for (let steps = 0; typeof at !== 'string' && handsOn.has(this.type(at[0])); steps++) {
      if (steps > this.#graph.ops.length) return `The inputs of ${this.name(op)} go round in a circle.`
      at = this.#before(at[0], at[1])
    }
    return at
  }

  /** What an output of an op is on the other side; an output that the op does not describe is its first one. */
  origin(op: OpRow, output: number): Origin | null {
    const outputs = this.#outputs(op)
    const { descs } = this.#graph
    const place = output < outputs.length ? output : 0
    const desc: number | undefined = outputs[place]
    const name = (desc === undefined ? '' : this.#sourceOf(desc)) || this.#nameWithout(op)
    if (name === '') return null
    if (desc === undefined) return { name, index: output, format: '', shape: [] }
    return {
      name,
      index: descs.sourceIndex[desc] < 0 ? place : descs.sourceIndex[desc],
      format: this.#text(descs.sourceFormat[desc]) || this.#text(descs.originFormat[desc]),
      shape: shapeOf(this.#text(descs.originShape[desc])),
    }
  }

  /** How the device has a tensor of an op; null where the graph does not describe it. */
  onDevice(op: OpRow, io: 'input' | 'output', index: number): OnDevice | null {
    const { ops, descs } = this.#graph
    const rows = io === 'output' ? this.#outputs(op) : range(ops.firstDesc[op], ops.firstOutput[op])
    const desc: number | undefined = rows[index]
    if (desc === undefined) return null
    return {
      format: this.#text(descs.format[desc]),
      shape: shapeOf(this.#text(descs.shape[desc])),
      originShape: shapeOf(this.#text(descs.originShape[desc])),
    }
  }

  /** The op, and its output, that stand for an output of the script. */
  madeOf({ name, index }: Pick<Origin, 'name' | 'index'>): readonly [op: OpRow, output: number] | null {
    this.#made ??= this.#outputsByOrigin()
    return this.#made.get(`${name}:${index}`) ?? null
  }

  /** Names of the ops that were made of an op of the script. */
  standingFor(original: string): readonly string[] {
    return this.groups
      .flatMap(({ ops }) => ops)
      .filter(op => this.originals(op).includes(original))
      .map(op => this.name(op))
  }

  /** Of several that show one output the last: what came before was only handed on. */
  #outputsByOrigin(): ReadonlyMap<string, readonly [OpRow, number]> {
    const made = new Map<string, readonly [OpRow, number]>()
    for (const op of this.groups.flatMap(({ ops }) => ops))
      for (const output of this.#outputs(op).keys()) {
        const origin = this.origin(op, output)
        if (origin) made.set(`${origin.name}:${origin.index}`, [op, output])
      }
    return made
  }

  /** Of an output that names none: the op itself where the graph says nothing, or its only original. */
  #nameWithout(op: OpRow): string {
    const [first, ...more] = this.originals(op)
    const { ops } = this.#graph
    const silent = ops.inserted[op] === 0 && ops.firstOriginal[op] === ops.firstOriginal[op + 1]
    if (silent) return this.name(op)
    return more.length === 0 && this.#alone.has(op) && ops.l1Fusion[op] < 0 ? first : ''
  }

  /** The producer of an input: those that are not connected, and control edges, do not count. */
  #before(op: OpRow, index: number): readonly [OpRow, number] | string {
    const { ops, inputs } = this.#graph
    const edges = range(ops.firstInput[op], ops.firstInput[op + 1]).filter(edge => inputs.index[edge] >= 0)
    if (index >= edges.length)
      return `${this.name(op)} has ${edges.length} inputs in the graph: there is no input ${index}.`
    const edge = edges[index]
    const known = inputs.producerOp[edge]
    const name = unsliced(this.#text(inputs.producer[edge]))
    const producer = known >= 0 ? known : this.#byName.get(name)
    return producer === undefined ? `The graph has no operator ${name}.` : [producer, inputs.index[edge]]
  }

  #keyOf(op: OpRow): string {
    const l1 = this.#text(this.#graph.ops.l1Fusion[op])
    if (l1 !== '') return l1
    const originals = this.originals(op)
    if (originals.length > 1) return `\0${originals.join('')}`
    return originals[0] || this.name(op)
  }

  #relationOf(ops: readonly OpRow[]): Relation {
    if (ops.length === 1) return 'one'
    return this.#graph.ops.l1Fusion[ops[0]] >= 0 ? 'l1' : 'many'
  }

  /** Ops in the order of their ids that something quantized goes into, up to the way back. */
  #betweenQuants(rows: readonly OpRow[]): ReadonlySet<OpRow> {
    const { ops, inputs } = this.#graph
    const kinds = new Map<string, readonly OutputKind[]>()
    const found = new Set<OpRow>()
    for (const op of rows.toSorted((a, b) => ops.id[a] - ops.id[b])) {
      const inside = range(ops.firstInput[op], ops.firstInput[op + 1]).some(edge => {
        const kind = kinds.get(this.#text(inputs.producer[edge]))?.[inputs.index[edge]]
        return kind === 'quant' || kind === 'inside'
      })
      const outputs = this.#outputs(op).map(desc => this.#outputKind(op, desc, inside))
      kinds.set(this.name(op), outputs)
      if (inside && !outputs.every(kind => kind === 'dequant')) found.add(op)
    }
    return found
  }

  #outputKind(op: OpRow, desc: number, inside: boolean): OutputKind {
    const names = [this.name(op), this.originals(op).join('')]
    const dtype = this.#text(this.#graph.descs.dtype[desc])
    if (dtype === 'DT_INT8' && names.some(name => quantName.test(name))) return 'quant'
    if (dtype === 'DT_FLOAT16' && names.some(name => dequantName.test(name))) return 'dequant'
    return inside ? 'inside' : 'plain'
  }

  #outputs(op: OpRow): readonly number[] {
    const { ops } = this.#graph
    return range(ops.firstOutput[op], ops.firstDesc[op + 1])
  }

  #sourceOf(desc: number): string {
    return this.#text(this.#graph.descs.source[desc])
  }

  #text(code: number): string {
    return code < 0 ? '' : this.#graph.texts.get(code)
  }
}

type OutputKind = 'plain' | 'quant' | 'inside' | 'dequant'

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)

const shapeOf = (text: string): readonly number[] =>
  text === '' ? [] : (text.match(/-?\d+/g) ?? []).map(Number)

const currentGraphs = ({ graphs }: GeModel): readonly number[] =>
  range(0, graphs.length).filter(g => graphs.superseded[g] === 0)
