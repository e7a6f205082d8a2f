// The side that ran on the NPU: ops of the graph with their raw tensors, in the shapes of the script.
import { type Dump, type Overflowed, problem, type Problem, type TensorRef } from '../../model/index.ts'
import type { Described } from '../ge/index.ts'
import { arrayAsRaw, formatName, npuType, rawReading } from '../npu/index.ts'
import { factsOf } from './facts.ts'
import { remember, type Told } from './meeting.ts'
import {
  counterparts,
  type Net,
  netOfFiles,
  type NetInput,
  type NetOp,
  type Origin,
  originKey,
  originOf,
} from './net.ts'
import { itemNameOf, OpColumns, type OneTensor } from './op-columns.ts'
import type { Dumped, RawFile, RawFiles } from './raw-files.ts'
import type { References } from './reference.ts'
import type { Overflows } from './overflow.ts'
import { isReshaped, sameShape, turnedLayout } from './shapes.ts'

export interface NpuSources {
  readonly net: Net
  readonly raw: RawFiles
  /** Null where nothing is compared with the script. */
  readonly references: References | null
  /** Folder of the dumps, or that of the graph. */
  readonly dir: string
  readonly overflows: Overflows
  readonly problems: readonly Problem[]
}

export const npuDump = (sources: NpuSources): Dump => new NpuBuilder(sources).run()

type Io = OneTensor['io']

class NpuBuilder {
  readonly #from: NpuSources
  readonly #columns: OpColumns
  readonly #partners: readonly string[]
  /** Item of the reference that holds each tensor of the script. */
  readonly #holders: ReadonlyMap<string, string>
  readonly #used = new Set<RawFile>()
  readonly #told: Told[] = []
  readonly #layouts: string[] = []
  readonly #opOf: { readonly op: NetOp; readonly file: RawFile | null }[] = []
  readonly #problems: Problem[] = []

  constructor(from: NpuSources) {
    this.#from = from
    this.#columns = new OpColumns(from.net.file || from.dir)
    this.#partners = counterparts(from.net)
    this.#holders = holdersOf(from.net, this.#partners)
  }

