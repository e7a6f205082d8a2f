// Names that are longer than their place: cut between their parts, always from the left, so that the end stays.

/** Parts that stay whatever happens: `output.0`, `parameters_grad.weight`. */
const keptParts = 2
const ellipsis = '…'
const mostMeasured = 20_000

/** Widths of parts of names in one font. */
class Ruler {
  readonly #canvas: CanvasRenderingContext2D | null
  readonly #known = new Map<string, number>()

  constructor(font: string) {
    this.#canvas = document.createElement('canvas').getContext('2d')
    if (this.#canvas) this.#canvas.font = font
  }

  width(text: string): number {
    let width = this.#known.get(text)
    if (width === undefined) {
      if (this.#known.size >= mostMeasured) this.#known.clear()
      this.#known.set(text, (width = this.#canvas?.measureText(text).width ?? 0))
    }
    return width
  }
}

const rulers = new Map<string, Ruler>()

function rulerOf(font: string): Ruler {
  let ruler = rulers.get(font)
  if (!ruler) rulers.set(font, (ruler = new Ruler(font)))
  return ruler
}

/** As much of the end of a name as has room: whole parts, and never less than its own. */
export function fittedName(name: string, room: number, font: string): string {
  const ruler = rulerOf(font)
  // A number belongs to the word before it.
  const parts = name.split(/(?<=[./\\])(?!\d)/)
  let from = parts.length
  let width = 0
  const left = ruler.width(ellipsis)
  while (from > 0) {
    const next = width + ruler.width(parts[from - 1] ?? '')
    const isOwn = parts.length - from < keptParts
    if (!isOwn && next + (from > 1 ? left : 0) > room) break
    width = next
    from--
  }
  return from === 0 ? name : ellipsis + parts.slice(from).join('')
}

/** The font of an element, as a canvas wants it. */
export function fontOf(element: Element): string {
  const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(element)
  return `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`
}
