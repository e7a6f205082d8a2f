// Writes one call as npy files and a script that runs it on the CPU and on a device.
import { type Files, join, openOutput, quickFiles } from '../io/index.ts'
import { type Dump, problem, Refusal, usualLimit } from '../model/index.ts'
import { callsOf, Orders, reproOf, type ReproFile, Unsupported } from '../recompute/index.ts'

interface ReproOrder {
  /** A call, or one of its directions. */
  readonly name: string
  /** A folder of the call's name is made in it. */
  readonly folder: string
  /** The user chose the folder: files there are replaced. */
  readonly chosen?: boolean
  readonly files: Files
}

/** Null where there is no such call. */
export function findCall(dump: Dump, name: string): ReturnType<typeof callsOf>[number] | null {
  const wanted = name.replace(/\.(?:forward|backward)$/, '')
  return callsOf(dump).find(one => one.call === wanted) ?? null
}

/** The paths of what was written; refuses where the arguments are not all there. */
export function writeRepro(
  dump: Dump,
  { name, folder, chosen = true, files }: ReproOrder,
): readonly string[] {
  const call = findCall(dump, name)
  if (!call) throw impossible(dump, name, new Unsupported('module'))
  const orders = new Orders(files, dump, usualLimit)
  let found: readonly ReproFile[]
  try {
    found = reproOf(quickFiles(files.roots()), orders.of(call))
  } catch (error) {
    throw error instanceof Unsupported ? impossible(dump, name, error) : error
  } finally {
    orders.close()
  }
  const output = openOutput(join(folder, call.call), [dump.dir], chosen)
  try {
    for (const file of found) output.create(file.name).write(file.bytes)
    return output.commit()
  } finally {
    output.abandon()
  }
}

const impossible = (dump: Dump, name: string, { reason }: Unsupported): Refusal =>
  new Refusal(problem('repro-impossible', dump.file, { name, reason }))
