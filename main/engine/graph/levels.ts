// The newest rules: every compared item passes, warns or fails for a reason; a node is as bad as its worst item.
import { fixed12 } from '../metrics/numpy.ts'
import { Note, Outcome } from '../metrics/measured.ts'
import { Kind } from '../model.ts'
import type { Dump } from '../dump.ts'
import { itemSides, rangeOf } from './items.ts'
import { codesIn } from './match.ts'
import { notCompared, surplus, type GraphPair } from './pair.ts'
import { differenceOf, isNumber, numberOf, ratioOf, relativeOf, sameMd5 } from './values.ts'

export const Grade = { pass: 0, warning: 0.5, error: 1 } as const
export type Grade = (typeof Grade)[keyof typeof Grade]
export const gradeNames: Readonly<Record<number, string>> = { 0: 'pass', 0.5: 'warning', 1: 'error' }

/** Why an item does not pass. */
export type Reason = 'not-finite' | 'norm-jump' | 'ratio-fall' | 'requires-grad' | 'scalar' | 'dtype' | 'shape' | 'norm-growth' | 'cosine-fall' | 'checksum' | 'no-partner'

export interface ItemGrade {
  readonly item: number
  grade: Grade
  readonly reasons: Reason[]
}

/** APIs whose outputs mean nothing, and those whose inputs do not. */
const ignored = new Set(['empty', 'empty_like', 'numpy', 'to', '__setitem__', 'empty_with_format', 'new_empty_strided', 'new_empty', 'empty_strided'])
const inputsIgnored = new Set(['_reduce_scatter_base', '_all_gather_base', 'all_to_all_single', 'batch_isend_irecv'])

/** Fills the index of a node with the grade of its worst item. */
export function levelIndex(pair: GraphPair): (node: number) => void {
  const grade = graderOf(pair)
  return node => {
    let worst = 0
    for (const item of grade(node)) worst = Math.max(worst, item.grade)
    pair.index[node] = worst
    pair.indexInt[node] = worst === 0.5 ? 0 : 1
  }
}

