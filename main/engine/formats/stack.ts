// stack.json, both layouts: one list of frames per op, or one entry per distinct stack with the ops that share it.
import type { TextPool } from '../columns.ts'
import type { StackTable } from '../dump.ts'
import { problem } from '../problem.ts'
import { isArray, type Json } from './json-stream.ts'
import { looksLikeFormula, type Problems } from './msprobe-items.ts'
import { pyStr } from './python.ts'

export const noStacks: StackTable = { length: 0, of: () => -1, frames: () => [] }

/** Collects stacks; equal ones are stored once. */
export class StackBuilder {
  readonly #texts: TextPool
  readonly #path: string
  readonly #problems: Problems
  readonly #known = new Map<string, number>()
  readonly #stacks: Uint32Array[] = []
  readonly #ofName = new Map<number, number>()
  #newLayout = false

  constructor(texts: TextPool, path: string, problems: Problems) {
    this.#texts = texts
    this.#path = path
    this.#problems = problems
  }

  /** One member of the file. A frame is never a list, so the new layout shows in each member by itself. */
  member(key: string, value: Json): void {
    if (!isArray(value)) return this.#problems.add(problem('bad-value', this.#path, { op: key, field: key, text: pyStr(value).slice(0, 80) }, 'warning'))
    const [names, frames] = value
    if (value.length === 2 && isArray(names) && isArray(frames)) {
      this.#newLayout = true
      const stack = this.#add(frames, key)
      for (const name of names) if (typeof name === 'string') this.#ofName.set(this.#texts.add(name), stack)
    } else this.#ofName.set(this.#texts.add(key), this.#add(value, key))
  }

  #add(frames: readonly Json[], key: string): number {
    const codes = Uint32Array.from(frames, frame => this.#texts.add(pyStr(frame)))
    const id = codes.join()
    const known = this.#known.get(id)
    if (known !== undefined) return known
    for (const frame of frames) {
      if (typeof frame === 'string' && looksLikeFormula(frame)) this.#problems.add(problem('suspicious-text', this.#path, { op: key, text: frame.slice(0, 80) }, 'warning'))
    }
    this.#known.set(id, this.#stacks.length)
    return this.#stacks.push(codes) - 1
  }

  finish(): StackTable {
    const stacks = this.#stacks
    const ofName = this.#ofName
    const texts = this.#texts
    return {
      newLayout: this.#newLayout,
      length: stacks.length,
      of: name => ofName.get(name) ?? -1,
      frames: stack => Array.from(stacks[stack] ?? [], code => texts.get(code)),
    }
  }
}
