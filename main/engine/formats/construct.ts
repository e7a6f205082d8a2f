// construct.json: the parent of each op, with the micro step where the file gives one.
import type { ConstructTable } from '../dump.ts'
import { problem } from '../problem.ts'
import { CodeMap, reserve } from './dump-columns.ts'
import { isArray, JsonNumber, type Json } from './json-stream.ts'
import type { Problems, Texts } from './msprobe-items.ts'
import { pyStr } from './python.ts'

/** Key under which Megatron runs keep their highest micro step. */
const microStepKey = 'megatron_micro_step_number'

export class ConstructBuilder {
  readonly #texts: Texts
  readonly #path: string
  readonly #problems: Problems
  readonly #rowOf = new CodeMap()
  readonly #columns = { child: new Uint32Array(64), parent: new Int32Array(64), micro: new Int32Array(64) }
  #length = 0
  #microSteps = 0

  constructor(texts: Texts, path: string, problems: Problems) {
    this.#texts = texts
    this.#path = path
    this.#problems = problems
  }

  member(key: string, value: Json): void {
    if (key === microStepKey && value instanceof JsonNumber) {
      this.#microSteps = Math.min(Math.max(0, Math.trunc(value.value)), 1e9) + 1
      return
    }
    const [parent, step] = isArray(value) ? value : [value]
    if (parent !== null && typeof parent !== 'string') {
      this.#problems.add(problem('bad-value', this.#path, { op: key.slice(0, 200), field: key.slice(0, 200), text: pyStr(value).slice(0, 80) }, 'warning'))
      return
    }
    this.put(this.#texts.add(key), parent ? this.#texts.add(parent) : -1, step instanceof JsonNumber && step.value >= 0 && step.value <= 1e9 ? step.value : -1)
  }

  /** The last word counts, as in Python. */
  put(child: number, parent: number, micro: number): void {
    let row = this.#rowOf.get(child)
    if (row < 0) {
      row = this.#length++
      this.#rowOf.set(child, row)
      reserve(this.#columns, this.#length)
    }
    this.#columns.child[row] = child
    this.#columns.parent[row] = parent
    this.#columns.micro[row] = micro
  }

  finish(): ConstructTable {
    const { child, parent, micro } = this.#columns
    const to = this.#length
    return constructTable({ child: child.subarray(0, to), parent: parent.subarray(0, to), micro: micro.subarray(0, to) }, this.#microSteps, this.#rowOf)
  }
}

export function constructTable(columns: Pick<ConstructTable, 'child' | 'parent' | 'micro'>, microSteps: number, rowOf: CodeMap): ConstructTable {
  return { length: columns.child.length, ...columns, microSteps, find: name => rowOf.get(name) }
}
