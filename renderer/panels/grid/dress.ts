// AG Grid in our dress: its modules, its theme, and our columns as it wants them.
import { AG_GRID_LOCALE_CN } from '@ag-grid-community/locale'
import {
  CellStyleModule,
  ClientSideRowModelModule,
  ColumnApiModule,
  ColumnAutoSizeModule,
  createTheme,
  CustomFilterModule,
  LocaleModule,
  ModuleRegistry,
  RenderApiModule,
  RowStyleModule,
  ScrollApiModule,
  type ColDef,
  type GridOptions,
  type IFilterComp,
  type RowClassRules,
} from 'ag-grid-community'
import { now, type Sort } from '../../state/workbench.ts'
import type { CellColumn } from './cells.ts'
import type { ShownColumn } from './columns.ts'
import { fittedName, fontOf } from '../../ui/fit-name.ts'
import { FilterRowCell, type FilterCellParams } from './filter-cell.tsx'
import { Pill } from './pill.ts'
import { stateOf, type RowSource } from './source.ts'

ModuleRegistry.registerModules([
  ClientSideRowModelModule,
  CellStyleModule,
  RowStyleModule,
  ColumnAutoSizeModule,
  ColumnApiModule,
  RenderApiModule,
  ScrollApiModule,
  CustomFilterModule,
  LocaleModule,
])

/** A row that is drawn. A slot is an element on screen that shows one row after another. */
export interface DrawnRow {
  readonly slot: number
  readonly row: number
  readonly source: RowSource
  /** Whether its block had come when it was drawn. */
  readonly there: boolean
  /** Whether rows without a partner are marked. */
  readonly compares: boolean
  /** Whether it shows where the error enters. */
  readonly origin: boolean
}

const theme = createTheme().withParams({
  backgroundColor: 'var(--pane)',
  foregroundColor: 'var(--text)',
  borderColor: 'var(--line)',
  headerBackgroundColor: 'var(--pane)',
  headerTextColor: 'var(--dim)',
  headerCellHoverBackgroundColor: 'var(--hover)',
  headerCellMovingBackgroundColor: 'var(--press)',
  columnDragIndicatorColor: 'var(--accent)',
  dragAndDropImageBackgroundColor: 'var(--raised)',
  chromeBackgroundColor: 'var(--pane)',
  rowHoverColor: 'var(--hover)',
  accentColor: 'var(--accent)',
  fontFamily: 'inherit',
  fontSize: 'var(--body)',
  headerFontSize: 'var(--small)',
  headerFontWeight: 600,
  spacing: 4,
  cellHorizontalPadding: 7,
  wrapperBorder: false,
  wrapperBorderRadius: 0,
  columnBorder: false,
  rowBorder: true,
  headerColumnBorder: false,
  pinnedColumnBorder: true,
  cellTextColor: 'var(--text)',
  headerColumnResizeHandleColor: 'var(--line-strong)',
  headerColumnResizeHandleHeight: 14,
  headerColumnResizeHandleWidth: 1,
  browserColorScheme: 'inherit',
})

const headHeight = 28
/** What the padding and the line of a cell take of its width. */
const cellEdges = 16
const leastWidth = 44

/** The engine filters; the grid only has room for the cells of the filter row. */
class NoFilter implements IFilterComp<DrawnRow> {
  readonly #nothing = document.createElement('span')

  getGui(): HTMLElement {
    return this.#nothing
  }
  isFilterActive(): boolean {
    return false
  }
  doesFilterPass(): boolean {
    return true
  }
  getModel(): null {
    return null
  }
  setModel(): void {}
}

/** The state is what one looks for: it stays at the right edge, where the eye finds it; others at the left. */
const pinnedAt = (id: string): 'left' | 'right' => (id === 'state' ? 'right' : 'left')

/** As they stand: those that stay in view are at the edges. */
export function inOrder(shown: readonly ShownColumn[], pinned: ReadonlySet<string>): readonly ShownColumn[] {
  const at = (edge: 'left' | 'right'): readonly ShownColumn[] =>
    shown.filter(c => pinned.has(c.id) && pinnedAt(c.id) === edge)
  return [...at('left'), ...shown.filter(c => !pinned.has(c.id)), ...at('right')]
}

interface Dress {
  readonly pinned: ReadonlySet<string>
  readonly sort: readonly Sort[]
  title(column: ShownColumn): string
}

