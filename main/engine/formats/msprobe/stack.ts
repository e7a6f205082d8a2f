// stack.json, both layouts: one list of frames per op, or one entry per distinct stack with the ops that
// share it.
import { isArray, type Json } from '../../json/index.ts'
import { problem, sharedColumn, type StackTable, type TextPool } from '../../model/index.ts'
import { CodeMap, reserve } from '../dump-columns.ts'
import { badMember, looksLikeFormula, type Problems, type Texts } from './items.ts'
import { pyStr } from '../../python/index.ts'

interface StackColumns {
  /** Codes of all frames, stack after stack, and where each stack ends. */
  readonly frames: Uint32Array
  readonly ends: Uint32Array
  /** Stack by text code; -1 is none. */
  readonly ofName: Int32Array
}

export class Stacks implements StackTable {
  readonly file: string
  readonly columns: StackColumns
  readonly newLayout: boolean
  readonly #texts: TextPool

  constructor(file: string, texts: TextPool, columns: StackColumns, newLayout: boolean) {
    this.file = file
    this.#texts = texts
    this.columns = columns
    this.newLayout = newLayout
  }

  get length(): number {
    return this.columns.ends.length
  }
  of(name: number): number {
    return this.columns.ofName[name] ?? -1
  }
  frames(stack: number): readonly string[] {
    const { frames, ends } = this.columns
    return Array.from(frames.subarray(stack > 0 ? ends[stack - 1] : 0, ends[stack] ?? 0), code =>
      this.#texts.get(code),
    )
  }
}

/** Collects stacks; equal ones are stored once. */
export class StackBuilder {
  readonly #texts: Texts
  readonly #path: string
  readonly #problems: Problems
  readonly #known = new Map<string, number>()
  readonly #columns = { frames: sharedColumn(Uint32Array, 256), ends: sharedColumn(Uint32Array, 64) }
  readonly #ofName = new CodeMap()
  #length = 0
  newLayout = false

  constructor(texts: Texts, path: string, problems: Problems) {
    this.#texts = texts
    this.#path = path
    this.#problems = problems
  }

  /** One member of the file. A frame is never a list, so the new layout shows in each member by itself. */
  member(key: string, value: Json): void {
    if (!isArray(value)) return this.#problems.add(badMember(this.#path, key, value))
    const [names, frames] = value
    if (value.length === 2 && isArray(names) && isArray(frames)) {
      this.newLayout = true
      const stack = this.add(frames, key)
      for (const name of names) if (typeof name === 'string') this.put(this.#texts.add(name), stack)
    } else if (isArray(names)) this.#problems.add(badMember(this.#path, key, value))
    else this.put(this.#texts.add(key), this.add(value, key))
  }

  /** Number of a stack, added when new. */
  add(frames: readonly Json[], key: string): number {
    const codes = Uint32Array.from(frames, frame => this.#texts.add(pyStr(frame)))
    const id = codes.join()
    const known = this.#known.get(id)
    if (known !== undefined) return known
    for (const frame of frames) {
      if (typeof frame === 'string' && looksLikeFormula(frame))
        this.#problems.add(
          problem('suspicious-text', this.#path, { op: key, text: frame.slice(0, 80) }, 'warning'),
        )
    }
    const from = this.#length > 0 ? this.#columns.ends[this.#length - 1] : 0
    reserve(this.#columns, Math.max(from + codes.length, this.#length + 1))
    this.#columns.frames.set(codes, from)
    this.#columns.ends[this.#length] = from + codes.length
    this.#known.set(id, this.#length)
    return this.#length++
  }

  /** Says which stack an op has; the last word counts. */
  put(name: number, stack: number): void {
    this.#ofName.set(name, stack)
  }

  finish(texts: TextPool): Stacks {
    const ends = this.#columns.ends.subarray(0, this.#length)
    return new Stacks(
      this.#path,
      texts,
      {
        frames: this.#columns.frames.subarray(0, ends[this.#length - 1] ?? 0),
        ends,
        ofName: this.#ofName.values,
      },
      this.newLayout,
    )
  }
}
