// An IR text of MindSpore's graph mode, read as a stream: which lines of source each scope was made of.
import type { Files, Handle } from '../../io/index.ts'
import type { Job } from '../../work/index.ts'
import { problem, type Problem, Refusal, TextPool } from '../../model/index.ts'
import { lineRoom, linesOf } from './lines.ts'

/** The nodes that have a scope and lines of source, as columns. */
export interface IrCode {
  readonly texts: TextPool
  /** Text codes: the scope as it is written, and what the node calls. */
  readonly scope: readonly number[]
  readonly op: readonly number[]
  /** Row of `stacks`. */
  readonly stack: readonly number[]
  /** Text codes of the lines of each different call stack. */
  readonly stacks: readonly (readonly number[])[]
  readonly problems: readonly Problem[]
}

/** Of different texts; beyond that, texts are left out. Tests make it small. */
export const irRoom = { textBytes: 256 << 20 }
/** Lines of a call stack; no recursion of a model comes near. */
const deepestStack = 512
const none = -1

export async function readIr(files: Files, path: string, job: Job): Promise<IrCode> {
  const handle = files.open(path)
  try {
    return await readLines(handle, path, job)
  } finally {
    handle.close()
  }
}

async function readLines(handle: Handle, path: string, job: Job): Promise<IrCode> {
  const reader = new IrReader()
  let cut = 0
  for (const batch of linesOf(handle)) {
    for (const line of batch.lines) reader.line(line)
    if (batch.cut) cut++
    job.report({ what: 'job.reading', done: batch.done, total: handle.size, countedIn: 'bytes' })
    await job.breathe()
  }
  const problems: Problem[] = []
  if (cut > 0) problems.push(problem('ir-cut', path, { count: cut, limit: lineRoom.bytes }, 'warning'))
  return reader.finish(path, problems)
}

const uniqueId = /(?<!\w)unique_id: ?"([^"]*)"/
const forwardId = /forward_unique_id: ?"([^"]*)"/
/** `%3(out) = MatMul(%1, %2) …`, the name of the variable left out by some versions. */
const nodeLine = /^%\d+(?:\(.*?\))? = ([^\s({]+(?: @[^\s({]+)?)/
const ends = /^(?:\}|subgraph @|return\b)/i

/** Takes lines one by one; a node goes on until something that is no comment. */
class IrReader {
  readonly #texts = new TextPool()
  readonly #scope: number[] = []
  readonly #op: number[] = []
  readonly #stack: number[] = []
  /** Of nodes of the backward pass: the node of the forward pass that they were made of, by its id. */
  readonly #forward: number[] = []
  readonly #stacks: number[][] = []
  /** By the text codes of their lines. */
  readonly #known = new Map<string, number>()
  readonly #forwards = new Map<number, number>()
  /** The node that is read. */
  #node = { op: none, scope: none, gradient: false, id: none, forward: none, lines: [] as number[] }
  #inNode = false
  #inStack = false
  #inGraph = false
  #nodes = 0
  #dropped = 0

  line(line: string): void {
    const text = line.trimStart()
    if (text.startsWith('#') || text.startsWith(':')) {
      if (this.#inNode) this.#comment(text)
      return
    }
    this.#inStack = false
    if (text.startsWith('%')) this.#begin(text)
    else if (ends.test(text)) this.#border(text)
  }

  /** What was read; a text that names no source at all is refused. */
  finish(path: string, problems: Problem[]): IrCode {
    this.#end()
    if (this.#nodes === 0) throw new Refusal(problem('ir-invalid', path))
    this.#inherit()
    if (!this.#stack.some(stack => stack >= 0))
      throw new Refusal(problem('ir-no-code', path, { nodes: this.#nodes }))
    if (this.#inGraph) problems.push(problem('ir-truncated', path, { nodes: this.#nodes }, 'warning'))
    if (this.#dropped > 0)
      problems.push(problem('ir-dropped', path, { count: this.#dropped, limit: irRoom.textBytes }, 'warning'))
    return {
      texts: this.#texts,
      scope: this.#scope,
      op: this.#op,
      stack: this.#stack,
      stacks: this.#stacks,
      problems,
    }
  }

  #begin(text: string): void {
    const [, op] = nodeLine.exec(text) ?? []
    if (op === undefined) return
    this.#end()
    this.#nodes++
    this.#inNode = true
    this.#node.op = this.#code(op)
    this.#attributes(text)
  }

  #border(text: string): void {
    this.#end()
    if (text.startsWith('}')) this.#inGraph = false
    else if (text.startsWith('subgraph')) this.#inGraph = true
  }

  #comment(text: string): void {
    const at = text.indexOf('scope: (')
    if (at >= 0) {
      const from = at + 'scope: ('.length
      const to = text.lastIndexOf(')')
      const scope = to > from ? text.slice(from, to) : ''
      this.#node.scope = scope === '' ? none : this.#code(scope)
      this.#node.gradient = scope.startsWith('Gradients')
      this.#inStack = true
    } else if (text.startsWith(':')) {
      this.#inStack = false
    } else if (this.#inStack) {
      // The line of source stands between two slashes.
      this.#stackLine(text.replace(/^[#\s]+/, '').replace(/\/?\s*$/, ''))
    }
    this.#attributes(text)
  }

  #stackLine(line: string): void {
    const { lines } = this.#node
    if (line === '' || lines.length === deepestStack) return
    const code = this.#code(line)
    if (code >= 0) lines.push(code)
  }

  #attributes(text: string): void {
    const at = text.indexOf('cnode_primal_attrs')
    if (at < 0) return
    const attributes = text.slice(at)
    const [, id] = uniqueId.exec(attributes) ?? []
    const [, forward] = forwardId.exec(attributes) ?? []
    if (id !== undefined) this.#node.id = this.#code(id)
    if (forward !== undefined) this.#node.forward = this.#code(forward)
  }

  #end(): void {
    const { op, scope, gradient, id, forward, lines } = this.#node
    if (this.#inNode && scope >= 0) {
      const row = this.#scope.push(scope) - 1
      this.#op.push(op)
      this.#stack.push(this.#stackOf(lines))
      this.#forward.push(gradient ? forward : none)
      if (!gradient && id >= 0) this.#forwards.set(id, row)
    }
    this.#inNode = false
    this.#inStack = false
    this.#node = { op: none, scope: none, gradient: false, id: none, forward: none, lines: [] }
  }

  /** A node of the backward pass has the code of the one that it is the derivative of. */
  #inherit(): void {
    for (let row = 0; row < this.#forward.length; row++) {
      const from = this.#forwards.get(this.#forward[row])
      if (from !== undefined && this.#stack[from] >= 0) this.#stack[row] = this.#stack[from]
    }
  }

  #stackOf(lines: number[]): number {
    if (lines.length === 0) return none
    const key = lines.join(' ')
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const stack = this.#stacks.push(lines) - 1
    this.#known.set(key, stack)
    return stack
  }

  /** -1 where there is no room for another text. */
  #code(text: string): number {
    const known = this.#texts.find(text)
    if (known >= 0) return known
    if (this.#texts.heapBytes + text.length > irRoom.textBytes) {
      this.#dropped++
      return none
    }
    return this.#texts.add(text)
  }
}
