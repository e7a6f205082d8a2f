// Which micro step of its step an op belongs to: each root module of the hierarchy opens one.
import type { Dump } from '../model/index.ts'

const opens = /^(?:Module|Cell|optimizer)/
const isBackward = (name: string): boolean => name.split('.').includes('backward')

/** Parents beyond this are a ring. */
const deepest = 1000

export class MicroSteps {
  readonly #entries = new Map<string, number>()
  readonly #numbers = new Map<number, number>()
  readonly #dump: Pick<Dump, 'construct' | 'texts'>
  /** 0 where the hierarchy has no root. */
  readonly count: number

  constructor(dump: Pick<Dump, 'construct' | 'texts'>) {
    this.#dump = dump
    const { construct, texts } = dump
    let count = 0
    for (let entry = 0; entry < construct.length; entry++) {
      const name = texts.get(construct.child[entry])
      this.#entries.set(name, entry)
      const root = construct.parent[entry] < 0
      if (root) this.#numbers.set(entry, opens.test(name) && !isBackward(name) ? count++ : -1)
    }
    this.count = count
  }

  /** By the name of its forward; null where no root holds it. */
  of(name: string): number | null {
    const entry = this.#entries.get(name)
    const number = entry === undefined ? -1 : this.#number(entry)
    return number < 0 ? null : number
  }

  #number(entry: number): number {
    const { construct } = this.#dump
    const way: number[] = []
    let found = -1
    for (let at = entry; at >= 0 && way.length < deepest; at = construct.find(construct.parent[at])) {
      const known = this.#numbers.get(at)
      if (known !== undefined) {
        found = known
        break
      }
      way.push(at)
    }
    for (const at of way) this.#numbers.set(at, found)
    return found
  }
}
