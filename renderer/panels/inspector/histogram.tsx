// Two histograms on one axis, in the two colours that the sides have everywhere.
import type { JSX } from 'react'
import { shortNumber } from '../../state/format.ts'
import { useSay } from '../../state/words.ts'

const height = 84
const width = 320

export function Histogram({
  edges,
  debug,
  bench,
}: {
  readonly edges: Float64Array
  readonly debug: Float64Array
  readonly bench: Float64Array
}): JSX.Element {
  const say = useSay()
  const bins = Math.max(1, edges.length - 1)
  const most = Math.max(1, ...debug, ...bench)
  const step = width / bins
  const bars = (values: Float64Array, name: string): JSX.Element => (
    <g className={`bars ${name}`}>
      {Array.from(values, (v, i) =>
        v > 0 ? (
          <rect
            key={i}
            x={i * step + 0.4}
            width={Math.max(0.6, step - 0.8)}
            y={height - Math.max(1, (v / most) * height)}
            height={Math.max(1, (v / most) * height)}
          />
        ) : null,
      )}
    </g>
  )
  const tip = (i: number): string =>
    `${shortNumber(edges[i] ?? NaN)} … ${shortNumber(edges[i + 1] ?? NaN)}\n${say('side.debug')}: ${debug[i] ?? 0}\n${say('side.bench')}: ${bench[i] ?? 0}`
  return (
    <figure className="histogram">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={say('values.histogram-is', {
          from: shortNumber(edges[0] ?? NaN),
          to: shortNumber(edges[bins] ?? NaN),
        })}
      >
        {bars(debug, 'debug')}
        {bars(bench, 'bench')}
        {Array.from({ length: bins }, (_, i) => (
          <rect key={i} x={i * step} y={0} width={step} height={height} fill="transparent">
            <title>{tip(i)}</title>
          </rect>
        ))}
      </svg>
      <figcaption className="row small faint num">
        <span>{shortNumber(edges[0] ?? NaN)}</span>
        <span className="grow" />
        <span>{shortNumber(edges[bins] ?? NaN)}</span>
      </figcaption>
    </figure>
  )
}
