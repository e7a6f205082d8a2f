// A dump with nothing in it: the bench side where there is none.
import { TextPool, type Cells } from './columns.ts'
import type { Dump } from './dump.ts'

const noCells = (): Cells => ({ kind: new Uint8Array(0), value: new Float64Array(0) })

/** An empty dump with the header of another, so that the two can be compared. */
export function emptyLike({ header }: Pick<Dump, 'header'>): Dump {
  const none = new Uint32Array(0)
  const codes = new Int32Array(0)
  return {
    files: { dir: '', dump: '', stack: '', construct: '', tensors: '' },
    header,
    texts: new TextPool(),
    ops: { length: 0, name: none, from: new Float64Array(0), to: new Float64Array(0), first: new Uint32Array(1) },
    items: {
      length: 0, op: none, name: none, state: new Uint8Array(0), type: codes, dtype: codes, shape: codes,
      max: noCells(), min: noCells(), mean: noCells(), norm: noCells(), md5: codes, dataName: codes, requiresGrad: new Uint8Array(0), tensor: new Uint8Array(0),
    },
    stacks: { length: 0, of: () => -1, frames: () => [] },
    construct: { length: 0, child: none, parent: codes, micro: codes, microSteps: 0, find: () => -1 },
    partial: false,
    problems: [],
  }
}
