// One side of the graph pane: its head, the drawing, the way to what is in view, the minimap, and words for
// those who cannot see it.
import {
  memo,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type JSX,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import { Group, Panel } from 'react-resizable-panels'
import type { Box, BoxOverflow, Side, StripSide } from '../../../preload/contract/engine.ts'
import type { Language } from '../../../preload/contract/words/index.ts'
import { twoDigits } from '../../../preload/contract/words/advice.ts'
import { nameParts } from '../../state/names.ts'
import { count, share } from '../../state/format.ts'
import { compares, nameOf } from '../../state/study.ts'
import { useSay, type Say } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Divider } from '../../ui/bits.tsx'
import { Crumbs } from '../../ui/crumbs.tsx'
import { MiddleCut } from '../../ui/middle-cut.tsx'
import { flagOf, overflowOf } from './box-marks.ts'
import { Canvas, type CanvasEvents } from './canvas.ts'
import { Minimap } from './minimap.tsx'
import type { Stage } from './stage.ts'
import { headHeight, type Tokens } from './style.ts'

export interface SideEvents {
  tap(side: Side, id: string): void
  open(side: Side, id: string): void
  menu(side: Side, id: string | null, x: number, y: number): void
  go(side: Side, position: number): void
}

const hoverMs = 350

/** One side, or both with an edge between them that can be dragged. */
export function BesideEachOther({
  sides,
  renderSide,
}: {
  readonly sides: readonly Side[]
  renderSide(side: Side): JSX.Element
}): JSX.Element {
  const [first, second] = sides
  if (first === undefined || second === undefined) return renderSide(first ?? 'debug')
  return (
    <Group orientation="horizontal" className="panes">
      <Panel id={first} data-drop-side={first} minSize="120px" className="pane-holder">
        {renderSide(first)}
      </Panel>
      <Divider direction="across" />
      <Panel id={second} data-drop-side={second} minSize="120px" className="pane-holder">
        {renderSide(second)}
      </Panel>
    </Group>
  )
}

interface SideProps {
  readonly side: Side
  readonly stage: Stage
  readonly tokens: Tokens
  readonly strip: StripSide | null
  readonly boxes: readonly Box[]
  readonly selected: string
  readonly tools: JSX.Element | null
  readonly events: SideEvents
}

export function SideView(props: SideProps): JSX.Element {
  const { side, stage, tokens, strip, boxes, selected, tools, events } = props
  const say = useSay()
  const noted = useWorkbench(s => s.notes.flatMap(note => note.at[side] ?? []).join('\n'))
  const { canvas, holder, flat, focusable, hover } = useCanvas(props, noted)
  const minimap = useWorkbench(s => s.layout.minimap)
  const press = (e: KeyboardEvent): void => {
    if (e.key !== 'ContextMenu' && !(e.key === 'F10' && e.shiftKey)) return
    e.preventDefault()
    const at = canvas.current?.place(selected)
    const box = holder.current?.getBoundingClientRect()
    if (!box) return
    const [x, y] = at ? [at.x + at.w / 2, at.y + at.h] : [40, 40]
    events.menu(side, selected || null, box.left + x, box.top + y)
  }
  const box = boxes.find(b => b.id === selected)
  return (
    <div className="graph-side">
      <SideHead side={side} tools={tools} />
      <div className="graph-body">
        <div className="graph-window">
          <div
            ref={focusable}
            className="graph-focus"
            role="tree"
            tabIndex={0}
            aria-label={say('graph.side', { side: say(`side.${side}`) })}
            data-testid={`graph-${side}`}
            data-boxes={boxes.length}
            data-selected={selected}
            data-noted={noted}
            data-overflowed={boxes.flatMap(b => (overflowOf(b) ? b.id : [])).join('\n')}
            data-origin={boxes.find(b => flagOf(b) !== null)?.id ?? ''}
            {...(box ? { 'aria-activedescendant': `${side}-selected` } : {})}
            onKeyDown={press}
          >
            <canvas ref={flat} className="graph-flat" aria-hidden="true" />
            <div ref={holder} className="graph-canvas" aria-hidden="true" />
            {box ? <Described side={side} box={box} /> : null}
          </div>
          <Above stage={stage} side={side} boxes={boxes} onGo={id => events.tap(side, id)} />
        </div>
        {minimap ? (
          <Overview
            stage={stage}
            side={side}
            boxes={boxes}
            strip={strip}
            tokens={tokens}
            onGo={p => events.go(side, p)}
            onWheel={dy => stage.move(side, 0, -dy)}
          />
        ) : null}
      </div>
      {hover ? <Hover box={boxes.find(b => b.id === hover.id)} x={hover.x} y={hover.y} /> : null}
    </div>
  )
}

