// Lines over the steps, of the cells that were clicked; below them a lane for NaN and infinities.
import { useMemo, type JSX } from 'react'
import uPlot from 'uplot'
import { CellKind, type SeriesLine, type SeriesMark } from '../../../preload/contract/engine.ts'
import { useSay } from '../../state/words.ts'
import { token } from '../../ui/paint.ts'
import { axisLook, Plot } from '../../ui/plot.tsx'

const height = 190

const wholeSteps = Array.from({ length: 16 }, (_, i) => [1, 2, 5].map(n => n * 10 ** i)).flat()
/** Of more of them each would hide the next. */
const manyPoints = 120

/** So that lines beside each other are told apart in both themes. */
const inks = ['--accent', '--bench', '--ok', '--warn', '--s3', '--dim']
export const mostLines = inks.length
export const inkOf = (i: number): string => `var(${inks[i % inks.length]})`

/** A line in its colour; that of the other run is dashed. */
export interface DrawnLine {
  readonly line: SeriesLine
  readonly ink: number
  readonly other: boolean
}

interface Shown {
  readonly lines: readonly DrawnLine[]
  readonly log: boolean
  /** Levels that mean something, such as a limit. */
  readonly bands: readonly number[]
  /** What is suspect of these lines: a mark at its step. */
  readonly marks: readonly SeriesMark[]
}

/** Steps of all lines, and the values of each at them. */
function dataOf(lines: readonly DrawnLine[]): uPlot.AlignedData {
  if (lines.length === 0) return [[]]
  return uPlot.join(
    lines.map(({ line }) => [
      Array.from(line.steps),
      Array.from(line.values, (value, i) => (line.kinds[i] === CellKind.number ? value : null)),
    ]),
  )
}

/** NaN and infinities at the foot, where they cannot stretch the scale. */
function drawLane(u: uPlot, { lines, bands, marks }: Shown): void {
  const { ctx, bbox } = u
  ctx.save()
  ctx.setLineDash([4, 4])
  ctx.strokeStyle = token('--bad')
  for (const band of bands) {
    const y = u.valToPos(band, 'y', true)
    if (y < bbox.top || y > bbox.top + bbox.height) continue
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
  }
  const size = 6 * devicePixelRatio
  ctx.setLineDash([2, 3])
  ctx.fillStyle = token('--bad')
  for (const step of new Set(marks.map(mark => mark.step))) {
    const x = u.valToPos(step, 'x', true)
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    ctx.beginPath()
    ctx.moveTo(x - size / 2, bbox.top)
    ctx.lineTo(x + size / 2, bbox.top)
    ctx.lineTo(x, bbox.top + size)
    ctx.fill()
  }
  for (const { line } of lines)
    for (const [i, kind] of line.kinds.entries()) {
      if (kind === CellKind.number) continue
      ctx.fillStyle = token(kind === CellKind.nan ? '--series-nan' : '--series-inf')
      ctx.fillRect(
        u.valToPos(line.steps[i] ?? 0, 'x', true) - size / 2,
        bbox.top + bbox.height - size,
        size,
        size,
      )
    }
  ctx.restore()
}

function optionsOf(shown: Shown): Omit<uPlot.Options, 'width' | 'height'> {
  const axis = axisLook()
  return {
    padding: [10, 12, 0, 0],
    scales: { x: { time: false }, y: shown.log ? { distr: 4, asinh: 1e-3 } : {} },
    axes: [
      // Steps are whole.
      { ...axis, size: 26, incrs: wholeSteps },
      { ...axis, size: 64 },
    ],
    series: [
      {},
      ...shown.lines.map(({ line, ink, other }) => ({
        stroke: token(inks[ink % inks.length] ?? '--accent'),
        width: 1.6,
        spanGaps: false,
        points: { show: line.steps.length < manyPoints, size: 5 },
        ...(other && { dash: [6, 4] }),
      })),
    ],
    hooks: { draw: [u => drawLane(u, shown)] },
  }
}

export function Lines(shown: Shown): JSX.Element {
  const say = useSay()
  const { lines, log, bands, marks } = shown
  const data = useMemo(() => dataOf(lines), [lines])
  if (lines.length === 0) return <></>
  return (
    <Plot
      data={data}
      height={height}
      stamp={JSON.stringify([log, bands, marks])}
      className="series-lines"
      label={say('series.lines', { count: lines.length })}
      testId="series-lines"
      attributes={{ 'data-lines': lines.length }}
      options={() => optionsOf(shown)}
    />
  )
}
