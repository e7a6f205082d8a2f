// The picture of values over steps, ranks and targets: a cell per value, lanes for NaN and infinities, marks.
import { useEffect, useRef, useState, type JSX, type PointerEvent } from 'react'
import { CellKind, type SeriesMap } from '../../../preload/contract/engine.ts'
import { shortNumber } from '../../state/format.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'

/** A cell of the picture by its column and row. */
export interface CellAt {
  readonly column: number
  readonly row: number
}

export interface Scale {
  readonly log: boolean
  /** Low values are the ones to look at. */
  readonly lowIsBad: boolean
}

const axis = { left: 190, bottom: 18, right: 10 }
/** As every tool spells them. */
const [notANumber, infinity] = ['NaN', 'Inf']
const rowPx = 16
const mostRowsPx = 460

const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** The theme's ramp, and a colour of its own for what is no number. */
const colours = (): { readonly ramp: readonly string[]; readonly kinds: readonly string[] } => ({
  ramp: [0, 1, 2, 3, 4, 5].map(i => token(`--s${i}`)),
  kinds: [token('--sunken'), '', token('--series-nan'), token('--series-inf'), token('--series-inf')],
})

/** Where a value stands between the lowest and the highest, in [0, 1]. */
export function partOf(value: number, { low, high }: Pick<SeriesMap, 'low' | 'high'>, scale: Scale): number {
  if (!(high > low)) return 0
  const place = scale.log
    ? (logOf(value) - logOf(low)) / (logOf(high) - logOf(low))
    : (value - low) / (high - low)
  return scale.lowIsBad ? 1 - place : place
}

/** Logarithm that keeps the sign and lets zero be. */
const logOf = (value: number): number => Math.sign(value) * Math.log10(1 + Math.abs(value) * 1e6)

interface Drawn {
  readonly map: SeriesMap
  readonly scale: Scale
  readonly marks: readonly CellAt[]
  readonly chosen: readonly CellAt[]
}

function draw(canvas: HTMLCanvasElement, { map, scale, marks, chosen }: Drawn): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const ratio = devicePixelRatio
  const [width, height] = [canvas.clientWidth, canvas.clientHeight]
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  context.scale(ratio, ratio)
  const { ramp, kinds } = colours()
  const size = sizeOf(map, width, height)
  const across = map.columns.length - 1
  for (let i = 0; i < map.values.length; i++) {
    const kind = map.kinds[i] ?? CellKind.none
    const part = partOf(map.values[i] ?? 0, map, scale)
    context.fillStyle =
      kind === CellKind.number
        ? (ramp[Math.min(5, Math.floor(Math.max(0, part) * 5.999))] ?? '')
        : (kinds[kind] ?? '')
    const x = axis.left + (i % across) * size.x
    const y = Math.floor(i / across) * size.y
    context.fillRect(x, y, size.x > 3 ? size.x - 1 : size.x + 0.5, size.y > 3 ? size.y - 1 : size.y + 0.5)
  }
  const frame = (cells: readonly CellAt[], colour: string, line: number): void => {
    context.strokeStyle = colour
    context.lineWidth = line
    for (const { column, row } of cells)
      context.strokeRect(
        axis.left + column * size.x + 0.5,
        row * size.y + 0.5,
        Math.max(3, size.x - 2),
        Math.max(3, size.y - 2),
      )
  }
  frame(marks, token('--bad'), 2)
  frame(chosen, token('--accent'), 2)
  drawTexts(context, map, { width, height, size })
}

const sizeOf = (
  map: SeriesMap,
  width: number,
  height: number,
): { readonly x: number; readonly y: number } => ({
  x: (width - axis.left - axis.right) / Math.max(1, map.columns.length - 1),
  y: (height - axis.bottom) / Math.max(1, map.rows.length - 1),
})

interface Room {
  readonly width: number
  readonly height: number
  readonly size: { readonly x: number; readonly y: number }
}

