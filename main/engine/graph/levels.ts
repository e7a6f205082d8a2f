// msprobe 26: every compared item passes, warns or fails for a reason; a node is as bad as its worst
// item.
import { isNumeric, numberIn } from '../measure/index.ts'
import { fixed12 } from '../python/index.ts'
import {
  type BenchItem,
  type Column,
  type DebugItem,
  type Dump,
  type ItemRow,
  Kind,
  type NodeRow,
  Note,
  Outcome,
  type TextCode,
} from '../model/index.ts'
import { itemSides, rangeOf } from './items.ts'
import { codesIn } from './match.ts'
import { notCompared, surplus, type GraphPair } from './pair.ts'
import { differenceOf, ratioOf, relativeOf, sameMd5 } from './values.ts'

const Grade = { pass: 0, warning: 0.5, error: 1 } as const
type Grade = (typeof Grade)[keyof typeof Grade]
export const gradeNames: Readonly<Record<number, string>> = { 0: 'pass', 0.5: 'warning', 1: 'error' }

/** Why an item does not pass. */
export type Reason =
  | 'not-finite'
  | 'norm-jump'
  | 'ratio-fall'
  | 'requires-grad'
  | 'scalar'
  | 'dtype'
  | 'shape'
  | 'norm-growth'
  | 'cosine-fall'
  | 'checksum'
  | 'no-partner'

export interface ItemGrade {
  readonly item: DebugItem
  grade: Grade
  readonly reasons: Reason[]
}

/** APIs whose outputs mean nothing, and those whose inputs do not. */
const ignored = new Set([
  'empty',
  'empty_like',
  'numpy',
  'to',
  '__setitem__',
  'empty_with_format',
  'new_empty_strided',
  'new_empty',
  'empty_strided',
])
const inputsIgnored = new Set([
  '_reduce_scatter_base',
  '_all_gather_base',
  'all_to_all_single',
  'batch_isend_irecv',
])

/** Fills the index of a node with the grade of its worst item. */
export function levelIndex(pair: GraphPair): (node: NodeRow) => void {
  const grade = graderOf(pair)
  return node => {
    let worst = 0
    for (const item of grade(node)) worst = Math.max(worst, item.grade)
    pair.index[node] = worst
    pair.indexInt[node] = worst === 0.5 ? 0 : 1
  }
}

/** Grades of the compared items of a node, in the dump's order. */
export function graderOf(pair: GraphPair): (node: NodeRow) => readonly ItemGrade[] {
  const grader = new Grader(pair)
  return node => grader.grades(node)
}

class Grader {
  readonly #pair: GraphPair
  readonly #side: Column<Uint8Array, ItemRow>
  readonly #code: (code: TextCode) => TextCode
  readonly #scalarShape: TextCode

  constructor(pair: GraphPair) {
    this.#pair = pair
    this.#side = itemSides(pair.debugDump, pair.rules).side
    this.#code = codesIn(pair.debugDump.texts, pair.benchDump.texts)
    this.#scalarShape = pair.debugDump.texts.findPlain('[]')
  }

  grades(node: NodeRow): readonly ItemGrade[] {
    const { debugDump, debug, benchItem, mode } = this.#pair
    const grades: ItemGrade[] = []
    for (let [item, end] = rangeOf(debugDump, debug.op[node]); item < end; item++) {
      if (benchItem[item] !== notCompared) grades.push({ item, grade: Grade.pass, reasons: [] })
    }
    const word = debug.names.word(debugDump.texts.get(debug.name[node]))
    if (ignored.has(word)) return grades
    const outputs = grades.filter(({ item }) => this.#side[item] === 1)
    const skipsInputs = inputsIgnored.has(word)
    for (const grade of skipsInputs ? outputs : grades) {
      if (mode === 'md5') this.#checksum(grade)
      else this.#fields(grade)
    }
    if (mode === 'md5' || skipsInputs || outputs.length === 0) return grades
    const inputs = grades.filter(({ item }) => this.#side[item] !== 1)
    if (mode === 'statistics') this.#norms(inputs, outputs)
    else this.#tensors(inputs, outputs)
    return grades
  }

  #checksum(grade: ItemGrade): void {
    const { debugDump, benchDump, benchItem } = this.#pair
    const there = benchItem[grade.item]
    if (there === surplus) judge(grade, Grade.warning, 'no-partner')
    else if (!sameMd5(debugDump, grade.item, benchDump, there)) judge(grade, Grade.error, 'checksum')
  }

  /** What an item says of itself beside its numbers. */
  #fields(grade: ItemGrade): void {
    const { debugDump, benchDump, benchItem } = this.#pair
    const { item } = grade
    const there = benchItem[item]
    const mine = debugDump.items
    const theirs = benchDump.items
    if (notFinite(debugDump, item) && !(there >= 0 && notFinite(benchDump, there)))
      judge(grade, Grade.error, 'not-finite')
    if (there < 0) return
    const [grad, otherGrad] = [mine.requiresGrad[item], theirs.requiresGrad[there]]
    if (grad !== 2 && otherGrad !== 2 && grad !== otherGrad) judge(grade, Grade.error, 'requires-grad')
    if (this.#side[item] !== 1 && this.#isScalar(item, there) && !sameMax(debugDump, item, benchDump, there))
      judge(grade, Grade.error, 'scalar')
    // Parts that one side has fused may well be of another type.
    const sameType = this.#same(mine.dtype[item], theirs.dtype[there])
    if (!sameType && !/qkv|gate_up/.test(benchDump.texts.get(theirs.name[there])))
      judge(grade, Grade.error, 'dtype')
    if (!this.#same(mine.shape[item], theirs.shape[there])) judge(grade, Grade.error, 'shape')
  }

  #isScalar(item: DebugItem, there: BenchItem): boolean {
    const { debugDump, benchDump } = this.#pair
    return (
      isClass(debugDump, item) &&
      isClass(benchDump, there) &&
      debugDump.items.shape[item] === this.#scalarShape
    )
  }

  /** Two codes, each of its side's texts, -1 for none. */
  #same(a: TextCode, b: TextCode): boolean {
    return a < 0 ? b < 0 : b >= 0 && this.#code(a) === b
  }

