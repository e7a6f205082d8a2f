// Whether a NaN or infinity in a stored result follows from the inputs of its call.
import type { DirectionAnswer, Dump, OverflowExplained } from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { callsOf } from './orders.ts'
import { recomputeCall, type RecomputePorts } from './recompute-dump.ts'

export interface OverflowVerdict {
  readonly call: string
  /** The exact result overflows when it is stored; the stored one did. */
  readonly cpu: boolean
  readonly device: boolean
  /** `normal`: both alike. */
  readonly verdict: OverflowExplained
  readonly saturated: boolean
  /** Why it was skipped, and what that is about; '' where it was not. */
  readonly reason: DirectionAnswer['reason']
  readonly detail: string
}

/** Of forward calls, as msprobe judges them. */
export const overflowVerdicts = (directions: readonly DirectionAnswer[]): readonly OverflowVerdict[] =>
  directions.filter(({ direction }) => direction === 'forward').map(overflowOf)

function overflowOf({ call, status, reason, detail, outputs }: DirectionAnswer): OverflowVerdict {
  const cpu = outputs.some(({ overflowed }) => overflowed.exact)
  const device = outputs.some(({ overflowed }) => overflowed.stored)
  const saturated = outputs.some(({ note }) => note === 'saturated')
  const told = { call, cpu, device, saturated, reason, detail }
  if (status === 'skipped') return { ...told, verdict: 'skipped' }
  return { ...told, verdict: cpu === device ? 'normal' : 'abnormal' }
}

/** Of one call of a dump, in its own direction; null where no tensors were dumped. */
export async function overflowExplained(
  ports: RecomputePorts,
  dump: Dump,
  op: number,
  job: Job,
): Promise<OverflowExplained | null> {
  if (dump.header.task !== 'tensor') return null
  const direction = callsOf(dump).some(({ backward }) => backward === op) ? 'backward' : 'forward'
  const answers = await recomputeCall(ports, dump, op, job)
  const mine = answers.find(answer => answer.direction === direction)
  return mine ? overflowOf(mine).verdict : null
}
