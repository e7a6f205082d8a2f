// The picture of values over steps, ranks and targets: a cell per value, lanes for NaN and infinities, marks.
import { useEffect, useRef, useState, type JSX, type PointerEvent } from 'react'
import { CellKind, type SeriesMap, type SeriesWindow } from '../../../preload/contract/engine.ts'
import { shortNumber } from '../../state/format.ts'
import { useSay } from '../../state/words.ts'
import { Button } from '../../ui/controls.tsx'
import { fitted, withoutShared } from '../../ui/fit-text.ts'
import { ramp, sharpened, token, useTheme } from '../../ui/paint.ts'

/** A cell of the picture by its column and row. */
export interface CellAt {
  readonly column: number
  readonly row: number
}

export interface Scale {
  readonly log: boolean
  /** Low values are the ones to look at. */
  readonly lowIsBad: boolean
  /** Rows have units of their own: each is coloured by its own range. */
  readonly byRow: boolean
}

const axis = { left: 190, bottom: 18, right: 10 }
/** Of a narrow picture names take a third. */
const leftShare = 0.34
const leftOf = (width: number): number => Math.min(axis.left, Math.round(width * leftShare))
/** As every tool spells them. */
const [notANumber, infinity] = ['NaN', 'Inf']
/** Half the height of a name, that the first one is not cut. */
const halfText = 6
const rowPx = 16
const mostRowsPx = 460

