// The comparison grid: one row per compared tensor, drawn from the engine's view of them.
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState, type JSX } from 'react'
import type { CellContextMenuEvent, CellFocusedEvent, ColumnHeaderContextMenuEvent, GridApi, IRowNode, RowClickedEvent } from 'ag-grid-community'
import type { ColumnInfo, SessionInfo, ViewInfo } from '../../../preload/contract/engine.ts'
import { engine, isQuiet, problemOf } from '../../engine.ts'
import { run } from '../../state/commands.ts'
import { copyText } from '../../state/clipboard.ts'
import { count } from '../../state/format.ts'
import { copyForms, offerHandle, type CopyForm } from '../../state/handles.ts'
import { clearFilters, isFiltered, look, sortBy, toggleShow } from '../../state/looking.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { select } from '../../state/selection.ts'
import { chooseColumns, keepSoon, changeLayout } from '../../state/settings.ts'
import { problemText, sayIf, useSay } from '../../state/words.ts'
import { notify, now, set, stamp, useWorkbench, type Selection, type Show, type Workbench } from '../../state/workbench.ts'
import { Button, ContextMenu, Toggle, type MenuEntry, type MenuPlace } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, Failed, Skeleton } from '../../ui/states.tsx'
import { arranged, type ShownColumn, type Sides } from './columns.ts'
import { ColumnPanel, type Arrangement } from './column-panel.tsx'
import { copyAs, pythonFor } from './copy.ts'
import { keyColumns, RowSource, windowRows, wordOf, type RowData } from './source.ts'
import { Table } from './table.tsx'
import './grid.css'

export default function GridPanel(): JSX.Element | null {
  const session = useWorkbench(s => s.session)
  return session ? <Grid session={session} /> : null
}

function Grid({ session }: { readonly session: SessionInfo }): JSX.Element {
  const look_ = useWorkbench(s => s.look)
  const onlyNode = useWorkbench(s => (s.look.thisNode ? s.selection?.at ?? null : null))
  const version = useWorkbench(s => stamp(s, 'dumps', 'pairs', 'metrics', 'verdicts'))
  const { show, quick, columns, sort } = look_
  const answer = useQuery({
    key: ['order', version, JSON.stringify([show, quick, columns, sort, onlyNode])],
    load: signal => engine.order({ session: session.session, unit: session.unit, filter: { show, quick, columns, ...(onlyNode ? { node: onlyNode } : {}) }, sort }, signal),
    keep: true,
  })
  const view = valueOf(answer)
  useEffect(() => { if (view) set({ view }) }, [view])

  if (answer.is === 'failed' && !view) return <Failed problem={answer.problem} />
  if (!view) return <><Bar view={null} /><Skeleton rows={9} /></>
  return <Rows session={session} view={view} stale={answer.is === 'loading'} />
}

