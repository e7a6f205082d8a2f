// One side of the dataflow view: calls in layers, the tensors between them as lines with their shapes.
import {
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  type JSX,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from 'react'
import type { FlowEdge, Side } from '../../../preload/contract/engine.ts'
import type { Language } from '../../../preload/contract/words/index.ts'
import { share } from '../../state/format.ts'
import { nameParts } from '../../state/names.ts'
import { useSay, type Say } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { bucketWord } from '../../ui/bits.tsx'
import { Crumbs } from '../../ui/crumbs.tsx'
import type { FlowStage } from './flow-stage.ts'
import { boxHeight, type FlowBox, type Layered } from './layered.ts'
import { flagPoints, hatch, noPartner } from './style.ts'

const dragFrom = 3
const [flagWidth, flagHeight] = [12, 16]
const flag = flagPoints.map(([x, y]) => `${2 + (x * flagWidth) / 2},${(y * flagHeight) / 2 - 1}`).join(' ')

export interface FlowEvents {
  tap(side: Side, id: string): void
  /** Look around this node, or inside it. */
  open(side: Side, id: string): void
  menu(side: Side, id: string, x: number, y: number): void
}

interface FlowProps {
  readonly side: Side
  readonly stage: FlowStage
  readonly layered: Layered
  readonly focus: string
  readonly path: readonly string[]
  readonly selected: string
  readonly events: FlowEvents
}

type Holder = RefObject<HTMLDivElement | null>

export function FlowSide(props: FlowProps): JSX.Element {
  const { side, stage, layered, focus, selected, events } = props
  const say = useSay()
  const holder = useRef<HTMLDivElement>(null)
  const moving = useRef<SVGGElement>(null)
  useCamera(props, holder, moving)
  useWheel(stage, side, holder)
  const drag = useDrag(stage, side)
  const press = (e: KeyboardEvent): void => {
    if ((e.key !== 'ContextMenu' && !(e.key === 'F10' && e.shiftKey)) || selected === '') return
    e.preventDefault()
    const at = holder.current?.getBoundingClientRect()
    if (at) events.menu(side, selected, at.left + at.width / 2, at.top + at.height / 2)
  }
  const active = layered.boxes.some(b => b.id === selected)
  return (
    <>
      <div
        ref={holder}
        className="flow-pane"
        role="listbox"
        tabIndex={0}
        aria-label={say('flow.side', { side: say(`side.${side}`) })}
        data-testid={`flow-${side}`}
        data-boxes={layered.boxes.length}
        data-lines={layered.lines.length}
        data-controls={layered.lines.filter(({ edge }) => edge.by === 'control').length}
        data-selected={selected}
        data-focus={focus}
        {...(active ? { 'aria-activedescendant': `flow-${side}-selected` } : {})}
        onPointerDown={drag.down}
        onPointerMove={drag.move}
        onKeyDown={press}
      >
        <svg width="100%" height="100%" role="presentation">
          <Shared side={side} />
          <g ref={moving}>
            <Lines side={side} lines={layered.lines} />
            {layered.boxes.map(box => (
              <FlowNode key={box.id} {...props} box={box} moved={drag.moved} />
            ))}
          </g>
        </svg>
      </div>
      <Path {...props} />
    </>
  )
}

/** Keeps the drawing where the stage wants it, around the node in focus. */
function useCamera(
  { side, stage, layered, focus, selected }: FlowProps,
  holder: Holder,
  moving: RefObject<SVGGElement | null>,
): void {
  const anchor = useMemo(() => {
    const box = layered.boxes.find(b => b.id === focus) ?? layered.boxes.find(b => b.origin)
    return box
      ? { x: box.x + box.w / 2, y: box.y + boxHeight / 2 }
      : { x: layered.width / 2, y: layered.height / 2 }
  }, [layered, focus])
  const place = useEffectEvent((): void => {
    const box = holder.current
    if (!box) return
    const { x, y, zoom } = stage.camera(side)
    const left = box.clientWidth / 2 - (anchor.x + x) * zoom
    const top = box.clientHeight / 2 - (anchor.y + y) * zoom
    moving.current?.setAttribute('transform', `translate(${left} ${top}) scale(${zoom})`)
  })
  const size = useEffectEvent(() => ({
    drawing: { w: layered.width, h: layered.height, ...anchor },
    pane: { w: holder.current?.clientWidth ?? 0, h: holder.current?.clientHeight ?? 0 },
  }))
  useEffect(() => {
    stage.put(side, { show: () => place(), size: () => size() })
    const watch = new ResizeObserver(() => place())
    if (holder.current) watch.observe(holder.current)
    return () => {
      stage.put(side, null)
      watch.disconnect()
    }
  }, [stage, side, holder])
  useEffect(() => {
    stage.home(side)
    place()
  }, [stage, side, anchor])
  useEffect(() => {
    const box = layered.boxes.find(b => b.id === selected)
    if (box) stage.show(side, box.x + box.w / 2, box.y + boxHeight / 2)
  }, [stage, side, layered, selected])
}

/** Pixels of a line, for mice that turn by lines. */
const linePixels = 26
const zoomPerPixel = 0.0022

function useWheel(stage: FlowStage, side: Side, holder: Holder): void {
  useEffect(() => {
    const box = holder.current
    if (!box) return undefined
    const wheel = (e: WheelEvent): void => {
      e.preventDefault()
      const unit = e.deltaMode === WheelEvent.DOM_DELTA_LINE ? linePixels : 1
      const { left, top, width, height } = box.getBoundingClientRect()
      if (e.ctrlKey || e.metaKey) {
        const factor = Math.exp(-e.deltaY * unit * zoomPerPixel)
        stage.zoom(side, factor, e.clientX - left - width / 2, e.clientY - top - height / 2)
        return
      }
      const { x, y, zoom } = stage.camera(side)
      const [dx, dy] = e.shiftKey ? [e.deltaY, 0] : [e.deltaX, e.deltaY]
      stage.moved(side, { x: x + (dx * unit) / zoom, y: y + (dy * unit) / zoom, zoom })
    }
    box.addEventListener('wheel', wheel, { passive: false })
    return () => box.removeEventListener('wheel', wheel)
  }, [stage, side, holder])
}

interface Drag {
  down(e: PointerEvent): void
  move(e: PointerEvent): void
  /** Whether the last press became a drag: its click selects nothing. */
  moved(): boolean
}

function useDrag(stage: FlowStage, side: Side): Drag {
  const drag = useRef<{
    readonly x: number
    readonly y: number
    readonly cx: number
    readonly cy: number
    moved: boolean
  } | null>(null)
  return {
    down: e => {
      if (e.button >= 2) return
      const { x, y } = stage.camera(side)
      drag.current = { x: e.clientX, y: e.clientY, cx: x, cy: y, moved: false }
    },
    move: e => {
      const from = drag.current
      if (!from || e.buttons === 0) return
      const [dx, dy] = [e.clientX - from.x, e.clientY - from.y]
      if (!from.moved && Math.hypot(dx, dy) < dragFrom) return
      if (!from.moved) {
        from.moved = true
        e.currentTarget.setPointerCapture(e.pointerId)
      }
      const { zoom } = stage.camera(side)
      stage.moved(side, { x: from.cx - dx / zoom, y: from.cy - dy / zoom, zoom })
    },
    moved: () => drag.current?.moved === true,
  }
}

/** Ends of lines, and stripes of what has no partner. */
function Shared({ side }: { readonly side: Side }): JSX.Element {
  return (
    <defs>
      <marker
        id={`flow-end-${side}`}
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerWidth="9"
        markerHeight="9"
        markerUnits="userSpaceOnUse"
        orient="auto"
      >
        <path d="M0 0.500 8 4 0 7.500z" className="flow-end" />
      </marker>
      <pattern id={`flow-none-${side}`} width={hatch.size} height={hatch.size} patternUnits="userSpaceOnUse">
        <rect width="100%" height="100%" fill="var(--pane)" />
        <path d={hatch.path} stroke="var(--none)" strokeWidth={hatch.line} />
      </pattern>
    </defs>
  )
}

function Lines({ side, lines }: { readonly side: Side; readonly lines: Layered['lines'] }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  return (
    <>
      {lines.map(({ edge, count, path: d, x, y }) => (
        <g
          key={`${edge.from} ${edge.to} ${edge.item} ${edge.input}`}
          className={`flow-edge e${edge.bucket} ${edge.sure ? '' : 'unsure'} ${edge.by === 'control' ? 'control' : ''}`}
        >
          <path d={d} markerEnd={`url(#flow-end-${side})`} />
          {edge.shape === '' ? null : (
            <text x={x + 4} y={y + 3}>
              {edge.shape}
              {count > 1 ? ` ×${count}` : ''}
              {edge.sure ? '' : ' ?'}
            </text>
          )}
          <title>{edgeText(say, language, edge)}</title>
        </g>
      ))}
    </>
  )
}

function FlowNode({
  side,
  box,
  selected,
  events,
  moved,
}: FlowProps & { readonly box: FlowBox; moved(): boolean }): JSX.Element {
  const say = useSay()
  const noted = useWorkbench(s => s.notes.some(note => note.at[side] === box.id))
  const dimmed = useWorkbench(({ look: { buckets } }) => buckets.length > 0 && !buckets.includes(box.bucket))
  const marks = [
    `b${box.bucket}`,
    box.inside ? 'inside' : 'beside',
    dimmed ? 'back' : '',
    box.origin ? 'origin' : '',
  ]
  const label = [
    nameParts(box.id).short,
    say(box.backward ? 'graph.backward' : 'graph.forward'),
    say(bucketWord(box.bucket)),
    box.origin ? say('graph.origin') : '',
  ].filter(Boolean)
  return (
    <g
      {...(box.id === selected ? { id: `flow-${side}-selected` } : {})}
      className={`flow-box ${marks.join(' ')}`}
      transform={`translate(${box.x} ${box.y})`}
      role="option"
      aria-selected={box.id === selected}
      aria-label={label.join(', ')}
      onClick={() => {
        if (!moved()) events.tap(side, box.id)
      }}
      onDoubleClick={() => events.open(side, box.id)}
      onContextMenu={e => {
        e.preventDefault()
        events.menu(side, box.id, e.clientX, e.clientY)
      }}
    >
      {box.id === selected ? (
        <rect
          className="flow-ring"
          x={-4}
          y={-4}
          width={box.w + 8}
          height={boxHeight + 8}
          rx={boxHeight / 2 + 4}
        />
      ) : null}
      <rect
        width={box.w}
        height={boxHeight}
        rx={boxHeight / 2}
        style={box.bucket === noPartner ? { fill: `url(#flow-none-${side})` } : undefined}
      />
      {box.origin ? <polygon className="flow-flag" points={flag} /> : null}
      {noted ? <circle className="flow-noted" cx={4} cy={boxHeight - 2} r={4} /> : null}
      <text x={box.w / 2} y={16}>
        {box.text}
      </text>
      <title>{box.id}</title>
    </g>
  )
}

/** What encloses the node in focus. */
function Path({ side, path, focus, events }: FlowProps): JSX.Element {
  const say = useSay()
  return (
    <Crumbs
      ids={path}
      here={focus}
      label={say('flow.path')}
      className="graph-above flow-path"
      onGo={id => events.open(side, id)}
    />
  )
}

function edgeText(say: Say, language: Language, edge: FlowEdge): string {
  if (edge.by === 'control') return `${edge.from} → ${edge.to}\n${say('flow.control.what')}`
  return `${edge.item} → ${edge.input}\n${errorText(say, language, edge)}${howKnown(say, edge)}`
}

/** How far the tensor of a line is off. */
function errorText(say: Say, language: Language, { level, bucket }: FlowEdge): string {
  if (!Number.isNaN(level)) return `${say('graph.own-error', { level: share(language, level) })}\n`
  // What differs by nobody knows how much differs by a checksum.
  return bucket > 0 ? `${say('graph.own-checksum')}\n` : ''
}

function howKnown(say: Say, { by, sure }: FlowEdge): string {
  if (by === 'graph') return say('inspector.in-graph')
  return say(sure ? 'inspector.inferred' : 'inspector.inferred-unsure', { by })
}
