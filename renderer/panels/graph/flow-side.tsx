// One side of the dataflow view: calls in layers, the tensors between them as lines with their shapes.
import { useEffect, useEffectEvent, useMemo, useRef, type JSX, type KeyboardEvent, type PointerEvent } from 'react'
import type { Side } from '../../../preload/contract/engine.ts'
import { crumb, nameParts } from '../../state/names.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { bucketWord } from '../../ui/bits.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { FlowStage } from './flow-stage.ts'
import { boxHeight, type Layered } from './layered.ts'

const dragFrom = 3

export interface FlowEvents {
  tap(side: Side, id: string): void
  /** Look around this node, or inside it. */
  open(side: Side, id: string): void
  menu(side: Side, id: string, x: number, y: number): void
}

export function FlowSide({ side, stage, layered, focus, path, selected, events }: {
  readonly side: Side; readonly stage: FlowStage; readonly layered: Layered; readonly focus: string; readonly path: readonly string[]; readonly selected: string; readonly events: FlowEvents
}): JSX.Element {
  const say = useSay()
  const holder = useRef<HTMLDivElement>(null)
  const moving = useRef<SVGGElement>(null)
  const buckets = useWorkbench(s => s.look.buckets)
  const anchor = useMemo(() => {
    const box = layered.boxes.find(b => b.id === focus)
    return box ? { x: box.x + box.w / 2, y: box.y + boxHeight / 2 } : { x: layered.width / 2, y: layered.height / 2 }
  }, [layered, focus])

  const place = useEffectEvent((): void => {
    const box = holder.current
    const { x, y, zoom } = stage.camera(side)
    if (box) moving.current?.setAttribute('transform', `translate(${box.clientWidth / 2 - (anchor.x + x) * zoom} ${box.clientHeight / 2 - (anchor.y + y) * zoom}) scale(${zoom})`)
  })
  const size = useEffectEvent(() => ({ drawing: { w: layered.width, h: layered.height, ...anchor }, pane: { w: holder.current?.clientWidth ?? 0, h: holder.current?.clientHeight ?? 0 } }))
  useEffect(() => {
    stage.put(side, { show: () => place(), size: () => size() })
    const watch = new ResizeObserver(() => place())
    if (holder.current) watch.observe(holder.current)
    return () => { stage.put(side, null); watch.disconnect() }
  }, [stage, side])
  useEffect(() => { stage.home(side); place() }, [stage, side, anchor])
  useEffect(() => {
    const box = layered.boxes.find(b => b.id === selected)
    if (box) stage.show(side, box.x + box.w / 2, box.y + boxHeight / 2)
  }, [stage, side, layered, selected])

  useEffect(() => {
    const box = holder.current
    if (!box) return undefined
    const wheel = (e: WheelEvent): void => {
      e.preventDefault()
      const unit = e.deltaMode === WheelEvent.DOM_DELTA_LINE ? 26 : 1
      const { left, top, width, height } = box.getBoundingClientRect()
      if (e.ctrlKey || e.metaKey) { stage.zoom(side, Math.exp(-e.deltaY * unit * 0.0022), e.clientX - left - width / 2, e.clientY - top - height / 2); return }
      const { x, y, zoom } = stage.camera(side)
      stage.moved(side, { x: x + ((e.shiftKey ? e.deltaY : e.deltaX) * unit) / zoom, y: y + ((e.shiftKey ? 0 : e.deltaY) * unit) / zoom, zoom })
    }
    box.addEventListener('wheel', wheel, { passive: false })
    return () => box.removeEventListener('wheel', wheel)
  }, [stage, side])

  const drag = useRef<{ readonly x: number; readonly y: number; readonly cx: number; readonly cy: number; moved: boolean } | null>(null)
  const down = (e: PointerEvent): void => { if (e.button < 2) { const { x, y } = stage.camera(side); drag.current = { x: e.clientX, y: e.clientY, cx: x, cy: y, moved: false } } }
  const move = (e: PointerEvent): void => {
    const from = drag.current
    if (!from || e.buttons === 0) return
    const [dx, dy] = [e.clientX - from.x, e.clientY - from.y]
    if (!from.moved && Math.hypot(dx, dy) < dragFrom) return
    if (!from.moved) { from.moved = true; e.currentTarget.setPointerCapture(e.pointerId) }
    const { zoom } = stage.camera(side)
    stage.moved(side, { x: from.cx - dx / zoom, y: from.cy - dy / zoom, zoom })
  }
  const press = (e: KeyboardEvent): void => {
    if ((e.key === 'ContextMenu' || (e.key === 'F10' && e.shiftKey)) && selected !== '') {
      e.preventDefault()
      const at = holder.current?.getBoundingClientRect()
      if (at) events.menu(side, selected, at.left + at.width / 2, at.top + at.height / 2)
    }
  }
  const back = (id: string): boolean => buckets.length > 0 && !buckets.includes(layered.boxes.find(b => b.id === id)?.bucket ?? -1)
  return (
    <>
      <div ref={holder} className="flow-pane" role="listbox" tabIndex={0} aria-label={say('flow.side', { side: say(`side.${side}`) })} data-testid={`flow-${side}`} data-boxes={layered.boxes.length} data-lines={layered.lines.length} data-selected={selected} data-focus={focus}
        {...(layered.boxes.some(b => b.id === selected) ? { 'aria-activedescendant': `flow-${side}-selected` } : {})} onPointerDown={down} onPointerMove={move} onKeyDown={press}>
        <svg width="100%" height="100%" role="presentation">
          <defs><marker id={`flow-end-${side}`} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0.500 8 4 0 7.500z" className="flow-end" /></marker></defs>
          <g ref={moving}>
            {layered.lines.map(({ edge, count, path: d, x, y }) => (
              <g key={`${edge.item} ${edge.input}`} className={`flow-edge ${edge.sure ? '' : 'unsure'}`}>
                <path d={d} markerEnd={`url(#flow-end-${side})`} />
                {edge.shape === '' ? null : <text x={x + 4} y={y + 3}>{edge.shape}{count > 1 ? ` ×${count}` : ''}{edge.sure ? '' : ' ?'}</text>}
                <title>{`${edge.item} → ${edge.input}\n${say(edge.sure ? 'inspector.inferred' : 'inspector.inferred-unsure', { by: edge.by })}`}</title>
              </g>
            ))}
            {layered.boxes.map(box => (
              <g key={box.id} {...(box.id === selected ? { id: `flow-${side}-selected` } : {})} className={`flow-box b${box.bucket} ${box.inside ? 'inside' : 'beside'} ${back(box.id) ? 'back' : ''}`} transform={`translate(${box.x} ${box.y})`}
                role="option" aria-selected={box.id === selected} aria-label={[nameParts(box.id).short, say(box.backward ? 'graph.backward' : 'graph.forward'), say(bucketWord(box.bucket))].join(', ')}
                onClick={() => { if (!drag.current?.moved) events.tap(side, box.id) }} onDoubleClick={() => events.open(side, box.id)} onContextMenu={e => { e.preventDefault(); events.menu(side, box.id, e.clientX, e.clientY) }}>
                {box.id === selected ? <rect className="flow-ring" x={-4} y={-4} width={box.w + 8} height={boxHeight + 8} rx={boxHeight / 2 + 4} /> : null}
                <rect width={box.w} height={boxHeight} rx={boxHeight / 2} />
                <text x={box.w / 2} y={16}>{box.text}</text>
                <title>{box.id}</title>
              </g>
            ))}
          </g>
        </svg>
      </div>
      <nav className="graph-above flow-path" aria-label={say('flow.path')}>
        {path.map((id, i) => (
          <span key={id} className="row" style={{ gap: 3 }}>{i > 0 ? <Icon name="right" size={10} /> : null}{id === focus ? <strong>{crumb(id)}</strong> : <button type="button" className="link above-name" title={id} onClick={() => events.open(side, id)}>{crumb(id)}</button>}</span>
        ))}
      </nav>
    </>
  )
}
