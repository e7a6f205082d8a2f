// Answers per row: msprobe's (Yes, Warning, Different …) and ours (agree, disagree, unknown with an error level).
import type { Dump } from '../dump.ts'
import { overRows, type Steps } from '../job.ts'
import { Kind, stats, Verdict, type Mode } from '../model.ts'
import type { Thresholds } from '../../../preload/contract/engine.ts'
import { Note, Outcome, type Measured } from './measured.ts'
import { isNumeric, numberOf } from './statistics.ts'

/** What the last answer column of msprobe says. */
export const Answer = { blank: 0, yes: 1, no: 2, none: 3, unmatched: 4, warning: 5, notThere: 6, pass: 7, different: 8, error: 9 } as const
export type Answer = (typeof Answer)[keyof typeof Answer]
export const answerTexts = ['', 'Yes', 'No', 'None', 'Unmatched', 'Warning', 'N/A', 'pass', 'Different', 'error'] as const

/** Answers that the first-failing rule looks for. */
export const isFailing = (answer: number): boolean => answer === Answer.no || answer === Answer.warning || answer === Answer.different || answer === Answer.error

/** "Accuracy Reached or Not" of measured errors; both rounded as shown, NaN where the cell says Nan. */
export function accuracy(cosine: number, maxAbs: number): Answer {
  if (cosine < 0.99 && maxAbs > 0.001) return Answer.no
  return cosine < 0.9 || maxAbs > 1 ? Answer.no : Answer.yes
}

export interface Judged {
  readonly verdict: Uint8Array
  /** Error level in [0,1], NaN where unknown. */
  readonly level: Float64Array
}

/** The rows to judge: what was compared and what it came to. */
export interface Judgeable {
  readonly mode: Mode
  readonly debug: Dump
  readonly bench: Dump
  readonly debugItem: Int32Array
  readonly benchItem: Int32Array
  readonly answer: Uint8Array
  readonly measured: Measured | null
  /** Index into `measured` per row, -1 where nothing was to be measured. */
  readonly pairOf: Int32Array | null
}

export function* judge(rows: Judgeable, thresholds: Thresholds): Steps<Judged> {
  const length = rows.debugItem.length
  const judged = { verdict: new Uint8Array(length), level: new Float64Array(length).fill(NaN) }
  const levelOf = levels[rows.mode](rows, thresholds)
  yield* overRows(length, (from, to) => {
    for (let row = from; row < to; row++) {
      if (rows.debugItem[row] < 0 || rows.benchItem[row] < 0) continue
      const level = levelOf(row, judged.verdict)
      judged.level[row] = level
    }
  })
  return judged
}

/** Gives the level of a row and sets its verdict. */
type LevelOf = (row: number, verdict: Uint8Array) => number

const levels: Readonly<Record<Mode, (rows: Judgeable, thresholds: Thresholds) => LevelOf>> = { statistics: statisticsLevels, md5: md5Levels, tensor: tensorLevels }

/** Values that name a device differ between machines and say nothing. */
const device = /^(?:npu|cuda|cpu|gpu|ascend|meta)(?::\d+)?$/i

function statisticsLevels({ debug, bench, debugItem, benchItem }: Judgeable, thresholds: Thresholds): LevelOf {
  const small = smallRule(debug, thresholds)
  const mine = stats.map(stat => debug.items[stat])
  const theirs = stats.map(stat => bench.items[stat])
  const [benchMax, benchMin] = theirs

  return (row, verdict) => {
    const item = debugItem[row]
    const other = benchItem[row]
    let range = -1
    let worst = -1
    for (let s = 0; s < 4; s++) {
      const kind = mine[s].kind[item]
      const benchKind = theirs[s].kind[other]
      if (isNumeric(kind) && isNumeric(benchKind)) {
        const n = numberOf(mine[s], item, debug)
        const b = numberOf(theirs[s], other, bench)
        if (range < 0) range = Math.max(size(benchMax, other, bench), size(benchMin, other, bench))
        worst = Math.max(worst, relative(n, b, s === 3 || range === 0 ? Math.abs(b) : range, small(item)))
      } else if ((kind === Kind.bool || kind === Kind.text) && kind === benchKind) {
        worst = Math.max(worst, sameCell(debug, mine[s].value[item], bench, theirs[s].value[other], kind))
      } else if (kind !== benchKind && kind > Kind.none && benchKind > Kind.none) worst = 1
    }
    if (worst < 0) return NaN
    verdict[row] = worst > thresholds.relative ? Verdict.disagree : Verdict.agree
    return Math.min(1, worst)
  }
}

/** Both frameworks' spelling of a dtype. */
const plain = (text: string): string => text.replace(/^torch\./, '').toLowerCase()

