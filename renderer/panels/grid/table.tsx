// The table on screen: AG Grid in a box that scrolls, with the keys, clicks and menus of a table of any length.
import {
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  type JSX,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react'
import { engine } from '../../engine.ts'
import { toolText } from '../../../preload/contract/words/tool.ts'
import { sortBy } from '../../state/looking.ts'
import { valueOf } from '../../state/query.ts'
import { panesOf } from '../../state/study.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { sayIf, useSay } from '../../state/words.ts'
import { now, useWorkbench } from '../../state/workbench.ts'
import type { MenuPlace } from '../../ui/controls.tsx'
import type { Places } from './body.ts'
import { cellColumn } from './cells.ts'
import type { ShownColumn } from './columns.ts'
import { TableControl, type Shown } from './control.ts'
import { columnDef, inOrder } from './dress.ts'
import type { RowSource } from './source.ts'
import { whyText } from './why.ts'

const rowHeights = { compact: 26, comfortable: 32 } as const

interface TableProps {
  readonly source: RowSource
  readonly shown: readonly ShownColumn[]
  readonly pinned: ReadonlySet<string>
  readonly compares: boolean
  title(column: ShownColumn): string
  onReady(table: TableControl | null): void
  /** A row was clicked alone. */
  onPick(row: number): void
  /** Keys have led to a row. */
  onWalk(row: number): void
  onEnter(row: number): void
  onRowMenu(row: number, column: string, at: MenuPlace): void
  onHeadMenu(column: string, at: MenuPlace): void
  onArrange(order: readonly string[], widths: Readonly<Record<string, number>>): void
}

export function Table(props: TableProps): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null)
  const holder = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLDivElement>(null)
  const control = useControl(props, { scroller, holder, canvas })
  const input = useInput(props, control)
  return (
    <div ref={scroller} className="table" {...input}>
      <div ref={holder} className="table-holder" />
      <div ref={canvas} />
    </div>
  )
}

/** Up, down, and back to the order of execution. */
function sortNext(column: string): void {
  const sorted = now().look.sort.find(s => s.column === column)
  if (!sorted) sortBy([{ column, down: false }])
  else sortBy(sorted.down ? [] : [{ column, down: true }])
}

const wholeName = (name: string): string => name
/** Every tensor of a file is the one output of its name. */
const tensorName = (name: string): string => name.replace(/\.output\.0$/, '')

type Refs = { readonly [Place in keyof Places]: RefObject<HTMLDivElement | null> }

function useDrawing({ source, shown, pinned, compares, title }: TableProps): Shown {
  const say = useSay()
  const sort = useWorkbench(s => s.look.sort)
  const density = useWorkbench(s => s.settings?.density ?? 'compact')
  const language = useWorkbench(s => s.language)
  const stored = useWorkbench(s => s.session?.sides.every(side => side.stored) === true)
  const columns = useMemo(() => {
    const told = (text: string): string => toolText(language, text)
    return inOrder(shown, pinned).map(c =>
      cellColumn(c, { say, told, name: stored ? tensorName : wholeName }),
    )
  }, [shown, pinned, say, language, stored])
  const defs = useMemo(
    () => columns.map(c => columnDef(c, { pinned, sort, title })),
    [columns, pinned, sort, title],
  )
  const rowHeight = rowHeights[density]
  const label = say('grid.title')
  const proof = useProof(compares)
  return useMemo(
    () => ({ source, columns, defs, rowHeight, compares, proof, label }),
    [source, columns, defs, rowHeight, compares, proof, label],
  )
}

/** Rows that show where the error enters. */
function useProof(compares: boolean): ReadonlySet<number> {
  const advised = useWorkbench(s => panesOf(s.session).includes('advisor'))
  const advice = valueOf(
    useUnitQuery({
      steps: ['findings', 'states'],
      key: compares && advised ? ['findings'] : null,
      load: (here, signal) => engine.findings(here, signal),
      keep: true,
    }),
  )
  return useMemo(() => new Set(advice?.findings[0]?.proof), [advice])
}

