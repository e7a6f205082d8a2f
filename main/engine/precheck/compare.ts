// Two details files, of an NPU and of a GPU, as one verdict per output and per call.
import { problem, Refusal, type VerdictReason, type VerdictWish } from '../model/index.ts'
import { type Details, isMissing, outputName } from './details.ts'
import type { FactId } from './metrics.ts'
import { UnusableCell, type JudgeRules, judgeOutput, type Judgement } from './judge.ts'
import { isUnsupported, type PrecheckGeneration, type Standard, standardOf, standards } from './standards.ts'

export interface PrecisionRules {
  readonly generation: PrecheckGeneration
  /** As the tool does it, its quirks included; otherwise by call, with what is missing named. */
  readonly exact: boolean
  /** In place of those of the generation. */
  readonly limits?: VerdictWish['limits']
}

/** What an output has come to. */
export const outcomes = ['pass', 'error', 'SKIP', 'missing'] as const
export type OutputOutcome = (typeof outcomes)[number]
const rankOf = (one: OutputOutcome): number => ['SKIP', 'pass', 'missing', 'error'].indexOf(one)

export interface CallResult {
  readonly name: string
  readonly forward: OutputOutcome | null
  readonly backward: OutputOutcome | null
  readonly message: string
}

export const unsupportedText = 'This data type does not support benchmark compare.'
const topkText =
  '在npu上，topk的入参sorted=False时不生效，会返回有序tensor，而cpu上会返回无序tensor。 如果topk精度不达标，请检查是否是该原因导致的。'
export const missingTexts = {
  gpu: 'This output is not in the GPU details.',
  npu: 'This output is not in the NPU details.',
} as const

/** Rows of a compare: who met whom, and what came out; a judgement is made again when somebody asks for it. */
export class PrecisionCompare {
  readonly npu: Details
  readonly gpu: Details
  readonly rules: PrecisionRules
  readonly results: readonly CallResult[]
  readonly #npuRow: number[] = []
  readonly #gpuRow: number[] = []
  readonly #outcome: number[] = []
  readonly #standard: number[] = []

  constructor(npu: Details, gpu: Details, rules: PrecisionRules) {
    this.npu = npu
    this.gpu = gpu
    this.rules = rules
    const gpuRows = new RowsByName(gpu)
    const results = rules.exact ? new AdjacentResults() : new CallResults()
    for (let row = 0; row < npu.length; row++) this.#take(row, gpuRows, results)
    if (!rules.exact) this.#addForeign(gpuRows, results)
    this.results = results.finish()
  }

  get length(): number {
    return this.#npuRow.length
  }

  /** The row of the NPU's details, -1 where only the GPU has this output. */
  npuRow(row: number): number {
    return this.#npuRow[row]
  }

