// TensorFlow's own tensors of a run: which files hold them, with the type and shape of each.
import { type Files, join } from '../../io/index.ts'
import { type Problem, Refusal } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { tensorLayout } from '../tensors/tensor-file.ts'
import { fileNameOf, tensorNameOf } from './names.ts'

export interface ReferenceTensor {
  readonly path: string
  readonly dtype: string
  readonly shape: readonly number[]
  /** The op as the file has it, and the output of it. */
  readonly op: string
  readonly output: number
}

/** Files of one folder under the names that they should have. */
export interface NamedFiles {
  readonly path: string
  readonly files: readonly (readonly [file: string, name: string])[]
}

export class References {
  readonly problems: readonly Problem[]
  readonly #byName: ReadonlyMap<string, ReferenceTensor>

  constructor(byName: ReadonlyMap<string, ReferenceTensor>, problems: readonly Problem[]) {
    this.#byName = byName
    this.problems = problems
  }

  /** The newest file of an output, by the op's own name. */
  find(op: string, output: number): ReferenceTensor | null {
    return this.#byName.get(keyOf(op, output)) ?? null
  }

  all(): Iterable<ReferenceTensor> {
    return this.#byName.values()
  }

  /** Nothing is held open. */
  close(): void {}
}

const keyOf = (op: string, output: number): string => `${fileNameOf(op)}.${output}`

/** Reads the headers; a file that cannot be read costs itself only. */
export async function readReferences(
  files: Files,
  folders: readonly NamedFiles[],
  job: Job,
): Promise<References> {
  const newest = new Map<string, { path: string; time: string; op: string; output: number }>()
  for (const folder of folders)
    for (const [file, name] of folder.files) {
      const said = tensorNameOf(name)
      if (!said) continue
      const known = newest.get(keyOf(said.op, said.output))
      if (!known || later(said.time, known.time))
        newest.set(keyOf(said.op, said.output), { ...said, path: join(folder.path, file) })
    }
  const found = new Map<string, ReferenceTensor>()
  const problems: Problem[] = []
  for (const [key, { path, op, output }] of newest) {
    job.report({ what: 'job.reading', done: found.size, total: newest.size, countedIn: 'files' })
    await job.breathe()
    try {
      found.set(key, { path, op, output, ...headOf(files, path) })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problems.push({ ...error.problem, severity: 'warning' })
    }
  }
  return new References(found, problems)
}

/** Times are decimal texts without leading zeros. */
const later = (a: string, b: string): boolean => (a.length === b.length ? a > b : a.length > b.length)

function headOf(files: Files, path: string): Pick<ReferenceTensor, 'dtype' | 'shape'> {
  const handle = files.open(path)
  try {
    const { dtype, shape } = tensorLayout(handle, path)
    return { dtype: dtype.name, shape }
  } finally {
    handle.close()
  }
}
