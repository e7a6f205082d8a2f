// The lines of source that a kernel came from, found by its name.
import type { IrCode } from './read.ts'

export interface FoundCode {
  /** As the IR writes it. */
  readonly scope: string
  /** Different call stacks, each line by line from the inside out; none where the node has no lines of source. */
  readonly stacks: readonly (readonly string[])[]
}

/** Of a kernel's name; nothing honest comes near, and a longer one would take long. */
const longestName = 2048
const isWord = (name: string, at: number): boolean => /[A-Za-z0-9]/.test(name.charAt(at))
/** `PrimFunc_MatMul`, `S-Prim-MatMul` and `MatMul` are one operator. */
const plainOp = (op: string): string => op.replace(/^.*?Prim(?:Func)?[-_]/, '').toLowerCase()

export class CodeLookup {
  readonly #ir: IrCode
  /** The first node of each scope by how kernels spell it, and the next node of the same. */
  readonly #first = new Map<string, number>()
  readonly #next: number[] = []
  /** Scopes of nodes without lines of source, by the same spelling. */
  readonly #bare = new Map<string, number>()
  /** Lengths of those spellings, the longest first. */
  readonly #lengths: readonly number[]

  readonly #told = new Map<number, readonly string[]>()

  constructor(ir: IrCode) {
    this.#ir = ir
    const spelling = new Map<number, string>()
    for (let row = ir.scope.length - 1; row >= 0; row--) {
      const scope = ir.scope[row]
      const key = spelling.get(scope) ?? ir.texts.get(scope).replaceAll('/', '_')
      spelling.set(scope, key)
      if (ir.stack[row] < 0) {
        this.#bare.set(key, scope)
        continue
      }
      this.#next[row] = this.#first.get(key) ?? -1
      this.#first.set(key, row)
    }
    this.#lengths = [...new Set([...this.#first.keys()].map(key => key.length))].sort((a, b) => b - a)
  }

  /** Whether some scope lies below another; where one does, a match at the top says nothing. */
  get hasLevels(): boolean {
    return this.#ir.scope.some(
      (scope, row) => this.#ir.stack[row] >= 0 && this.#ir.texts.get(scope).includes('/'),
    )
  }

  /** The code of the longest scope that stands in a kernel's name, of the same operator where there is one; else its bare scope. */
  find(kernel: string): FoundCode | null {
    if (kernel.length > longestName) return null
    const starts: number[] = []
    for (let at = 0; at < kernel.length; at++) if (at === 0 || !isWord(kernel, at - 1)) starts.push(at)
    for (const length of this.#lengths)
      for (const start of starts) {
        const end = start + length
        if (end > kernel.length || isWord(kernel, end)) continue
        const row = this.#first.get(kernel.slice(start, end))
        if (row !== undefined) return this.#code(row, kernel.slice(end))
      }
    const bare = this.#bare.get(kernel)
    return bare === undefined ? null : { scope: this.#ir.texts.get(bare), stacks: [] }
  }

  #code(first: number, rest: string): FoundCode {
    const { texts, scope, op, stack } = this.#ir
    const rows: number[] = []
    for (let row = first; row >= 0; row = this.#next[row]) rows.push(row)
    const [, wanted] = /([^_]+?)-op\d+/.exec(rest) ?? []
    const same = rows.filter(row => op[row] >= 0 && plainOp(texts.get(op[row])) === wanted?.toLowerCase())
    const found = new Set((same.length > 0 ? same : rows).map(row => stack[row]))
    return { scope: texts.get(scope[first]), stacks: [...found].map(at => this.#lines(at)) }
  }

  /** Many kernels come from the same lines. */
  #lines(stack: number): readonly string[] {
    const known = this.#told.get(stack)
    if (known) return known
    const lines = this.#ir.stacks[stack].map(line => this.#ir.texts.get(line))
    this.#told.set(stack, lines)
    return lines
  }
}
