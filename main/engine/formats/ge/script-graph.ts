// TensorFlow's own graph, as a checkpoint keeps it (.meta): which operations the script has, and what they read.
import type { Files } from '../../io/index.ts'
import { problem, Refusal, TextPool } from '../../model/index.ts'
import { Numbers } from './columns.ts'

export interface ScriptNode {
  readonly name: string
  readonly type: string
  readonly inputs: readonly string[]
  readonly device: string
}

export class ScriptGraph {
  readonly #texts: TextPool
  readonly #columns: Readonly<Record<'name' | 'type' | 'device' | 'firstInput' | 'inputs', Int32Array>>
  readonly #rows: ReadonlyMap<number, number>

  constructor(
    texts: TextPool,
    columns: Readonly<Record<'name' | 'type' | 'device' | 'firstInput' | 'inputs', Int32Array>>,
  ) {
    this.#texts = texts
    this.#columns = columns
    this.#rows = new Map([...columns.name].map((code, row) => [code, row]))
  }

  get length(): number {
    return this.#columns.name.length
  }

  node(row: number): ScriptNode {
    const { name, type, device, firstInput, inputs } = this.#columns
    return {
      name: this.#texts.get(name[row]),
      type: this.#texts.get(type[row]),
      inputs: [...inputs.subarray(firstInput[row], firstInput[row + 1])].map(code => this.#texts.get(code)),
      device: this.#texts.get(device[row]),
    }
  }

  /** Null where the script has no operation of this name. */
  find(name: string): ScriptNode | null {
    const row = this.#rows.get(this.#texts.find(name))
    return row === undefined ? null : this.node(row)
  }
}

/** Graphs with their constants in them are larger than graphs. */
const largest = 1 << 30

export async function readScriptGraph(files: Files, path: string): Promise<ScriptGraph> {
  const bytes = files.readAll(path, largest)
  // Who never opens one does not wait for the library that reads it.
  const { nodesOf } = await import('./meta-graph.ts')
  const nodes = nodesOf(bytes)
  if (nodes.length === 0) throw new Refusal(problem('meta-invalid', path))
  const texts = new TextPool()
  const [name, type, device, firstInput, inputs] = Array.from({ length: 5 }, () => new Numbers())
  for (const node of nodes) {
    name.add(texts.addBytes(node.name))
    type.add(texts.addBytes(node.op))
    device.add(texts.addBytes(node.device))
    firstInput.add(inputs.length)
    for (const input of node.input) inputs.add(texts.addBytes(input))
  }
  firstInput.add(inputs.length)
  return new ScriptGraph(texts, {
    name: name.cut(),
    type: type.cut(),
    device: device.cut(),
    firstInput: firstInput.cut(),
    inputs: inputs.cut(),
  })
}
