// Error over the whole tensor as a picture: block maxima, nearest neighbour, value under the pointer.
import { useEffect, useRef, useState, type JSX, type PointerEvent } from 'react'
import { shortNumber } from '../../state/format.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'

type Colour = readonly [number, number, number]

/** The ramp of the theme as numbers. */
function ramp(): readonly Colour[] {
  const style = getComputedStyle(document.documentElement)
  return [0, 1, 2, 3, 4, 5].map(i => {
    const hex = style.getPropertyValue(`--s${i}`).trim().slice(1)
    return [0, 2, 4].map(at => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Colour
  })
}

export function HeatMap({ rows, cols, values, shape }: { readonly rows: number; readonly cols: number; readonly values: Float64Array; readonly shape: readonly number[] }): JSX.Element {
  const say = useSay()
  const theme = useWorkbench(s => `${s.dark}${s.settings?.safeColours}`)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [under, setUnder] = useState<{ readonly row: number; readonly col: number } | null>(null)
  const most = values.reduce((m, v) => (Number.isFinite(v) && v > m ? v : m), 0)

  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context) return
    const colours = ramp()
    const image = context.createImageData(cols, rows)
    values.forEach((value, i) => {
      const part = Number.isNaN(value) ? 1 : most === 0 ? 0 : Math.sqrt(Math.min(1, value / most))
      const at = part * (colours.length - 1)
      const [a, b] = [colours[Math.floor(at)] ?? [0, 0, 0], colours[Math.min(colours.length - 1, Math.floor(at) + 1)] ?? [0, 0, 0]]
      for (let c = 0; c < 3; c++) image.data[i * 4 + c] = (a[c] ?? 0) + ((b[c] ?? 0) - (a[c] ?? 0)) * (at % 1)
      image.data[i * 4 + 3] = 255
    })
    context.putImageData(image, 0, 0)
  }, [values, rows, cols, most, theme])

  const point = (e: PointerEvent<HTMLCanvasElement>): void => {
    const box = e.currentTarget.getBoundingClientRect()
    setUnder({ row: Math.min(rows - 1, Math.floor(((e.clientY - box.top) / box.height) * rows)), col: Math.min(cols - 1, Math.floor(((e.clientX - box.left) / box.width) * cols)) })
  }
  const height = shape.at(-2) ?? 1
  const width = shape.at(-1) ?? 1
  const whole = shape.reduce((n, d) => n * d, 1)
  const tall = whole / width
  const span = (at: number, of: number, all: number): string => { const from = Math.floor((at * all) / of); const to = Math.max(from, Math.ceil(((at + 1) * all) / of) - 1); return from === to ? String(from) : `${from}–${to}` }
  return (
    <figure className="heat">
      <canvas ref={canvas} width={cols} height={rows} role="img" aria-label={say('values.heat-is', { max: shortNumber(most) })} onPointerMove={point} onPointerLeave={() => setUnder(null)} />
      <figcaption className="row small faint num">
        {under ? <span>{say('values.heat-at', { row: span(under.row, rows, tall), col: span(under.col, cols, width), value: shortNumber(values[under.row * cols + under.col] ?? NaN) })}</span> : <span>{say('values.heat-size', { rows: tall, cols: width, height })}</span>}
        <span className="grow" /><span className="heat-scale" aria-hidden="true" /><span>{say('values.heat-max', { max: shortNumber(most) })}</span>
      </figcaption>
    </figure>
  )
}