function drawTexts(context: CanvasRenderingContext2D, map: SeriesMap, { height, size }: Room): void {
  context.font = `11px ${token('--sans')}`
  context.fillStyle = token('--dim')
  context.textBaseline = 'middle'
  context.textAlign = 'right'
  const everyRow = Math.max(1, Math.ceil(12 / size.y))
  for (let row = 0; row < map.y.length; row += everyRow)
    context.fillText(endOf(map.y[row] ?? '', context), axis.left - 6, (row + 0.5) * size.y)
  context.textAlign = 'center'
  const everyColumn = Math.max(1, Math.ceil(34 / size.x))
  for (let column = 0; column + 1 < map.columns.length; column += everyColumn) {
    const text = String(map.x[map.columns[column] ?? 0] ?? '')
    context.fillText(text, axis.left + (column + 0.5) * size.x, height - axis.bottom / 2)
  }
}

/** The end of a name says more than its beginning. */
function endOf(name: string, context: CanvasRenderingContext2D): string {
  let text = name
  while (text.length > 4 && context.measureText(text).width > axis.left - 12) text = `…${text.slice(2)}`
  return text
}

export function MapPicture({
  map,
  scale,
  marks,
  chosen,
  label,
  onChoose,
}: Drawn & { readonly label: string; onChoose(cell: CellAt): void }): JSX.Element {
  const say = useSay()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [under, setUnder] = useState<CellAt | null>(null)
  const theme = useWorkbench(s => `${s.dark}${s.settings?.safeColours}${s.settings?.density}`)
  const { log, lowIsBad } = scale
  useEffect(() => {
    const { current } = canvas
    if (!current) return undefined
    const again = (): void => draw(current, { map, scale: { log, lowIsBad }, marks, chosen })
    again()
    const size = new ResizeObserver(again)
    size.observe(current)
    return () => size.disconnect()
  }, [map, log, lowIsBad, marks, chosen, theme])
  const cellUnder = (e: PointerEvent<HTMLCanvasElement>): CellAt | null => {
    const box = e.currentTarget.getBoundingClientRect()
    const size = sizeOf(map, box.width, box.height)
    const cell = {
      column: Math.floor((e.clientX - box.left - axis.left) / size.x),
      row: Math.floor((e.clientY - box.top) / size.y),
    }
    const inside =
      cell.column >= 0 && cell.column < map.columns.length - 1 && cell.row >= 0 && cell.row < map.y.length
    return inside ? cell : null
  }
  const height = Math.min(mostRowsPx, Math.max(3, map.y.length) * rowPx) + axis.bottom
  return (
    <figure className="series-map">
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        data-testid="series-map"
        data-columns={map.columns.length - 1}
        data-rows={map.y.length}
        style={{ height }}
        onPointerMove={e => setUnder(cellUnder(e))}
        onPointerLeave={() => setUnder(null)}
        onPointerUp={e => {
          const cell = cellUnder(e)
          if (cell) onChoose(cell)
        }}
      />
      <figcaption className="row small dim" data-testid="series-under">
        {under ? <Under map={map} cell={under} /> : <span>{say('series.map.hint')}</span>}
        <span className="grow" />
        <span>{shortNumber(lowIsBad ? map.high : map.low)}</span>
        <span className="heat-scale" aria-hidden="true" />
        <span>{shortNumber(lowIsBad ? map.low : map.high)}</span>
        <span className="series-key nan" aria-hidden="true" />
        <span>{notANumber}</span>
        <span className="series-key inf" aria-hidden="true" />
        <span>{infinity}</span>
      </figcaption>
    </figure>
  )
}

/** What stands under the pointer. */
function Under({ map, cell }: { readonly map: SeriesMap; readonly cell: CellAt }): JSX.Element {
  const say = useSay()
  const at = cell.row * (map.columns.length - 1) + cell.column
  const kind = map.kinds[at] ?? CellKind.none
  const from = map.columns[cell.column] ?? 0
  const to = (map.columns[cell.column + 1] ?? from + 1) - 1
  const place = from === to ? String(map.x[from]) : `${map.x[from]}–${map.x[to]}`
  const texts: Readonly<Record<number, string>> = {
    [CellKind.none]: say('series.map.none'),
    [CellKind.nan]: notANumber,
    [CellKind.inf]: infinity,
    [CellKind.minusInf]: `−${infinity}`,
  }
  return (
    <span>
      {`${map.y[cell.row] ?? ''} · ${say(`series.at.${map.across}`, { n: place })} · `}
      <strong>{texts[kind] ?? shortNumber(map.values[at] ?? NaN)}</strong>
    </span>
  )
}
