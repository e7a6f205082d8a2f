// How much of the bound of its kind a result takes: of hundreds of pairs that differ by rounding alone none came to more
// than half of this. What averages out in a norm, and what cannot amplify, is held to less.
import { Direction, type SideView } from '../pair/index.ts'
import type { OpRow } from '../model/index.ts'

/** Of what is allowed for the extremes and for the norm. */
export type Share = readonly [number, number]

const whole: Share = [1, 1]

type Shares = Readonly<Record<SideView['kind'][number], readonly [Share, Share]>>

/** Forward and backward. */
const shares: Shares = {
  cast: [
    [0.3, 0.2],
    [0.4, 0.15],
  ],
  communication: [whole, whole],
  empty: [whole, whole],
  inPlace: [
    [0.5, 0.35],
    [0.4, 0.25],
  ],
  kink: [
    [0.7, 1],
    [1, 1],
  ],
  loss: [
    [1, 0.4],
    [0.5, 0.25],
  ],
  norm: [
    [0.8, 0.25],
    [1, 0.7],
  ],
  plain: [
    [0.75, 0.35],
    [1, 0.6],
  ],
  product: [
    [1, 0.55],
    [1, 0.8],
  ],
  random: [
    [0.4, 0.3],
    [0.4, 0.3],
  ],
  recurrent: [
    [0.6, 0.25],
    [0.5, 0.3],
  ],
  reduction: [
    [0.5, 0.2],
    [0.5, 0.45],
  ],
  smooth: [
    [0.8, 0.45],
    [1, 0.35],
  ],
  steep: [
    [0.75, 0.45],
    [0.4, 0.25],
  ],
  view: [
    [0.6, 0.35],
    [0.7, 0.3],
  ],
}

/** Ill-conditioned systems amplify by more than any kind. */
const solves = /cholesky|solve|lstsq|inv|eig|svd|^lu_|det$/

export function shareOf({ kind, direction, names, api }: SideView, op: OpRow): Share {
  const of = kind[op]
  const word = of === 'steep' ? names.text(api[op]) : ''
  if (solves.test(word.slice(word.lastIndexOf('.') + 1).toLowerCase())) return whole
  return shares[of][direction[op] === Direction.backward ? 1 : 0]
}
