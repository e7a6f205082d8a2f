// Looks at tensors, kept: who comes back to a slice or a picture has it at once, as long as the files are the same.
import type { Files } from '../io/index.ts'
import {
  type DifferenceKind,
  type HeatQuery,
  type NumbersQuery,
  type TensorAbout,
  type TensorAlignment,
  type TensorHeat,
  type TensorNumbers,
  type TensorProposals,
  type TensorRef,
  type TensorSpread,
  Refusal,
} from '../model/index.ts'
import type { Job } from '../work/index.ts'
import { aboutTensors, type LookQuery } from './about.ts'
import { alignedRef, proposalsOf } from './align.ts'
import { heatOfTensors } from './heat.ts'
import { numbersOfTensors } from './numbers.ts'
import { spreadTensors } from './spread.ts'
import { kindOf, type Threads } from './survey.ts'

const kept = 64

/** A pair of tensors, the bench side laid over the debug side as asked. */
export interface LookAt extends LookQuery {
  readonly align: TensorAlignment | null
}

export class Looks {
  readonly #pool: Threads
  readonly #files: Files
  readonly #answers = new Map<string, unknown>()

  constructor(pool: Threads, files: Files) {
    this.#pool = pool
    this.#files = files
  }

  about(at: LookAt, sample: boolean, job: Job): Promise<TensorAbout> {
    return this.#kept(['about', at, sample], () =>
      aboutTensors(this.#pool, this.#files, { ...this.#pair(at), sample }, job),
    )
  }

  spread(at: LookAt, sample: boolean, job: Job): Promise<TensorSpread> {
    return this.#kept(['spread', at, sample], async () => {
      const about = await this.about(at, sample, job)
      return spreadTensors(this.#pool, this.#files, { ...this.#pair(at), about }, job)
    })
  }

  /** Null where the sides are equal, or there is but one. */
  kind(at: LookAt, job: Job): Promise<DifferenceKind | null> {
    return this.#kept(['kind', at], async () => {
      const { debug, bench } = this.#pair(at)
      if (!debug || !bench) return null
      const about = await this.about(at, true, job)
      const isComplex = [about.debug, about.bench].some(side => side?.dtype.startsWith('complex'))
      if (!about.debug || !about.bench || isComplex) return null
      if (about.sampled === null && about.pair?.mismatched === 0) return null
      const kind = await kindOf(this.#pool, this.#files, { left: debug, right: bench }, job)
      return kind.before?.mismatched === 0 ? null : kind
    })
  }

  heat(
    at: LookAt,
    { sample, ...look }: HeatQuery & { readonly sample: boolean },
    job: Job,
  ): Promise<TensorHeat> {
    return this.#kept(['heat', at, look, sample], () =>
      heatOfTensors(this.#pool, this.#files, { ...this.#pair(at), look, sample }, job),
    )
  }

  numbers(at: LookAt, part: NumbersQuery, job: Job): Promise<TensorNumbers> {
    return numbersOfTensors(this.#pool, this.#files, { ...this.#pair(at), part }, job)
  }

  /** Without the alignment that is chosen. */
  proposals({ debug, bench }: LookAt): TensorProposals {
    return debug && bench
      ? proposalsOf(this.#files, debug, bench)
      : { debug: null, bench: null, proposals: [] }
  }

  #pair({ debug, bench, align }: LookAt): LookQuery {
    return { debug, bench: bench && align ? alignedRef(this.#files, bench, align) : bench }
  }

  async #kept<T>(question: readonly [string, LookAt, ...unknown[]], ask: () => Promise<T>): Promise<T> {
    const [, { debug, bench }] = question
    const key = JSON.stringify([...question, this.#version(debug), this.#version(bench)])
    const answers = this.#answers
    const known = answers.get(key)
    const answer = known === undefined ? await ask() : (known as T)
    answers.delete(key)
    answers.set(key, answer)
    for (const old of answers.keys()) {
      if (answers.size <= kept) break
      answers.delete(old)
    }
    return answer
  }

  #version(ref: TensorRef | null): string {
    if (!ref?.file) return ''
    const files = [
      ref.file,
      ...(ref.through?.kind === 'pieces' ? ref.through.pieces.map(piece => piece.file) : []),
    ]
    return files.map(file => this.#stamp(file)).join()
  }

  #stamp(file: string): string {
    try {
      const entry = this.#files.stat(file)
      return entry ? `${entry.size} ${entry.modified}` : ''
    } catch (error) {
      // Who opens it says why it may not be read.
      if (error instanceof Refusal) return ''
      throw error
    }
  }
}
