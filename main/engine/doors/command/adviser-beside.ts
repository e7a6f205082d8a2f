// Findings by a thread beside this one, which knows the dumps before they have been compared.
import {
  keptPrepared,
  adviceDumps,
  adviceOrder,
  type AdviceDumps,
  type AdviceTold,
  type Advised,
} from '../../advisor/index.ts'
import type { Files } from '../../io/index.ts'
import type { Comparison, Dump } from '../../model/index.ts'
import type { Adviser } from '../../study/index.ts'
import type { Job, Pool } from '../../work/index.ts'

interface Prepared {
  readonly dumps: AdviceDumps
  /** Whether a thread knows them. */
  readonly done: Promise<boolean>
}

export class AdviserBeside implements Adviser {
  readonly #threads: Pool
  readonly #files: Files
  readonly #signal: AbortSignal
  /** By their debug dumps, the latest last. */
  readonly #prepared = new Map<Dump, Prepared>()
  #latest = 0

  constructor(threads: Pool, files: Files, signal: AbortSignal) {
    this.#threads = threads
    this.#files = files
    this.#signal = signal
  }

  prepare(debug: Dump, bench: Dump): void {
    const dumps = adviceDumps(debug, bench)
    // What fails here fails again, and is told, when findings are asked for.
    if (!dumps) return
    this.#latest = dumps.key
    for (const old of this.#prepared.keys())
      if (this.#prepared.size >= keptPrepared) this.#prepared.delete(old)
    this.#prepared.set(debug, {
      dumps,
      done: this.#threads.run('prepareAdvice', dumps, { signal: this.#signal }).then(
        () => true,
        () => false,
      ),
    })
  }

  advise(comparison: Comparison, told: AdviceTold, { signal }: Job): Promise<Advised> | null {
    const prepared = this.#prepared.get(comparison.debug)
    this.#prepared.delete(comparison.debug)
    return prepared ? this.#ask(prepared, comparison, told, signal) : null
  }

  async #ask(
    { dumps, done }: Prepared,
    comparison: Comparison,
    told: AdviceTold,
    signal: AbortSignal,
  ): Promise<Advised> {
    // Where there are more threads another one may be asked.
    const isKept = (await done) && this.#threads.size === 1 && this.#latest - dumps.key < keptPrepared
    const known = isKept ? { key: dumps.key } : dumps
    return this.#threads.run<Advised>('advise', adviceOrder(known, comparison, told, this.#files.roots()), {
      signal,
    })
  }
}
