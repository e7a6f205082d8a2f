// One drawing: cytoscape for the boxes in view, a flat layer below it for what is too much to draw well, and
// all gestures.
//
// Boxes come with positions; cytoscape lays out nothing. Software rendering stays smooth up to some 300
// elements, so boxes beyond
// `most` become plain rectangles on the layer below.
import cytoscape, { type Core, type ElementDefinition, type EventObject } from 'cytoscape'
import type { Box } from '../../../preload/contract/engine.ts'
import { begin } from '../../state/idle.ts'
import { badgeOf, flagOf, noteOf, overflowOf, type Mark } from './box-marks.ts'
import { Flat, labelled } from './flat.ts'
import { headHeight, styleSheet, type Tokens } from './style.ts'

/** What the pane shows: the point of the drawing in its middle, and pixels per layout unit. */
export interface Camera {
  readonly x: number
  readonly y: number
  readonly zoom: number
}

export interface CanvasEvents {
  tap(id: string): void
  open(id: string): void
  menu(id: string | null, x: number, y: number): void
  hover(id: string | null, x: number, y: number): void
  /** A gesture moved the camera. */
  moved(camera: Camera): void
}

export const zoomRange = { least: 0.05, most: 4 } as const
const most = 200
const moveMs = 120
/** Zooming stretches the last picture; a sharp one is drawn when it has come to rest. */
const sharpMs = 90
const dragFrom = 3

/** Sharp pictures that are due: one a frame, so that two sides do not make one frame long. */
const due: (() => void)[] = []
function drawNext(): void {
  due.shift()?.()
  if (due.length > 0) requestAnimationFrame(drawNext)
}
function inTurn(draw: () => void): () => void {
  if (due.push(draw) === 1) requestAnimationFrame(drawNext)
  return () => {
    const at = due.indexOf(draw)
    if (at >= 0) due.splice(at, 1)
  }
}

export class Canvas {
  readonly #box: HTMLElement
  readonly #cy: Core
  readonly #flat: Flat
  readonly #events: CanvasEvents
  readonly #undo: (() => void)[] = []
  #boxes: readonly Box[] = []
  #byId = new Map<string, Box>()
  #drawn = new Map<string, Box>()
  readonly #cuts = new Map<string, string>()
  #camera: Camera = { x: 0, y: 0, zoom: 1 }
  #drawnAround = { top: 0, bottom: 0, zoom: 0 }
  #selected = ''
  #buckets: readonly number[] = []
  #noted: ReadonlySet<string> = new Set()
  #frame = 0
  /** What cytoscape's picture shows. */
  #pictured: Camera = { x: 0, y: 0, zoom: 0 }
  #rest: readonly Box[] = []
  #near: readonly Box[] = []
  #sharpen = 0
  #blurred: (() => void) | null = null
  #glide: (() => void) | null = null
  /**
   * A glide moves the last picture and shows plain boxes where it does not reach; a sharp one follows when it
   * has arrived.
   */
  #moving: 'no' | 'gliding' | 'arrived' = 'no'
  #passed: readonly Box[] = []
  #cancelTurn: (() => void) | null = null
  /** Kept, since asking the box lays out the page. */
  #size = { width: 0, height: 0 }
  #reduced = matchMedia('(prefers-reduced-motion: reduce)')

