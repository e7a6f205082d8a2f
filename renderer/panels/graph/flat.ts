// The layer below the boxes: plain rectangles for what is too small or too much to be drawn well.
import type { Box } from '../../../preload/contract/engine.ts'
import { flagOf, noteOf, overflowOf, type Mark } from './box-marks.ts'
import type { Camera } from './canvas.ts'
import { flagPoints, hatch, headHeight, noPartner, originLine, overflowPoints, type Tokens } from './style.ts'

/** Radius in pixels below which the mark of a note would be lost far away. */
const leastMark = 3

export const labelled = (b: Box): string => `${b.backward ? '◂' : '▸'} ${b.label}`

export class Flat {
  readonly #canvas: HTMLCanvasElement
  #tokens: Tokens
  #boxes: readonly Box[] = []
  #noted: ReadonlySet<string> = new Set()
  #clean = true
  #hatch: CanvasPattern | null = null

  constructor(canvas: HTMLCanvasElement, tokens: Tokens) {
    this.#canvas = canvas
    this.#tokens = tokens
    this.#hatch = hatchOf(tokens)
    this.resize()
  }

  dress(tokens: Tokens): void {
    this.#tokens = tokens
    this.#hatch = hatchOf(tokens)
  }
  boxes(boxes: readonly Box[]): void {
    this.#boxes = boxes
  }

  /** Ids of boxes that carry the mark of a note. */
  note(ids: ReadonlySet<string>): void {
    this.#noted = ids
  }

  resize(): void {
    const { canvas } = { canvas: this.#canvas }
    const box = canvas.parentElement
    if (!box) return
    canvas.width = Math.max(1, Math.round(box.clientWidth * devicePixelRatio))
    canvas.height = Math.max(1, Math.round(box.clientHeight * devicePixelRatio))
  }

  draw({ x, y, zoom }: Camera, width: number, height: number): void {
    if (this.#boxes.length === 0 && this.#clean) return
    const c = this.#canvas.getContext('2d')
    if (!c) return
    c.setTransform(1, 0, 0, 1, 0, 0)
    c.clearRect(0, 0, this.#canvas.width, this.#canvas.height)
    this.#clean = this.#boxes.length === 0
    const k = devicePixelRatio * zoom
    c.setTransform(
      k,
      0,
      0,
      k,
      devicePixelRatio * (width / 2 - x * zoom),
      devicePixelRatio * (height / 2 - y * zoom),
    )
    const text = zoom > 0.55
    c.font = `12px ${this.#tokens.font}`
    c.textBaseline = 'middle'
    const [top, bottom] = [y - height / zoom / 2, y + height / zoom / 2]
    for (const b of this.#boxes) {
      if (b.y > bottom || b.y + b.h < top) continue
      const colour = this.#tokens.bucket(b.bucket)
      c.globalAlpha = b.dim ? 0.35 : 1
      const fill = b.bucket === noPartner && this.#hatch ? this.#hatch : colour.fill
      c.fillStyle = b.open ? this.#tokens.pane : fill
      c.strokeStyle = b.origin === 'here' ? this.#tokens.text : colour.line
      c.lineWidth = b.origin === 'here' ? originLine : 1 / zoom
      // Near enough to read, boxes look as cytoscape draws them.
      if (text && !b.open) {
        c.beginPath()
        c.roundRect(b.x, b.y, b.w, b.h, b.shape === 'api' ? 12 : 6)
        c.fill()
        c.stroke()
        c.fillStyle = colour.text
        c.textAlign = 'center'
        c.fillText(labelled(b), b.x + b.w / 2, b.y + b.h / 2)
        this.#marks(c, b, zoom)
        continue
      }
      c.fillRect(b.x, b.y, b.w, b.h)
      if (b.open && (b.bucket > 0 || b.bucket < -1)) {
        c.fillStyle = fill
        c.fillRect(b.x, b.y, b.w, headHeight)
      }
      if (b.open || zoom > 0.15) c.strokeRect(b.x, b.y, b.w, b.h)
      if (text) {
        c.fillStyle = b.bucket <= 0 && b.bucket >= -1 ? this.#tokens.text : colour.text
        c.textAlign = 'start'
        c.fillText(labelled(b), b.x + 10, b.y + 13)
      }
      this.#marks(c, b, zoom)
    }
    c.globalAlpha = 1
  }

  #marks(c: CanvasRenderingContext2D, b: Box, zoom: number): void {
    if (this.#noted.has(b.id)) {
      const { x, y, w } = noteOf(b)
      const radius = Math.max(w / 2, leastMark / zoom)
      c.fillStyle = this.#tokens.accent
      c.beginPath()
      c.arc(x, y, radius, 0, 2 * Math.PI)
      c.fill()
    }
    const flag = flagOf(b)
    if (flag) this.#sign(c, flag, flagPoints, this.#tokens.flag)
    const overflow = overflowOf(b)
    if (overflow) this.#sign(c, overflow, overflowPoints, this.#tokens.overflow)
  }

  #sign(c: CanvasRenderingContext2D, at: Mark, points: typeof flagPoints, colour: string): void {
    c.fillStyle = colour
    c.beginPath()
    for (const [x, y] of points) c.lineTo(at.x + (x * at.w) / 2, at.y + (y * at.h) / 2)
    c.fill()
  }

  /** The innermost of the flat boxes at a point. */
  at({ x, y }: { readonly x: number; readonly y: number }): string | null {
    let found: Box | null = null
    for (const b of this.#boxes)
      if (x >= b.x && x <= b.x + b.w && y >= b.y && y <= b.y + b.h && (!found || b.depth > found.depth))
        found = b
    return found?.id ?? null
  }
}

/** Stripes that fill what has no partner. */
function hatchOf(tokens: Tokens): CanvasPattern | null {
  const tile = document.createElement('canvas')
  tile.width = tile.height = hatch.size
  const c = tile.getContext('2d')
  if (!c) return null
  c.fillStyle = tokens.pane
  c.fillRect(0, 0, hatch.size, hatch.size)
  c.strokeStyle = tokens.bucket(noPartner).fill
  c.lineWidth = hatch.line
  c.stroke(new Path2D(hatch.path))
  return c.createPattern(tile, 'repeat')
}