export function columnDef(cell: CellColumn, { pinned, sort, title }: Dress): ColDef<DrawnRow> {
  const { column } = cell
  const { id, kind, numeric } = column
  const sorted = sort.find(s => s.column === id)
  const name = title(column)
  // Asked for once: it is the same in every row.
  const font = cell.isName ? fontOf(document.body) : ''
  const filtered = kind !== 'row' && kind !== 'state' && kind !== 'recomputed'
  const rules = cell.looks.map(look => [
    look,
    ({ data }: { readonly data?: DrawnRow | undefined }) =>
      data?.there === true && cell.lookOf(data.source, data.row) === look,
  ])
  return {
    colId: id,
    headerName: name,
    width: Math.max(leastWidth, column.width),
    minWidth: column.flexible ? Math.max(leastWidth, column.width) : leastWidth,
    flex: column.flexible ? 1 : null,
    pinned: pinned.has(id) ? pinnedAt(id) : null,
    sort: sorted ? (sorted.down ? 'desc' : 'asc') : null,
    valueGetter: ({ data, column: at }) => {
      if (!data?.there) return ''
      const text = cell.text(data.source, data.row)
      return cell.isName ? fittedName(text, at.getActualWidth() - cellEdges, font) : text
    },
    cellClass: `cell-${kind}`,
    cellClassRules: Object.fromEntries(rules),
    headerClass: kind === 'number' || kind === 'row' ? 'head-number' : '',
    ...(kind === 'state' || kind === 'recomputed' ? { cellRenderer: Pill } : {}),
    ...(filtered
      ? {
          filter: NoFilter,
          floatingFilter: true,
          floatingFilterComponent: FilterRowCell,
          floatingFilterComponentParams: { numeric, title: name } satisfies FilterCellParams,
          suppressFloatingFilterButton: true,
          suppressHeaderFilterButton: true,
        }
      : {}),
  }
}

const rowClassRules: RowClassRules<DrawnRow> = {
  waiting: ({ data }) => data?.there === false,
  'tint-red': ({ data }) => data?.source.number(data.row, 'fill') === 2,
  'tint-yellow': ({ data }) => data?.source.number(data.row, 'fill') === 1,
  'row-provisional': ({ data }) => data?.source.number(data.row, 'provisional') === 1,
  'row-origin': ({ data }) => data?.origin === true,
  'row-unmatched': ({ data }) => data?.compares === true && stateOf(data.source, data.row) === 'unpaired',
}

const chinese: Readonly<Record<string, string>> = AG_GRID_LOCALE_CN

const icon = (path: string): string =>
  `<svg width="11" height="11" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${path}"/></svg>`

/**
 * The grid holds the rows in view and lays them out as high as they are: what scrolls is the box around it, over
 * any number of rows. Keys and chosen rows are ours too, since they reach beyond what the grid knows of.
 */
export const gridOptions: GridOptions<DrawnRow> = {
  theme,
  domLayout: 'autoHeight',
  suppressRowVirtualisation: true,
  suppressMaxRenderedRowRestriction: true,
  suppressAnimationFrame: true,
  animateRows: false,
  suppressColumnMoveAnimation: true,
  // A transform of its own makes a layer of each row, and layers are what a frame without graphics hardware
  // pays for.
  suppressRowTransform: true,
  suppressScrollOnNewData: true,
  suppressCellFocus: true,
  suppressHeaderFocus: true,
  tabIndex: -1,
  suppressNoRowsOverlay: true,
  suppressDragLeaveHidesColumns: true,
  suppressMultiSort: true,
  autoSizePadding: 2,
  headerHeight: headHeight,
  floatingFiltersHeight: headHeight,
  rowData: [],
  getRowId: ({ data }) => String(data.slot),
  rowClassRules,
  defaultColDef: {
    resizable: true,
    sortable: true,
    // The engine sorts: rows come in their order.
    comparator: () => 0,
    lockPinned: true,
    suppressHeaderMenuButton: true,
  },
  icons: { sortAscending: icon('m4 10 4-4 4 4'), sortDescending: icon('m4 6 4 4 4-4') },
  getLocaleText: ({ key, defaultValue }) =>
    (now().language === 'zh' ? chinese[key] : undefined) ?? defaultValue,
}
