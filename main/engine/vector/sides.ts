// The files of a side by what they hold: raw dumps by operation, TensorFlow's tensors by operation and output.
import {
  type ArrayFolder,
  type DumpFolder,
  fileNameOf,
  rawNameOf,
  type RawName,
  tensorNameOf,
} from '../formats/index.ts'
import { join } from '../io/index.ts'

export interface RawFile {
  readonly path: string
  readonly name: RawName
}

/** Raw dumps by the operation as file names spell it; of several the newest. */
export class RawSideFiles {
  readonly #byOp = new Map<string, RawFile>()

  constructor({ path, files, renamed }: Pick<DumpFolder, 'path' | 'files' | 'renamed'>) {
    const real = new Map(renamed)
    for (const file of files) {
      const name = rawNameOf(real.get(file) ?? file)
      if (!name || name.summary || name.opDebug) continue
      const known = this.#byOp.get(name.op)
      if (!known || known.name.time <= name.time) this.#byOp.set(name.op, { path: join(path, file), name })
    }
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
