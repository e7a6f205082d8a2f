// construct.json: the parent of each op, with the micro step where the file gives one.
import { isArray, type Json, JsonNumber } from '../../json/index.ts'
import { type ConstructTable, sharedColumn } from '../../model/index.ts'
import { CodeMap, reserve } from '../dump-columns.ts'
import { badMember, type Problems, type Texts } from './items.ts'

/** Key under which Megatron runs keep their highest micro step. */
const microStepKey = 'megatron_micro_step_number'

export class ConstructBuilder {
  readonly #texts: Texts
  readonly #path: string
  readonly #problems: Problems
  readonly #rowOf = new CodeMap()
  readonly #columns = {
    child: sharedColumn(Uint32Array, 64),
    parent: sharedColumn(Int32Array, 64),
    micro: sharedColumn(Int32Array, 64),
  }
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
      this.#problems.add(badMember(this.#path, key, value))
      return
    }
    this.put(
      this.#texts.add(key),
      parent ? this.#texts.add(parent) : -1,
      step instanceof JsonNumber && step.value >= 0 && step.value <= 1e9 ? step.value : -1,
    )
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

  /** What nothing is told of yet stands at the top; where there is no hierarchy at all, nothing does. */
  putMissing(child: number): void {
    if (this.#length > 0 && this.#rowOf.get(child) < 0) this.put(child, -1, -1)
  }

  finish(): ConstructTable {
    const { child, parent, micro } = this.#columns
    const to = this.#length
    return constructTable(
      this.#path,
      { child: child.subarray(0, to), parent: parent.subarray(0, to), micro: micro.subarray(0, to) },
      this.#microSteps,
      this.#rowOf,
    )
  }
}

export function constructTable(
  file: string,
  columns: Pick<ConstructTable, 'child' | 'parent' | 'micro'>,
  microSteps: number,
  rowOf: CodeMap,
): ConstructTable {
  return { file, length: columns.child.length, ...columns, microSteps, find: name => rowOf.get(name) }
}
