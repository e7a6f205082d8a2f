// How the items of a node differ from their partners, as graph files spell it.
import { type GraphRules, ruleSets } from '../rules/index.ts'
import {
  type BenchItem,
  type DebugItem,
  type ItemRow,
  Kind,
  type NodeRow,
  Outcome,
  stats,
  statTitles,
} from '../model/index.ts'
import { exactDifference, isNumeric, metricColumns, numberIn, type MetricColumn } from '../measure/index.ts'
import { gradeNames, metricCell, noNumbers, reasonList } from '../judge/index.ts'
import { encoded } from './bytes.ts'
import { Heads, quote, statKeys } from './field-heads.ts'
import { NodeKind } from './graph.ts'
import { cellText } from './item-texts.ts'
import { itemSides, type ItemSides } from './items.ts'
import { graderOf, type ItemGrade } from './levels.ts'
import type { DifferenceForm, Four, Page, Piece } from './page.ts'
import { notCompared, surplus, type GraphPair } from './pair.ts'
import { jsonText, type Spelling } from './texts.ts'
import { allOf, differenceOf, sameMd5, type SmallValue, smallValues, statCells } from './values.ts'

const diffKeys = stats.map(stat => statTitles[stat][1])
const relativeKeys = stats.map(stat => statTitles[stat][2])

/** Spells how the debug items of a comparison differ from their partners. */
export class DifferenceSpeller {
  readonly #pair: GraphPair
  readonly #how: GraphRules
  readonly #spelling: Spelling
  readonly #metrics: readonly MetricColumn[]
  readonly #debugStats: Four
  readonly #benchStats: Four
  readonly #sides: ItemSides
  /** Code of the dtype of process groups, of which only their members are told. */
  readonly #group: number
  readonly #smallOf: ReturnType<typeof smallValues>
  readonly #grades: ((node: NodeRow) => readonly ItemGrade[]) | null
  readonly #heads: Heads
  readonly #diffHeads: readonly Piece[]
  readonly #relativeHeads: readonly Piece[]
  /** What stands where nothing differs: for floats, for whole numbers, for zeros. */
  readonly #equal: { readonly floats: Piece; readonly ints: Piece; readonly zeros: Piece }
  readonly #form: DifferenceForm
  readonly #smallForms = new Map<SmallValue, DifferenceForm>()
  #node = -1
  #nodeGrades: ReadonlyMap<number, ItemGrade> = new Map()

