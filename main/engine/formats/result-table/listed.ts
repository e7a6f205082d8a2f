// A table of which each row is one item: the same row on both sides.
import { msprobeNames } from '../../names/index.ts'
import { type Dump, emptyDump, TextPool } from '../../model/index.ts'
import { DumpColumns, noneCell } from '../dump-columns.ts'

export interface ListedItem {
  readonly name: string
  readonly debugType: string
  readonly benchType: string
  readonly shape: string
}

export function listedDumps(
  path: string,
  length: number,
  item: (row: number) => ListedItem,
): { readonly debug: Dump; readonly bench: Dump } {
  const side = (typeOf: (item: ListedItem) => string): Dump => {
    const columns = new DumpColumns()
    const texts = new TextPool()
    // A tensor has a type and a shape, even where a table leaves them out.
    const told = (text: string): number => texts.add(text.trim())
    let before = -1
    for (let row = 0; row < length; row++) {
      const one = item(row)
      const split = msprobeNames.item(one.name)
      const op = texts.add(split.op)
      if (before >= 0 && before !== op) columns.addOp(before, 0, 0)
      before = op
      columns.addItem({
        name: texts.add(one.name),
        state: split.state,
        type: -1,
        dtype: told(typeOf(one)),
        shape: told(one.shape),
        stats: [noneCell, noneCell, noneCell, noneCell],
        md5: -1,
        // No file is named; the row keeps numbers apart.
        dataName: texts.add(String(row)),
        requiresGrad: 2,
        tensor: 1,
      })
    }
    if (before >= 0) columns.addOp(before, 0, 0)
    const blank = emptyDump({
      header: { task: 'tensor', level: 'L1', framework: '', hasMd5: false },
      names: msprobeNames,
    })
    return { ...blank, texts, ...columns.tables(), dir: path }
  }
  return { debug: side(one => one.debugType), bench: side(one => one.benchType) }
}
