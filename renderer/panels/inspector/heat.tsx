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

/** Where a value stands in the ramp; what is no number stands at its end. */
function partOf(value: number, most: number): number {
  if (Number.isNaN(value)) return 1
  return most === 0 ? 0 : Math.sqrt(Math.min(1, value / most))
}

interface Heat {
  readonly rows: number
  readonly cols: number
  /** The worst of each block, row by row. */
  readonly values: Float64Array
}

/** One pixel for each block; a value between two colours of the ramp is mixed of both. */
function paint(context: CanvasRenderingContext2D, { rows, cols, values }: Heat, most: number): void {
  const colours = ramp()
  const image = context.createImageData(cols, rows)
  values.forEach((value, i) => {
    const at = partOf(value, most) * (colours.length - 1)
    const a = colours[Math.floor(at)] ?? [0, 0, 0]
    const b = colours[Math.min(colours.length - 1, Math.floor(at) + 1)] ?? [0, 0, 0]
    for (let c = 0; c < 3; c++) image.data[i * 4 + c] = (a[c] ?? 0) + ((b[c] ?? 0) - (a[c] ?? 0)) * (at % 1)
    image.data[i * 4 + 3] = 255
  })
  context.putImageData(image, 0, 0)
}

/** The rows or columns of the tensor that one block of the picture stands for. */
function span(at: number, blocks: number, whole: number): string {
  const from = Math.floor((at * whole) / blocks)
  const to = Math.max(from, Math.ceil(((at + 1) * whole) / blocks) - 1)
  return from === to ? String(from) : `${from}–${to}`
}

interface Block {
  readonly row: number
  readonly col: number
}

export function HeatMap({
  rows,
  cols,
  values,
  shape,
}: Heat & { readonly shape: readonly number[] }): JSX.Element {
  const say = useSay()
  const theme = useWorkbench(s => `${s.dark}${s.settings?.safeColours}`)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [under, setUnder] = useState<Block | null>(null)
  const most = values.reduce((m, v) => (Number.isFinite(v) && v > m ? v : m), 0)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context) paint(context, { rows, cols, values }, most)
  }, [values, rows, cols, most, theme])
  const point = (e: PointerEvent<HTMLCanvasElement>): void => {
    const box = e.currentTarget.getBoundingClientRect()
    setUnder({
      row: Math.min(rows - 1, Math.floor(((e.clientY - box.top) / box.height) * rows)),
      col: Math.min(cols - 1, Math.floor(((e.clientX - box.left) / box.width) * cols)),
    })
  }
  return (
    <figure className="heat">
      <canvas
        ref={canvas}
        width={cols}
        height={rows}
        role="img"
        aria-label={say('values.heat-is', { max: shortNumber(most) })}
        onPointerMove={point}
        onPointerLeave={() => setUnder(null)}
      />
      <figcaption className="row small faint num">
        <Pointed heat={{ rows, cols, values }} shape={shape} under={under} />
        <span className="grow" />
        <span className="heat-scale" aria-hidden="true" />
        <span>{say('values.heat-max', { max: shortNumber(most) })}</span>
      </figcaption>
    </figure>
  )
}

/** The value under the pointer and where it stands in the tensor; without a pointer the tensor's size. */
function Pointed({
  heat: { rows, cols, values },
  shape,
  under,
}: {
  readonly heat: Heat
  readonly shape: readonly number[]
  readonly under: Block | null
}): JSX.Element {
  const say = useSay()
  const width = shape.at(-1) ?? 1
  const tall = shape.reduce((n, d) => n * d, 1) / width
  if (!under) return <span>{say('values.heat-size', { rows: tall, cols: width })}</span>
  return (
    <span>
      {say('values.heat-at', {
        row: span(under.row, rows, tall),
        col: span(under.col, cols, width),
        value: shortNumber(values[under.row * cols + under.col] ?? NaN),
      })}
    </span>
  )
}
