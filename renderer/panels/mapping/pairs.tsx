// Two lists of names, one per side: choose or drag to pair; arguments of an API are wired by a small picture.
import { useCallback, useRef, useState, type DragEvent, type JSX } from 'react'
import type { MappingChange, MappingCheck, MappingKind, MappingName, Side } from '../../../preload/contract/engine.ts'
import { engine, isQuiet } from '../../engine.ts'
import { begin as busy } from '../../state/idle.ts'
import { change, useMapping } from '../../state/mapping.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Name } from '../../ui/bits.tsx'
import { Button, Toggle } from '../../ui/controls.tsx'
import { LongList } from '../../ui/long-list.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { changeText } from './proposals.tsx'
import { Wiring } from './wiring.tsx'

const shows = ['unmatched', 'matched', 'ambiguous', 'all'] as const
type Show = (typeof shows)[number]
const page = 100
const rowHeight = 42

/** What pairing two names means in the words of a kind; null where it means nothing. */
function changeFor(kind: MappingKind, debug: MappingName, bench: MappingName): MappingChange | null {
  const last = (path: string): string => path.slice(path.lastIndexOf('.') + 1)
  if (kind === 'cell' || kind === 'data') return { kind, from: debug.name, to: bench.name }
  if (kind === 'layer') return debug.scope === '' ? null : { kind, scope: debug.scope === 'TopLayer' ? 'Cell' : debug.scope, from: last(debug.name), to: last(bench.name) }
  const inOrder = (mine: MappingName['inputs'], theirs: MappingName['inputs']): [string, string][] => mine.slice(0, theirs.length).map((one, i) => [one.index, theirs[i]?.index ?? ''])
  return { kind, from: debug.name, to: bench.name, args: inOrder(debug.inputs, bench.inputs), outputs: inOrder(debug.outputs, bench.outputs) }
}

export function Pairs({ kind, check }: { readonly kind: MappingKind; readonly check: MappingCheck | null }): JSX.Element {
  const say = useSay()
  const [chosen, setChosen] = useState<Readonly<Partial<Record<Side, MappingName>>>>({})
  const [show, setShow] = useState<Show>('unmatched')
  const { debug, bench } = chosen
  const made = debug && bench ? changeFor(kind, debug, bench) : null
  const known = check?.entries.find(entry => entry.change.from === (kind === 'layer' ? debug?.name.slice(debug.name.lastIndexOf('.') + 1) : debug?.name))?.change ?? null
  const pair = (one: MappingChange | null): void => { if (one) { setChosen({}); void change(kind, [one]) } }
  return (
    <div className="column pairs" data-testid="mapping-pairs">
      <div className="row wrap">{shows.map(s => <Toggle key={s} className="chip" on={s === show} onChange={() => setShow(s)}>{say(`mapping.show.${s}`)}</Toggle>)}</div>
      <div className="pairs-lists">
        {(['debug', 'bench'] as const).map(side => (
          <Names key={`${side}${show}`} kind={kind} side={side} show={show} chosen={chosen[side] ?? null} onChoose={name => setChosen(old => ({ ...old, [side]: name }))}
            onDropped={name => { const mine = side === 'debug' ? name : debug; const theirs = side === 'bench' ? name : bench; if (mine && theirs) pair(changeFor(kind, mine, theirs)) }} />
        ))}
      </div>
      <div className="row pairs-foot">
        <span className="grow small dim copyable">{made ? changeText(say, made) : say('mapping.pair.what')}</span>
        {known ? <Button small onPress={() => void change(kind, [], [known])}>{say('mapping.unpair')}</Button> : null}
        <Button small look="primary" disabled={!made} onPress={() => pair(made)} testId="mapping-pair">{say('mapping.pair')}</Button>
      </div>
      {kind === 'api' && debug && (known?.kind === 'api' || made) ? <Wiring debug={debug} bench={bench ?? null} change={known?.kind === 'api' ? known : made} onChange={one => void change(kind, [one])} /> : null}
    </div>
  )
}

