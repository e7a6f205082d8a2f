// What all elements of a tensor or a pair say: the kind of difference first, then the error along an axis, and Python for it.
import { useMemo, useState, type JSX } from 'react'
import type uPlot from 'uplot'
import type { AxisErrors, TensorHealth } from '../../../preload/contract/engine.ts'
import { differenceLines } from '../../../preload/contract/words/difference.ts'
import { engine } from '../../engine.ts'
import { count, shortNumber } from '../../state/format.ts'
import { valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Section } from '../../ui/bits.tsx'
import { Toggle } from '../../ui/controls.tsx'
import { Picture } from '../../ui/picture.tsx'
import { token } from '../../ui/paint.ts'
import { axisLook, Plot } from '../../ui/plot.tsx'
import { ProblemCard } from '../../ui/states.tsx'
import { chartSvg } from '../../ui/svg.ts'
import { useLook, type Shown } from './look.ts'

/** Said before anybody has to look. */
export function Kind({ shown }: { readonly shown: Shown }): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const answer = useLook('tensor-kind', shown, [], (at, signal) => engine.tensorKind(at, signal))
  const result = valueOf(answer)
  if (result && !result.ok) return <ProblemCard problem={result.problem} />
  const kind = result?.value
  // While it is being tested there is nothing to say, and where sides are equal neither.
  if (!kind) return null
  const [first, ...rest] = differenceLines(language, kind, {
    left: say('side.debug'),
    right: say('side.bench'),
  })
  return (
    <Section title={say('values.kind')}>
      <p
        className={`difference-kind ${kind.kind === null ? 'dim' : ''}`}
        role="status"
        data-testid="difference-kind"
      >
        {first}
      </p>
      {rest.map(line => (
        <p key={line} className="small dim">
          {line}
        </p>
      ))}
    </Section>
  )
}

const found = (health: TensorHealth): TensorHealth['ailments'] => health.ailments.filter(one => one.count > 0)

/** What is wrong with elements of a side, each leading to the first one. */
export function Ailments({
  health,
  onAt,
}: {
  readonly health: TensorHealth
  onAt(index: readonly number[]): void
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  return (
    <>
      {found(health).map(({ kind, count: many, first }) => (
        <button
          key={kind}
          type="button"
          className={`link small ${kind === 'subnormal' ? 'dim' : 'bad'}`}
          title={say('values.first-at', { index: `[${(first ?? []).join(', ')}]` })}
          onClick={() => onAt(first ?? [])}
        >
          {say(`values.ailing.${kind}`, { count: count(language, many) })}
        </button>
      ))}
    </>
  )
}

/** Shares of elements as one bar: what is fine, zeros, and what is not. */
export function HealthBar({ health }: { readonly health: TensorHealth }): JSX.Element {
  const say = useSay()
  const ailing = health.ailments.reduce((sum, one) => sum + one.count, 0)
  const parts = [
    ['fine', Math.max(0, health.count - health.zeros - ailing)],
    ['zero', health.zeros],
    ...health.ailments.map(one => [one.kind, one.count] as const),
  ] as const
  return (
    <span className="health-bar" role="img" aria-label={say('values.health')}>
      {parts.map(([kind, many]) =>
        many > 0 ? (
          <span key={kind} className={kind} style={{ flexGrow: Math.max(many / health.count, 0.01) }} />
        ) : null,
      )}
    </span>
  )
}

const height = 130

export function Along({
  along,
  telling,
}: {
  readonly along: readonly AxisErrors[]
  readonly telling: number | null
}): JSX.Element | null {
  const say = useSay()
  const [wanted, setWanted] = useState<number | null>(null)
  const [log, setLog] = useState(false)
  const shown = along.find(one => one.axis === (wanted ?? telling)) ?? along.at(-1)
  if (!shown || shown.max.every(error => error === 0)) return null
  const table = (): string =>
    [
      ['index', 'max', 'mean'].join('\t'),
      ...Array.from(shown.max, (max, i) => [startOf(shown, i), max, shown.mean[i]].join('\t')),
    ].join('\n')
  return (
    <Section
      title={say('values.along')}
      aside={
        <span className="row wrap" style={{ gap: 2 }}>
          {along.map(one => (
            <Toggle
              key={one.axis}
              className="button quiet small"
              on={one === shown}
              onChange={() => setWanted(one.axis)}
            >
              {say('values.axis', { n: one.axis, size: one.length })}
            </Toggle>
          ))}
          <Toggle className="button quiet small" on={log} onChange={() => setLog(!log)}>
            {say('values.log')}
          </Toggle>
        </span>
      }
    >
      <AlongPlot along={shown} log={log} data={table} />
    </Section>
  )
}

/** The first index that a point stands for. */
const startOf = ({ max, length }: AxisErrors, i: number): number =>
  max.length === length ? i : Math.ceil((i * length) / max.length)

function AlongPlot({
  along,
  log,
  data,
}: {
  readonly along: AxisErrors
  readonly log: boolean
  data(): string
}): JSX.Element {
  const say = useSay()
  const [under, setUnder] = useState<number | null>(null)
  const points = useMemo(() => dataOf(along, log), [along, log])
  const worst = along.max.reduce((best, error, i) => (error > (along.max[best] ?? 0) ? i : best), 0)
  const at = under !== null && under < along.max.length ? under : worst
  const name = say('values.along-is', { n: along.axis, size: along.length })
  return (
    <Picture
      name={name}
      className="along"
      data={data}
      svg={() =>
        chartSvg({
          title: name,
          x: Array.from(along.max, (_, i) => startOf(along, i)),
          series: [
            { name: 'max', colour: token('--bad'), values: Array.from(along.max) },
            { name: 'mean', colour: token('--dim'), values: Array.from(along.mean), dashed: true },
          ],
          log,
          steps: false,
          ink: token('--dim'),
        })
      }
      caption={say(at === under ? 'values.along-at' : 'values.along-worst', {
        index: startOf(along, at),
        max: shortNumber(along.max[at] ?? NaN),
        mean: shortNumber(along.mean[at] ?? NaN),
      })}
    >
      <Plot
        data={points}
        height={height}
        stamp={String(log)}
        label={name}
        testId="along"
        options={() => optionsOf(log, setUnder)}
      />
    </Picture>
  )
}

function dataOf(shown: AxisErrors, log: boolean): uPlot.AlignedData {
  const point = (error: number): number | null =>
    Number.isFinite(error) && (!log || error > 0) ? error : null
  return [
    Array.from(shown.max, (_, i) => startOf(shown, i)),
    Array.from(shown.max, point),
    Array.from(shown.mean, point),
  ]
}

function optionsOf(
  log: boolean,
  onUnder: (place: number | null) => void,
): Omit<uPlot.Options, 'width' | 'height'> {
  const axis = axisLook()
  return {
    padding: [8, 8, 0, 0],
    scales: { x: { time: false }, y: log ? { distr: 3 } : {} },
    axes: [
      { ...axis, size: 24 },
      { ...axis, size: 58 },
    ],
    series: [
      {},
      { stroke: token('--bad'), width: 1.4, points: { show: false } },
      { stroke: token('--dim'), width: 1.2, dash: [4, 3], points: { show: false } },
    ],
    hooks: { setCursor: [u => onUnder(u.cursor.idx ?? null)] },
  }
}
