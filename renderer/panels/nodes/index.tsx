// Lists of nodes for walking: what differs in the order of the walk, and what has no partner on each side, with
// the reason.
import { useCallback, useMemo, useRef, useState, type JSX } from 'react'
import type { ListedNode, NodeList, NodePage } from '../../../preload/contract/engine.ts'
import { engine, isQuiet, problemOf } from '../../engine.ts'
import { findHits, goToHit } from '../../state/find.ts'
import { count } from '../../state/format.ts'
import { begin } from '../../state/idle.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { select } from '../../state/selection.ts'
import { isSingle } from '../../state/study.ts'
import { problemText, useSay } from '../../state/words.ts'
import { nodeName, notify, now, sameNode, stamp, useWorkbench } from '../../state/workbench.ts'
import { nameParts } from '../../state/names.ts'
import { CommandButton } from '../../ui/command-button.tsx'
import { Toggle } from '../../ui/controls.tsx'
import { Bucket, Name, OriginFlag } from '../../ui/bits.tsx'
import { Icon } from '../../ui/icons.tsx'
import { LongList } from '../../ui/long-list.tsx'
import { Empty, Failed, Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import './nodes.css'

const lists = ['differing', 'unmatched-debug', 'unmatched-bench'] as const satisfies readonly NodeList[]
type Shown = (typeof lists)[number]
const reasonWords = {
  'unmatched-mapping': 'nodes.reason.unmatched-mapping',
  'unmatched-no-such-id': 'nodes.reason.unmatched-no-such-id',
  'unmatched-count': 'nodes.reason.unmatched-count',
  'unmatched-type': 'nodes.reason.unmatched-type',
  'unmatched-shape': 'nodes.reason.unmatched-shape',
  'unmatched-call': 'nodes.reason.unmatched-call',
  'unmatched-by-hand': 'nodes.reason.unmatched-by-hand',
} as const
const page = 100
const rowHeight = 44

export default function NodesPanel(): JSX.Element {
  const say = useSay()
  const [list, setList] = useState<Shown | 'hits' | 'notes'>('differing')
  const notes = useWorkbench(s => s.notes.length)
  const searched = useWorkbench(s => s.find.text.trim() !== '')
  const single = useWorkbench(s => isSingle(s.session))
  if (single)
    return (
      <>
        <header className="row panel-title">
          <h2 className="section-title">{say('nodes.title')}</h2>
        </header>
        <Empty icon="single" title={say('nodes.single')}>
          {say('nodes.single.what')}
        </Empty>
      </>
    )
  return (
    <div className="nodes" data-testid="nodes">
      <header className="row panel-title">
        <h2 className="section-title grow">{say('nodes.title')}</h2>
        <CommandButton command="previous-problem" icon="up" />
        <CommandButton command="next-problem" icon="down" />
      </header>
      <Tabs
        label={say('nodes.title')}
        at={list}
        onChange={id => setList(id as Shown | 'hits' | 'notes')}
        rows={[
          ...lists.map(l => ({
            id: l,
            title: <TabName list={l} />,
            className: 'nodes-panel',
            show: <Listed list={l} />,
          })),
          ...(notes > 0
            ? [{ id: 'notes', title: say('nodes.notes'), className: 'nodes-panel', show: <Notes /> }]
            : []),
          ...(searched
            ? [{ id: 'hits', title: say('nodes.hits'), className: 'nodes-panel', show: <Hits /> }]
            : []),
        ]}
      />
    </div>
  )
}

type Reason = NodePage['reasons'][number]['code']

interface First extends NodePage {
  readonly of: string
}

const useFirst = (list: Shown, reason: Reason | null = null): ReturnType<typeof useQuery<First>> => {
  const steps = ['graph', 'states', 'pairs'] as const
  const of = useWorkbench(s => stamp(s, ...steps))
  return useUnitQuery({
    steps,
    key: ['list', list, reason],
    load: async (here, signal) => ({
      ...(await engine.list({ ...here, list, first: 0, count: page, reason }, signal)),
      of,
    }),
    keep: true,
  })
}

function TabName({ list }: { readonly list: Shown }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const first = valueOf(useFirst(list))
  return (
    <>
      {say(`nodes.${list}`)}
      {first ? <span className="badge">{count(language, first.total)}</span> : null}
    </>
  )
}

function Listed({ list }: { readonly list: Shown }): JSX.Element {
  const say = useSay()
  const [reason, setReason] = useState<Reason | null>(null)
  const answer = useFirst(list, reason)
  const first = valueOf(answer)
  if (answer.is === 'failed' && !first) return <Failed problem={answer.problem} />
  if (!first) return <Skeleton rows={8} height={30} />
  if (first.total === 0 && reason === null)
    return (
      <Empty
        icon="check"
        title={say(list === 'differing' ? 'nodes.none-differing' : 'nodes.none-unmatched')}
      />
    )
  return (
    <>
      <Reasons found={first.reasons} chosen={reason} onChoose={setReason} />
      <Long key={`${list}${reason ?? ''}${first.of}`} list={list} first={first} reason={reason} />
    </>
  )
}

const isReason = (code: string): code is Extract<Reason, keyof typeof reasonWords> =>
  Object.hasOwn(reasonWords, code)

/** Why nodes have no partner, each said once for all of them; choosing one leaves its nodes. */
function Reasons({
  found,
  chosen,
  onChoose,
}: {
  readonly found: NodePage['reasons']
  readonly chosen: Reason | null
  onChoose(reason: Reason | null): void
}): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  if (found.length === 0) return null
  return (
    <div className="row wrap node-reasons" role="group" aria-label={say('nodes.reasons')}>
      {found.map(({ code, count: nodes }) => (
        <Toggle
          key={code}
          className="chip"
          on={code === chosen}
          onChange={() => onChoose(code === chosen ? null : code)}
        >
          {isReason(code) ? say(reasonWords[code]) : code}
          <span className="badge">{count(language, nodes)}</span>
        </Toggle>
      ))}
    </div>
  )
}

