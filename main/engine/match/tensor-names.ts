// Which two tensor files an item pair is compared by: names as dumped, or as msprobe looks them up.
import type { Dump } from '../dump.ts'
import type { Ways } from './rules.ts'

export interface FilePair { readonly debug: string; readonly bench: string }

/** Paths of both sides, '' for a file that must not or cannot be read; null where an item has none. `extension`: the debug file is named after its item. */
export function filePair(debug: Dump, item: number, bench: Dump, other: number, ways: Ways, extension = ''): FilePair | null {
  const [mine, theirs] = [debug.items.dataName[item], bench.items.dataName[other]]
  if (mine < 0 || theirs < 0 || (!ways['bench-file-name'] && !findsItself(bench, other))) return null
  const name = extension === '' ? debug.texts.get(mine) : debug.texts.get(debug.items.name[item]) + extension
  return { debug: pathOf(debug, name, ways), bench: pathOf(bench, bench.texts.get(theirs), ways) }
}

const plainLetters = /^[\w.:/-]+$/
const parts = /\.(input|output|kwargs|parameters|parameters_grad)\./

/** Whether msprobe, which cuts the name of an item at words such as `input` and walks the dump along the rest, gets to the item. */
function findsItself(dump: Dump, item: number): boolean {
  const [op, part = '', ...rest] = dump.texts.get(dump.items.name[item]).split(parts)
  if (rest.length !== 1 || (part.startsWith('parameters') && rest[0].includes('.'))) return false
  return dump.texts.get(dump.ops.name[dump.items.op[item]]) === (part === 'parameters_grad' ? `${op}.${part}` : op)
}

const pathOf = (dump: Dump, name: string, ways: Ways): string => (ways['file-letters'] || plainLetters.test(name) ? inFolder(dump, name) : '')

/** A name never leads out of the tensor folder. In a finished result, which has none, it stands for itself. */
export function inFolder({ files: { dump, tensors } }: Dump, name: string): string {
  if (/[\\/\0]/.test(name) || name === '..') return ''
  return tensors !== '' ? `${tensors}/${name}` : dump === '' ? name : ''
}
