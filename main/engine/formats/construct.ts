// construct.json: the parent of each op, with the micro step where the file gives one.
import type { TextPool } from '../columns.ts'
import type { ConstructTable } from '../dump.ts'
import { problem } from '../problem.ts'
import { isArray, JsonNumber, type Json } from './json-stream.ts'
import type { Problems } from './msprobe-items.ts'
import { pyStr } from './python.ts'

/** Key under which Megatron runs keep their highest micro step. */
const microStepKey = 'megatron_micro_step_number'

export class ConstructBuilder {
  readonly #texts: TextPool
  readonly #path: string
  readonly #problems: Problems
  readonly #rows = new Map<number, number>()
  readonly #child: number[] = []
  readonly #parent: number[] = []
  readonly #micro: number[] = []
  #microSteps = 0

  constructor(texts: TextPool, path: string, problems: Problems) {
    this.#texts = texts
    this.#path = path
    this.#problems = problems
  }

  member(key: string, value: Json): void {
    if (key === microStepKey && value instanceof JsonNumber) {
      this.#microSteps = value.value + 1
      return
    }
    const [parent, step] = isArray(value) ? value : [value]
    if (parent !== null && typeof parent !== 'string') {
      this.#problems.add(problem('bad-value', this.#path, { op: key, field: key, text: pyStr(value).slice(0, 80) }, 'warning'))
      return
    }
    const child = this.#texts.add(key)
    const row = this.#rows.get(child) ?? this.#child.length
    this.#rows.set(child, row)
    this.#child[row] = child
    this.#parent[row] = parent ? this.#texts.add(parent) : -1
    this.#micro[row] = step instanceof JsonNumber ? step.value : -1
  }

  finish(): ConstructTable {
    const rows = this.#rows
    return {
      length: this.#child.length,
      child: Uint32Array.from(this.#child), parent: Int32Array.from(this.#parent), micro: Int32Array.from(this.#micro),
      microSteps: this.#microSteps,
      find: name => rows.get(name) ?? -1,
    }
  }
}
