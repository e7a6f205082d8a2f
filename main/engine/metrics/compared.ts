// A comparison over the columns of two dumps: answers and colours are kept per row, cells are made when asked for.
import type { Thresholds } from '../../../preload/contract/engine.ts'
import type { Spelling } from '../columns.ts'
import type { Dump } from '../dump.ts'
import { atOnce, overRows, type Steps } from '../job.ts'
import { Kind, State, type Mode, type Rules } from '../model.ts'
import type { Problem } from '../problem.ts'
import type { Comparison, ResultColumn } from '../result.ts'
import { cellsOf, type Cell } from './cells.ts'
import { highlight, highlightTexts, type Highlight, type HighlightInput } from './highlight.ts'
import { Note, Outcome, type Measured } from './measured.ts'
import { fixed12, roundCosine } from './numpy.ts'
import { fuzzySentence, noBenchFile, noBenchRow, outcomeMessage } from './outcomes.ts'
import { Diff, differences, isNumeric, numberOf, type Differences } from './statistics.ts'
import { TextIds } from './text-ids.ts'
import { accuracy, Answer, isFailing, judge, type Judged } from './verdict.ts'

/** What the rule set and the dialect decide about cells. */
export interface TableWays {
  /** Statistics are printed and read again before they are subtracted. */
  readonly reparse: boolean
  /** All four statistics must be off for a warning. */
  readonly warnOnAll: boolean
  /** Tensors without elements have metrics of 0 and are not reached. */
  readonly emptyIsZero: boolean
  /** A missing file is named by the debug side. */
  readonly missingIsDebug: boolean
  readonly hidesUnmatchedMd5: boolean
  /** An unmatched None passes in md5 mode. */
  readonly unmatchedNonePasses: boolean
  readonly smallestMax: number
  readonly bothAboveOne: boolean
}

export interface TableInput {
  readonly mode: Mode
  readonly rules: Rules
  readonly debug: Dump
  readonly bench: Dump
  readonly columns: readonly ResultColumn[]
  readonly dialect: 'queue' | 'join' | 'listed'
  readonly debugItem: Int32Array
  readonly benchItem: Int32Array
  readonly benchOnly: Int32Array
  readonly stackShown: Uint8Array
  readonly fuzzy: boolean
  readonly ways: TableWays
  readonly measured: Measured | null
  readonly pairOf: Int32Array | null
  readonly problems: readonly Problem[]
  why(row: number): string
}

/** What does not depend on thresholds. */
interface Kept {
  readonly differences: Differences | null
  readonly answer: Uint8Array
  readonly highlight: Highlight | null
}

export function* comparedTable(input: TableInput, thresholds: Thresholds): Steps<Comparison> {
  const statistics = input.mode === 'statistics' ? yield* differences(input.debug, input.bench, input.debugItem, input.benchItem, input.ways) : null
  const answer = yield* answersOf(input, statistics)
  const colours = input.mode === 'md5' ? null : yield* highlight(yield* highlightInput(input, statistics), input.ways)
  return new Compared(input, { differences: statistics, answer, highlight: colours }, yield* judge({ ...input, answer }, thresholds))
}

class Compared implements Comparison {
  readonly mode: Mode
  readonly rules: Rules
  readonly debug: Dump
  readonly bench: Dump
  readonly columns: readonly ResultColumn[]
  readonly length: number
  readonly debugItem: Int32Array
  readonly benchItem: Int32Array
  readonly benchOnly: Int32Array
  readonly problems: readonly Problem[]
  readonly verdict: Uint8Array
  readonly level: Float64Array
  readonly fill: Uint8Array
  readonly pending: number
  readonly measured: Measured | null
  readonly pairOf: Int32Array | null
  readonly #input: TableInput
  readonly #kept: Kept
  readonly #cells: readonly Cell[]

  constructor(input: TableInput, kept: Kept, { verdict, level }: Judged) {
    this.#input = input
    this.#kept = kept
    this.mode = input.mode
    this.rules = input.rules
    this.debug = input.debug
    this.bench = input.bench
    this.columns = input.columns
    this.length = input.debugItem.length
    this.debugItem = input.debugItem
    this.benchItem = input.benchItem
    this.benchOnly = input.benchOnly
    this.problems = input.problems
    this.measured = input.measured
    this.pairOf = input.pairOf
    this.fill = kept.highlight?.fill ?? new Uint8Array(this.length)
    this.pending = input.measured ? count(input.measured.outcome, Outcome.pending) : 0
    this.verdict = verdict
    this.level = level
    const cells = cellsOf({
      ...input, answer: kept.answer, differences: kept.differences, emptyIsZero: input.ways.emptyIsZero,
      hidesUnmatched: { md5: input.ways.hidesUnmatchedMd5, dataName: input.dialect === 'queue' }, message: row => this.#message(row),
    })
    this.#cells = input.columns.map(column => cells[column.id])
  }

