// Asks the rules in their order and keeps what became of each. One that fails itself loses its own slot only.
import type { Checked, RuleName } from '../../model/index.ts'
import type { Entered, Handlers, Moment, Moments, Rule, Tables } from './rule.ts'

/** What a rule found. */
export interface Answer {
  readonly rule: RuleName
  readonly entered: Entered
}

interface Slot {
  readonly name: RuleName
  handlers: Handlers | null
  looked: number
  /** What it failed with, '' while it works. */
  stopped: string
}

export class RuleBook {
  readonly #slots: readonly Slot[]

  constructor(rules: readonly Rule[], tables: Tables) {
    this.#slots = rules.map(rule => {
      const slot: Slot = { name: rule.name, handlers: null, looked: 0, stopped: '' }
      guarded(slot, () => (slot.handlers = rule.begin(tables)))
      return slot
    })
  }

  /** What the rules say of a moment; with `one` the first that finds something has said it. */
  ask<At extends Moment>(at: At, seen: Moments[At], one: boolean): Answer[] {
    const answers: Answer[] = []
    for (const slot of this.#slots) {
      const handle = slot.handlers?.[at]
      if (!handle) continue
      const verdict = guarded(slot, () => handle(seen))
      if (verdict === null) continue
      slot.looked++
      if (verdict === 'pass') continue
      const found = Array.isArray(verdict) ? (verdict as readonly Entered[]) : [verdict as Entered]
      for (const entered of found) answers.push({ rule: slot.name, entered })
      if (one && found.length > 0) break
    }
    return answers
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

/** Runs a rule's code; where it throws the rule is out, and nothing else. */
function guarded<T>(slot: Slot, run: () => T): T | null {
  try {
    return run()
  } catch (fault) {
    slot.stopped = fault instanceof Error ? fault.message : String(fault)
    slot.handlers = null
    return null
  }
}
