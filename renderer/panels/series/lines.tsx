// Lines over the steps, of the cells that were clicked; below them a lane for NaN and infinities.
import { useEffect, useRef, type JSX } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { CellKind, type SeriesLine } from '../../../preload/contract/engine.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'

const height = 190

const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** So that lines beside each other are told apart in both themes. */
const inks = ['--accent', '--s4', '--ok', '--warn', '--s3', '--dim']
export const mostLines = inks.length
export const inkOf = (i: number): string => `var(${inks[i % inks.length]})`

interface Shown {
  readonly lines: readonly SeriesLine[]
  readonly log: boolean
  /** Levels that mean something, such as a limit. */
  readonly bands: readonly number[]
}

/** Steps of all lines, and the values of each at them. */
function dataOf(lines: readonly SeriesLine[]): uPlot.AlignedData {
  return uPlot.join(
    lines.map(line => [
      Array.from(line.steps),
      Array.from(line.values, (value, i) => (line.kinds[i] === CellKind.number ? value : null)),
    ]),
  )
}

/** NaN and infinities at the foot, where they cannot stretch the scale. */
function drawLane(u: uPlot, { lines, bands }: Shown): void {
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
  for (const line of lines)
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

function optionsOf(shown: Shown, width: number): uPlot.Options {
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
    padding: [10, 12, 0, 0],
    cursor: { drag: { x: true, y: false } },
    scales: { x: { time: false }, y: shown.log ? { distr: 4, asinh: 1e-3 } : {} },
    axes: [
      { ...axis, size: 26 },
      { ...axis, size: 64 },
    ],
    series: [
      {},
      ...shown.lines.map((_, i) => ({
        stroke: token(inks[i % inks.length] ?? '--accent'),
        width: 1.6,
        spanGaps: false,
        points: { show: true, size: 5 },
      })),
    ],
    hooks: { draw: [u => drawLane(u, shown)] },
  }
}

export function Lines({ lines, log, bands }: Shown): JSX.Element {
  const say = useSay()
  const box = useRef<HTMLDivElement>(null)
  const theme = useWorkbench(s => `${s.dark}${s.settings?.safeColours}${s.settings?.density}`)
  const [first = Number.NaN, second = Number.NaN] = bands
  useEffect(() => {
    const holder = box.current
    if (!holder || lines.length === 0) return undefined
    const levels = [first, second].filter(level => !Number.isNaN(level))
    const plot = new uPlot(
      optionsOf({ lines, log, bands: levels }, holder.clientWidth),
      dataOf(lines),
      holder,
    )
    const size = new ResizeObserver(() => {
      if (holder.clientWidth > 0 && Math.abs(holder.clientWidth - plot.width) > 1)
        plot.setSize({ width: holder.clientWidth, height })
    })
    size.observe(holder)
    return () => {
      size.disconnect()
      plot.destroy()
    }
  }, [lines, log, first, second, theme])
  return (
    <div
      ref={box}
      className="series-lines"
      role="img"
      aria-label={say('series.lines', { count: lines.length })}
      data-testid="series-lines"
      data-lines={lines.length}
    />
  )
}