  kind(row: number, column: number): Kind { return this.#cells[column].kind(row) }
  number(row: number, column: number): number { return this.#cells[column].number(row) }
  text(row: number, column: number): string { return this.#cells[column].text(row) }
  sortable(row: number, column: number): number { return this.#cells[column].sortable(row) }
  spelling(column: number): Spelling | null { return this.#cells[column].spelling ?? null }
  failing(row: number): boolean { return isFailing(this.#kept.answer[row]) }
  judged(thresholds: Thresholds): Comparison { return new Compared(this.#input, this.#kept, atOnce(judge({ ...this.#input, answer: this.#kept.answer }, thresholds))) }

  #message(row: number): string {
    const own = messages[this.mode](this.#input, this.#kept.answer[row], row)
    const notes = this.#kept.highlight?.notes(row) ?? []
    if (notes.length === 0) return own
    const texts = notes.map(note => highlightTexts[note]).join('\n')
    return own ? `${own}\n${texts}` : texts
  }
}

const count = (column: Uint8Array, value: number): number => {
  let n = 0
  for (const v of column) if (v === value) n++
  return n
}

// ---------------------------------------------------------------------------------------------- answers

function* answersOf(input: TableInput, statistics: Differences | null): Steps<Uint8Array> {
  const answer = new Uint8Array(input.debugItem.length)
  const of = { statistics: statisticsAnswer, md5: md5Answer, tensor: tensorAnswer }[input.mode](input, statistics)
  yield* overRows(answer.length, (from, to) => { for (let row = from; row < to; row++) answer[row] = of(row) })
  return answer
}

function statisticsAnswer({ benchItem, dialect }: TableInput, statistics: Differences | null): (row: number) => Answer {
  return row => (benchItem[row] < 0 ? (dialect === 'listed' ? Answer.blank : Answer.notThere) : statistics?.warning[row] ? Answer.warning : Answer.blank)
}

function md5Answer({ debug, bench, debugItem, benchItem, dialect, ways }: TableInput): (row: number) => Answer {
  const ids = new TextIds()
  const ofDebug = ids.of(debug.texts)
  const ofBench = ids.of(bench.texts)
  return row => {
    const mine = debug.items.md5[debugItem[row]]
    if (benchItem[row] < 0) return dialect === 'listed' ? Answer.different : dialect === 'join' && mine < 0 && ways.unmatchedNonePasses ? Answer.pass : Answer.notThere
    return ofDebug(mine) === ofBench(bench.items.md5[benchItem[row]]) ? Answer.pass : Answer.different
  }
}

function tensorAnswer({ measured, pairOf, ways }: TableInput): (row: number) => Answer {
  return row => {
    const pair = pairOf ? pairOf[row] : -1
    if (!measured || pair < 0) return Answer.none
    switch (measured.outcome[pair]) {
      case Outcome.pending: return Answer.blank
      case Outcome.empty: return ways.emptyIsZero ? Answer.no : Answer.none
      case Outcome.shapesDiffer: return Answer.unmatched
      case Outcome.nanPositions: return Answer.no
      case Outcome.measured: return measured.notes[pair] & Note.single ? Answer.none : accuracy(roundCosine(measured.cosine[pair]), fixed12(measured.maxAbs[pair]))
      default: return Answer.none
    }
  }
}

const messages: Readonly<Record<Mode, (input: TableInput, answer: number, row: number) => string>> = {
  md5: () => '',
  statistics: ({ benchItem, dialect }, answer, row) =>
    answer === Answer.warning ? 'Need double check api accuracy.' : benchItem[row] < 0 && dialect !== 'listed' ? noBenchRow : '',
  tensor(input, _answer, row) {
    const { debug, bench, debugItem, benchItem, measured, pairOf, ways } = input
    const pair = pairOf ? pairOf[row] : -1
    const item = debugItem[row]
    const other = benchItem[row]
    const hidden = input.dialect === 'queue' && other < 0
    const own = pair >= 0 && measured
      ? outcomeMessage(measured, pair, () => {
        const bare = !ways.missingIsDebug && measured.outcome[pair] === Outcome.benchMissing
        return bare ? bench.texts.get(bench.items.dataName[other]) : debug.texts.get(debug.items.dataName[item])
      })
      : hidden || debug.items.dataName[item] < 0 ? noBenchRow : noBenchFile
    const renamed = input.fuzzy && other >= 0 && debug.texts.get(debug.items.name[item]) !== bench.texts.get(bench.items.name[other])
    return renamed ? own + fuzzySentence : own
  },
}

// ---------------------------------------------------------------------------------------------- highlight

function* highlightInput(input: TableInput, statistics: Differences | null): Steps<HighlightInput> {
  const { debug, bench, debugItem, benchItem, dialect, measured, pairOf } = input
  const length = debugItem.length
  const { items } = debug
  const call = new Int32Array(length)
  const state = new Uint8Array(length)
  const overflow = new Uint8Array(length)
  const isOverflow = overflows(debug, dialect)
  const error = new Float64Array(length).fill(NaN)
  const numeric = new Uint8Array(length)
  const thousandth = measured ? new Float64Array(length).fill(NaN) : null
  const cosine = measured ? new Float64Array(length).fill(NaN) : null
  const benchMax = measured ? null : new Float64Array(length).fill(NaN)
  // In two dialects what is not finite has become a text before the rules look at it.
  const tabbed = statistics !== null && dialect !== 'join'

  const take = (row: number): void => {
    const item = debugItem[row]
    const other = benchItem[row]
    call[row] = items.op[item]
    state[row] = items.state[item]
    if (isOverflow(item, other)) overflow[row] = 1
    if (other < 0) return
    if (statistics) {
      if (statistics.state.max[row] !== Diff.number || (tabbed && !Number.isFinite(statistics.diff.max[row]))) return
      error[row] = statistics.diff.max[row]
    } else if (measured && thousandth && cosine) {
      const pair = pairOf ? pairOf[row] : -1
      const outcome = pair < 0 ? Outcome.pending : measured.outcome[pair]
      if (outcome === Outcome.empty && input.ways.emptyIsZero) error[row] = thousandth[row] = cosine[row] = 0
      if (outcome === Outcome.measured || outcome === Outcome.scalar) error[row] = fixed12(measured.maxAbs[pair])
      if (outcome === Outcome.measured) {
        thousandth[row] = fixed12(measured.thousandth[pair])
        cosine[row] = measured.notes[pair] & Note.single ? NaN : roundCosine(measured.cosine[pair])
      }
    }
    const mine = maxNumber(debug, item)
    const theirs = maxNumber(bench, other)
    if (benchMax) benchMax[row] = theirs
    const shown = (x: number): boolean => !Number.isNaN(x) && (Number.isFinite(x) || !tabbed)
    numeric[row] = shown(mine) && shown(theirs) && !Number.isNaN(error[row]) ? 1 : 0
  }
  yield* overRows(length, (from, to) => { for (let row = from; row < to; row++) take(row) })

  return {
    length, call, state, overflow, error, numeric, benchMax, thousandth, cosine,
    part: row => partOf(debug, debugItem[row]),
  }
}

/** The maximum as a number; booleans count, NaN is none. */
function maxNumber(dump: Dump, item: number): number {
  const { kind, value } = dump.items.max
  return isNumeric(kind[item]) ? numberOf(dump.items.max, item, dump) : kind[item] === Kind.bool ? value[item] : NaN
}

function partOf(dump: Dump, item: number): string {
  const name = dump.texts.get(dump.items.name[item])
  if (dump.items.state[item] !== State.parametersGrad) return `${dump.texts.get(dump.ops.name[dump.items.op[item]])}.`
  const at = name.indexOf('parameters_grad')
  return at < 0 ? name : name.slice(0, at)
}

const infinite = new Set(['nan', 'inf', '-inf'])

/** Whether NPU max or min of an item reads nan or inf. */
function overflows(dump: Dump, dialect: TableInput['dialect']): (item: number, other: number) => boolean {
  const { max, min } = dump.items
  const infiniteCell = (kind: number, value: number, nanSeen: boolean): boolean =>
    kind === Kind.float ? (Number.isNaN(value) ? nanSeen : !Number.isFinite(value)) : kind === Kind.text && infinite.has(dump.texts.get(value))
  return (item, other) => {
    // Where NaN has become the text Nan the rule no longer sees it.
    const nanSeen = dialect === 'listed' || (dialect === 'queue' && other < 0)
    return infiniteCell(max.kind[item], max.value[item], nanSeen) || infiniteCell(min.kind[item], min.value[item], nanSeen)
  }
}
