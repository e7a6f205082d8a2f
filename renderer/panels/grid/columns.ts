// What the grid shows in which mode before anyone changes it, and how a column looks.
import type { ColumnInfo, Mode } from '../../../preload/contract/engine.ts'
import type { ColumnChoice } from '../../state/workbench.ts'

export interface ShownColumn {
  readonly id: string
  /** msprobe's title, '' for columns of our own. */
  readonly title: string
  readonly numeric: boolean
  readonly width: number
  /** Takes the room that is left, until someone drags its edge. */
  readonly flexible: boolean
  readonly kind: 'row' | 'name' | 'text' | 'number' | 'verdict'
}

const widths: Readonly<Record<string, number>> = {
  row: 44, verdict: 100, debugName: 226, benchName: 150, debugDtype: 66, benchDtype: 82, debugShape: 86, benchShape: 98, message: 260, stack: 240, dataName: 240, why: 220, debugMd5: 110, benchMd5: 110,
  maxRelative: 90, minRelative: 90, meanRelative: 90, normRelative: 92, cosine: 80, thousandth: 80, fiveThousandths: 80, maxAbs: 86, maxRel: 92, accuracy: 84, result: 84,
}
/** Whether there is a bench, and whether its names are those of the debug side. */
export type Sides = 'single' | 'alike' | 'different'

const names = new Set(['debugName', 'benchName', 'dataName'])
/** Where names are alike on both sides the second one is a sign of equality. */
const alikeWidth = 64
/** Where they are not, both need room. */
const differentWidth = 176

/** Shown by default, in this order; the rest waits in the column panel. */
const presets: Readonly<Record<Mode, readonly string[]>> = {
  tensor: ['row', 'debugName', 'benchName', 'debugDtype', 'debugShape', 'cosine', 'maxAbs', 'thousandth', 'verdict', 'message'],
  statistics: ['row', 'debugName', 'benchName', 'debugDtype', 'debugShape', 'maxRelative', 'meanRelative', 'normRelative', 'verdict', 'message'],
  md5: ['row', 'debugName', 'benchName', 'debugDtype', 'debugShape', 'debugMd5', 'benchMd5', 'verdict'],
}

/** Where there is room for little, what a row came to stands beside its name, and what it is behind that. */
const narrowWidths: Readonly<Record<string, number>> = { row: 40, debugName: 176, verdict: 92 }
const describing = new Set(['debugDtype', 'benchDtype', 'debugShape', 'benchShape', 'message'])
function narrowed(preset: readonly string[], sides: Sides): readonly string[] {
  const behind = (id: string): boolean => describing.has(id) || (id === 'benchName' && sides === 'alike')
  const front = preset.filter(id => !behind(id) && id !== 'verdict')
  const metrics = front.findIndex(id => !names.has(id) && id !== 'row')
  return [...front.toSpliced(metrics < 0 ? front.length : metrics, 0, ...(preset.includes('verdict') ? ['verdict'] : [])), ...preset.filter(behind)]
}

export function allColumns(columns: readonly ColumnInfo[]): readonly ShownColumn[] {
  const own: readonly ShownColumn[] = [
    { id: 'row', title: '', numeric: true, width: widths['row'] ?? 44, flexible: false, kind: 'row' },
    { id: 'verdict', title: '', numeric: false, width: widths['verdict'] ?? 100, flexible: false, kind: 'verdict' },
  ]
  return [...own, ...columns.map(({ id, title, numeric }): ShownColumn =>
    ({ id, title, numeric, width: widths[id] ?? (numeric ? 98 : 140), flexible: names.has(id), kind: numeric ? 'number' : names.has(id) ? 'name' : 'text' }))]
}

/** The person's choice where there is one, the preset else; columns that a choice does not know come hidden at the end. */
export function arranged(mode: Mode, sides: Sides, columns: readonly ColumnInfo[], choice: ColumnChoice | undefined, { narrow, digits }: { readonly narrow: boolean; readonly digits: number }): { readonly list: readonly ShownColumn[]; readonly hidden: ReadonlySet<string>; readonly pinned: ReadonlySet<string> } {
  const single = sides === 'single'
  const all = allColumns(columns).map(c => (c.id === 'benchName' && sides === 'alike' ? { ...c, width: alikeWidth, flexible: false } : c.id === 'debugName' && sides === 'different' ? { ...c, width: differentWidth } : c))
  const preset = presets[mode].filter(id => !single || !/^bench|verdict|cosine|Abs|thousandth|Relative|message/.test(id)).concat(single ? ['debugMax', 'debugMin', 'debugMean', 'debugNorm'] : [])
  const least = (id: string): number => (id === 'row' ? 16 + digits * 7 : 0)
  const order = choice?.order ?? (narrow ? narrowed(preset, sides) : preset)
  const place = (id: string): number => { const at = order.indexOf(id); return at < 0 ? order.length + all.findIndex(c => c.id === id) : at }
  const list = all.toSorted((a, b) => place(a.id) - place(b.id)).map(c => ({ ...c, width: choice?.widths[c.id] ?? Math.max(least(c.id), (narrow ? narrowWidths[c.id] : undefined) ?? c.width), flexible: c.flexible && choice?.widths[c.id] === undefined }))
  const hidden = new Set(choice ? [...choice.hidden, ...all.filter(c => !choice.order.includes(c.id)).map(c => c.id)] : all.filter(c => !preset.includes(c.id)).map(c => c.id))
  return { list, hidden, pinned: new Set(choice?.pinned) }
}
