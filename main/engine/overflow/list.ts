// Conspicuous calls of a dump for who looks at them: a list by pages, and the whole run as a band.
import {
  type Dump,
  itemName,
  opName,
  type OverflowCall,
  type OverflowLevel,
  type OverflowPage,
  type OverflowWalk,
} from '../model/index.ts'
import type { RankRecord } from './record.ts'
import { levels, Scene, sceneNames, scenesOf } from './scenes.ts'

const shares = 96

/**
 * Digits: the worst scene of equal shares of the calls. What was received, or is explained by calls within, does not enter
 * there; `origins` are rows of calls where something does.
 */
export function bandOf({ scene, explained, ends }: RankRecord, origins: readonly number[]): string {
  const band = new Uint8Array(Math.min(shares, scene.length))
  const received = new Set(ends.op)
  for (let op = 0; op < scene.length; op++) {
    const at = Math.floor((op * band.length) / scene.length)
    const follows = scene[op] === Scene.entered && (explained[op] === 1 || received.has(op))
    const shown = follows && !origins.includes(op) ? Scene.passed : scene[op]
    if (shown > band[at]) band[at] = shown
  }
  return band.join('')
}

/** Who the calls of a dump stand for on the other side: -1 for nobody. */
export interface CallPartners {
  readonly bench: CallList
  readonly toBench: ArrayLike<number>
  readonly toDebug: ArrayLike<number>
}

export interface CallsWanted {
  /** These levels only; of none, all. */
  readonly levels: readonly OverflowLevel[]
  /** Those only that their partner on the other side does not share. */
  readonly hereOnly: boolean
  readonly first: number
  readonly count: number
}

/** The calls of one dump that show anything, in its order. */
export class CallList {
  readonly #dump: Dump
  readonly #scenes: ReturnType<typeof scenesOf>
  readonly #counts: OverflowPage['levels']

  readonly growth: number

  constructor(dump: Dump, growth: number) {
    this.#dump = dump
    this.growth = growth
    this.#scenes = scenesOf(dump, growth)
    const counts = { statistic: 0, medium: 0, high: 0, saturated: 0, critical: 0 }
    for (const scene of this.#scenes.scene) {
      const level = levels[scene]
      if (level !== '') counts[level]++
    }
    this.#counts = counts
  }

  /** Of a call, '' of one that shows nothing. */
  level(op: number): OverflowLevel | '' {
    return levels[this.#scenes.scene[op]]
  }

  page(wanted: CallsWanted, partners: CallPartners | null): OverflowPage {
    const { first, count } = wanted
    const { scene, trigger } = this.#scenes
    const benchOf = (op: number): OverflowCall['bench'] => {
      const other = partners?.toBench[op] ?? -1
      return other < 0 ? null : partners?.bench.level(other) || 'clean'
    }
    const calls: OverflowPage['calls'][number][] = []
    let total = 0
    for (let op = 0; op < scene.length; op++) {
      const level = levels[scene[op]]
      if (level === '' || !this.#isListed(op, wanted.levels)) continue
      const bench = benchOf(op)
      if (wanted.hereOnly && isShared(bench)) continue
      if (total >= first && total < first + count) {
        const name = opName(this.#dump, op)
        const item = trigger[op] < 0 ? '' : itemName(this.#dump, trigger[op])
        calls.push({
          order: op,
          op: name,
          level,
          scene: sceneNames[scene[op]],
          item: item.startsWith(name) ? item.slice(name.length + 1) : item,
          bench,
        })
      }
      total++
    }
    return { total, levels: this.#counts, sides: partners && this.#sides(partners), calls }
  }

  #sides({ bench, toBench, toDebug }: CallPartners): NonNullable<OverflowPage['sides']> {
    let both = 0
    for (let op = 0; op < this.#scenes.scene.length; op++)
      if (this.level(op) !== '' && toBench[op] >= 0 && bench.level(toBench[op]) !== '') both++
    let benchOnly = 0
    for (let op = 0; op < bench.#scenes.scene.length; op++)
      if (bench.level(op) !== '' && (toDebug[op] < 0 || this.level(toDebug[op]) === '')) benchOnly++
    return { both, benchOnly }
  }

  /** The listed call before or behind a row, by name; of none (-1), from the ends. */
  walk(from: number, to: OverflowWalk): string | null {
    const { length } = this.#scenes.scene
    const by = to === 'next' ? 1 : -1
    const start = from < 0 && to === 'previous' ? length : from
    for (let op = start + by; op >= 0 && op < length; op += by)
      if (this.#isListed(op, [])) return opName(this.#dump, op)
    return null
  }

  #isListed(op: number, wanted: readonly OverflowLevel[]): boolean {
    const scene = this.#scenes.scene[op]
    const level = levels[scene]
    if (scene === Scene.clean || level === '') return false
    return wanted.length === 0 || wanted.includes(level)
  }
}

const isShared = (bench: OverflowCall['bench']): boolean => bench !== null && bench !== 'clean'
