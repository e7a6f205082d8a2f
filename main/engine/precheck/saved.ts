// Outputs that failed, as run_ut and acc_check keep them beside their tables: the device's and the CPU's, pair by pair.
import { dirOf, type Files, join, seenIn } from '../io/index.ts'
import type { SavedPair } from '../model/index.ts'

const folderName = /^(?:ut_error_data\d*|error_data)$/
const rowName = /^(.+?)\.(forward|backward)(?:\.output\.(\d+))?/s
const deviceName = /^(.+)\.(forward|backward)\.output\.device(\..+)?\.pt$/s

export class SavedErrors {
  readonly #pairs = new Map<string, SavedPair[]>()

  /** Looks beside these tables. */
  constructor(tables: readonly string[], files: Files) {
    const folders = new Set(tables.map(dirOf))
    for (const folder of folders)
      for (const { name, kind } of seenIn(files, folder))
        if (kind === 'folder' && folderName.test(name)) this.#take(files, join(folder, name))
  }

  /** Of `Torch.mul.0.forward.output.0` that output's, of `Torch.mul.0` all. */
  of(row: string): readonly SavedPair[] {
    const [, call = row, direction, index] = rowName.exec(row) ?? []
    const pairs = (this.#pairs.get(call) ?? []).filter(
      ({ name }) => direction === undefined || name.startsWith(`${call}.${direction}.`),
    )
    // A single output is kept without a number.
    if (index === undefined || pairs.length === 1) return pairs
    return pairs.filter(({ name }) => name.endsWith(`.output.${index}`))
  }

  #take(files: Files, folder: string): void {
    const names = new Set(seenIn(files, folder).map(({ name }) => name))
    for (const name of names) {
      const [, call, direction, rest = ''] = deviceName.exec(name) ?? []
      if (call === undefined || direction === undefined) continue
      const bench = `${call}.${direction}.output.bench${rest}.pt`
      if (!names.has(bench)) continue
      const pair = {
        name: `${call}.${direction}.output${rest}`,
        device: join(folder, name),
        bench: join(folder, bench),
      }
      const known = this.#pairs.get(call)
      if (known) known.push(pair)
      else this.#pairs.set(call, [pair])
    }
  }
}
