// One side's names: a list, or for layers a tree with the class of each layer. Arrows walk and open, Enter
// pairs, Delete takes out.
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type HTMLAttributes,
  type JSX,
  type KeyboardEvent,
} from 'react'
import type { MappingKind, MappingName, Side } from '../../../preload/contract/engine.ts'
import { engine, isQuiet } from '../../engine.ts'
import { begin as busy } from '../../state/idle.ts'
import { charactersOf, useMapping, versionOf } from '../../state/mapping.ts'
import { valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { Name } from '../../ui/bits.tsx'
import { Icon } from '../../ui/icons.tsx'
import { rowAfter, useLongBox } from '../../ui/long-list.tsx'
import { Skeleton } from '../../ui/states.tsx'

export type Show = 'all' | MappingName['state']

const page = 200
const heights = { tree: 26, list: 40 } as const

interface NamesProps {
  readonly kind: MappingKind
  readonly side: Side
  readonly show: Show
  readonly chosen: string
  /** A name of the other side is being dragged. */
  readonly dragging: boolean
  onChoose(name: string): void
  /** '' when a drag ended. */
  onDrag(name: string): void
  onDropped(name: string): void
  onEnter(): void
  onDelete(): void
}

export function Names(props: NamesProps): JSX.Element {
  const { kind, side, show } = props
  const say = useSay()
  const [find, setFind] = useState('')
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set())
  const text = useMapping(s => s.check[kind]?.readable ?? s.docs[kind]?.text)
  const version = versionOf(text)
  const opened = [...open].sort()
  const ask = { kind, text: charactersOf(text), side, find, show, open: opened, count: page }
  const first = valueOf(
    useUnitQuery({
      steps: [],
      key: ['names', kind, version, side, find, show, ...opened],
      load: async (here, signal) => ({
        ...(await engine.mappingNames({ ...here, ...ask, first: 0 }, signal)),
        here,
      }),
      keep: true,
    }),
  )
  const toggle = (name: MappingName, to: boolean): void => setOpen(old => withName(old, name.name, to))
  return (
    <div className="column names">
      <div className="row names-head">
        <h3 className="names-side small">{say(`side.${side}`)}</h3>
        <input
          className="field"
          type="search"
          value={find}
          placeholder={say('mapping.find')}
          aria-label={`${say(`mapping.list.${side}`)}: ${say('mapping.find')}`}
          onChange={e => setFind(e.target.value)}
        />
      </div>
      {first ? null : <Skeleton rows={4} />}
      {first?.total === 0 ? <p className="small faint names-none">{say('mapping.list.none')}</p> : null}
      {first && first.total > 0 ? (
        <Rows
          {...props}
          tree={kind === 'layer'}
          total={first.total}
          start={first.names}
          stamp={`${version} ${find} ${show} ${opened.length}`}
          onToggle={toggle}
          load={from => engine.mappingNames({ ...first.here, ...ask, first: from })}
        />
      ) : null}
    </div>
  )
}

function withName(names: ReadonlySet<string>, name: string, there: boolean): ReadonlySet<string> {
  const next = new Set(names)
  if (there) next.add(name)
  else next.delete(name)
  return next
}

interface RowsProps extends NamesProps {
  readonly tree: boolean
  readonly total: number
  readonly start: readonly MappingName[]
  /** Another one is another list. */
  readonly stamp: string
  onToggle(name: MappingName, to: boolean): void
  load(first: number): Promise<{ readonly names: readonly MappingName[] }>
}

