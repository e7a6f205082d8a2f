// One side's names: a list, or for layers a tree with the class of each layer. Arrows walk and open, Enter pairs, Delete takes out.
import { useEffect, useEffectEvent, useRef, useState, type DragEvent, type JSX, type KeyboardEvent } from 'react'
import type { MappingKind, MappingName, Side } from '../../../preload/contract/engine.ts'
import { engine, isQuiet } from '../../engine.ts'
import { begin as busy } from '../../state/idle.ts'
import { charactersOf, useMapping, versionOf } from '../../state/mapping.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Name } from '../../ui/bits.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useLongBox } from '../../ui/long-list.tsx'
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
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const text = useMapping(s => s.check[kind]?.text ?? s.docs[kind]?.text)
  const version = versionOf(text)
  const opened = [...open].sort()
  const ask = { session: session as NonNullable<typeof session>, unit, kind, text: charactersOf(text), side, find, show, open: opened, count: page }
  const first = valueOf(useQuery({ key: session === undefined ? null : ['names', session, unit, kind, version, side, find, show, ...opened], load: signal => engine.mappingNames({ ...ask, first: 0 }, signal), keep: true }))
  const toggle = (name: MappingName, to: boolean): void => setOpen(old => { const next = new Set(old); if (to) next.add(name.name); else next.delete(name.name); return next })
  return (
    <div className="column names">
      <div className="row names-head">
        <h3 className="names-side small">{say(`side.${side}`)}</h3>
        <input className="field" type="search" value={find} placeholder={say('mapping.find')} aria-label={`${say(`mapping.list.${side}`)}: ${say('mapping.find')}`} onChange={e => setFind(e.target.value)} />
      </div>
      {!first ? <Skeleton rows={4} /> : first.total === 0 ? <p className="small faint names-none">{say('mapping.list.none')}</p>
        : <Rows {...props} tree={kind === 'layer'} total={first.total} start={first.names} stamp={`${version} ${find} ${show} ${opened.length}`} onToggle={toggle} load={from => engine.mappingNames({ ...ask, first: from })} />}
    </div>
  )
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

interface Pages { readonly of: readonly MappingName[]; readonly more: ReadonlyMap<number, readonly MappingName[]> }

