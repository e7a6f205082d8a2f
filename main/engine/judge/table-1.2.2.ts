// The answers of msprobe 1.2.2 to the rows of a comparison, its messages, and what its highlight looks at.
import {
  type BenchItem,
  type Column,
  type DebugItem,
  type Dump,
  type ItemRow,
  Kind,
  type Mode,
  Note,
  Outcome,
  type PairRow,
  State,
  stateNames,
  TextIds,
} from '../model/index.ts'
import { Diff, differences, type Differences, isNumeric, numberIn } from '../measure/index.ts'
import { fixed12, roundCosine } from '../python/index.ts'
import { ruleSets } from '../rules/index.ts'
import { overRows, type Steps } from '../work/index.ts'
import { cells122 } from './cells-1.2.2.ts'
import type { Answered, TableInput } from './compared.ts'
import { highlight, highlightTexts, type HighlightInput } from './highlight.ts'
import { fuzzySentence, noBenchFile, noBenchRow, outcomeMessage } from './outcomes.ts'
import { accuracyOf, Answer, isFailing } from './answer.ts'
import { wordings, type WordingRules } from './wording.ts'

export function* answered122(input: TableInput): Steps<Answered> {
  const { mode } = input
  const wording = wordings[input.wording]
  const { deviates } = ruleSets[input.rules]
  const statistics =
    mode === 'statistics'
      ? yield* differences(input, {
          reparse: wording.readsAgain && !deviates['exact-numbers'],
          warnOnAll: wording.readsAgain && !deviates['warn-on-any'],
        })
      : null
  const answer = yield* answersOf(input, statistics)
  const colours =
    mode === 'md5'
      ? null
      : yield* highlight(yield* highlightInput(input, statistics), {
          smallestMax: deviates['highlight-denominator'] ? 0.01 : 2.220446049250313e-16,
          bothAboveOne: deviates['highlight-both'],
        })
  return {
    fill: colours?.fill ?? new Uint8Array(answer.length),
    failing: row => isFailing(answer[row]),
    cells: cells122({
      ...input,
      wording,
      answer,
      differences: statistics,
      emptyIsZero: !deviates['empty-tensor'],
      hidesUnmatchedMd5: wording.hidesUnmatched && !deviates['unmatched-md5-shown'],
      message: row => withNotes(messages[mode](input, answer[row], row), colours?.notes(row) ?? []),
    }),
  }
}

/** The message of a row with what its highlight says. */
function withNotes(own: string, notes: readonly number[]): string {
  if (notes.length === 0) return own
  const texts = notes.map(note => highlightTexts[note]).join('\n')
  return own ? `${own}\n${texts}` : texts
}

// ---------------------------------------- answers

function* answersOf(input: TableInput, statistics: Differences | null): Steps<Column<Uint8Array, PairRow>> {
  const answer = new Uint8Array(input.debugItem.length)
  const of = { statistics: statisticsAnswer, md5: md5Answer, tensor: tensorAnswer }[input.mode](
    input,
    statistics,
  )
  yield* overRows(answer.length, (from, to) => {
    for (let row = from; row < to; row++) answer[row] = of(row)
  })
  return answer
}

function statisticsAnswer(
  { benchItem, wording }: TableInput,
  statistics: Differences | null,
): (row: PairRow) => Answer {
  const { unmatched } = wordings[wording]
  return row => {
    if (benchItem[row] < 0) return unmatched.statistics
    return statistics?.warning[row] ? Answer.warning : Answer.blank
  }
}

function md5Answer({
  rules,
  debug,
  bench,
  debugItem,
  benchItem,
  wording,
}: TableInput): (row: PairRow) => Answer {
  const { unmatched } = wordings[wording]
  const nonePasses = wording === 'mindspore' && !ruleSets[rules].deviates['unmatched-none-md5']
  const ids = new TextIds()
  const ofDebug = ids.of(debug.texts)
  const ofBench = ids.of(bench.texts)
  return row => {
    const mine = debug.items.md5[debugItem[row]]
    if (benchItem[row] < 0) return nonePasses && mine < 0 ? Answer.pass : unmatched.md5
    return ofDebug(mine) === ofBench(bench.items.md5[benchItem[row]]) ? Answer.pass : Answer.different
  }
}

function tensorAnswer({ rules, measured, pairOf }: TableInput): (row: PairRow) => Answer {
  const empty = ruleSets[rules].deviates['empty-tensor'] ? Answer.none : Answer.no
  return row => {
    const pair = pairOf ? pairOf[row] : -1
    if (!measured || pair < 0) return Answer.none
    switch (measured.outcome[pair]) {
      case Outcome.pending:
        return Answer.blank
      case Outcome.empty:
        return empty
      case Outcome.shapesDiffer:
        return Answer.unmatched
      case Outcome.nanPositions:
        return Answer.no
      case Outcome.measured:
        return measured.notes[pair] & Note.single ? Answer.none : accuracyOf(measured, pair)
      default:
        return Answer.none
    }
  }
}

