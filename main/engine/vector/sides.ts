// The files of a side by what they hold: dumps of the NPU, raw or decoded, by operation; TensorFlow's tensors by operation and output.
import {
  type ArrayFolder,
  decodedNameOf,
  fileNameOf,
  rawNameOf,
  type RawName,
  tensorNameOf,
} from '../formats/index.ts'
import { join } from '../io/index.ts'

/** A folder with dumps of the NPU: raw files, or the tensors that were decoded from them. */
export interface NpuFolder extends ArrayFolder {
  /** Whose ops they are; '' where the path does not say it. */
  readonly graph: string
}

/** One tensor that was decoded from a raw file. */
export interface DecodedFile {
  readonly path: string
  readonly io: 'input' | 'output'
  readonly index: number
}

export interface RawFile {
  readonly path: string
  readonly name: RawName
  /** In place of the raw file, which is not there; null: it is. */
  readonly decoded: DecodedFile[] | null
}

/** Dumps by the operation as file names spell it; of several the newest. */
export class RawSideFiles {
  readonly #byOp = new Map<string, RawFile>()

  constructor({ path, files, renamed }: NpuFolder) {
    const real = new Map(renamed)
    for (const file of files) this.#add(join(path, file), real.get(file) ?? file)
  }

  #add(path: string, called: string): void {
    const part = decodedNameOf(called)
    const name = rawNameOf(part?.raw ?? called)
    if (!name || name.summary || name.opDebug) return
    const known = this.#byOp.get(name.op)
    if (known && known.name.time > name.time) return
    if (!part) {
      this.#byOp.set(name.op, { path, name, decoded: null })
      return
    }
    const same = known?.name.time === name.time ? known : { path, name, decoded: [] }
    same.decoded?.push({ path, io: part.io, index: part.index })
    this.#byOp.set(name.op, same)
  }

  /** Arrays have no address on the device. */
  get decoded(): boolean {
    return [...this.#byOp.values()].some(({ decoded }) => decoded !== null)
  }

  of(op: string): RawFile | undefined {
    return this.#byOp.get(fileNameOf(op))
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