  constructor(box: HTMLElement, flat: HTMLCanvasElement, tokens: Tokens, events: CanvasEvents) {
    this.#box = box
    this.#measure()
    this.#events = events
    this.#flat = new Flat(flat, tokens)
    this.#cy = cytoscape({
      container: box,
      style: styleSheet(tokens),
      elements: [],
      layout: { name: 'preset' },
      minZoom: zoomRange.least,
      maxZoom: zoomRange.most,
      userPanningEnabled: false,
      userZoomingEnabled: false,
      boxSelectionEnabled: false,
      autoungrabify: true,
      autounselectify: true,
      motionBlur: false,
      textureOnViewport: false,
    })
    this.#listen()
    const size = new ResizeObserver(() => {
      this.#measure()
      this.#cy.resize()
      this.#flat.resize()
      this.#show()
    })
    size.observe(box)
    this.#undo.push(() => size.disconnect())
  }

  destroy(): void {
    this.#glide?.()
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#sharpen)
    this.#cancelTurn?.()
    this.#blurred?.()
    for (const undo of this.#undo) undo()
    this.#cy.destroy()
  }

  get camera(): Camera {
    return this.#camera
  }
  get width(): number {
    return this.#size.width
  }
  get height(): number {
    return this.#size.height
  }
  get boxes(): readonly Box[] {
    return this.#boxes
  }
  get elements(): number {
    return this.#cy.elements().length
  }
  box(id: string): Box | undefined {
    return this.#byId.get(id)
  }

  #measure(): void {
    this.#size = { width: this.#box.clientWidth, height: this.#box.clientHeight }
  }

  dress(tokens: Tokens): void {
    this.#cy.style(styleSheet(tokens))
    this.#flat.dress(tokens)
    this.#show()
  }

  /** New boxes; what stays keeps its element. */
  draw(boxes: readonly Box[]): void {
    this.#boxes = boxes
    this.#byId = new Map(boxes.map(b => [b.id, b]))
    this.#redraw()
  }

  select(id: string): void {
    if (id === this.#selected) return
    this.#cy.getElementById(this.#selected).removeClass('selected')
    this.#selected = id
    this.#cy.getElementById(id).addClass('selected')
    if (id !== '' && this.#byId.has(id) && !this.#drawn.has(id)) this.#redraw()
  }

  /** Buckets that the legend picked; the rest steps back. */
  pick(buckets: readonly number[]): void {
    if (buckets.join() === this.#buckets.join()) return
    this.#buckets = buckets
    this.#drawn.clear()
    this.#cy.elements().remove()
    this.#redraw()
  }

  /** Nodes that the user noted or pinned carry a mark. */
  note(ids: readonly string[]): void {
    if (ids.join('\n') === [...this.#noted].join('\n')) return
    this.#noted = new Set(ids)
    this.#flat.note(this.#noted)
    this.#drawn.clear()
    this.#cy.elements().remove()
    this.#redraw()
  }

  look(camera: Camera): void {
    this.#glide?.()
    this.#set(camera)
  }

  /** Moves there in a moment, or at once where motion is not wanted. */
  glideTo(to: Camera, onStep: (camera: Camera) => void = () => {}): void {
    this.#glide?.()
    const from = this.#camera
    const far = Math.abs(to.y - from.y) * to.zoom > this.height * 3
    const there = Math.hypot(to.x - from.x, to.y - from.y) * to.zoom < 1 && from.zoom === to.zoom
    if (this.#reduced.matches || far || there) {
      this.#set(to)
      onStep(to)
      return
    }
    const done = begin('glide')
    const start = performance.now()
    let frame = 0
    const half = this.height / Math.min(from.zoom, to.zoom) / 2
    const [top, bottom] = [Math.min(from.y, to.y) - half, Math.max(from.y, to.y) + half]
    this.#passed = this.#boxes.filter(b => b.y < bottom && b.y + b.h > top)
    const step = (): void => {
      const part = Math.min(1, (performance.now() - start) / moveMs)
      const ease = 1 - (1 - part) ** 3
      const at = {
        x: from.x + (to.x - from.x) * ease,
        y: from.y + (to.y - from.y) * ease,
        zoom: from.zoom + (to.zoom - from.zoom) * ease,
      }
      this.#moving = part < 1 ? 'gliding' : 'arrived'
      this.#set(at)
      onStep(at)
      if (part < 1) frame = requestAnimationFrame(step)
      else {
        this.#glide = null
        done()
      }
    }
    this.#glide = () => {
      cancelAnimationFrame(frame)
      this.#glide = null
      this.#moving = 'no'
      done()
    }
    step()
  }

  /** Keeps the point under the pointer (or the middle) in place. */
  zoomed(factor: number, px = this.width / 2, py = this.height / 2): Camera {
    const { x, y, zoom } = this.#camera
    const next = Math.min(zoomRange.most, Math.max(zoomRange.least, zoom * factor))
    const dx = px - this.width / 2
    const dy = py - this.height / 2
    return { x: x + dx / zoom - dx / next, y: y + dy / zoom - dy / next, zoom: next }
  }

  /** Where a box stands in the pane, in pixels from its corner. */
  place(
    id: string,
  ): { readonly x: number; readonly y: number; readonly w: number; readonly h: number } | null {
    const b = this.#byId.get(id)
    if (!b) return null
    const { x, y, zoom } = this.#camera
    return {
      x: (b.x - x) * zoom + this.width / 2,
      y: (b.y - y) * zoom + this.height / 2,
      w: b.w * zoom,
      h: b.h * zoom,
    }
  }

  // ---------------------------------------------------------------------------------------- drawing

  #set(camera: Camera): void {
    this.#camera = camera
    if (this.#frame === 0)
      this.#frame = requestAnimationFrame(() => {
        this.#frame = 0
        this.#show()
      })
  }

  #show(): void {
    const moving = this.#moving
    if (moving === 'arrived') this.#moving = 'no'
    if (moving !== 'no' && this.#pictured.zoom > 0) {
      this.#stretch(moving === 'gliding' ? sharpMs : 0, this.#uncovered())
      return
    }
    const { zoom } = this.#camera
    this.#refill()
    if (zoom !== this.#pictured.zoom && this.#pictured.zoom > 0)
      this.#stretch(sharpMs, zoom < this.#pictured.zoom ? this.#near : this.#rest)
    else this.#picture()
  }

  /** The neighbourhood that is drawn follows the camera. */
  #refill(): void {
    const { y, zoom } = this.#camera
    const half = this.height / zoom / 2
    const near = this.#drawnAround
    if (y - half < near.top || y + half > near.bottom || near.zoom / zoom > 2 || zoom / near.zoom > 2)
      this.#redraw()
  }

  /** Boxes on the way of a glide that the last picture does not show, or shows in part. */
  #uncovered(): readonly Box[] {
    const { x, y, zoom } = this.#pictured
    const [broad, tall] = [this.width / zoom / 2, this.height / zoom / 2]
    const rest = new Set(this.#rest)
    return this.#passed.filter(
      b => rest.has(b) || b.y < y - tall || b.y + b.h > y + tall || b.x < x - broad || b.x + b.w > x + broad,
    )
  }

  /** Cytoscape draws what the camera sees. */
  #picture(): void {
    const { x, y, zoom } = this.#camera
    clearTimeout(this.#sharpen)
    this.#sharpen = 0
    this.#blurred?.()
    this.#blurred = null
    this.#pictured = this.#camera
    this.#cy.viewport({ zoom, pan: { x: this.width / 2 - x * zoom, y: this.height / 2 - y * zoom } } as never)
    this.#layer?.style.removeProperty('transform')
    this.#flat.boxes(this.#rest)
    this.#flat.draw(this.#camera, this.width, this.height)
  }

  /** The picture as it is, larger or smaller, over plain boxes where it does not reach. */
  #stretch(sharpIn: number, plain: readonly Box[]): void {
    const { x, y, zoom } = this.#camera
    const was = this.#pictured
    if (this.#layer)
      this.#layer.style.transform = `translate(${(was.x - x) * zoom}px, ${(was.y - y) * zoom}px) scale(${zoom / was.zoom})`
    this.#flat.boxes(plain)
    this.#flat.draw(this.#camera, this.width, this.height)
    clearTimeout(this.#sharpen)
    this.#blurred ??= begin('sharp')
    this.#sharpen = window.setTimeout(() => {
      this.#cancelTurn?.()
      this.#cancelTurn = inTurn(() => {
        this.#refill()
        this.#picture()
      })
    }, sharpIn)
  }

  get #layer(): HTMLElement | null {
    return this.#box.firstElementChild as HTMLElement | null
  }

  /** Puts into cytoscape what is in view and half a pane around it; only differences touch it. */
  #redraw(): void {
    const { y, zoom } = this.#camera
    const tall = this.height / zoom
    const around = { top: y - tall * 0.8, bottom: y + tall * 0.8, zoom }
    this.#drawnAround = around
    const near = this.#boxes.filter(b => b.y < around.bottom && b.y + b.h > around.top)
    const [chosen, rest] = this.#choose(near, y)
    this.#rest = rest
    this.#near = near
    this.#flat.boxes(rest)
    const cy = this.#cy
    cy.batch(() => {
      for (const [id, old] of this.#drawn) {
        const now = chosen.get(id)
        if (now && sameLook(now, old) && (!now.open || this.#cut(now, around) === this.#cuts.get(id)))
          continue
        cy.getElementById(id).remove()
        for (const mark of boxMarks) cy.getElementById(`${id}\n${mark}`).remove()
        this.#drawn.delete(id)
      }
      const added: ElementDefinition[] = []
      for (const [id, box] of chosen) {
        if (this.#drawn.has(id)) continue
        this.#drawn.set(id, box)
        this.#cuts.set(id, this.#cut(box, around))
        added.push(...this.#elements(box, around))
      }
      if (added.length > 0) cy.add(added)
    })
    if (this.#selected !== '') cy.getElementById(this.#selected).addClass('selected')
  }

  /**
   * What differs most first, then what is nearest to the middle. Frames go below with the rest, or they
   * would hide it.
   */
  #choose(near: readonly Box[], middle: number): readonly [ReadonlyMap<string, Box>, readonly Box[]] {
    const weight = (b: Box): number => (badgeOf(b) ? 2 : 1)
    const total = near.reduce((sum, b) => sum + weight(b), 0)
    if (total <= most) return [new Map(near.map(b => [b.id, b])), []]
    const rank = (b: Box): number =>
      (b.id === this.#selected || b.origin === 'here' ? -1e9 : 0) -
      Math.max(0, b.bucket) * 400 +
      Math.abs(b.y - middle)
    const chosen = new Map<string, Box>()
    const rest = near.filter(b => b.open)
    let used = 0
    for (const b of near.filter(b => !b.open).sort((a, c) => rank(a) - rank(c))) {
      used += weight(b)
      if (used <= most) chosen.set(b.id, b)
      else rest.push(b)
    }
    // Outer boxes must be drawn before inner ones.
    return [chosen, rest.sort((a, c) => a.depth - c.depth)]
  }

  /** How much of a frame is drawn: all of it, or the part near the pane. */
  #cut(b: Box, around: { readonly top: number; readonly bottom: number }): string {
    return b.y >= around.top - 200 && b.y + b.h <= around.bottom + 200 ? '' : `${around.top} ${around.bottom}`
  }

  #elements(b: Box, around: { readonly top: number; readonly bottom: number }): ElementDefinition[] {
    const stepsBack = b.dim || (this.#buckets.length > 0 && !this.#buckets.includes(b.bucket))
    // A frame taller than the neighbourhood is cut to it: no picture of 100,000 pixels is ever made.
    const top = b.open ? Math.max(b.y, around.top - 200) : b.y
    const bottom = b.open ? Math.min(b.y + b.h, around.bottom + 200) : b.y + b.h
    const headed = top === b.y
    const badge = badgeOf(b)
    const flag = flagOf(b)
    const overflow = overflowOf(b)
    const classes = [
      b.shape,
      `b${b.bucket}`,
      b.open ? 'open' : 'closed',
      b.open && !headed ? 'headless' : '',
      b.children > 0 ? 'parent' : 'leaf',
      stepsBack ? 'dim' : '',
      badge && !badge.corner && !b.open ? 'badged' : '',
      b.origin === 'here' ? 'origin' : '',
      b.id === this.#selected ? 'selected' : '',
    ]
      .filter(Boolean)
      .join(' ')
    const h = bottom - top
    const head = (headHeight / h) * 100
    const node: ElementDefinition = {
      group: 'nodes',
      classes,
      position: { x: b.x + b.w / 2, y: top + h / 2 },
      data: {
        id: b.id,
        label: labelled(b),
        w: b.w,
        h,
        depth: b.depth * 2,
        stops: [0, head, head, 100],
        margin: -(b.w - 9),
      },
    }
    const marked = `${stepsBack ? ' dim' : ''}${headed ? '' : ' gone'}`
    const mark = (
      of: (typeof boxMarks)[number],
      looks: string,
      { x, y, w, h: high }: Mark,
      label: string,
    ): ElementDefinition => ({
      group: 'nodes',
      classes: `mark ${looks}${marked}`,
      position: { x, y },
      data: { id: `${b.id}\n${of}`, of: b.id, label, w, h: high, depth: b.depth * 2 + 1 },
    })
    return [
      node,
      ...(badge ? [mark('#', `badge b${b.bucket}${badge.corner ? ' corner' : ''}`, badge, badge.text)] : []),
      ...(flag ? [mark('!', 'flag', flag, '')] : []),
      ...(this.#noted.has(b.id) ? [mark('*', 'noted', noteOf(b), '')] : []),
      ...(overflow ? [mark('^', 'overflow', overflow, '')] : []),
    ]
  }

  // ---------------------------------------------------------------------------------------- gestures

  #listen(): void {
    this.#listenToNodes()
    this.#listenToWheel()
    this.#listenToDrags()
    // A quick hand leaves without passing the edge of a node.
    this.#on(this.#box, 'pointerleave', () => this.#events.hover(null, 0, 0))
  }

  #on<K extends keyof HTMLElementEventMap>(
    target: HTMLElement | Window,
    name: K,
    listener: (e: HTMLElementEventMap[K]) => void,
    options?: AddEventListenerOptions,
  ): void {
    const untyped = listener as EventListener
    target.addEventListener(name, untyped, options)
    this.#undo.push(() => target.removeEventListener(name, untyped, options))
  }

  #listenToNodes(): void {
    const cy = this.#cy
    const idOf = (e: EventObject): string | null =>
      e.target === cy ? null : String(e.target.data('of') ?? e.target.id())
    const under = (e: EventObject): string | null =>
      idOf(e) ?? this.#flat.at(this.#layoutAt(e.renderedPosition.x, e.renderedPosition.y))
    cy.on('tap', e => {
      const id = under(e)
      if (id) this.#events.tap(id)
    })
    cy.on('dbltap', e => {
      const id = under(e)
      if (id) this.#events.open(id)
    })
    cy.on('cxttap', e => this.#events.menu(under(e), e.originalEvent.clientX, e.originalEvent.clientY))
    cy.on('mouseover', 'node', e => {
      this.#events.hover(idOf(e), e.originalEvent.clientX, e.originalEvent.clientY)
    })
    cy.on('mouseout', 'node', () => this.#events.hover(null, 0, 0))
  }

  #listenToWheel(): void {
    /** Pixels of what a mouse turns by, by the event's own number: pixels, lines, pages. */
    const units = (): readonly number[] => [1, 26, this.height]
    const wheel = (e: WheelEvent): void => {
      e.preventDefault()
      e.stopPropagation()
      this.#glide?.()
      this.#events.hover(null, 0, 0)
      const unit = units()[e.deltaMode] ?? 1
      if (e.ctrlKey || e.metaKey) {
        const box = this.#box.getBoundingClientRect()
        const factor = Math.exp(-e.deltaY * unit * 0.0022)
        this.#events.moved(this.zoomed(factor, e.clientX - box.left, e.clientY - box.top))
        return
      }
      const { x, y, zoom } = this.#camera
      const [dx, dy] = e.shiftKey ? [e.deltaY, 0] : [e.deltaX, e.deltaY]
      this.#events.moved({ x: x + (dx * unit) / zoom, y: y + (dy * unit) / zoom, zoom })
    }
    this.#on(this.#box, 'wheel', wheel, { passive: false, capture: true })
  }

  #listenToDrags(): void {
    let from: { readonly x: number; readonly y: number; readonly camera: Camera; dragging: boolean } | null =
      null
    this.#on(this.#box, 'pointerdown', e => {
      if (e.button === 0 || e.button === 1) {
        this.#glide?.()
        from = { x: e.clientX, y: e.clientY, camera: this.#camera, dragging: false }
      }
    })
    this.#on(window, 'pointermove', e => {
      if (!from || e.buttons === 0) return
      const [dx, dy] = [e.clientX - from.x, e.clientY - from.y]
      if (!from.dragging && Math.hypot(dx, dy) < dragFrom) return
      if (!from.dragging) {
        from.dragging = true
        this.#box.classList.add('dragging')
        this.#events.hover(null, 0, 0)
      }
      const { x, y, zoom } = from.camera
      this.#events.moved({ x: x - dx / zoom, y: y - dy / zoom, zoom })
    })
    this.#on(window, 'pointerup', () => {
      from = null
      this.#box.classList.remove('dragging')
    })
  }

  #layoutAt(px: number, py: number): { readonly x: number; readonly y: number } {
    const { x, y, zoom } = this.#camera
    return { x: x + (px - this.width / 2) / zoom, y: y + (py - this.height / 2) / zoom }
  }
}

/** Ends of the ids of what stands on a box: its count, its flag, the marks of its note and of overflow. */
const boxMarks = ['#', '!', '*', '^'] as const

const sameLook = (a: Box, b: Box): boolean =>
  a.x === b.x &&
  a.y === b.y &&
  a.w === b.w &&
  a.h === b.h &&
  a.open === b.open &&
  a.bucket === b.bucket &&
  a.differing === b.differing &&
  a.origin === b.origin &&
  a.overflow?.records === b.overflow?.records &&
  a.dim === b.dim &&
  a.label === b.label &&
  a.depth === b.depth
