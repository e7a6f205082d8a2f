// Every call of a dump classified: where NaN and infinity enter, pass through and end, and what else is conspicuous.
import {
  type Column,
  type Dump,
  type Ids,
  type ItemRow,
  Kind,
  type OpRow,
  type SceneName,
  State,
  namedRow,
  usualGrowth,
} from '../model/index.ts'
import { placeOf, tolerated, toleranceKey, toleratedAt } from './tolerance.ts'
import { Finding, findingsIn, nonFinite, saturatedIn } from './values.ts'

/** The larger, the worse. */
export const Scene = {
  clean: 0,
  /** Only a statistic overflowed. */
  statistic: 1,
  /** Bad inputs, clean outputs. */
  absorbed: 2,
  /** The norm grew beyond the limit. */
  growth: 3,
  /** Outputs stand at the largest value of their type, inputs do not. */
  saturated: 4,
  /** Bad inputs, bad outputs. */
  passed: 5,
  /** Clean inputs, bad outputs. */
  entered: 6,
} as const
export type Scene = (typeof Scene)[keyof typeof Scene]

export const sceneNames: readonly SceneName[] = [
  'clean',
  'statistic',
  'absorbed',
  'growth',
  'saturated',
  'passed',
  'entered',
]

/** How much a scene weighs. */
export const levels = ['', 'statistic', 'medium', 'high', 'saturated', 'high', 'critical'] as const

/** What the calls show, as bits; `asked`: an argument that is no tensor is infinite, as those of masks are. */
export const Evidence = { badInput: 1, badOutput: 2, input: 4, output: 8, asked: 16 } as const

export interface Scenes {
  readonly scene: Column<Uint8Array, OpRow>
  readonly evidence: Column<Uint8Array, OpRow>
  /** The item that decided; -1 for none. */
  readonly trigger: Ids<OpRow, ItemRow>
  /** Tensors among inputs and outputs whose extremes are known. */
  readonly counted: number
  /** Some call has inputs: without any nobody knows where something enters. */
  readonly hasInputs: boolean
}

/** A first letter of an API that may have tolerated places: torch, tensor, distributed, functional, mint. */
const first = new Set([...'tdfmTDFM'].map(letter => letter.charCodeAt(0)))

export function scenesOf(dump: Dump, limit = usualGrowth): Scenes {
  const { ops } = dump
  const scene = new Uint8Array(ops.length)
  const evidence = new Uint8Array(ops.length)
  const trigger = new Int32Array(ops.length).fill(-1)
  const judge = new Judge(dump, limit)
  let counted = 0
  let hasInputs = false
  for (let op = 0; op < ops.length; op++) {
    judge.take(op)
    scene[op] = judge.scene
    evidence[op] = judge.evidence
    trigger[op] = judge.trigger
    counted += judge.counted
    hasInputs ||= (judge.evidence & Evidence.input) !== 0
  }
  return { scene, evidence, trigger, counted, hasInputs }
}

/** One call after the other, without an object for each. */
class Judge {
  scene: Scene = Scene.clean
  evidence = 0
  trigger = -1
  counted = 0
  readonly #dump: Dump
  readonly #limit: number
  readonly #find: (item: ItemRow) => Finding
  readonly #saturates: (item: ItemRow) => boolean
  readonly #isBad: ReturnType<typeof nonFinite>
  #statistic = -1
  #badIn = -1
  #badOut = -1
  #buffer = -1
  #inSaturated = false
  #outSaturated = -1
  #inNorm = NaN
  #outNorm = NaN

  constructor(dump: Dump, limit: number) {
    this.#dump = dump
    this.#limit = limit
    this.#find = findingsIn(dump)
    this.#saturates = saturatedIn(dump)
    this.#isBad = nonFinite(dump)
  }

