// Why a debug item has no partner: what stood in the way, found when someone asks.
import {
  type BenchItem,
  type DebugItem,
  type Dump,
  type PairRow,
  type TextCode,
  type TextId,
  TextIds,
} from '../model/index.ts'
import { dtypeTest } from './dtypes.ts'
import type { Pairing } from './pairing.ts'

export class Reasons {
  readonly #debug: Dump
  readonly #bench: Dump
  readonly #pairing: Pairing
  #sameName: ((item: DebugItem) => BenchItem) | null = null
  #agree: ((debugCode: TextCode, benchCode: TextCode) => boolean) | null = null

  constructor(debug: Dump, bench: Dump, pairing: Pairing) {
    this.#debug = debug
    this.#bench = bench
    this.#pairing = pairing
  }

  /** In few words that need no translation: what the nearest bench item differs in; '' for matched rows. */
  text(row: PairRow): string {
    const { debugItem, benchItem } = this.#pairing
    if (benchItem[row] >= 0 || debugItem[row] < 0) return ''
    const item = debugItem[row]
    this.#sameName ??= sameNames(this.#debug, this.#bench)
    const other = this.#sameName(item)
    if (other < 0) return 'name'
    const [shape, benchShape] = [
      cell(this.#debug, this.#debug.items.shape[item]),
      cell(this.#bench, this.#bench.items.shape[other]),
    ]
    if (shape !== benchShape) return `shape ${shape} / ${benchShape}`
    this.#agree ??= dtypeTest(this.#debug.texts, this.#bench.texts, true)
    if (!this.#agree(this.#debug.items.dtype[item], this.#bench.items.dtype[other])) {
      return `dtype ${cell(this.#debug, this.#debug.items.dtype[item])} / ${cell(this.#bench, this.#bench.items.dtype[other])}`
    }
    return 'call'
  }
}

/** Per debug item the bench item of its name, or -1. */
function sameNames(debug: Dump, bench: Dump): (item: DebugItem) => BenchItem {
  const ids = new TextIds()
  const mine = ids.of(debug.texts)
  const theirs = ids.of(bench.texts)
  const byName = new Map<TextId, BenchItem>()
  for (let item = 0; item < bench.items.length; item++) byName.set(theirs(bench.items.name[item]), item)
  return item => byName.get(mine(debug.items.name[item])) ?? -1
}

const cell = (dump: Dump, code: TextCode): string => (code < 0 ? 'None' : dump.texts.get(code))
