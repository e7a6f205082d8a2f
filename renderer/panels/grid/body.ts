// The rows of the table: which of them AG Grid draws now, and where they stand in the box that scrolls.
import { createGrid, type ColDef, type GridApi, type GridOptions } from 'ag-grid-community'
import type { CellColumn } from './cells.ts'
import { isChosen, type Cell, type Chosen } from './chosen.ts'
import { gridOptions, type DrawnRow } from './dress.ts'
import {
  atTop,
  canvasHeight,
  movedTo,
  rested,
  rowsInView,
  scrolledTo,
  topOf,
  topToShow,
  type Extent,
  type Scroll,
} from './scroll.ts'
import type { RowSource } from './source.ts'

/** What is drawn; another one is drawn by `show`. */
export interface Drawing {
  readonly source: RowSource
  /** In the order in which they stand. */
  readonly columns: readonly CellColumn[]
  /** The same columns as the grid wants them. */
  readonly defs: readonly ColDef<DrawnRow>[]
  readonly rowHeight: number
  /** Rows without a partner are marked. */
  readonly compares: boolean
  /** Rows of the comparison that show where the error enters. */
  readonly proof: ReadonlySet<number>
  readonly label: string
  readonly chosen: Chosen
  readonly active: Cell | null
}

/** Where it is drawn: the holder stays in view while the box around it scrolls over the canvas. */
export interface Places {
  readonly scroller: HTMLElement
  readonly holder: HTMLElement
  readonly canvas: HTMLElement
}

/** Rows above and below the view that are drawn too, and that are asked for too. */
const drawnAround = 2
const fetchedAround = 25
/** The header and the row of filters come before the first row. */
const headRows = 2
/** Wider than this no column is made to fit its texts. */
const mostFitted = 600
/** So much of a reason has to be in view. */
const leastSeen = 60

export type Arranged = Pick<GridOptions<DrawnRow>, 'onSortChanged' | 'onColumnMoved' | 'onColumnResized'>

export class TableBody {
  readonly #places: Places
  readonly #api: GridApi<DrawnRow>
  /** The element that is the grid for those who do not see it; it holds the focus. */
  readonly #grid: HTMLElement
  readonly #container: HTMLElement
  #drawing: Drawing
  /** What each slot shows. */
  #drawn = new Map<number, DrawnRow>()
  #scroll: Scroll = atTop
  #view = 0

