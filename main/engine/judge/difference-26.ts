// Where msprobe 26 sees a call differ (`-da`): its outputs, by relative errors of statistics or by checksums; and what it
// writes of all calls of a rank.
import { type Json, JsonNumber } from '../json/index.ts'
import {
  type Comparison,
  Kind,
  type PairRow,
  State,
  stateNames,
  type Stat,
  stats,
  statTitles,
} from '../model/index.ts'
import { pyFloat, percent } from '../python/index.ts'
import { type Apart, codeText, gradText, noOne, type SideStats, Values } from './values-26.ts'

/** Relative error of an output beyond which its call differs. */
const limit = 0.5
/** Outputs that say nothing, by their place among the outputs. */
const silent: Readonly<Record<string, readonly number[]>> = { npu_fusion_attention: [4, 5] }

/** A call of one rank: its rows from … to-1. */
export interface ComparedCall {
  readonly name: string
  readonly same: boolean
  readonly from: PairRow
  readonly to: PairRow
}

/** What is read of an item: the text that names a rank or a group, and all of it as JSON. */
export interface CallValues {
  readonly inputs: ReadonlyMap<string, string>
  readonly data: Json
  readonly stack: Json
}

export class RankDifferences {
  readonly calls: readonly ComparedCall[]
  readonly #comparison: Comparison
  readonly #values: Values
  readonly #byMd5: boolean
  readonly #hasStacks: boolean

  constructor(comparison: Comparison) {
    this.#comparison = comparison
    this.#values = new Values(comparison)
    this.#byMd5 = comparison.mode === 'md5'
    this.#hasStacks = comparison.debug.stacks.file !== ''
    this.calls = this.#allCalls()
  }