  run(): Dump {
    const { net, raw, dir, problems, overflows } = this.#from
    net.ops.forEach((op, at) => this.#op(op, at))
    const strangers = raw.all.filter(file => !this.#used.has(file))
    const known = raw.all.length - strangers.length
    // A graph of another run knows some names by chance, such as those of the data that goes in.
    const foreign = net.lookup !== null && known * 2 < raw.all.length
    // What the graph does not know is shown all the same.
    const rest = netOfFiles(strangers)
    rest.ops.forEach((op, at) => this.#stranger(op, strangers[at]))
    const [layouts, opOf] = [this.#layouts, this.#opOf]
    const recorded = byOp(overflows.all)
    const found = this.#columns.finish(
      { task: 'tensor', level: '', framework: 'cann', hasMd5: false },
      {
        dir,
        file: net.file || dir,
        raw: net.file === '' ? null : { file: net.file, form: 'text' },
        partial: false,
        problems: [
          ...(foreign && known === 0
            ? [problem('tf-graph-foreign', net.file, { dump: dir, count: strangers.length }, 'warning')]
            : []),
          ...(foreign && known > 0
            ? [problem('vc-foreign', dir, { count: raw.all.length, known }, 'warning')]
            : []),
          ...problems,
          ...raw.problems,
          ...overflows.problems,
          ...eachOnce(this.#problems, dir),
        ],
        about: {
          op: row => factsOf(net, opOf[row].op, opOf[row].file, recorded.get(opOf[row].op.name) ?? []),
          layout: item => layouts[item] ?? '',
          overflows: overflows.all,
        },
        hasEdges: net.lookup !== null,
      },
    )
    remember(found, this.#told)
    return found
  }

  #op(op: NetOp, at: number): void {
    const { net, raw } = this.#from
    const file = raw.find(op.name, op.type)
    if (file) this.#used.add(file)
    const partner = op.handsOn ? '' : this.#partners[at]
    const inputs = longest(op.inputs.length, file?.inputs.length).map(k => {
      const input = op.inputs[k]
      const origin = input && originOf(net, input.producer, input.output)
      const item = partner !== '' && input ? itemNameOf(partner, 'input', k) : this.#holder(origin)
      const of = { described: input && readAs(net, input), file, origin, item }
      const given = file && !file.inputs[k] && input ? this.#given(input) : null
      return this.#tensor('input', k, given ? { ...of, given } : of)
    })
    const outputs = longest(op.outputs.length, file?.outputs.length).map(k => {
      const output = op.outputs[k]
      const origin = output && originOf(net, at, k)
      const item = partner !== '' && output ? itemNameOf(partner, 'output', k) : this.#holder(origin)
      return this.#tensor('output', k, { described: output, file, origin, item })
    })
    this.#add(op, file, [...inputs, ...outputs])
    op.inputs.forEach(({ producer, output }, k) => {
      const made = net.ops[producer]
      if (made) this.#columns.link(itemNameOf(op.name, 'input', k), itemNameOf(made.name, 'output', output))
    })
    for (const from of op.waitsFor) this.#columns.wait(net.ops[from].name, op.name)
    if (op.handsOn && op.inputs.length > 0)
      this.#columns.pass(itemNameOf(op.name, 'output', 0), itemNameOf(op.name, 'input', 0))
  }

  /** Where only what ops give was dumped, an input is what whoever made it gave. */
  #given({ producer, output }: NetInput): Given | null {
    const { net, raw } = this.#from
    let [at, index] = [producer, output]
    for (let steps = 0; at >= 0 && steps < mostSteps; steps++) {
      const made = net.ops[at]
      const file = raw.find(made.name, made.type)
      const tensor = file?.outputs[index]
      if (file && tensor) return { file, tensor, index, described: made.outputs[index] }
      const [read] = made.handsOn ? made.inputs : []
      if (!read) return null
      ;[at, index] = [read.producer, read.output]
    }
    return null
  }

  #stranger(op: NetOp, file: RawFile): void {
    const tensors = (['input', 'output'] as const).flatMap(io =>
      Array.from(file[`${io}s`], (_, k) =>
        this.#tensor(io, k, { described: undefined, file, origin: null, item: '' }),
      ),
    )
    this.#add(op, file, tensors)
  }

  #add(op: NetOp, file: RawFile | null, tensors: readonly OneTensor[]): void {
    const ops = this.#from.net.lookup?.model.ops
    const [from, to] = ops && op.row >= 0 ? [ops.from[op.row], ops.to[op.row]] : [0, 0]
    this.#columns.add({ name: op.name, scopes: op.scopes, from, to }, tensors)
    this.#opOf.push({ op, file })
  }

  #holder(origin: Origin | null | undefined): string {
    return origin ? (this.#holders.get(originKey(origin)) ?? '') : ''
  }

  #tensor(io: Io, index: number, of: Known): OneTensor {
    const { described, origin, item, given } = of
    this.#told.push({ item, origin: origin ? originKey(origin) : '' })
    const file = given?.file ?? of.file
    const tensor = given ? given.tensor : file?.[`${io}s`][index]
    if (!file || !tensor) {
      this.#layouts.push(layoutText(described?.format ?? '', described?.shape ?? [], originalOf(described)))
      return { io, index, dtype: typeOf(described), shape: originalOf(described), ref: null, dataName: '' }
    }
    const reference = origin ? this.#from.references?.find(origin.op, origin.output)?.shape : undefined
    const { ref, shape, dtype, lies } = this.#read(tensor, given?.described ?? described, reference)
    this.#layouts.push(layoutText(lies.format, lies.shape, shape))
    const name = given ? `${file.file}.output.${given.index}` : `${file.file}.${io}.${index}`
    return { io, index, dtype, shape, ref, dataName: ref ? name : '' }
  }

  /** In the layout of the script; where its tensor has the same elements in other axes, in those. */
  #read(
    { path, raw, array }: Dumped,
    described: Described | undefined,
    reference: readonly number[] | undefined,
  ): Read {
    const tensor = array ? raw && (arrayAsRaw(raw, array, described ?? null) ?? raw) : raw
    if (!tensor) {
      const { shape = [], dtype } = array ?? {}
      return { ref: { file: path }, shape, dtype: dtype?.array ?? '', lies: { format: '', shape } }
    }
    const lies = { format: formatName(tensor.format), shape: tensor.shape }
    const original = described?.originFormat || (tensor.origin ? formatName(tensor.origin.format) : '')
    const wish = {
      ...(original !== '' && { original }),
      ...(!tensor.originalShape && described?.originShape.length && { shape: described.originShape }),
    }
    const reading = (): ReturnType<typeof rawReading> => {
      const plain = rawReading(path, tensor, wish)
      const turned = turnedLayout[plain.layout]
      const fits = !reference || !plain.range || isReshaped(plain.range.shape, reference)
      if (fits || !turned) return plain
      const other = rawReading(path, tensor, { ...wish, layout: turned })
      return other.range && reference && sameShape(other.range.shape, reference) ? other : plain
    }
    const { range, problems } = reading()
    this.#problems.push(...problems)
    const dtype = npuType(tensor.dtype).as ?? npuType(tensor.dtype).name.toLowerCase()
    if (!range) return { ref: null, shape: tensor.originalShape ?? tensor.shape, dtype, lies }
    // Its bytes are no numbers of the script.
    if (tensor.dtype === 0 && reference) {
      const facts = { tensor: `${tensor.io} ${tensor.index}`, dtype: npuType(tensor.dtype).name }
      this.#problems.push(problem('raw-dtype', path, facts, 'warning'))
      return { ref: null, shape: tensor.originalShape ?? tensor.shape, dtype: '', lies }
    }
    const shape = reference && isReshaped(range.shape, reference) ? reference : range.shape
    const ref = {
      file: path,
      dtype,
      part: { ...range, shape },
      ...(tensor.through && { through: tensor.through }),
    }
    return { ref, shape, dtype, lies }
  }
}

