// Where a table of any length stands in a canvas of limited height: browsers place and paint nothing beyond
// some 16 million pixels, so small movements are taken one to one and large ones by a scale.

/** Pixels are CSS pixels. */
export interface Extent {
  readonly rows: number
  readonly rowHeight: number
  /** Height of what is in view, without header. */
  readonly view: number
}

/**
 * `scrollTop` is what the browser knows; the pixel of the table at the upper edge is `scrollTop - offset`. The
 * offset stays while one scrolls nearby, so that rows that are drawn stay where they are on the canvas.
 */
export interface Scroll {
  readonly scrollTop: number
  readonly offset: number
}

export const atTop: Scroll = { scrollTop: 0, offset: 0 }

/** At twice the size still below 2^24 device pixels, from where on 32-bit floats skip whole pixels. */
export const canvasLimit = 8_000_000
/** So many pixels at both ends are not scaled, so that a step of the wheel is a step there too. */
const plainEnds = 100_000

const between = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value))

export const tableHeight = ({ rows, rowHeight }: Extent): number => rows * rowHeight
export const canvasHeight = (extent: Extent): number => Math.min(tableHeight(extent), canvasLimit)

/** The largest `scrollTop` of the browser, and of the table. */
const lastScrollTop = (extent: Extent): number => Math.max(0, canvasHeight(extent) - extent.view)
export const lastTop = (extent: Extent): number => Math.max(0, tableHeight(extent) - extent.view)

export const topOf = ({ scrollTop, offset }: Scroll): number => scrollTop - offset

/** Maps a position from a range of one length to one of another, with the ends kept one to one. */
function scaled(at: number, from: number, to: number): number {
  if (from === to) return between(at, 0, to)
  const ends = Math.min(plainEnds, from / 4, to / 4)
  if (at <= ends) return Math.max(0, at)
  if (at >= from - ends) return Math.min(to, to - (from - at))
  return ends + ((at - ends) * (to - 2 * ends)) / (from - 2 * ends)
}

const scrollTopFor = (extent: Extent, top: number): number =>
  Math.round(scaled(top, lastTop(extent), lastScrollTop(extent)))
const topFor = (extent: Extent, scrollTop: number): number =>
  Math.round(scaled(scrollTop, lastScrollTop(extent), lastTop(extent)))

/** The table stands at this pixel, and the scrollbar where that is in the whole. */
export function movedTo(extent: Extent, wanted: number): Scroll {
  const top = between(wanted, 0, lastTop(extent))
  const scrollTop = scrollTopFor(extent, top)
  return { scrollTop, offset: scrollTop - top }
}

/**
 * The browser has scrolled. Less than what a pixel of the scrollbar stands for is wheel or touch and moves the
 * table as far as the canvas; more is the scrollbar and moves it by the scale.
 */
export function scrolledTo(extent: Extent, before: Scroll, scrollTop: number): Scroll {
  const last = lastScrollTop(extent)
  if (last === lastTop(extent)) return { scrollTop, offset: 0 }
  const nearby = canvasLimit / Math.max(1, extent.view) / 4
  const moved = scrollTop - before.scrollTop
  const wanted = Math.abs(moved) <= nearby ? scrollTop - before.offset : topFor(extent, scrollTop)
  const top = between(wanted, 0, lastTop(extent))
  // At an end of the canvas, but not of the table: nothing would be left to scroll into.
  const stuck = (scrollTop <= 0 && top > 0) || (scrollTop >= last && top < lastTop(extent))
  return stuck ? movedTo(extent, top) : { scrollTop, offset: scrollTop - top }
}

/** Scrolling has come to rest: the scrollbar goes where the table stands. */
export const rested = (extent: Extent, before: Scroll): Scroll => movedTo(extent, topOf(before))

/** Rows that touch the view, and so many more on both sides; `last` is the first that does not. */
export function rowsInView(
  { rows, rowHeight, view }: Extent,
  top: number,
  more = 0,
): { readonly first: number; readonly last: number } {
  const first = between(Math.floor(top / rowHeight) - more, 0, rows)
  return { first, last: between(Math.ceil((top + view) / rowHeight) + more, first, rows) }
}

/** Where the table has to stand for a row: moved as little as needed, or with the row in the middle. */
export function topToShow(
  extent: Extent,
  top: number,
  row: number,
  where: 'nearest' | 'middle' | 'top',
): number {
  const { rowHeight, view } = extent
  const upper = row * rowHeight
  if (where === 'top') return between(upper, 0, lastTop(extent))
  if (where === 'middle') return between(upper - Math.round((view - rowHeight) / 2), 0, lastTop(extent))
  if (upper < top) return upper
  return between(Math.max(top, upper + rowHeight - view), 0, lastTop(extent))
}
