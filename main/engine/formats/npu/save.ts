// One raw dump file as files that other tools read: arrays, bytes of blocks, overflow records as JSON.
import { baseOf, type Handle, memberLimit, type Output, shortName } from '../../io/index.ts'
import { problem, type Problem, Refusal } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { isNumpys, npyHead, numpyType, widenedPieces, writtenBytes } from '../tensors/npy-writer.ts'
import { ptSink } from '../tensors/pt-writer.ts'
import { type ByteSource, type TensorLayout, tensorReader } from '../tensors/tensor.ts'
import { layoutOf } from '../tensors/tensor-file.ts'
import { bench, mostHalves, roomBytes } from '../tensors/turn.ts'
import { npuType } from './codes.ts'
import { readOpDebug, readRawHeader } from './files.ts'
import { inSlice } from './slices.ts'
import { rawNameOf } from './names.ts'
import { type RawBlock, type RawHeader, type RawTensor, rawTensors } from './raw.ts'
import { inRoom } from './read-at.ts'
import { rawReading, type RawReading, type RawStatus, type RawWish } from './reading.ts'

export interface SaveSettings {
  readonly kind: 'npy' | 'bin' | 'msnpy' | 'pt'
  /** The layout to turn tensors to; absent: as they lie. */
  readonly layout?: string
  /** Of the only tensor that is wanted. */
  readonly shape?: readonly number[]
  readonly only?: { readonly io: 'input' | 'output'; readonly index: number }
}

export interface SavedTensor {
  readonly io: RawTensor['io'] | RawBlock['kind']
  readonly index: number
  readonly dtype: string
  readonly format: string
  readonly shape: readonly number[]
  readonly status: RawStatus
  /** Name of the file; null where nothing was written. */
  readonly written: string | null
}

export interface SavedFile {
  readonly file: string
  /** Tensors, then blocks. */
  readonly tensors: readonly SavedTensor[]
  readonly written: readonly string[]
  /** Names that were too long, and what stands for them. */
  readonly renamed: readonly (readonly [short: string, long: string])[]
  readonly problems: readonly Problem[]
  /** Something of it is missing. */
  readonly failed: boolean
}

/** A share of the elements of every large tensor of a file; the first of them saves all else too. */
export interface FilePart {
  readonly at: number
  readonly of: number
}
export const wholeFile: FilePart = { at: 0, of: 1 }

/** `name`: what the file was called before its name was found too long. */
export async function saveRaw(
  source: Handle,
  file: string,
  {
    name,
    output,
    settings,
    part,
  }: {
    readonly name: string
    readonly output: Output
    readonly settings: SaveSettings
    readonly part: FilePart
  },
  job: Job,
): Promise<SavedFile> {
  const held = source.size <= roomBytes ? inRoom(source) : source
  const whole = await readRawHeader(held, file)
  const said = rawNameOf(name)
  const header = said ? inSlice(whole, said) : whole
  try {
    const saver = new Saver({ source: held, file, name, output, settings, part, header, job })
    const tensors = await saver.all()
    const written = output.commit()
    const { renamed, problems } = saver
    return {
      file,
      tensors,
      written,
      renamed,
      problems: [...header.problems, ...problems],
      failed: tensors.some(({ status }) => status === 'truncated'),
    }
  } catch (error) {
    output.abandon()
    throw error
  }
}

interface SaverPorts {
  readonly source: ByteSource
  readonly file: string
  readonly name: string
  readonly output: Output
  readonly settings: SaveSettings
  readonly part: FilePart
  readonly header: RawHeader
  readonly job: Job
}

/** Tensors that threads share have at least so many elements. */
const sharedElements = 1 << 20

/** Read and written at once. */
const pieceBytes = 1 << 20

class Saver {
  readonly renamed: (readonly [string, string])[] = []
  readonly problems: Problem[] = []
  readonly #ports: SaverPorts
  readonly #wish: RawWish

  constructor(ports: SaverPorts) {
    const { layout = 'device', shape } = ports.settings
    this.#ports = ports
    this.#wish = shape && layout !== 'device' ? { layout, shape, original: layout } : { layout }
  }