function Rows({ session, view, stale }: { readonly session: SessionInfo; readonly view: ViewInfo; readonly stale: boolean }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const choice = useWorkbench(s => s.layout.columns[session.mode])
  const filtered = useWorkbench(s => isFiltered(s.look))
  const [from, setFrom] = useState(0)
  const [choosing, setChoosing] = useState(false)
  const [menu, setMenu] = useState<{ readonly at: MenuPlace; readonly entries: readonly MenuEntry[] } | null>(null)
  const grid = useRef<GridApi<RowData> | null>(null)
  const chooser = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)

  const { mode, session: id, unit } = session
  const alike = session.debug.framework === session.bench?.framework && Object.keys(session.options.mapping).length === 0
  const sides: Sides = session.bench === null ? 'single' : alike ? 'alike' : 'different'
  const narrow = useNarrow(box)
  const digits = String(session.units.find(u => u.unit === unit)?.rows ?? 0).length
  const columns = sameColumns(view.columns)
  const arrangement = useMemo(() => arranged(mode, sides, columns, choice, { narrow, digits }), [mode, sides, columns, choice, narrow, digits])
  const shown = useMemo(() => arrangement.list.filter(c => !arrangement.hidden.has(c.id)), [arrangement])
  // Columns in another order are the same columns: nothing is fetched again.
  const wanted = [...new Set([...keyColumns, 'debugName', ...shown.map(c => c.id)])].sort().join()
  const fetched = useMemo(() => wanted.split(','), [wanted])
  const title = useCallback((c: ShownColumn): string => sayIf(language, `column.${c.id}`) ?? c.title, [language])
  const start = from < view.rows ? from : 0
  const source = useMemo(() => new RowSource(view.view, view.rows, start, fetched), [view.view, view.rows, start, fetched])
  useEffect(() => () => source.leave(), [source])

  // ------------------------------------------------------------------------------------------ selection

  const pick = (i: number): void => {
    if (!source.has(i)) return
    const debug = source.exact(i, 'debugOp')
    const bench = source.exact(i, 'benchOp')
    if (debug !== '' || bench !== '') select({ ...(debug === '' ? {} : { debug }), ...(bench === '' ? {} : { bench }) }, 'grid', source.number(i, 'row'))
  }
  /** A row to mark as soon as it is there, and whether the table stays where it is meanwhile. */
  const toMark = useRef(-1)
  const stays = useRef(false)
  /** The row that was last shown, for a grid that is made anew. */
  const lastShown = useRef(-1)
  const goTo = (i: number, stay = false): void => {
    const api = grid.current
    toMark.current = i
    stays.current = stay
    lastShown.current = i
    if (!api || api.isDestroyed()) return
    if (!stay) {
      // Rows that are handed over now must not lead back here.
      toMark.current = -1
      const there = rowAtOnce(api, i, source)?.data !== undefined
      toMark.current = i
      // Asking for a row that is not there has it loaded; scrolled to before that, the table would be drawn twice.
      if (!there && i < source.rowCount) return
      bringIn(api, i, source.rowCount)
    }
    if (mark(api, i)) toMark.current = -1
  }
  const goToNow = useEffectEvent(goTo)
  useEffect(() => {
    source.tell({ rows: () => { if (toMark.current >= 0) goToNow(toMark.current, stays.current) }, failed: error => notify('failed', { what: problemText(now().language, problemOf(error)) }) })
  }, [source])

  const sorted = useRef(now().look.sort)
  const filteredBy = useRef(filterOf(now()))
  const follow = (selection: Selection | null, stop: AbortSignal): void => {
    // Rows that change while they are looked at stay where they are; other rows than before begin where the selection is, or at the top.
    const filter = filterOf(now())
    const fresh = filter !== filteredBy.current
    filteredBy.current = filter
    if (selection?.from === 'grid' && !fresh) return
    // Who sorts wants to see what is first now, not where the selection has gone.
    const { sort } = now().look
    const top = sort.length > 0 && sort !== sorted.current
    sorted.current = sort
    if (top) grid.current?.ensureIndexVisible(0, 'top')
    const none = (): void => {
      grid.current?.deselectAll()
      if (fresh && source.rowCount > 0) grid.current?.ensureIndexVisible(0, 'top')
    }
    if (!selection) return none()
    const show = async (): Promise<void> => {
      const here = { session: id, unit, row: selection.row, at: selection.at }
      const place = source.prepared(here) ?? await source.find(here, stop)
      if (stop.aborted) return
      if (place < 0) return none()
      const window = Math.floor(place / windowRows) * windowRows
      if (window !== start && !top) setFrom(window)
      if (window === start || !top) goTo(place - window, top)
    }
    show().catch(error => { if (!isQuiet(error)) throw error })
  }

  // ------------------------------------------------------------------------------------------ copying

  const chosenRows = (): number[] => {
    const rows = grid.current?.getSelectedNodes().map(n => n.data?.i ?? -1).filter(i => i >= 0).sort((a, b) => a - b) ?? []
    const focused = grid.current?.getFocusedCell()?.rowIndex
    return rows.length > 0 ? rows : focused === undefined || focused === null ? [] : [focused]
  }
  const copy = async (form: CopyForm): Promise<void> => {
    const rows = chosenRows()
    const [first] = rows
    if (first === undefined) return
    if (form === 'cell') {
      const column = grid.current?.getFocusedCell()?.column.getColId() ?? 'debugName'
      await copyText(column === 'verdict' ? say(wordOf(source, first)) : column === 'row' ? String(source.number(first, 'row') + 1) : source.exact(first, column))
    } else if (form === 'python') await copyText(await pythonFor(session, source.number(first, 'row'), { debug: source.exact(first, 'debugOp'), bench: source.exact(first, 'benchOp') }))
    else {
      const columns = shown.filter(c => c.title !== '')
      await copyText(await copyAs(form, { view: view.view, rows: rows.map(i => i + source.from), columns }), rows.length)
    }
  }

  const showAgain = (i: number): void => {
    const api = grid.current
    if (!api || api.isDestroyed()) return
    api.ensureIndexVisible(i, 'middle')
    toMark.current = mark(api, i) ? -1 : i
  }
  const arrange = (next: Arrangement): void => chooseColumns(session.mode, {
    order: next.list.map(c => c.id), hidden: [...next.hidden], pinned: [...next.pinned], widths: Object.fromEntries(next.list.map(c => [c.id, c.width])),
  })
  const resetColumns = (): void => {
    const { [session.mode]: _, ...rest } = now().layout.columns
    changeLayout({ columns: rest })
  }
  useEffect(() => offerHandle('grid', {
    autosize: () => grid.current?.autoSizeAllColumns(),
    chooseColumns: () => setChoosing(true),
    focus: () => { const api = grid.current; if (api) api.setFocusedCell(api.getFocusedCell()?.rowIndex ?? api.getFirstDisplayedRowIndex(), shown[0]?.id ?? 'row') },
    copy,
    prepare: at => source.prepare({ session: id, unit, row: null, at }).catch(error => { if (!isQuiet(error)) throw error }),
  }))

  // ------------------------------------------------------------------------------------------ menus

  const rowMenu = (i: number, column: string): readonly MenuEntry[] => {
    const cell = column === 'verdict' || column === 'row' ? '' : source.exact(i, column)
    return [
      ...copyForms.map(form => ({ id: `copy-${form}`, text: say(`grid.copy.${form}`), ...(form === 'cell' ? { icon: 'copy' as const, keys: say('grid.copy-key') } : {}), run: () => void copy(form) })),
      'line',
      { id: 'reveal', text: say('grid.reveal'), icon: 'eye', run: () => pick(i) },
      { id: 'node', text: say('grid.only-node'), icon: 'filter', run: () => { pick(i); look({ thisNode: true }) } },
      ...(cell === '' ? [] : [{ id: 'same', text: say('grid.only-value', { value: cell.length > 40 ? `…${cell.slice(-40)}` : cell }), run: () => look({ columns: [...now().look.columns.filter(f => f.column !== column), { column, is: 'set' as const, values: [cell] }] }) }]),
      ...(filtered ? [{ id: 'clear', text: say('command.clear-filters'), run: clearFilters }] : []),
    ]
  }
  const headerMenu = (id: string): readonly MenuEntry[] => {
    const { hidden, pinned } = arrangement
    const without = (set_: ReadonlySet<string>): ReadonlySet<string> => new Set([...set_].filter(c => c !== id))
    return [
      { id: 'up', text: say('grid.sort-up'), run: () => sortBy([{ column: id, down: false }]) },
      { id: 'down', text: say('grid.sort-down'), run: () => sortBy([{ column: id, down: true }]) },
      ...(now().look.sort.length > 0 ? [{ id: 'unsort', text: say('grid.unsort'), run: () => sortBy([]) }] : []),
      'line',
      { id: 'pin', text: say('grid.pin'), on: pinned.has(id), run: () => arrange({ ...arrangement, pinned: pinned.has(id) ? without(pinned) : new Set([...pinned, id]) }) },
      { id: 'hide', text: say('grid.hide'), icon: 'eyeOff', run: () => arrange({ ...arrangement, hidden: new Set([...hidden, id]) }) },
      { id: 'fit', text: say('grid.fit-column'), run: () => grid.current?.autoSizeColumns([id]) },
      { id: 'fit-all', text: say('command.autosize'), run: () => grid.current?.autoSizeAllColumns() },
      'line',
      { id: 'columns', text: say('command.columns'), icon: 'columns', run: () => setChoosing(true) },
      { id: 'reset', text: say('grid.reset-columns'), run: resetColumns },
    ]
  }
  const at = (e: Event | null | undefined): MenuPlace => (e instanceof MouseEvent ? { x: e.clientX, y: e.clientY } : middleOf(document.activeElement))

  const onRowClick = (e: RowClickedEvent<RowData>): void => { if (e.data) lastShown.current = e.data.i; if (e.data && !(e.event instanceof MouseEvent && (e.event.shiftKey || e.event.ctrlKey))) pick(e.data.i) }
  const settle = useRef(0)
  const onFocus = (e: CellFocusedEvent<RowData>): void => {
    const i = e.rowIndex
    if (i === null || !grid.current || e.sourceEvent instanceof MouseEvent) return
    clearTimeout(settle.current)
    settle.current = window.setTimeout(() => { if (grid.current && !grid.current.isDestroyed() && document.activeElement?.closest('.grid-box')) { mark(grid.current, i); pick(i) } }, 90)
  }

  return (
    <>
      <Bar view={view} stale={stale} source={source} onWindow={setFrom} chooser={chooser} onColumns={() => setChoosing(true)} />
      <div ref={box} className="grid-box" data-testid="grid" data-rows={view.rows} onKeyDown={e => {
        if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'c' && !e.shiftKey && !(e.target instanceof HTMLInputElement)) { e.preventDefault(); void copy(chosenRows().length > 1 ? 'tsv' : 'cell') }
        const focused = grid.current?.getFocusedCell()
        if ((e.key === 'ContextMenu' || (e.key === 'F10' && e.shiftKey)) && focused) { e.preventDefault(); setMenu({ at: middleOf(document.activeElement), entries: rowMenu(focused.rowIndex, focused.column.getColId()) }) }
        if (e.key === 'Enter' && focused && e.target instanceof HTMLElement && e.target.role === 'gridcell') { pick(focused.rowIndex); run('focus-inspector') }
      }}>
        {view.rows === 0 ? (
          <div className="no-rows"><Empty icon="filter" title={say(filtered ? 'grid.none-left' : 'grid.none')} action={filtered ? <Button onPress={clearFilters}>{say('command.clear-filters')}</Button> : undefined}>{say(filtered ? 'grid.none-left.what' : 'grid.none.what')}</Empty></div>
        ) : null}
        <Table source={source} shown={shown} pinned={arrangement.pinned} title={title} onApi={api => { grid.current = api; if (api && lastShown.current >= 0) { const i = lastShown.current; requestAnimationFrame(() => showAgain(i)) } }} onRowClick={onRowClick} onFocus={onFocus}
            onArrange={(order, sizes) => arrange({ ...arrangement, list: [...arrangement.list].sort((a, b) => placeIn(order, a.id) - placeIn(order, b.id)).map(c => ({ ...c, width: sizes[c.id] ?? c.width })) })}
            onMenu={(e: CellContextMenuEvent<RowData>) => { const i = e.data?.i; if (i !== undefined) { if (!e.node.isSelected()) mark(e.api, i); setMenu({ at: at(e.event), entries: rowMenu(i, e.column.getColId()) }) } }}
            onHeaderMenu={(e: ColumnHeaderContextMenuEvent<RowData>, place) => setMenu({ at: place, entries: headerMenu('getColId' in e.column ? e.column.getColId() : '') })} />
      </div>
      <Follow of={`${view.view}/${start}`} show={follow} />
      <ContextMenu at={menu?.at ?? null} entries={menu?.entries ?? []} label={say('grid.menu')} onClose={() => setMenu(null)} />
      {choosing ? <ColumnPanel arrangement={arrangement} title={title} anchor={chooser} onChange={arrange} onReset={resetColumns} onClose={() => { setChoosing(false); keepSoon() }} /> : null}
    </>
  )
}

