// Asks the rules in their order and keeps what became of each. One that fails itself loses its own slot only.
import type { Checked, RuleName } from '../../model/index.ts'
import type { Entered, Handlers, Moment, Moments, Rule, Tables, Verdicts } from './rule.ts'

/** What a rule found. */
export interface Answer {
  readonly rule: RuleName
  readonly entered: Entered
}

interface Asked<At extends Moment> {
  readonly slot: Slot
  readonly handle: (seen: Moments[At]) => Verdicts
}

interface Slot {
  readonly name: RuleName
  handlers: Handlers | null
  looked: number
  /** What it failed with, '' while it works. */
  stopped: string
}

const nothing: readonly Answer[] = []

export class RuleBook {
  readonly #slots: readonly Slot[]
  /** Who is asked at each moment; one that fails is left out from then on. */
  readonly #asked: { readonly [At in Moment]: readonly Asked<At>[] }

  constructor(rules: readonly Rule[], tables: Tables) {
    this.#slots = rules.map(rule => {
      const slot: Slot = { name: rule.name, handlers: null, looked: 0, stopped: '' }
      try {
        slot.handlers = rule.begin(tables)
      } catch (fault) {
        stop(slot, fault)
      }
      return slot
    })
    this.#asked = {
      argument: this.#whoAt('argument'),
      input: this.#whoAt('input'),
      outputs: this.#whoAt('outputs'),
      gradient: this.#whoAt('gradient'),
      quiet: this.#whoAt('quiet'),
    }
  }

  #whoAt<At extends Moment>(at: At): readonly Asked<At>[] {
    return this.#slots.flatMap(slot => {
      const handle = slot.handlers?.[at]
      return handle ? [{ slot, handle }] : []
    })
  }

  /** What the rules say of a moment; with `one` the first that finds something has said it. */
  ask<At extends Moment>(at: At, seen: Moments[At], one: boolean): readonly Answer[] {
    let answers: Answer[] | null = null
    for (const { slot, handle } of this.#asked[at]) {
      if (slot.handlers === null) continue
      let verdict: Verdicts = null
      // A rule that fails itself is out, and nothing else.
      try {
        verdict = handle(seen)
      } catch (fault) {
        stop(slot, fault)
      }
      if (verdict === null) continue
      slot.looked++
      if (verdict === 'pass') continue
      answers ??= []
      if (!isList(verdict)) answers.push({ rule: slot.name, entered: verdict })
      else for (const entered of verdict) answers.push({ rule: slot.name, entered })
      if (one) break
    }
    return answers ?? nothing
  }

  /** `found`: how many findings each rule has. */
  states(found: ReadonlyMap<RuleName, number>): Checked[] {
    return this.#slots.map(({ name, handlers, looked, stopped }) => {
      const told = found.get(name) ?? 0
      const applies = handlers !== null && looked > 0
      const state = stopped === '' ? stateOf(told, applies) : 'stopped'
      return { rule: name, state, looked, found: told, why: stopped }
    })
  }
}

export function stateOf(found: number, applies: boolean): Exclude<Checked['state'], 'stopped'> {
  if (found > 0) return 'fail'
  return applies ? 'pass' : 'not-applicable'
}

const isList = (verdict: Entered | readonly Entered[]): verdict is readonly Entered[] =>
  Array.isArray(verdict)

function stop(slot: Slot, fault: unknown): void {
  slot.stopped = fault instanceof Error ? fault.message : String(fault)
  slot.handlers = null
}
