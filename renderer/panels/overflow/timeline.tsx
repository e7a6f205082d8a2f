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
  const shown = ranks.filter(rank => chosen.has(rank))
  const more = ranks.length - shown.length
  return (
    <Section title={say('overflow.timeline')}>
      <div className="overflow-ranks">
        <ol>
          {shown.map(rank => (
            <Rank key={rank.unit} rank={rank} />
          ))}
        </ol>
        <Marks answer={answer} shown={shown} />
      </div>
      {more > 0 ? <p className="faint small">{say('overflow.more-ranks', { count: more })}</p> : null}
    </Section>
  )
}

const weight = ({ rank, band }: OverflowRank, named: ReadonlySet<number>): number =>
  (named.has(rank) ? 2 : 0) + (/[2-6]/.test(band) ? 1 : 0)

/** Where something enters, and the ways by which it came to other ranks, drawn over the bands. */
function Marks({
  answer: { origins, arrivals },
  shown,
}: {
  readonly answer: OverflowStep['answer']
  readonly shown: readonly OverflowRank[]
}): JSX.Element {
  const rows = new Map(shown.map(({ rank, calls }, row) => [rank, { row, calls: Math.max(1, calls) }]))
  const placeOf = (rank: number, order: number): readonly [number, number] | null => {
    const at = rows.get(rank)
    return at ? [(100 * (order + 0.5)) / at.calls, at.row + 0.5] : null
  }
  const ways = arrivals.flatMap(({ from, fromOrder, to, toOrder }) => {
    const [a, b] = [placeOf(from, fromOrder), placeOf(to, toOrder)]
    return a && b ? [{ key: to, from: a, to: b }] : []
  })
  const enters = origins.flatMap(({ ranks, order }) =>
    ranks.flatMap(rank => {
      const at = placeOf(rank, order)
      return at ? [{ key: `${rank} ${order}`, at }] : []
    }),
  )
  return (
    <svg
      className="overflow-marks"
      viewBox={`0 0 100 ${Math.max(1, shown.length)}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {ways.map(({ key, from: [x, y], to: [toX, toY] }) => (
        <path
          key={key}
          className="way"
          d={`M${x} ${y} C${x} ${(y + toY) / 2} ${toX} ${(y + toY) / 2} ${toX} ${toY}`}
        />
      ))}
      {ways.map(({ key, to: [x, y] }) => (
        <path key={key} className="arrives" d={`M${x} ${y}h0`} />
      ))}
      {enters.map(({ key, at: [x, y] }) => (
        <path key={key} className="enters" d={`M${x} ${y}h0`} />
      ))}
    </svg>
  )
}

function Rank({ rank: { rank, unit, calls, band } }: { readonly rank: OverflowRank }): JSX.Element {
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
            <rect key={from} className={`scene-${scene}`} x={from} y={0} width={to - from} height={10} />
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
