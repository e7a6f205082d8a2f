// AG Grid in our dress: infinite row model, plain text cells, our header menu and filter row.
import { AG_GRID_LOCALE_CN } from '@ag-grid-community/locale'
import {
  CellApiModule, CellStyleModule, ColumnApiModule, ColumnAutoSizeModule, createGrid, CustomFilterModule, EventApiModule, InfiniteRowModelModule, LocaleModule, ModuleRegistry, RenderApiModule, RowApiModule,
  RowSelectionModule, RowStyleModule, ScrollApiModule, TextFilterModule, themeQuartz, TooltipModule,
  type CellContextMenuEvent, type CellFocusedEvent, type ColDef, type ColumnHeaderContextMenuEvent, type GridApi, type GridOptions, type RowClassRules, type RowClickedEvent,
} from 'ag-grid-community'
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, type JSX } from 'react'
import { leftToRight } from '../../state/format.ts'
import { sortBy } from '../../state/looking.ts'
import { sayIf, useSay } from '../../state/words.ts'
import { now, useWorkbench } from '../../state/workbench.ts'
import type { MenuPlace } from '../../ui/controls.tsx'
import type { ShownColumn } from './columns.ts'
import { FilterRowCell, type FilterCellParams } from './filter-cell.tsx'
import { Pill } from './pill.ts'
import { blockRows, wordOf, type RowData, type RowSource } from './source.ts'

ModuleRegistry.registerModules([
  InfiniteRowModelModule, CellStyleModule, RowStyleModule, RowSelectionModule, ColumnAutoSizeModule, ColumnApiModule, RenderApiModule, ScrollApiModule, CellApiModule, RowApiModule, EventApiModule, CustomFilterModule,
  TextFilterModule, TooltipModule, LocaleModule,
])

const theme = themeQuartz.withParams({
  backgroundColor: 'var(--pane)', foregroundColor: 'var(--text)', borderColor: 'var(--line)', headerBackgroundColor: 'var(--pane)', headerTextColor: 'var(--dim)', chromeBackgroundColor: 'var(--pane)',
  rowHoverColor: 'var(--hover)', selectedRowBackgroundColor: 'var(--accent-bg)', accentColor: 'var(--accent)', fontFamily: 'inherit', fontSize: 'var(--body)', headerFontSize: 'var(--small)', headerFontWeight: 600,
  spacing: 4, cellHorizontalPadding: 7, wrapperBorder: false, wrapperBorderRadius: 0, columnBorder: false, rowBorder: true, headerColumnBorder: false, cellTextColor: 'var(--text)', tooltipBackgroundColor: 'var(--raised)', tooltipTextColor: 'var(--text)',
  inputBackgroundColor: 'var(--pane)', headerColumnResizeHandleColor: 'var(--line-strong)', browserColorScheme: 'inherit',
})

const rowHeights = { compact: 26, comfortable: 32 } as const
const settleMs = 300
const verdicts = ['unmatched', 'unknown', 'agree', 'disagree'] as const

interface TableProps {
  readonly source: RowSource
  readonly shown: readonly ShownColumn[]
  readonly pinned: ReadonlySet<string>
  title(column: ShownColumn): string
  onApi(api: GridApi<RowData> | null): void
  onRowClick(e: RowClickedEvent<RowData>): void
  onFocus(e: CellFocusedEvent<RowData>): void
  onMenu(e: CellContextMenuEvent<RowData>): void
  onHeaderMenu(e: ColumnHeaderContextMenuEvent<RowData>, at: MenuPlace): void
  onArrange(order: readonly string[], widths: Readonly<Record<string, number>>): void
}

type Cell = { readonly data?: RowData | undefined }

