// What should be the same on several ranks and is not, as sentences.
import { runsOf } from '../../../main/engine/model/names.ts'
import type { ReplicasAnswer, Unequal } from '../../../main/engine/model/shared.ts'
import { type Language, say } from './index.ts'

const listed = 4

/** The sentence, and what else is known: by how much, and how many more there are. */
export function unequalText(
  language: Language,
  found: Unequal,
  short: (name: string) => string = name => name,
): { readonly text: string; readonly more: readonly string[] } {
  const { kind, ranks, others, size, rounding, more, also, op, item, from } = found
  const facts = { op: short(op), item, from: short(from), ranks: runsOf(ranks), others: runsOf(others) }
  const isAll = others.length === 0
  const text =
    isAll && (kind === 'parameter' || kind === 'gradient' || kind === 'collective' || kind === 'call')
      ? say(language, `replicas.all.${kind}`, facts)
      : say(language, `replicas.odd.${kind}`, facts)
  return {
    text,
    more: [
      ...(kind === 'calls' ? [] : [sizeText(language, size)]),
      ...(rounding ? [say(language, 'replicas.rounding')] : []),
      ...(more > 0
        ? [say(language, 'replicas.more', { count: more, names: namesText(also.map(short), more) })]
        : []),
    ],
  }
}

const sizeText = (language: Language, size: number): string =>
  Number.isNaN(size)
    ? say(language, 'replicas.checksum')
    : say(language, 'replicas.size', {
        size: size >= 1e-4 ? `${Number((size * 100).toPrecision(3))} %` : size.toExponential(1),
      })

const namesText = (also: readonly string[], more: number): string =>
  also.slice(0, listed).join(', ') + (more > listed ? ' …' : '')

/** How much was held against each other, by what copies were told, and what the groups say. */
export function comparedTexts(language: Language, answer: ReplicasAnswer): readonly string[] {
  const { compared, ranks, copiesBy, topology } = answer
  return [
    say(language, 'replicas.compared', { ...compared, ranks }),
    say(language, `replicas.copies.${copiesBy}`),
    ...(topology
      ? [say(language, 'replicas.topology', { sizes: sizesText(topology), order: topology.order })]
      : []),
  ]
}

function sizesText(topology: NonNullable<ReplicasAnswer['topology']>): string {
  const shown = (['tp', 'cp', 'ep', 'dp', 'pp'] as const).filter(of => topology[of] > 1)
  return shown.map(of => `${of} ${topology[of]}`).join(', ')
}