function Rows(props: RowsProps): JSX.Element {
  const { side, tree, total, start, stamp, chosen, dragging } = props
  const say = useSay()
  const rowHeight = heights[tree ? 'tree' : 'list']
  const { nameAt, placeOf, fetch } = usePages(start, props.load)
  const at = placeOf(chosen)
  const { box, range, measure } = useLongBox(total, rowHeight, at, stamp)
  useEffect(() => {
    const last = Math.floor(Math.max(range.first, range.last - 1) / page)
    for (let p = Math.floor(range.first / page); p <= last; p++) fetch(p)
  }, [range.first, range.last, start, fetch])
  const press = (e: KeyboardEvent): void => {
    const rowsInView = Math.floor((box.current?.clientHeight ?? rowHeight) / rowHeight)
    if (followKey(e.key, props, { at, page: Math.max(1, rowsInView - 1), nameAt })) e.preventDefault()
  }
  const id = `names-${side}`
  const rows = Math.max(0, Math.min(range.last, total) - range.first)
  return (
    <div
      ref={box}
      className={`long-list names-list ${dragging ? 'takes' : ''}`}
      role={tree ? 'tree' : 'listbox'}
      aria-label={say(`mapping.list.${side}`)}
      tabIndex={0}
      onScroll={measure}
      onKeyDown={press}
      {...(at >= range.first && at < range.last ? { 'aria-activedescendant': `${id}-${at}` } : {})}
      data-testid={`mapping-names-${side}`}
    >
      <div style={{ height: total * rowHeight, position: 'relative' }}>
        {Array.from({ length: rows }, (_, k) => range.first + k).map(i => (
          <PlacedRow key={i} {...props} i={i} name={nameAt(i)} chosenRow={i === at} rowHeight={rowHeight} />
        ))}
      </div>
    </div>
  )
}

interface Pages {
  readonly of: readonly MappingName[]
  readonly more: ReadonlyMap<number, readonly MappingName[]>
}

/** The first page is there; the others come as they are looked at. */
function usePages(
  start: readonly MappingName[],
  load: RowsProps['load'],
): { nameAt(i: number): MappingName | undefined; placeOf(name: string): number; fetch(page: number): void } {
  const [pages, setPages] = useState<Pages>({ of: start, more: new Map() })
  const more = pages.of === start ? pages.more : new Map<number, readonly MappingName[]>()
  const asked = useRef<{ readonly of: readonly MappingName[]; readonly pages: Set<number> }>({
    of: start,
    pages: new Set(),
  })
  const fetch = useEffectEvent((p: number): void => {
    if (asked.current.of !== start) asked.current = { of: start, pages: new Set() }
    if (p === 0 || asked.current.pages.has(p)) return
    asked.current.pages.add(p)
    const done = busy('names')
    load(p * page)
      .then(
        ({ names }) =>
          setPages(old => ({ of: start, more: new Map(old.of === start ? old.more : []).set(p, names) })),
        error => {
          asked.current.pages.delete(p)
          if (!isQuiet(error)) throw error
        },
      )
      .finally(done)
  })
  return {
    nameAt: i => (i < page ? start[i] : more.get(Math.floor(i / page))?.[i % page]),
    placeOf: name => {
      if (name === '') return -1
      for (const [p, names] of [[0, start] as const, ...more]) {
        const i = names.findIndex(one => one.name === name)
        if (i >= 0) return p * page + i
      }
      return -1
    },
    fetch,
  }
}

interface Standing {
  readonly at: number
  /** Rows of a page of the screen. */
  readonly page: number
  nameAt(i: number): MappingName | undefined
}

/** Arrows walk and open, Enter pairs, Delete takes out; answers whether the key meant anything. */
function followKey(key: string, props: RowsProps, standing: Standing): boolean {
  const { total, onChoose, onEnter, onDelete } = props
  const { at, nameAt } = standing
  if (key === 'Enter') onEnter()
  else if (key === 'Delete' || key === 'Backspace') onDelete()
  else {
    const next = stepOf(key, props, standing)
    if (next === undefined) return false
    const wanted = total === 0 || next === at ? undefined : nameAt(Math.max(0, Math.min(total - 1, next)))
    if (wanted) onChoose(wanted.name)
  }
  return true
}

/** The row that a key leads to: the same one when the key opens or closes it. */
function stepOf(
  key: string,
  { tree, total, onToggle }: RowsProps,
  { at, page: rows, nameAt }: Standing,
): number | undefined {
  const name = nameAt(at)
  if (tree && name && key === 'ArrowRight') {
    if (name.below === 0 || name.open) return at + 1
    onToggle(name, true)
    return at
  }
  if (tree && name && key === 'ArrowLeft') {
    if (!name.open) return parentOf(at, nameAt)
    onToggle(name, false)
    return at
  }
  return rowAfter(key, { at, page: rows, total })
}

function parentOf(i: number, nameAt: Standing['nameAt']): number {
  const depth = nameAt(i)?.depth ?? 0
  for (let above = i - 1; above >= 0; above--) {
    const name = nameAt(above)
    if (!name || name.depth < depth) return name ? above : -1
  }
  return -1
}