function Rows({ side, tree, total, start, stamp, chosen, dragging, onChoose, onDrag, onDropped, onEnter, onDelete, onToggle, load }: RowsProps): JSX.Element {
  const say = useSay()
  const rowHeight = heights[tree ? 'tree' : 'list']
  const [pages, setPages] = useState<Pages>({ of: start, more: new Map() })
  const more = pages.of === start ? pages.more : new Map<number, readonly MappingName[]>()
  const nameAt = (i: number): MappingName | undefined => (i < page ? start[i] : more.get(Math.floor(i / page))?.[i % page])
  const at = (() => {
    const here = start.findIndex(name => name.name === chosen)
    if (here >= 0 || chosen === '') return here
    for (const [p, names] of more) { const i = names.findIndex(name => name.name === chosen); if (i >= 0) return p * page + i }
    return -1
  })()

  const { box, range, measure } = useLongBox(total, rowHeight, at, stamp)

  const asked = useRef<{ readonly of: readonly MappingName[]; readonly pages: Set<number> }>({ of: start, pages: new Set() })
  const fetch = useEffectEvent((p: number): void => {
    if (asked.current.of !== start) asked.current = { of: start, pages: new Set() }
    if (p === 0 || asked.current.pages.has(p)) return
    asked.current.pages.add(p)
    const done = busy('names')
    load(p * page).then(({ names }) => setPages(old => ({ of: start, more: new Map(old.of === start ? old.more : []).set(p, names) })), error => { asked.current.pages.delete(p); if (!isQuiet(error)) throw error }).finally(done)
  })
  useEffect(() => { for (let p = Math.floor(range.first / page); p <= Math.floor(Math.max(range.first, range.last - 1) / page); p++) fetch(p) }, [range.first, range.last, start])

  const parentOf = (i: number): number => {
    const depth = nameAt(i)?.depth ?? 0
    for (let above = i - 1; above >= 0; above--) { const name = nameAt(above); if (!name || name.depth < depth) return name ? above : -1 }
    return -1
  }
  const press = (e: KeyboardEvent): void => {
    const step = Math.max(1, Math.floor((box.current?.clientHeight ?? rowHeight) / rowHeight) - 1)
    const name = nameAt(at)
    const to: Readonly<Record<string, number | undefined>> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + step, PageUp: at - step, Home: 0, End: total - 1 }
    let next = to[e.key]
    if (e.key === 'Enter') onEnter()
    else if (e.key === 'Delete' || e.key === 'Backspace') onDelete()
    else if (tree && name && e.key === 'ArrowRight') { if (name.below > 0 && !name.open) onToggle(name, true); else next = at + 1 }
    else if (tree && name && e.key === 'ArrowLeft') { if (name.open) onToggle(name, false); else next = parentOf(at) }
    else if (next === undefined) return
    e.preventDefault()
    const wanted = next === undefined || total === 0 ? undefined : nameAt(Math.max(0, Math.min(total - 1, next)))
    if (wanted) onChoose(wanted.name)
  }
  const drag = (event: DragEvent, name: MappingName): void => { event.dataTransfer.setData('text/plain', name.name); onDrag(name.name); onChoose(name.name) }
  const id = `names-${side}`
  return (
    <div ref={box} className={`long-list names-list ${dragging ? 'takes' : ''}`} role={tree ? 'tree' : 'listbox'} aria-label={say(`mapping.list.${side}`)} tabIndex={0} onScroll={measure} onKeyDown={press}
      {...(at >= range.first && at < range.last ? { 'aria-activedescendant': `${id}-${at}` } : {})} data-testid={`mapping-names-${side}`}>
      <div style={{ height: total * rowHeight, position: 'relative' }}>
        {Array.from({ length: Math.max(0, Math.min(range.last, total) - range.first) }, (_, k) => range.first + k).map(i => {
          const name = nameAt(i)
          return (
            <div key={i} id={`${id}-${i}`} className="long-row" role={tree ? 'treeitem' : 'option'} aria-selected={i === at} style={{ top: i * rowHeight, height: rowHeight, ...(tree && name ? { paddingInlineStart: 4 + name.depth * 14 } : {}) }}
              {...(tree && name ? { 'aria-level': name.depth + 1, ...(name.below > 0 ? { 'aria-expanded': name.open } : {}) } : { 'aria-setsize': total, 'aria-posinset': i + 1 })}
              {...(name ? { draggable: true, onClick: () => onChoose(name.name), onDoubleClick: () => { if (name.below > 0) onToggle(name, !name.open) }, onDragStart: (e: DragEvent) => drag(e, name), onDragEnd: () => onDrag(''), onDragOver: (e: DragEvent) => { if (dragging) e.preventDefault() }, onDrop: (e: DragEvent) => { e.preventDefault(); e.stopPropagation(); onDropped(name.name) } } : {})}>
              {name ? <Row name={name} tree={tree} onToggle={onToggle} /> : <span className="skeleton grow" style={{ height: 14 }} />}
            </div>
          )
        })}
      </div>
    </div>
  )
}

const marks = { matched: '✓', ambiguous: '≈', unmatched: '∅' } as const

function Row({ name, tree, onToggle }: { readonly name: MappingName; readonly tree: boolean; onToggle(name: MappingName, to: boolean): void }): JSX.Element {
  const say = useSay()
  const met = say(`mapping.show.${name.state}`)
  const calls = say('mapping.calls.matched', { matched: name.matched, count: name.count })
  const state = <span className={`names-state ${name.state}`} role="img" aria-label={`${met}, ${calls}`} title={`${met}, ${calls}`}>{marks[name.state]}</span>
  if (tree) {
    const [own, partner] = [name.name, name.partner].map(path => path.slice(path.lastIndexOf('.') + 1))
    return (
      <>
        <span className="names-twist" aria-hidden="true" onClick={e => { if (name.below > 0) { e.stopPropagation(); onToggle(name, !name.open) } }}>{name.below > 0 ? <Icon name={name.open ? 'down' : 'right'} size={12} /> : null}</span>
        <span className="cut names-own" title={name.name}>{own}</span>
        <span className="faint small cut names-class" title={say('mapping.class', { name: name.detail })}>{name.detail === own ? '' : name.detail}</span>
        {partner === '' || partner === own ? null : <span className="small cut names-partner" title={name.partner}>↔ {partner}</span>}
        {state}
      </>
    )
  }
  return (
    <>
      <span className="column grow name-row">
        <Name text={name.name} />
        <span className="small faint cut" title={name.partner}>{[name.partner === '' ? '' : `↔ ${name.partner}`, name.detail, name.count > 1 ? calls : ''].filter(part => part !== '').join('  ')}</span>
      </span>
      {state}
    </>
  )
}
