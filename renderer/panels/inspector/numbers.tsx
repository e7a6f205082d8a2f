// The numbers of a tensor, all of them: what is in view is asked for, and drawn.
import { useEffect, useRef, useState, type JSX, type RefObject } from 'react'
import type { NumbersQuery, TensorNumbers } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { shortNumber } from '../../state/format.ts'
import { valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'
import { Section } from '../../ui/bits.tsx'
import { Toggle } from '../../ui/controls.tsx'
import { ProblemCard } from '../../ui/states.tsx'
import { AxisMenu } from './axis-menu.tsx'
import { useLook, type Shown } from './look.ts'

const rowHeight = 19
const headWidth = 62
/** Higher boxes are not drawn by the browser: what is scrolled then stands for more. */
const mostPixels = 6_000_000
/** Tensors with one axis are shown in rows of so many. */
const wrapped = 8

type Which = 'debug' | 'bench' | 'error' | 'relative' | 'steps'
const formats = ['short', 'decimal', 'scientific', 'bits'] as const
type Format = (typeof formats)[number]
const columnWidths: Readonly<Record<Format, number>> = { short: 78, decimal: 152, scientific: 168, bits: 132 }
const labels = {
  debug: 'side.debug',
  bench: 'side.bench',
  error: 'values.error',
  relative: 'values.rel',
  steps: 'values.ulp',
} as const

interface NumbersProps {
  readonly shown: Shown
  readonly shape: readonly number[]
  readonly sides: { readonly debug: boolean; readonly bench: boolean }
  /** Where the person is: an index per axis. */
  readonly at: readonly number[]
  onAt(index: readonly number[]): void
}

export function Numbers({ shown, shape, sides, at, onAt }: NumbersProps): JSX.Element | null {
  const say = useSay()
  const [wanted, setWanted] = useState<Which>('debug')
  const [format, setFormat] = useState<Format>('short')
  const [chosen, setAxes] = useState<readonly [number, number]>([shape.length - 2, shape.length - 1])
  if (shape.includes(0)) return null
  const choices: readonly Which[] = [
    ...(sides.debug ? (['debug'] as const) : []),
    ...(sides.bench ? (['bench'] as const) : []),
    ...(sides.debug && sides.bench ? (['error', 'relative', 'steps'] as const) : []),
  ]
  const which = choices.includes(wanted) ? wanted : (choices[0] ?? 'debug')
  const index = shape.map((size, axis) => Math.max(0, Math.min(size - 1, at[axis] ?? 0)))
  const [rowAxis, colAxis] = chosen
  const grid = gridOf(shape, index, rowAxis, colAxis)
  return (
    <Section
      title={say('values.slice')}
      aside={
        <span className="row wrap" style={{ gap: 2 }}>
          {choices.map(c => (
            <Toggle key={c} className="button quiet small" on={c === which} onChange={() => setWanted(c)}>
              {say(labels[c])}
            </Toggle>
          ))}
        </span>
      }
    >
      <Dimensions
        shape={shape}
        index={index}
        onSet={(axis, to) => onAt(index.with(axis, Math.max(0, Math.min((shape[axis] ?? 1) - 1, to))))}
      />
      <div className="row wrap slice-formats" role="group" aria-label={say('values.format')}>
        <Jump shape={shape} onAt={onAt} />
        {formats.map(one => (
          <Toggle
            key={one}
            className="button quiet small"
            on={one === format}
            onChange={() => setFormat(one)}
          >
            {say(`values.format.${one}`)}
          </Toggle>
        ))}
        {shape.length > 2 ? (
          <>
            <AxisMenu
              of="rows"
              shape={shape}
              axis={rowAxis}
              onAxis={axis => setAxes([axis, axis === colAxis ? rowAxis : colAxis])}
            />
            <AxisMenu
              of="cols"
              shape={shape}
              axis={colAxis}
              onAxis={axis => setAxes([axis === rowAxis ? colAxis : rowAxis, axis])}
            />
          </>
        ) : null}
      </div>
      <Grid
        key={`${rowAxis} ${colAxis}`}
        shown={shown}
        grid={grid}
        index={index}
        which={which}
        format={format}
      />
    </Section>
  )
}

/** What rows and columns are: axes, or for want of two of them stretches of the only one. */
interface Table {
  readonly rows: number
  readonly cols: number
  readonly wrap: number
  readonly rowAxis: number
  readonly colAxis: number
  /** Where the person is. */
  readonly row: number
  readonly col: number
}

function gridOf(shape: readonly number[], index: readonly number[], rowAxis: number, colAxis: number): Table {
  if (shape.length < 2) {
    const size = shape[0] ?? 1
    const here = index[0] ?? 0
    const place = { row: Math.floor(here / wrapped), col: here % wrapped }
    return {
      rows: Math.ceil(size / wrapped),
      cols: Math.min(wrapped, size),
      wrap: wrapped,
      rowAxis: -1,
      colAxis: -1,
      ...place,
    }
  }
  return {
    rows: shape[rowAxis] ?? 1,
    cols: shape[colAxis] ?? 1,
    wrap: 0,
    rowAxis,
    colAxis,
    row: index[rowAxis] ?? 0,
    col: index[colAxis] ?? 0,
  }
}

/** `12, 0, 7` or `[12, 0, 7]`. */
function Jump({
  shape,
  onAt,
}: {
  readonly shape: readonly number[]
  onAt(index: readonly number[]): void
}): JSX.Element | null {
  const say = useSay()
  const [text, setText] = useState('')
  if (shape.length === 0) return null
  const parts = text.replaceAll(/[[\]\s]/g, '').split(',')
  const index = parts.map(Number)
  const fits =
    parts.length === shape.length &&
    index.every(
      (n, axis) =>
        parts[axis] !== '' && Number.isInteger(n) && n >= -(shape[axis] ?? 0) && n < (shape[axis] ?? 0),
    )
  return (
    <form
      className="row"
      onSubmit={e => {
        e.preventDefault()
        if (fits) onAt(index.map((n, axis) => (n < 0 ? n + (shape[axis] ?? 0) : n)))
      }}
    >
      <input
        className="field small num jump"
        value={text}
        placeholder={`[${shape.map(() => '0').join(', ')}]`}
        aria-label={say('values.jump')}
        title={say('values.jump')}
        aria-invalid={text !== '' && !fits}
        data-testid="jump"
        onChange={e => setText(e.target.value)}
      />
    </form>
  )
}

function Dimensions({
  shape,
  index,
  onSet,
}: {
  readonly shape: readonly number[]
  readonly index: readonly number[]
  onSet(axis: number, to: number): void
}): JSX.Element {
  const say = useSay()
  return (
    <div className="row dims">
      {shape.map((size, d) => (
        <label key={d} className="row small dim">
          <span className="num">{say('values.dim', { n: d })}</span>
          <input
            type="number"
            min={0}
            max={size - 1}
            value={index[d] ?? 0}
            onChange={e => onSet(d, Number(e.target.value) || 0)}
            aria-label={say('values.dim-of', { n: d, size })}
          />
          <span className="faint num">
            {'/ '}
            {size}
          </span>
        </label>
      ))}
    </div>
  )
}

interface View {
  readonly row: number
  readonly col: number
  readonly rows: number
  readonly cols: number
}

/** Which rows and columns are in view; scrolled to where the person goes. */
function useScrolled(
  grid: Table,
  width: number,
): {
  readonly box: RefObject<HTMLDivElement | null>
  readonly view: View
  readonly inner: { width: number; height: number }
  measure(): void
} {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<View>({ row: 0, col: 0, rows: 12, cols: 4 })
  const { rows, cols, row, col } = grid
  const inner = {
    width: Math.min(mostPixels, cols * width) + headWidth,
    height: Math.min(mostPixels, rows * rowHeight) + rowHeight,
  }
  const measure = (): void => {
    const el = box.current
    if (!el) return
    const inView = (room: number, each: number, all: number): number =>
      Math.max(1, Math.min(all, Math.floor(room / each)))
    const [tall, wide] = [
      inView(el.clientHeight - rowHeight, rowHeight, rows),
      inView(el.clientWidth - headWidth, width, cols),
    ]
    const first = (scrolled: number, most: number, all: number, shown: number): number =>
      most <= 0 ? 0 : Math.round((scrolled / most) * Math.max(0, all - shown))
    const next = {
      row: first(el.scrollTop, el.scrollHeight - el.clientHeight, rows, tall),
      col: first(el.scrollLeft, el.scrollWidth - el.clientWidth, cols, wide),
      rows: tall,
      cols: wide,
    }
    setView(old =>
      old.row === next.row && old.col === next.col && old.rows === next.rows && old.cols === next.cols
        ? old
        : next,
    )
  }
  const measured = useRef(measure)
  useEffect(() => {
    measured.current = measure
  })
  useEffect(() => {
    const el = box.current
    if (!el) return undefined
    const size = new ResizeObserver(() => measured.current())
    size.observe(el)
    measured.current()
    return () => size.disconnect()
  }, [rows, cols, width])
  useEffect(() => {
    const el = box.current
    if (!el) return
    const tall = Math.max(1, Math.floor((el.clientHeight - rowHeight) / rowHeight))
    const wide = Math.max(1, Math.floor((el.clientWidth - headWidth) / width))
    const to = (place: number, all: number, shown: number, most: number): number =>
      all <= shown
        ? 0
        : (Math.max(0, Math.min(all - shown, place - Math.floor(shown / 2))) / (all - shown)) * most
    el.scrollTop = to(row, rows, tall, el.scrollHeight - el.clientHeight)
    el.scrollLeft = to(col, cols, wide, el.scrollWidth - el.clientWidth)
    measured.current()
  }, [row, col, rows, cols, width])
  return { box, view, inner, measure }
}

interface GridProps {
  readonly shown: Shown
  readonly grid: Table
  readonly index: readonly number[]
  readonly which: Which
  readonly format: Format
}

function Grid({ shown, grid, index, which, format }: GridProps): JSX.Element {
  const say = useSay()
  const { box, view, inner, measure } = useScrolled(grid, columnWidths[format])
  const { rowAxis, colAxis, wrap } = grid
  const part: NumbersQuery = {
    rowAxis,
    colAxis,
    wrap,
    at:
      wrap > 0
        ? [view.row]
        : index.map((n, axis) => (axis === rowAxis ? view.row : axis === colAxis ? view.col : n)),
    rows: view.rows,
    cols: view.cols,
  }
  const answer = useLook('tensor-numbers', shown, [JSON.stringify(part)], (at, signal) =>
    engine.tensorNumbers({ ...at, part }, signal),
  )
  const result = valueOf(answer)
  const numbers = result?.ok ? result.value : null
  // What is still on its way shows nothing: numbers of another place under these headers would lie.
  const fresh = answer.is === 'ready' ? numbers : null
  return (
    <>
      {result && !result.ok ? <ProblemCard problem={result.problem} /> : null}
      <div
        ref={box}
        className="slice-holder numbers"
        tabIndex={0}
        role="region"
        aria-label={say('values.slice')}
        data-testid="numbers"
        data-row={view.row}
        data-col={view.col}
        onScroll={measure}
      >
        <div style={{ width: inner.width, height: inner.height }}>
          <table className="slice num">
            <thead>
              <tr>
                <td style={{ width: headWidth }} />
                {Array.from({ length: view.cols }, (_, c) => (
                  <th key={c} scope="col" style={{ width: columnWidths[format] }}>
                    {wrap > 0 ? `+${view.col + c}` : view.col + c}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {Array.from({ length: Math.min(view.rows, grid.rows - view.row) }, (_, r) => (
                <tr key={r} style={{ height: rowHeight }}>
                  <th scope="row">{wrap > 0 ? (view.row + r) * wrap : view.row + r}</th>
                  {Array.from({ length: view.cols }, (_, c) => (
                    <Cell
                      key={c}
                      numbers={fresh}
                      i={r * (numbers?.cols ?? view.cols) + c}
                      which={which}
                      format={format}
                      here={view.row + r === grid.row && view.col + c === grid.col}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </>
  )
}

const written: Readonly<Record<Exclude<Format, 'bits'>, (value: number) => string>> = {
  short: shortNumber,
  decimal: String,
  scientific: value => (Number.isFinite(value) ? value.toExponential() : String(value)),
}

function numberOf({ debug, bench, ulp }: TensorNumbers, which: Which, i: number): number {
  const [mine, theirs] = [debug?.values[i] ?? NaN, bench?.values[i] ?? NaN]
  const error = mine === theirs ? 0 : Math.abs(mine - theirs)
  const shown = {
    debug: mine,
    bench: theirs,
    error,
    relative: error === 0 ? 0 : error / Math.abs(theirs),
    steps: ulp?.[i] ?? NaN,
  }
  return shown[which]
}

function Cell({
  numbers,
  i,
  which,
  format,
  here,
}: {
  readonly numbers: TensorNumbers | null
  readonly i: number
  readonly which: Which
  readonly format: Format
  readonly here: boolean
}): JSX.Element {
  if (!numbers) return <td className={here ? 'here' : ''} />
  const { debug, bench } = numbers
  const side = which === 'bench' ? bench : debug
  const isStored = which === 'debug' || which === 'bench'
  const isThere = (isStored ? side?.bits[i] : debug?.bits[i] && bench?.bits[i]) !== ''
  const differs =
    debug !== null && bench !== null && debug.bits[i] !== '' && debug.values[i] !== bench.values[i]
  const value = numberOf(numbers, which, i)
  const exact = isStored ? (side?.texts[i] ?? '') : ''
  const plain = exact === '' ? written[format === 'bits' ? 'short' : format](value) : exact
  const text = format === 'bits' && isStored ? (side?.bits[i] ?? '') : plain
  const full = (of: TensorNumbers['debug']): string => of?.texts[i] || String(of?.values[i] ?? '')
  return (
    <td
      className={`${differs ? 'differs' : ''} ${here ? 'here' : ''}`}
      title={[full(debug), full(bench)].filter(one => one !== '').join('  ')}
    >
      {isThere ? text : ''}
    </td>
  )
}
