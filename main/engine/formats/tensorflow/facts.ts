// What is said of an op besides its tensors, for whoever looks at it.
import type { OpFact, OpFactKey, Overflowed } from '../../model/index.ts'
import { baseOf } from '../../io/index.ts'
import type { Net, NetOp } from './net.ts'
import type { RawFile } from './raw-files.ts'

export function factsOf(
  { lookup, file: graphFile }: Net,
  op: NetOp,
  file: RawFile | null,
  /** Of this op. */
  overflows: readonly Overflowed[],
): readonly OpFact[] {
  const facts: OpFact[] = []
  const add = (key: OpFactKey, text: string): void => {
    if (text !== '') facts.push({ key, text })
  }
  add('type', op.type)
  if (op.inserted) add('inserted', op.handsOn ? 'hands-on' : 'own')
  add('originals', op.originals.join(', '))
  if (lookup && op.row >= 0) {
    const { ops, graphs, files } = lookup.model
    add('pass', lookup.text(ops.pass[op.row]))
    add('kernel', lookup.text(ops.kernel[op.row]))
    add('kernelLib', lookup.text(ops.kernelLib[op.row]))
    add('id', String(ops.id[op.row]))
    add('stream', String(ops.stream[op.row]))
    add('graph', lookup.graph(op.row))
    add('graphFile', baseOf(files[graphs.file[ops.graph[op.row]]] ?? graphFile))
  }
  add('dumpFile', file?.file ?? '')
  for (const { statuses } of overflows)
    add('overflow', statuses.map(({ unit, status }) => `${unit} ${status}`).join(', '))
  return facts
}
