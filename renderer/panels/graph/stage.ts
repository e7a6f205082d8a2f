// Both drawings together: which part of each is needed, what stays in place when boxes open, and how one side
// follows the other.
import type { Box, Scene, Side } from '../../../preload/contract/engine.ts'
import { across, anchorsOf } from './align.ts'
import { zoomRange, type Camera, type Canvas } from './canvas.ts'
import { otherSide } from '../../state/workbench.ts'

interface Window_ {
  readonly top: number
  readonly bottom: number
}
export type Windows = Readonly<Record<Side, Window_>>

interface Links {
  readonly pan: boolean
  readonly zoom: boolean
  readonly select: boolean
}

const sides = ['debug', 'bench'] as const
const wide = 24
/** At first the width is fitted where the whole is smaller than `comfortable`, up to this zoom. */
const firstZoom = 0.7
/** At first nothing is drawn smaller than this. */
const comfortable = 0.85

export class Stage {
  readonly #canvas: Partial<Record<Side, Canvas>> = {}
  #scene: Scene | null = null
  #placed = false
  #links: Links = { pan: true, zoom: true, select: true }
  #windows: Windows = { debug: { top: 0, bottom: 2400 }, bench: { top: 0, bottom: 2400 } }
  /** A box that was just opened or closed: it stays where it is on screen. */
  #keep: { readonly side: Side; readonly id: string } | null = null
  /** Where the held box was, from the middle of the pane, in layout units. */
  #held: { readonly x: number; readonly y: number } | null = null
  #lead: Side = 'debug'
  #onWindows: (windows: Windows) => void = () => {}
  readonly #watchers = new Set<() => void>()

  /** Told which part of each hierarchy is looked at, when that has changed. */
  tellWindows(tell: (windows: Windows) => void): void {
    this.#onWindows = tell
  }

  /** Tells whenever a camera moved; returns how to stop. */
  watch(tell: () => void): () => void {
    this.#watchers.add(tell)
    return () => this.#watchers.delete(tell)
  }

  #tell(): void {
    for (const tell of this.#watchers) tell()
  }

  put(side: Side, canvas: Canvas | null): void {
    if (canvas) this.#canvas[side] = canvas
    else delete this.#canvas[side]
    if (canvas && this.#scene) {
      const drawing = this.#scene[side]
      if (drawing) canvas.draw(drawing.boxes)
    }
  }

  canvas(side: Side): Canvas | undefined {
    return this.#canvas[side]
  }
  get scene(): Scene | null {
    return this.#scene
  }
  get lead(): Side {
    return this.#lead
  }
  get windows(): Windows {
    return this.#windows
  }
  link(links: Links): void {
    this.#links = links
  }
  /** What is selected stays where it is on screen while many boxes open or close around it. */
  hold(side: Side, id: string): void {
    const canvas = this.#canvas[side]
    const box = canvas?.box(id)
    if (!canvas || !box) return
    const { camera } = canvas
    this.#held = { x: box.x + box.w / 2 - camera.x, y: line(box) - camera.y }
  }
  keep(side: Side, id: string): void {
    this.#keep = { side, id }
    this.#lead = side
  }

  /** Another comparison: cameras start anew. */
  forget(): void {
    this.#placed = false
    this.#scene = null
    this.#keep = null
  }

