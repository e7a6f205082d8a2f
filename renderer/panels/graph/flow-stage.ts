// Where both dataflow drawings are looked at from: offsets from the node in question, so that the two sides
// move alike.
import type { Side } from '../../../preload/contract/engine.ts'
import { zoomRange } from './canvas.ts'
import { otherSide } from '../../state/workbench.ts'

/** Offset of the pane's middle from the anchor, in units of the drawing, and pixels per unit. */
interface FlowCamera {
  readonly x: number
  readonly y: number
  readonly zoom: number
}

interface FlowView {
  show(camera: FlowCamera): void
  /** The drawing with the place of its anchor, and the pane. */
  size(): {
    readonly drawing: { readonly w: number; readonly h: number; readonly x: number; readonly y: number }
    readonly pane: { readonly w: number; readonly h: number }
  }
}

const margin = 28
const readable = 0.55

export class FlowStage {
  readonly #views: Partial<Record<Side, FlowView>> = {}
  readonly #cameras: Record<Side, FlowCamera> = {
    debug: { x: 0, y: 0, zoom: 1 },
    bench: { x: 0, y: 0, zoom: 1 },
  }
  #links = { pan: true, zoom: true }
  #lead: Side = 'debug'

  get lead(): Side {
    return this.#lead
  }
  follow(side: Side): void {
    this.#lead = side
  }
  link(links: { readonly pan: boolean; readonly zoom: boolean }): void {
    this.#links = { pan: links.pan, zoom: links.zoom }
  }
  put(side: Side, view: FlowView | null): void {
    if (view) this.#views[side] = view
    else delete this.#views[side]
  }

  camera(side: Side): FlowCamera {
    return this.#cameras[side]
  }

  moved(side: Side, camera: FlowCamera): void {
    this.#lead = side
    this.#set(side, camera)
    const there = this.#cameras[otherSide(side)]
    const { pan, zoom } = this.#links
    this.#set(otherSide(side), {
      x: pan ? camera.x : there.x,
      y: pan ? camera.y : there.y,
      zoom: zoom ? camera.zoom : there.zoom,
    })
  }

  move(dx: number, dy: number): void {
    const { x, y, zoom } = this.#cameras[this.#lead]
    this.moved(this.#lead, { x: x - dx / zoom, y: y - dy / zoom, zoom })
  }

  /** Keeps the point at an offset of the pane's middle in place. */
  zoom(side: Side, factor: number, px = 0, py = 0): void {
    const { x, y, zoom } = this.#cameras[side]
    const next = Math.min(zoomRange.most, Math.max(zoomRange.least, zoom * factor))
    this.moved(side, { x: x + px / zoom - px / next, y: y + py / zoom - py / next, zoom: next })
  }

  actual(): void {
    this.moved(this.#lead, { ...this.#cameras[this.#lead], zoom: 1 })
  }

  /** All of it where that can be read, the node in question in the middle else. */
  home(side: Side, least = readable): void {
    const view = this.#views[side]
    if (!view) return
    const { drawing, pane } = view.size()
    if (pane.w === 0 || drawing.w === 0) return
    const whole = Math.min(1, (pane.w - margin) / drawing.w, (pane.h - margin) / drawing.h)
    this.#set(
      side,
      whole >= least
        ? { x: drawing.w / 2 - drawing.x, y: drawing.h / 2 - drawing.y, zoom: whole }
        : { x: 0, y: 0, zoom: Math.max(least, Math.min(1, whole * 2)) },
    )
  }

  fit(): void {
    for (const side of ['debug', 'bench'] as const) this.home(side, zoomRange.least)
  }

  /** Brings a point into view; one that is in view stays. */
  show(side: Side, x: number, y: number): void {
    const view = this.#views[side]
    if (!view) return
    const { drawing, pane } = view.size()
    const camera = this.#cameras[side]
    const [dx, dy] = [x - drawing.x - camera.x, y - drawing.y - camera.y]
    if (Math.abs(dx) * camera.zoom < pane.w * 0.42 && Math.abs(dy) * camera.zoom < pane.h * 0.42) return
    this.#set(side, { ...camera, x: x - drawing.x, y: y - drawing.y })
  }

  #set(side: Side, camera: FlowCamera): void {
    this.#cameras[side] = camera
    this.#views[side]?.show(camera)
  }
}
