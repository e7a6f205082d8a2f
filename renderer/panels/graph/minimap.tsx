// The whole run as a strip of full height: where errors are, what is in view, and a way there.
import { useEffect, useRef, type JSX, type KeyboardEvent, type PointerEvent, type RefObject } from 'react'
import type { Side, StripSide } from '../../../preload/contract/engine.ts'
import { useSay } from '../../state/words.ts'
import { sharpened } from '../../ui/paint.ts'
import { flagPoints, type Tokens } from './style.ts'

const bar = 4
const [flagWidth, flagHeight] = [11, 14]
const noteRadius = 3.5

/** Shares of the whole run. */
const steps: Readonly<Record<string, number>> = {
  ArrowUp: -0.02,
  ArrowDown: 0.02,
  PageUp: -0.1,
  PageDown: 0.1,
}
/** The end itself belongs to no node. */
const lastPlace = 0.99999

/** What is in view, from the first to the last, as shares of the execution order. */
interface Part {
  readonly from: number
  readonly to: number
}

/** One bar for each part of the run, in the colour of what is worst there. */
function draw(
  canvas: HTMLCanvasElement,
  { clientWidth: width, clientHeight: height }: HTMLElement,
  strip: StripSide | null,
  tokens: Tokens,
): void {
  const c = sharpened(canvas, width, height)
  if (!c || !strip) return
  const step = height / Math.max(1, strip.bucket.length)
  const thick = Math.min(bar, step * 0.75)
  strip.bucket.forEach((bucket, i) => {
    c.fillStyle = bucket === 0 || bucket === -1 ? tokens.line : tokens.bucket(bucket).fill
    c.beginPath()
    c.roundRect(4, i * step + (step - thick) / 2, width - 8, Math.max(1, thick), 1.5)
    c.fill()
  })
  for (const place of strip.noted) drawNote(c, place * height, tokens)
  if (strip.origin >= 0) drawFlag(c, Math.max(flagHeight, strip.origin * height), width, tokens)
}

/** At the edge, where no bar reaches. */
function drawNote(c: CanvasRenderingContext2D, y: number, tokens: Tokens): void {
  c.fillStyle = tokens.accent
  c.strokeStyle = tokens.pane
  c.beginPath()
  c.arc(noteRadius + 1, Math.max(noteRadius, y), noteRadius, 0, 2 * Math.PI)
  c.fill()
  c.stroke()
}

/** Its pole stands on a line across the strip. */
function drawFlag(c: CanvasRenderingContext2D, y: number, width: number, tokens: Tokens): void {
  c.fillStyle = tokens.text
  c.fillRect(1, y - 1, width - 2, 2)
  c.fillStyle = tokens.flag
  c.strokeStyle = tokens.pane
  c.beginPath()
  for (const [px, py] of flagPoints)
    c.lineTo(3 + ((px + 1) * flagWidth) / 2, y - flagHeight + ((py + 1) * flagHeight) / 2)
  c.closePath()
  c.stroke()
  c.fill()
}

/** The bars are drawn again for another strip, other colours and another size. */
function useBars(
  strip: StripSide | null,
  tokens: Tokens,
): {
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly holder: RefObject<HTMLDivElement | null>
} {
  const canvas = useRef<HTMLCanvasElement>(null)
  const holder = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = holder.current
    const redraw = (): void => {
      if (canvas.current && box) draw(canvas.current, box, strip, tokens)
    }
    redraw()
    const size = new ResizeObserver(redraw)
    if (box) size.observe(box)
    return () => size.disconnect()
  }, [strip, tokens])
  return { canvas, holder }
}

export function Minimap({
  side,
  strip,
  tokens,
  view,
  onGo,
  onWheel,
}: {
  readonly side: Side
  readonly strip: StripSide | null
  readonly tokens: Tokens
  readonly view: Part | null
  onGo(position: number): void
  onWheel(dy: number): void
}): JSX.Element {
  const say = useSay()
  const { canvas, holder } = useBars(strip, tokens)
  const goTo = (part: number): void => onGo(Math.max(0, Math.min(lastPlace, part)))
  const go = (e: PointerEvent<HTMLDivElement>): void => {
    const box = e.currentTarget.getBoundingClientRect()
    goTo((e.clientY - box.top) / box.height)
  }
  const middle = view ? (view.from + view.to) / 2 : 0
  const press = (e: KeyboardEvent): void => {
    const step = steps[e.key]
    if (step === undefined) return
    e.preventDefault()
    e.stopPropagation()
    goTo(middle + step)
  }
  return (
    <div
      ref={holder}
      className="minimap strip"
      data-testid={`minimap-${side}`}
      data-origin={strip?.origin ?? -1}
      data-noted={strip?.noted.length ?? 0}
      role="slider"
      tabIndex={0}
      aria-label={say('graph.minimap', { side: say(`side.${side}`) })}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(middle * 100)}
      onPointerDown={e => {
        e.currentTarget.setPointerCapture(e.pointerId)
        go(e)
      }}
      onPointerMove={e => {
        if (e.buttons === 1) go(e)
      }}
      onWheel={e => onWheel(e.deltaY)}
      onKeyDown={press}
    >
      <canvas ref={canvas} />
      {view ? <InView {...view} /> : null}
    </div>
  )
}

function InView({ from, to }: Part): JSX.Element {
  return (
    <div
      className="minimap-view"
      style={{ top: `${from * 100}%`, height: `${Math.max(1.2, (to - from) * 100)}%` }}
    />
  )
}