  take(scene: Scene): void {
    const before = new Map(sides.map(side => [side, this.#still(side)]))
    this.#scene = scene
    for (const side of sides) {
      const drawing = scene[side]
      const canvas = this.#canvas[side]
      if (!drawing || !canvas) continue
      const held = before.get(side)
      canvas.draw(drawing.boxes)
      const now = held && canvas.box(held.id)
      if (this.#placed && held && now) {
        const { camera } = canvas
        canvas.look({ ...camera, x: camera.x + (now.x + now.w / 2 - held.x), y: camera.y + (now.y - held.y) })
      }
    }
    this.#keep = null
    if (!this.#placed && this.#ready()) {
      this.#placed = true
      this.#fit(false, (whole, byWidth) => (whole >= comfortable ? whole : Math.max(byWidth, firstZoom)))
    } else if (this.#links.pan) this.#follow(this.#lead)
    this.#needed()
  }

  #ready(): boolean {
    return sides.every(side => !this.#scene?.[side] || (this.#canvas[side]?.width ?? 0) > 0)
  }

  /** A box to hold in place: the one acted upon, else the one nearest to the middle. */
  #still(side: Side): { readonly id: string; readonly x: number; readonly y: number } | null {
    const canvas = this.#canvas[side]
    if (!canvas) return null
    const keep = this.#keep
    const kept =
      keep?.side === side ? canvas.box(keep.id) : keep && canvas.boxes.find(b => b.partner === keep.id)
    const box = kept ?? nearest(canvas.boxes, canvas.camera.y)
    return box ? { id: box.id, x: box.x + box.w / 2, y: box.y } : null
  }

  // ---------------------------------------------------------------------------------------- moving

  /** A gesture on one side. */
  moved(side: Side, camera: Camera, glide = false): void {
    this.#lead = side
    const to = this.#within(side, camera)
    const canvas = this.#canvas[side]
    if (!canvas) return
    if (glide)
      canvas.glideTo(to, () => {
        this.#follow(side)
        this.#needed()
      })
    else canvas.look(to)
    this.#follow(side)
    this.#needed()
  }

  zoom(side: Side, factor: number): void {
    const canvas = this.#canvas[side]
    if (canvas) this.moved(side, canvas.zoomed(factor), true)
  }

  move(side: Side, dx: number, dy: number): void {
    const camera = this.#canvas[side]?.camera
    if (camera)
      this.moved(side, { ...camera, x: camera.x - dx / camera.zoom, y: camera.y - dy / camera.zoom }, true)
  }

  /** All of both drawings; what is larger than the farthest view is shown around what was looked at. */
  fit(): void {
    this.#fit(true, whole => Math.max(zoomRange.least, whole))
  }

  #fit(glide: boolean, fitted: (whole: number, byWidth: number) => number): void {
    for (const side of sides) {
      const canvas = this.#canvas[side]
      const drawing = this.#scene?.[side]
      if (!canvas || !drawing || canvas.width === 0) continue
      const byWidth = Math.min(1, (canvas.width - wide) / Math.max(1, drawing.width))
      const whole = Math.min(byWidth, (canvas.height - wide) / Math.max(1, drawing.height))
      const zoom = fitted(whole, byWidth)
      const top = (canvas.height - wide) / zoom / 2
      const here = this.#within(side, { ...canvas.camera, zoom })
      const to = { x: drawing.width / 2, y: glide && whole < zoom ? here.y : top, zoom }
      if (glide) canvas.glideTo(to, () => this.#needed())
      else canvas.look(to)
    }
    this.#needed()
  }

  actual(): void {
    const canvas = this.#canvas[this.#lead]
    if (canvas) this.moved(this.#lead, canvas.zoomed(1 / canvas.camera.zoom), true)
  }

  /** Brings a box into view, or into the middle. */
  centre(side: Side, box: Place, always = false): void {
    const to = this.#centred(side, box, always)
    if (to) this.moved(side, to, true)
  }

  /**
   * Shows a pair: the box in the middle (or where it is, when it was `tapped`; where it was, when it is `held`;
   * or just in view), its partner at the same height.
   */
  pair(side: Side, box: Place, partner: Place | null, how: Arrival): void {
    const [mine, theirs] = [this.#canvas[side], this.#canvas[otherSide(side)]]
    const to = how === 'tapped' ? mine?.camera : this.#arrived(side, box, how)
    if (!mine || !to) return
    const still = to.x === mine.camera.x && to.y === mine.camera.y
    if (!partner || !theirs) {
      if (!still) this.moved(side, to, true)
      return
    }
    const glided = (): void => {
      this.#tell()
      this.#needed()
    }
    this.#lead = side
    if (!still) mine.glideTo(to, glided)
    const zoom = this.#links.zoom ? to.zoom : theirs.camera.zoom
    const [from, there] = [this.#scene?.[side], this.#scene?.[otherSide(side)]]
    const x =
      this.#links.pan && from && there
        ? there.width / 2 + (to.x - from.width / 2)
        : acrossView(theirs, partner)
    theirs.glideTo({ x, y: line(partner) - ((line(box) - to.y) * to.zoom) / zoom, zoom }, glided)
    this.#needed()
  }

  #arrived(side: Side, box: Place, how: Arrival): Camera | null {
    const [held, canvas] = [this.#held, this.#canvas[side]]
    this.#held = null
    const { height = 0, camera } = canvas ?? {}
    if (how !== 'held' || !held || !camera || Math.abs(held.y) > height / camera.zoom / 2)
      return this.#centred(side, box, how !== 'view')
    return this.#within(side, { ...camera, x: box.x + box.w / 2 - held.x, y: line(box) - held.y })
  }

  #centred(side: Side, box: Place, always: boolean): Camera | null {
    const canvas = this.#canvas[side]
    if (!canvas || canvas.height === 0) return null
    const { camera } = canvas
    const tall = canvas.height / camera.zoom
    // A frame larger than the pane is looked at from its title on.
    const y = box.h > tall * 0.8 ? box.y + tall * 0.35 : box.y + box.h / 2
    const inView = !always && Math.abs(y - camera.y) < tall * 0.38
    this.#lead = side
    return this.#within(side, { ...camera, x: acrossView(canvas, box), y: inView ? camera.y : y })
  }

  #follow(lead: Side): void {
    const to = otherSide(lead)
    const [mine, theirs] = [this.#canvas[lead], this.#canvas[to]]
    const [from, there] = [this.#scene?.[lead], this.#scene?.[to]]
    if (!mine || !theirs || !from || !there || (!this.#links.pan && !this.#links.zoom)) return
    const { camera } = mine
    const old = theirs.camera
    const zoom = this.#links.zoom ? camera.zoom : old.zoom
    if (!this.#links.pan) {
      theirs.look({ ...old, zoom })
      return
    }
    const y = across(this.#anchors(lead, from.boxes, theirs), camera.y) ?? camera.y
    theirs.look({ x: there.width / 2 + (camera.x - from.width / 2), y, zoom })
  }

  #anchored: {
    readonly lead: Side
    readonly scene: Scene
    readonly anchors: readonly (readonly [number, number])[]
  } | null = null
  #anchors(lead: Side, boxes: readonly Box[], there: Canvas): readonly (readonly [number, number])[] {
    const scene = this.#scene as Scene
    if (this.#anchored?.lead !== lead || this.#anchored.scene !== scene)
      this.#anchored = { lead, scene, anchors: anchorsOf(boxes, there) }
    return this.#anchored.anchors
  }

  /** Some of the drawing is always in view. */
  #within(side: Side, camera: Camera): Camera {
    const canvas = this.#canvas[side]
    const drawing = this.#scene?.[side]
    if (!canvas || !drawing) return camera
    const [tall, broad] = [canvas.height / camera.zoom / 2, canvas.width / camera.zoom / 2]
    const margin = wide / camera.zoom
    const [upper, lower] = [tall - margin, drawing.height - tall + margin]
    return {
      ...camera,
      x: Math.min(Math.max(camera.x, -broad * 0.8), drawing.width + broad * 0.8),
      y: Math.min(Math.max(camera.y, Math.min(upper, lower)), Math.max(upper, lower)),
    }
  }

  /** Asks for more of the drawing when a camera comes near the edge of what is there. */
  #needed(): void {
    this.#tell()
    let changed = false
    const next = { ...this.#windows }
    for (const side of sides) {
      const canvas = this.#canvas[side]
      if (!canvas || canvas.height === 0) continue
      const { camera } = canvas
      const tall = canvas.height / camera.zoom
      const [top, bottom] = [camera.y - tall / 2, camera.y + tall / 2]
      const have = next[side]
      const size = this.#scene?.[side]?.height ?? Infinity
      const tooLittle =
        (have.top > 0 && top < have.top + tall * 0.5) ||
        (have.bottom < size && bottom > have.bottom - tall * 0.5)
      const tooMuch = have.bottom - have.top > tall * 9 + 3000
      if (!tooLittle && !tooMuch) continue
      // Far out, a margin of the same share would be too many boxes for one answer.
      const margin = Math.max(600, tall > 4000 ? tall * 0.4 : tall * 1.5)
      next[side] = { top: Math.floor(Math.max(0, top - margin)), bottom: Math.ceil(bottom + margin) }
      changed = true
    }
    if (!changed) return
    this.#windows = next
    this.#onWindows(next)
  }
}

/** Where a shown box is brought to: `held` where it was before the drawing changed. */
type Arrival = 'middle' | 'view' | 'tapped' | 'held'

type Place = Pick<Box, 'x' | 'y' | 'w' | 'h'>

/** The height at which a box is looked at: its middle, or the title of a frame. */
const line = (box: Place): number => box.y + Math.min(box.h, 26) / 2

/** Where to look from left to right: as before while the box can be seen. */
function acrossView({ camera, width }: Canvas, box: Place): number {
  const half = width / camera.zoom / 2
  const middle = box.x + box.w / 2
  return Math.abs(middle - camera.x) < half - Math.min(box.w / 2, half / 2) ? camera.x : middle
}

function nearest(boxes: readonly Box[], y: number): Box | undefined {
  let best: Box | undefined
  let least = Infinity
  for (const b of boxes) {
    const far = Math.abs(b.y + 12 - y)
    if (far < least) {
      least = far
      best = b
    }
  }
  return best
}
