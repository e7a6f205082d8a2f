// The table's arithmetic: any number of rows in a canvas of limited height, ranges of chosen rows, keys.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  chosenFrom,
  flipped,
  isChosen,
  movedBy,
  onlyRow,
  rowsOf,
  type Chosen,
} from '../../renderer/panels/grid/chosen.ts'
import {
  atTop,
  canvasHeight,
  canvasLimit,
  lastTop,
  movedTo,
  rested,
  rowsInView,
  scrolledTo,
  tableHeight,
  topOf,
  topToShow,
  type Extent,
  type Scroll,
} from '../../renderer/panels/grid/scroll.ts'

const extents: fc.Arbitrary<Extent> = fc.record({
  rows: fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 200_000, max: 100_000_000 })),
  rowHeight: fc.constantFrom(26, 32),
  view: fc.integer({ min: 40, max: 1500 }),
})
const huge: fc.Arbitrary<Extent> = fc.record({
  rows: fc.integer({ min: 350_000, max: 100_000_000 }),
  rowHeight: fc.constantFrom(26, 32),
  view: fc.integer({ min: 40, max: 1500 }),
})
const share = fc.double({ min: 0, max: 1, noNaN: true })

/** What a browser makes of `scrollTop`: never beyond the ends of the canvas. */
const inCanvas = (extent: Extent, scrollTop: number): number =>
  Math.max(0, Math.min(canvasHeight(extent) - extent.view, scrollTop))
const wheel = (extent: Extent, before: Scroll, by: number): Scroll =>
  scrolledTo(extent, before, inCanvas(extent, before.scrollTop + by))

function expectOnCanvas(extent: Extent, scroll: Scroll): void {
  expect(topOf(scroll)).toBeGreaterThanOrEqual(0)
  expect(topOf(scroll)).toBeLessThanOrEqual(lastTop(extent))
  expect(scroll.scrollTop).toBe(inCanvas(extent, scroll.scrollTop))
  const { first, last } = rowsInView(extent, topOf(scroll))
  if (first === last) return
  // Nothing is drawn where the canvas ends, else it would grow and the scrollbar with it.
  expect((last - 1) * extent.rowHeight + scroll.offset).toBeLessThanOrEqual(canvasHeight(extent))
  expect((first + 1) * extent.rowHeight + scroll.offset).toBeGreaterThanOrEqual(0)
}

describe('a canvas of limited height', () => {
  test('never is higher than the browser can paint, and as high as the table where that fits', () => {
    fc.assert(
      fc.property(extents, extent => {
        expect(canvasHeight(extent)).toBe(Math.min(tableHeight(extent), canvasLimit))
      }),
    )
  })

  test('a table that fits is scrolled as it is', () => {
    fc.assert(
      fc.property(extents, share, (extent, at) => {
        fc.pre(tableHeight(extent) <= canvasLimit && tableHeight(extent) >= extent.view)
        const scrollTop = Math.round(at * lastTop(extent))
        expect(scrolledTo(extent, atTop, scrollTop)).toEqual({ scrollTop, offset: 0 })
        expect(topOf(movedTo(extent, scrollTop))).toBe(scrollTop)
      }),
    )
  })

  test('goes to any pixel exactly, and the scrollbar stands in the same order', () => {
    fc.assert(
      fc.property(huge, share, share, (extent, a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map(at => Math.round(at * lastTop(extent)))
        const [first, second] = [movedTo(extent, low ?? 0), movedTo(extent, high ?? 0)]
        expect(topOf(first)).toBe(low)
        expect(topOf(second)).toBe(high)
        expect(first.scrollTop).toBeLessThanOrEqual(second.scrollTop)
        expectOnCanvas(extent, first)
      }),
    )
  })

  test('the scrollbar reaches the first and the last row, from anywhere', () => {
    fc.assert(
      fc.property(huge, share, (extent, from) => {
        const before = movedTo(extent, Math.round(from * lastTop(extent)))
        const end = canvasHeight(extent) - extent.view
        const down = rested(extent, scrolledTo(extent, before, end))
        if (from < 0.9) {
          expect(topOf(down)).toBe(lastTop(extent))
          expect(down.scrollTop).toBe(end)
        }
        const up = rested(extent, scrolledTo(extent, before, 0))
        if (from > 0.1) expect(up).toEqual(atTop)
      }),
    )
  })

  test('dragging far takes the table to the same part of the whole', () => {
    fc.assert(
      fc.property(huge, fc.double({ min: 0.2, max: 0.8, noNaN: true }), (extent, at) => {
        const end = canvasHeight(extent) - extent.view
        const there = scrolledTo(extent, atTop, Math.round(at * end))
        // The unscaled ends take up to a fortieth of the canvas.
        expect(Math.abs(topOf(there) / lastTop(extent) - at)).toBeLessThan(0.03)
        expectOnCanvas(extent, there)
      }),
    )
  })

  test('a turn of the wheel moves the rows by as much, wherever one stands, and never past an end', () => {
    fc.assert(
      fc.property(
        huge,
        share,
        fc.array(fc.integer({ min: -600, max: 600 }), { maxLength: 60 }),
        (extent, from, turns) => {
          let scroll = movedTo(extent, Math.round(from * lastTop(extent)))
          for (const by of turns) {
            const wanted = Math.max(0, Math.min(lastTop(extent), topOf(scroll) + by))
            const edge = inCanvas(extent, scroll.scrollTop + by) !== scroll.scrollTop + by
            scroll = wheel(extent, scroll, by)
            if (!edge) expect(topOf(scroll)).toBe(wanted)
            expectOnCanvas(extent, scroll)
          }
        },
      ),
    )
  })

  test('rest moves the scrollbar only: rows stay where they are', () => {
    fc.assert(
      fc.property(huge, share, fc.integer({ min: -600, max: 600 }), (extent, from, by) => {
        const moving = wheel(extent, movedTo(extent, Math.round(from * lastTop(extent))), by)
        const still = rested(extent, moving)
        expect(topOf(still)).toBe(topOf(moving))
        expect(rested(extent, still)).toEqual(still)
      }),
    )
  })

  test.each([-1, 1])('the wheel reaches the end in direction %i, from nearby, without pause', way => {
    fc.assert(
      fc.property(huge, fc.integer({ min: 0, max: 400_000 }), (extent, far) => {
        const end = way < 0 ? 0 : lastTop(extent)
        let scroll = movedTo(extent, end - way * far)
        for (let turns = 0; topOf(scroll) !== end; turns++) {
          expect(turns).toBeLessThan(far / 500 + 20)
          scroll = wheel(extent, scroll, way * 500)
        }
        expect(topOf(rested(extent, scroll))).toBe(end)
      }),
      { numRuns: 40 },
    )
  })

  test('every row comes into view, whole, and the nearest way moves no further than needed', () => {
    fc.assert(
      fc.property(extents, share, share, (extent, from, at) => {
        fc.pre(extent.rows > 0)
        const row = Math.min(extent.rows - 1, Math.floor(at * extent.rows))
        const before = Math.round(from * lastTop(extent))
        for (const where of ['nearest', 'middle', 'top'] as const) {
          const top = topOf(movedTo(extent, topToShow(extent, before, row, where)))
          expect(row * extent.rowHeight).toBeGreaterThanOrEqual(top)
          expect((row + 1) * extent.rowHeight).toBeLessThanOrEqual(top + extent.view)
        }
        const near = topToShow(extent, before, row, 'nearest')
        if (row * extent.rowHeight >= before && (row + 1) * extent.rowHeight <= before + extent.view)
          expect(near).toBe(before)
      }),
    )
  })

  test('fewer rows than before, or more room: the table still stands in itself', () => {
    fc.assert(
      fc.property(extents, extents, share, (before, now, at) => {
        const scroll = movedTo(before, Math.round(at * lastTop(before)))
        expectOnCanvas(
          { ...now, view: Math.min(now.view, Math.max(1, canvasHeight(now))) },
          movedTo({ ...now, view: Math.min(now.view, Math.max(1, canvasHeight(now))) }, topOf(scroll)),
        )
      }),
    )
  })
})

