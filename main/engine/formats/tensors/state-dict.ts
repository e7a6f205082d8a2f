// A checkpoint of torch.save: its tensors by name, and the numbers of an object beside them. Nothing is executed.
import { zipEntries } from '../../io/index.ts'
import { problem, Refusal } from '../../model/index.ts'
import { Call } from './pickle.ts'
import { formerPtContents, looksLikeFormerPt, ptContents } from './pt.ts'
import type { ByteSource, TensorLayout } from './tensor.ts'
import { storedLayout } from './tensor-file.ts'

export interface StateDict {
  /** By the keys that lead to them, in the file's order. */
  readonly tensors: ReadonlyMap<string, TensorLayout>
  /** Keys of the file's dictionary. */
  readonly keys: ReadonlySet<string>
  /** A number of the object under a key; null where it is none, undefined where there is no such object. */
  attribute(key: string, name: string): number | null | undefined
}

export function openStateDict(source: ByteSource, file: string): StateDict {
  const head = new Uint8Array(16)
  source.read(0, head)
  const { value, tensors } = looksLikeFormerPt(head)
    ? formerPtContents(source, file)
    : ptContents(source, zipEntries(source, file), file)
  if (!(value instanceof Map)) throw new Refusal(problem('pt-invalid', file, { reason: 'no-dict' }))
  return {
    tensors: new Map(tensors.map(tensor => [tensor.name, storedLayout(source, tensor, file)])),
    keys: new Set([...value.keys()].filter(key => typeof key === 'string')),
    attribute(key, name) {
      const owner = value.get(key)
      const state = owner instanceof Call ? owner.state : owner
      if (!(state instanceof Map)) return undefined
      const found = state.get(name)
      return typeof found === 'number' ? found : null
    },
  }
}