const narrowBelow = 620

/** Whether the table has room for little. */
function useNarrow(box: React.RefObject<HTMLElement | null>): boolean {
  const [narrow, setNarrow] = useState(false)
  useLayoutEffect(() => {
    const size = new ResizeObserver(([entry]) => { if (entry) setNarrow(entry.contentRect.width > 0 && entry.contentRect.width < narrowBelow) })
    if (box.current) size.observe(box.current)
    return () => size.disconnect()
  }, [box])
  return narrow
}

/** Views come with columns of their own; equal lists are one list, so that nothing is built anew. */
const knownColumns = new Map<string, readonly ColumnInfo[]>()
function sameColumns(columns: readonly ColumnInfo[]): readonly ColumnInfo[] {
  const key = columns.map(c => c.id).join()
  const known = knownColumns.get(key)
  if (!known) knownColumns.set(key, columns)
  return known ?? columns
}

/** Another view moved the selection, or there are other rows: the selected row is brought into view, asked for before anything is drawn. Draws nothing itself. */
function Follow({ of, show }: { readonly of: string; show(selection: Selection | null, stop: AbortSignal): void }): null {
  const showNow = useEffectEvent(show)
  useEffect(() => {
    let stop = new AbortController()
    const follow = ({ selection }: Workbench): void => {
      stop.abort()
      stop = new AbortController()
      showNow(selection, stop.signal)
    }
    follow(now())
    const leave = useWorkbench.subscribe((s, before) => { if (s.selection !== before.selection) follow(s) })
    return () => { leave(); stop.abort() }
  }, [of])
  return null
}