function sameCell(debug: Dump, mine: number, bench: Dump, theirs: number, kind: number): number {
  if (kind === Kind.bool) return mine === theirs ? 0 : 1
  const [a, b] = [debug.texts.get(mine), bench.texts.get(theirs)]
  return plain(a) === plain(b) || (device.test(a) && device.test(b)) ? 0 : 1
}

function size(cells: Dump['items']['max'], item: number, dump: Dump): number {
  const value = isNumeric(cells.kind[item]) ? Math.abs(numberOf(cells, item, dump)) : 0
  return Number.isFinite(value) ? value : 0
}

interface Small { readonly below: number; readonly allowed: number }
const notSmall: Small = { below: 0, allowed: 0 }

/** The small-value rule by the debug side's dtype: below a bound an absolute difference is allowed. */
function smallRule(debug: Dump, thresholds: Thresholds): (item: number) => Small {
  const single: Small = { below: thresholds.small32, allowed: thresholds.smallAbsolute32 }
  const half: Small = { below: thresholds.small16, allowed: thresholds.smallAbsolute16 }
  const byName = new Map<string, Small>([['float32', single], ['float16', half], ['bfloat16', half]])
  const known = new Map<number, Small>()
  return item => {
    const code = debug.items.dtype[item]
    let rule = known.get(code)
    if (!rule) known.set(code, (rule = byName.get((code < 0 ? '' : debug.texts.get(code)).replace('torch.', '').toLowerCase()) ?? notSmall))
    return rule
  }
}

/** Error of one statistic: NaN or Inf on one side only is 1, small values are forgiven, else relative to the tensor's range. */
function relative(n: number, b: number, scale: number, small: Small): number {
  if (n === b || (Number.isNaN(n) && Number.isNaN(b))) return 0
  if (!Number.isFinite(n) || !Number.isFinite(b)) return 1
  const d = Math.abs(n - b)
  if (Math.abs(n) <= small.below && d <= small.allowed) return 0
  return scale > 0 ? Math.min(1, d / scale) : 1
}

/** The md5 of no text: what a tensor without an md5 of its own shows. */
const isAbsent = (dump: Dump, item: number): boolean => dump.items.tensor[item] === 1 && dump.texts.get(dump.items.md5[item]) === '00000000'

function md5Levels({ debug, bench, debugItem, benchItem, answer }: Judgeable): LevelOf {
  return (row, verdict) => {
    const item = debugItem[row]
    const other = benchItem[row]
    const mine = debug.items.md5[item]
    const theirs = bench.items.md5[other]
    // A tensor without an md5 of its own shows the one of no text: nothing was compared.
    if (mine < 0 || theirs < 0 || isAbsent(debug, item) || isAbsent(bench, other)) return NaN
    const same = answer[row] === Answer.pass
    verdict[row] = same ? Verdict.agree : Verdict.disagree
    return same ? 0 : 1
  }
}

function tensorLevels({ debug, bench, debugItem, benchItem, answer, measured, pairOf }: Judgeable, thresholds: Thresholds): LevelOf {
  const ofValues = statisticsLevels({ mode: 'statistics', debug, bench, debugItem, benchItem, answer, measured, pairOf }, thresholds)
  return (row, verdict) => {
    // Arguments that are no tensors have their values in the dump.
    if (!debug.items.tensor[debugItem[row]] && !bench.items.tensor[benchItem[row]]) return ofValues(row, verdict)
    const pair = pairOf ? pairOf[row] : -1
    if (!measured || pair < 0) return NaN
    const outcome = measured.outcome[pair]
    const notes = measured.notes[pair]
    if (notes & Note.equalBytes && !(notes & Note.dtypesDiffer)) { verdict[row] = Verdict.agree; return 0 }
    if (outcome === Outcome.nanPositions) { verdict[row] = Verdict.disagree; return 1 }
    if (outcome !== Outcome.measured && outcome !== Outcome.scalar) return NaN
    // One element has no cosine: its relative error decides.
    if (outcome === Outcome.scalar || notes & Note.single) {
      const error = measured.maxAbs[pair] <= thresholds.smallAbsolute32 ? 0 : measured.maxRel[pair]
      if (Number.isNaN(error)) return NaN
      verdict[row] = error > thresholds.relative ? Verdict.disagree : Verdict.agree
      return Math.min(1, error)
    }
    const oneZero = (notes & (Note.debugAllZero | Note.benchAllZero)) !== 0 && measured.maxAbs[pair] > thresholds.smallAbsolute32
    verdict[row] = answer[row] === Answer.no || oneZero ? Verdict.disagree : answer[row] === Answer.yes ? Verdict.agree : Verdict.unknown
    return 1 - measured.thousandth[pair]
  }
}
