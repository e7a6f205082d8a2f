// The dataflow view: what was inferred of who writes and who reads, around the selected node or inside a module, on both sides.
import { useEffect, useMemo, useState, type JSX } from 'react'
import { Group, Panel } from 'react-resizable-panels'
import type { NodeRef, SessionInfo, Side } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { shortcut } from '../../state/commands.ts'
import { offerHandle } from '../../state/handles.ts'
import { pairWith } from '../../state/matching.ts'
import { useQuery, valueOf, type Answer } from '../../state/query.ts'
import { select } from '../../state/selection.ts'
import { useSay } from '../../state/words.ts'
import { now, sameNode, stamp, useWorkbench } from '../../state/workbench.ts'
import { Divider } from '../../ui/bits.tsx'
import { Button, ContextMenu, Toggle, type MenuEntry, type MenuPlace } from '../../ui/controls.tsx'
import { Empty, Failed, Skeleton } from '../../ui/states.tsx'
import { FlowSide, type FlowEvents } from './flow-side.tsx'
import { FlowStage } from './flow-stage.ts'
import { layered, type FlowBox, type Layered } from './layered.ts'
import { nodeEntries } from './menu.ts'
import { flowSvg } from './picture.ts'
import { SideHead } from './side.tsx'
import { useTokens } from './style.ts'
import { Links, ViewSwitch } from './tools.tsx'

const reaches = [1, 2, 3] as const
const most = 160
const other = (side: Side): Side => (side === 'debug' ? 'bench' : 'debug')

interface Drawn { readonly node: string; readonly path: readonly string[]; readonly layered: Layered; readonly cut: boolean }

export function Dataflow({ session }: { readonly session: SessionInfo }): JSX.Element {
  const say = useSay()
  const stage = useMemo(() => new FlowStage(), [])
  const [hops, setHops] = useState<number>(1)
  const selection = useWorkbench(s => s.selection)
  const links = useWorkbench(s => s.layout.links)
  const tokens = useTokens()
  const both = session.bench !== null
  const [focus, setFocus] = useState<NodeRef | null>(selection?.at ?? null)
  const [menu, setMenu] = useState<{ readonly at: MenuPlace; readonly entries: readonly MenuEntry[] } | null>(null)
  useEffect(() => stage.link(links), [stage, links])

  // What was selected elsewhere is gone to; a click in here only selects. The partner of the node in question comes a moment later.
  const gone = selection && (selection.from !== 'graph' || (sameNode(selection.at, focus) && selection.at.debug !== undefined && selection.at.bench !== undefined))
  if (gone && (selection.at.debug !== focus?.debug || selection.at.bench !== focus?.bench)) setFocus(selection.at)

  const sides = { debug: useDrawn(session, 'debug', focus?.debug, hops), bench: useDrawn(session, 'bench', focus?.bench, hops) }
  const drawn = { debug: valueOf(sides.debug), bench: valueOf(sides.bench) }

  const events: FlowEvents = {
    tap: (side, id) => { stage.follow(side); if (!pairWith(side, id)) select({ [side]: id }, 'graph') },
    open: (side, id) => { stage.follow(side); select({ [side]: id }, 'keys') },
    menu: (side, id, x, y) => {
      stage.follow(side)
      select({ [side]: id }, 'graph')
      void nodeEntries(say, side, id).then(entries => setMenu({ at: { x, y }, entries: [{ id: 'around', text: say('flow.around'), icon: 'flow', run: () => events.open(side, id) }, 'line', ...entries] }))
    },
  }

  /** Along the lines: to who wrote it, who reads it, or the next one of the layer. */
  const step = (to: 'above' | 'below' | 'parent' | 'child'): boolean => {
    const side = selection?.at[stage.lead] === undefined ? other(stage.lead) : stage.lead
    const boxes = drawn[side]?.layered.boxes ?? []
    const here = boxes.find(b => b.id === selection?.at[side])
    const next = here ? beside(here, drawn[side]?.layered ?? { boxes, lines: [] }, to) : boxes[0]
    if (next) events.tap(side, next.id)
    return true
  }

  useEffect(() => offerHandle('graph', {
    zoom: factor => stage.zoom(stage.lead, factor), move: (dx, dy) => stage.move(dx, dy), fit: () => stage.fit(), actual: () => stage.actual(),
    toggle: () => { const at = now().selection?.at; if (at) select(at, 'keys') },
    focus: () => document.querySelector<HTMLElement>(`[data-testid="flow-${stage.lead}"]`)?.focus(),
    step,
    picture: side => Promise.resolve(flowSvg(drawn[side]?.layered ?? { width: 0, height: 0, boxes: [], lines: [] }, tokens, `${say(`side.${side}`)}  ${(side === 'debug' ? session.debug : session.bench)?.name ?? ''}  ${focus?.[side] ?? ''}`)),
  }))

  const reach = (
    <span className="row tools flow-reach" role="group" aria-label={say('flow.reach-what')}>
      <span className="small dim wide-only">{say('flow.reach')}</span>
      {reaches.map(n => <Toggle key={n} className="button quiet small icon" on={n === hops} onChange={() => setHops(n)} testId={`reach-${n}`}><span className="num">{n}</span></Toggle>)}
      <Button look="quiet" small icon="fit" label={say('command.graph-fit')} keys={shortcut('graph-fit')} onPress={() => stage.fit()} />
    </span>
  )
  const view = (side: Side): JSX.Element => (
    <div className="graph-side">
      <SideHead side={side} tools={side === 'debug' ? <><ViewSwitch />{reach}</> : links_} />
      <div className="graph-body flow-body"><Body answer={sides[side]} missing={focus?.[side] === undefined} side={side} stage={stage} selected={links.select || stage.lead === side ? selection?.at[side] ?? '' : ''} events={events} /></div>
    </div>
  )
  return (
    <div className="graphs">
      {both ? (
        <Group orientation="horizontal" className="panes">
          <Panel id="debug" minSize="120px" className="pane-holder">{view('debug')}</Panel>
          <Divider direction="across" />
          <Panel id="bench" minSize="120px" className="pane-holder">{view('bench')}</Panel>
        </Group>
      ) : view('debug')}
      <ContextMenu at={menu?.at ?? null} entries={menu?.entries ?? []} label={say('graph.menu')} onClose={() => setMenu(null)} />
    </div>
  )
}

