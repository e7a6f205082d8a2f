// Error level over execution order: where it leaves the floor is marked, a click goes to the node.
import { useEffect, useRef, type JSX, type RefObject } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { LevelCurve } from '../../../preload/contract/engine.ts'
import { nameParts } from '../../state/names.ts'
import { select } from '../../state/selection.ts'
import { useSay } from '../../state/words.ts'
import { token, useTheme } from '../../ui/paint.ts'
import { asWideAs } from '../../ui/plot.tsx'

const height = 104

/** Axes, lines and scales in the colours of the theme. */
function looks(curve: LevelCurve): Omit<uPlot.Options, 'width' | 'height'> {
  const highest = Math.min(1, curve.level.reduce((m, v) => (v > m ? v : m), 1e-6) * 1.1)
  const axis = {
    show: true,
    stroke: token('--faint'),
    font: `10px ${token('--sans') || 'sans-serif'}`,
    grid: { stroke: token('--line'), width: 1 },
    ticks: { show: false },
    size: 32,
    gap: 3,
  }
  return {
    legend: { show: false },
    padding: [8, 4, 8, 0],
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    scales: { x: { time: false }, y: { range: [0, highest] } },
    axes: [
      { ...axis, show: false },
      { ...axis, splits: [0, highest / 2, highest], values: (_, ticks) => ticks.map(levelText) },
    ],
    series: [
      {},
      { stroke: token('--s4'), width: 1.6, points: { show: false } },
      { stroke: token('--faint'), width: 1, dash: [2, 3], points: { show: false } },
      { stroke: token('--accent'), width: 1.2, points: { show: false } },
    ],
  }
}

function levelText(level: number): string {
  if (level === 0) return '0'
  return level >= 0.01 ? String(Number(level.toPrecision(2))) : level.toExponential(0)
}

/** A line and a dot where the error enters. */
function markOrigin(u: uPlot, { origin, position, level }: LevelCurve): void {
  if (origin < 0) return
  const x = u.valToPos(position[origin] ?? 0, 'x', true)
  const y = u.valToPos(level[origin] ?? 0, 'y', true)
  const { ctx } = u
  ctx.save()
  ctx.strokeStyle = token('--s5')
  ctx.setLineDash([3, 3])
  ctx.beginPath()
  ctx.moveTo(x, u.bbox.top)
  ctx.lineTo(x, u.bbox.top + u.bbox.height)
  ctx.stroke()
  ctx.fillStyle = token('--s5')
  ctx.beginPath()
  ctx.arc(x, y, 3.5 * devicePixelRatio, 0, 7)
  ctx.fill()
  ctx.restore()
}

const textAt = (i: number | null | undefined, { level, made, nodes }: LevelCurve, own: string): string =>
  i === null || i === undefined
    ? ''
    : `${levelText(level[i] ?? 0)}  (${own} ${levelText(made[i] ?? 0)})  ${nameParts(nodes[i] ?? '').short}`

/** The drawing of a curve: follows the width of its box, tells what is under the pointer. */
function usePlot(
  curve: LevelCurve,
  own: string,
): { readonly box: RefObject<HTMLDivElement | null>; readonly tip: RefObject<HTMLDivElement | null> } {
  const box = useRef<HTMLDivElement>(null)
  const tip = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  useEffect(() => {
    const holder = box.current
    if (!holder) return undefined
    const tell = (u: uPlot): void => {
      if (tip.current) tip.current.textContent = textAt(u.cursor.idx, curve, own)
    }
    const plot = new uPlot(
      {
        ...looks(curve),
        width: holder.clientWidth,
        height,
        hooks: { draw: [u => markOrigin(u, curve)], setCursor: [tell] },
      },
      [curve.position, curve.level, curve.floor, curve.made].map(column =>
        Array.from(column),
      ) as uPlot.AlignedData,
      holder,
    )
    plot.over.addEventListener('click', () => {
      const node = curve.nodes[plot.cursor.idx ?? -1]
      if (node !== undefined) select({ debug: node }, 'advisor')
    })
    return asWideAs(plot, holder, height)
  }, [curve, own, theme])
  return { box, tip }
}

export function Curve({ curve }: { readonly curve: LevelCurve }): JSX.Element {
  const say = useSay()
  const { box, tip } = usePlot(curve, say('advisor.curve.made'))
  const origin = curve.nodes[curve.origin]
  return (
    <>
      <div
        ref={box}
        className="curve"
        role="img"
        aria-label={say(origin === undefined ? 'advisor.curve-is' : 'advisor.curve-from', {
          node: origin ?? '',
        })}
      />
      <p className="curve-legend small dim">
        <span>
          <span className="curve-key level" aria-hidden="true" />
          {say('advisor.curve.level')}
        </span>
        <span>
          <span className="curve-key expected" aria-hidden="true" />
          {say('advisor.curve.expected')}
        </span>
        <span>
          <span className="curve-key own" aria-hidden="true" />
          {say('advisor.curve.made')}
        </span>
        <span className="curve-order">{say('advisor.curve.order')}</span>
      </p>
      <div ref={tip} className="curve-tip small num dim cut" />
      {origin === undefined ? null : (
        <button type="button" className="link small" onClick={() => select({ debug: origin }, 'advisor')}>
          {say('advisor.curve-go')}
        </button>
      )}
    </>
  )
}
