// Operations that were cut into slices, one for each thread: their files as one.
import { problem, type Problem } from '../../model/index.ts'
import { dtypes } from '../tensors/dtype.ts'
import { npuType } from './codes.ts'
import { type RawName, sliceOf } from './names.ts'
import type { RawHeader, RawTensor } from './raw.ts'

/** One file of such an operation. */
export interface SliceFile {
  readonly path: string
  readonly said: Pick<RawName, 'op' | 'thread' | 'time'>
  readonly header: Pick<RawHeader, 'inputs' | 'outputs' | 'attrs'>
}

/** How an operation was cut, as its first attribute has it in JSON. */
interface Cut {
  /** 1: the shapes of slices are told here; 0: each file has its own. */
  readonly auto: boolean
  readonly count: number | null
  /** By thread and tensor: its place in the whole, axis by axis. */
  readonly places: Readonly<Record<RawTensor['io'], readonly (readonly Place[])[]>>
  /** By tensor, in how many parts each axis was cut. */
  readonly parts: Readonly<Record<RawTensor['io'], readonly (readonly number[])[]>>
}

type Place = readonly { readonly lower: number; readonly higher: number }[]

/** The tensors of one file in the shapes of its slice, where the attribute has them. */
export function inSlice<T extends Pick<RawHeader, 'inputs' | 'outputs' | 'attrs'>>(
  header: T,
  said: SliceFile['said'],
): T {
  const slice = sliceOf(said)
  const cut = slice === null ? null : cutOf(header)
  if (slice === null || !cut?.auto) return header
  const shaped = (tensors: readonly RawTensor[], io: RawTensor['io']): readonly RawTensor[] => {
    const places = cut.places[io][slice] ?? []
    if (places.length !== tensors.length) return tensors
    return tensors.map((tensor, i) => {
      const shape = places[i].map(({ lower, higher }) => higher - lower)
      if (!shape.every(dim => Number.isSafeInteger(dim) && dim >= 0)) return tensor
      // The original shape is that of the whole.
      return String(shape) === String(tensor.shape) ? tensor : { ...tensor, shape, originalShape: null }
    })
  }
  return { ...header, inputs: shaped(header.inputs, 'input'), outputs: shaped(header.outputs, 'output') }
}

export interface Joined {
  readonly inputs: readonly RawTensor[]
  readonly outputs: readonly RawTensor[]
  readonly problems: readonly Problem[]
}

/** The tensors of all slices put together; where they do not fit, those of the newest file. Never of no file. */
export function joinSlices(files: readonly SliceFile[]): Joined & { readonly first: SliceFile } {
  const inOrder = newestOfEach(files)
  const [first] = inOrder
  const cut = cutOf(first.header)
  const alone = inOrder.length === 1 && cut?.count === 1
  const missing =
    cut?.count != null && cut.count !== inOrder.length
      ? [problem('raw-slices', first.path, { found: inOrder.length, count: cut.count }, 'warning')]
      : []
  const shaped = inOrder.map(one => ({ ...one, header: inSlice(one.header, one.said) }))
  const newest = shaped.reduce((last, one) => (one.said.time > last.said.time ? one : last))
  if (!cut || alone) return { ...tensorsOf(newest), problems: missing, first }
  const isCut = cut.parts.output.some(parts => parts.some(count => count !== 1))
  const outputs = isCut ? joinedOf(shaped, 'output', cut) : null
  if (!outputs)
    return {
      ...tensorsOf(newest),
      problems: [...missing, problem('raw-slices-apart', newest.path, { count: inOrder.length }, 'warning')],
      first,
    }
  const whole = outputs.map((tensor, i) => ({
    ...tensor,
    originalShape: first.header.outputs[i].originalShape,
  }))
  // Threads read beyond their own part, so that what they read seldom fits together.
  const inputs = joinedOf(shaped, 'input', cut) ?? shaped[0].header.inputs
  return { inputs, outputs: whole, problems: missing, first }
}

const tensorsOf = ({ header: { inputs, outputs } }: SliceFile): Pick<Joined, 'inputs' | 'outputs'> => ({
  inputs,
  outputs,
})

