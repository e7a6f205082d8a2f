// The comparison table: one row per compared tensor, drawn from the engine's view of them.
import { useEffect, useEffectEvent, useMemo, useRef, useState, type JSX, type RefObject } from 'react'
import type { NodeRef, SessionInfo, ViewInfo } from '../../../preload/contract/engine.ts'
import { engine, isQuiet, problemOf } from '../../engine.ts'
import { run } from '../../state/commands.ts'
import { debounce, type Debounced } from '../../state/debounce.ts'
import { offerHandle, type CopyForm } from '../../state/handles.ts'
import { clearFilters, isFiltered } from '../../state/looking.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { recompute } from '../../state/recompute.ts'
import { select } from '../../state/selection.ts'
import { keepSoon } from '../../state/settings.ts'
import { compares } from '../../state/study.ts'
import { problemText, useSay } from '../../state/words.ts'
import { notify, now, set, stamp, useWorkbench } from '../../state/workbench.ts'
import { Button, ContextMenu, type MenuEntry, type MenuPlace } from '../../ui/controls.tsx'
import { Empty, Failed, Skeleton } from '../../ui/states.tsx'
import { useArrangement, type Arranging } from './arrangement.ts'
import { Bar } from './bar.tsx'
import { ColumnPanel } from './column-panel.tsx'
import { copyLimit, copyRows } from './copy.ts'
import { useFollow } from './follow.ts'
import { headMenu, rowMenu } from './menus.ts'
import { RowSource } from './source.ts'
import type { TableControl } from './control.ts'
import { Table } from './table.tsx'
import './grid.css'

export default function GridPanel(): JSX.Element | null {
  const session = useWorkbench(s => s.session)
  return session ? <Grid session={session} /> : null
}

function Grid({ session }: { readonly session: SessionInfo }): JSX.Element {
  const { show, quick, columns, explained, buckets, recomputed, sort } = useWorkbench(s => s.look)
  const onlyNode = useWorkbench(s => (s.look.thisNode ? (s.selection?.at ?? null) : null))
  const version = useWorkbench(s =>
    stamp(s, 'dumps', 'pairs', 'metrics', 'states', ...(buckets.length > 0 ? (['graph'] as const) : [])),
  )
  const known = useWorkbench(s => s.recomputed)
  const answer = useQuery({
    key: [
      'order',
      version,
      known,
      JSON.stringify([show, quick, columns, explained, buckets, recomputed, sort, onlyNode]),
    ],
    load: signal =>
      engine.order(
        {
          session: session.session,
          unit: session.unit,
          filter: {
            show,
            quick,
            columns,
            ...(onlyNode ? { node: onlyNode } : {}),
            ...(explained ? { explained } : {}),
            ...(buckets.length > 0 ? { buckets } : {}),
            ...(recomputed.length > 0 ? { recomputed } : {}),
          },
          sort,
        },
        signal,
      ),
    keep: true,
  })
  const view = valueOf(answer)
  useEffect(() => {
    if (view) set({ view })
  }, [view])

  if (answer.is === 'failed' && !view) return <Failed problem={answer.problem} />
  if (!view)
    return (
      <>
        <Bar view={null} />
        <Skeleton rows={9} />
      </>
    )
  return <Rows session={session} view={view} stale={answer.is === 'loading'} />
}

interface OpenMenu {
  readonly at: MenuPlace
  readonly entries: readonly MenuEntry[]
}

function Rows({
  session,
  view,
  stale,
}: {
  readonly session: SessionInfo
  readonly view: ViewInfo
  readonly stale: boolean
}): JSX.Element {
  const say = useSay()
  const box = useRef<HTMLDivElement>(null)
  const chooser = useRef<HTMLDivElement>(null)
  const table = useRef<TableControl | null>(null)
  const [choosing, setChoosing] = useState(false)
  const arranging = useArrangement(session, view.columns, box)
  const { arrangement, shown, title } = arranging
  const { source, pick } = useRows(view, arranging.fetched, table)
  const walk = useWalk(pick)
  useFollow(table, source, session)

  const copy = (form: CopyForm): Promise<void> =>
    copyRows(form, {
      session,
      source,
      rows: table.current?.chosen(copyLimit) ?? [],
      column: table.current?.activeColumn ?? 'debugName',
      columns: shown.filter(c => c.title !== ''),
      say,
    })
  const choose = (): void => setChoosing(true)
  useGridHandle({ session, source, table, copy, choose })
  const menus = useMenus({ source, arranging, table, copy, pick, choose })

  return (
    <>
      <Bar view={view} stale={stale} chooser={chooser} onColumns={choose} />
      <div
        ref={box}
        className="grid-box"
        data-testid="grid"
        data-rows={view.rows}
        onKeyDown={e => {
          const copies = (e.ctrlKey || e.metaKey) && !e.shiftKey && e.key.toLowerCase() === 'c'
          if (!copies || e.target instanceof HTMLInputElement) return
          e.preventDefault()
          void copy((table.current?.chosen(2).length ?? 0) > 1 ? 'tsv' : 'cell')
        }}
      >
        {view.rows === 0 ? <NoRows /> : null}
        <Table
          source={source}
          shown={shown}
          pinned={arrangement.pinned}
          compares={compares(session)}
          title={title}
          onReady={control => {
            table.current = control
          }}
          onPick={pick}
          onWalk={walk}
          onEnter={row => {
            pick(row)
            run('focus-inspector')
          }}
          onRowMenu={menus.ofRow}
          onHeadMenu={menus.ofHead}
          onArrange={arranging.rearrange}
        />
      </div>
      {menus.open}
      {choosing ? (
        <Columns arranging={arranging} anchor={chooser} onClose={() => setChoosing(false)} />
      ) : null}
    </>
  )
}

