// The questions of `ls`, `ni` and `ac` to a GE model: types and lists of ops, cards, casts, ops at loose ends.
import { type Described, type GeLookup, type InputOf, isControl, type OutputOf } from './lookup.ts'

/** Every text must be contained; an empty one asks nothing. */
export interface OpFilter {
  readonly type: string
  readonly name: string
  readonly pass: string
  readonly kernel: string
}

/** How many ops there are of each type, by name of the type. */
export function typesIn(lookup: GeLookup): Map<string, number> {
  const counts = new Map<string, number>()
  for (const op of lookup.ops()) counts.set(lookup.type(op), (counts.get(lookup.type(op)) ?? 0) + 1)
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export function opsLike(lookup: GeLookup, { type, name, pass, kernel }: OpFilter): number[] {
  const { ops } = lookup.model
  return [...lookup.ops()].filter(
    op =>
      lookup.type(op).includes(type) &&
      lookup.name(op).includes(name) &&
      lookup.text(ops.pass[op]).includes(pass) &&
      lookup.text(ops.kernel[op]).includes(kernel),
  )
}

/** One op of one graph, with all that is said of it. */
export interface OpCard {
  readonly op: number
  readonly graph: string
  readonly name: string
  readonly type: string
  readonly id: number
  readonly stream: number
  readonly passName: string
  readonly kernelName: string
  readonly kernelLib: string
  readonly originalOps: readonly string[]
  /** The compiler put it in: it stands for nothing of the script. */
  readonly inserted: boolean
  readonly inputs: readonly InputOf[]
  readonly outputs: readonly OutputOf[]
  readonly subGraphs: readonly string[]
}

export function cardOf(lookup: GeLookup, op: number): OpCard {
  const { ops } = lookup.model
  return {
    op,
    graph: lookup.graph(op),
    name: lookup.name(op),
    type: lookup.type(op),
    id: ops.id[op],
    stream: ops.stream[op],
    passName: lookup.text(ops.pass[op]),
    kernelName: lookup.text(ops.kernel[op]),
    kernelLib: lookup.text(ops.kernelLib[op]),
    originalOps: lookup.originals(op),
    inserted: ops.inserted[op] === 1,
    inputs: lookup.inputs(op),
    outputs: lookup.outputs(op),
    subGraphs: lookup.subgraphs(op),
  }
}

/** Casts that lose what comes after the point. */
const dangerous = new Set(['DT_FLOAT -> DT_INT32'])

/** Names of the casts from one type to another, by `DT_… -> DT_…`. */
export function castsIn(lookup: GeLookup, which: 'all' | 'dangerous'): Map<string, string[]> {
  const casts = new Map<string, string[]>()
  for (const op of lookup.ops()) {
    if (lookup.type(op) !== 'Cast') continue
    const key = `${lastType(lookup.inputs(op))} -> ${lastType(lookup.outputs(op))}`
    if (which === 'dangerous' && !dangerous.has(key)) continue
    casts.set(key, [...(casts.get(key) ?? []), lookup.name(op)])
  }
  return casts
}

const lastType = (rows: readonly Described[]): string =>
  rows.findLast(({ dtype }) => dtype !== '')?.dtype ?? ''

/** Types that read nothing, and types that hand on nothing. */
const sources = new Set(['Data', 'AtomicAddrClean', 'Recv', 'Constant'])
const sinks = new Set(['Send', 'Recv', 'NetOutput', 'PartitionedCall'])

/** Ops without inputs or outputs that should have some: the graph may be cut, or of another version. */
export function looseOps(lookup: GeLookup): { readonly op: number; readonly lacks: 'inputs' | 'outputs' }[] {
  return [...lookup.ops()].flatMap(op => {
    const type = lookup.type(op)
    const noInputs = !sources.has(type) && lookup.edges(op).length === 0
    const noOutputs = !sinks.has(type) && lookup.outputs(op).length === 0
    return [
      ...(noInputs ? [{ op, lacks: 'inputs' as const }] : []),
      ...(noOutputs ? [{ op, lacks: 'outputs' as const }] : []),
    ]
  })
}

// ---------------------------------------- what lies around an op

/** From an output of one op to an input of another; -1 on both sides of an edge that carries no tensor. */
export interface Edge {
  readonly from: number
  readonly output: number
  readonly to: number
  readonly position: number
}

export interface Neighbourhood {
  readonly centre: number
  readonly ops: readonly number[]
  readonly edges: readonly Edge[]
}

/** Ops that hang together with half the graph are shown, but not gone through. */
const ends = new Set(['AtomicAddrClean', 'NetOutput'])

/** Ops within so many edges of one, against and along the flow. */
export function neighbourhood(lookup: GeLookup, centre: number, depth: number): Neighbourhood {
  const found = new Set([centre])
  let border = [centre]
  for (let step = 0; step < depth && border.length > 0; step++) {
    const next: number[] = []
    for (const op of border) {
      if (op !== centre && ends.has(lookup.type(op))) continue
      for (const other of beside(lookup, op)) {
        if (found.has(other)) continue
        found.add(other)
        next.push(other)
      }
    }
    border = next
  }
  const ops = [...found].sort((a, b) => a - b)
  const edges = ops.flatMap(op =>
    lookup
      .edges(op)
      .filter(({ producerOp }) => found.has(producerOp))
      .map(edge => ({
        from: edge.producerOp,
        output: edge.index,
        to: op,
        position: isControl(edge) ? -1 : edge.position,
      })),
  )
  return { centre, ops, edges }
}

function beside(lookup: GeLookup, op: number): number[] {
  const above = lookup.edges(op).flatMap(({ producerOp }) => (producerOp < 0 ? [] : [producerOp]))
  return [...above, ...lookup.readers(op)]
}

/** The same in the language of Graphviz. */
export function dotOf(lookup: GeLookup, { centre, ops, edges }: Neighbourhood): string {
  const nodes = ops.map(op => {
    const ports = (io: 'i' | 'o', rows: readonly (readonly [number, Described])[]): string =>
      rows
        .map(([index, of]) => `<${io}${index}> ${record(`[${index}] [${of.dtype}] [${of.shape.join(',')}]`)}`)
        .join('|')
    const inputs = lookup
      .edges(op)
      .filter(edge => !isControl(edge))
      .map(edge => [edge.position, edge] as const)
    const outputs = lookup.outputs(op).map(output => [output.index, output] as const)
    const title = record(`[${lookup.type(op)}] ${lookup.name(op)}`)
    const label = [ports('i', inputs), title, ports('o', outputs)].map((part, at) =>
      at === 1 ? part : `{${part}}`,
    )
    return `  op${op} [label="{${label.filter(part => part !== '{}').join('|')}}"${op === centre ? ', color=red' : ''}]`
  })
  const lines = edges.map(({ from, output, to, position }) =>
    position < 0 ? `  op${from} -> op${to} [style=dashed]` : `  op${from}:o${output} -> op${to}:i${position}`,
  )
  return ['digraph {', '  node [shape=record]', ...nodes, ...lines, '}', ''].join('\n')
}

/** A text in a label of records, where braces and bars have a meaning. */
const record = (text: string): string => text.replace(/[\\"{}|<>]/g, '\\$&')