/** Keeps what is drawn in step with what React knows, before the browser paints. */
function useControl(props: TableProps, { scroller, holder, canvas }: Refs): RefObject<TableControl | null> {
  const drawing = useDrawing(props)
  const control = useRef<TableControl | null>(null)
  const firstDrawing = useEffectEvent(() => drawing)
  const ready = useEffectEvent(props.onReady)
  const arrange = useEffectEvent(props.onArrange)

  useLayoutEffect(() => {
    if (!scroller.current || !holder.current || !canvas.current) return undefined
    const box = scroller.current
    const places = { scroller: box, holder: holder.current, canvas: canvas.current }
    const table = new TableControl(places, firstDrawing(), {
      onSortChanged: ({ source, columns }) => {
        const [column] = columns ?? []
        if (source === 'uiColumnSorted' && column) sortNext(column.getColId())
      },
      onColumnMoved: ({ finished, source }) => {
        if (finished && source === 'uiColumnMoved') arrange(table.body.order, {})
      },
      onColumnResized: ({ finished, source, columns }) => {
        if (finished && (source === 'uiColumnResized' || source === 'autosizeColumns'))
          arrange(
            table.body.order,
            Object.fromEntries((columns ?? []).map(c => [c.getColId(), c.getActualWidth()])),
          )
      },
    })
    control.current = table
    ready(table)
    const listening = new AbortController()
    const { signal } = listening
    const size = new ResizeObserver(() => table.body.measure())
    table.body.measure()
    size.observe(table.body.grid)
    box.addEventListener('scroll', () => table.body.scrolled(), { passive: true, signal })
    box.addEventListener('scrollend', () => table.body.rest(), { signal })
    return () => {
      listening.abort()
      size.disconnect()
      ready(null)
      table.body.leave()
    }
  }, [scroller, holder, canvas])
  useLayoutEffect(() => control.current?.show(drawing), [drawing])
  return control
}

const middleOf = (element: Element | null): MenuPlace => {
  const box = element?.getBoundingClientRect()
  return box ? { x: box.left + box.width / 2, y: box.bottom } : { x: 100, y: 100 }
}

/** The title of a column below the pointer. */
function headOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element
    ? target.closest<HTMLElement>('.ag-header-cell:not(.ag-floating-filter)')
    : null
}

interface Input {
  onKeyDown(e: KeyboardEvent): void
  onMouseDown(e: MouseEvent): void
  onClick(e: MouseEvent): void
  onContextMenu(e: MouseEvent): void
  onPointerOver(e: MouseEvent): void
}

/** Says in the tip of a state what decided it, unless the cell stands for another row by then. */
async function tellWhy(
  control: RefObject<TableControl | null>,
  cell: HTMLElement,
  row: number,
): Promise<void> {
  const text = await whyText(row)
  if (control.current?.stateRow(cell) === row && cell.title !== text) cell.title = text
}

/** Keys and clicks of rows; the grid takes those of the header. */
function useInput(props: TableProps, control: RefObject<TableControl | null>): Input {
  const language = useWorkbench(s => s.language)
  const actOn = (table: TableControl, e: KeyboardEvent): boolean => {
    const row = table.active?.row ?? -1
    const column = table.activeColumn
    const menu = e.key === 'ContextMenu' || (e.key === 'F10' && e.shiftKey)
    if (column === null || (!menu && e.key !== 'Enter')) return false
    const at = middleOf(document.getElementById(table.body.grid.getAttribute('aria-activedescendant') ?? ''))
    if (row >= 0) {
      if (menu) props.onRowMenu(row, column, at)
      else props.onEnter(row)
    } else if (menu) props.onHeadMenu(column, at)
    else sortNext(column)
    return true
  }
  const headText = (id: string): string => {
    const column = props.shown.find(c => c.id === id)
    if (!column) return ''
    const name = props.title(column)
    const more = [column.title === name ? '' : column.title, sayIf(language, `metric.${id}`) ?? '']
    return [name, ...more].filter(Boolean).join('\n')
  }
  return {
    onKeyDown: e => {
      const table = control.current
      if (!table || e.target !== table.body.grid) return
      if (actOn(table, e)) return e.preventDefault()
      const row = table.press(e.nativeEvent)
      if (row !== null) props.onWalk(row)
    },
    // The grid keeps the focus: a row that had it would take it along when it is used for another one.
    onMouseDown: e => {
      const table = control.current
      if (!table?.cellOf(e.target)) return
      e.preventDefault()
      table.body.grid.focus({ preventScroll: true })
    },
    onClick: e => {
      const cell = control.current?.cellOf(e.target)
      if (cell && control.current?.click(cell, e.nativeEvent) === 'one') props.onPick(cell.row)
    },
    onContextMenu: e => {
      const at = { x: e.clientX, y: e.clientY }
      const table = control.current
      const head = headOf(e.target)?.getAttribute('col-id')
      const cell = table?.cellOf(e.target)
      if (!table || (!head && !cell)) return
      e.preventDefault()
      if (head) return props.onHeadMenu(head, at)
      if (!cell) return
      table.pointAt(cell)
      props.onRowMenu(cell.row, table.activeColumn ?? '', at)
    },
    // A text is whole on hover: asked for only of the cell under the pointer.
    onPointerOver: e => {
      const head = headOf(e.target)
      const element = head ?? (e.target instanceof Element ? e.target.closest<HTMLElement>('.ag-cell') : null)
      const row = head ? -1 : (control.current?.stateRow(e.target) ?? -1)
      if (element && row >= 0) return void tellWhy(control, element, row)
      const text = head
        ? headText(head.getAttribute('col-id') ?? '')
        : (control.current?.hoverText(e.target) ?? '')
      if (element && text !== '' && element.title !== text) element.title = text
    },
  }
}
