// What a person does to the table: which rows are chosen, which cell is active, and where keys and clicks lead.
import { TableBody, type Arranged, type Drawing, type Places } from './body.ts'
import { chosenFrom, flipped, isChosen, movedBy, onlyRow, rowsOf, type Cell, type Chosen } from './chosen.ts'

export type Shown = Omit<Drawing, 'chosen' | 'active'>

/** Rows that stay in sight above or below the one that is gone to. */
const around = 2

export class TableControl {
  readonly #body: TableBody
  #shown: Shown
  #chosen: Chosen = []
  #active: Cell | null = null
  /** Where a range of rows begins. */
  #anchor = 0

  constructor(places: Places, shown: Shown, arranged: Arranged) {
    this.#shown = shown
    this.#body = new TableBody(places, this.#drawing, arranged)
  }

  get #drawing(): Drawing {
    return { ...this.#shown, chosen: this.#chosen, active: this.#active }
  }
  get body(): TableBody {
    return this.#body
  }
  get active(): Cell | null {
    return this.#active
  }

  show(shown: Shown): void {
    if (shown.source.view !== this.#shown.source.view) this.#chosen = []
    if (this.#active && this.#active.row >= shown.source.rows) this.#active = null
    this.#shown = shown
    this.#body.show(this.#drawing)
  }

  /** The column of the active cell; the header is a cell too. */
  get activeColumn(): string | null {
    return this.#shown.columns[this.#active?.column ?? -1]?.column.id ?? null
  }

  /** Other rows than before come without a choice. */
  get hasChosen(): boolean {
    return this.#chosen.length > 0
  }

  /** Rows that are chosen, else the row of the active cell. */
  chosen(most: number): number[] {
    if (this.#chosen.length > 0) return rowsOf(this.#chosen, most)
    return this.#active && this.#active.row >= 0 ? [this.#active.row] : []
  }

  /** Makes columns as wide as their texts in view; all when none are named. */
  fit(columns: readonly string[] = this.#shown.columns.map(c => c.column.id)): void {
    this.#body.fit(columns)
  }

  choose(row: number | null): void {
    this.#chosen = row === null ? [] : onlyRow(row)
    this.#anchor = row ?? 0
    this.#body.show(this.#drawing)
  }

  /**
   * A row nearby moves the table by a few rows, which is drawn in half the time and easier to follow; one far
   * away comes into the middle.
   */
  goTo(row: number): void {
    const { first, last } = this.#body.inView
    const page = last - first
    if (row < first - page || row > last + page) this.#body.reveal(row, 'middle')
    else
      for (const edge of [row - around, row + around])
        if (edge >= 0 && edge < this.#shown.source.rows) this.#body.reveal(edge, 'nearest')
    this.choose(row)
  }

  focus(): void {
    if (!this.#active && this.#shown.source.rows > 0) {
      this.#active = { row: this.#body.inView.first, column: 0 }
      this.#body.show(this.#drawing)
    }
    this.#body.grid.focus()
  }

  /** A click on a cell; a row that is chosen alone is told apart from one of several. */
  click(cell: Cell, { shiftKey, ctrlKey, metaKey }: MouseEvent): 'one' | 'several' {
    this.#active = cell
    const several = shiftKey || ctrlKey || metaKey
    if (shiftKey) this.#chosen = chosenFrom(this.#anchor, cell.row)
    else {
      this.#anchor = cell.row
      this.#chosen = several ? flipped(this.#chosen, cell.row) : onlyRow(cell.row)
    }
    this.#body.show(this.#drawing)
    return several ? 'several' : 'one'
  }

  /** Follows a key; answers with the row that it leads to, or null when it leads nowhere. */
  press(e: KeyboardEvent): number | null {
    const { source, columns } = this.#shown
    const at = this.#active ?? { row: -1, column: 0 }
    if (e.key === ' ' && at.row >= 0) {
      e.preventDefault()
      this.#chosen = flipped(this.#chosen, at.row)
      this.#body.show(this.#drawing)
      return null
    }
    const key = `${e.ctrlKey || e.metaKey ? 'Mod+' : ''}${e.key}`
    const size = { rows: source.rows, columns: columns.length, page: this.#body.inView.page }
    const to = e.altKey ? null : movedBy(key, at, size)
    if (!to) return null
    e.preventDefault()
    this.#active = to
    const moves = to.row >= 0 && to.row !== at.row
    if (moves) {
      if (!e.shiftKey) this.#anchor = to.row
      this.#chosen = chosenFrom(this.#anchor, to.row)
      this.#body.reveal(to.row, 'nearest')
    }
    this.#body.show(this.#drawing)
    this.#body.revealColumn(columns[to.column]?.column.id ?? '')
    return moves && !e.shiftKey ? to.row : null
  }

  /** A menu is asked for at a cell: its row is chosen unless it is one of those that are. */
  pointAt(cell: Cell): void {
    this.#active = cell
    if (!isChosen(this.#chosen, cell.row)) this.#chosen = onlyRow(cell.row)
    this.#body.show(this.#drawing)
  }

  /** All of what the cell below an element stands for; '' where the cell says it already. */
  hoverText(target: EventTarget | null): string {
    const cell = this.cellOf(target)
    const column = this.#shown.columns[cell?.column ?? -1]
    if (!cell || !column) return ''
    const { source } = this.#shown
    if (!source.has(cell.row)) return ''
    const exact = column.exact(source, cell.row)
    return column.column.kind === 'number' && exact === column.text(source, cell.row) ? '' : exact
  }

  /** Row of the comparison whose state an element shows; -1 for any other. */
  stateRow(target: EventTarget | null): number {
    const cell = this.cellOf(target)
    const { source, columns } = this.#shown
    if (!cell || columns[cell.column]?.column.kind !== 'state' || !source.has(cell.row)) return -1
    return source.number(cell.row, 'row')
  }

  /** The row and column of an element of the table. */
  cellOf(target: EventTarget | null): Cell | null {
    const cell = target instanceof Element ? target.closest<HTMLElement>('.ag-cell') : null
    const row = cell?.closest<HTMLElement>('[data-row]')?.dataset['row']
    const id = cell?.getAttribute('col-id')
    const column = this.#shown.columns.findIndex(c => c.column.id === id)
    return row === undefined || column < 0 ? null : { row: Number(row), column }
  }
}
