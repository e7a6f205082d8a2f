// The side of the script: TensorFlow's tensors at the ops that the graph's ops stand for, and those that no op of the
// graph stands for.
import { type Dump, type OpFact, type Problem, type TensorRef } from '../../model/index.ts'
import { baseOf } from '../../io/index.ts'
import { fileNameOf } from './names.ts'
import {
  counterparts,
  namesElsewhere,
  type Net,
  type NetOp,
  type Origin,
  originKey,
  originOf,
  scopesOfName,
} from './net.ts'
import { holdersOf, originalOf, readAs, typeOf } from './npu-dump.ts'
import { itemNameOf, OpColumns, type OneTensor } from './op-columns.ts'
import type { References, ReferenceTensor } from './reference.ts'

export interface ReferenceSources {
  readonly net: Net
  readonly references: References
  readonly dir: string
  readonly problems: readonly Problem[]
}

export const referenceDump = (sources: ReferenceSources): Dump => new ReferenceBuilder(sources).run()

class ReferenceBuilder {
  readonly #from: ReferenceSources
  readonly #columns: OpColumns
  readonly #partners: readonly string[]
  readonly #known: ReadonlySet<string>
  readonly #holders: ReadonlyMap<string, string>
  /** What tensors that nobody stands for are called: files do not say it. */
  readonly #names: ReadonlyMap<string, string>
  /** Tensors without an op of the graph, by the op of the script. */
  readonly #rest = new Map<string, ReferenceTensor[]>()
  readonly #facts: (readonly OpFact[])[] = []

  constructor(from: ReferenceSources) {
    const { net } = from
    this.#from = from
    this.#columns = new OpColumns(from.dir)
    this.#partners = counterparts(net)
    this.#known = new Set(this.#partners)
    this.#holders = holdersOf(net, this.#partners)
    this.#names = new Map(
      net.ops.flatMap(({ originals }) => originals.map(name => [fileNameOf(name), name] as const)),
    )
  }

  run(): Dump {
    const { net, references, dir, problems } = this.#from
    this.#findRest()
    net.ops.forEach((op, at) => {
      // Ops that were fused into one come before it, in their order.
      for (const original of op.originals) if (!this.#known.has(original)) this.#alone(original)
      if (this.#partners[at] !== '') this.#op(op, at)
    })
    for (const name of this.#rest.keys()) this.#alone(name)
    const facts = this.#facts
    return this.#columns.finish(
      { task: 'tensor', level: '', framework: 'tensorflow', hasMd5: false },
      {
        dir,
        file: dir,
        raw: null,
        partial: false,
        problems: [...problems, ...references.problems],
        about: { op: row => facts[row], layout: () => '' },
        hasEdges: net.lookup !== null,
      },
    )
  }

  #findRest(): void {
    const claimed = new Set<ReferenceTensor>()
    for (const key of this.#holders.keys()) {
      const tensor = this.#find(originOfKey(key))
      if (tensor) claimed.add(tensor)
    }
    const elsewhere = namesElsewhere(this.#from.net)
    for (const tensor of this.#from.references.all()) {
      if (claimed.has(tensor) || elsewhere.has(fileNameOf(tensor.op))) continue
      const name = this.#names.get(fileNameOf(tensor.op)) ?? tensor.op
      const known = this.#rest.get(name)
      if (known) known.push(tensor)
      else this.#rest.set(name, [tensor])
    }
  }

  #op({ inputs, outputs, waitsFor }: NetOp, at: number): void {
    const { net } = this.#from
    const name = this.#partners[at]
    const origins = [
      ...inputs.map(({ producer, output }) => originOf(net, producer, output)),
      ...outputs.map((_, k) => originOf(net, at, k)),
    ]
    const tensors = [...inputs, ...outputs].map((described, i) => {
      const io = i < inputs.length ? ('input' as const) : ('output' as const)
      const index = i < inputs.length ? i : i - inputs.length
      const found = origins[i] && this.#find(origins[i])
      if (found) return tensorOf(io, index, found)
      const known = i < inputs.length ? readAs(net, inputs[i]) : described
      return { io, index, dtype: typeOf(known), shape: originalOf(known), ref: null, dataName: '' }
    })
    // Outputs that the compiler has left out.
    const more = (this.#rest.get(name) ?? []).filter(({ output }) => output >= outputs.length)
    this.#rest.delete(name)
    this.#add(name, [...tensors, ...inOrder(more)])
    inputs.forEach((_, k) => {
      const origin = origins[k]
      const made = origin && this.#holders.get(originKey(origin))
      if (made) this.#columns.link(itemNameOf(name, 'input', k), made)
    })
    for (const from of waitsFor) this.#columns.wait(this.#partners[from], name)
  }

  /** Outputs that no op of the graph stands for. */
  #alone(name: string): void {
    const tensors = this.#rest.get(name)
    if (!tensors) return
    this.#rest.delete(name)
    this.#add(name, inOrder(tensors))
  }

  #add(name: string, tensors: readonly OneTensor[]): void {
    this.#columns.add({ name, scopes: scopesOfName(name), from: 0, to: 0 }, tensors)
    const file = tensors.find(({ ref, io }) => ref && io === 'output')?.ref?.file
    this.#facts.push(file === undefined ? [] : [{ key: 'dumpFile', text: baseOf(file) }])
  }

  #find({ op, output }: Origin): ReferenceTensor | null {
    return this.#from.references.find(op, output)
  }
}

const inOrder = (tensors: readonly ReferenceTensor[]): readonly OneTensor[] =>
  tensors.toSorted((a, b) => a.output - b.output).map(one => tensorOf('output', one.output, one))

function tensorOf(io: OneTensor['io'], index: number, { path, dtype, shape }: ReferenceTensor): OneTensor {
  const ref: TensorRef = { file: path, dtype }
  return { io, index, dtype, shape, ref, dataName: baseOf(path) }
}

function originOfKey(key: string): Origin {
  const at = key.lastIndexOf(':')
  return { op: key.slice(0, at), output: Number(key.slice(at + 1)) }
}
