// Runs that were made to tell suspects apart, and what each told: kept with the pair.
import type { ExperimentId } from '../../preload/contract/engine.ts'
import { keepSoon } from './settings.ts'
import { now, set, type Tried } from './workbench.ts'

export const triedOutcomes = ['open', 'ruled-out', 'confirmed'] as const satisfies readonly Tried['outcome'][]

function keep(tried: readonly Tried[]): void {
  set({ tried })
  keepSoon()
}

export const addTried = (id: ExperimentId, node: string): void =>
  keep([...now().tried, { id, node, at: Date.now(), outcome: 'open', text: '' }])

export const changeTried = (at: number, patch: Partial<Pick<Tried, 'outcome' | 'text'>>): void =>
  keep(now().tried.map(one => (one.at === at ? { ...one, ...patch } : one)))

export const removeTried = (at: number): void => keep(now().tried.filter(one => one.at !== at))

/** Reads what the last start left; anything odd is left out. */
export const readTried = (given: unknown): readonly Tried[] =>
  Array.isArray(given)
    ? given.filter(
        (one): one is Tried =>
          typeof one === 'object' &&
          one !== null &&
          typeof one.id === 'string' &&
          typeof one.node === 'string' &&
          typeof one.at === 'number' &&
          typeof one.text === 'string' &&
          triedOutcomes.includes(one.outcome),
      )
    : []
