// What all elements of a tensor or a pair say: the kind of difference first, then the error along an axis, and Python for it.
import { useEffect, useRef, useState, type JSX } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { AxisErrors, Result, TensorAbout, TensorHealth } from '../../../preload/contract/engine.ts'
import { differenceLines } from '../../../preload/contract/words/difference.ts'
import { engine } from '../../engine.ts'
import { copyText } from '../../state/clipboard.ts'
import { count, shortNumber } from '../../state/format.ts'
import { type Answer, valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Section } from '../../ui/bits.tsx'
import { Button, Toggle } from '../../ui/controls.tsx'
import { ProblemCard } from '../../ui/states.tsx'

export function useAbout(row: number, of: string): Answer<Result<TensorAbout>> {
  return useUnitQuery({
    steps: ['dumps', 'metrics'],
    key: ['tensor-about', row, of],
    load: (here, signal) => engine.tensorAbout({ ...here, row }, signal),
    keep: true,
  })
}

/** Said before anybody has to look. */
export function Kind({ answer }: { readonly answer: Answer<Result<TensorAbout>> }): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const result = valueOf(answer)
  if (result && !result.ok) return <ProblemCard problem={result.problem} />
  const kind = result?.value.kind
  // While it is being tested there is nothing to say, and where sides are equal neither.
  if (!kind) return null
  const [first, ...rest] = differenceLines(language, kind)
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
const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

export function Along({ along }: { readonly along: readonly AxisErrors[] }): JSX.Element | null {
  const say = useSay()
  const [wanted, setWanted] = useState(-1)
  const [log, setLog] = useState(false)
  const shown = along.find(one => one.axis === wanted) ?? along.at(-1)
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
          <Button
            look="quiet"
            small
            icon="copy"
            label={say('values.copy-data')}
            onPress={() => void copyText(table())}
          />
        </span>
      }
    >
      <Plot shown={shown} log={log} />
    </Section>
  )
}

/** The first index that a point stands for. */
const startOf = ({ max, length }: AxisErrors, i: number): number =>
  max.length === length ? i : Math.ceil((i * length) / max.length)

function Plot({ shown, log }: { readonly shown: AxisErrors; readonly log: boolean }): JSX.Element {
  const say = useSay()
  const box = useRef<HTMLDivElement>(null)
  const [under, setUnder] = useState<number | null>(null)
  const theme = useWorkbench(s => `${s.dark}${s.settings?.safeColours}${s.settings?.density}`)
  useEffect(() => {
    const holder = box.current
    if (!holder) return undefined
    const plot = new uPlot(optionsOf(log, holder.clientWidth, setUnder), dataOf(shown, log), holder)
    const size = new ResizeObserver(() => {
      if (holder.clientWidth > 0 && Math.abs(holder.clientWidth - plot.width) > 1)
        plot.setSize({ width: holder.clientWidth, height })
    })
    size.observe(holder)
    return () => {
      size.disconnect()
      plot.destroy()
    }
  }, [shown, log, theme])
  const worst = shown.max.reduce((best, error, i) => (error > (shown.max[best] ?? 0) ? i : best), 0)
  const at = under !== null && under < shown.max.length ? under : worst
  return (
    <figure className="along">
      <div
        ref={box}
        role="img"
        aria-label={say('values.along-is', { n: shown.axis, size: shown.length })}
        data-testid="along"
      />
      <figcaption className="row small faint num">
        {say(at === under ? 'values.along-at' : 'values.along-worst', {
          index: startOf(shown, at),
          max: shortNumber(shown.max[at] ?? NaN),
          mean: shortNumber(shown.mean[at] ?? NaN),
        })}
      </figcaption>
    </figure>
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

function optionsOf(log: boolean, width: number, onUnder: (place: number | null) => void): uPlot.Options {
  const axis = {
    stroke: token('--faint'),
    font: `11px ${token('--sans') || 'sans-serif'}`,
    grid: { stroke: token('--line'), width: 1 },
    ticks: { show: false },
  }
  return {
    width,
    height,
    legend: { show: false },
    padding: [8, 8, 0, 0],
    cursor: { drag: { x: true, y: false } },
    scales: { x: { time: false }, y: log ? { distr: 3 } : {} },
    axes: [
      { ...axis, size: 24 },
      {
        ...axis,
        size: 58,
        values: (_, marks) => marks.map(mark => (mark === null ? '' : shortNumber(mark))),
      },
    ],
    series: [
      {},
      { stroke: token('--bad'), width: 1.4, points: { show: false } },
      { stroke: token('--dim'), width: 1.2, dash: [4, 3], points: { show: false } },
    ],
    hooks: { setCursor: [u => onUnder(u.cursor.idx ?? null)] },
  }
}
