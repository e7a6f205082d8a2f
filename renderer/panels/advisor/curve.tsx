// Error level over execution order: where it leaves the floor is marked, a click goes to the node.
import { useEffect, useRef, type JSX } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { LevelCurve } from '../../../preload/contract/engine.ts'
import { nameParts } from '../../state/names.ts'
import { select } from '../../state/selection.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'

const height = 104

export function Curve({ curve }: { readonly curve: LevelCurve }): JSX.Element {
  const say = useSay()
  const box = useRef<HTMLDivElement>(null)
  const tip = useRef<HTMLDivElement>(null)
  const theme = useWorkbench(s => `${s.dark}${s.settings?.safeColours}${s.settings?.density}`)

  useEffect(() => {
    const holder = box.current
    if (!holder) return undefined
    const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
    const origin = curve.origin
    const highest = Math.min(1, curve.level.reduce((m, v) => (v > m ? v : m), 1e-6) * 1.1)
    const mark = (u: uPlot): void => {
      if (origin < 0) return
      const x = u.valToPos(curve.position[origin] ?? 0, 'x', true)
      const y = u.valToPos(curve.level[origin] ?? 0, 'y', true)
      const { ctx } = u
      ctx.save()
      ctx.strokeStyle = token('--s5')
      ctx.setLineDash([3, 3])
      ctx.beginPath(); ctx.moveTo(x, u.bbox.top); ctx.lineTo(x, u.bbox.top + u.bbox.height); ctx.stroke()
      ctx.fillStyle = token('--s5')
      ctx.beginPath(); ctx.arc(x, y, 3.5 * devicePixelRatio, 0, 7); ctx.fill()
      ctx.restore()
    }
    const point = (u: uPlot): void => {
      const i = u.cursor.idx
      if (!tip.current) return
      if (i === null || i === undefined) { tip.current.textContent = ''; return }
      tip.current.textContent = `${(curve.level[i] ?? 0).toFixed(3)}  ${nameParts(curve.nodes[i] ?? '').short}`
    }
    const axis = { show: true, stroke: token('--faint'), font: `10px ${token('--sans') || 'sans-serif'}`, grid: { stroke: token('--line'), width: 1 }, ticks: { show: false }, size: 32, gap: 3 }
    const plot = new uPlot({
      width: holder.clientWidth, height, legend: { show: false }, padding: [8, 4, 8, 0],
      cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
      scales: { x: { time: false }, y: { range: [0, highest] } },
      axes: [{ ...axis, show: false }, { ...axis, splits: [0, highest / 2, highest], values: (_, ticks) => ticks.map(t => (t === 0 ? '0' : t >= 0.01 ? String(Number(t.toPrecision(2))) : t.toExponential(0))) }],
      series: [{}, { stroke: token('--s4'), width: 1.6, points: { show: false } }, { stroke: token('--faint'), width: 1, dash: [2, 3], points: { show: false } }],
      hooks: { draw: [mark], setCursor: [point] },
    }, [Array.from(curve.position), Array.from(curve.level), Array.from(curve.floor)], holder)
    const click = (): void => {
      const node = curve.nodes[plot.cursor.idx ?? -1]
      if (node !== undefined) select({ debug: node }, 'advisor')
    }
    plot.over.addEventListener('click', click)
    const size = new ResizeObserver(() => { if (holder.clientWidth > 0 && Math.abs(holder.clientWidth - plot.width) > 1) plot.setSize({ width: holder.clientWidth, height }) })
    size.observe(holder)
    return () => { size.disconnect(); plot.destroy() }
  }, [curve, theme])

  const origin = curve.nodes[curve.origin]
  return (
    <>
      <div ref={box} className="curve" role="img" aria-label={say(origin === undefined ? 'advisor.curve-is' : 'advisor.curve-from', { node: origin ?? '' })} />
      <div ref={tip} className="curve-tip small num dim cut" />
      {origin === undefined ? null : <button type="button" className="link small" onClick={() => select({ debug: origin }, 'advisor')}>{say('advisor.curve-go')}</button>}
    </>
  )
}
