// Lists of nodes for walking: suspicious ones in execution order, and what has no partner on each side, with the reason.
import { useCallback, useRef, useState, type JSX } from 'react'
import type { ListedNode, NodeList } from '../../../preload/contract/engine.ts'
import { engine, isQuiet, problemOf } from '../../engine.ts'
import { findHits, goToHit } from '../../state/find.ts'
import { run } from '../../state/commands.ts'
import { count } from '../../state/format.ts'
import { begin } from '../../state/idle.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { select } from '../../state/selection.ts'
import { problemText, useSay } from '../../state/words.ts'
import { nodeName, notify, now, sameNode, stamp, useWorkbench } from '../../state/workbench.ts'
import { Bucket, Name } from '../../ui/bits.tsx'
import { Button } from '../../ui/controls.tsx'
import { LongList } from '../../ui/long-list.tsx'
import { Empty, Failed, Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import './nodes.css'

const lists = ['suspicious', 'unmatched-debug', 'unmatched-bench'] as const satisfies readonly NodeList[]
const page = 100
const rowHeight = 44

export default function NodesPanel(): JSX.Element {
  const say = useSay()
  const [list, setList] = useState<NodeList | 'hits'>('suspicious')
  const searched = useWorkbench(s => s.find.text.trim() !== '')
  const single = useWorkbench(s => s.session?.bench === null)
  if (single) return <><header className="row panel-title"><h2 className="section-title">{say('nodes.title')}</h2></header><Empty icon="single" title={say('nodes.single')}>{say('nodes.single.what')}</Empty></>
  return (
    <div className="nodes" data-testid="nodes">
      <header className="row panel-title">
        <h2 className="section-title grow">{say('nodes.title')}</h2>
        <Button look="quiet" small icon="up" label={say('command.previous-problem')} onPress={() => run('previous-problem')} />
        <Button look="quiet" small icon="down" label={say('command.next-problem')} onPress={() => run('next-problem')} />
      </header>
      <Tabs label={say('nodes.title')} at={list} onChange={id => setList(id as NodeList | 'hits')} rows={[
        ...lists.map(l => ({ id: l, title: <TabName list={l} />, className: 'nodes-panel', show: <Listed list={l} /> })),
        ...(searched ? [{ id: 'hits', title: say('nodes.hits'), className: 'nodes-panel', show: <Hits /> }] : []),
      ]} />
    </div>
  )
}

interface First { readonly total: number; readonly nodes: readonly ListedNode[]; readonly of: string }

const useFirst = (list: NodeList): ReturnType<typeof useQuery<First>> => {
  const here = useWorkbench(s => stamp(s, 'graph', 'verdicts', 'pairs'))
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  return useQuery({ key: session === undefined ? null : ['list', here, list], load: async signal => ({ ...await engine.list({ session: session as NonNullable<typeof session>, unit, list, first: 0, count: page }, signal), of: here }), keep: true })
}

function TabName({ list }: { readonly list: NodeList }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const first = valueOf(useFirst(list))
  return <>{say(`nodes.${list}`)}{first ? <span className="badge">{count(language, first.total)}</span> : null}</>
}

function Listed({ list }: { readonly list: NodeList }): JSX.Element {
  const say = useSay()
  const answer = useFirst(list)
  const first = valueOf(answer)
  if (answer.is === 'failed' && !first) return <Failed problem={answer.problem} />
  if (!first) return <Skeleton rows={8} height={30} />
  if (first.total === 0) return <Empty icon="check" title={say(list === 'suspicious' ? 'nodes.none-suspicious' : 'nodes.none-unmatched')} />
  return <Long key={`${list}${first.of}`} list={list} first={first} />
}

function Long({ list, first }: { readonly list: NodeList; readonly first: First }): JSX.Element {
  const say = useSay()
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const selected = useWorkbench(s => s.selection?.at ?? null)
  const [pages, setPages] = useState<ReadonlyMap<number, readonly ListedNode[]>>(() => new Map([[0, first.nodes]]))
  const asked = useRef(new Set<number>([0]))

  const fetch = useCallback((from: number, to: number): void => {
    if (session === undefined) return
    for (let p = Math.floor(from / page); p <= Math.floor(Math.max(from, to - 1) / page); p++) {
      if (asked.current.has(p)) continue
      asked.current.add(p)
      const done = begin('list')
      engine.list({ session, unit, list, first: p * page, count: page })
        .then(({ nodes }) => setPages(old => new Map(old).set(p, nodes)), error => { asked.current.delete(p); if (!isQuiet(error)) notify('failed', { what: problemText(now().language, problemOf(error)) }) })
        .finally(done)
    }
  }, [session, unit, list])

  const nodeAt = (i: number): ListedNode | undefined => pages.get(Math.floor(i / page))?.[i % page]
  let at = -1
  for (const [p, nodes] of pages) { const i = nodes.findIndex(n => sameNode(n.at, selected)); if (i >= 0) at = p * page + i }
  return (
    <LongList total={first.total} rowHeight={rowHeight} label={say(`nodes.${list}`)} at={at} onRange={fetch} onChoose={i => { const n = nodeAt(i); if (n) select(n.at, 'nodes') }}
      renderRow={i => { const n = nodeAt(i); return n ? <Row node={n} /> : <span className="skeleton grow" style={{ height: 14 }} /> }} />
  )
}

/** What the search box found, to walk over at leisure. */
function Hits(): JSX.Element {
  const say = useSay()
  const text = useWorkbench(s => s.find.text)
  const at = useWorkbench(s => s.find.at)
  const here = useWorkbench(s => stamp(s, 'graph'))
  const answer = useQuery({ key: ['search', here, text], load: signal => findHits(text, signal), keep: true })
  const hits = valueOf(answer)
  if (!hits) return <Skeleton rows={8} height={30} />
  if (hits.length === 0) return <Empty icon="search" title={say('search.none', { text })} />
  return (
    <LongList total={hits.length} rowHeight={rowHeight} label={say('search.hits')} at={at} onChoose={i => { const hit = hits[i]; if (hit) goToHit(hit, i) }}
      renderRow={i => {
        const hit = hits[i]
        return hit ? <><Bucket bucket={hit.bucket} /><span className="column grow node-text" title={hit.node}><Name text={hit.node} /><span className="small faint cut">{say(`side.${hit.side}`)}{hit.what === 'name' ? '' : ` · ${hit.text}`}</span></span></> : null
      }} />
  )
}

function Row({ node }: { readonly node: ListedNode }): JSX.Element {
  const language = useWorkbench(s => s.language)
  const [why] = node.why
  return (
    <>
      <Bucket bucket={node.bucket} />
      <span className="column grow node-text" title={nodeName(node.at)}>
        <span className="row" style={{ gap: 4 }}><span className="faint" aria-hidden="true">{node.backward ? '◂' : '▸'}</span><Name text={node.label} /></span>
        <span className="small faint cut">{why ? problemText(language, why) : node.parent}</span>
      </span>
      {node.failing > 0 ? <span className="badge">{node.failing}</span> : null}
    </>
  )
}
