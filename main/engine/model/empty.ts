// A dump with nothing in it: where a format that fills only some of the columns begins.
import { TextPool, type Cells } from './columns.ts'
import type { Dump } from './dump.ts'
import { noTensors } from './tensor-store.ts'

const noCells = (): Cells => ({ kind: new Uint8Array(0), value: new Float64Array(0) })

export function emptyDump({ header, names }: Pick<Dump, 'header' | 'names'>): Dump {
  const none = new Uint32Array(0)
  const codes = new Int32Array(0)
  return {
    dir: '',
    file: '',
    raw: null,
    header,
    texts: new TextPool(),
    names,
    ops: {
      length: 0,
      name: none,
      from: new Float64Array(0),
      to: new Float64Array(0),
      first: new Uint32Array(1),
    },
    items: {
      length: 0,
      op: none,
      name: none,
      state: new Uint8Array(0),
      type: codes,
      dtype: codes,
      shape: codes,
      max: noCells(),
      min: noCells(),
      mean: noCells(),
      norm: noCells(),
      md5: codes,
      dataName: codes,
      requiresGrad: new Uint8Array(0),
      tensor: new Uint8Array(0),
    },
    stacks: { file: '', length: 0, of: () => -1, frames: () => [] },
    construct: {
      file: '',
      length: 0,
      child: none,
      parent: codes,
      micro: codes,
      microSteps: 0,
      find: () => -1,
    },
    edges: null,
    tensors: noTensors,
    partial: false,
    problems: [],
  }
}