/** By the numbers of slices; of several executions the last. */
function newestOfEach(files: readonly SliceFile[]): readonly SliceFile[] {
  const bySlice = new Map<number, SliceFile>()
  for (const file of files) {
    const slice = sliceOf(file.said) ?? 0
    const known = bySlice.get(slice)
    if (!known || known.said.time <= file.said.time) bySlice.set(slice, file)
  }
  return [...bySlice].sort(([a], [b]) => a - b).map(([, file]) => file)
}

/** Null where slices of a tensor do not lie behind each other. */
function joinedOf(files: readonly SliceFile[], io: RawTensor['io'], cut: Cut): readonly RawTensor[] | null {
  const [first] = files
  const tensorsIn = ({ header }: SliceFile): readonly RawTensor[] => header[`${io}s`]
  const joined: RawTensor[] = []
  for (const [i, tensor] of tensorsIn(first).entries()) {
    const axis = (cut.parts[io][i] ?? []).findIndex(count => count !== 1)
    const whole =
      axis < 0
        ? tensor
        : joinedAlong(
            files.map(one => [one.path, tensorsIn(one)[i]]),
            axis,
          )
    if (!whole || (axis >= 0 && !followEachOther(files, io, i, axis, cut))) return null
    joined.push(whole)
  }
  return joined
}

/** Where places are told: the parts of threads neither overlap nor leave anything out. */
function followEachOther(
  files: readonly SliceFile[],
  io: RawTensor['io'],
  index: number,
  axis: number,
  cut: Cut,
): boolean {
  if (!cut.auto) return io === 'output'
  const places = files.map(({ said }) => cut.places[io][sliceOf(said) ?? 0]?.[index]?.[axis])
  return places.every((place, i) => i === 0 || !place || place.lower === places[i - 1]?.higher)
}

function joinedAlong(
  slices: readonly (readonly [path: string, tensor: RawTensor | undefined])[],
  axis: number,
): RawTensor | null {
  const [[, first]] = slices
  if (!first) return null
  const { as, packing } = npuType(first.dtype)
  if (as === null || packing || axis >= first.shape.length) return null
  const { bytes } = dtypes[as]
  const product = (dims: readonly number[]): number => dims.reduce((all, dim) => all * dim, 1)
  const times = product(first.shape.slice(0, axis))
  let length = 0
  const pieces = []
  for (const [file, tensor] of slices) {
    const run = tensor ? product(tensor.shape.slice(axis)) * bytes : 0
    if (!tensor || !isLike(tensor, first, axis) || run * times > tensor.size) return null
    length += tensor.shape[axis]
    pieces.push({ file, from: tensor.from, bytes: run })
  }
  const shape = first.shape.with(axis, length)
  const through = { kind: 'pieces', rounds: times, pieces } as const
  return { ...first, shape, from: 0, size: product(shape) * bytes, through }
}

/** The same but for the length of one axis, and all there. */
const isLike = (tensor: RawTensor, other: RawTensor, axis: number): boolean =>
  !tensor.truncated &&
  tensor.dtype === other.dtype &&
  tensor.format === other.format &&
  tensor.shape.length === other.shape.length &&
  tensor.shape.every((dim, i) => i === axis || dim === other.shape[i])

// ---------------------------------------- the attribute

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const numbersOf = (value: unknown): readonly number[] => listOf(value).map(one => Number(one))

/** Null where the attribute says nothing of slices. */
function cutOf({ attrs }: Pick<RawHeader, 'attrs'>): Cut | null {
  const told = parsed(attrs[0]?.value ?? '')
  if (!told || !('threadMode' in told)) return null
  const { threadMode, slice_instance_num: count } = told
  return {
    auto: Number(threadMode) === 1,
    count: typeof count === 'number' ? count : null,
    places: { input: placesOf(told.input_tensor_slice), output: placesOf(told.output_tensor_slice) },
    parts: {
      input: listOf(told.inputCutList).map(numbersOf),
      output: listOf(told.outputCutList).map(numbersOf),
    },
  }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const told: unknown = JSON.parse(text)
    return isRecord(told) ? told : null
  } catch {
    return null
  }
}

const placesOf = (value: unknown): readonly (readonly Place[])[] =>
  listOf(value).map(thread =>
    listOf(thread).map(tensor =>
      listOf(tensor).map(axis => {
        const { lower, higher } = isRecord(axis) ? axis : {}
        return { lower: Number(lower ?? NaN), higher: Number(higher ?? NaN) }
      }),
    ),
  )
