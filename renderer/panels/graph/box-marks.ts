// What stands on a box besides its name: the count of rows that differ, the flag where the error enters, the mark
// of a note, and the warning of what the device says has overflowed.
import type { Box } from '../../../preload/contract/engine.ts'
import { headHeight } from './style.ts'

export interface Mark {
  /** Its middle. */
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

interface Badge extends Mark {
  readonly text: string
  /** A pill has no room inside: the count sits on its corner. */
  readonly corner: boolean
}

const most = 999
const letter = 6.4
const note = 8

/** Own rows and those below. */
export function badgeOf(b: Box): Badge | null {
  if (b.differing === 0) return null
  const text = b.differing > most ? `${most}+` : String(b.differing)
  const corner = b.shape === 'api' && b.children === 0
  const w = (corner ? 7 : 9) + text.length * letter
  return corner
    ? { text, corner, x: b.x + b.w - w / 2 + 3, y: b.y, w, h: 12 }
    : { text, corner, x: b.x + b.w - w / 2 - 6, y: b.y + (b.open ? headHeight : b.h) / 2, w, h: 15 }
}

/** Smaller on a closed box that holds the origin; an open one shows it itself. */
export function flagOf(b: Box): Mark | null {
  if (b.origin === 'here') return { x: b.x + 3, y: b.y - 3, w: 14, h: 18 }
  return b.origin === 'inside' && !b.open ? { x: b.x + 2, y: b.y, w: 8, h: 11 } : null
}

/** On what overflowed by the records of the device; an open box shows it itself, on what lies in it. */
export const overflowOf = (b: Box): Mark | null =>
  b.overflow === null || b.open ? null : { x: b.x + b.w - 3, y: b.y + b.h - 1, w: 13, h: 12 }

/** On a node that somebody noted or pinned. */
export const noteOf = (b: Box): Mark => ({
  x: b.x + 2,
  y: b.y + (b.open ? headHeight : b.h) - 2,
  w: note,
  h: note,
})
