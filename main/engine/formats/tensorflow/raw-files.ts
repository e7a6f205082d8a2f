// The dumps of one step: which file holds which op's tensors, from their headers.
import { baseOf, type Files, join } from '../../io/index.ts'
import { type Problem, Refusal } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import {
  arrayAsRaw,
  joinSlices,
  type RawHeader,
  type RawName,
  rawNameOf,
  type RawSide,
  type RawTensor,
  readRawHeader,
  type SliceFile,
  sliceOf,
  unsliced,
} from '../npu/index.ts'
import type { TensorLayout } from '../tensors/tensor.ts'
import { tensorLayout } from '../tensors/tensor-file.ts'
import { decodedNameOf, type DecodedName, fileNameOf } from './names.ts'
import type { NamedFiles } from './reference.ts'

/** A tensor of a dump: in its raw file, in those of its slices, or as an array that was decoded from it. */
export interface Dumped {
  readonly path: string
  /** Null of an array that lies otherwise than a raw tensor would. */
  readonly raw: RawTensor | null
  /** Null of what is not decoded. */
  readonly array: TensorLayout | null
}

export interface RawFile {
  readonly path: string
  readonly file: string
  readonly said: RawName
  /** As the header has it, else as the file is called. */
  readonly op: string
  /** By their numbers: of arrays some may be missing. */
  readonly inputs: readonly (Dumped | undefined)[]
  readonly outputs: readonly (Dumped | undefined)[]
}

export class RawFiles {
  /** In the order of their times. */
  readonly all: readonly RawFile[]
  readonly problems: readonly Problem[]
  readonly #byOp = new Map<string, RawFile[]>()

  constructor(all: readonly RawFile[], problems: readonly Problem[]) {
    this.all = all
    this.problems = problems
    for (const one of all) {
      const known = this.#byOp.get(unsliced(one.said.op))
      if (known) known.push(one)
      else this.#byOp.set(unsliced(one.said.op), [one])
    }
  }

  /** The last dump of an op; names of files are those of several ops, so that the header's own name goes first. */
  find(called: string, type: string): RawFile | null {
    const name = unsliced(called)
    const found = this.#byOp.get(fileNameOf(name)) ?? []
    const named = found.filter(({ op }) => op === name)
    const likely = named.length > 0 ? named : found.filter(({ op, said }) => op === unsliced(said.op))
    return likely.findLast(({ said }) => said.type === type) ?? likely.at(-1) ?? null
  }
}

/** Overflow records are no dumps of ops. A file that cannot be read costs itself only. */
export async function readRawFiles(
  files: Files,
  folders: readonly NamedFiles[],
  job: Job,
): Promise<RawFiles> {
  const reader = new Reader(files)
  const total = folders.reduce((sum, folder) => sum + folder.files.length, 0)
  let done = 0
  for (const { path, files: named } of folders)
    for (const [file, name] of named) {
      job.report({ what: 'job.reading', done: done++, total, countedIn: 'files' })
      await job.breathe()
      await reader.add(join(path, file), name)
    }
  return reader.finish()
}

class Reader {
  readonly #files: Files
  readonly #found: RawFile[] = []
  readonly #problems: Problem[] = []
  readonly #slices = new Map<string, (SliceFile & Pick<RawFile, 'said' | 'op'>)[]>()
  readonly #decoded = new Map<string, DecodedFile[]>()

  constructor(files: Files) {
    this.#files = files
  }

  async add(path: string, name: string): Promise<void> {
    const part = decodedNameOf(name)
    const said = rawNameOf(part?.raw ?? name)
    if (!said || said.summary || said.opDebug) return
    if (part) {
      const known = this.#decoded.get(part.raw)
      if (known) known.push({ path, said, part })
      else this.#decoded.set(part.raw, [{ path, said, part }])
      return
    }
    try {
      const header = await headerOf(this.#files, path)
      this.#tell(header.problems)
      const op = unsliced(header.opName || said.op)
      if (sliceOf(said) === null) {
        this.#found.push({ path, file: baseOf(path), said, op, ...dumpedIn(path, header) })
        return
      }
      const key = `${said.type}.${unsliced(said.op)}`
      const known = this.#slices.get(key)
      if (known) known.push({ path, said, op, header })
      else this.#slices.set(key, [{ path, said, op, header }])
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#problems.push({ ...error.problem, severity: 'warning' })
    }
  }

  finish(): RawFiles {
    for (const slices of this.#slices.values()) {
      const { first, problems, ...tensors } = joinSlices(slices)
      this.#tell(problems)
      const { path } = first
      const { said, op } = slices[0]
      this.#found.push({ path, file: baseOf(path), said, op, ...dumpedIn(path, tensors) })
    }
    // Who has the raw file needs no array of it.
    const known = new Set(this.#found.map(({ said }) => said.op))
    for (const arrays of this.#decoded.values())
      if (!known.has(arrays[0].said.op)) this.#found.push(this.#arrays(arrays))
    return new RawFiles(
      this.#found.sort((a, b) => Number(a.said.time - b.said.time)),
      this.#problems,
    )
  }

  #arrays(arrays: readonly DecodedFile[]): RawFile {
    const [{ path, said, part }] = arrays
    const sides: Record<RawSide, (Dumped | undefined)[]> = { input: [], output: [] }
    // What was turned when it was decoded goes before what lies as the device has it.
    for (const one of arrays.toSorted((a, b) => a.part.shape.length - b.part.shape.length))
      sides[one.part.io][one.part.index] = this.#array(one) ?? sides[one.part.io][one.part.index]
    return { path, file: part.raw, said, op: said.op, inputs: sides.input, outputs: sides.output }
  }

  #array({ path, part }: DecodedFile): Dumped | undefined {
    try {
      const handle = this.#files.open(path)
      try {
        const array = tensorLayout(handle, path)
        return { path, raw: arrayAsRaw(part, array, null), array }
      } finally {
        handle.close()
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#problems.push({ ...error.problem, severity: 'warning' })
      return undefined
    }
  }

  #tell(problems: readonly Problem[]): void {
    this.#problems.push(...problems.map(one => ({ ...one, severity: 'warning' as const })))
  }
}

interface DecodedFile {
  readonly path: string
  /** Of the raw file that it came from. */
  readonly said: RawName
  readonly part: DecodedName
}

const dumpedIn = (
  path: string,
  { inputs, outputs }: Pick<RawHeader, 'inputs' | 'outputs'>,
): Pick<RawFile, 'inputs' | 'outputs'> => {
  const dumped = (raw: RawTensor): Dumped => ({ path, raw, array: null })
  return { inputs: inputs.map(dumped), outputs: outputs.map(dumped) }
}

async function headerOf(files: Files, path: string): Promise<RawHeader> {
  const handle = files.open(path)
  try {
    return await readRawHeader(handle, path)
  } finally {
    handle.close()
  }
}
