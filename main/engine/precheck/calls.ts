// The calls of open dumps by the names that tables of verdicts have for them.
import { type Dump, type NodeRef, opName, type OpRow, type Side, sides } from '../model/index.ts'
import type { VerdictCall } from './verdicts.ts'

const module = /^(?:Module|Cell)\.(.+)\.[^.]+\.(forward|backward)\.\d+$/s
const direction = /\.(?:forward|backward)$/

interface Known {
  readonly side: Side
  readonly op: string
}

export class KnownCalls {
  readonly #names = new Map<string, Known>()
  /** Modules by the ends of their paths: a model may have been wrapped. Null where several end so. */
  readonly #ends = new Map<string, Known | null>()

  constructor(dumps: Readonly<Record<Side, Dump | null>>) {
    for (const side of sides) {
      const dump = dumps[side]
      if (dump) for (let op = 0; op < dump.ops.length; op++) this.#add(side, opName(dump, op as OpRow))
    }
  }

  /** Null where it is in no dump. */
  at(call: VerdictCall | null): NodeRef | null {
    if (!call) return null
    const key = keyOf(call)
    const found = this.#names.get(key) ?? this.#ends.get(key)
    return found ? { [found.side]: found.op } : null
  }

  /** The first of several counts, and the side under test before the other. */
  #add(side: Side, op: string): void {
    const [, path, way = ''] = module.exec(op) ?? []
    const keys = path === undefined ? [op, op.replace(direction, '')] : [`${path} ${way}`]
    const isNew = !keys.some(key => this.#names.has(key))
    for (const key of keys) if (!this.#names.has(key)) this.#names.set(key, { side, op })
    if (path === undefined || !isNew) return
    const parts = path.split('.')
    for (let from = 1; from < parts.length; from++) {
      const end = `${parts.slice(from).join('.')} ${way}`
      const known = this.#ends.get(end)
      if (known === undefined) this.#ends.set(end, { side, op })
      else if (known?.side === side) this.#ends.set(end, null)
    }
  }
}

const keyOf = (call: VerdictCall): string =>
  call.is === 'module'
    ? `${call.path} ${call.direction}`
    : [call.name, call.direction].filter(Boolean).join('.')