const links_ = <Links />

function useDrawn({ session, unit }: SessionInfo, side: Side, node: string | undefined, hops: number): Answer<Drawn> {
  const here = useWorkbench(s => stamp(s, 'dumps', 'graph', 'verdicts'))
  return useQuery<Drawn>({
    key: node === undefined ? null : ['flow', here, side, node, hops],
    load: async signal => {
      const at = node ?? ''
      const [drawing, way] = await Promise.all([engine.flow({ session, unit, side, node: at, hops, most }, signal), engine.reveal({ session, unit, at: { [side]: at } }, signal)])
      return { node: at, path: [...way[side], at], layered: await layered(drawing), cut: drawing.cut }
    },
    keep: true,
  })
}

function Body({ answer, missing, side, stage, selected, events }: { readonly answer: Answer<Drawn>; readonly missing: boolean; readonly side: Side; readonly stage: FlowStage; readonly selected: string; readonly events: FlowEvents }): JSX.Element {
  const say = useSay()
  const nothing = useWorkbench(s => s.selection === null)
  const value = valueOf(answer)
  if (missing) return <Empty icon="flow" title={say(nothing ? 'flow.choose' : 'flow.alone')}>{say(nothing ? 'flow.choose.what' : 'flow.alone.what')}</Empty>
  if (answer.is === 'failed' && !value) return <Failed problem={answer.problem} />
  if (!value) return <Skeleton rows={6} />
  return (
    <>
      <FlowSide side={side} stage={stage} layered={value.layered} focus={value.node} path={value.path} selected={selected} events={events} />
      {value.layered.lines.length === 0 ? <p className="flow-note"><strong>{say('flow.none')}</strong>{' '}{say('flow.none.what')}</p> : value.cut ? <p className="flow-note">{say('flow.cut', { most })}</p> : null}
    </>
  )
}

function beside(here: FlowBox, { boxes, lines }: Pick<Layered, 'boxes' | 'lines'>, to: 'above' | 'below' | 'parent' | 'child'): FlowBox | undefined {
  const far = (b: FlowBox): number => Math.abs(b.x + b.w / 2 - here.x - here.w / 2)
  const nearest = (list: readonly FlowBox[]): FlowBox | undefined => list.toSorted((a, b) => far(a) - far(b))[0]
  if (to === 'parent' || to === 'child') return nearest(boxes.filter(b => b.y === here.y && (to === 'parent' ? b.x < here.x : b.x > here.x)))
  const joined = new Set(lines.flatMap(({ edge }) => (to === 'above' && edge.to === here.id ? [edge.from] : to === 'below' && edge.from === here.id ? [edge.to] : [])))
  return nearest(boxes.filter(b => joined.has(b.id)))
}