interface Hovered {
  readonly id: string
  readonly x: number
  readonly y: number
}

/** The drawing of a side: made once, told of what changes, and taken down with the side. */
function useCanvas(
  { side, stage, tokens, selected, events }: SideProps,
  noted: string,
): {
  readonly canvas: RefObject<Canvas | null>
  readonly holder: RefObject<HTMLDivElement | null>
  readonly flat: RefObject<HTMLCanvasElement | null>
  readonly focusable: RefObject<HTMLDivElement | null>
  readonly hover: Hovered | null
} {
  const holder = useRef<HTMLDivElement>(null)
  const flat = useRef<HTMLCanvasElement>(null)
  const focusable = useRef<HTMLDivElement>(null)
  const canvas = useRef<Canvas | null>(null)
  const [hover, setHover] = useState<Hovered | null>(null)
  const picked = useWorkbench(s => s.look.buckets)
  const tokensNow = useEffectEvent(() => tokens)
  const onTap = useEffectEvent((id: string) => events.tap(side, id))
  const onOpen = useEffectEvent((id: string) => events.open(side, id))
  const onMenu = useEffectEvent((id: string | null, x: number, y: number) => events.menu(side, id, x, y))

  useEffect(() => {
    if (!holder.current || !flat.current) return undefined
    let timer = 0
    const listener: CanvasEvents = {
      tap: id => {
        focusable.current?.focus({ preventScroll: true })
        onTap(id)
      },
      open: id => onOpen(id),
      menu: (id, x, y) => onMenu(id, x, y),
      moved: camera => stage.moved(side, camera),
      hover: (id, x, y) => {
        clearTimeout(timer)
        if (id === null) setHover(null)
        else timer = window.setTimeout(() => setHover({ id, x, y }), hoverMs)
      },
    }
    const made = new Canvas(holder.current, flat.current, tokensNow(), listener)
    canvas.current = made
    stage.put(side, made)
    return () => {
      clearTimeout(timer)
      stage.put(side, null)
      canvas.current = null
      made.destroy()
    }
  }, [side, stage])
  useEffect(() => canvas.current?.dress(tokens), [tokens])
  useEffect(() => canvas.current?.select(selected), [selected])
  useEffect(() => canvas.current?.pick(picked), [picked])
  useEffect(() => canvas.current?.note(noted.split('\n')), [noted])
  return { canvas, holder, flat, focusable, hover }
}