export function Table({ source, shown, pinned, title, onApi, onRowClick, onFocus, onMenu, onHeaderMenu, onArrange }: TableProps): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const density = useWorkbench(s => s.settings?.density ?? 'compact')
  const sort = useWorkbench(s => s.look.sort)
  const live = useRef(source)
  useLayoutEffect(() => { live.current = source }, [source])
  const holder = useRef<HTMLDivElement>(null)
  const grid = useRef<GridApi<RowData> | null>(null)
  const pointer = useRef<MenuPlace>({ x: 0, y: 0 })

  const columns = useMemo(() => shown.map((c): ColDef<RowData> => {
    const sorted = sort.find(s => s.column === c.id)
    const name = title(c)
    const same = (i: number): boolean => c.id === 'benchName' && live.current.shown(i, 'benchName') === live.current.shown(i, 'debugName')
    const text = (i: number): string => {
      if (!live.current.has(i)) return ''
      if (c.kind === 'row') return String(live.current.number(i, 'row') + 1)
      if (c.kind === 'verdict') return say(wordOf(live.current, i))
      if (same(i)) return '='
      const shownText = live.current.shown(i, c.id)
      return c.kind === 'name' ? leftToRight(shownText) : c.id.endsWith('Dtype') ? shownText.replace(/^(?:torch|mindspore)\./, '') : shownText
    }
    const is = (verdict: (typeof verdicts)[number]) => (p: Cell): boolean => p.data !== undefined && live.current.has(p.data.i) && wordOf(live.current, p.data.i) === `verdict.${verdict}`
    return {
      colId: c.id, headerName: name, ...(c.flexible ? { flex: 1, minWidth: c.width } : { width: c.width, minWidth: 44 }), pinned: pinned.has(c.id) ? 'left' : null, sort: sorted ? (sorted.down ? 'desc' : 'asc') : null,
      valueGetter: p => (p.data ? text(p.data.i) : ''),
      ...(c.id === 'benchName' ? { cellClassRules: { 'is-same': (p: Cell): boolean => p.data !== undefined && live.current.has(p.data.i) && same(p.data.i) } } : {}),
      ...(c.kind === 'verdict' ? { cellRenderer: Pill, cellClassRules: Object.fromEntries(verdicts.map(v => [`is-${v}`, is(v)])) } : {}),
      cellClass: `cell-${c.kind}`, headerClass: c.kind === 'number' || c.kind === 'row' ? 'head-number' : '',
      tooltipValueGetter: p => {
        if (!p.data || !live.current.has(p.data.i)) return null
        const exact = c.kind === 'row' || c.kind === 'verdict' ? live.current.exact(p.data.i, 'message') : live.current.exact(p.data.i, c.id)
        return exact === '' || (c.kind === 'number' && exact === text(p.data.i)) ? null : exact
      },
      headerTooltip: [name, c.title && c.title !== name ? c.title : '', sayIf(language, `metric.${c.id}`) ?? ''].filter(Boolean).join('\n'),
      ...(c.kind === 'row' || c.kind === 'verdict' ? {} : {
        filter: 'agTextColumnFilter', floatingFilter: true, floatingFilterComponent: FilterRowCell, floatingFilterComponentParams: { numeric: c.numeric, title: name } satisfies FilterCellParams,
        suppressFloatingFilterButton: true, suppressHeaderFilterButton: true,
      }),
    }
  }), [shown, pinned, title, language, sort, say])

  const click = useEffectEvent(onRowClick)
  const focus = useEffectEvent(onFocus)
  const menu = useEffectEvent(onMenu)
  const headerMenu = useEffectEvent(onHeaderMenu)
  const ready = useEffectEvent(onApi)
  const arranged = useEffectEvent(onArrange)
  const first = useEffectEvent((): GridOptions<RowData> => ({ columnDefs: columns, datasource: source, infiniteInitialRowCount: Math.max(1, source.rowCount), rowHeight: rowHeights[density] }))

  useEffect(() => {
    if (!holder.current) return undefined
    let settle = 0
    const arrangeSoon = (api: GridApi<RowData>): void => {
      clearTimeout(settle)
      settle = window.setTimeout(() => {
        if (api.isDestroyed()) return
        const state = api.getColumnState()
        arranged(state.map(c => c.colId), Object.fromEntries(state.map(c => [c.colId, c.width ?? 100])))
      }, settleMs)
    }
    const rowClassRules: RowClassRules<RowData> = {
      waiting: p => p.data === undefined,
      'tint-red': p => p.data !== undefined && live.current.number(p.data.i, 'fill') === 2,
      'tint-yellow': p => p.data !== undefined && live.current.number(p.data.i, 'fill') === 1,
      'row-unmatched': p => p.data !== undefined && now().session?.bench != null && live.current.number(p.data.i, 'unmatched') > 0,
    }
    const api = createGrid<RowData>(holder.current, {
      ...first(), theme, rowModelType: 'infinite', cacheBlockSize: blockRows, maxBlocksInCache: 20, blockLoadDebounceMillis: 0, headerHeight: 28, floatingFiltersHeight: 28,
      defaultColDef: { resizable: true, sortable: true, suppressHeaderMenuButton: true },
      rowSelection: { mode: 'multiRow', checkboxes: false, headerCheckbox: false, enableClickSelection: true },
      // A transform of its own makes a layer of each row, and layers are what a frame without graphics hardware pays for.
      suppressRowTransform: true, rowBuffer: 2,
      rowClassRules, getRowId: p => String(p.data.i), suppressMultiSort: true, suppressDragLeaveHidesColumns: true, animateRows: false, tooltipShowDelay: 450, tooltipHideDelay: 30_000, preventDefaultOnContextMenu: true,
      ...(language === 'zh' ? { localeText: AG_GRID_LOCALE_CN } : {}),
      onRowClicked: e => click(e), onCellFocused: e => focus(e), onCellContextMenu: e => menu(e), onColumnHeaderContextMenu: e => headerMenu(e, pointer.current),
      onSortChanged: e => {
        if (e.source !== 'uiColumnSorted') return
        const by = e.api.getColumnState().find(c => c.sort)
        const next = by ? [{ column: by.colId, down: by.sort === 'desc' }] : []
        if (JSON.stringify(next) !== JSON.stringify(now().look.sort)) sortBy(next)
      },
      onColumnMoved: e => { if (e.finished && e.source === 'uiColumnMoved') arrangeSoon(e.api) },
      onColumnResized: e => { if (e.finished && e.source === 'uiColumnResized') arrangeSoon(e.api) },
    })
    grid.current = api
    ready(api)
    return () => { clearTimeout(settle); ready(null); grid.current = null; api.destroy() }
  }, [language])

  // What the grid was made with comes again at once; setting it twice costs nothing.
  useEffect(() => { grid.current?.setGridOption('columnDefs', columns) }, [columns])
  useEffect(() => { grid.current?.setGridOption('rowHeight', rowHeights[density]) }, [density])
  const shownSource = useRef<RowSource | null>(null)
  useEffect(() => {
    if (shownSource.current !== null && shownSource.current !== source) grid.current?.setGridOption('datasource', source)
    shownSource.current = source
  }, [source])

  return <div ref={holder} className="table-holder" onContextMenuCapture={e => { pointer.current = { x: e.clientX, y: e.clientY } }} />
}
