// Every rank from its first call to its last: what each part of it shows, and where something enters.
import type { JSX } from 'react'
import type { OverflowRank, OverflowStep } from '../../../preload/contract/engine.ts'
import { count } from '../../state/format.ts'
import { chooseUnit } from '../../state/sessions.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Section } from '../../ui/bits.tsx'

/** Ranks that are drawn: those of origins and signs first, then the next ones. */
const drawn = 64

export function Timeline({ step }: { readonly step: OverflowStep }): JSX.Element {
  const say = useSay()
  const { answer, ranks } = step
  const named = new Set([...answer.origins, ...answer.symptoms].flatMap(({ ranks: of }) => of))
  const chosen = new Set([...ranks].sort((a, b) => weight(b, named) - weight(a, named)).slice(0, drawn))
  const more = ranks.length - chosen.size
  return (
    <Section title={say('overflow.timeline')}>
      <ol className="overflow-ranks">
        {ranks
          .filter(rank => chosen.has(rank))
          .map(rank => (
            <Rank
              key={rank.unit}
              rank={rank}
              marks={answer.origins
                .filter(({ ranks: of }) => of.includes(rank.rank))
                .map(({ order }) => order)}
            />
          ))}
      </ol>
      {more > 0 ? <p className="faint small">{say('overflow.more-ranks', { count: more })}</p> : null}
    </Section>
  )
}

const weight = ({ rank, band }: OverflowRank, named: ReadonlySet<number>): number =>
  (named.has(rank) ? 2 : 0) + (/[2-6]/.test(band) ? 1 : 0)

function Rank({
  rank: { rank, unit, calls, band },
  marks,
}: {
  readonly rank: OverflowRank
  readonly marks: readonly number[]
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const here = useWorkbench(s => s.session?.unit === unit)
  const width = Math.max(1, band.length)
  return (
    <li>
      <button
        type="button"
        className={`overflow-rank ${here ? 'here' : ''}`}
        aria-current={here}
        aria-label={say('overflow.band', { rank, calls: count(language, calls) })}
        onClick={() => void chooseUnit(unit)}
      >
        <span className="num small faint">{rank}</span>
        <svg viewBox={`0 0 ${width} 10`} preserveAspectRatio="none" aria-hidden="true">
          {runsOf(band).map(({ from, to, scene }) => (
            <rect key={from} className={`scene-${scene}`} x={from} y={2} width={to - from} height={8} />
          ))}
          {marks.map(order => (
            <rect
              key={order}
              className="enters"
              x={Math.min(width - 1, Math.floor((order * width) / Math.max(1, calls)))}
              y={0}
              width={1}
              height={10}
            />
          ))}
        </svg>
      </button>
    </li>
  )
}

/** Equal digits beside each other, as one. */
function runsOf(
  band: string,
): readonly { readonly from: number; readonly to: number; readonly scene: string }[] {
  const runs: { from: number; to: number; scene: string }[] = []
  for (let at = 0; at < band.length; at++) {
    const last = runs.at(-1)
    const scene = band[at] ?? '0'
    if (last?.scene === scene) last.to = at + 1
    else runs.push({ from: at, to: at + 1, scene })
  }
  return runs
}