const filterOf = ({ look: { show, quick, columns, thisNode } }: Workbench): string => JSON.stringify([show, quick, columns, thisNode])

const placeIn = (order: readonly string[], id: string): number => { const at = order.indexOf(id); return at < 0 ? order.length : at }

const middleOf = (element: Element | null): MenuPlace => {
  const box = element?.getBoundingClientRect()
  return box ? { x: box.left + box.width / 2, y: box.bottom } : { x: 100, y: 100 }
}

function mark(api: GridApi<RowData>, i: number): boolean {
  const node = api.getDisplayedRowAtIndex(i)
  if (node?.data) node.setSelected(true, true)
  else api.deselectAll()
  return node?.data !== undefined
}

/**
 * The row of an index. The grid asks for rows in a task of its own, which comes behind the next frame. For rows that are here already that
 * would draw everything twice: what it puts off is done as soon as it has returned.
 */
function rowAtOnce(api: GridApi<RowData>, i: number, source: RowSource): IRowNode<RowData> | undefined {
  const known = api.getDisplayedRowAtIndex.bind(api)
  if (!source.has(i)) return known(i)
  const { setTimeout: later } = window
  const put: (() => void)[] = []
  try {
    window.setTimeout = ((act: () => void, ms?: number) => (ms ? later(act, ms) : put.push(act) - 1)) as typeof window.setTimeout
    known(i)
  } finally {
    window.setTimeout = later
  }
  for (const act of put) act()
  return known(i)
}

