// stack.json, both layouts: one list of frames per op, or one entry per distinct stack with the ops that share it.
import type { StackTable } from '../dump.ts'
import type { TextPool } from '../columns.ts'
import { problem } from '../problem.ts'
import { CodeMap } from './dump-columns.ts'
import { isArray, type Json } from './json-stream.ts'
import { looksLikeFormula, type Problems, type Texts } from './msprobe-items.ts'
import { pyStr } from './python.ts'

/** Collects stacks; equal ones are stored once. */
export class StackBuilder {
  readonly #texts: Texts
  readonly #path: string
  readonly #problems: Problems
  readonly #known = new Map<string, number>()
  readonly #stacks: Uint32Array[] = []
  readonly #ofName = new CodeMap()
  newLayout = false

  constructor(texts: Texts, path: string, problems: Problems) {
    this.#texts = texts
    this.#path = path
    this.#problems = problems
  }

  /** One member of the file. A frame is never a list, so the new layout shows in each member by itself. */
  member(key: string, value: Json): void {
    if (!isArray(value)) return this.#bad(key, value)
    const [names, frames] = value
    if (value.length === 2 && isArray(names) && isArray(frames)) {
      this.newLayout = true
      const stack = this.add(frames, key)
      for (const name of names) if (typeof name === 'string') this.put(this.#texts.add(name), stack)
    } else if (isArray(names)) this.#bad(key, value)
    else this.put(this.#texts.add(key), this.add(value, key))
  }

  /** Number of a stack, added when new. */
  add(frames: readonly Json[], key: string): number {
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

  /** Says which stack an op has; the last word counts. */
  put(name: number, stack: number): void { this.#ofName.set(name, stack) }

  #bad(key: string, value: Json): void {
    this.#problems.add(problem('bad-value', this.#path, { op: key.slice(0, 200), field: key.slice(0, 200), text: pyStr(value).slice(0, 80) }, 'warning'))
  }

  finish(texts: TextPool): StackTable { return stackTable(texts, this.#stacks, this.#ofName, this.newLayout) }
}

export function stackTable(texts: TextPool, stacks: readonly Uint32Array[], ofName: CodeMap, newLayout: boolean): StackTable {
  return {
    length: stacks.length,
    newLayout,
    of: name => ofName.get(name),
    frames: stack => Array.from(stacks[stack] ?? [], code => texts.get(code)),
  }
}