interface Read {
  readonly ref: TensorRef | null
  readonly shape: readonly number[]
  readonly dtype: string
  readonly lies: { readonly format: string; readonly shape: readonly number[] }
}

function byOp(overflows: readonly Overflowed[]): ReadonlyMap<string, readonly Overflowed[]> {
  const found = new Map<string, Overflowed[]>()
  for (const one of overflows) {
    const same = found.get(one.op)
    if (same) same.push(one)
    else found.set(one.op, [one])
  }
  return found
}

/** Rows of tensors that nobody can read say so themselves. */
const quiet = (one: Problem): Problem => (one.code === 'raw-dtype' ? { ...one, severity: 'note' } : one)

function ofWhat({ facts }: Problem): string {
  if ('dtype' in facts) return facts.dtype
  return 'layout' in facts ? String(facts.layout) : ''
}

/** Of what many tensors have in common the first is told, and how many more there are. */
function eachOnce(problems: readonly Problem[], dir: string): readonly Problem[] {
  const alike = new Map<string, { readonly first: Problem; readonly what: string; count: number }>()
  for (const one of problems) {
    const what = ofWhat(one)
    const known = alike.get(`${one.code} ${what}`)
    if (known) known.count++
    else alike.set(`${one.code} ${what}`, { first: quiet(one), what, count: 0 })
  }
  return [...alike.values()].flatMap(({ first, what, count }) =>
    count === 0 ? [first] : [first, more(dir, count, what)],
  )
}

const more = (dir: string, count: number, what: string): Problem =>
  what === ''
    ? problem('raw-more', dir, { count }, 'note')
    : problem('raw-alike', dir, { count, what }, 'note')

interface Known {
  /** Undefined where the graph has fewer tensors than the file. */
  readonly described: Described | undefined
  readonly file: RawFile | null
  readonly origin: Origin | null | undefined
  readonly item: string
  /** The dumped output that it is, where it was not dumped itself. */
  readonly given?: Given
}

interface Given {
  readonly file: RawFile
  readonly tensor: Dumped
  readonly index: number
  readonly described: Described | undefined
}

/** A graph that hands on in a circle is no graph of a run. */
const mostSteps = 1000

/** What reads a tensor often knows less of it than what made it. */
export function readAs({ ops }: Pick<Net, 'ops'>, input: NetInput): Described {
  const made = ops[input.producer]?.outputs[input.output]
  if (!made || input.originShape.length > 0) return input
  return { ...input, originShape: made.originShape, originFormat: input.originFormat || made.originFormat }
}

const longest = (a: number, b = 0): number[] => Array.from({ length: Math.max(a, b) }, (_, k) => k)

/** Which item of the reference holds each tensor of the script. */
export function holdersOf(net: Net, partners: readonly string[]): ReadonlyMap<string, string> {
  const holders = new Map<string, string>()
  net.ops.forEach(({ outputs, handsOn }, at) => {
    if (partners[at] === '' || handsOn) return
    outputs.forEach((_, k) => {
      const origin = originOf(net, at, k)
      if (origin && !holders.has(originKey(origin)))
        holders.set(originKey(origin), itemNameOf(partners[at], 'output', k))
    })
  })
  return holders
}

/** Layouts in which a shape is that of the script. */
const plainLayout = /^(?:ND|[NCDHW]{2,5})?$/

/** Null where the graph tells nothing but how the device has it. */
export function originalOf(of: Described | undefined): readonly number[] | null {
  if (!of) return null
  if (of.originShape.length > 0) return of.originShape
  return plainLayout.test(of.format) ? of.shape : null
}

function layoutText(format: string, shape: readonly number[], shown: readonly number[] | null): string {
  if (format === '' || (format === 'ND' && shown && sameShape(shape, shown))) return ''
  return `${format} [${shape.join(', ')}]`
}

const names: Readonly<Record<string, string>> = { float: 'float32', double: 'float64', bf16: 'bfloat16' }

/** DT_FLOAT16 as files of arrays call it. */
export function typeOf(of: Pick<Described, 'dtype'> | undefined): string {
  const bare = (of?.dtype ?? '').replace(/^DT_/, '').toLowerCase()
  return names[bare] ?? (bare === 'undefined' ? '' : bare)
}