/** Rows that stay in sight above or below the one that is gone to. */
const around = 2

/** A row nearby moves the table by a few rows, which is drawn in half the time and easier to follow; one far away comes into the middle. */
function bringIn(api: GridApi<RowData>, i: number, rows: number): void {
  const [first, last] = [api.getFirstDisplayedRowIndex(), api.getLastDisplayedRowIndex()]
  const page = last - first
  if (i < first - page || i > last + page) api.ensureIndexVisible(i, 'middle')
  else for (const edge of [i - around, i + around]) if (edge >= 0 && edge < rows) api.ensureIndexVisible(edge, null)
}

// ---------------------------------------------------------------------------------------------- the bar above

const chips: readonly (readonly [Show, 'disagree' | 'unmatched' | 'agree' | 'unknown' | 'highlighted'])[] = [
  ['disagree', 'disagree'], ['unmatched', 'unmatched'], ['highlighted', 'highlighted'], ['agree', 'agree'], ['unknown', 'unknown'],
]

function Bar({ view, stale, source, chooser, onWindow, onColumns }: {
  readonly view: ViewInfo | null; readonly stale?: boolean; readonly source?: RowSource; readonly chooser?: React.RefObject<HTMLDivElement | null>; onWindow?(from: number): void; onColumns?(): void
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const look_ = useWorkbench(s => s.look)
  const single = useWorkbench(s => s.session?.bench === null)
  const hasNode = useWorkbench(s => s.selection !== null)
  const filtered = useWorkbench(s => isFiltered(s.look))
  const [draft, setDraft] = useState<string | null>(null)
  const quick = draft ?? look_.quick
  useEffect(() => {
    if (draft === null || draft === now().look.quick) return undefined
    const timer = setTimeout(() => look({ quick: draft }), 200)
    return () => clearTimeout(timer)
  }, [draft])
  const sorted = look_.sort[0]
  return (
    <div className="grid-bar" role="toolbar" aria-label={say('grid.bar')}>
      {single ? null : chips.filter(([state, key]) => state === 'disagree' || state === 'unmatched' || look_.show.includes(state) || (view?.counts[key] ?? 0) > 0).map(([state, key]) => (
        <Toggle key={state} className="chip" on={look_.show.includes(state)} disabled={!view || (view.counts[key] === 0 && !look_.show.includes(state))} testId={`chip-${state}`} onChange={() => toggleShow(state)}>
          {say(`chip.${state}`)}<span className="num">{view ? count(language, view.counts[key]) : '–'}</span>
        </Toggle>
      ))}
      <Toggle className="chip" on={look_.thisNode} disabled={!hasNode && !look_.thisNode} testId="chip-node" onChange={thisNode => look({ thisNode })}>{say('chip.node')}</Toggle>
      {filtered ? <Button look="quiet" small icon="close" label={say('command.clear-filters')} onPress={clearFilters} /> : null}
      <span className="grow" />
      {view && view.rows <= windowRows ? (
        <span className={`dim small grid-count ${stale ? 'stale' : ''}`} role="status">
          {say('grid.rows', { rows: count(language, view.rows) })}<span className="grid-order">{'  •  '}{sorted ? say(sorted.down ? 'grid.sorted-down' : 'grid.sorted-up', { column: sayIf(language, `column.${sorted.column}`) ?? sorted.column }) : say('grid.in-order')}</span>
        </span>
      ) : null}
      {source && source.total > windowRows ? <Windows source={source} {...(onWindow ? { onWindow } : {})} /> : null}
      <div className="field quick"><Icon name="search" size={12} /><input data-testid="quick" aria-label={say('grid.quick')} placeholder={say('grid.quick')} value={quick} spellCheck={false} onChange={e => setDraft(e.target.value)} onBlur={() => setDraft(null)} onKeyDown={e => { if (e.key === 'Escape') setDraft('') }} /></div>
      <div ref={chooser}>{onColumns ? <Button look="quiet" small icon="columns" label={say('command.columns')} onPress={onColumns} /> : null}</div>
    </div>
  )
}

function Windows({ source, onWindow }: { readonly source: RowSource; onWindow?(from: number): void }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const { from, total, rowCount } = source
  const short = (n: number): string => n.toLocaleString(language, { notation: 'compact', maximumFractionDigits: 1 })
  return (
    <span className="row" style={{ gap: 2 }}>
      <Button look="quiet" small icon="left" label={say('grid.window-before')} disabled={from === 0} onPress={() => onWindow?.(Math.max(0, from - windowRows))} />
      <span className="num small" title={say('grid.window', { first: count(language, from + 1), last: count(language, from + rowCount), total: count(language, total) })}>{say('grid.window', { first: short(from + 1), last: short(from + rowCount), total: short(total) })}</span>
      <Button look="quiet" small icon="right" label={say('grid.window-after')} disabled={from + rowCount >= total} onPress={() => onWindow?.(from + windowRows)} />
    </span>
  )
}
