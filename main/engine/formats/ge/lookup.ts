// What is asked of a GE model: ops by name, who reads an output, what an op reads and makes, whom it stands for.
import { controlEdge, type GeModel } from './model.ts'

/** What goes into an op or comes out. Lists are empty where nothing is said. */
export interface Described {
  readonly dtype: string
  readonly format: string
  readonly shape: readonly number[]
  readonly originFormat: string
  readonly originShape: readonly number[]
  readonly valueRange: string
  readonly shapeRange: string
}

export interface InputOf extends Described {
  readonly position: number
  readonly producer: string
  /** Row of the producer; -1 unknown. */
  readonly producerOp: number
  /** Output of the producer; -1 a control edge, which has no description. */
  readonly index: number
}

export interface OutputOf extends Described {
  readonly index: number
  readonly consumers: readonly number[]
  readonly source: SourceOf | null
}

/** The tensor of the script that an output is. */
export interface SourceOf {
  readonly op: string
  readonly output: number
  readonly format: string
  readonly dtype: string
}

const nothing: Described = {
  dtype: '',
  format: '',
  shape: [],
  originFormat: '',
  originShape: [],
  valueRange: '',
  shapeRange: '',
}

export class GeLookup {
  readonly model: GeModel
  #byName: ReadonlyMap<number, readonly number[]> | null = null
  #readers: { readonly first: Uint32Array; readonly rows: Uint32Array } | null = null
  #opOfInput: Int32Array | null = null
  #callers: ReadonlyMap<string, readonly number[]> | null = null

  constructor(model: GeModel) {
    this.model = model
  }

  text(code: number): string {
    return code < 0 ? '' : this.model.texts.get(code)
  }
  name(op: number): string {
    return this.text(this.model.ops.name[op])
  }
  type(op: number): string {
    return this.text(this.model.ops.type[op])
  }
  graph(op: number): string {
    return this.text(this.model.graphs.name[this.model.ops.graph[op]])
  }

  /** Graphs that count, in order. */
  graphs(): number[] {
    const { graphs } = this.model
    return Array.from({ length: graphs.length }, (_, graph) => graph).filter(
      graph => !graphs.superseded[graph],
    )
  }

  /** Ops of the graphs that count, in order. */
  *ops(): Generator<number, void, void> {
    const { firstOp } = this.model.graphs
    for (const graph of this.graphs()) for (let op = firstOp[graph]; op < firstOp[graph + 1]; op++) yield op
  }

  /** Ops of exactly this name; of one graph, where one of that name is there. */
  named(name: string, graph = ''): readonly number[] {
    const found = this.#named().get(this.model.texts.find(name)) ?? []
    const inGraph = found.filter(op => this.graph(op) === graph)
    return inGraph.length > 0 ? inGraph : found
  }

  /** Ops that may be meant: their names contain the text, or become it as names of files. */
  like(text: string): number[] {
    return [...this.ops()].filter(op => {
      const name = this.name(op)
      return name.includes(text) || name.replaceAll('/', '_') === text
    })
  }

  /** Names of the ops that an op stands for. */
  originals(op: number): string[] {
    const { ops, originals } = this.model
    return [...originals.subarray(ops.firstOriginal[op], ops.firstOriginal[op + 1])].map(code =>
      this.text(code),
    )
  }
  subgraphs(op: number): string[] {
    const { ops, subgraphs } = this.model
    return [...subgraphs.subarray(ops.firstSubgraph[op], ops.firstSubgraph[op + 1])].map(code =>
      this.text(code),
    )
  }

  /** Ops that call a graph as their sub-graph. */
  callers(graph: string): readonly number[] {
    if (!this.#callers) {
      const callers = new Map<string, number[]>()
      for (const op of this.ops())
        for (const name of this.subgraphs(op)) callers.set(name, [...(callers.get(name) ?? []), op])
      this.#callers = callers
    }
    return this.#callers.get(graph) ?? []
  }

  /** Edges into an op as they stand in its graph. */
  edges(op: number): InputOf[] {
    const { ops, inputs } = this.model
    const rows: InputOf[] = []
    for (let row = ops.firstInput[op]; row < ops.firstInput[op + 1]; row++)
      rows.push({
        ...this.described(inputs.desc[row]),
        position: inputs.position[row],
        producer: this.text(inputs.producer[row]),
        producerOp: inputs.producerOp[row],
        index: inputs.index[row],
      })
    return rows
  }

