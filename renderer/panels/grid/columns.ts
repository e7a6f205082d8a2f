// What the grid shows in which mode before anyone changes it, and how a column looks.
import type { ColumnInfo, Mode, SessionInfo } from '../../../preload/contract/engine.ts'
import { compares, dumpOf } from '../../state/study.ts'
import type { ColumnChoice } from '../../state/workbench.ts'

export interface ShownColumn {
  readonly id: string
  /** msprobe's title, '' for columns of our own. */
  readonly title: string
  readonly numeric: boolean
  readonly width: number
  /** Takes the room that is left, until someone drags its edge. */
  readonly flexible: boolean
  readonly kind: 'row' | 'name' | 'text' | 'answer' | 'number' | 'state' | 'recomputed'
}

const widths: Readonly<Record<string, number>> = {
  row: 44,
  state: 122,
  recomputed: 118,
  debugName: 222,
  benchName: 150,
  debugDtype: 66,
  benchDtype: 82,
  debugShape: 86,
  benchShape: 98,
  message: 260,
  stack: 240,
  dataName: 240,
  why: 220,
  debugMd5: 110,
  benchMd5: 110,
  maxRelative: 90,
  minRelative: 90,
  meanRelative: 90,
  normRelative: 92,
  cosine: 80,
  thousandth: 80,
  fiveThousandths: 80,
  maxAbs: 86,
  maxRel: 92,
  accuracy: 72,
  result: 72,
}
/** Whether there is a bench, and whether its names are those of the debug side. */
type Sides = 'single' | 'alike' | 'different'

export function sideNames(session: SessionInfo): Sides {
  if (!compares(session)) return 'single'
  const [debug, bench] = [dumpOf(session, 'debug'), dumpOf(session, 'bench')]
  const mapped = Object.keys(session.mapping).length > 0
  // Weights of one model are called otherwise by training and inference.
  return debug?.framework === bench?.framework && !mapped && !debug?.stored ? 'alike' : 'different'
}

/** There only where something was recomputed, and then shown whatever was chosen before it came. */
const recomputedId = 'recomputed'

const names = new Set(['debugName', 'benchName', 'dataName'])

/** Where the names end that the rows begin with. */
const lastName = (order: readonly string[]): number => {
  const at = order.indexOf('debugName')
  return order[at + 1] === 'benchName' ? at + 1 : at
}

/** Where names are alike on both sides the second one is a sign of equality. */
const alikeWidth = 64
/** Where they are not, both need room. */
const differentWidth = 176

/** What msprobe's own answer stands in; a table has one of them. */
const answers = ['accuracy', 'result'] as const

/**
 * Shown by default, in this order; the rest waits in the column panel. What decides comes first: where there is
 * room for little, what a tensor is stands behind how far it is off.
 */
const presets: Readonly<Record<Mode, readonly string[]>> = {
  tensor: preset('cosine', 'maxAbs', 'thousandth', ...answers),
  statistics: preset('maxRelative', 'meanRelative', 'normRelative', ...answers),
  md5: preset('debugMd5', 'benchMd5', ...answers),
}
function preset(...measures: readonly string[]): readonly string[] {
  return ['row', 'debugName', 'benchName', ...measures, 'debugDtype', 'debugShape', 'message', 'state']
}

/** Of a dump that nothing is compared with. */
const described = ['row', 'debugName', 'debugDtype', 'debugShape']
const counted = ['debugMax', 'debugMin', 'debugMean', 'debugNorm']
const alone: Readonly<Record<Mode, readonly string[]>> = {
  tensor: [...described, ...counted],
  statistics: [...described, ...counted],
  md5: [...described, 'debugMd5', ...counted],
}

/** Where there is room for little, a name that is the same on both sides stands last. */
const narrowWidths: Readonly<Record<string, number>> = { row: 40, debugName: 176, state: 108 }
const narrowed = (of: readonly string[], sides: Sides): readonly string[] =>
  sides === 'alike' ? [...of.filter(id => id !== 'benchName'), 'benchName'] : of

function kindOf(id: string, numeric: boolean): ShownColumn['kind'] {
  if (numeric) return 'number'
  if (id === recomputedId) return id
  if (names.has(id)) return 'name'
  return answers.some(answer => answer === id) ? 'answer' : 'text'
}

function allColumns(columns: readonly ColumnInfo[]): readonly ShownColumn[] {
  const own: readonly ShownColumn[] = [
    { id: 'row', title: '', numeric: true, width: widths['row'] ?? 44, flexible: false, kind: 'row' },
    { id: 'state', title: '', numeric: false, width: widths['state'] ?? 100, flexible: false, kind: 'state' },
  ]
  return [
    ...own,
    ...columns.map(({ id, title, numeric }): ShownColumn => ({
      id,
      title,
      numeric,
      width: widths[id] ?? (numeric ? 98 : 140),
      flexible: names.has(id),
      kind: kindOf(id, numeric),
    })),
  ]
}

/**
 * The person's choice where there is one, the preset else; columns that a choice does not know come hidden at
 * the end.
 */
export function arranged(
  mode: Mode,
  sides: Sides,
  columns: readonly ColumnInfo[],
  choice: ColumnChoice | undefined,
  { narrow, digits }: { readonly narrow: boolean; readonly digits: number },
): {
  readonly list: readonly ShownColumn[]
  readonly hidden: ReadonlySet<string>
  readonly pinned: ReadonlySet<string>
} {
  const single = sides === 'single'
  const all = allColumns(columns).map(c =>
    c.id === 'benchName' && sides === 'alike'
      ? { ...c, width: alikeWidth, flexible: false }
      : c.id === 'debugName' && sides === 'different'
        ? { ...c, width: differentWidth }
        : c,
  )
  const usual = single ? alone[mode] : presets[mode]
  const least = (id: string): number => (id === 'row' ? 16 + digits * 7 : 0)
  const order = choice?.order ?? (narrow ? narrowed(usual, sides) : usual)
  const place = (id: string): number => {
    // Behind the names, wherever those were put.
    if (id === recomputedId && !order.includes(id)) return lastName(order) + 0.5
    const at = order.indexOf(id)
    return at < 0 ? order.length + all.findIndex(c => c.id === id) : at
  }
  const list = all
    .toSorted((a, b) => place(a.id) - place(b.id))
    .map(c => ({
      ...c,
      width:
        choice?.widths[c.id] ?? Math.max(least(c.id), (narrow ? narrowWidths[c.id] : undefined) ?? c.width),
      flexible: c.flexible && choice?.widths[c.id] === undefined,
    }))
  const isUnknown = ({ id }: ShownColumn): boolean =>
    id !== recomputedId && choice?.order.includes(id) === false
  const hidden = new Set(
    choice
      ? [...choice.hidden, ...all.filter(isUnknown).map(c => c.id)]
      : all.filter(c => c.id !== recomputedId && !usual.includes(c.id)).map(c => c.id),
  )
  return { list, hidden, pinned: new Set(choice ? choice.pinned : ['state']) }
}