/** More rows are not taken together; all calls are recomputed by a command of their own. */
const mostRecomputed = 5000

/** The node that a row is about. */
function nodeOf(source: RowSource, row: number): NodeRef {
  const [debug, bench] = [source.exact(row, 'debugOp'), source.exact(row, 'benchOp')]
  return { ...(debug === '' ? {} : { debug }), ...(bench === '' ? {} : { bench }) }
}

interface MenuDeeds {
  readonly source: RowSource
  readonly arranging: Arranging
  readonly table: RefObject<TableControl | null>
  copy(form: CopyForm): Promise<void>
  pick(row: number): void
  /** Opens the list of columns. */
  choose(): void
}

function useMenus({ source, arranging, table, copy, pick, choose }: MenuDeeds): {
  ofRow(row: number, column: string, at: MenuPlace): void
  ofHead(column: string, at: MenuPlace): void
  readonly open: JSX.Element
} {
  const say = useSay()
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const nodes = (): readonly NodeRef[] =>
    (table.current?.chosen(mostRecomputed) ?? []).map(row => nodeOf(source, row))
  return {
    ofRow: (row, column, at) => {
      const value = column === 'state' || column === 'row' ? '' : source.exact(row, column)
      setMenu({
        at,
        entries: rowMenu(
          say,
          { column, value, item: itemOf(source, row) },
          { copy, pick: () => pick(row), recompute: () => void recompute(nodes()) },
        ),
      })
    },
    ofHead: (column, at) => {
      const fit = (ids?: readonly string[]): void => table.current?.fit(ids)
      setMenu({ at, entries: headMenu(say, column, arranging, { fit, choose }) })
    },
    open: (
      <ContextMenu
        at={menu?.at ?? null}
        entries={menu?.entries ?? []}
        label={say('grid.menu')}
        onClose={() => setMenu(null)}
      />
    ),
  }
}

/** The tensor that a row is about, as its dump calls it. */
function itemOf(source: RowSource, row: number): string {
  const [debug, bench] = [source.exact(row, 'debugName'), source.exact(row, 'benchName')]
  return debug === '' || debug === 'N/A' ? bench : debug
}

function NoRows(): JSX.Element {
  const say = useSay()
  const filtered = useWorkbench(s => isFiltered(s.look))
  const clear = <Button onPress={clearFilters}>{say('command.clear-filters')}</Button>
  return (
    <div className="no-rows">
      <Empty
        icon="filter"
        title={say(filtered ? 'grid.none-left' : 'grid.none')}
        action={filtered ? clear : undefined}
      >
        {say(filtered ? 'grid.none-left.what' : 'grid.none.what')}
      </Empty>
    </div>
  )
}

function Columns({
  arranging,
  anchor,
  onClose,
}: {
  readonly arranging: Arranging
  readonly anchor: RefObject<HTMLElement | null>
  onClose(): void
}): JSX.Element {
  return (
    <ColumnPanel
      arrangement={arranging.arrangement}
      title={arranging.title}
      anchor={anchor}
      onChange={arranging.arrange}
      onReset={arranging.reset}
      onClose={() => {
        onClose()
        keepSoon()
      }}
    />
  )
}

/** The rows of a view, and selecting what a row is about as soon as the row is known. */
function useRows(
  view: ViewInfo,
  fetched: readonly string[],
  table: RefObject<TableControl | null>,
): { readonly source: RowSource; pick(row: number): void } {
  const source = useMemo(() => new RowSource(view.view, view.rows, fetched), [view.view, view.rows, fetched])
  const waiting = useRef(-1)
  const pick = (row: number): void => {
    waiting.current = source.has(row) ? -1 : row
    if (waiting.current >= 0) return
    const at = nodeOf(source, row)
    if (at.debug !== undefined || at.bench !== undefined) select(at, 'grid', source.number(row, 'row'))
  }
  const arrived = useEffectEvent(() => {
    table.current?.body.arrived()
    if (waiting.current >= 0) pick(waiting.current)
  })
  useEffect(() => {
    waiting.current = -1
    source.listen({
      arrived: () => arrived(),
      failed: error => notify('failed', { what: problemText(now().language, problemOf(error)) }),
    })
    return () => source.leave()
  }, [source])
  return { source, pick }
}

/** Keys that are held down select only where they come to rest. */
const debounceMs = 90

function useWalk(pick: (row: number) => void): (row: number) => void {
  const row = useRef(-1)
  const pickNow = useEffectEvent(() => pick(row.current))
  const later = useRef<Debounced>(null)
  useEffect(() => {
    later.current = debounce(() => pickNow(), debounceMs)
    return () => later.current?.cancel()
  }, [])
  return to => {
    row.current = to
    later.current?.()
  }
}

/** What commands and other panels may ask of the table. */
function useGridHandle({
  session,
  source,
  table,
  copy,
  choose,
}: {
  readonly session: SessionInfo
  readonly source: RowSource
  readonly table: RefObject<TableControl | null>
  copy(form: CopyForm): Promise<void>
  choose(): void
}): void {
  useEffect(() =>
    offerHandle('grid', {
      autosize: () => table.current?.fit(),
      chooseColumns: choose,
      focus: () => table.current?.focus(),
      copy,
      prepare: (at, row) =>
        source.prepare({ session: session.session, unit: session.unit, row, at }).catch(error => {
          if (!isQuiet(error)) throw error
        }),
    }),
  )
}
