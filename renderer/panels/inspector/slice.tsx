// Part of a tensor as numbers: leading dimensions are chosen, the last two are rows and columns.
import { useState, type JSX } from 'react'
import type { TensorSideView, TensorView } from '../../../preload/contract/engine.ts'
import { shortNumber } from '../../state/format.ts'
import { useSay } from '../../state/words.ts'
import { Section } from '../../ui/bits.tsx'
import { Toggle } from '../../ui/controls.tsx'

/** How much of the last two dimensions is shown at once. */
export const sliceRows = 16
export const sliceColumns = 8

/** Where a slice begins that shows this element. */
export const sliceAround = (index: readonly number[]): readonly number[] =>
  index.map((n, i) => {
    const step = stepOf(i, index.length)
    return Math.floor(n / step) * step
  })

const stepOf = (dimension: number, of: number): number => {
  if (dimension === of - 2) return sliceRows
  return dimension === of - 1 ? sliceColumns : 1
}

type Which = 'debug' | 'bench' | 'error' | 'relative' | 'steps'
const formats = ['short', 'decimal', 'scientific', 'bits'] as const
type Format = (typeof formats)[number]
/** What numbers are written in, per kind of difference between the sides. */
const labels = {
  debug: 'side.debug',
  bench: 'side.bench',
  error: 'values.error',
  relative: 'values.rel',
  steps: 'values.ulp',
} as const

interface Sliced {
  readonly view: TensorView
  readonly which: Which
  readonly format: Format
  /** Indices of the first row and column. */
  readonly row0: number
  readonly col0: number
}

export function Slice({
  view,
  at,
  onAt,
}: {
  readonly view: TensorView
  readonly at: readonly number[]
  onAt(at: readonly number[]): void
}): JSX.Element | null {
  const say = useSay()
  const [wanted, setWanted] = useState<Which>('debug')
  const [format, setFormat] = useState<Format>('short')
  const { debug, bench } = view
  const shape = (debug ?? bench)?.shape
  if (!shape || view.sliceRows * view.sliceCols === 0) return null
  const index = shape.map((_, i) => at[i] ?? 0)
  const choices: readonly Which[] = [
    ...(debug ? ['debug' as const] : []),
    ...(bench ? ['bench' as const] : []),
    ...(debug && bench ? (['error', 'relative', 'steps'] as const) : []),
  ]
  const which = choices.includes(wanted) ? wanted : (choices[0] ?? 'debug')
  const set = (dimension: number, to: number): void =>
    onAt(index.with(dimension, Math.max(0, Math.min((shape[dimension] ?? 1) - 1, to))))
  return (
    <Section
      title={say('values.slice')}
      aside={
        <span className="row" style={{ gap: 2 }}>
          {choices.map(c => (
            <Toggle key={c} className="button quiet small" on={c === which} onChange={() => setWanted(c)}>
              {say(labels[c])}
            </Toggle>
          ))}
        </span>
      }
    >
      <Dimensions shape={shape} index={index} onSet={set} />
      <div className="row slice-formats" role="group" aria-label={say('values.format')}>
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
      </div>
      <Numbers view={view} which={which} format={format} row0={index.at(-2) ?? 0} col0={index.at(-1) ?? 0} />
    </Section>
  )
}

function Dimensions({
  shape,
  index,
  onSet,
}: {
  readonly shape: readonly number[]
  readonly index: readonly number[]
  onSet(dimension: number, to: number): void
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
            step={stepOf(d, shape.length)}
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

function Numbers(sliced: Sliced): JSX.Element {
  const { view, row0, col0 } = sliced
  const say = useSay()
  return (
    <div className="slice-holder" tabIndex={0} role="region" aria-label={say('values.slice')}>
      <table className="slice num">
        <thead>
          <tr>
            <td />
            {Array.from({ length: view.sliceCols }, (_, c) => (
              <th key={c} scope="col">
                {col0 + c}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: view.sliceRows }, (_, r) => (
            <tr key={r}>
              <th scope="row">{row0 + r}</th>
              {Array.from({ length: view.sliceCols }, (_, c) => (
                <Element key={c} {...sliced} i={r * view.sliceCols + c} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const at = (side: TensorSideView | null, i: number): number => side?.slice[i] ?? NaN

function numberOf({ debug, bench, ulp }: TensorView, which: Which, i: number): number {
  const [mine, theirs] = [at(debug, i), at(bench, i)]
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

const written: Readonly<Record<Exclude<Format, 'bits'>, (value: number) => string>> = {
  short: shortNumber,
  decimal: String,
  scientific: value => (Number.isFinite(value) ? value.toExponential() : String(value)),
}

function Element({ view, which, format, i }: Sliced & { readonly i: number }): JSX.Element {
  const { debug, bench } = view
  const value = numberOf(view, which, i)
  const differs = debug !== null && bench !== null && debug.slice[i] !== bench.slice[i]
  // A difference from what is no number says nothing; that the number itself is none does.
  const isWritten = !Number.isNaN(value) || (debug !== null && Number.isNaN(debug.slice[i] ?? 0))
  const bits = which === 'bench' ? bench?.bits[i] : debug?.bits[i]
  const isStored = which === 'debug' || which === 'bench'
  const text =
    format === 'bits' && isStored ? (bits ?? '') : written[format === 'bits' ? 'short' : format](value)
  return (
    <td
      className={differs ? 'differs' : ''}
      title={`${String(debug?.slice[i] ?? '')}  ${String(bench?.slice[i] ?? '')}`}
    >
      {isWritten ? text : ''}
    </td>
  )
}
