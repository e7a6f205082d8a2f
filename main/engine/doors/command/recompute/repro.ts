// recompute --repro: one call as npy files and a script.
import { absolute } from '../../../io/index.ts'
import type { Dump } from '../../../model/index.ts'
import { findCall, writeRepro } from '../../../study/index.ts'
import { defaultOutput } from '../flags.ts'
import type { Tools } from '../tools.ts'
import { UsageError } from '../verb.ts'

export function reproFiles(
  name: string,
  given: string | undefined,
  dump: Dump,
  { files, written }: Tools,
): readonly string[] {
  if (!findCall(dump, name)) throw new UsageError('cli.usage.noCall', { name })
  const folder = absolute(given ?? defaultOutput)
  const paths = writeRepro(dump, { name, folder, chosen: given !== undefined, files })
  written(paths)
  return paths
}
