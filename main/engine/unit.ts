// What is derived of one compared unit when it is asked for: lookups, graphs, dataflow, findings; each made once per comparison.
import { advise } from './advisor/index.ts'
import type { Dump } from './dump.ts'
import type { Unit as UnitPlace } from './formats/detect.ts'
import type { Job } from './job.ts'
import { firstFailing } from './match/index.ts'
import { byRow } from './metrics/remembered.ts'
import type { Comparison } from './result.ts'
import { lookupIn, type Lookup } from './view/lookup.ts'
import { nodeDetail, type NodeContext } from './view/node.ts'
import type { Advice, NodeDetail, NodeRef, Side } from '../../preload/contract/engine.ts'

/** Both dumps and what their comparison came to. */
export interface Compared {
  readonly debug: Dump
  readonly bench: Dump
  readonly comparison: Comparison
}

export class UnitView {
  readonly loaded: Compared
  readonly lookup: Lookup
  readonly #place: UnitPlace
  #advice: Promise<Advice> | null = null

  constructor(loaded: Compared, place: UnitPlace) {
    this.loaded = loaded
    this.lookup = lookupIn(loaded.comparison)
    this.#place = place
  }

  rowOf(at: NodeRef): number { return this.lookup.rowsOf(at)[0] ?? -1 }

  node(at: NodeRef): NodeDetail { return nodeDetail(this.loaded.comparison, this.lookup, at, this.#context()) }

  /** Findings, made once; a cancelled making is forgotten. */
  advice(job: Job): Promise<Advice> {
    this.#advice ??= this.#advise(job).catch((error: unknown) => {
      this.#advice = null
      throw error
    })
    return this.#advice
  }

  async #advise(job: Job): Promise<Advice> {
    const { comparison } = this.loaded
    const first = firstFailing(comparison)
    return advise({
      comparison, step: this.#place.step, rank: this.#place.rank,
      first: first && { line: first.row, node: first.node, advice: first.advice },
      ...(comparison.measured && comparison.pairOf && { measured: byRow(comparison.measured, comparison.pairOf) }),
    }, job)
  }

  #context(): NodeContext {
    return {
      path: (side, name) => this.#path(side, name),
      links: () => [],
      whyUnmatched: () => [],
      tensorFile: (side, item) => tensorFileOf(this.loaded[side], item),
    }
  }

  #path(side: Side, name: string): readonly string[] {
    const { construct, texts } = this.loaded[side]
    const path = [name]
    for (let entry = construct.find(texts.find(name)); entry >= 0 && construct.parent[entry] >= 0 && path.length < 200; entry = construct.find(construct.parent[entry])) path.unshift(texts.get(construct.parent[entry]))
    return path
  }
}

/** Path of the file that holds an item's values, '' when there is none. */
export function tensorFileOf(dump: Dump, item: number): string {
  const code = dump.items.dataName[item]
  const name = code < 0 ? '' : dump.texts.get(code)
  return name === '' || dump.files.tensors === '' || /[\\/\0]/.test(name) || name === '..' ? '' : `${dump.files.tensors}/${name}`
}
