// The whole run as a strip of full height: where errors are, what is in view, and a way there.
import { useEffect, useRef, type JSX, type PointerEvent } from 'react'
import type { Side, Strip } from '../../../preload/contract/engine.ts'
import { useSay } from '../../state/words.ts'
import type { Tokens } from './style.ts'

export const pitch = 6
const bar = 4

export function Minimap({ side, strip, tokens, view, onGo, onWheel }: {
  readonly side: Side; readonly strip: NonNullable<Strip['bench']> | null; readonly tokens: Tokens
  /** Part of the execution order that is in view. */
  readonly view: { readonly from: number; readonly to: number } | null
  onGo(position: number): void; onWheel(dy: number): void
}): JSX.Element {
  const say = useSay()
  const canvas = useRef<HTMLCanvasElement>(null)
  const holder = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const box = holder.current
    const draw = (): void => {
      const el = canvas.current
      const c = el?.getContext('2d')
      if (!el || !c || !box) return
      const [w, h] = [box.clientWidth, box.clientHeight]
      el.width = Math.round(w * devicePixelRatio)
      el.height = Math.round(h * devicePixelRatio)
      c.scale(devicePixelRatio, devicePixelRatio)
      if (!strip) return
      const slots = strip.bucket.length
      const step = h / Math.max(1, slots)
      for (let i = 0; i < slots; i++) {
        const bucket = strip.bucket[i] ?? -1
        const colour = tokens.bucket(bucket)
        c.fillStyle = bucket <= 0 && bucket !== -2 ? tokens.line : colour.fill
        c.beginPath()
        c.roundRect(4, i * step + (step - Math.min(bar, step * 0.75)) / 2, w - 8, Math.max(1, Math.min(bar, step * 0.75)), 1.5)
        c.fill()
      }
    }
    draw()
    const size = new ResizeObserver(draw)
    if (box) size.observe(box)
    return () => size.disconnect()
  }, [strip, tokens])

  const go = (e: PointerEvent<HTMLDivElement>): void => {
    const box = e.currentTarget.getBoundingClientRect()
    onGo(Math.max(0, Math.min(0.99999, (e.clientY - box.top) / box.height)))
  }
  const steps: Readonly<Record<string, number>> = { ArrowUp: -0.02, ArrowDown: 0.02, PageUp: -0.1, PageDown: 0.1 }
  const middle = view ? (view.from + view.to) / 2 : 0
  return (
    <div ref={holder} className="minimap strip" role="slider" tabIndex={0} aria-label={say('graph.minimap', { side: say(`side.${side}`) })} aria-orientation="vertical" aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(middle * 100)}
      onPointerDown={e => { e.currentTarget.setPointerCapture(e.pointerId); go(e) }} onPointerMove={e => { if (e.buttons === 1) go(e) }} onWheel={e => onWheel(e.deltaY)}
      onKeyDown={e => { const step = steps[e.key]; if (step !== undefined) { e.preventDefault(); e.stopPropagation(); onGo(Math.max(0, Math.min(0.99999, middle + step))) } }}>
      <canvas ref={canvas} />
      {view ? <div className="minimap-view" style={{ top: `${view.from * 100}%`, height: `${Math.max(1.2, (view.to - view.from) * 100)}%` }} /> : null}
    </div>
  )
}
