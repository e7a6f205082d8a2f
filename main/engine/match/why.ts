// Why a debug item has no partner: what stood in the way, found when someone asks.
import type { Dump } from '../dump.ts'
import { dtypeTest } from './dtypes.ts'
import type { Pairing } from './pairing.ts'

export class Reasons {
  readonly #debug: Dump
  readonly #bench: Dump
  readonly #pairing: Pairing
  #byName: Int32Array | null = null
  #agree: ((debugCode: number, benchCode: number) => boolean) | null = null

  constructor(debug: Dump, bench: Dump, pairing: Pairing) {
    this.#debug = debug
    this.#bench = bench
    this.#pairing = pairing
  }

  /** In few words that need no translation: what the nearest bench item differs in; '' for matched rows. */
  text(row: number): string {
    const { debugItem, benchItem } = this.#pairing
    if (benchItem[row] >= 0 || debugItem[row] < 0) return ''
    const item = debugItem[row]
    const other = this.#sameName(item)
    if (other < 0) return 'name'
    const [shape, benchShape] = [cell(this.#debug, this.#debug.items.shape[item]), cell(this.#bench, this.#bench.items.shape[other])]
    if (shape !== benchShape) return `shape ${shape} / ${benchShape}`
    this.#agree ??= dtypeTest(this.#debug.texts, this.#bench.texts, true)
    if (!this.#agree(this.#debug.items.dtype[item], this.#bench.items.dtype[other])) {
      return `dtype ${cell(this.#debug, this.#debug.items.dtype[item])} / ${cell(this.#bench, this.#bench.items.dtype[other])}`
    }
    return 'call'
  }

  #sameName(item: number): number {
    if (!this.#byName) {
      this.#byName = new Int32Array(this.#bench.texts.size).fill(-1)
      for (let i = 0; i < this.#bench.items.length; i++) this.#byName[this.#bench.items.name[i]] = i
    }
    const code = this.#bench.texts.findBytes(this.#debug.texts.bytes(this.#debug.items.name[item]))
    return code < 0 ? -1 : this.#byName[code]
  }
}

const cell = (dump: Dump, code: number): string => (code < 0 ? 'None' : dump.texts.get(code))
