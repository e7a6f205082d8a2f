// The numbers that a finding rests on, as texts.
import type { Evidence } from '../../../preload/contract/engine.ts'
import { itemName } from '../dump.ts'
import { Kind, State } from '../model.ts'
import { Difference, Equal } from './levels.ts'
import type { Case } from './links.ts'
import type { Event } from './scan.ts'
import { Direction, type SideView } from './side.ts'

const most = 8

/** The items of the event first, then the other items of its op: inputs that agree are evidence as well. */
export function evidenceOf(c: Case, event: Event): Evidence[] {
  const { debug, bench } = c
  const found: Evidence[] = []
  const own = event.debug >= 0 ? itemsOf(debug, event.debug) : []
  for (const item of new Set([...event.items, ...own])) {
    if (found.length >= most) break
    if (debug.dump.items.state[item] > State.output && debug.direction[debug.dump.items.op[item]] !== Direction.gradients && !event.items.includes(item)) continue
    const one = oneOf(c, item)
    if (one) found.push(one)
  }
  if (event.debug < 0) {
    for (const item of itemsOf(bench, event.bench).slice(0, most - found.length)) {
      found.push({ row: c.levels.rowOfBench[item], label: itemName(bench.dump, item), metric: 'value', debug: '', bench: valueOf(bench, item), level: Number.NaN })
    }
  }
  return found
}

const itemsOf = (view: SideView, op: number): number[] => {
  const from = view.dump.ops.first[op]
  return Array.from({ length: view.dump.ops.first[op + 1] - from }, (_, k) => from + k)
}

function oneOf(c: Case, item: number): Evidence | null {
  const { debug, bench, levels } = c
  const mate = levels.mate[item]
  const base = { row: levels.rowOfDebug[item], label: itemName(debug.dump, item), level: levels.level[item] }
  if (mate < 0) return { ...base, metric: 'value', debug: valueOf(debug, item), bench: '' }
  if (debug.dump.items.tensor[item] === 0) {
    return levels.equal[item] === Equal.no ? { ...base, metric: 'argument', debug: valueOf(debug, item), bench: valueOf(bench, mate) } : null
  }
  const text = (view: SideView, at: number, code: 'shape' | 'dtype'): string => (view.dump.items[code][at] < 0 ? '' : view.dump.texts.get(view.dump.items[code][at]))
  if ((levels.differs[item] & Difference.shape) !== 0) return { ...base, metric: 'shape', debug: text(debug, item, 'shape'), bench: text(bench, mate, 'shape') }
  if ((levels.differs[item] & Difference.dtype) !== 0) return { ...base, metric: 'dtype', debug: text(debug, item, 'dtype'), bench: text(bench, mate, 'dtype') }
  if (Number.isNaN(levels.level[item]) && levels.equal[item] === Equal.unknown) return null
  return { ...base, ...tellingValues(c, item, mate) }
}

const statistics = ['norm', 'max', 'min', 'mean'] as const

/** The norm, or where it says the same on both sides of a tensor that differs, what does not. */
function tellingValues({ debug, bench, levels }: Case, item: number, mate: number): Pick<Evidence, 'metric' | 'debug' | 'bench'> {
  const norm = { metric: debug.counted[item] === 1 ? 'norm' : 'md5', debug: valueOf(debug, item), bench: valueOf(bench, mate) }
  if (levels.equal[item] !== Equal.no && hasNorm(debug, item)) return norm
  for (const metric of statistics) {
    const [mine, theirs] = [cellText(debug, metric, item), cellText(bench, metric, mate)]
    if (mine !== theirs && mine !== null && theirs !== null) return { metric, debug: mine, bench: theirs }
  }
  const [mine, theirs] = [md5Of(debug, item), md5Of(bench, mate)]
  if (mine !== theirs) return { metric: 'md5', debug: mine, bench: theirs }
  return hasNorm(debug, item) || debug.counted[item] === 0 ? norm : { metric: 'max', debug: cellText(debug, 'max', item) ?? '', bench: cellText(bench, 'max', mate) ?? '' }
}

const hasNorm = (view: SideView, item: number): boolean => cellText(view, 'norm', item) !== null
const md5Of = ({ dump: { items, texts } }: SideView, item: number): string => (items.md5[item] < 0 ? '' : texts.get(items.md5[item]))

function cellText({ dump: { items, texts } }: SideView, of: (typeof statistics)[number], item: number): string | null {
  const [kind, value] = [items[of].kind[item], items[of].value[item]]
  if (kind === Kind.absent || kind === Kind.none) return null
  if (kind === Kind.text || kind === Kind.bigint) return texts.get(value)
  return kind === Kind.bool ? (value === 1 ? 'True' : 'False') : String(value)
}

/** The value of a scalar, the norm of a tensor, else its md5. */
export function valueOf(view: SideView, item: number): string {
  const { items, texts } = view.dump
  if (items.tensor[item] === 1 && view.counted[item] === 0) return md5Of(view, item)
  return cellText(view, items.tensor[item] === 1 ? 'norm' : 'max', item) ?? (items.shape[item] >= 0 ? texts.get(items.shape[item]) : 'None')
}
