// The files of a side by what they hold: dumps of the NPU, raw or decoded, by operation; TensorFlow's tensors by operation and output.
import {
  type ArrayFolder,
  type DecodedName,
  decodedNameOf,
  fileNameOf,
  rawNameOf,
  type RawName,
  sliceOf,
  tensorNameOf,
  unsliced,
} from '../formats/index.ts'
import { join } from '../io/index.ts'

/** A folder with dumps of the NPU: raw files, or the tensors that were decoded from them. */
export interface NpuFolder extends ArrayFolder {
  /** Whose ops they are; '' where the path does not say it. */
  readonly graph: string
}

/** One tensor that was decoded from a raw file. */
export interface DecodedFile extends Pick<DecodedName, 'io' | 'index'> {
  readonly path: string
  /** '' where it lies as the device had it. */
  readonly shape: string
}

/** What was turned when it was decoded goes before what was not. */
function putDecoded(files: DecodedFile[], one: DecodedFile): void {
  const at = files.findIndex(({ io, index }) => io === one.io && index === one.index)
  if (at < 0) files.push(one)
  else if (one.shape !== '') files[at] = one
}

export interface RawFile {
  readonly path: string
  readonly name: RawName
  /** In place of the raw file, which is not there; null: it is. */
  readonly decoded: DecodedFile[] | null
  /** Of an operation that was cut into slices: all its files; null of a whole one. */
  readonly slices: SlicedFile[] | null
}

export interface SlicedFile {
  readonly path: string
  readonly name: RawName
}

/** What is cut by threads has the same name in all of them. */
const sliceName = (op: string, slice: number): string =>
  op.includes('_lxslice') ? op : `${op}_thread${slice}`

/** Dumps by the operation as file names spell it; of several the newest. `apart`: each slice of an operation is one of its own. */
export class RawSideFiles {
  readonly #byOp = new Map<string, RawFile>()
  readonly #apart: boolean

  constructor({ path, files, renamed }: NpuFolder, apart = false) {
    const real = new Map(renamed)
    this.#apart = apart
    for (const file of files) this.#add(join(path, file), real.get(file) ?? file)
  }

  #add(path: string, called: string): void {
    const part = decodedNameOf(called)
    const name = rawNameOf(part?.raw ?? called)
    if (!name || name.summary || name.opDebug) return
    const slice = sliceOf(name)
    const op = slice !== null && this.#apart ? sliceName(name.op, slice) : unsliced(name.op)
    const known = this.#byOp.get(op)
    if (!part && slice !== null && !this.#apart) {
      const slices = known?.slices ?? []
      slices.push({ path, name })
      if (!known?.slices) this.#byOp.set(op, { path, name: { ...name, op }, decoded: null, slices })
      return
    }
    if (known && (known.slices ?? known.name.time > name.time)) return
    if (!part) {
      this.#byOp.set(op, { path, name: this.#apart ? { ...name, op } : name, decoded: null, slices: null })
      return
    }
    const same =
      known?.name.time === name.time ? known : { path, name: { ...name, op }, decoded: [], slices: null }
    if (same.decoded) putDecoded(same.decoded, { path, ...part })
    this.#byOp.set(op, same)
  }

  /** Arrays have no address on the device. */
  get decoded(): boolean {
    return [...this.#byOp.values()].some(({ decoded }) => decoded !== null)
  }

  of(op: string): RawFile | undefined {
    return this.#byOp.get(this.#apart ? fileNameOf(op) : unsliced(fileNameOf(op)))
  }

  /** In the order in which they were written. */
  inTime(): readonly RawFile[] {
    return [...this.#byOp.values()].toSorted((a, b) => Number(a.name.time - b.name.time))
  }
}

/** TensorFlow's tensors by operation and output; of several the newest. */
export class ArraySideFiles {
  readonly #byTensor = new Map<string, { readonly path: string; readonly time: bigint }>()

  constructor({ path, files, renamed }: ArrayFolder) {
    const real = new Map(renamed)
    for (const file of files) {
      const name = tensorNameOf(real.get(file) ?? file)
      if (!name) continue
      const key = `${fileNameOf(name.op)}.${name.output}`
      const time = BigInt(name.time)
      const known = this.#byTensor.get(key)
      if (!known || known.time <= time) this.#byTensor.set(key, { path: join(path, file), time })
    }
  }

  of(op: string, output: number): string | undefined {
    return this.#byTensor.get(`${fileNameOf(op)}.${output}`)?.path
  }
}