const messages: Readonly<Record<Mode, (input: TableInput, answer: number, row: PairRow) => string>> = {
  md5: () => '',
  statistics({ benchItem, wording }, answer, row) {
    if (answer === Answer.warning) return 'Need double check api accuracy.'
    return benchItem[row] < 0 && wordings[wording].saysUnmatched ? noBenchRow : ''
  },
  tensor(input, _answer, row) {
    const { debug, bench, debugItem, benchItem, measured, pairOf } = input
    const pair = pairOf ? pairOf[row] : -1
    const item = debugItem[row]
    const other = benchItem[row]
    const hidden = wordings[input.wording].hidesUnmatched && other < 0
    const lacking = hidden || debug.items.dataName[item] < 0 ? noBenchRow : noBenchFile
    const own =
      pair >= 0 && measured
        ? outcomeMessage(measured, pair, () => {
            const ofBench =
              ruleSets[input.rules].deviates['missing-file-name'] &&
              measured.outcome[pair] === Outcome.benchMissing
            return ofBench
              ? bench.texts.get(bench.items.dataName[other])
              : debug.texts.get(debug.items.dataName[item])
          })
        : lacking
    const renamed =
      input.fuzzy &&
      other >= 0 &&
      debug.texts.get(debug.items.name[item]) !== bench.texts.get(bench.items.name[other])
    return renamed ? own + fuzzySentence : own
  },
}

// ---------------------------------------- highlight

function* highlightInput(input: TableInput, statistics: Differences | null): Steps<HighlightInput> {
  const { debug, debugItem, benchItem, measured } = input
  const length = debugItem.length
  const column = (): Float64Array => new Float64Array(length).fill(NaN)
  const columns = {
    length,
    call: new Int32Array(length),
    state: new Uint8Array(length),
    overflow: new Uint8Array(length),
    error: column(),
    numeric: new Uint8Array(length),
    benchMax: measured ? null : column(),
    thousandth: measured ? column() : null,
    cosine: measured ? column() : null,
    part: (row: PairRow) => partOf(debug, debugItem[row]),
  }
  const isOverflow = overflows(debug, wordings[input.wording])
  const errorOf = statistics ? statisticsErrors(input, statistics, columns) : tensorErrors(input, columns)
  yield* overRows(length, (from, to) => {
    for (let row = from; row < to; row++) {
      const item = debugItem[row]
      columns.call[row] = debug.items.op[item]
      columns.state[row] = debug.items.state[item]
      if (isOverflow(item, benchItem[row])) columns.overflow[row] = 1
      if (benchItem[row] >= 0) errorOf(row)
    }
  })
  return columns
}

function statisticsErrors(
  { debug, bench, debugItem, benchItem, wording }: TableInput,
  { state, diff }: Differences,
  { error, numeric, benchMax }: HighlightInput,
): (row: PairRow) => void {
  const shown = wordings[wording].infiniteIsText ? Number.isFinite : isNumber
  return row => {
    if (state.max[row] !== Diff.number || !shown(diff.max[row])) return
    error[row] = diff.max[row]
    const theirs = maxNumber(bench, benchItem[row])
    if (benchMax) benchMax[row] = theirs
    if (shown(maxNumber(debug, debugItem[row])) && shown(theirs)) numeric[row] = 1
  }
}

const isNumber = (x: number): boolean => !Number.isNaN(x)

function tensorErrors(
  { rules, debug, bench, debugItem, benchItem, measured, pairOf }: TableInput,
  { error, numeric, benchMax, thousandth, cosine }: HighlightInput,
): (row: PairRow) => void {
  const emptyIsZero = !ruleSets[rules].deviates['empty-tensor']
  return row => {
    if (measured && thousandth && cosine) {
      const pair = pairOf ? pairOf[row] : -1
      const outcome = pair < 0 ? Outcome.pending : measured.outcome[pair]
      if (outcome === Outcome.empty && emptyIsZero) error[row] = thousandth[row] = cosine[row] = 0
      if (outcome === Outcome.measured || outcome === Outcome.scalar)
        error[row] = fixed12(measured.maxAbs[pair])
      if (outcome === Outcome.measured) {
        thousandth[row] = fixed12(measured.thousandth[pair])
        cosine[row] = measured.notes[pair] & Note.single ? NaN : roundCosine(measured.cosine[pair])
      }
    }
    const theirs = maxNumber(bench, benchItem[row])
    if (benchMax) benchMax[row] = theirs
    if (isNumber(maxNumber(debug, debugItem[row])) && isNumber(theirs) && isNumber(error[row]))
      numeric[row] = 1
  }
}

/** The maximum as a number; booleans count, NaN is none. */
function maxNumber(dump: Dump, item: ItemRow): number {
  const { kind, value } = dump.items.max
  if (isNumeric(kind[item])) return numberIn(dump.items.max, item, dump)
  return kind[item] === Kind.bool ? value[item] : NaN
}

function partOf(dump: Dump, item: ItemRow): string {
  const name = dump.texts.get(dump.items.name[item])
  if (dump.items.state[item] !== State.parametersGrad)
    return `${dump.texts.get(dump.ops.name[dump.items.op[item]])}.`
  const at = name.indexOf(stateNames[State.parametersGrad])
  return at < 0 ? name : name.slice(0, at)
}

const infinite = new Set(['nan', 'inf', '-inf'])

/** Whether NPU max or min of an item reads nan or inf. */
export function overflows(dump: Dump, wording: WordingRules): (item: DebugItem, other: BenchItem) => boolean {
  const { max, min } = dump.items
  const infiniteCell = (kind: number, value: number, nanSeen: boolean): boolean => {
    if (kind === Kind.text) return infinite.has(dump.texts.get(value))
    return kind === Kind.float && (Number.isNaN(value) ? nanSeen : !Number.isFinite(value))
  }
  return (item, other) => {
    // Where NaN has become the text Nan the rule no longer sees it.
    const nanSeen = (other < 0 ? wording.nanAlone : wording.nan) !== 'Nan'
    return (
      infiniteCell(max.kind[item], max.value[item], nanSeen) ||
      infiniteCell(min.kind[item], min.value[item], nanSeen)
    )
  }
}
