// recompute --repro: one call as npy files and a script.
import { absolute, join, openOutput, quickFiles } from '../../../io/index.ts'
import { type Dump, problem, Refusal } from '../../../model/index.ts'
import {
  callsOf,
  Orders,
  reproOf,
  type ReproFile,
  Unsupported,
  usualLimit,
} from '../../../recompute/index.ts'
import { defaultOutput } from '../flags.ts'
import type { Tools } from '../tools.ts'
import { UsageError } from '../verb.ts'

export function writeRepro(
  name: string,
  given: string | undefined,
  dump: Dump,
  tools: Tools,
): readonly string[] {
  const wanted = name.replace(/\.(?:forward|backward)$/, '')
  const call = callsOf(dump).find(one => one.call === wanted)
  if (!call) throw new UsageError('cli.usage.noCall', { name })
  const orders = new Orders(tools.files, dump, usualLimit)
  let files: readonly ReproFile[]
  try {
    files = reproOf(quickFiles(tools.files.roots()), orders.of(call))
  } catch (error) {
    if (error instanceof Unsupported)
      throw new Refusal(
        problem('repro-impossible', dump.file, { name, reason: `${error.reason} ${error.detail}`.trim() }),
      )
    throw error
  } finally {
    orders.close()
  }
  const output = openOutput(join(absolute(given ?? defaultOutput), wanted), [dump.dir], given !== undefined)
  try {
    for (const file of files) output.create(file.name).write(file.bytes)
    const paths = output.commit()
    tools.written(paths)
    return paths
  } finally {
    output.abandon()
  }
}