export const SideHead = memo(function SideHead({
  side,
  tools,
}: {
  readonly side: Side
  readonly tools: JSX.Element | null
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const name = useWorkbench(s => nameOf(s.session, side))
  const unit = useWorkbench(s => s.session?.units.find(u => u.unit === s.session?.unit))
  const cut = useWorkbench(s => s.namesCut[side])
  const both = useWorkbench(s => compares(s.session))
  const alone = side === 'debug' ? (unit?.unmatchedDebug ?? 0) : (unit?.unmatchedBench ?? 0)
  return (
    <div className="pane-head graph-head">
      <h2>{say(`side.${side}`)}</h2>
      {cut ? (
        <span className="dim graph-name" title={name}>
          <MiddleCut text={name} />
        </span>
      ) : null}
      <span className="grow" />
      {unit && side === 'debug' && both && unit.differs > 0 ? (
        <span className="dim wide-only">
          {say('graph.differing', { count: count(language, unit.differs) })}
        </span>
      ) : null}
      {both && alone > 0 ? (
        <span className="dim wide-only">{say('graph.unmatched', { count: count(language, alone) })}</span>
      ) : null}
      {tools}
    </div>
  )
})

interface InView {
  readonly from: number
  readonly to: number
  readonly above: readonly Box[]
}

/** What is in view: looked at once per frame while the camera moves, by the two small parts that show it. */
function useInView(stage: Stage, side: Side, boxes: readonly Box[]): InView | null {
  const [view, setView] = useState<InView | null>(null)
  useEffect(() => {
    let frame = 0
    const look = (): void => {
      frame = 0
      const c = stage.canvas(side)
      const next = c ? inView(c) : null
      setView(old => (same(old, next) ? old : next))
    }
    const ask = (): void => {
      if (frame === 0) frame = requestAnimationFrame(look)
    }
    const stop = stage.watch(ask)
    ask()
    return () => {
      stop()
      cancelAnimationFrame(frame)
    }
  }, [stage, side, boxes])
  return view
}

const same = (a: InView | null, b: InView | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.from === b.from &&
    a.to === b.to &&
    a.above.length === b.above.length &&
    a.above.every((box, i) => box.id === b.above[i]?.id))

function Overview({
  stage,
  boxes,
  ...rest
}: { readonly stage: Stage; readonly boxes: readonly Box[] } & Omit<
  Parameters<typeof Minimap>[0],
  'view'
>): JSX.Element {
  return <Minimap {...rest} view={useInView(stage, rest.side, boxes)} />
}

/** The frames whose titles have scrolled out at the top. */
function Above({
  stage,
  side,
  boxes,
  onGo,
}: {
  readonly stage: Stage
  readonly side: Side
  readonly boxes: readonly Box[]
  onGo(id: string): void
}): JSX.Element | null {
  const say = useSay()
  const path = useInView(stage, side, boxes)?.above ?? []
  if (path.length === 0) return null
  return <Crumbs ids={path.map(b => b.id)} label={say('graph.above')} className="graph-above" onGo={onGo} />
}

function Described({ side, box }: { readonly side: Side; readonly box: Box }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const { short, backward } = nameParts(box.id)
  return (
    <div
      className="hidden-text"
      id={`${side}-selected`}
      role="treeitem"
      aria-level={box.depth + 1}
      aria-selected="true"
      {...(box.children > 0 ? { 'aria-expanded': box.open } : {})}
    >
      {[
        short,
        say(backward ? 'graph.backward' : 'graph.forward'),
        ...boxFacts(say, language, box),
        box.partner === '' ? '' : say('graph.partner', { name: nameParts(box.partner).short }),
      ]
        .filter(Boolean)
        .join(', ')}
    </div>
  )
}

function overflowText(say: Say, { records, meanings }: BoxOverflow): string {
  const what = meanings.map(({ code, bit }) => say(`overflow.${code}`, { bit })).join(say('overflow.join'))
  return say('graph.overflow', { count: records, what })
}

/** A checksum tells that something differs, not by how much. */
function ownError(say: Say, language: Language, level: number): string {
  if (Number.isNaN(level)) return ''
  return Number.isFinite(level)
    ? say('graph.own-error', { level: share(language, level) })
    : say('graph.own-checksum')
}

/** What a box is about: where the error enters, how far its own rows are off, and what lies in it. */
function boxFacts(say: Say, language: Language, box: Box): string[] {
  const { own, made, differing, children, origin, bucket, overflow } = box
  const inside = differing - own.differs
  return [
    origin === 'none' ? '' : say(origin === 'here' ? 'graph.origin' : 'graph.origin-inside'),
    overflow === null ? '' : overflowText(say, overflow),
    bucket === -2 ? say('bucket.none') : '',
    ownError(say, language, own.level),
    own.rows > 0 ? say('graph.own-differ', { differs: own.differs, rows: own.rows }) : '',
    made && (made.made > 0 || made.arrived > 0)
      ? say('graph.made', { arrived: twoDigits(made.arrived), made: twoDigits(made.made) })
      : '',
    inside > 0 ? say('graph.inside-differ', { count: inside }) : '',
    children > 0 ? say('graph.children', { count: children }) : '',
  ].filter(Boolean)
}

function Hover({
  box,
  x,
  y,
}: {
  readonly box: Box | undefined
  readonly x: number
  readonly y: number
}): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  if (!box) return null
  const left = Math.min(x + 14, window.innerWidth - 400)
  return (
    <div
      className="tooltip graph-tip"
      role="tooltip"
      style={{ left, top: y + 16 > window.innerHeight - 120 ? y - 110 : y + 16 }}
    >
      <strong className="mono">{box.id}</strong>
      <span>{boxFacts(say, language, box).join(' · ')}</span>
      {box.partner === '' ? null : <span className="dim">{say('graph.partner', { name: box.partner })}</span>}
    </div>
  )
}

function inView(c: Canvas): InView | null {
  const { camera } = c
  const half = c.height / camera.zoom / 2
  const [top, bottom] = [camera.y - half, camera.y + half]
  let [from, to] = [Infinity, -Infinity]
  const above: Box[] = []
  for (const b of c.boxes) {
    if (b.y > bottom || b.y + b.h < top) continue
    if (b.open) {
      if (b.y + headHeight < top && b.y + b.h > top + headHeight + 4) above.push(b)
    } else {
      from = Math.min(from, b.from)
      to = Math.max(to, b.to)
    }
  }
  above.sort((a, b) => a.depth - b.depth)
  return from > to ? null : { from, to, above }
}
