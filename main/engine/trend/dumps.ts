// Dumps of many steps and ranks into a trend database, one dump in memory at a time.
import { placeAt, RawReader, readCalls } from '../formats/index.ts'
import { type Files, join, type Sink } from '../io/index.ts'
import { isArray, isObject, type Json, JsonNumber } from '../json/index.ts'
import { type Dump, Refusal } from '../model/index.ts'
import { MicroSteps } from './micro-steps.ts'
import { type TrendPorts, TrendStore } from './store.ts'
import { dumpTags } from '../series/index.ts'

const stats = ['norm', 'max', 'min', 'mean'] as const
const fields = ['Norm', 'Max', 'Min', 'Mean'] as const
const metrics = ['forward', 'backward', 'recompute', 'parameters_grad'] as const
type Metric = (typeof metrics)[number]

export interface DumpRequest {
  readonly root: string
  /** Literal replacements in names, one after the other. */
  readonly mapping: readonly (readonly [from: string, to: string])[]
  /** Steps are counted in micro steps. */
  readonly micro: boolean
}

/** False where there is no dump to import. */
export async function importDumps(
  request: DumpRequest,
  ports: TrendPorts,
  create: () => Sink,
): Promise<boolean> {
  const steps = stepsIn(ports.files, request.root)
  if (steps.length === 0) return false
  const store = new TrendStore(stats, metrics, dumpTags)
  try {
    let [base, maxRank] = [0, -1]
    for (const [done, { step, ranks }] of steps.entries()) {
      let count = 1
      for (const { rank, path } of ranks) {
        ports.job.report({ what: 'job.writing', done, total: steps.length, countedIn: 'items' })
        await ports.job.breathe()
        const dump = await opened(path, ports)
        if (!dump) continue
        maxRank = Math.max(maxRank, rank)
        const into = new DumpRows(dump, request, { rank, step: request.micro ? base : step, store })
        count = Math.max(count, into.count)
        await into.add(ports)
      }
      base += count
    }
    if (maxRank < 0) {
      store.abandon()
      return false
    }
    const [minStep, maxStep] = request.micro ? [0, base - 1] : [steps[0].step, steps.at(-1)?.step ?? 0]
    const named = new Map(metrics.map(metric => [metric, stats] as const))
    store.finish({ maxRank, minStep, maxStep, metrics: named }, create())
    return true
  } catch (error) {
    store.abandon()
    throw error
  }
}

/** A dump that cannot be read is told and left out. */
async function opened(path: string, { files, job, tell }: TrendPorts): Promise<Dump | null> {
  try {
    const dump = await readCalls(files, placeAt(path), job, true)
    for (const found of dump.problems) tell(found)
    return dump
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    tell({ ...error.problem, severity: 'warning' })
    return null
  }
}

// ---------------------------------------- folders

interface StepFolder {
  readonly step: number
  readonly ranks: readonly { readonly rank: number; readonly path: string }[]
}

/** By step and rank; processes without a rank are numbered behind the largest one. */
function stepsIn(files: Files, root: string): readonly StepFolder[] {
  const found = numbered(files, root, /^step(\d+)$/).map(({ number, path }) => {
    const withDump = (pattern: RegExp): readonly Numbered[] =>
      numbered(files, path, pattern).filter(at => files.stat(join(at.path, 'dump.json'))?.kind === 'file')
    return { step: number, ranks: withDump(/^rank(\d+)$/), processes: withDump(/^proc(\d+)$/) }
  })
  const largest = found.flatMap(({ ranks }) => ranks).reduce((most, { number }) => Math.max(most, number), -1)
  const ids = [...new Set(found.flatMap(({ processes }) => processes.map(({ number }) => number)))]
  const order = new Map(ids.sort((a, b) => a - b).map((id, i) => [id, largest + 1 + i] as const))
  return found
    .map(({ step, ranks, processes }) => ({
      step,
      ranks: [
        ...ranks.map(({ number, path }) => ({ rank: number, path })),
        ...processes.map(({ number, path }) => ({ rank: order.get(number) ?? number, path })),
      ],
    }))
    .filter(({ ranks }) => ranks.length > 0)
}

interface Numbered {
  readonly number: number
  readonly path: string
}

function numbered(files: Files, folder: string, pattern: RegExp): readonly Numbered[] {
  return files
    .names(folder)
    .flatMap(({ name, kind }) => {
      const number = kind === 'folder' ? pattern.exec(name)?.[1] : undefined
      return number === undefined ? [] : [{ number: Number(number), path: join(folder, name) }]
    })
    .sort((a, b) => a.number - b.number)
}

// ---------------------------------------- rows

interface Call {
  readonly direction: 'forward' | 'backward' | 'parameters_grad'
  /** The name without direction and number. */
  readonly base: string
  readonly index: number
  readonly forward: string
}

