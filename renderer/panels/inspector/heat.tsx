// Two axes of a tensor or of its error as a picture: drag to see a part larger, click for the numbers there.
import { useEffect, useRef, useState, type JSX, type PointerEvent } from 'react'
import type { HeatMeasure, HeatRest, TensorHeat } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { shortNumber } from '../../state/format.ts'
import { valueOf } from '../../state/query.ts'
import { problemKey } from '../../state/sessions.ts'
import { useSay } from '../../state/words.ts'
import { Section } from '../../ui/bits.tsx'
import { Button, Toggle } from '../../ui/controls.tsx'
import { Picture } from '../../ui/picture.tsx'
import { token, useTheme } from '../../ui/paint.ts'
import { ProblemCard } from '../../ui/states.tsx'
import { imageSvg } from '../../ui/svg.ts'
import { AxisMenu } from './axis-menu.tsx'
import { useExact, type Shown } from './look.ts'
import { Sampled } from './sampled.tsx'

type Colour = readonly [number, number, number]

const colourOf = (name: string): Colour => {
  const hex = token(name).slice(1)
  return [0, 2, 4].map(at => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Colour
}

/** The ramp of the theme as numbers; below zero the colour of the debug side takes its place. */
const ramps = (): {
  readonly up: readonly Colour[]
  readonly down: readonly Colour[]
  readonly none: Colour
} => ({
  up: [0, 1, 2, 3, 4, 5].map(i => colourOf(`--s${i}`)),
  down: [colourOf('--s0'), colourOf('--accent')],
  none: colourOf('--line-strong'),
})

/** Where a size stands in the ramp: small ones are told apart too. */
const partOf = (value: number, most: number): number => {
  if (!Number.isFinite(value)) return 1
  return most === 0 ? 0 : Math.sqrt(Math.min(1, Math.abs(value) / most))
}

type Values = Pick<TensorHeat, 'height' | 'width' | 'values'>

/** One pixel for each block; a value between two colours of the ramp is mixed of both. */
export function paint(canvas: HTMLCanvasElement, { height, width, values }: Values, most: number): void {
  canvas.width = Math.max(1, width)
  canvas.height = Math.max(1, height)
  const context = canvas.getContext('2d')
  if (!context || width * height === 0) return
  const { up, down, none } = ramps()
  const image = context.createImageData(width, height)
  values.forEach((value, i) => {
    const ramp = value < 0 ? down : up
    const at = partOf(value, most) * (ramp.length - 1)
    const a = Number.isNaN(value) ? none : (ramp[Math.floor(at)] ?? none)
    const b = Number.isNaN(value) ? none : (ramp[Math.min(ramp.length - 1, Math.floor(at) + 1)] ?? none)
    for (let c = 0; c < 3; c++) image.data[i * 4 + c] = (a[c] ?? 0) + ((b[c] ?? 0) - (a[c] ?? 0)) * (at % 1)
    image.data[i * 4 + 3] = 255
  })
  context.putImageData(image, 0, 0)
}

export const mostOf = (values: Float64Array): number =>
  values.reduce((m, v) => (Number.isFinite(v) && Math.abs(v) > m ? Math.abs(v) : m), 0)

type Window = readonly [from: number, to: number]

/** The indices that one block of the picture stands for. */
function span(at: number, blocks: number, [from, to]: Window): Window {
  const whole = to - from
  const first = from + Math.floor((at * whole) / blocks)
  return [first, Math.max(first + 1, from + Math.ceil(((at + 1) * whole) / blocks))]
}
const spanText = ([from, to]: Window): string => (to - from === 1 ? String(from) : `${from}–${to - 1}`)

const measures = { single: ['debug'], pair: ['abs', 'rel', 'ulp', 'debug', 'bench'] } as const
const words = {
  debug: 'side.debug',
  bench: 'side.bench',
  abs: 'values.error',
  rel: 'values.rel',
  ulp: 'values.ulp',
} as const
const rests = ['slice', 'max', 'mean'] as const

interface HeatProps {
  readonly shown: Shown
  readonly shape: readonly number[]
  readonly sides: { readonly debug: boolean; readonly bench: boolean }
  /** Both sides have one shape. */
  readonly isPair: boolean
  /** The axis that is worth seeing, if one is. */
  readonly telling: number | null
  readonly at: readonly number[]
  onAt(index: readonly number[]): void
}

/** The last axis across, and downwards the one that tells most, else the one before it. */
function usualAxes(shape: readonly number[], telling: number | null): readonly [row: number, col: number] {
  const last = shape.length - 1
  if (shape.length < 2) return [-1, last]
  return [telling !== null && telling < last ? telling : last - 1, last]
}

export function Heat({ shown, shape, sides, isPair, telling, at, onAt }: HeatProps): JSX.Element | null {
  const say = useSay()
  const [wanted, setMeasure] = useState<HeatMeasure | null>(null)
  const [rest, setRest] = useState<HeatRest>(isPair ? 'max' : 'slice')
  const [axes, setAxes] = useState(usualAxes(shape, telling))
  const [zoom, setZoom] = useState<{ readonly rows: Window; readonly cols: Window } | null>(null)
  const choices: readonly HeatMeasure[] = isPair
    ? measures.pair
    : [...(sides.debug ? (['debug'] as const) : []), ...(sides.bench ? (['bench'] as const) : [])]
  const measure = wanted !== null && choices.includes(wanted) ? wanted : (choices[0] ?? 'debug')
  const [rowAxis, colAxis] = axes
  const lengthOf = (axis: number): number => (axis < 0 ? 1 : (shape[axis] ?? 1))
  const window = zoom ?? { rows: [0, lengthOf(rowAxis)] as const, cols: [0, lengthOf(colAxis)] as const }
  const others = shape.flatMap((length, axis) =>
    axis === rowAxis || axis === colAxis || length === 1 ? [] : [axis],
  )
  // Only those that decide what is seen.
  const fixed = shape.map((_, axis) => (rest === 'slice' && others.includes(axis) ? (at[axis] ?? 0) : 0))
  const look = {
    measure,
    rest: others.length === 0 && rest === 'slice' ? ('slice' as const) : rest,
    rowAxis,
    colAxis,
    at: fixed,
    ...window,
  }
  const answer = useExact('tensor-heat', shown, [JSON.stringify(look)], (q, signal) =>
    engine.tensorHeat({ ...q, look }, signal),
  )
  const result = valueOf(answer)
  if (shape.length === 0 || shape.includes(0)) return null
  const choose = (row: number, col: number): void => {
    setZoom(null)
    setAxes([row, col])
  }
  const title = say(measure === 'debug' || measure === 'bench' ? 'values.heat-values' : 'values.heat')
  return (
    <Section
      title={title}
      aside={
        <span className="row wrap" style={{ gap: 2 }}>
          <Sampled sampled={result?.ok ? result.value.sampled : null} exact={shown.exact} />
          {choices.map(m => (
            <Toggle key={m} className="button quiet small" on={m === measure} onChange={() => setMeasure(m)}>
              {say(words[m])}
            </Toggle>
          ))}
        </span>
      }
    >
      {shape.length > 1 ? (
        <div className="row wrap small dim heat-axes">
          <AxisMenu
            of="rows"
            shape={shape}
            axis={rowAxis}
            onAxis={axis => choose(axis, axis === colAxis ? rowAxis : colAxis)}
          />
          <AxisMenu
            of="cols"
            shape={shape}
            axis={colAxis}
            onAxis={axis => choose(axis === rowAxis ? colAxis : rowAxis, axis)}
          />
          {others.length > 0 ? (
            <span className="row" role="group" aria-label={say('values.rest')} style={{ gap: 2 }}>
              <span>{say('values.rest')}</span>
              {rests.map(one => (
                <Toggle
                  key={one}
                  className="button quiet small"
                  on={one === rest}
                  onChange={() => setRest(one)}
                >
                  {one === 'slice'
                    ? say('values.rest.slice', { index: others.map(axis => at[axis] ?? 0).join(', ') })
                    : say(`values.rest.${one}`)}
                </Toggle>
              ))}
            </span>
          ) : null}
        </div>
      ) : null}
      {result && !result.ok ? (
        <ProblemCard key={problemKey(result.problem)} problem={result.problem} />
      ) : null}
      {result?.ok ? (
        <HeatPicture
          heat={result.value}
          title={`${title} · ${say(words[measure])}`}
          isOld={answer.is !== 'ready'}
          zoomed={zoom !== null}
          onZoom={setZoom}
          onPlace={(row, col) =>
            onAt(shape.map((_, axis) => (axis === rowAxis ? row : axis === colAxis ? col : (at[axis] ?? 0))))
          }
        />
      ) : null}
    </Section>
  )
}

interface Block {
  readonly row: number
  readonly col: number
}

export function HeatPicture({
  heat,
  title,
  isOld,
  zoomed,
  onZoom,
  onPlace,
}: {
  readonly heat: TensorHeat
  readonly title: string
  /** Another one is on its way. */
  readonly isOld: boolean
  readonly zoomed: boolean
  onZoom(window: { readonly rows: Window; readonly cols: Window } | null): void
  onPlace(row: number, col: number): void
}): JSX.Element {
  const say = useSay()
  const theme = useTheme()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [under, setUnder] = useState<Block | null>(null)
  const [from, setFrom] = useState<Block | null>(null)
  const most = mostOf(heat.values)
  useEffect(() => {
    if (canvas.current) paint(canvas.current, heat, most)
  }, [heat, most, theme])
  const { height, width, rows, cols, values } = heat
  const blockAt = (e: PointerEvent<HTMLCanvasElement>): Block => {
    const box = e.currentTarget.getBoundingClientRect()
    const part = (at: number, of: number, blocks: number): number =>
      Math.max(0, Math.min(blocks - 1, Math.floor((at / of) * blocks)))
    return {
      row: part(e.clientY - box.top, box.height, height),
      col: part(e.clientX - box.left, box.width, width),
    }
  }
  const drop = (e: PointerEvent<HTMLCanvasElement>): void => {
    const to = blockAt(e)
    setFrom(null)
    if (!from) return
    if (from.row === to.row && from.col === to.col) {
      onPlace(span(to.row, height, rows)[0], span(to.col, width, cols)[0])
      return
    }
    const between = (a: number, b: number, blocks: number, window: Window): Window => [
      span(Math.min(a, b), blocks, window)[0],
      span(Math.max(a, b), blocks, window)[1],
    ]
    onZoom({ rows: between(from.row, to.row, height, rows), cols: between(from.col, to.col, width, cols) })
  }
  const data = (): string =>
    [
      ['', ...Array.from({ length: width }, (_, c) => spanText(span(c, width, cols)))].join('\t'),
      ...Array.from({ length: height }, (_, r) =>
        [spanText(span(r, height, rows)), ...values.subarray(r * width, (r + 1) * width)].join('\t'),
      ),
    ].join('\n')
  const isWhole = from === null || under === null
  return (
    <Picture
      name={title}
      className={`heat ${isOld ? 'old' : ''}`}
      svg={of =>
        imageSvg(
          of.toDataURL(),
          title,
          [`${rows.join('…')} × ${cols.join('…')}`, `max ${most}`],
          token('--dim'),
        )
      }
      data={data}
      aside={
        <>
          <span className="small faint">{say('values.heat-hint')}</span>
          {zoomed ? (
            <Button small look="quiet" icon="fit" testId="heat-unzoom" onPress={() => onZoom(null)}>
              {say('values.heat-all')}
            </Button>
          ) : null}
        </>
      }
      caption={
        <>
          <span data-testid="heat-under">
            {under
              ? say('values.heat-at', {
                  row: spanText(span(under.row, height, rows)),
                  col: spanText(span(under.col, width, cols)),
                  value: shortNumber(values[under.row * width + under.col] ?? NaN),
                })
              : say('values.heat-size', { rows: rows[1] - rows[0], cols: cols[1] - cols[0] })}
          </span>
          <span className="grow" />
          <span className="heat-scale" aria-hidden="true" />
          <span>{say('values.heat-max', { max: shortNumber(most) })}</span>
        </>
      }
    >
      <div className="heat-box">
        <canvas
          ref={canvas}
          role="img"
          aria-label={say('values.heat-is', { max: shortNumber(most) })}
          data-testid="heat"
          data-rows={rows.join('-')}
          data-cols={cols.join('-')}
          onPointerDown={e => {
            if (e.button !== 0) return
            e.currentTarget.setPointerCapture(e.pointerId)
            setFrom(blockAt(e))
          }}
          onPointerMove={e => setUnder(blockAt(e))}
          onPointerUp={drop}
          onPointerLeave={() => setUnder(null)}
          onPointerCancel={() => setFrom(null)}
          onDoubleClick={() => onZoom(null)}
        />
        {isWhole ? null : (
          <div
            className="heat-band"
            aria-hidden="true"
            style={{
              left: `${(Math.min(from.col, under.col) / width) * 100}%`,
              top: `${(Math.min(from.row, under.row) / height) * 100}%`,
              width: `${((Math.abs(from.col - under.col) + 1) / width) * 100}%`,
              height: `${((Math.abs(from.row - under.row) + 1) / height) * 100}%`,
            }}
          />
        )}
      </div>
    </Picture>
  )
}
