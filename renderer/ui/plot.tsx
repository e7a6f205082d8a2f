// Lines, steps and dots on a canvas, in the theme's colours and as wide as there is room.
import { useEffect, useEffectEvent, useRef, type JSX } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { markNumber } from '../state/format.ts'
import { token, useTheme } from './paint.ts'

/** How the axes of all plots look. */
export const axisLook = (): uPlot.Axis => ({
  stroke: token('--faint'),
  font: `11px ${token('--sans') || 'sans-serif'}`,
  grid: { stroke: token('--line'), width: 1 },
  ticks: { show: false },
  values: (_, marks) => marks.map(mark => (mark === null ? '' : markNumber(mark))),
})

/** As wide as its holder, until what is returned ends it. */
export function asWideAs(plot: uPlot, holder: HTMLElement, height: number): () => void {
  const size = new ResizeObserver(() => {
    if (holder.clientWidth > 0 && Math.abs(holder.clientWidth - plot.width) > 1)
      plot.setSize({ width: holder.clientWidth, height })
  })
  size.observe(holder)
  return () => {
    size.disconnect()
    plot.destroy()
  }
}

export function Plot({
  data,
  height,
  stamp = '',
  label,
  testId,
  className = '',
  options,
  attributes = {},
}: {
  readonly data: uPlot.AlignedData
  readonly height: number
  /** What the options depend on, besides the theme. */
  readonly stamp?: string
  readonly label: string
  readonly testId: string
  readonly className?: string
  readonly attributes?: Readonly<Record<`data-${string}`, string | number>>
  /** Asked anew with every theme. */
  options(): Omit<uPlot.Options, 'width' | 'height'>
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  const made = useEffectEvent(options)
  useEffect(() => {
    const holder = box.current
    if (!holder) return undefined
    const plot = new uPlot(
      {
        legend: { show: false },
        cursor: { drag: { x: true, y: false } },
        ...made(),
        width: holder.clientWidth,
        height,
      },
      data,
      holder,
    )
    return asWideAs(plot, holder, height)
  }, [data, height, stamp, theme])
  return (
    <div ref={box} className={className} role="img" aria-label={label} data-testid={testId} {...attributes} />
  )
}