/** Null for entries that are no calls. */
function callOf(name: string): Call | null {
  const [, before, direction, after] =
    /^(.+)\.(forward|backward|parameters_grad)(?:\.(\d+))?$/.exec(name) ?? []
  if (direction !== 'forward' && direction !== 'backward' && direction !== 'parameters_grad') return null
  const forward = `${before}.forward${after === undefined ? '' : `.${after}`}`
  if (direction === 'parameters_grad')
    return { direction, base: before, index: Number(after ?? 0), forward: `${before}.forward.${after ?? 0}` }
  if (after !== undefined) return { direction, base: before, index: Number(after), forward }
  const [, base = before, index = '0'] = /^(.+)\.(\d+)$/.exec(before) ?? []
  return { direction, base, index: Number(index), forward }
}

interface Target {
  readonly rank: number
  /** Of its first micro step. */
  readonly step: number
  readonly store: TrendStore
}

/** Calls between two looks at whether somebody has cancelled. */
const breath = 1024

class DumpRows {
  readonly #dump: Dump
  readonly #request: DumpRequest
  readonly #target: Target
  readonly #micro: MicroSteps | null
  /** Numbers of a call within its micro step, by micro step and name. */
  readonly #numbers = new Map<string, Map<number, number>>()

  constructor(dump: Dump, request: DumpRequest, target: Target) {
    this.#dump = dump
    this.#request = request
    this.#target = target
    const micro = request.micro ? new MicroSteps(dump) : null
    this.#micro = micro && micro.count > 0 ? micro : null
  }

  /** Micro steps of this dump. */
  get count(): number {
    return this.#micro?.count ?? 1
  }

  async add({ files, job }: TrendPorts): Promise<void> {
    const { ops, texts } = this.#dump
    const reader = new RawReader(files, this.#dump)
    try {
      for (let op = 0; op < ops.length; op++) {
        if (op % breath === breath - 1) await job.breathe()
        const name = texts.get(ops.name[op])
        const call = callOf(name)
        const place = call && this.#placeOf(call, name)
        const record = place ? reader.json(op) : undefined
        if (place && isObject(record)) this.#record(place, record)
      }
    } finally {
      reader.close()
    }
  }

  /** Where a call's values go; null where no micro step holds it. */
  #placeOf(call: Call, name: string): Placed | null {
    const { mapping } = this.#request
    const mapped = mapping.length === 0 ? call : callOf(replaced(name, mapping))
    if (!mapped) return null
    const { direction, base } = mapped
    const plain = { direction, base, step: this.#target.step, index: call.index }
    if (!this.#micro) return plain
    const found = this.#micro.of(call.forward)
    if (direction === 'parameters_grad') return { ...plain, step: plain.step + (found ?? 0) }
    if (found === null) return null
    return { ...plain, step: plain.step + found, index: this.#numberIn(found, call) }
  }

  /** Both directions of a call have one number. */
  #numberIn(micro: number, { base, index }: Call): number {
    const key = `${micro} ${base}`
    let known = this.#numbers.get(key)
    if (!known) this.#numbers.set(key, (known = new Map()))
    const number = known.get(index) ?? known.size
    known.set(index, number)
    return number
  }

  #record(place: Placed, record: ReadonlyMap<string, Json>): void {
    const { direction } = place
    if (direction === 'parameters_grad') {
      for (const [name, value] of record) {
        const [tensor] = isArray(value) ? value : [value]
        this.#tensor(place, direction, name, tensor)
      }
      return
    }
    const metric = record.get('is_recompute') === true ? 'recompute' : direction
    for (const [part, shown] of lists) {
      const values = record.get(part)
      if (isArray(values))
        for (const [i, value] of values.entries()) this.#tensor(place, metric, `${shown}.${i}`, value)
    }
    const parameters = record.get('parameters')
    if (isObject(parameters))
      for (const [name, value] of parameters) this.#tensor(place, metric, `parameters.${name}`, value)
  }

  #tensor({ base, step, index }: Placed, metric: Metric, item: string, value: Json | undefined): void {
    if (!isObject(value) || !isFloat(value)) return
    const { rank, store } = this.#target
    store.add({
      rank,
      step,
      name: `${base}.${item}`,
      vpp: 0,
      micro: index,
      metric,
      values: fields.map(field => numberOf(value.get(field))),
    })
  }
}

interface Placed extends Pick<Call, 'direction' | 'base'> {
  readonly step: number
  readonly index: number
}

const lists = [
  ['input_args', 'input'],
  ['input', 'input'],
  ['output', 'output'],
] as const

const floats = new Set(['float16', 'bfloat16', 'float32'])

function isFloat(value: ReadonlyMap<string, Json>): boolean {
  const [type, dtype] = [value.get('type'), value.get('dtype')]
  if (typeof type !== 'string' || typeof dtype !== 'string') return false
  return type.endsWith('Tensor') && floats.has(dtype.slice(dtype.lastIndexOf('.') + 1).toLowerCase())
}

const numberOf = (value: Json | undefined): number | null =>
  value instanceof JsonNumber ? value.value : null

const replaced = (name: string, mapping: DumpRequest['mapping']): string =>
  mapping.reduce((text, [from, to]) => text.replaceAll(from, to), name)