function PlacedRow({
  i,
  name,
  chosenRow,
  rowHeight,
  ...props
}: RowsProps & {
  readonly i: number
  /** Undefined while its page is on the way. */
  readonly name: MappingName | undefined
  readonly chosenRow: boolean
  readonly rowHeight: number
}): JSX.Element {
  const { side, tree, total } = props
  const indent = tree && name ? { paddingInlineStart: 4 + name.depth * 14 } : {}
  const expanded = name && name.below > 0 ? { 'aria-expanded': name.open } : {}
  return (
    <div
      id={`names-${side}-${i}`}
      className="long-row"
      role={tree ? 'treeitem' : 'option'}
      aria-selected={chosenRow}
      style={{ top: i * rowHeight, height: rowHeight, ...indent }}
      {...(tree && name
        ? { 'aria-level': name.depth + 1, ...expanded }
        : { 'aria-setsize': total, 'aria-posinset': i + 1 })}
      {...(name ? rowActs(name, props) : {})}
    >
      {name ? (
        <Row name={name} tree={tree} onToggle={props.onToggle} />
      ) : (
        <span className="skeleton grow" style={{ height: 14 }} />
      )}
    </div>
  )
}

const rowActs = (
  name: MappingName,
  { dragging, onChoose, onToggle, onDrag, onDropped }: RowsProps,
): HTMLAttributes<HTMLElement> => ({
  draggable: true,
  onClick: () => onChoose(name.name),
  onDoubleClick: () => {
    if (name.below > 0) onToggle(name, !name.open)
  },
  onDragStart: e => {
    e.dataTransfer.setData('text/plain', name.name)
    onDrag(name.name)
    onChoose(name.name)
  },
  onDragEnd: () => onDrag(''),
  onDragOver: e => {
    if (dragging) e.preventDefault()
  },
  onDrop: e => {
    e.preventDefault()
    e.stopPropagation()
    onDropped(name.name)
  },
})

const marks = { matched: '✓', ambiguous: '≈', unmatched: '∅' } as const

function Row({
  name,
  tree,
  onToggle,
}: {
  readonly name: MappingName
  readonly tree: boolean
  onToggle(name: MappingName, to: boolean): void
}): JSX.Element {
  const say = useSay()
  const met = say(`mapping.show.${name.state}`)
  const calls = say('mapping.calls.matched', { matched: name.matched, count: name.count })
  const state = (
    <span
      className={`names-state ${name.state}`}
      role="img"
      aria-label={`${met}, ${calls}`}
      title={`${met}, ${calls}`}
    >
      {marks[name.state]}
    </span>
  )
  if (tree) return <TreeRow name={name} state={state} onToggle={onToggle} />
  return (
    <>
      <span className="column grow name-row">
        <Name text={name.name} />
        <span className="small faint cut" title={name.partner}>
          {[name.partner === '' ? '' : `↔ ${name.partner}`, name.detail, name.count > 1 ? calls : '']
            .filter(part => part !== '')
            .join('  ')}
        </span>
      </span>
      {state}
    </>
  )
}

function TreeRow({
  name,
  state,
  onToggle,
}: {
  readonly name: MappingName
  readonly state: JSX.Element
  onToggle(name: MappingName, to: boolean): void
}): JSX.Element {
  const say = useSay()
  const [own, partner] = [name.name, name.partner].map(path => path.slice(path.lastIndexOf('.') + 1))
  return (
    <>
      <span
        className="names-twist"
        aria-hidden="true"
        onClick={e => {
          if (name.below > 0) {
            e.stopPropagation()
            onToggle(name, !name.open)
          }
        }}
      >
        {name.below > 0 ? <Icon name={name.open ? 'down' : 'right'} size={12} /> : null}
      </span>
      <span className="cut names-own" title={name.name}>
        {own}
      </span>
      <span className="faint small cut names-class" title={say('mapping.class', { name: name.detail })}>
        {name.detail === own ? '' : name.detail}
      </span>
      {partner === '' || partner === own ? null : (
        <span className="small cut names-partner" title={name.partner}>
          ↔ {partner}
        </span>
      )}
      {state}
    </>
  )
}