  /** What an op reads. A Data op of a sub-graph reads what the op that calls it reads there. */
  inputs(op: number): InputOf[] {
    const own = this.edges(op)
    const at = this.model.ops.parentIndex[op]
    if (own.length > 0 || at < 0 || this.type(op) !== 'Data') return own
    return this.callers(this.graph(op)).flatMap(caller =>
      this.edges(caller).filter(({ position }) => position === at),
    )
  }

  /** What an op makes. A call without outputs of its own makes what its sub-graph ends with. */
  outputs(op: number): OutputOf[] {
    const { ops } = this.model
    const [from, to] = [ops.firstOutput[op], ops.firstDesc[op + 1]]
    if (from === to && this.type(op) === 'PartitionedCall')
      return this.subgraphs(op).flatMap(graph =>
        this.edges(this.#endOf(graph)).map(({ position, ...edge }) => ({
          ...edge,
          index: position,
          consumers: this.consumers(op, position),
          source: null,
        })),
      )
    return Array.from({ length: to - from }, (_, index) => ({
      ...this.described(from + index),
      index,
      consumers: this.consumers(op, index),
      source: this.source(from + index, index),
    }))
  }

  /** Ops of its graph that read an output, each once; those that only wait for it read output -1. */
  consumers(op: number, output: number): number[] {
    return this.#reading(op, output)
  }

  /** Ops of its graph that read any output or wait for it, each once. */
  readers(op: number): number[] {
    return this.#reading(op, null)
  }

  #reading(op: number, output: number | null): number[] {
    const { first, rows } = (this.#readers ??= readersOf(this.model))
    const opOf = (this.#opOfInput ??= opsOfInputs(this.model))
    const found = new Set<number>()
    for (let at = first[op]; at < first[op + 1]; at++)
      if (output === null || this.model.inputs.index[rows[at]] === output) found.add(opOf[rows[at]])
    return [...found]
  }

  described(desc: number): Described {
    if (desc < 0) return nothing
    const { descs } = this.model
    return {
      dtype: this.text(descs.dtype[desc]),
      format: this.text(descs.format[desc]),
      shape: this.#list(descs.shape[desc]),
      originFormat: this.text(descs.originFormat[desc]),
      originShape: this.#list(descs.originShape[desc]),
      valueRange: this.text(descs.valueRange[desc]),
      shapeRange: this.text(descs.shapeRange[desc]),
    }
  }

  /** Null where an output stands for no tensor of the script. `output`: which of its op's it is. */
  source(desc: number, output: number): SourceOf | null {
    const { descs } = this.model
    const op = this.text(descs.source[desc])
    if (op === '') return null
    const given = descs.sourceIndex[desc]
    return {
      op,
      output: given < 0 ? output : given,
      format: this.text(descs.sourceFormat[desc]),
      dtype: this.text(descs.sourceType[desc]),
    }
  }

  #list(code: number): readonly number[] {
    return code < 0 ? [] : (JSON.parse(this.text(code)) as number[])
  }

  #named(): ReadonlyMap<number, readonly number[]> {
    if (this.#byName) return this.#byName
    const byName = new Map<number, number[]>()
    for (const op of this.ops()) {
      const code = this.model.ops.name[op]
      const known = byName.get(code)
      if (known) known.push(op)
      else byName.set(code, [op])
    }
    return (this.#byName = byName)
  }

  /** The op that a graph ends with; -1 none. */
  #endOf(graph: string): number {
    const own = this.named(`${graph}_Node_Output`).find(op => this.graph(op) === graph)
    if (own !== undefined) return own
    for (const op of this.ops()) if (this.graph(op) === graph && this.type(op) === 'NetOutput') return op
    return -1
  }
}

/** Rows of the inputs that read each op, by op. */
function readersOf({ ops, inputs }: GeModel): { readonly first: Uint32Array; readonly rows: Uint32Array } {
  const first = new Uint32Array(ops.length + 2)
  for (let row = 0; row < inputs.length; row++)
    if (inputs.producerOp[row] >= 0) first[inputs.producerOp[row] + 2]++
  for (let op = 2; op < first.length; op++) first[op] += first[op - 1]
  const rows = new Uint32Array(first[ops.length + 1])
  for (let row = 0; row < inputs.length; row++) {
    const producer = inputs.producerOp[row]
    if (producer >= 0) rows[first[producer + 1]++] = row
  }
  return { first, rows }
}

function opsOfInputs({ ops, inputs }: GeModel): Int32Array {
  const opOf = new Int32Array(inputs.length)
  for (let op = 0; op < ops.length; op++) opOf.fill(op, ops.firstInput[op], ops.firstInput[op + 1])
  return opOf
}

/** Whether an edge carries no tensor. */
export const isControl = ({ index }: Pick<InputOf, 'index'>): boolean => index === controlEdge
