// The calls of a dump, each with both of its directions, as plain data that any thread can work on.
import { RawReader } from '../formats/index.ts'
import type { Files } from '../io/index.ts'
import { Direction, type Dump, type OpRow } from '../model/index.ts'
import type { CallOrder } from './call.ts'

/** Where a call stands in its dump. */
export interface CallOps {
  readonly call: string
  readonly type: string
  readonly path: string
  /** Rows of its directions, -1 for none. */
  forward: number
  backward: number
}

/** The calls of functions, in the order of the dump; those of modules are made of these. */
export function callsOf(dump: Dump): readonly CallOps[] {
  const calls = new Map<string, CallOps>()
  // What other formats write down of a call are no arguments.
  if (dump.names.id !== 'msprobe' || dump.raw?.form !== 'json') return []
  for (let op = 0; op < dump.ops.length; op++) {
    const name = dump.names.parse(dump.texts.get(dump.ops.name[op as OpRow]))
    if (name.form !== 'api' || name.direction === Direction.gradients) continue
    const call = `${name.owner}.${name.call}`
    let known = calls.get(call)
    if (!known) {
      known = { call, type: name.type, path: name.path, forward: -1, backward: -1 }
      calls.set(call, known)
    }
    if (name.direction === Direction.forward) known.forward = op
    else known.backward = op
  }
  return [...calls.values()]
}

export class Orders {
  readonly #raw: RawReader
  readonly #dump: Dump
  readonly #limit: number

  constructor(files: Files, dump: Dump, limit: number) {
    this.#raw = new RawReader(files, dump)
    this.#dump = dump
    this.#limit = limit
  }

  of({ call, type, path, forward, backward }: CallOps): CallOrder {
    return {
      call,
      type,
      path,
      mindspore: this.#dump.header.framework === 'mindspore',
      forward: forward < 0 ? '' : this.#raw.text(forward),
      backward: backward < 0 ? '' : this.#raw.text(backward),
      folder: this.#dump.tensors.place,
      limit: this.#limit,
    }
  }

  close(): void {
    this.#raw.close()
  }
}