describe('rows that are chosen', () => {
  const rows = fc.integer({ min: 0, max: 40 })

  test('flipping one changes that one only, and twice nothing', () => {
    fc.assert(
      fc.property(fc.array(rows), rows, (steps, row) => {
        const chosen = steps.reduce<Chosen>(flipped, [])
        const expected = new Set<number>()
        for (const step of steps) if (!expected.delete(step)) expected.add(step)
        expect(rowsOf(chosen, 100)).toEqual([...expected].toSorted((a, b) => a - b))
        expect(isChosen(flipped(chosen, row), row)).toBe(!isChosen(chosen, row))
        expect(rowsOf(flipped(flipped(chosen, row), row), 100)).toEqual(rowsOf(chosen, 100))
      }),
    )
  })

  test('a range reaches from where it began, either way; lists stop where they are told to', () => {
    expect(rowsOf(chosenFrom(7, 4), 10)).toEqual([4, 5, 6, 7])
    expect(rowsOf(chosenFrom(4, 7), 2)).toEqual([4, 5])
    expect(rowsOf(onlyRow(3), 10)).toEqual([3])
    expect(chosenFrom(0, 9_999_999)).toEqual([{ first: 0, last: 10_000_000 }])
  })
})

describe('keys', () => {
  const size = { rows: 10_000_000, columns: 9, page: 20 }
  test.each([
    ['ArrowDown', { row: 51, column: 3 }],
    ['ArrowUp', { row: 49, column: 3 }],
    ['ArrowRight', { row: 50, column: 4 }],
    ['ArrowLeft', { row: 50, column: 2 }],
    ['PageDown', { row: 70, column: 3 }],
    ['PageUp', { row: 30, column: 3 }],
    ['Home', { row: 0, column: 3 }],
    ['End', { row: 9_999_999, column: 3 }],
    ['Mod+Home', { row: 0, column: 0 }],
    ['Mod+End', { row: 9_999_999, column: 8 }],
    ['Mod+ArrowLeft', { row: 50, column: 0 }],
    ['Mod+ArrowRight', { row: 50, column: 8 }],
  ])('%s', (key, to) => expect(movedBy(key, { row: 50, column: 3 }, size)).toEqual(to))

  test('stop at the edges; above the first row is the header', () => {
    expect(movedBy('ArrowUp', { row: 0, column: 0 }, size)).toEqual({ row: -1, column: 0 })
    expect(movedBy('ArrowUp', { row: -1, column: 0 }, size)).toEqual({ row: -1, column: 0 })
    expect(movedBy('PageUp', { row: 3, column: 0 }, size)).toEqual({ row: 0, column: 0 })
    expect(movedBy('ArrowDown', { row: 9_999_999, column: 8 }, size)).toEqual({ row: 9_999_999, column: 8 })
    expect(movedBy('ArrowDown', { row: -1, column: 0 }, { ...size, rows: 0 })).toEqual({ row: -1, column: 0 })
    expect(movedBy('x', { row: 0, column: 0 }, size)).toBeNull()
  })
})
