// One raw dump file as files that other tools read: arrays, bytes of blocks, overflow records as JSON.
import { baseOf, type Handle, openOutput, type Output, shortName } from '../../io/index.ts'
import { problem, type Problem, Refusal } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { npyHead, numpyType, widened } from '../tensors/npy-writer.ts'
import { type ByteSource, layoutOf, type TensorLayout, tensorReader } from '../tensors/tensor.ts'
import { npuType } from './codes.ts'
import { readOpDebug, readRawHeader } from './files.ts'
import { rawNameOf } from './names.ts'
import { type RawBlock, type RawHeader, type RawTensor, rawTensors } from './raw.ts'
import { readAt } from './read-at.ts'
import { rawReading, type RawReading, type RawStatus } from './reading.ts'

export interface SaveSettings {
  readonly kind: 'npy' | 'bin' | 'msnpy'
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

/** `name`: what the file was called before its name was found too long. */
export async function saveRaw(
  source: Handle,
  file: string,
  {
    name,
    folder,
    settings,
  }: { readonly name: string; readonly folder: string; readonly settings: SaveSettings },
  job: Job,
): Promise<SavedFile> {
  const held = source.size <= wholeBytes ? inMemory(source) : source
  const header = await readRawHeader(held, file)
  // What is decoded can be decoded again: nobody waits for the disk.
  const output = openOutput(folder, [], true, false)
  try {
    const saver = new Saver({ source: held, file, name, output, settings, header, job })
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
  } finally {
    output.abandon()
  }
}

interface SaverPorts {
  readonly source: ByteSource
  readonly file: string
  readonly name: string
  readonly output: Output
  readonly settings: SaveSettings
  readonly header: RawHeader
  readonly job: Job
}

/** Read and written at once. */
const pieceBytes = 1 << 20
/** A file of so many bytes is read in one go. */
const wholeBytes = 4 << 20

function inMemory(source: ByteSource): ByteSource {
  const bytes = readAt(source, 0, source.size)
  return {
    size: bytes.length,
    read(from, into) {
      const part = bytes.subarray(from, from + into.length)
      into.set(part)
      return part.length
    },
  }
}

class Saver {
  readonly renamed: (readonly [string, string])[] = []
  readonly problems: Problem[] = []
  readonly #ports: SaverPorts

  constructor(ports: SaverPorts) {
    this.#ports = ports
  }

  async all(): Promise<SavedTensor[]> {
    const { header, settings, name } = this.#ports
    const { only } = settings
    if (rawNameOf(name)?.opDebug || header.opName === 'Node_OpDebug') return this.#records()
    const wanted = rawTensors(header).filter(
      ({ io, index }) => !only || (only.io === io && only.index === index),
    )
    if (only && wanted.length === 0)
      throw new Refusal(problem('raw-no-tensor', this.#ports.file, { tensor: `${only.io} ${only.index}` }))
    const saved: SavedTensor[] = []
    for (const tensor of wanted) saved.push(await this.#tensor(tensor))
    if (!only) for (const block of header.blocks) saved.push(await this.#block(block))
    return saved
  }

  async #tensor(tensor: RawTensor): Promise<SavedTensor> {
    const { file, settings } = this.#ports
    const { layout, shape } = settings
    const wish = { layout: layout ?? 'device', ...(shape && layout && { shape, original: layout }) }
    const reading = rawReading(file, tensor, wish)
    this.problems.push(...reading.problems.filter(({ code }) => code !== 'raw-tensor-truncated'))
    const told = { io: tensor.io, index: tensor.index, format: reading.layout, status: reading.status }
    const type = npuType(tensor.dtype)
    if (reading.range) {
      const source = layoutOf(this.#ports.source, { file, part: reading.range })
      const written = await this.#elements(source, this.#nameOf(tensor, reading, source))
      return {
        ...told,
        dtype: type.as === 'bfloat16' ? 'bfloat16' : source.dtype.name,
        shape: source.shape,
        written,
      }
    }
    const bytes = reading.status === 'truncated' ? null : `${this.#stem(tensor)}.bin`
    const written = bytes === null ? null : await this.#bytes(tensor, bytes)
    return { ...told, dtype: type.as ?? type.name, shape: tensor.shape, written }
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
    if (wanted === undefined || shape.length === 0) return `${stem}.npy`
    const dims = shape.join('x')
    // What could not be turned says which layout it is still in.
    return reached(layout, wanted) ? `${stem}.${dims}.npy` : `${stem}.${layout}.${dims}.npy`
  }

  #stem({ io, index }: RawTensor): string {
    const { name, settings, header } = this.#ports
    return `${settings.kind === 'msnpy' ? scopeless(name, header.opName) : name}.${io}.${index}`
  }

  async #elements(layout: TensorLayout, long: string): Promise<string> {
    const { source, file, output, settings, job } = this.#ports
    const name = this.#name(long)
    const sink = output.create(name)
    let head = settings.kind === 'bin' ? [] : [npyHead(layout.dtype, layout.shape)]
    const { bytes } = layout.dtype
    const reader = tensorReader(source, layout, file)
    const piece = new Uint8Array(Math.min(Math.floor(pieceBytes / bytes), layout.size) * bytes)
    for (let first = 0; first < layout.size;) {
      const got = reader.read(first, piece)
      sink.write(...head, widened(layout.dtype, piece.subarray(0, got * bytes)))
      head = []
      first += got
      await job.breathe()
    }
    sink.write(...head)
    sink.close()
    return name
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

/** ND stands for the original order, whatever that is called. */
const reached = (layout: string, wanted: string): boolean =>
  layout === wanted || wanted === 'ND' || layout === 'ND'

/** The operation without its scopes, which its name of five parts has with `_` between. */
function scopeless(name: string, opName: string): string {
  const parts = name.split('.')
  const last = opName.split('/').at(-1) ?? ''
  return parts.length === 5 && last !== '' ? parts.with(1, last).join('.') : baseOf(name)
}
