// Calls of a run that is being dumped, as far as their tensor files tell: until dump.json is written again.
import { type Files, join } from '../../io/index.ts'
import { type Json, JsonNumber, type JsonObject } from '../../json/index.ts'
import { Refusal } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { decode, type Dtype } from '../tensors/dtype.ts'
import { layoutOf } from '../tensors/tensor-file.ts'
import { plain, type TensorLayout, tensorReader } from '../tensors/tensor.ts'
import { strayFiles, tensorName } from './stray.ts'

/** A call, as dump.json would tell of it. */
interface ProvisionalEntry {
  readonly call: string
  readonly entry: Json
}

/** Between two writings of dump.json there are at most so many calls, unless a run was killed. */
const mostCalls = 20_000
/** Of larger tensors only shape and type are told: their values are read when they are compared. */
const mostElements = 1 << 20
/** Elements that are read for one look at a run. */
const mostRead = 1 << 24

export async function provisionalEntries(
  files: Files,
  folder: string,
  known: ReadonlySet<string>,
  framework: string,
  job: Job,
): Promise<readonly ProvisionalEntry[]> {
  const names = files.names(folder).map(({ name }) => name)
  const strays = [...strayFiles(names, known)].slice(0, mostCalls)
  const found: (ProvisionalEntry & { readonly began: number })[] = []
  let left = mostRead
  for (const [call, own] of strays) {
    await job.breathe()
    const parts = new Map<string, JsonObject[]>()
    let began = Infinity
    for (const name of own.toSorted(byNumbers)) {
      const leaf = leafOf(files, join(folder, name), framework, left)
      if (!leaf) continue
      left -= leaf.read
      began = Math.min(began, leaf.modified)
      const part = tensorName(name)?.part ?? 'input'
      const there = parts.get(part)
      const json = leaf.json(name)
      if (there) there.push(json)
      else parts.set(part, [json])
    }
    if (parts.size > 0) found.push({ call, entry: entryOf(parts), began })
  }
  return found.toSorted((a, b) => a.began - b.began || byNumbers(a.call, b.call))
}

const byNumbers = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })

/** Gradients of parameters stand below their key by themselves. */
const entryOf = (parts: ReadonlyMap<string, readonly JsonObject[]>): Json =>
  parts.get('gradients') ??
  new Map<string, Json>(
    [...parts].map(([part, leaves]): [string, Json] => [part === 'input' ? 'input_args' : part, leaves]),
  )

interface Leaf {
  /** Elements that were read. */
  readonly read: number
  readonly modified: number
  json(name: string): JsonObject
}

/** What is known of a file, as long as it stays what it was. */
const leaves = new Map<string, Leaf>()
const mostLeaves = 1 << 15

/** Null for a file that is still being written, or that holds no tensor. */
function leafOf(files: Files, file: string, framework: string, left: number): Leaf | null {
  const at = files.stat(file)
  if (!at) return null
  const key = `${framework} ${at.size} ${at.modified} ${file}`
  const known = leaves.get(key)
  if (known) return { ...known, read: 0 }
  try {
    const handle = files.open(file)
    try {
      const layout = layoutOf(handle, { file, dtype: '' })
      if (plain(layout) && layout.from + layout.size * layout.dtype.bytes > handle.size) return null
      const counts = layout.size > 0 && layout.size <= Math.min(mostElements, left)
      const stats = counts ? statisticsOf(layout, tensorReader(handle, layout, file)) : null
      if (counts && !stats) return null
      const leaf = {
        read: counts ? layout.size : 0,
        modified: at.modified,
        json: (name: string) => jsonOf(layout, stats, framework, name),
      }
      if (leaves.size >= mostLeaves) leaves.clear()
      // What was too much for this look may be read at the next.
      if (counts) leaves.set(key, leaf)
      return leaf
    } finally {
      handle.close()
    }
  } catch (error) {
    // Half of a file may be anything.
    if (error instanceof Refusal) return null
    throw error
  }
}

type Statistics = readonly [max: number, min: number, mean: number, norm: number]

/** Null where fewer elements came than there should be. */
function statisticsOf(layout: TensorLayout, reader: ReturnType<typeof tensorReader>): Statistics | null {
  const bytes = new Uint8Array(layout.size * layout.dtype.bytes)
  if (reader.read(0, bytes) < layout.size) return null
  const values = new Float64Array(layout.size)
  decode(layout.dtype, bytes, layout.size, values)
  let [max, min, sum, squares] = [-Infinity, Infinity, 0, 0]
  for (const value of values) {
    max = Math.max(max, value)
    min = Math.min(min, value)
    sum += value
    squares += value * value
  }
  return [max, min, sum / values.length, Math.sqrt(squares)]
}

const statNames = ['Max', 'Min', 'Mean', 'Norm'] as const

function jsonOf(
  { dtype, shape }: TensorLayout,
  stats: Statistics | null,
  framework: string,
  name: string,
): JsonObject {
  const torch = framework === 'pytorch'
  return new Map<string, Json>([
    ['type', torch ? 'torch.Tensor' : 'mindspore.Tensor'],
    ['dtype', torch ? `torch.${dtype.name}` : mindsporeName(dtype)],
    ['shape', shape.map(size => new JsonNumber(String(size), false))],
    ...statNames.map((stat, i): [string, Json] => [stat, stats ? numberOf(stats[i], dtype) : null]),
    ['data_name', name],
  ])
}

const mindsporeName = ({ name }: Dtype): string =>
  name.replace(/^(b(?=float))?(u)?([a-z])/, start => start.toUpperCase())

/** As Python prints it; truth values are told as such, and have neither mean nor norm. */
function numberOf(value: number, { name, arithmetic }: Dtype): Json {
  if (name === 'bool') return value === 1 || value === 0 ? value === 1 : null
  if (Number.isNaN(value)) return new JsonNumber('NaN', true)
  if (!Number.isFinite(value)) return new JsonNumber(value > 0 ? 'Infinity' : '-Infinity', true)
  if (arithmetic === 'int' && Number.isInteger(value)) return new JsonNumber(String(value), false)
  const text = String(value)
  return new JsonNumber(/[.e]/.test(text) ? text : `${text}.0`, true)
}