/** Grades of the compared items of a node, in the dump's order. */
export function graderOf(pair: GraphPair): (node: number) => readonly ItemGrade[] {
  const { debugDump, benchDump, debug, benchItem } = pair
  const { side } = itemSides(debugDump, pair.rules)
  const code = codesIn(debugDump.texts, benchDump.texts)
  const same = (a: number, b: number): boolean => (a < 0 ? b < 0 : b >= 0 && code(a) === b)
  const mine = debugDump.items
  const theirs = benchDump.items
  const scalarShape = debugDump.texts.findPlain('[]')

  return node => {
    const grades: ItemGrade[] = []
    for (let [item, end] = rangeOf(debugDump, debug.op[node]); item < end; item++) {
      if (benchItem[item] !== notCompared) grades.push({ item, grade: Grade.pass, reasons: [] })
    }
    const word = debugDump.texts.get(debug.name[node]).split('.')[1] ?? ''
    if (ignored.has(word)) return grades
    const isOutput = (g: ItemGrade): boolean => side[g.item] === 1
    const judge = (g: ItemGrade, grade: Grade, reason: Reason): void => {
      g.grade = Math.max(g.grade, grade) as Grade
      g.reasons.push(reason)
    }
    const skipsInputs = inputsIgnored.has(word)
    const judged = grades.filter(g => !skipsInputs || isOutput(g))
    if (pair.mode === 'md5') {
      for (const g of judged) {
        if (benchItem[g.item] === surplus) judge(g, Grade.warning, 'no-partner')
        else if (!sameMd5(debugDump, g.item, benchDump, benchItem[g.item])) judge(g, Grade.error, 'checksum')
      }
      return grades
    }
    for (const g of judged) {
      const { item } = g
      const there = benchItem[item]
      if (notFinite(debugDump, item) && !(there >= 0 && notFinite(benchDump, there))) judge(g, Grade.error, 'not-finite')
      if (there < 0) continue
      if (mine.requiresGrad[item] !== 2 && theirs.requiresGrad[there] !== 2 && mine.requiresGrad[item] !== theirs.requiresGrad[there]) judge(g, Grade.error, 'requires-grad')
      if (!isOutput(g) && isClass(debugDump, item) && isClass(benchDump, there) && mine.shape[item] === scalarShape && !sameMax(debugDump, item, benchDump, there)) judge(g, Grade.error, 'scalar')
      if (!same(mine.dtype[item], theirs.dtype[there]) && !/qkv|gate_up/.test(benchDump.texts.get(theirs.name[there]))) judge(g, Grade.error, 'dtype')
      if (!same(mine.shape[item], theirs.shape[there])) judge(g, Grade.error, 'shape')
    }
    const inputs = grades.filter(g => !isOutput(g))
    const outputs = grades.filter(isOutput)
    if (skipsInputs || outputs.length === 0) return grades
    if (pair.mode === 'statistics') {
      const before = Math.max(0, ...inputs.map(g => normError(pair, g.item)).filter(x => !Number.isNaN(x)))
      const errors = outputs.map(g => normError(pair, g.item))
      outputs.forEach((g, i) => {
        if (before < 0.1 && errors[i] > 0.5) judge(g, Grade.error, 'norm-jump')
      })
      const after = Math.max(0, ...errors.filter(x => !Number.isNaN(x)))
      if (before === 0 ? after > 0.1 : after / before > 10) judge(outputs[0], Grade.warning, 'norm-growth')
    } else {
      const least = (list: readonly ItemGrade[], of: (item: number) => number): number => Math.min(1, ...list.map(g => of(g.item)).filter(x => !Number.isNaN(x)))
      const ratio = (item: number): number => (pair.measured && pair.measuredRow[item] >= 0 ? ratioOf(pair.measured, pair.measuredRow[item]) : NaN)
      if (least(inputs, ratio) > 0.9 && least(outputs, ratio) < 0.1) judge(outputs[0], Grade.error, 'ratio-fall')
      const cosine = (item: number): number => cosineOf(pair, item)
      const before = least(inputs, cosine)
      if (before > 0.9 && before - least(outputs, cosine) > 0.1) judge(outputs[0], Grade.warning, 'cosine-fall')
    }
    return grades
  }
}

function notFinite(dump: Dump, item: number): boolean {
  return [dump.items.max, dump.items.min].some(cells => cells.kind[item] === Kind.float && !Number.isFinite(cells.value[item]))
}

const isClass = (dump: Dump, item: number): boolean => dump.items.dtype[item] >= 0 && dump.texts.get(dump.items.dtype[item]).includes('class')

function sameMax(a: Dump, item: number, b: Dump, there: number): boolean {
  const x = a.items.max
  const y = b.items.max
  if (isNumber(x.kind[item]) && isNumber(y.kind[there])) return numberOf(a, x, item) === numberOf(b, y, there)
  if (x.kind[item] !== y.kind[there]) return false
  return x.kind[item] === Kind.text ? a.texts.get(x.value[item]) === b.texts.get(y.value[there]) : x.value[item] === y.value[there]
}

/** Relative error of the norms, NaN where there is none. */
function normError({ debugDump, benchDump, benchItem }: GraphPair, item: number): number {
  const there = benchItem[item]
  const a = debugDump.items.norm
  const b = benchDump.items.norm
  if (there < 0 || !isNumber(a.kind[item]) || !isNumber(b.kind[there])) return NaN
  return relativeOf(differenceOf(debugDump, a, item, benchDump, b, there), numberOf(benchDump, b, there))
}

function cosineOf({ measured, measuredRow }: GraphPair, item: number): number {
  const row = measuredRow[item]
  if (!measured || row < 0 || measured.outcome[row] !== Outcome.measured) return NaN
  return measured.notes[row] & (Note.single | Note.cosineNan) ? NaN : fixed12(measured.cosine[row])
}