  /** A call with its items, as it stands in the file of the rank. */
  json(call: ComparedCall): Json {
    const items: Json[] = []
    for (let row = call.from; row < call.to; row++) items.push(this.#item(row, row === call.from))
    return new Map<string, Json>([
      ['is_same', call.same],
      ['op_items', items],
    ])
  }

  /** What is said of a call that is named. */
  values({ from, to }: ComparedCall): CallValues {
    const { debug, debugItem } = this.#comparison
    const parts = { input: new Map<string, Json>(), output: new Map<string, Json>() }
    const inputs = new Map<string, string>()
    for (let row = from; row < to; row++) {
      const state = debug.items.state[debugItem[row]]
      if (state !== State.input && state !== State.output) continue
      const name = codeText(debug, debug.items.name[debugItem[row]])
      const told = this.#byMd5
        ? [['NPU MD5', this.#md5(row, 'debug')] as const]
        : stats.map(stat => [npuTitle(stat), numberJson(this.#values.debug, stat, row)] as const)
      parts[state === State.input ? 'input' : 'output'].set(
        name,
        new Map<string, Json>([...told, ['NPU P2POp peer', 'None']]),
      )
      if (state === State.input)
        inputs.set(name, this.#byMd5 ? this.#md5(row, 'debug') : this.#values.debug.text('max', row))
    }
    return { inputs, data: new Map<string, Json>(Object.entries(parts)), stack: this.#stack(from) }
  }

  #allCalls(): readonly ComparedCall[] {
    const { debug, debugItem } = this.#comparison
    const calls: ComparedCall[] = []
    for (let from = 0; from < debugItem.length;) {
      const op = debug.items.op[debugItem[from]]
      let to = from + 1
      while (to < debugItem.length && debug.items.op[debugItem[to]] === op) to++
      const name = debug.texts.get(debug.ops.name[op])
      if (name.split('.').length >= 4) calls.push({ name, same: !this.#differs(name, from, to), from, to })
      from = to
    }
    return calls
  }

  #differs(name: string, from: PairRow, to: PairRow): boolean {
    const { debug, debugItem } = this.#comparison
    const unheard = silent[name.split('.').at(-3) ?? ''] ?? []
    let output = -1
    for (let row = from; row < to; row++) {
      if (debug.items.state[debugItem[row]] !== State.output) continue
      output++
      if (!unheard.includes(output) && this.#rowDiffers(row)) return true
    }
    return false
  }

  #rowDiffers(row: PairRow): boolean {
    if (this.#byMd5) return this.#md5Result(row) === 'Different'
    return stats.some(stat => {
      const apart = this.#values.apart(stat, row)
      return apart !== null && typeof apart !== 'string' && apart.percent / 100 > limit
    })
  }

  #item(row: PairRow, isFirst: boolean): Json {
    const { debug, bench, debugItem, benchItem } = this.#comparison
    const [item, other] = [debugItem[row], benchItem[row]]
    const grads = [gradText(debug, item), other < 0 ? noOne : gradText(bench, other)]
    const of = (name: 'name' | 'dtype' | 'shape'): readonly [string, string] => [
      codeText(debug, debug.items[name][item]),
      other < 0 ? noOne : codeText(bench, bench.items[name][other]),
    ]
    const op = debug.items.op[item]
    // The bench's operations are taken by their place, whatever they were matched with.
    const beside: Json = row < bench.items.length ? 'None' : new JsonNumber('NaN', true)
    return new Map<string, Json>([
      ...titled('Name', of('name')),
      ...titled('Dtype', of('dtype')),
      ...titled('Tensor Shape', of('shape')),
      ...titled('Requires_grad', [grads[0], grads[1]]),
      ...(this.#byMd5 ? this.#md5Fields(row) : this.#statFields(row)),
      ['Requires_grad Consistent', grads[0] === grads[1]],
      ...this.#answer(row, grads[0] === grads[1]),
      ...(this.#hasStacks
        ? [['NPU_Stack_Info', isFirst ? (this.#stack(row) ?? noOne) : noOne] as const]
        : []),
      ['state', stateNames[debug.items.state[item] as State]],
      ['api_origin_name', debug.texts.get(debug.ops.name[op])],
      ['NPU P2POp op', 'None'],
      ['Bench P2POp op', beside],
      ['NPU P2POp peer', 'None'],
      ['Bench P2POp peer', beside],
    ])
  }

  #statFields(row: PairRow): readonly (readonly [string, Json])[] {
    const { debug, bench } = this.#values
    const apart = stats.map(stat => this.#values.apart(stat, row))
    return [
      ...stats.map((stat, i) => [statTitles[stat][1], diffText(apart[i])] as const),
      ...stats.map((stat, i) => [statTitles[stat][2], relativeText(apart[i])] as const),
      ...stats.map(stat => [npuTitle(stat), numberJson(debug, stat, row)] as const),
      ...stats.map(stat => [`Bench ${statTitles[stat][0]}`, numberJson(bench, stat, row)] as const),
    ]
  }

  #md5Fields(row: PairRow): readonly (readonly [string, Json])[] {
    return [
      ['NPU MD5', this.#md5(row, 'debug')],
      ['BENCH MD5', this.#md5(row, 'bench')],
    ]
  }

  #answer(row: PairRow, sameGrads: boolean): readonly (readonly [string, Json])[] {
    const isAlone = this.#comparison.benchItem[row] < 0
    const message = isAlone ? 'No bench data matched.' : ''
    if (this.#byMd5)
      return [
        ['Result', this.#md5Result(row)],
        ['Err_message', isAlone ? message : new JsonNumber('NaN', true)],
      ]
    return [
      ['Result', isAlone ? noOne : ''],
      ['Err_message', sameGrads ? message : `${message}Requires_grad inconsistent. `],
    ]
  }

  #md5(row: PairRow, side: 'debug' | 'bench'): string {
    const dump = this.#comparison[side]
    const item = side === 'debug' ? this.#comparison.debugItem[row] : this.#comparison.benchItem[row]
    const code = item < 0 ? -1 : dump.items.md5[item]
    return code < 0 ? noOne : dump.texts.get(code)
  }

  #md5Result(row: PairRow): string {
    if (this.#md5(row, 'debug') === this.#md5(row, 'bench')) return 'pass'
    return this.#comparison.benchItem[row] < 0 ? noOne : 'Different'
  }

  #stack(row: PairRow): Json {
    const { debug, debugItem } = this.#comparison
    const stack = this.#hasStacks ? debug.stacks.of(debug.ops.name[debug.items.op[debugItem[row]]]) : -1
    return stack < 0 ? null : [...debug.stacks.frames(stack)]
  }
}

const npuTitle = (stat: Stat): string => `NPU ${statTitles[stat][0]}`

const titled = (
  title: string,
  [debug, bench]: readonly [string, string],
): readonly (readonly [string, Json])[] => [
  [`NPU ${title}`, debug],
  [`Bench ${title}`, bench],
]

function diffText(apart: Apart): string {
  if (apart === null) return '0'
  return typeof apart === 'string' ? apart : pyFloat(apart.diff)
}

function relativeText(apart: Apart): string {
  if (apart === null) return '0'
  if (typeof apart === 'string') return apart
  return Number.isNaN(apart.percent) ? 'inf' : percent(apart.percent)
}

function numberJson(side: SideStats, stat: Stat, row: PairRow): Json {
  const number = side.number(stat, row)
  const kind = side.kind(stat, row)
  if (kind === Kind.bool) return side.text(stat, row) === 'True'
  if (Number.isNaN(number)) return side.text(stat, row)
  return side.isFloat(stat, row)
    ? new JsonNumber(String(number), true)
    : new JsonNumber(side.text(stat, row), false)
}