  #norms(inputs: readonly ItemGrade[], outputs: readonly ItemGrade[]): void {
    const error = ({ item }: ItemGrade): number => normError(this.#pair, item)
    const most = (errors: readonly number[]): number => Math.max(0, ...errors.filter(x => !Number.isNaN(x)))
    const before = most(inputs.map(error))
    const errors = outputs.map(error)
    outputs.forEach((grade, i) => {
      if (before < 0.1 && errors[i] > 0.5) judge(grade, Grade.error, 'norm-jump')
    })
    const after = most(errors)
    if (before === 0 ? after > 0.1 : after / before > 10) judge(outputs[0], Grade.warning, 'norm-growth')
  }

  #tensors(inputs: readonly ItemGrade[], outputs: readonly ItemGrade[]): void {
    const least = (list: readonly ItemGrade[], of: (pair: GraphPair, item: ItemRow) => number): number =>
      Math.min(1, ...list.map(({ item }) => of(this.#pair, item)).filter(x => !Number.isNaN(x)))
    if (least(inputs, thousandthOf) > 0.9 && least(outputs, thousandthOf) < 0.1)
      judge(outputs[0], Grade.error, 'ratio-fall')
    const before = least(inputs, cosineOf)
    if (before > 0.9 && before - least(outputs, cosineOf) > 0.1)
      judge(outputs[0], Grade.warning, 'cosine-fall')
  }
}

function judge(item: ItemGrade, grade: Grade, reason: Reason): void {
  item.grade = Math.max(item.grade, grade) as Grade
  item.reasons.push(reason)
}

function notFinite(dump: Dump, item: ItemRow): boolean {
  return [dump.items.max, dump.items.min].some(
    cells => cells.kind[item] === Kind.float && !Number.isFinite(cells.value[item]),
  )
}

const isClass = (dump: Dump, item: ItemRow): boolean =>
  dump.items.dtype[item] >= 0 && dump.texts.get(dump.items.dtype[item]).includes('class')

function sameMax(a: Dump, item: DebugItem, b: Dump, there: BenchItem): boolean {
  const x = a.items.max
  const y = b.items.max
  if (isNumeric(x.kind[item]) && isNumeric(y.kind[there]))
    return numberIn(x, item, a) === numberIn(y, there, b)
  if (x.kind[item] !== y.kind[there]) return false
  return x.kind[item] === Kind.text
    ? a.texts.get(x.value[item]) === b.texts.get(y.value[there])
    : x.value[item] === y.value[there]
}

/** Relative error of the norms, NaN where there is none. */
function normError(pair: GraphPair, item: ItemRow): number {
  const there = pair.benchItem[item]
  const a = pair.debugDump.items.norm
  const b = pair.benchDump.items.norm
  if (there < 0 || !isNumeric(a.kind[item]) || !isNumeric(b.kind[there])) return NaN
  return relativeOf(differenceOf(pair, a, item, b, there), numberIn(b, there, pair.benchDump))
}

function thousandthOf({ measured, measuredRow }: GraphPair, item: ItemRow): number {
  return measured && measuredRow[item] >= 0 ? ratioOf(measured, measuredRow[item]) : NaN
}

function cosineOf({ measured, measuredRow }: GraphPair, item: ItemRow): number {
  const row = measuredRow[item]
  if (!measured || row < 0 || measured.outcome[row] !== Outcome.measured) return NaN
  return measured.notes[row] & (Note.single | Note.cosineNan) ? NaN : fixed12(measured.cosine[row])
}
