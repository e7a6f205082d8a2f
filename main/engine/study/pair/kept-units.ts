// What the steps and ranks of a pair came to, kept on disk as one dataset while they are compared: the next opening goes on
// from there, and what is there answers questions over all of them.
import {
  type Asking,
  type Dataset,
  DatasetWriter,
  type UnitId,
  type UnitPlace,
  type UnitRecord,
  type UnitTold,
} from '../../dataset/index.ts'
import { type Files, growingFolder, join } from '../../io/index.ts'
import { type CompareOptions, type Problem, Refusal } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'

/** A digest of the engine's code, set by the build: other code may come to something else. */
declare const engineCode: string | undefined
const code = typeof engineCode === 'string' ? engineCode : ''

export interface KeptOf {
  readonly files: Files
  /** '' keeps nothing. */
  readonly cacheDir: string
  readonly debug: string
  readonly bench: string
  /** As they are now. */
  options(): CompareOptions
  units(): readonly UnitId[]
  tell(found: Problem): void
}

interface Open {
  readonly key: string
  readonly units: number
  readonly writer: DatasetWriter | null
}

export class KeptUnits {
  readonly #of: KeptOf
  #open: Open | null = null
  /** The disk has refused: it is told once. */
  #refused = false

  constructor(of: KeptOf) {
    this.#of = of
  }

  find(unit: UnitPlace): UnitRecord | null {
    return this.#writer()?.done(unit) ?? null
  }

  /** Null where it cannot be kept. */
  async keep(unit: UnitPlace, told: UnitTold, job: Job): Promise<UnitRecord | null> {
    const writer = this.#writer()
    if (!writer) return null
    try {
      return writer.done(unit) ?? (await writer.write(unit, told, job))
    } catch (error) {
      this.#refuse(error)
      return null
    }
  }

  /** As far as it is there; null where nothing can be kept. */
  dataset(records: readonly (UnitRecord | null)[]): Dataset | null {
    return (
      this.#writer()?.dataset(this.#of.units().map((unit, i) => ({ unit, record: records[i] ?? null }))) ??
      null
    )
  }

  #writer(): DatasetWriter | null {
    const { cacheDir, debug, bench } = this.#of
    if (cacheDir === '' || this.#refused) return null
    const { rules, fuzzy, mapping, thresholds, noise } = this.#of.options()
    const asking = { verb: 'compare', rules, debug, bench, options: { fuzzy, mapping, thresholds, noise } }
    const key = JSON.stringify([code, asking])
    const units = this.#of.units()
    if (this.#open?.key !== key || this.#open.units !== units.length)
      this.#open = { key, units: units.length, writer: this.#begin(key, asking, units) }
    return this.#open.writer
  }

  #begin(key: string, asking: Asking, units: readonly UnitId[]): DatasetWriter | null {
    const { files, cacheDir, debug, bench } = this.#of
    const folder = growingFolder(join(cacheDir, 'units'), key)
    if (folder === null) return null
    const ports = { files, dumps: [debug, bench].filter(dump => dump !== ''), chosen: false, stacks: false }
    try {
      return DatasetWriter.open(folder, { version: 1, ...asking, units }, null, ports)
    } catch (error) {
      this.#refuse(error)
      return null
    }
  }

  #refuse(error: unknown): void {
    if (!(error instanceof Refusal)) throw error
    if (!this.#refused) this.#of.tell({ ...error.problem, severity: 'warning' })
    this.#refused = true
  }
}