interface NamesProps {
  readonly kind: MappingKind
  readonly side: Side
  readonly show: Show
  readonly chosen: MappingName | null
  onChoose(name: MappingName): void
  /** The chosen name of the other side was dropped on this one. */
  onDropped(name: MappingName): void
}

function Names({ kind, side, show, chosen, onChoose, onDropped }: NamesProps): JSX.Element {
  const say = useSay()
  const [find, setFind] = useState('')
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const text = useMapping(s => s.check[kind]?.text ?? s.docs[kind]?.text ?? '')
  const ask = { session: session as NonNullable<typeof session>, unit, kind, text, side, find, show, count: page }
  const first = valueOf(useQuery({ key: session === undefined ? null : ['names', session, unit, kind, text, side, find, show], load: signal => engine.mappingNames({ ...ask, first: 0 }, signal), keep: true }))
  return (
    <div className="column names">
      <input className="field" type="search" value={find} placeholder={say('mapping.find')} aria-label={`${say(`mapping.list.${side}`)}: ${say('mapping.find')}`} onChange={e => setFind(e.target.value)} />
      {!first ? <Skeleton rows={4} /> : first.total === 0 ? <p className="small faint names-none">{say('mapping.list.none')}</p>
        : <Long key={`${text}${find}`} total={first.total} start={first.names} side={side} chosen={chosen} onChoose={onChoose} onDropped={onDropped} load={from => engine.mappingNames({ ...ask, first: from })} />}
    </div>
  )
}

interface LongProps {
  readonly total: number
  readonly start: readonly MappingName[]
  readonly side: Side
  readonly chosen: MappingName | null
  onChoose(name: MappingName): void
  onDropped(name: MappingName): void
  load(first: number): Promise<{ readonly names: readonly MappingName[] }>
}

function Long({ total, start, side, chosen, onChoose, onDropped, load }: LongProps): JSX.Element {
  const say = useSay()
  const [pages, setPages] = useState<ReadonlyMap<number, readonly MappingName[]>>(() => new Map([[0, start]]))
  const asked = useRef(new Set([0]))
  const fetch = useCallback((from: number, to: number): void => {
    for (let p = Math.floor(from / page); p <= Math.floor(Math.max(from, to - 1) / page); p++) {
      if (asked.current.has(p)) continue
      asked.current.add(p)
      const done = busy('names')
      load(p * page).then(({ names }) => setPages(old => new Map(old).set(p, names)), error => { asked.current.delete(p); if (!isQuiet(error)) throw error }).finally(done)
    }
  }, [load])
  const nameAt = (i: number): MappingName | undefined => pages.get(Math.floor(i / page))?.[i % page]
  let at = -1
  for (const [p, names] of pages) { const i = names.findIndex(name => name.name === chosen?.name && name.scope === chosen.scope); if (i >= 0) at = p * page + i }
  const drag = (event: DragEvent, name: MappingName): void => { event.dataTransfer.setData('text/plain', `${side} ${name.name}`); onChoose(name) }
  return (
    <LongList total={total} rowHeight={rowHeight} label={say(`mapping.list.${side}`)} at={at} onRange={fetch} onChoose={i => { const name = nameAt(i); if (name) onChoose(name) }}
      renderRow={i => {
        const name = nameAt(i)
        if (!name) return <span className="skeleton grow" style={{ height: 14 }} />
        return (
          <span className="column grow name-row" draggable onDragStart={e => drag(e, name)} onDragOver={e => e.preventDefault()} onDrop={e => { e.preventDefault(); e.stopPropagation(); onDropped(name) }}>
            <Name text={name.name} />
            <span className="small faint cut">{[name.detail, name.partner === '' ? '' : `→ ${name.partner}`, name.count > 1 ? say('mapping.calls', { count: name.count }) : ''].filter(part => part !== '').join('  ')}</span>
          </span>
        )
      }} />
  )
}
