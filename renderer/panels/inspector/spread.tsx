// How values and errors are spread: both sides on one axis, the error below; and left against right, binned.
import { useEffect, useMemo, useRef, useState, type JSX } from 'react'
import uPlot from 'uplot'
import type { TensorSpread } from '../../../preload/contract/engine.ts'
import { shortNumber } from '../../state/format.ts'
import { valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'
import { Section } from '../../ui/bits.tsx'
import { Toggle } from '../../ui/controls.tsx'
import { Picture } from '../../ui/picture.tsx'
import { token, useTheme } from '../../ui/paint.ts'
import { axisLook, Plot } from '../../ui/plot.tsx'
import { ProblemCard, Skeleton } from '../../ui/states.tsx'
import { chartSvg, imageSvg } from '../../ui/svg.ts'
import { mostOf, paint } from './heat.tsx'
import { useSpread, type Shown } from './look.ts'
import { Sampled } from './sampled.tsx'

const height = 132

interface Bins {
  readonly name: string
  readonly colour: string
  readonly counts: Float64Array
}

export function Spread({ shown }: { readonly shown: Shown }): JSX.Element | null {
  const say = useSay()
  const [octaves, setOctaves] = useState(false)
  const [log, setLog] = useState(false)
  const answer = useSpread(shown, true)
  const result = valueOf(answer)
  if (answer.is === 'failed') return null
  const spread = result?.ok ? result.value : null
  if (spread && !spread.values && !spread.log) return null
  return (
    <>
      <Section
        title={say('values.histogram')}
        aside={
          <span className="row wrap" style={{ gap: 2 }}>
            <Sampled sampled={spread?.sampled ?? null} exact={shown.exact} />
            <Toggle className="button quiet small" on={octaves} onChange={setOctaves} testId="octaves">
              {say('values.octaves')}
            </Toggle>
            <Toggle className="button quiet small" on={log} onChange={setLog}>
              {say('values.log-counts')}
            </Toggle>
          </span>
        }
      >
        {result && !result.ok ? <ProblemCard problem={result.problem} /> : null}
        {spread ? (
          <Histograms spread={spread} octaves={octaves} log={log} />
        ) : (
          <Skeleton rows={4} height={18} />
        )}
      </Section>
      {spread?.against && spread.values ? (
        <Against against={spread.against} edges={spread.values.edges} />
      ) : null}
    </>
  )
}

function Histograms({
  spread,
  octaves,
  log,
}: {
  readonly spread: TensorSpread
  readonly octaves: boolean
  readonly log: boolean
}): JSX.Element {
  const say = useSay()
  const of = octaves ? spread.log : spread.values
  const sides: Bins[] = (['debug', 'bench'] as const).flatMap(name => {
    const counts = of?.[name]
    return counts ? [{ name: say(`side.${name}`), colour: `--${name}`, counts }] : []
  })
  const error = (counts: Float64Array): Bins => ({ name: say('values.error'), colour: '--bad', counts })
  const logged = octaves ? spread.log : null
  if (!of) return <p className="small dim">{say('values.octaves.none')}</p>
  return (
    <>
      <Histogram
        edges={of.edges}
        series={[...sides, ...(logged?.error ? [error(logged.error)] : [])]}
        octaves={octaves}
        log={log}
        testId="histogram"
      />
      {logged ? (
        <p className="small faint">
          {say('values.below', {
            debug: logged.below.debug,
            bench: logged.below.bench,
            error: logged.below.error,
            least: shortNumber(logged.edges[0] ?? 0),
          })}
        </p>
      ) : null}
      {!octaves && spread.error ? (
        <Histogram
          edges={spread.error.edges}
          series={[error(spread.error.counts)]}
          octaves={false}
          log={log}
          testId="error-histogram"
        />
      ) : null}
    </>
  )
}

function Histogram({
  edges,
  series,
  octaves,
  log,
  testId,
}: {
  readonly edges: Float64Array
  readonly series: readonly Bins[]
  /** Edges are powers of two. */
  readonly octaves: boolean
  readonly log: boolean
  readonly testId: string
}): JSX.Element {
  const say = useSay()
  const [under, setUnder] = useState<number | null>(null)
  const place = (edge: number): number => (octaves ? Math.log2(edge) : edge)
  const key = series.map(({ name }) => name).join()
  const data = useMemo((): uPlot.AlignedData => {
    const x = Array.from(edges, edge => (octaves ? Math.log2(edge) : edge))
    // The last edge closes the last bin.
    const column = (counts: Float64Array): (number | null)[] => {
      const all = Array.from(counts, count => (log && count === 0 ? null : count))
      return [...all, all.at(-1) ?? null]
    }
    return [x, ...series.map(({ counts }) => column(counts))]
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the counts are new with their edges
  }, [edges, octaves, log, key])
  const stepped = uPlot.paths.stepped?.({ align: 1 })
  const options = (): Omit<uPlot.Options, 'width' | 'height'> => ({
    padding: [8, 8, 0, 0],
    scales: { x: { time: false }, y: log ? { distr: 3 } : {} },
    axes: [
      { ...axisLook(), size: 24, ...(octaves && { values: (_, marks) => marks.map(mark => `2^${mark}`) }) },
      { ...axisLook(), size: 58 },
    ],
    series: [
      {},
      ...series.map(({ colour }) => ({
        stroke: token(colour),
        fill: `${token(colour)}30`,
        width: 1.3,
        points: { show: false },
        ...(stepped && { paths: stepped }),
      })),
    ],
    hooks: { setCursor: [u => setUnder(u.cursor.idx ?? null)] },
  })
  const bin = under !== null && under < edges.length - 1 ? under : null
  const name = say('values.histogram-is', {
    from: shortNumber(edges[0] ?? NaN),
    to: shortNumber(edges.at(-1) ?? NaN),
  })
  return (
    <Picture
      name={name}
      svg={() =>
        chartSvg({
          title: name,
          x: Array.from(edges, place),
          series: series.map(one => ({
            name: one.name,
            colour: token(one.colour),
            values: Array.from(one.counts),
          })),
          log,
          steps: true,
          ink: token('--dim'),
        })
      }
      data={() =>
        [
          [say('values.from'), say('values.to'), ...series.map(one => one.name)].join('\t'),
          ...Array.from({ length: edges.length - 1 }, (_, i) =>
            [edges[i], edges[i + 1], ...series.map(({ counts }) => counts[i])].join('\t'),
          ),
        ].join('\n')
      }
      aside={series.map(one => (
        <span key={one.name} className="row small dim">
          <span className="zone-dot" style={{ background: `var(${one.colour})` }} />
          {one.name}
        </span>
      ))}
      caption={
        bin === null
          ? null
          : say('values.bin', {
              from: shortNumber(edges[bin] ?? NaN),
              to: shortNumber(edges[bin + 1] ?? NaN),
              counts: series.map(one => `${one.name} ${one.counts[bin] ?? 0}`).join(' · '),
            })
      }
    >
      <Plot
        data={data}
        height={height}
        stamp={`${octaves} ${log} ${key}`}
        label={name}
        testId={testId}
        options={options}
      />
    </Picture>
  )
}

/** Equal sides lie on the diagonal, from the lower left to the upper right. */
function Against({
  against: { bins, counts },
  edges,
}: {
  readonly against: NonNullable<TensorSpread['against']>
  readonly edges: Float64Array
}): JSX.Element {
  const say = useSay()
  const theme = useTheme()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [under, setUnder] = useState<{ readonly x: number; readonly y: number } | null>(null)
  // Upwards grow the values of the bench side; few are to be seen beside many.
  const values = useMemo(
    () =>
      Float64Array.from(counts, (_, i) => {
        const row = bins - 1 - Math.floor(i / bins)
        return Math.log1p(counts[row * bins + (i % bins)] ?? 0) ** 2
      }),
    [bins, counts],
  )
  useEffect(() => {
    if (canvas.current) paint(canvas.current, { height: bins, width: bins, values }, mostOf(values))
  }, [values, bins, theme])
  const range = (i: number): string => `${shortNumber(edges[i] ?? NaN)} … ${shortNumber(edges[i + 1] ?? NaN)}`
  const title = say('values.against')
  return (
    <Section title={title}>
      <Picture
        name={title}
        className="against"
        svg={of => imageSvg(of.toDataURL(), title, [`${edges[0]} … ${edges.at(-1)}`], token('--dim'))}
        data={() =>
          Array.from({ length: bins }, (_, row) =>
            Array.from(counts.subarray(row * bins, (row + 1) * bins)).join('\t'),
          ).join('\n')
        }
        caption={
          under
            ? say('values.against-at', {
                debug: range(under.x),
                bench: range(under.y),
                count: counts[under.y * bins + under.x] ?? 0,
              })
            : say('values.against-hint')
        }
      >
        <canvas
          ref={canvas}
          role="img"
          aria-label={title}
          data-testid="against"
          onPointerMove={e => {
            const box = e.currentTarget.getBoundingClientRect()
            const part = (at: number, of: number): number =>
              Math.max(0, Math.min(bins - 1, Math.floor((at / of) * bins)))
            setUnder({
              x: part(e.clientX - box.left, box.width),
              y: bins - 1 - part(e.clientY - box.top, box.height),
            })
          }}
          onPointerLeave={() => setUnder(null)}
        />
      </Picture>
    </Section>
  )
}