  constructor(page: Page, pair: GraphPair, spelling: Spelling, join: string) {
    this.#pair = pair
    this.#how = ruleSets[pair.rules].graph
    this.#spelling = spelling
    this.#metrics = metricColumns[ruleSets[pair.rules].generation].filter(metric => !metric.extra)
    this.#debugStats = statCells(pair.debugDump)
    this.#benchStats = statCells(pair.benchDump)
    this.#sides = itemSides(pair.debugDump, pair.rules)
    this.#group = pair.debugDump.texts.findPlain('torch.ProcessGroup')
    this.#smallOf = this.#how.smallValues ? smallValues(pair.debugDump) : () => undefined
    this.#grades = this.#how.levels ? graderOf(pair) : null
    this.#heads = new Heads(page, join)
    this.#diffHeads = diffKeys.map((key, s) => this.#heads.of(key, s === 0 ? 'next' : 'closing'))
    this.#relativeHeads = relativeKeys.map(key => this.#heads.of(key, 'closing'))
    const heads = page.list([...this.#diffHeads, ...this.#relativeHeads])
    this.#form = { heads, none: page.keep(notANumber), bound: -1, notes: 0 }
    const eight = (diff: string, relative: string): Piece => {
      const from = page.length
      this.#eight(
        page,
        () => diff,
        () => relative,
      )
      return page.takeBack(from)
    }
    this.#equal = { floats: eight('0.0', '0.0%'), ints: eight('0', '0.0%'), zeros: eight('0', 'N/A') }
  }

  /** The fields of an item's difference; nothing where nothing was compared. */
  fields(out: Page, node: NodeRow, item: ItemRow): void {
    const there = this.#pair.benchItem[item]
    if (
      there === notCompared ||
      this.#sides.unjudged.has(item) ||
      this.#pair.debugDump.items.dtype[item] === this.#group
    )
      return
    if (this.#pair.mode === 'structure') return this.#structure(out, item)
    if (this.#pair.mode === 'statistics') this.#statistics(out, item, there)
    else if (this.#pair.mode === 'tensor') this.#tensor(out, item, there)
    else if (!this.#grades) this.#md5(out, item, there)
    if (this.#grades) this.#grade(out, node, item, there, this.#grades)
  }

  /** `Result` of a node in md5 mode. */
  nodeResult(node: NodeRow, index: string): string {
    if (this.#pair.mode !== 'md5' || this.#how.levels || this.#pair.debug.kind[node] === NodeKind.group)
      return ''
    return index === '1' ? 'pass' : 'Different'
  }

  #put(out: Page, head: Piece, text: string): void {
    out.put(head)
    out.text(text)
    out.byte(quote)
  }

  #statistics(out: Page, item: DebugItem, there: BenchItem): void {
    if (there === surplus) return this.#surplusStatistics(out, item)
    const { debugDump, benchDump } = this.#pair
    const small = this.#smallOf(debugDump.items.dtype[item])
    if (this.#allEqual(item, there, small ? small.bound : -1)) return out.put(this.#equal.floats)
    const whole = small ? null : this.#equalWhole(item, there)
    if (whole !== null) return out.put(whole)
    if (!this.#how.levels && this.#floats(out, item, there, small)) return
    for (let s = 0; s < 4; s++) {
      out.put(this.#diffHeads[s])
      const kind = this.#debugStats[s].kind[item]
      const otherKind = this.#benchStats[s].kind[there]
      if (!isNumeric(kind) || !isNumeric(otherKind)) out.raw(notANumber)
      else {
        const long =
          kind === Kind.bigint || otherKind === Kind.bigint
            ? exactDifference(
                { dump: debugDump, cells: this.#debugStats[s], item },
                { dump: benchDump, cells: this.#benchStats[s], item: there },
              )
            : null
        const d =
          numberIn(this.#debugStats[s], item, debugDump) - numberIn(this.#benchStats[s], there, benchDump)
        if (long !== null) out.text(String(long))
        else if (Number.isNaN(d)) out.raw(nan)
        else if (kind !== Kind.float && otherKind !== Kind.float) out.text(String(d))
        else if (!Number.isFinite(d)) out.text(d < 0 ? '-inf\\t' : 'inf\\t')
        else if (this.#how.levels) out.text(this.#spelling.float(d))
        else out.float(d)
      }
    }
    for (let s = 0; s < 4; s++) {
      out.put(this.#relativeHeads[s])
      if (!isNumeric(this.#debugStats[s].kind[item]) || !isNumeric(this.#benchStats[s].kind[there]))
        out.raw(notANumber)
      else {
        const n = numberIn(this.#debugStats[s], item, debugDump)
        const b = numberIn(this.#benchStats[s], there, benchDump)
        const d = differenceOf(this.#pair, this.#debugStats[s], item, this.#benchStats[s], there)
        if (Number.isNaN(d)) out.raw(nan)
        else if (b === 0) out.raw(notANumber)
        else {
          const relative = Math.abs(d / b) * 100
          if (this.#how.levels) out.text(this.#spelling.percent(relative))
          else {
            out.percent(relative)
            out.byte(0x25)
          }
        }
        if (small && Math.abs(n) <= small.bound) out.text(smallNotes[s](small.shown))
      }
    }
    out.byte(quote)
  }

  /** Four floats on each side, unless one of the results is in doubt. */
  #floats(out: Page, item: DebugItem, there: BenchItem, small: SmallValue | undefined): boolean {
    if (!allOf(Kind.float, this.#debugStats, item) || !allOf(Kind.float, this.#benchStats, there))
      return false
    const form = small ? this.#formOf(out, small) : this.#form
    return out.differ(form, this.#debugStats, item, this.#benchStats, there)
  }

  #formOf(out: Page, small: SmallValue): DifferenceForm {
    let form = this.#smallForms.get(small)
    if (form === undefined) {
      const notes = out.list(smallNotes.map(note => out.keep(note(small.shown))))
      form = { ...this.#form, bound: small.bound, notes }
      this.#smallForms.set(small, form)
    }
    return form
  }

  /** The same whole number four times on each side: most arguments. */
  #equalWhole(item: DebugItem, there: BenchItem): Piece | null {
    if (!allOf(Kind.int, this.#debugStats, item) || !allOf(Kind.int, this.#benchStats, there)) return null
    const value = this.#debugStats[0].value[item]
    for (let s = 0; s < 4; s++)
      if (this.#debugStats[s].value[item] !== value || this.#benchStats[s].value[there] !== value) return null
    return value === 0 ? this.#equal.zeros : this.#equal.ints
  }

  /**
   * Four finite floats above the bound that do not differ: most of what is compared before the first fault.
   */
  #allEqual(item: DebugItem, there: BenchItem, bound: number): boolean {
    for (let s = 0; s < 4; s++) {
      const mine = this.#debugStats[s]
      const theirs = this.#benchStats[s]
      const value = mine.value[item]
      if (
        mine.kind[item] !== Kind.float ||
        theirs.kind[there] !== Kind.float ||
        value !== theirs.value[there]
      )
        return false
      const size = Math.abs(value)
      if (size === 0 || size === Infinity || size <= bound) return false
    }
    return true
  }

  #surplusStatistics(out: Page, item: ItemRow): void {
    const shifted = (s: number): string =>
      jsonText(cellText(this.#pair.debugDump, this.#debugStats[s - 1], item, this.#spelling)).slice(1, -1)
    this.#eight(
      out,
      () => ' ',
      s => (this.#how.shortPadding && s > 0 ? shifted(s) : ' '),
    )
  }

  #eight(out: Page, diff: (s: number) => string, relative: (s: number) => string): void {
    this.#diffHeads.forEach((head, s) => {
      out.put(head)
      out.text(diff(s))
    })
    this.#relativeHeads.forEach((head, s) => {
      out.put(head)
      out.text(relative(s))
    })
    out.byte(quote)
  }

  #tensor(out: Page, item: DebugItem, there: BenchItem): void {
    const { measured, measuredRow } = this.#pair
    const row = measuredRow[item]
    const fixed = there === surplus && !this.#how.shortPadding ? ' ' : noNumbers
    for (const metric of this.#metrics) {
      let text = fixed
      if (measured && row >= 0) {
        const empty = measured.outcome[row] === Outcome.empty && !this.#how.levels
        const cell = empty ? '0' : metricCell(metric, measured, row)
        text = typeof cell === 'number' ? this.#spelling.float(cell) : cell
      }
      this.#put(out, this.#heads.of(metric.title), text)
    }
  }

  #structure(out: Page, item: ItemRow): void {
    if (!this.#how.structureJudged || this.#sides.side[item] !== 0) return
    for (const { title } of this.#metrics) this.#put(out, this.#heads.of(title), ' ')
  }

  #md5(out: Page, item: DebugItem, there: BenchItem): void {
    const { debugDump, benchDump } = this.#pair
    const same = there !== surplus && sameMd5(debugDump, item, benchDump, there)
    const differs = there === surplus ? 'Nan' : 'Different'
    this.#put(out, this.#heads.of('Result'), same ? 'pass' : differs)
  }

  #grade(
    out: Page,
    node: NodeRow,
    item: ItemRow,
    there: number,
    grades: (node: NodeRow) => readonly ItemGrade[],
  ): void {
    if (node !== this.#node) {
      this.#node = node
      this.#nodeGrades = new Map(grades(node).map(grade => [grade.item, grade]))
    }
    const grade = this.#nodeGrades.get(item)
    const { debugDump, benchDump } = this.#pair
    const same = there < 0 || debugDump.items.requiresGrad[item] === benchDump.items.requiresGrad[there]
    const result = (): void => this.#put(out, this.#heads.of('Result'), gradeNames[grade?.grade ?? 0])
    if (this.#pair.mode === 'md5') result()
    this.#put(out, this.#heads.of('Requires_grad Consistent'), same ? 'True' : 'False')
    if (this.#pair.mode !== 'md5') result()
    this.#put(out, this.#heads.of('Err_message'), jsonText(grade ? reasonList(grade) : '[]').slice(1, -1))
  }
}

const notANumber = encoded('N/A')
const nan = encoded('Nan')

/**
 * The note that a relative error of a small value gets: because of this statistic below the bound, the relative
 * error should not be relied on but the absolute one. Viewers read what stands before the comma.
 */
const smallNotes = statKeys.map(
  key => (bound: string) =>
    `, \\u7531\\u4e8e${key}\\u5c0f\\u4e8e${bound}` +
    ', \\u5efa\\u8bae\\u4e0d\\u53c2\\u8003\\u6b64\\u76f8\\u5bf9\\u8bef\\u5dee' +
    '\\uff0c\\u8bf7\\u53c2\\u8003\\u7edd\\u5bf9\\u8bef\\u5dee',
)
