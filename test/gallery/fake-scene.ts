// Positions for the made-up models: nested boxes in execution order, as the engine gives them.
import type { Box, SceneDrawing, SceneSide } from '../../preload/contract/engine.ts'
import { cutFront } from '../../main/engine/graph/labels.ts'
import type { FakeNode } from './fake-model.ts'

const gap = 6
const pad = 10
const head = 26
const line = 26

interface Placed {
  readonly node: FakeNode
  readonly w: number
  readonly h: number
  x: number
  y: number
  readonly inner: readonly Placed[]
}

const closedWidth = (n: FakeNode): number =>
  Math.min(320, 30 + n.label.length * 6.6 + (n.failing > 0 ? 22 : 0))

function measure(n: FakeNode, open: ReadonlySet<string>): Placed {
  if (n.children.length === 0 || !(open.has(n.id) || n.parent === null))
    return { node: n, w: closedWidth(n), h: line, x: 0, y: 0, inner: [] }
  const inner = n.children.map(c => measure(c, open))
  let y = head + gap
  let width = closedWidth(n)
  for (let i = 0; i < inner.length;) {
    const row: Placed[] = []
    let w = 0
    do {
      const p = inner[i++]!
      row.push(p)
      w += p.w + gap
    } while (
      i < inner.length &&
      inner[i - 1]!.node.shape === 'api' &&
      inner[i]!.node.shape === 'api' &&
      row.length < 5
    )
    w -= gap
    width = Math.max(width, w + pad * 2)
    let x = -w / 2
    for (const p of row) {
      p.x = x
      p.y = y
      x += p.w + gap
    }
    y += Math.max(...row.map(p => p.h)) + gap
  }
  for (const p of inner) p.x += width / 2
  return { node: n, w: width, h: y + pad - gap, x: 0, y: 0, inner }
}

export function fakeScene(root: FakeNode, side: SceneSide, dims: (n: FakeNode) => boolean): SceneDrawing {
  const open = new Set(side.open)
  const whole = measure(root, open)
  const boxes: Box[] = []
  const total = root.end || 1
  const visit = (p: Placed, x: number, y: number): void => {
    if (y + p.h < side.top || y > side.bottom) return
    const n = p.node
    boxes.push({
      id: n.id,
      label: cutFront(n.label, p.w - 34),
      shape: n.shape,
      x,
      y,
      w: p.w,
      h: p.h,
      from: n.place / total,
      to: n.end / total,
      depth: n.depth,
      open: p.inner.length > 0,
      children: n.children.length,
      backward: n.backward,
      bucket: n.bucket,
      differing: n.failing,
      own: { rows: n.rows, differs: n.differs, level: n.level },
      made: null,
      origin: n.origin ? 'here' : n.holdsOrigin ? 'inside' : 'none',
      dim: dims(n),
      overflow: null,
      partner: n.partner,
    })
    for (const inner of p.inner) visit(inner, x + inner.x, y + inner.y)
  }
  visit(whole, 0, 0)
  return { boxes, width: whole.w, height: whole.h }
}
