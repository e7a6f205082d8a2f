// How it came from rank to rank: the calls by which it arrived, those of many ranks together.
import type { JSX } from 'react'
import type { OverflowStep } from '../../../preload/contract/engine.ts'
import { useSay } from '../../state/words.ts'
import { Name, Section } from '../../ui/bits.tsx'
import { goTo, unitOf } from './go.ts'
import { listed, More } from './more.tsx'

interface Arrivals {
  readonly from: number
  readonly op: string
  readonly ranks: number[]
}

export function Spread({ step }: { readonly step: OverflowStep }): JSX.Element {
  const say = useSay()
  const all = together(step.answer.arrivals)
  return (
    <Section title={say('overflow.spread')}>
      <ol className="overflow-list">
        {all.slice(0, listed).map(({ from, op, ranks }) => (
          <li key={`${from} ${op}`} className="column">
            <span className="faint small">
              {say(ranks.length > 1 ? 'overflow.arrivals' : 'overflow.arrival', {
                from,
                to: rangesOf(ranks),
              })}
            </span>
            <span className="row">
              <Name text={op} onPress={() => void goTo(unitOf(step, Math.min(...ranks)), op)} />
            </span>
          </li>
        ))}
      </ol>
      <More of={all.length} />
    </Section>
  )
}

function together(arrivals: OverflowStep['answer']['arrivals']): readonly Arrivals[] {
  const found = new Map<string, Arrivals>()
  for (const { from, to, toOp: op } of arrivals) {
    const known = found.get(`${from} ${op}`)
    if (known) known.ranks.push(to)
    else found.set(`${from} ${op}`, { from, op, ranks: [to] })
  }
  return [...found.values()]
}

/** `0, 1, 3–7`. */
function rangesOf(ranks: readonly number[]): string {
  const ranges: { readonly first: number; last: number }[] = []
  for (const rank of ranks.toSorted((a, b) => a - b)) {
    const range = ranges.at(-1)
    if (range && rank === range.last + 1) range.last = rank
    else ranges.push({ first: rank, last: rank })
  }
  return ranges
    .flatMap(({ first, last }) =>
      last - first > 1
        ? [`${first}–${last}`]
        : first === last
          ? [String(first)]
          : [String(first), String(last)],
    )
    .join(', ')
}