  name(row: number): string {
    const own = this.#npuRow[row]
    return own < 0 ? this.gpu.fact(this.#gpuRow[row], 'name') : this.npu.fact(own, 'name')
  }

  outcome(row: number): OutputOutcome {
    return outcomes[this.#outcome[row]]
  }

  standard(row: number): Standard | null {
    return standards[this.#standard[row]] ?? null
  }

  judgement(row: number): Judgement | null {
    const standard = this.standard(row)
    return standard && this.#judge(this.#npuRow[row], this.#gpuRow[row], standard)
  }

  /** What its own pre-check had to say. */
  message(row: number): string {
    const [own, other] = [this.#npuRow[row], this.#gpuRow[row]]
    return (own < 0 ? this.gpu.fact(other, 'message') : this.npu.fact(own, 'message')).trim()
  }

  types(row: number): { readonly device: string; readonly bench: string; readonly shape: string } {
    const [own, other] = [this.#npuRow[row], this.#gpuRow[row]]
    const fact = (id: FactId): string => (own < 0 ? this.gpu.fact(other, id) : this.npu.fact(own, id)).trim()
    return { device: fact('dtype'), bench: fact('benchDtype'), shape: fact('shape') }
  }

  /** Why it was skipped; null where its message alone says so. */
  skipped(row: number): VerdictReason | null {
    const own = this.#npuRow[row]
    if (!outputName(this.name(row))) return { why: 'name' }
    const dtype = this.npu.fact(own, 'dtype').trim()
    if (dtype === '' || isMissing(dtype)) return { why: 'type' }
    if (isUnsupported(dtype)) return { why: 'wide' }
    if (skippedBy(this.npu, own)) return null
    const blank = this.#blankIn(own, this.#gpuRow[row])
    return blank && { why: 'blank', metric: blank.metric, side: blank.side }
  }

  /** Why there is no verdict; '' where there is one. */
  reason(row: number): string {
    const outcome = this.outcome(row)
    if (outcome === 'missing') return missingTexts[this.#npuRow[row] < 0 ? 'npu' : 'gpu']
    if (outcome !== 'SKIP') return ''
    const own = this.#npuRow[row]
    const name = outputName(this.name(row))
    if (!name) return invalidText(this.name(row))
    if (this.rules.exact && isMissing(this.npu.fact(own, 'dtype'))) return emptyTypeText
    if (skippedBy(this.npu, own)) return this.#messageOf(own)
    return this.#blankIn(own, this.#gpuRow[row])?.message ?? ''
  }

  #add(npuRow: number, gpuRow: number, outcome: OutputOutcome, standard: Standard | null): void {
    this.#npuRow.push(npuRow)
    this.#gpuRow.push(gpuRow)
    this.#outcome.push(outcomes.indexOf(outcome))
    this.#standard.push(standard === null ? -1 : standards.indexOf(standard))
  }

  #take(row: number, gpuRows: RowsByName, results: Results): void {
    const text = this.npu.fact(row, 'name')
    const name = outputName(text)
    if (!name) {
      this.#add(row, -1, 'SKIP', null)
      results.apart(text, invalidText(text))
      return
    }
    const gpuRow = gpuRows.of(text)
    const dtype = this.npu.fact(row, 'dtype')
    const direction = { call: name.call, api: name.api, direction: name.direction, dtype }
    if (gpuRow < 0) {
      if (this.rules.exact) return
      this.#add(row, -1, 'missing', null)
      results.add(direction, 'missing', missingTexts.gpu)
      return
    }
    if (this.rules.exact && isMissing(dtype)) {
      this.#add(row, gpuRow, 'SKIP', null)
      results.apart(text, emptyTypeText)
      return
    }
    if (skippedBy(this.npu, row)) {
      this.#add(row, gpuRow, 'SKIP', null)
      results.add(direction, 'SKIP', this.#skipText(row, dtype))
      return
    }
    try {
      const standard = this.#standardOf(row, name.api, dtype)
      const { verdict } = this.#judge(row, gpuRow, standard)
      this.#add(row, gpuRow, verdict, standard)
      results.add(direction, verdict, '')
    } catch (error) {
      if (!(error instanceof UnusableCell)) throw error
      this.#add(row, gpuRow, 'SKIP', null)
      if (this.rules.exact) results.apart(text, error.message)
      else results.add(direction, 'SKIP', error.message)
    }
  }

  #skipText(row: number, dtype: string): string {
    return isUnsupported(dtype) ? unsupportedText : this.#messageOf(row)
  }

  /** What is empty is read as a number by the tool, and told as one. */
  #messageOf(row: number): string {
    const message = this.npu.fact(row, 'message')
    return this.rules.exact && isMissing(message) ? 'nan' : message
  }

  #addForeign(gpuRows: RowsByName, results: Results): void {
    for (const [text, row] of gpuRows.unasked()) {
      const name = outputName(text)
      if (!name) continue
      this.#add(-1, row, 'missing', null)
      results.add({ ...name, dtype: this.gpu.fact(row, 'dtype') }, 'missing', missingTexts.npu)
    }
  }

  #standardOf(row: number, api: string, dtype: string): Standard {
    const { generation, exact } = this.rules
    // Of such a column 26 asks whether its texts are blank, and stops at a number.
    if (exact && generation === '26' && this.npu.isNumber(row, 'relative'))
      throw new UnusableCell('relative', 'npu')
    const relativeFilled = this.npu.metric(row, 'relative') !== null
    return standardOf({ api, dtype, relativeFilled }, generation)
  }

  #judge(npuRow: number, gpuRow: number, standard: Standard): Judgement {
    const { npu, gpu, rules } = this
    const { generation, exact, limits } = rules
    const judgeRules: JudgeRules = {
      generation,
      blankIsZero: exact && generation === '26',
      ...(limits && { limits }),
    }
    const api = outputName(npu.fact(npuRow, 'name'))?.api ?? ''
    return judgeOutput(
      { npu, npuRow, gpu, gpuRow, api, dtype: npu.fact(npuRow, 'dtype') },
      standard,
      judgeRules,
    )
  }

  #blankIn(npuRow: number, gpuRow: number): UnusableCell | null {
    const api = outputName(this.npu.fact(npuRow, 'name'))?.api ?? ''
    try {
      this.#judge(npuRow, gpuRow, this.#standardOf(npuRow, api, this.npu.fact(npuRow, 'dtype')))
      return null
    } catch (error) {
      if (error instanceof UnusableCell) return error
      throw error
    }
  }
}

const emptyTypeText = 'The data type is empty.'
const invalidText = (name: string): string => `The API name ${name} is invalid.`

