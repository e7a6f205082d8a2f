// Which hyper-parameters of two runs are the same one: by name, by another name for it, by likeness.
import { pyFloat } from '../python/index.ts'
import { ratio } from './ratio.ts'

export interface Named {
  /** As the file has it. */
  readonly full: string
  /** Its last part, with `_` for `-`. */
  readonly short: string
}

export interface Match {
  readonly other: Named
  /** What the sheet says of it. */
  readonly how: string
  /** Only by likeness: perhaps two things. */
  readonly unsure: boolean
}

/** Other names of one thing, the first the one that counts. */
const aliases: readonly (readonly string[])[] = [
  ['learning_rate', 'lr', 'learningrate'],
  ['batch_size', 'batch', 'bs', 'batch_size_per_gpu'],
  ['epochs', 'num_epochs', 'max_epochs', 'epoch'],
  ['weight_decay', 'wd', 'weightdecay'],
  ['dropout_rate', 'dropout', 'drop_rate'],
  ['compute_dtype', 'bf16', 'fp32'],
  ['residual_dtype', 'fp32_residual_connection'],
  ['softmax_compute_dtype', 'attention_softmax_in_fp32'],
]

const alikeFrom = 0.8

const shortOf = (full: string): string => (full.split('.').at(-1) ?? '').replaceAll('-', '_')

/** Names with their short forms; of two with the same, the last counts and stands where the first did. */
export function namesOf(keys: readonly string[]): readonly Named[] {
  const byShort = new Map<string, string>()
  for (const full of keys) byShort.set(shortOf(full), full)
  return [...byShort].map(([short, full]) => ({ short, full }))
}

/** Every name for itself. */
export const allNamesOf = (keys: readonly string[]): readonly Named[] =>
  keys.map(full => ({ short: shortOf(full), full }))

type Step = (name: Named, others: readonly Named[]) => Match | null

const sure = (other: Named | undefined, how: string): Match | null =>
  other ? { other, how, unsure: false } : null

const byFullName: Step = (name, others) =>
  sure(
    others.find(other => spelled(other.full) === spelled(name.full)),
    'pure name',
  )
const spelled = (full: string): string => full.toLowerCase().replaceAll('-', '_')

const byName: Step = (name, others) =>
  sure(
    others.find(({ short }) => short === name.short),
    'pure name',
  )

const byAlias: Step = (name, others) => {
  const row = aliases.find(list => list.includes(name.short)) ?? []
  for (const alias of row) {
    const other = others.find(({ short }) => short === alias)
    if (other) return sure(other, 'mapping')
  }
  return null
}

const byLikeness: Step = (name, others) => {
  let [best, most]: [Named | null, number] = [null, alikeFrom]
  for (const other of others) {
    const [a, b] = [name.short.toLowerCase(), other.short.toLowerCase()]
    if ((2 * Math.min(a.length, b.length)) / (a.length + b.length) <= most) continue
    const likeness = ratio(a, b)
    if (likeness > most) [best, most] = [other, likeness]
  }
  return best && { other: best, how: `similarity:${pyFloat(most)}`, unsure: true }
}

/** One name after the other, as msprobe does it; what was taken before is no longer there. */
export function matchInOrder(names: readonly Named[], others: readonly Named[]): ReadonlyMap<Named, Match> {
  const taken = new Set<Named>()
  const found = new Map<Named, Match>()
  for (const name of names) {
    const match = byName(name, others) ?? byAlias(name, others) ?? byLikeness(name, others)
    if (!match || taken.has(match.other)) continue
    taken.add(match.other)
    found.set(name, match)
  }
  return found
}

/** The surest way for all names before the next one, each name once. */
export function matchBest(names: readonly Named[], others: readonly Named[]): ReadonlyMap<Named, Match> {
  const free = new Set(others)
  const found = new Map<Named, Match>()
  for (const step of [byFullName, byName, byAlias, byLikeness])
    for (const name of names) {
      const match = found.has(name) ? null : step(name, [...free])
      if (!match) continue
      free.delete(match.other)
      found.set(name, match)
    }
  return found
}
