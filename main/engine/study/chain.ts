// A chain of steps, each kept by an explicit key: what it made stays until something that the key speaks of
// changes. One step runs at a time; what an outdated one answers is dropped.
import { internal, Refusal, type Problem } from '../model/index.ts'
import { Cancelled, type Job } from '../work/index.ts'

/** What a step makes depends on nothing but its key, which holds the keys of the steps that it rests on. */
export interface Step<Id extends string, Out = unknown> {
  readonly id: Id
  key(): string
  run(job: Job): Promise<Out>
  /** Memory that the result holds. */
  bytes(out: Out): number
}

/** A step that makes one of these results. */
export type StepOf<Results> = { [Id in keyof Results & string]: Step<Id, Results[Id]> }[keyof Results &
  string]

interface Slot {
  readonly key: string
  readonly value: unknown
  readonly bytes: number
}

export class Chain<Results extends object> {
  readonly #steps: readonly Step<keyof Results & string>[]
  readonly #slots = new Map<string, Slot>()
  #failed: { readonly key: string; readonly problem: Problem } | null = null
  #running: { readonly step: Step<string>; readonly key: string; readonly abort: AbortController } | null =
    null

  constructor(steps: readonly StepOf<Results>[]) {
    this.#steps = steps as readonly Step<keyof Results & string>[]
  }

  /** The result of a step as long as it is what the step would make now. */
  get<Id extends keyof Results & string>(id: Id): Results[Id] | undefined {
    const slot = this.#slots.get(id)
    return slot && slot.key === this.#step(id).key() ? (slot.value as Results[Id]) : undefined
  }

  /** The last result of a step, outdated or not. */
  last<Id extends keyof Results & string>(id: Id): Results[Id] | undefined {
    return this.#slots.get(id)?.value as Results[Id] | undefined
  }

  /** Puts in place what was made otherwise. */
  put<Id extends keyof Results & string>(id: Id, value: Results[Id]): void {
    const step = this.#step(id)
    this.#slots.set(id, { key: step.key(), value, bytes: step.bytes(value) })
  }

  /** The step under way. */
  get running(): (keyof Results & string) | null {
    return (this.#running?.step.id ?? null) as (keyof Results & string) | null
  }

  /** What stopped the chain; null once something that it depends on has changed. */
  get problem(): Problem | null {
    return this.#failed && this.#steps.some(step => step.key() === this.#failed?.key)
      ? this.#failed.problem
      : null
  }

  /** The first step up to `last` that has no result of its present key; null when all is there or one has failed. */
  next(last: keyof Results & string): Step<keyof Results & string> | null {
    for (const step of this.#steps) {
      if (this.#slots.get(step.id)?.key !== step.key()) return step.key() === this.#failed?.key ? null : step
      if (step.id === last) break
    }
    return null
  }

  /** Runs one step. What fails leaves its problem and stops the chain until something that it rests on changes. */
  async run(step: Step<keyof Results & string>, job: Job): Promise<void> {
    const key = step.key()
    const abort = new AbortController()
    this.#running = { step, key, abort }
    try {
      const value = await step.run(jobWith(job, AbortSignal.any([job.signal, abort.signal])))
      if (step.key() === key) this.#slots.set(step.id, { key, value, bytes: step.bytes(value) })
    } catch (error) {
      if (job.signal.aborted || abort.signal.aborted || error instanceof Cancelled) return
      if (step.key() === key) this.#failed = { key, problem: problemOf(error) }
    } finally {
      this.#running = null
    }
  }

  /** Something that keys speak of has changed: a step that would be outdated when it ends is ended now. */
  recheck(): void {
    const running = this.#running
    if (running && running.step.key() !== running.key) running.abort.abort()
  }

  /** Ends the step under way if it is this one; it begins again later. */
  interrupt(id: keyof Results & string): void {
    if (this.#running?.step.id === id) this.#running.abort.abort()
  }

  get bytes(): number {
    let sum = 0
    for (const slot of this.#slots.values()) sum += slot.bytes
    return sum
  }

  /** Gives back everything but the results of these steps. */
  release(except: readonly (keyof Results & string)[]): void {
    for (const id of this.#slots.keys()) if (!except.some(kept => kept === id)) this.#slots.delete(id)
  }

  #step(id: string): Step<keyof Results & string> {
    const found = this.#steps.find(step => step.id === id)
    if (!found) throw new RangeError(`no step ${id}`)
    return found
  }
}

const problemOf = (error: unknown): Problem => (error instanceof Refusal ? error.problem : internal(error))

/** The same job under another signal; whoever breathes hears of both. */
function jobWith(job: Job, signal: AbortSignal): Job {
  return {
    ...job,
    signal,
    async breathe() {
      await job.breathe()
      if (signal.aborted) throw new Cancelled()
    },
  }
}