  async all(): Promise<SavedTensor[]> {
    const { header, settings, name, part } = this.#ports
    const { only } = settings
    const isFirst = part.at === 0
    if (rawNameOf(name)?.opDebug || header.opName === 'Node_OpDebug') return isFirst ? this.#records() : []
    const wanted = rawTensors(header).filter(
      ({ io, index }) => !only || (only.io === io && only.index === index),
    )
    if (only && wanted.length === 0)
      throw new Refusal(problem('raw-no-tensor', this.#ports.file, { tensor: `${only.io} ${only.index}` }))
    const saved: SavedTensor[] = []
    for (const tensor of wanted) {
      // What is small is not waited for.
      const one = this.#tensor(tensor)
      const done = one instanceof Promise ? await one : one
      if (done) saved.push(done)
    }
    if (!only && isFirst) for (const block of header.blocks) saved.push(await this.#block(block))
    return saved
  }

  /** Null of what the first part of a file saves. */
  #tensor(tensor: RawTensor): SavedTensor | null | Promise<SavedTensor> {
    const { file, source, part } = this.#ports
    const reading = rawReading(file, tensor, this.#wish)
    const { problems, layout: format, status } = reading
    if (problems.length > 0)
      this.problems.push(...problems.filter(({ code }) => code !== 'raw-tensor-truncated'))
    const { io, index } = tensor
    const type = npuType(tensor.dtype)
    if (part.at > 0 && !(reading.range && isShared(reading.range))) return null
    if (!reading.range)
      return this.#undecoded(tensor, { io, index, format, status, dtype: type.as ?? type.name })
    const place = layoutOf(source, { file, part: reading.range })
    const name = this.#name(this.#nameOf(tensor, reading, place))
    const dtype = type.as === 'bfloat16' ? 'bfloat16' : place.dtype.name
    const saved = { io, index, format, status, dtype, shape: place.shape, written: name }
    const isTorchs = this.#ports.settings.kind === 'pt'
    if (isTorchs && place.size * writtenBytes(place.dtype) >= memberLimit)
      throw new Refusal(problem('raw-pt-size', file, { tensor: `${io} ${index}` }))
    const stored = isTorchs ? null : this.#stored(place)
    if (!stored) return this.#elements(place, name).then(() => saved)
    const { output } = this.#ports
    const { size } = place
    if (stored.length <= mostHalves || isNumpys(place.dtype))
      output.put(name, ...this.#head(place), ...(size > 0 ? widenedPieces(place.dtype, stored) : []))
    else {
      const sink = output.create(name)
      sink.write(...this.#head(place))
      for (const piece of widenedPieces(place.dtype, stored)) sink.write(piece)
    }
    return saved
  }

  async #undecoded(tensor: RawTensor, told: Omit<SavedTensor, 'shape' | 'written'>): Promise<SavedTensor> {
    const bytes = told.status === 'truncated' ? null : `${this.#stem(tensor)}.bin`
    const written = bytes === null ? null : await this.#bytes(tensor, bytes)
    return { ...told, shape: tensor.shape, written }
  }

  #head({ dtype, shape }: TensorLayout): Uint8Array[] {
    const { kind } = this.#ports.settings
    return kind === 'bin' || kind === 'pt' ? [] : [npyHead(dtype, shape)]
  }

  /** The elements of a tensor that is at hand as a whole; null of others. */
  #stored(layout: TensorLayout): Uint8Array | null {
    const { source, file } = this.#ports
    const { dtype, from, size, packing, tiling } = layout
    if (!source.bytes) return null
    if (!packing && !tiling) return source.bytes.subarray(from, from + size * dtype.bytes)
    const elements = size > 0 ? tensorReader(source, layout, file).lend?.(0) : undefined
    return elements?.length === size * dtype.bytes ? elements : null
  }

  /** Blocks are bytes. */
  async #block(block: RawBlock): Promise<SavedTensor> {
    const { kind, index, size, truncated } = block
    const name = `${this.#ports.name}.${kind}.${index}.bin`
    const written = truncated ? null : await this.#bytes(block, name)
    const status = truncated ? 'truncated' : 'bytes'
    return { io: kind, index, dtype: 'uint8', format: 'ND', shape: [size], status, written }
  }

  /** Overflow records are no arrays. */
  async #records(): Promise<SavedTensor[]> {
    const { source, file, header, name } = this.#ports
    const record = await readOpDebug(source, file)
    const [{ index, size }] = header.outputs
    const written = this.#name(`${name}.output.${index}.json`)
    const sink = this.#ports.output.create(written)
    sink.write(new TextEncoder().encode(JSON.stringify(record, null, 4)))
    sink.close()
    return [{ io: 'output', index, dtype: 'uint8', format: 'ND', shape: [size], status: 'decoded', written }]
  }

