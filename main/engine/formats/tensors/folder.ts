// Tensors as one file each in one folder, named by the items.
import {
  type ItemTable,
  noTensors,
  type TensorRef,
  type TensorStore,
  type TextPool,
} from '../../model/index.ts'

/** A name from a dump never leads out of its folder; '' for one that would, and where there is no folder. */
export const inFolder = (folder: string, name: string): string =>
  folder === '' || name === '' || name === '.' || name === '..' || /[\\/\0]/.test(name)
    ? ''
    : `${folder}/${name}`

export class FolderTensors implements TensorStore {
  readonly place: string
  readonly #items: Pick<ItemTable, 'dataName' | 'dtype'>
  readonly #texts: TextPool

  constructor(folder: string, items: Pick<ItemTable, 'dataName' | 'dtype'>, texts: TextPool) {
    this.place = folder
    this.#items = items
    this.#texts = texts
  }

  ref(item: number): TensorRef | null {
    const name = this.#items.dataName[item] ?? -1
    const file = name < 0 ? '' : inFolder(this.place, this.#texts.get(name))
    if (file === '') return null
    const dtype = this.#items.dtype[item]
    return { file, dtype: dtype < 0 ? '' : this.#texts.get(dtype) }
  }
}

export const folderTensors = (
  folder: string,
  items: Pick<ItemTable, 'dataName' | 'dtype'>,
  texts: TextPool,
): TensorStore => (folder === '' ? noTensors : new FolderTensors(folder, items, texts))
