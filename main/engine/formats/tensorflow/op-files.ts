// Which files hold the tensors of an operator: its raw dumps, and those of the reference that it stands for.
import { join } from '../../io/index.ts'
import type { GeLookup } from '../ge/index.ts'
import { rawNameOf, unsliced } from '../npu/index.ts'
import { decodedNameOf, fileNameOf, tensorNameOf } from './names.ts'
import type { ArrayFolder, NpuSide } from './tree.ts'

export interface OpFiles {
  /** Paths, of the newest run. */
  readonly npuDump: readonly string[]
  /** Names of files, in the order of their times. */
  readonly tfDumpOutput: readonly string[]
}

export function filesOfOp(
  lookup: GeLookup,
  op: number,
  side: NpuSide,
  reference: readonly ArrayFolder[],
): OpFiles {
  const sources = lookup.outputs(op).flatMap(({ source }) => (source ? [source.op] : []))
  const found = referenceOf(sources, reference)
  return {
    npuDump: dumpsOf(lookup, op, side),
    tfDumpOutput: found.length > 0 ? found : referenceOf([lookup.name(op)], reference),
  }
}

function referenceOf(names: readonly string[], folders: readonly ArrayFolder[]): string[] {
  const wanted = new Set(names.map(fileNameOf))
  return folders
    .flatMap(({ files, renamed }) => {
      const real = new Map(renamed)
      return files.flatMap(file => {
        const tensor = tensorNameOf(real.get(file) ?? file)
        return tensor && wanted.has(fileNameOf(tensor.op)) ? [{ file, tensor }] : []
      })
    })
    .toSorted((a, b) => a.tensor.output - b.tensor.output || (a.tensor.time < b.tensor.time ? -1 : 1))
    .map(({ file }) => file)
}

function dumpsOf(lookup: GeLookup, op: number, { runs }: NpuSide): string[] {
  const [name, type, graph] = [fileNameOf(unsliced(lookup.name(op))), lookup.type(op), lookup.graph(op)]
  return (runs[0]?.folders ?? [])
    .filter(folder => folder.graph === '' || folder.path.includes(graph))
    .flatMap(({ path, files, renamed }) => {
      const real = new Map(renamed)
      return files.flatMap(file => {
        const called = real.get(file) ?? file
        const raw = rawNameOf(decodedNameOf(called)?.raw ?? called)
        return raw && unsliced(raw.op) === name && raw.type === type ? [join(path, file)] : []
      })
    })
}