/** The theme's ramp, and a colour of its own for what is no number. */
const colours = (): { readonly ramp: readonly string[]; readonly kinds: readonly string[] } => ({
  ramp: ramp(),
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

/** The lowest and the highest of each row. */
function rangesOf({ values, kinds, columns, rows }: SeriesMap): readonly Pick<SeriesMap, 'low' | 'high'>[] {
  const across = columns.length - 1
  return Array.from(rows.subarray(1), (_, row) => {
    let [low, high] = [Infinity, -Infinity]
    for (let i = row * across; i < (row + 1) * across; i++) {
      if (kinds[i] !== CellKind.number) continue
      low = Math.min(low, values[i] ?? low)
      high = Math.max(high, values[i] ?? high)
    }
    return { low, high }
  })
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
  const context = sharpened(canvas)
  if (!context) return
  const [width, height] = [canvas.clientWidth, canvas.clientHeight]
  const { ramp, kinds } = colours()
  const size = sizeOf(map, width, height)
  const left = leftOf(width)
  const across = map.columns.length - 1
  const ranges = scale.byRow ? rangesOf(map) : []
  for (let i = 0; i < map.values.length; i++) {
    const kind = map.kinds[i] ?? CellKind.none
    const part = partOf(map.values[i] ?? 0, ranges[Math.floor(i / across)] ?? map, scale)
    context.fillStyle =
      kind === CellKind.number
        ? (ramp[Math.min(5, Math.floor(Math.max(0, part) * 5.999))] ?? '')
        : (kinds[kind] ?? '')
    const x = left + (i % across) * size.x
    const y = Math.floor(i / across) * size.y
    context.fillRect(x, y, size.x > 3 ? size.x - 1 : size.x + 0.5, size.y > 3 ? size.y - 1 : size.y + 0.5)
  }
  const frame = (cells: readonly CellAt[], colour: string, line: number): void => {
    context.strokeStyle = colour
    context.lineWidth = line
    for (const { column, row } of cells)
      context.strokeRect(
        left + column * size.x + 0.5,
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
  x: (width - leftOf(width) - axis.right) / Math.max(1, map.columns.length - 1),
  y: (height - axis.bottom) / Math.max(1, map.rows.length - 1),
})

interface Room {
  readonly width: number
  readonly height: number
  readonly size: { readonly x: number; readonly y: number }
}

function drawTexts(context: CanvasRenderingContext2D, map: SeriesMap, { width, height, size }: Room): void {
  const left = leftOf(width)
  context.font = `11px ${token('--sans')}`
  context.fillStyle = token('--dim')
  context.textBaseline = 'middle'
  context.textAlign = 'right'
  const names = withoutShared(map.y)
  const widthOf = (text: string): number => context.measureText(text).width
  let next = halfText
  for (const [row, name] of names.entries()) {
    const y = Math.max(halfText, (row + 0.5) * size.y)
    if (y < next) continue
    context.fillText(fitted(name, widthOf, left - 12), left - 6, y)
    next = y + 2 * halfText
  }
  context.textAlign = 'center'
  const everyColumn = Math.max(1, Math.ceil(34 / size.x))
  for (let column = 0; column + 1 < map.columns.length; column += everyColumn) {
    const text = String(map.x[column] ?? '')
    context.fillText(text, left + (column + 0.5) * size.x, height - axis.bottom / 2)
  }
}

interface MapProps extends Drawn {
  readonly label: string
  readonly zoomed: boolean
  /** What a click does. */
  readonly hint: string
  onChoose(cell: CellAt): void
  /** Null: all of it again. */
  onZoom(window: SeriesWindow | null): void
}

/** The places that two cells lie at the corners of. */
function windowOf(map: SeriesMap, a: CellAt, b: CellAt): SeriesWindow {
  const span = (edges: Int32Array, from: number, to: number): readonly [number, number] => [
    edges[Math.min(from, to)] ?? 0,
    edges[Math.max(from, to) + 1] ?? 1,
  ]
  return { x: span(map.columns, a.column, b.column), y: span(map.rows, a.row, b.row) }
}

export function MapPicture(props: MapProps): JSX.Element {
  const { map, scale, marks, chosen, label, zoomed, hint, onChoose, onZoom } = props
  const say = useSay()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [under, setUnder] = useState<CellAt | null>(null)
  const [from, setFrom] = useState<CellAt | null>(null)
  const theme = useTheme()
  const { log, lowIsBad, byRow } = scale
  useEffect(() => {
    const { current } = canvas
    if (!current) return undefined
    const again = (): void => draw(current, { map, scale: { log, lowIsBad, byRow }, marks, chosen })
    again()
    const size = new ResizeObserver(again)
    size.observe(current)
    return () => size.disconnect()
  }, [map, log, lowIsBad, byRow, marks, chosen, theme])
  const cellUnder = (e: PointerEvent<HTMLCanvasElement>): CellAt | null => {
    const box = e.currentTarget.getBoundingClientRect()
    const size = sizeOf(map, box.width, box.height)
    const cell = {
      column: Math.floor((e.clientX - box.left - leftOf(box.width)) / size.x),
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
        onPointerDown={e => {
          if (e.button !== 0) return
          e.currentTarget.setPointerCapture(e.pointerId)
          setFrom(cellUnder(e))
        }}
        onPointerMove={e => setUnder(cellUnder(e))}
        onPointerLeave={() => setUnder(null)}
        onPointerCancel={() => setFrom(null)}
        onPointerUp={e => {
          const cell = cellUnder(e)
          setFrom(null)
          if (!cell || !from) return
          if (cell.column === from.column && cell.row === from.row) onChoose(cell)
          else onZoom(windowOf(map, from, cell))
        }}
        onDoubleClick={() => onZoom(null)}
      />
      {from && under && (from.column !== under.column || from.row !== under.row) ? (
        <Band map={map} from={from} to={under} height={height} />
      ) : null}
      <figcaption className="row small dim" data-testid="series-under">
        {under ? <Under map={map} cell={under} /> : <span>{hint}</span>}
        <span className="grow" />
        {zoomed ? (
          <Button small look="quiet" icon="fit" testId="series-unzoom" onPress={() => onZoom(null)}>
            {say('series.zoom.none')}
          </Button>
        ) : null}
        <span>{byRow ? say('series.map.low') : shortNumber(lowIsBad ? map.high : map.low)}</span>
        <span className="heat-scale" aria-hidden="true" />
        <span>{byRow ? say('series.map.high') : shortNumber(lowIsBad ? map.low : map.high)}</span>
        <span className="series-key nan" aria-hidden="true" />
        <span>{notANumber}</span>
        <span className="series-key inf" aria-hidden="true" />
        <span>{infinity}</span>
      </figcaption>
    </figure>
  )
}

/** What is about to be seen larger. */
function Band({
  map,
  from,
  to,
  height,
}: {
  readonly map: SeriesMap
  readonly from: CellAt
  readonly to: CellAt
  /** Of the canvas. */
  readonly height: number
}): JSX.Element {
  const columns = Math.max(1, map.columns.length - 1)
  const row = (height - axis.bottom) / Math.max(1, map.rows.length - 1)
  const begin = `min(${axis.left}px, ${leftShare * 100}%)`
  const across = (cells: number): string => `(100% - ${begin} - ${axis.right}px) * ${cells / columns}`
  const style = {
    left: `calc(${begin} + ${across(Math.min(from.column, to.column))})`,
    top: Math.min(from.row, to.row) * row,
    width: `calc(${across(Math.abs(from.column - to.column) + 1)})`,
    height: (Math.abs(from.row - to.row) + 1) * row,
  }
  return <div className="series-band" style={style} aria-hidden="true" />
}

/** What stands under the pointer. */
function Under({ map, cell }: { readonly map: SeriesMap; readonly cell: CellAt }): JSX.Element {
  const say = useSay()
  const at = cell.row * (map.columns.length - 1) + cell.column
  const kind = map.kinds[at] ?? CellKind.none
  const [from, to] = [map.x[cell.column] ?? 0, map.ends[cell.column] ?? 0]
  const place = from === to ? String(from) : `${from}–${to}`
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