  /** The names that msaccucmp gives. */
  #nameOf(tensor: RawTensor, { layout }: RawReading, { shape, size, dtype }: TensorLayout): string {
    const { kind, layout: wanted } = this.#ports.settings
    const stem = this.#stem(tensor)
    if (kind === 'msnpy') return `${stem}.${layout}.npy`
    if (kind === 'bin') return `${stem}.${size}.${numpyType(dtype)}.${layout}.bin`
    const end = kind === 'pt' ? 'pt' : 'npy'
    if (wanted === undefined || shape.length === 0) return `${stem}.${end}`
    const dims = shape.join('x')
    // What could not be turned says which layout it is still in.
    return reached(layout, wanted) ? `${stem}.${dims}.${end}` : `${stem}.${layout}.${dims}.${end}`
  }

  #stem({ io, index }: RawTensor): string {
    const { name, settings, header } = this.#ports
    return `${settings.kind === 'msnpy' ? scopeless(name, header.opName) : name}.${io}.${index}`
  }

  async #elements(layout: TensorLayout, name: string): Promise<void> {
    const { source, file, output, settings, part, job } = this.#ports
    const { dtype, size } = layout
    const { at, of } = part.of > 1 && isShared(layout) ? part : wholeFile
    const from = Math.floor((size * at) / of)
    const to = Math.floor((size * (at + 1)) / of)
    const head = this.#head(layout)
    const begin = at === 0 ? 0 : byteLength(head) + from * writtenBytes(dtype)
    const plain = of > 1 ? output.stretch(name, begin) : output.create(name)
    const sink = settings.kind === 'pt' ? ptSink(plain, layout) : plain
    const reader = tensorReader(source, layout, file)
    if (at === 0) sink.write(...head)
    const most = Math.min(Math.floor(pieceBytes / dtype.bytes), to - from) * dtype.bytes
    // A small file lies in the room itself.
    const piece = source.bytes ? new Uint8Array(most) : bench().room.subarray(0, most)
    for (let first = from; first < to;) {
      const many = (to - first) * dtype.bytes
      const lent = reader.lend?.(first)
      const got = lent ?? piece.subarray(0, reader.read(first, piece.subarray(0, many)) * dtype.bytes)
      const elements = got.subarray(0, many)
      for (const written of widenedPieces(dtype, elements)) sink.write(written)
      first += elements.length / dtype.bytes
      await job.breathe()
    }
    sink.close()
  }

  async #bytes({ from, size }: RawTensor | RawBlock, long: string): Promise<string> {
    const { source, output, job } = this.#ports
    const name = this.#name(long)
    const sink = output.create(name)
    const piece = new Uint8Array(Math.min(pieceBytes, size))
    for (let done = 0; done < size;) {
      const got = source.read(from + done, piece.subarray(0, Math.min(piece.length, size - done)))
      if (got === 0) break
      sink.write(piece.subarray(0, got))
      done += got
      await job.breathe()
    }
    sink.close()
    return name
  }

  #name(long: string): string {
    const name = shortName(long)
    if (name !== long) this.renamed.push([name, long])
    return name
  }
}

const isShared = ({ shape }: Pick<TensorLayout, 'shape'>): boolean =>
  shape.reduce((all, dim) => all * dim, 1) >= sharedElements

const byteLength = (parts: readonly Uint8Array[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0)

/** ND stands for the original order, whatever that is called. */
const reached = (layout: string, wanted: string): boolean =>
  layout === wanted || wanted === 'ND' || layout === 'ND'

/** The operation without its scopes, which its name of five parts has with `_` between. */
function scopeless(name: string, opName: string): string {
  const parts = name.split('.')
  const last = opName.split('/').at(-1) ?? ''
  return parts.length === 5 && last !== '' ? parts.with(1, last).join('.') : baseOf(name)
}