  take(op: OpRow): void {
    const { ops, items } = this.#dump
    this.#statistic = this.#badIn = this.#badOut = this.#buffer = this.#outSaturated = -1
    this.#inSaturated = false
    this.#inNorm = this.#outNorm = NaN
    this.evidence = this.counted = 0
    for (let item = ops.first[op], end = ops.first[op + 1]; item < end; item++) {
      const state = items.state[item]
      // Gradients of parameters were made by the call backward before them.
      if (state === State.parametersGrad) this.#gradient(item)
      else this.#item(op, item, state === State.output)
    }
    this.#decide()
  }

  #gradient(item: ItemRow): void {
    const found = this.#find(item)
    if (found === Finding.values) this.#badIn = this.#badOut = item
    else if (found === Finding.statistic) this.#statistic = item
  }

  #item(op: OpRow, item: ItemRow, output: boolean): void {
    const { items } = this.#dump
    const isTensor = items.tensor[item] === 1
    if (isTensor || !output) this.evidence |= output ? Evidence.output : Evidence.input
    if (isTensor && items.max.kind[item] > Kind.none) this.counted++
    if (!isTensor && !output && this.#isBad(items.max, item)) this.evidence |= Evidence.asked
    const found = this.#find(item)
    if (found === Finding.values) this.#bad(op, item, output)
    else if (found === Finding.statistic) this.#statistic = item
    else this.#finite(item, output, isTensor)
  }

  #bad(op: OpRow, item: ItemRow, output: boolean): void {
    const rule = this.#toleratedOf(op)
    const { texts, items, ops } = this.#dump
    if (rule) {
      const place = placeOf(texts.get(items.name[item]), texts.get(ops.name[op]))
      if (toleratedAt(rule, output, place).tolerated) {
        if (rule.inPart) this.#buffer = item
        return
      }
    }
    if (output) this.#badOut = this.#badOut < 0 ? item : this.#badOut
    else this.#badIn = this.#badIn < 0 ? item : this.#badIn
  }

  #toleratedOf(op: OpRow): (typeof tolerated)[string] | undefined {
    const { texts, ops } = this.#dump
    return first.has(texts.firstByte(ops.name[op]))
      ? namedRow(tolerated, toleranceKey(texts.get(ops.name[op])))
      : undefined
  }

  #finite(item: ItemRow, output: boolean, isTensor: boolean): void {
    if (this.#saturates(item)) {
      if (output) this.#outSaturated = item
      else this.#inSaturated = true
    }
    const { kind, value } = this.#dump.items.norm
    if (!isTensor || (kind[item] !== Kind.float && kind[item] !== Kind.int)) return
    const norm = value[item]
    if (output) this.#outNorm = !(this.#outNorm >= norm) ? norm : this.#outNorm
    else this.#inNorm = !(this.#inNorm >= norm) ? norm : this.#inNorm
  }

  #decide(): void {
    if (this.#buffer >= 0 && this.#badOut >= 0 && this.#badIn < 0) this.#badIn = this.#buffer
    if (this.#badIn >= 0) this.evidence |= Evidence.badInput
    if (this.#badOut >= 0) this.evidence |= Evidence.badOutput
    if (this.#badOut >= 0) this.#is(this.#badIn >= 0 ? Scene.passed : Scene.entered, this.#badOut)
    else if (this.#badIn >= 0) this.#is(Scene.absorbed, this.#badIn)
    else if (this.#outSaturated >= 0 && !this.#inSaturated) this.#is(Scene.saturated, this.#outSaturated)
    else if (this.#grows()) this.#is(Scene.growth, -1)
    else if (this.#statistic >= 0) this.#is(Scene.statistic, this.#statistic)
    else this.#is(Scene.clean, -1)
  }

  #is(scene: Scene, item: ItemRow): void {
    this.scene = scene
    this.trigger = item
  }

  #grows(): boolean {
    if (Number.isNaN(this.#inNorm) || Number.isNaN(this.#outNorm)) return false
    return (this.#inNorm === 0 ? this.#outNorm : this.#outNorm / this.#inNorm) > this.#limit
  }
}
