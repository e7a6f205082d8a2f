// Whether a NaN or infinity in a stored result follows from the inputs of its call.
import type { DirectionAnswer } from './call.ts'

export interface OverflowVerdict {
  readonly call: string
  /** The exact result overflows when it is stored; the stored one did. */
  readonly cpu: boolean
  readonly device: boolean
  /** `normal`: both alike. */
  readonly verdict: 'normal' | 'abnormal' | 'skipped'
  readonly saturated: boolean
}

/** Of forward calls, as msprobe judges them. */
export const overflowVerdicts = (directions: readonly DirectionAnswer[]): readonly OverflowVerdict[] =>
  directions.filter(({ direction }) => direction === 'forward').map(overflowOf)

function overflowOf({ call, status, outputs }: DirectionAnswer): OverflowVerdict {
  const cpu = outputs.some(({ overflowed }) => overflowed.exact)
  const device = outputs.some(({ overflowed }) => overflowed.stored)
  const saturated = outputs.some(({ note }) => note === 'saturated')
  if (status === 'skipped') return { call, cpu, device, verdict: 'skipped', saturated }
  return { call, cpu, device, verdict: cpu === device ? 'normal' : 'abnormal', saturated }
}