  constructor(places: Places, drawing: Drawing, arranged: Arranged) {
    const { defs, rowHeight } = drawing
    this.#places = places
    this.#drawing = drawing
    this.#api = createGrid<DrawnRow>(places.holder, {
      ...gridOptions,
      ...arranged,
      columnDefs: [...defs],
      rowHeight,
      onColumnResized: event => {
        arranged.onColumnResized?.(event)
        this.#fitNames(event.api)
      },
      onDisplayedColumnsChanged: ({ api }) => this.#seeWhy(api),
      onBodyScroll: ({ api, direction }) => {
        if (direction === 'horizontal') this.#seeWhy(api)
      },
    })
    this.#grid = one(places.holder, '.ag-grid-viewport')
    this.#container = one(places.holder, '.ag-grid-scrolling-container')
    this.#grid.tabIndex = 0
    this.#api.setGridAriaProperty('multiselectable', 'true')
    this.#name()
  }

  get grid(): HTMLElement {
    return this.#grid
  }

  get #extent(): Extent {
    const { source, rowHeight } = this.#drawing
    return { rows: source.rows, rowHeight, view: this.#view }
  }

  /** Rows in view, and how many of them make a page. */
  get inView(): { readonly first: number; readonly last: number; readonly page: number } {
    const { first, last } = rowsInView(this.#extent, topOf(this.#scroll))
    return { first, last, page: Math.max(1, Math.floor(this.#view / this.#drawing.rowHeight) - 1) }
  }

  /** Columns as they stand now, after a person has moved them. */
  get order(): readonly string[] {
    return this.#api.getColumnState().map(c => c.colId)
  }

  show(next: Drawing): void {
    const before = this.#drawing
    this.#drawing = next
    if (next.label !== before.label) this.#name()
    if (next.defs !== before.defs) {
      this.#api.setGridOption('columnDefs', [...next.defs])
      this.#seeWhy(this.#api)
      this.#drawn.clear()
    }
    if (next.rowHeight !== before.rowHeight) this.#api.setGridOption('rowHeight', next.rowHeight)
    if (next.rowHeight !== before.rowHeight || next.source.rows !== before.source.rows) {
      const first = topOf(this.#scroll) / before.rowHeight
      this.#moveTo(first * next.rowHeight)
    }
    this.#draw()
  }

  /** The room for rows has changed. */
  measure(): void {
    const head = this.#places.holder.querySelector('.ag-header')?.clientHeight ?? 0
    const view = Math.max(0, this.#grid.clientHeight - head)
    if (view === this.#view) return
    this.#view = view
    this.#seeWhy(this.#api)
    this.#moveTo(topOf(this.#scroll))
    this.#draw()
  }

  /** The browser has scrolled. */
  scrolled(): void {
    const { scrollTop } = this.#places.scroller
    this.#take(scrolledTo(this.#extent, this.#scroll, scrollTop), scrollTop)
    this.#draw()
  }

  /** Scrolling has come to rest. */
  rest(): void {
    this.#take(rested(this.#extent, this.#scroll))
    this.#draw()
  }

  /** Goes to a row; it is drawn by the `show` that follows. */
  reveal(row: number, where: 'nearest' | 'middle' | 'top'): void {
    this.#moveTo(topToShow(this.#extent, topOf(this.#scroll), row, where))
  }

  /** Scrolls sideways as far as a column needs. */
  revealColumn(column: string): void {
    this.#api.ensureColumnVisible(column)
  }

  /** Rows have come: those that waited for them are drawn. */
  arrived(): void {
    this.#draw()
  }

  /** Makes columns as wide as their texts in view. */
  fit(columns: readonly string[]): void {
    this.#api.autoSizeColumns({ colIds: [...columns], defaultMaxWidth: mostFitted })
  }

  leave(): void {
    this.#api.destroy()
  }

  /** Names are cut to the width of their columns. */
  #fitNames(api: GridApi<DrawnRow>): void {
    const columns = this.#drawing.columns.filter(c => c.isName).map(c => c.column.id)
    api.refreshCells({ columns, force: true })
    this.#seeWhy(api)
  }

  /** Rows are tinted where the reason for it stands beside them. */
  #seeWhy(api: GridApi<DrawnRow>): void {
    const column = api.getColumn('message')
    const { left, right } = api.getHorizontalPixelRange()
    const from = column?.getLeft() ?? 0
    const seen =
      column?.isVisible() === true &&
      (column.isPinned() || (from < right - leastSeen && from + column.getActualWidth() > left + leastSeen))
    this.#places.holder.classList.toggle('why-in-view', seen)
  }

  #name(): void {
    this.#api.setGridAriaProperty('label', this.#drawing.label)
  }

  #moveTo(top: number): void {
    this.#take(movedTo(this.#extent, top))
  }

  /** Asking the browser where it stands would lay the page out: who knows tells. */
  #take(next: Scroll, stands = this.#scroll.scrollTop): void {
    const { canvas, scroller } = this.#places
    this.#scroll = next
    // The holder is as high as the view, so the canvas is what the rows need beyond that.
    const height = `${Math.max(0, canvasHeight(this.#extent) - this.#view)}px`
    if (canvas.style.height !== height) canvas.style.height = height
    if (stands !== next.scrollTop) scroller.scrollTop = next.scrollTop
  }

  #draw(): void {
    const { source, rowHeight } = this.#drawing
    const extent = this.#extent
    if (extent.view === 0) return
    const top = topOf(this.#scroll)
    const { first, last } = rowsInView(extent, top, drawnAround)
    source.want(Math.max(0, first - fetchedAround), Math.min(source.rows, last + fetchedAround))
    this.#drawRows(first, last)
    const shift = `${first * rowHeight - top}px`
    if (this.#container.style.top !== shift) this.#container.style.top = shift
    this.#mark()
  }

  /** The grid compares by identity: a row that shows what it showed is the same object. */
  #drawRows(first: number, last: number): void {
    const { source, compares, proof, rowHeight } = this.#drawing
    const slots = Math.ceil(this.#view / rowHeight) + 1 + 2 * drawnAround
    const rows: DrawnRow[] = []
    for (let row = first; row < last; row++) {
      const slot = row % slots
      const there = source.has(row)
      const origin = there && proof.has(source.number(row, 'row'))
      const before = this.#drawn.get(slot)
      const stays =
        before?.row === row &&
        before.source === source &&
        before.there === there &&
        before.compares === compares &&
        before.origin === origin
      rows.push(stays ? before : { slot, row, source, there, compares, origin })
    }
    if (rows.length === this.#drawn.size && rows.every(row => this.#drawn.get(row.slot) === row)) return
    this.#drawn = new Map(rows.map(row => [row.slot, row]))
    for (const cell of this.#container.querySelectorAll('[title]')) cell.removeAttribute('title')
    this.#api.setGridOption('rowData', rows)
  }

  /** Says which rows these are among all, which are chosen, and which cell is active. */
  #mark(): void {
    const { source, chosen } = this.#drawing
    const rowCount = String(source.rows + headRows)
    if (this.#grid.getAttribute('aria-rowcount') !== rowCount)
      this.#api.setGridAriaProperty('rowcount', rowCount)
    for (const element of this.#container.querySelectorAll<HTMLElement>('.ag-row')) {
      const row = this.#drawn.get(Number(element.getAttribute('row-id')))?.row
      if (row === undefined) continue
      put(element, 'data-row', String(row))
      put(element, 'aria-rowindex', String(row + 1 + headRows))
      put(element, 'aria-selected', String(isChosen(chosen, row)))
    }
    this.#nameActive()
  }

  /** Screen readers follow the active cell while the table itself keeps the focus. */
  #nameActive(): void {
    const { active, columns } = this.#drawing
    const before = document.getElementById(activeId)
    const column = CSS.escape(columns[active?.column ?? -1]?.column.id ?? '')
    const now = active
      ? this.#places.holder.querySelector(
          active.row < 0
            ? `.ag-header-cell:not(.ag-floating-filter)[col-id="${column}"]`
            : `[data-row="${active.row}"] [col-id="${column}"]`,
        )
      : null
    if (before !== now) {
      before?.removeAttribute('id')
      if (now) now.id = activeId
    }
    this.#api.setGridAriaProperty('activedescendant', now && activeId)
  }
}

const activeId = 'active-cell'

function put(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

function one(within: Element, selector: string): HTMLElement {
  const found = within.querySelector<HTMLElement>(selector)
  if (!found) throw new Error(`no ${selector} in the grid`)
  return found
}