/** Outputs that run_ut had nothing to say about, or whose type is beyond comparing. */
function skippedBy(details: Details, row: number): boolean {
  const dtype = details.fact(row, 'dtype')
  return dtype.trim() === '' || isUnsupported(dtype) || details.fact(row, 'shape') === '(0,)'
}

/** Rows of the GPU by name; a name that stands twice is refused when it is asked for. */
class RowsByName {
  readonly #details: Details
  readonly #rows = new Map<string, number>()
  readonly #twice = new Set<string>()
  readonly #asked = new Set<string>()

  constructor(details: Details) {
    this.#details = details
    for (let row = 0; row < details.length; row++) {
      const name = details.fact(row, 'name')
      if (this.#rows.has(name)) this.#twice.add(name)
      else this.#rows.set(name, row)
    }
  }

  of(name: string): number {
    if (this.#twice.has(name)) throw new Refusal(problem('precheck-twice', this.#details.path, { name }))
    this.#asked.add(name)
    return this.#rows.get(name) ?? -1
  }

  *unasked(): Iterable<[string, number]> {
    for (const entry of this.#rows) if (!this.#asked.has(entry[0])) yield entry
  }
}

interface OneOutput {
  readonly call: string
  readonly api: string
  readonly direction: string
  readonly dtype: string
}

interface Results {
  add(output: OneOutput, outcome: OutputOutcome, message: string): void
  /** A line of its own, for what could not be judged. */
  apart(name: string, message: string): void
  finish(): readonly CallResult[]
}

const isTopk = (api: string): boolean => api === 'topk'
const worse = (a: OutputOutcome | null, b: OutputOutcome): OutputOutcome =>
  a !== null && rankOf(a) > rankOf(b) ? a : b

/** What outputs of one call have come to. */
class OneCall {
  readonly name: string
  readonly #exact: boolean
  #api = ''
  #forward: OutputOutcome | null = null
  #backward: OutputOutcome | null = null
  #message: string | null = null
  #isUnsupported = false

  constructor(name: string, exact: boolean) {
    this.name = name
    this.#exact = exact
  }

  add({ api, direction, dtype }: OneOutput, outcome: OutputOutcome, message: string): void {
    this.#api = api
    this.#isUnsupported = isUnsupported(dtype)
    if (this.#exact && this.#isUnsupported) return
    if (direction === 'forward') this.#forward = worse(this.#forward, outcome)
    else if (direction === 'backward') this.#backward = worse(this.#backward, outcome)
    if (direction === 'forward' && outcome === 'SKIP') this.#message ??= message
    else if (!this.#exact && message !== '') this.#message ??= message
  }

  finish(): CallResult {
    const { name } = this
    // The tool goes by the last output alone.
    if (this.#exact && this.#isUnsupported)
      return { name, forward: 'SKIP', backward: 'SKIP', message: unsupportedText }
    const [forward, backward] = [this.#forward, this.#backward]
    const shows = forward === 'SKIP' || !this.#exact
    const noted = isTopk(this.#api) && forward === 'error'
    return { name, forward, backward, message: noted ? topkText : ((shows ? this.#message : null) ?? '') }
  }
}

/** As the tool does it: a line whenever the call changes from one row to the next. */
class AdjacentResults implements Results {
  readonly #lines: CallResult[] = []
  #call: OneCall | null = null

  add(output: OneOutput, outcome: OutputOutcome, message: string): void {
    if (this.#call?.name !== output.call) {
      this.#end()
      this.#call = new OneCall(output.call, true)
    }
    this.#call?.add(output, outcome, message)
  }

  apart(name: string, message: string): void {
    this.#lines.push({ name, forward: 'SKIP', backward: 'SKIP', message })
  }

  finish(): readonly CallResult[] {
    this.#end()
    return this.#lines
  }

  #end(): void {
    if (this.#call) this.#lines.push(this.#call.finish())
    this.#call = null
  }
}

/** One line per call, wherever its outputs stand. */
class CallResults implements Results {
  readonly #calls = new Map<string, OneCall | CallResult>()

  add(output: OneOutput, outcome: OutputOutcome, message: string): void {
    let call = this.#calls.get(output.call)
    if (!(call instanceof OneCall)) {
      call = new OneCall(output.call, false)
      this.#calls.set(output.call, call)
    }
    call.add(output, outcome, message)
  }

  apart(name: string, message: string): void {
    this.#calls.set(name, { name, forward: 'SKIP', backward: 'SKIP', message })
  }

  finish(): readonly CallResult[] {
    return [...this.#calls.values()].map(call => (call instanceof OneCall ? call.finish() : call))
  }
}
