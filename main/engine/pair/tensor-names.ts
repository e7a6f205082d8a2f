// Which two tensor files an item pair is compared by: names as dumped, or as msprobe looks them up.
import { inFolder } from '../formats/index.ts'
import type { BenchItem, DebugItem, Dump, ItemRow, TensorRef } from '../model/index.ts'
import type { Deviations } from '../rules/index.ts'

interface FilePair {
  readonly debug: TensorRef | null
  readonly bench: TensorRef | null
}

export const isTorchFile = (ref: TensorRef | null): boolean => ref?.file.endsWith('.pt') ?? false

/**
 * The values of both sides of an item pair, null for what must not or cannot be read; null as a whole where an
 * item has none. `extension`: the debug file is named after its item.
 */
export function filePairs(
  debug: Dump,
  bench: Dump,
  deviates: Deviations,
  extension = '',
): (item: DebugItem, other: BenchItem) => FilePair | null {
  const plain = (name: string): boolean => deviates['file-letters'] || plainLetters.test(name)
  const named = (dump: Dump, item: ItemRow): TensorRef | null =>
    plain(dump.texts.get(dump.items.dataName[item])) ? dump.tensors.ref(item) : null
  const debugRef = (item: DebugItem): TensorRef | null =>
    extension === '' ? named(debug, item) : namedAfterItem(debug, item, extension, plain)
  return (item, other) => {
    if (debug.items.dataName[item] < 0 || bench.items.dataName[other] < 0) return null
    if (!deviates['bench-file-name'] && !findsItself(bench, other)) return null
    return { debug: debugRef(item), bench: named(bench, other) }
  }
}

const plainLetters = /^[\w.:/-]+$/
const parts = /\.(input|output|kwargs|parameters|parameters_grad)\./

/**
 * Whether msprobe, which cuts the name of an item at words such as `input` and walks the dump along the rest,
 * gets to the item.
 */
function findsItself(dump: Dump, item: ItemRow): boolean {
  const [op, part = '', ...rest] = dump.texts.get(dump.items.name[item]).split(parts)
  if (rest.length !== 1 || (part.startsWith('parameters') && rest[0].includes('.'))) return false
  return (
    dump.texts.get(dump.ops.name[dump.items.op[item]]) === (part === 'parameters_grad' ? `${op}.${part}` : op)
  )
}

function namedAfterItem(
  { items, texts, tensors }: Dump,
  item: ItemRow,
  extension: string,
  plain: (name: string) => boolean,
): TensorRef | null {
  const name = texts.get(items.name[item]) + extension
  const file = plain(name) ? inFolder(tensors.place, name) : ''
  return file === '' ? null : { file, dtype: items.dtype[item] < 0 ? '' : texts.get(items.dtype[item]) }
}
