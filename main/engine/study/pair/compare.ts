// The steps from two dumps to msprobe's table: who meets whom, what is measured, what follows.
import {
  byText,
  type Comparison,
  type Dump,
  elementsIn,
  type Ids,
  type ItemRow,
  type Measured,
  type MeasuredRow,
  type Mode,
  type PairRow,
  problem,
  type Problem,
  Refusal,
  type TensorPair,
  type Thresholds,
} from '../../model/index.ts'
import { type Job, stepwise } from '../../work/index.ts'
import { comparedTable, type TableInput } from '../../judge/index.ts'
import type { Measure } from '../../measure/index.ts'
import {
  filePairs,
  isTorchFile,
  modeOf,
  type Pairing,
  pairInSteps,
  type PairSettings,
  Reasons,
} from '../../pair/index.ts'
import { ruleSets } from '../../rules/index.ts'

/** How a comparison is printed and judged; who meets whom is decided before. */
export interface JudgeSettings {
  /** `auto`: where there is a stack.json. */
  readonly stack: boolean | 'auto'
  readonly thresholds: Thresholds
}

export interface CompareSettings extends PairSettings, JudgeSettings {}

export interface CompareDeps {
  readonly job: Job
  readonly measure: Measure
}

/** Who met whom, and which tensor files that makes to be measured. */
export interface Paired {
  readonly debug: Dump
  readonly bench: Dump
  readonly mode: Mode
  readonly settings: PairSettings
  readonly pairing: Pairing
  /** Null where nothing is measured from files. */
  readonly tensors: {
    readonly pairs: readonly TensorPair[]
    readonly pairOf: Ids<PairRow, MeasuredRow>
  } | null
  readonly problems: readonly Problem[]
}

/** Compares two dumps: all steps in a row. */
export async function compareDumps(
  debug: Dump,
  bench: Dump,
  settings: CompareSettings,
  { measure, job }: CompareDeps,
): Promise<Comparison> {
  const paired = await pairUp(debug, bench, settings, job)
  const measured = paired.tensors && (await measure(paired.tensors.pairs, job))
  return judged(paired, measured, settings, job)
}

/** Refuses dumps that cannot be compared, and those of which nothing meets. */
export async function pairUp(debug: Dump, bench: Dump, settings: PairSettings, job: Job): Promise<Paired> {
  const mode = modeOf(debug, bench)
  const problems: Problem[] = []
  const pairing = await stepwise(
    pairInSteps(debug, bench, mode, settings, problems),
    job,
    passesOfPairing * (debug.items.length + bench.items.length),
    shareOf(job, 'job.pairing', debug),
  )
  if (pairing.debugItem.length === 0)
    throw new Refusal(problem('nothing-matched', debug.file, { bench: bench.file }))
  const tensors = mode === 'tensor' ? tensorPairs(debug, bench, pairing, settings) : null
  return { debug, bench, mode, settings, pairing, tensors, problems }
}

/** The table of what was paired; `measured` is null where nothing is measured from files. */
export function judged(
  paired: Paired,
  measured: Measured | null,
  settings: JudgeSettings,
  job: Job,
): Promise<Comparison> {
  const { debug, bench } = paired
  return stepwise(
    comparedTable(tableInput(paired, measured, settings), settings.thresholds),
    job,
    passesOfJudging * (debug.items.length + bench.items.length),
    shareOf(job, 'job.judging', debug),
  )
}

/** How often rows are gone through, for progress. */
const passesOfPairing = 4
const passesOfJudging = 4.5

const shareOf =
  (job: Job, what: string, { items }: Dump) =>
  (share: number): void =>
    job.report({ what, done: Math.round(share * items.length), total: items.length, countedIn: 'items' })

function tableInput(paired: Paired, measured: Measured | null, { stack }: JudgeSettings): TableInput {
  const { debug, bench, mode, pairing, settings, tensors, problems } = paired
  const { deviates } = ruleSets[settings.rules]
  const reasons = new Reasons(debug, bench, pairing)
  return {
    mode,
    rules: settings.rules,
    debug,
    bench,
    problems: [...problems, ...(measured?.problems ?? [])],
    fuzzy: settings.fuzzy,
    wording: pairing.wording,
    debugItem: pairing.debugItem,
    benchItem: pairing.benchItem,
    benchOnly: pairing.benchOnly,
    pairing,
    hasStack: stack === 'auto' ? debug.stacks.file !== '' : stack,
    stackShown:
      debug.stacks.newLayout && !deviates['new-stacks']
        ? new Uint8Array(pairing.stack.length)
        : pairing.stack,
    measured,
    pairOf: tensors?.pairOf ?? null,
    why: row => reasons.text(row),
  }
}

// ---------------------------------------- tensors

function tensorPairs(
  debug: Dump,
  bench: Dump,
  pairing: Pairing,
  settings: PairSettings,
): { pairs: TensorPair[]; pairOf: Ids<PairRow, MeasuredRow> } {
  for (const dump of settings.given ? [] : [debug, bench])
    if (dump.tensors.place === '') throw new Refusal(problem('no-tensors', dump.file))
  const { debugItem, benchItem } = pairing
  const pairs: TensorPair[] = []
  const pairOf = new Int32Array(debugItem.length).fill(-1)
  const bytesOf = sizesOf(debug)
  const { zeros, squeezes, deviates } = ruleSets[settings.rules]
  const extension = settings.engine === 'pytorch' ? '.pt' : '.npy'
  const filesOf = filePairs(
    debug,
    bench,
    deviates,
    settings.given || deviates['debug-file-name'] ? '' : extension,
  )
  for (let row = 0; row < debugItem.length; row++) {
    const item = debugItem[row]
    const other = benchItem[row]
    const files = other < 0 ? null : filesOf(item, other)
    if (!files) continue
    pairOf[row] = pairs.length
    // One literal: thousands of objects of one shape.
    pairs.push({
      debug: files.debug,
      bench: files.bench,
      item,
      bytes: bytesOf(item),
      zeros,
      squeezed: squeezes && isTorchFile(files.debug),
    })
  }
  return { pairs, pairOf }
}

/** About how large tensors are, from their shape texts; those are few. */
function sizesOf(dump: Dump): (item: ItemRow) => number {
  const elements = elementsIn(dump)
  const widths = byText(dump.texts, dump.items.dtype, widthOf)
  return item => Math.abs(elements(item)) * widths(item)
}

function widthOf(dtype: string): number {
  if (dtype.includes('64')) return 8
  return dtype.includes('16') ? 2 : 4
}
