// The raw dumps of one step: which file holds which op's tensors, from their headers.
import { type Files, join } from '../../io/index.ts'
import { type Problem, Refusal } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { rawNameOf, readRawHeader, type RawName, type RawTensor } from '../npu/index.ts'
import { fileNameOf } from './names.ts'
import type { NamedFiles } from './reference.ts'

export interface RawFile {
  readonly path: string
  readonly file: string
  readonly said: RawName
  /** As the header has it, else as the file is called. */
  readonly op: string
  readonly inputs: readonly RawTensor[]
  readonly outputs: readonly RawTensor[]
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
      const known = this.#byOp.get(one.said.op)
      if (known) known.push(one)
      else this.#byOp.set(one.said.op, [one])
    }
  }

  /** The last dump of an op; names of files are those of several ops, so that the header's own name goes first. */
  find(name: string, type: string): RawFile | null {
    const found = this.#byOp.get(fileNameOf(name)) ?? []
    const named = found.filter(({ op }) => op === name)
    const likely = named.length > 0 ? named : found.filter(({ op, said }) => op === said.op)
    return likely.findLast(({ said }) => said.type === type) ?? likely.at(-1) ?? null
  }
}

/** Overflow records are no dumps of ops. A file that cannot be read costs itself only. */
export async function readRawFiles(
  files: Files,
  { path, files: named }: NamedFiles,
  job: Job,
): Promise<RawFiles> {
  const found: RawFile[] = []
  const problems: Problem[] = []
  for (const [at, [file, name]] of named.entries()) {
    job.report({ what: 'job.reading', done: at, total: named.length, countedIn: 'files' })
    await job.breathe()
    const said = rawNameOf(name)
    if (!said || said.summary || said.opDebug) continue
    const where = join(path, file)
    try {
      const { opName, inputs, outputs, problems: more } = await headerOf(files, where)
      problems.push(...more.map(one => ({ ...one, severity: 'warning' as const })))
      found.push({ path: where, file, said, op: opName || said.op, inputs, outputs })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problems.push({ ...error.problem, severity: 'warning' })
    }
  }
  return new RawFiles(
    found.sort((a, b) => Number(a.said.time - b.said.time)),
    problems,
  )
}

async function headerOf(files: Files, path: string) {
  const handle = files.open(path)
  try {
    return await readRawHeader(handle, path)
  } finally {
    handle.close()
  }
}