function Long({
  list,
  first,
  reason,
}: {
  readonly list: Shown
  readonly first: First
  readonly reason: Reason | null
}): JSX.Element {
  const say = useSay()
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const selected = useWorkbench(s => s.selection?.at ?? null)
  const [pages, setPages] = useState<ReadonlyMap<number, readonly ListedNode[]>>(
    () => new Map([[0, first.nodes]]),
  )
  const asked = useRef(new Set<number>([0]))

  const fetch = useCallback(
    (from: number, to: number): void => {
      if (session === undefined) return
      for (let p = Math.floor(from / page); p <= Math.floor(Math.max(from, to - 1) / page); p++) {
        if (asked.current.has(p)) continue
        asked.current.add(p)
        const done = begin('list')
        engine
          .list({ session, unit, list, first: p * page, count: page, reason })
          .then(
            ({ nodes }) => setPages(old => new Map(old).set(p, nodes)),
            error => {
              asked.current.delete(p)
              if (!isQuiet(error)) notify('failed', { what: problemText(now().language, problemOf(error)) })
            },
          )
          .finally(done)
      }
    },
    [session, unit, list, reason],
  )

  const nodeAt = (i: number): ListedNode | undefined => pages.get(Math.floor(i / page))?.[i % page]
  let at = -1
  for (const [p, nodes] of pages) {
    const i = nodes.findIndex(n => sameNode(n.at, selected))
    if (i >= 0) at = p * page + i
  }
  return (
    <LongList
      total={first.total}
      rowHeight={rowHeight}
      label={say(`nodes.${list}`)}
      at={at}
      onRange={fetch}
      onChoose={i => {
        const n = nodeAt(i)
        if (n) select(n.at, 'nodes')
      }}
      renderRow={i => {
        const n = nodeAt(i)
        return n ? <Row node={n} /> : <span className="skeleton grow" style={{ height: 14 }} />
      }}
    />
  )
}

/** What the search box found, to walk over at leisure. */
/** What was pinned or noted, the pinned first. */
function Notes(): JSX.Element {
  const say = useSay()
  const notes = useWorkbench(s => s.notes)
  const selection = useWorkbench(s => s.selection)
  const listed = useMemo(() => notes.toSorted((a, b) => Number(b.pinned) - Number(a.pinned)), [notes])
  return (
    <LongList
      total={listed.length}
      rowHeight={rowHeight}
      label={say('nodes.notes')}
      at={listed.findIndex(note => sameNode(note.at, selection?.at))}
      onChoose={i => {
        const note = listed[i]
        if (note) select(note.at, 'nodes')
      }}
      renderRow={i => {
        const note = listed[i]
        return note ? (
          <>
            <Icon name={note.pinned ? 'pin' : 'note'} size={14} />
            <span className="column grow node-text" title={note.text}>
              <Name text={nodeName(note.at)} />
              <span className="faint small cut">{note.text}</span>
            </span>
          </>
        ) : null
      }}
    />
  )
}

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
    <LongList
      total={hits.length}
      rowHeight={rowHeight}
      label={say('search.hits')}
      at={at}
      onChoose={i => {
        const hit = hits[i]
        if (hit) goToHit(hit, i)
      }}
      renderRow={i => {
        const hit = hits[i]
        return hit ? (
          <>
            <Bucket bucket={hit.bucket} />
            <span className="column grow node-text" title={hit.node}>
              <Name text={hit.node} />
              <span className="small faint cut">
                {say(`side.${hit.side}`)}
                {hit.what === 'name' ? '' : ` · ${hit.text}`}
              </span>
            </span>
            {hit.origin ? <OriginFlag /> : null}
          </>
        ) : null
      }}
    />
  )
}

function Row({ node }: { readonly node: ListedNode }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const [why] = node.why
  const [best] = node.why.flatMap(one =>
    one.code === 'unmatched-candidate' || one.code === 'unmatched-namesake' ? [one.facts.candidate] : [],
  )
  const about = [nodeName(node.at), ...(why ? [problemText(language, why)] : [])].join('\n')
  return (
    <>
      <Bucket bucket={node.bucket} />
      <span className="column grow node-text" title={about}>
        <span className="row" style={{ gap: 4 }}>
          <span className="faint" aria-hidden="true">
            {node.backward ? '◂' : '▸'}
          </span>
          <Name text={node.label} />
        </span>
        <span className="small faint cut">
          {node.parent}
          {best === undefined ? '' : ` · ${say('nodes.like', { name: nameParts(best).long })}`}
        </span>
      </span>
      {node.origin ? <OriginFlag /> : null}
      {node.differing > 0 ? <span className="badge">{node.differing}</span> : null}
    </>
  )
}
