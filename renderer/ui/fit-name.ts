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

/** Where a name may be cut or broken; a number belongs to the word before it. */
export const partsOf = (name: string): readonly string[] => name.split(/(?<=[./\\])(?!\d)/)

/** As much of the end of a name as has room: whole parts, and never less than its own. */
export function fittedName(name: string, room: number, font: string): string {
  const ruler = rulerOf(font)
  const parts = partsOf(name)
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

export interface FittedTrail {
  /** How many at the front have no room. */
  readonly hidden: number
  /** The others, each as much of it as has room. */
  readonly shown: readonly string[]
}

/** As many of the last names of a path as stand beside each other whole; the last one in any case. */
export function fittedTrail(
  names: readonly string[],
  room: number,
  font: string,
  between: number,
): FittedTrail {
  const ruler = rulerOf(font)
  const left = ruler.width(ellipsis) + between
  let hidden = names.length
  let width = 0
  while (hidden > 0) {
    const next = width + ruler.width(names[hidden - 1] ?? '') + (hidden < names.length ? between : 0)
    if (next + (hidden > 1 ? left : 0) > room) break
    width = next
    hidden--
  }
  if (hidden < names.length || names.length === 0) return { hidden, shown: names.slice(hidden) }
  const last = names.length - 1
  return { hidden: last, shown: [fittedName(names[last] ?? '', room - (last > 0 ? left : 0), font)] }
}

/** The font of an element, as a canvas wants it. */
export function fontOf(element: Element): string {
  const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(element)
  return `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`
}
