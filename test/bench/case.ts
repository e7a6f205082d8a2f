// What a benchmark is: ours and a deliberately plain baseline on the same input, and what it has to reach.
// `.ci/bench.mjs` runs them.

type Awaitable<T> = T | Promise<T>

interface Named {
  /** `area: what`; `--only` searches in it. */
  readonly name: string
  /** Why it cannot run here (no Python, no such tool), '' when it can. Printed, never hidden. */
  missing?(): Awaitable<string>
  /** Opens a window: Electron and a screen are set up before. */
  readonly window?: true
}

/** Time of ours against time of the baseline: baseline / ours has to reach `target`. */
interface TimeCase<S, R> extends Named {
  readonly is: 'time'
  readonly target: number
  /**
   * `cpu`: user + system time of the process, steady on a busy machine. `wall`: for several threads and cold
   * files.
   */
  readonly clock: 'cpu' | 'wall'
  /** Default 5. */
  readonly rounds?: number
  /** Makes the input, from a fixed seed. */
  make(): Awaitable<S>
  /**
   * An answer that is checked against the baseline's, outside the clock. A side that returns `Timed` has
   * measured itself.
   */
  ours(input: S): Awaitable<R | Timed<R>>
  baseline(input: S): Awaitable<R | Timed<R>>
  /** A fast wrong answer fails. */
  same(ours: R, baseline: R): boolean
  done?(input: S): Awaitable<void>
}

/** Peak memory above an idle process; each side runs in a process of its own. */
interface MemoryCase extends Named {
  readonly is: 'memory'
  /** At most this many MB, or at most this part of the baseline's peak. */
  readonly target: { readonly megabytes: number } | { readonly part: number }
  ours(): Awaitable<void>
  baseline?(): Awaitable<void>
}

/** Something that either works or does not; an answer says what is wrong. */
interface WorksCase extends Named {
  readonly is: 'works'
  run(): Awaitable<string>
}

/** A figure of the running app in milliseconds that has a bound of its own. */
interface BoundCase extends Named {
  readonly is: 'bound'
  readonly bound: number
  measure(): Promise<number>
}

/** What a command took for an input of one size. */
export interface Point {
  readonly megabytes: number
  /** By the clock, and of all threads together. */
  readonly seconds: number
  readonly processor: number
  readonly peakBytes: number
}

/** A whole command over inputs that grow: time and memory shall grow no faster than they do. */
interface CurveCase extends Named {
  readonly is: 'curve'
  /** Megabytes of one side's dump.json; `large` ones only where they are asked for. */
  readonly sizes: readonly number[]
  readonly large: readonly number[]
  /** Processor time per megabyte at the largest size, of the smallest that any size has. */
  readonly within: number
  measure(megabytes: number): Promise<Point>
}

export type Case = TimeCase<never, never> | MemoryCase | WorksCase | BoundCase | CurveCase

/** For work in other programs: seconds that the side measured itself. */
export class Timed<R> {
  readonly seconds: number
  readonly answer: R
  /** Of all its threads, where the clock on the wall was looked at: printed beside. */
  readonly processor?: number
  constructor(seconds: number, answer: R, processor?: number) {
    this.seconds = seconds
    this.answer = answer
    if (processor !== undefined) this.processor = processor
  }
}

/** A list of cases, each with its own types; the default export of every `*.bench.ts`. */
export const time = <S, R>(spec: Omit<TimeCase<S, R>, 'is'>): Case => ({ is: 'time', ...spec }) as Case
export const memory = (spec: Omit<MemoryCase, 'is'>): Case => ({ is: 'memory', ...spec })
export const bound = (spec: Omit<BoundCase, 'is'>): Case => ({ is: 'bound', window: true, ...spec })
export const curve = (spec: Omit<CurveCase, 'is'>): Case => ({ is: 'curve', ...spec })
export const works = (spec: Omit<WorksCase, 'is'>): Case => ({ is: 'works', ...spec })

/** Small fast random numbers from a seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
