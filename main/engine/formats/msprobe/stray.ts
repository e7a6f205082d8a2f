// Tensor files that no dump.json tells of: a run that is being dumped writes them call by call, and dump.json only now
// and then.
import { baseOf } from '../../io/index.ts'

/** Where a tensor file belongs, by its name. */
export interface TensorName {
  readonly call: string
  readonly part: 'input' | 'output' | 'parameters' | 'gradients'
}

const ofCall =
  /^(.+\.(?:forward|backward)(?:\.\d+)?)\.(input|kwargs|output|parameters)(?:\..+)?\.(?:npy|pt|bin)$/
const ofGradient = /^(.+\.parameters_grad)(?:\..+)?\.(?:npy|pt|bin)$/

/** Null for a file that is named otherwise. */
export function tensorName(file: string): TensorName | null {
  const [, gradients] = ofGradient.exec(file) ?? []
  if (gradients !== undefined) return { call: gradients, part: 'gradients' }
  const [, call, word] = ofCall.exec(file) ?? []
  if (call === undefined) return null
  return { call, part: word === 'output' || word === 'parameters' ? word : 'input' }
}

/** Files by the call that they belong to, of calls that are not known, in the order of their names. */
export function strayFiles(
  files: readonly string[],
  known: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const out = new Map<string, string[]>()
  for (const path of files) {
    const file = baseOf(path)
    const name = tensorName(file)
    if (!name || known.has(name.call)) continue
    const there = out.get(name.call)
    if (there) there.push(file)
    else out.set(name.call, [file])
  }
  return out
}
