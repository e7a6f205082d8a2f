// Loose tensors: a .npy, .npz or .pt file as the dump of a single call with a single output.
import { msprobeNames } from '../../names/index.ts'
import { baseOf, dirOf, type Files } from '../../io/index.ts'
import { type Dump, emptyDump, State, TextPool } from '../../model/index.ts'
import { DumpColumns, noneCell } from '../dump-columns.ts'
import { type FormatOf, placeAt } from '../format.ts'
import { growing } from '../growing.ts'
import { folderTensors } from './folder.ts'
import { tensorLayout } from './tensor.ts'

export const tensors: FormatOf<'dump'> = {
  id: 'tensors',
  holds: 'dump',
  find: at => (at.kind !== 'folder' && /\.(?:npy|npz|pt)$/i.test(at.name) ? placeAt(at.path) : null),
  open: ({ path }, { files }) => growing(() => Promise.resolve(tensorDump(files, path))),
  // Whatever the files are called.
  meet: (_, bench) => Int32Array.of(bench.items.length === 0 ? -1 : 0),
}

function tensorDump(files: Files, path: string): Dump {
  const handle = files.open(path)
  try {
    const layout = tensorLayout(handle, path)
    const texts = new TextPool()
    const columns = new DumpColumns()
    const name = texts.add(baseOf(path))
    columns.addItem({
      name,
      state: State.output,
      type: -1,
      dtype: texts.add(layout.dtype.name),
      shape: texts.add(`[${layout.shape.join(', ')}]`),
      stats: [noneCell, noneCell, noneCell, noneCell],
      md5: -1,
      dataName: name,
      requiresGrad: 2,
      tensor: 1,
    })
    columns.addOp(name, 0, 0)
    const blank = emptyDump({
      header: { task: 'tensor', level: '', framework: '', hasMd5: false },
      names: msprobeNames,
    })
    const tables = columns.tables()
    return {
      ...blank,
      texts,
      ...tables,
      dir: dirOf(path),
      tensors: folderTensors(dirOf(path), tables.items, texts),
    }
  } finally {
    handle.close()
  }
}
