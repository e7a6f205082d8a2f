// What the open study consists of, as its kind tells it: the only place that reads it off the session.
import type {
  Problem,
  ReportFormat,
  SessionInfo,
  Side,
  SideInfo,
  UnitInfo,
} from '../../preload/contract/engine.ts'

type Open = SessionInfo | null | undefined

/** The sides that it has, the one under test first. */
export const sidesOf = (session: Open): readonly Side[] => session?.sides.map(({ side }) => side) ?? []

export const dumpOf = (session: Open, side: Side): SideInfo | null =>
  session?.sides.find(one => one.side === side) ?? null

/** What a side is called in the unit that is shown. */
export const nameOf = (session: Open, side: Side): string =>
  session?.units[session.unit]?.sideNames[side === 'debug' ? 0 : 1] ?? dumpOf(session, side)?.name ?? ''

/** Whether two sides stand beside each other. */
export const compares = (session: Open): boolean => session?.can.compare ?? false

/** Whether something is open that is compared with nothing. */
export const isSingle = (session: Open): boolean => session?.can.compare === false

/** Whether both sides stand in one file, so that there is nothing to choose or to swap between. */
export const isOneFile = (session: Open): boolean => {
  const [one, other] = session?.sides ?? []
  if (!one || !other || joins(session)) return false
  return one.root === other.root && one.name === other.name
}

/** Whether another dump can take the place of a side, or stand beside the only one. */
export const joins = (session: Open): boolean => session?.can.join ?? false

/** Why there is nothing to show of the unit on screen. */
export const failureOf = (session: Open): Problem | null =>
  session?.units.find(u => u.unit === session.unit)?.failure ?? null

/** Whether who met whom can still be changed: by a mapping, by hand. */
export const matches = (session: Open): boolean => session?.can.match ?? false

/** Whether dumps are open, of whose calls tables of verdicts may speak. */
export const holdsDumps = (session: Open): boolean => session?.can.recompute ?? false

/** Whether calls can be recomputed: of dumps of tensors. */
export const recomputes = (session: Open): boolean =>
  session?.can.recompute === true && session.mode === 'tensor'

const ended: ReadonlySet<UnitInfo['state']> = new Set(['done', 'failed'])

/** Whether nothing more is to be read or compared of a unit. */
export const isEnded = ({ state }: UnitInfo): boolean => ended.has(state)

/** Whether more of the unit on screen is still to be read or compared. */
export const isComing = (session: Open): boolean => {
  const unit = session?.units.find(u => u.unit === session.unit)
  return unit !== undefined && !isEnded(unit)
}

/** Whether the files on screen are others than those that were read. */
/** What is found on screen may still change with its files. */
export function isGrowing(session: Open): boolean {
  const unit = session?.units[session.unit]
  return unit !== undefined && (unit.growing || unit.partial)
}

export const isOutdated = (session: Open): boolean => session?.units[session.unit]?.outdated ?? false

/** Ids of the panels that have something to show; none where the unit on screen failed. */
export const panesOf = (session: Open): readonly string[] =>
  session && !failureOf(session) ? session.panes : []

/** The reports that can be written of it. */
export const reportsOf = (session: Open): readonly ReportFormat[] =>
  session && !failureOf(session) ? session.reports : []
