// The dataflow view: what was inferred of who writes and who reads, around the selected node or inside a
// module, on both sides.
import { useEffect, useMemo, useState, type JSX } from 'react'
import type { EdgesFrom, NodeRef, SessionInfo, Side } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { offerHandle } from '../../state/handles.ts'
import { notedOn } from '../../state/notes.ts'
import { pairWith } from '../../state/matching.ts'
import { valueOf, type Answer } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { select } from '../../state/selection.ts'
import { nameOf, sidesOf } from '../../state/study.ts'
import { useSay } from '../../state/words.ts'
import { now, otherSide, sameNode, useWorkbench, type Selection } from '../../state/workbench.ts'
import { CommandButton } from '../../ui/command-button.tsx'
import { Toggle, type MenuEntry } from '../../ui/controls.tsx'
import { Empty, Failed, Skeleton } from '../../ui/states.tsx'
import { FlowSide, type FlowEvents } from './flow-side.tsx'
import { FlowStage } from './flow-stage.ts'
import { layered, type FlowBox, type Layered } from './layered.ts'
import { nodeEntries } from './menu.ts'
import { flowSvg } from './picture.ts'
import { BesideEachOther, SideHead } from './side.tsx'
import { useTokens } from './style.ts'
import { GraphMenu, Links, ViewSwitch, type OpenMenu } from './tools.tsx'

const reaches = [1, 2, 3] as const
const most = 160

interface Drawn {
  readonly node: string
  readonly path: readonly string[]
  readonly layered: Layered
  readonly cut: boolean
  readonly known: EdgesFrom
}

export function Dataflow({ session }: { readonly session: SessionInfo }): JSX.Element {
  const stage = useMemo(() => new FlowStage(), [])
  const [hops, setHops] = useState<number>(1)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const selection = useWorkbench(s => s.selection)
  const links = useWorkbench(s => s.layout.links)
  const focus = useFocus(selection)
  useEffect(() => stage.link(links), [stage, links])
  const answers = {
    debug: useDrawn('debug', focus?.debug, hops),
    bench: useDrawn('bench', focus?.bench, hops),
  }
  const events = useFlowEvents(stage, setMenu)
  useFlowHandle({ session, stage, answers, focus, tap: events.tap })
  const tools = {
    debug: (
      <>
        <ViewSwitch />
        <Reach hops={hops} onHops={setHops} />
      </>
    ),
    bench: followers,
  }
  return (
    <div className="graphs">
      <BesideEachOther
        sides={sidesOf(session)}
        renderSide={side => (
          <div className="graph-side">
            <SideHead side={side} tools={tools[side]} />
            <div className="graph-body flow-body">
              <Body
                answer={answers[side]}
                missing={focus?.[side] === undefined}
                side={side}
                stage={stage}
                selected={links.select || stage.lead === side ? (selection?.at[side] ?? '') : ''}
                events={events}
              />
            </div>
          </div>
        )}
      />
      <GraphMenu menu={menu} onClose={() => setMenu(null)} />
    </div>
  )
}

function useFlowEvents(stage: FlowStage, onMenu: (menu: OpenMenu) => void): FlowEvents {
  const say = useSay()
  const events: FlowEvents = {
    tap: (side, id) => {
      stage.follow(side)
      if (!pairWith(side, id)) select({ [side]: id }, 'graph')
    },
    open: (side, id) => {
      stage.follow(side)
      select({ [side]: id }, 'keys')
    },
    menu: (side, id, x, y) => {
      stage.follow(side)
      select({ [side]: id }, 'graph')
      const around: MenuEntry = {
        id: 'around',
        text: say('flow.around'),
        icon: 'flow',
        run: () => events.open(side, id),
      }
      void nodeEntries(say, side, id).then(entries =>
        onMenu({ at: { x, y }, entries: [around, 'line', ...entries] }),
      )
    },
  }
  return events
}

/**
 * The node that is drawn around. What was selected elsewhere is gone to; a click in here only selects. The
 * partner of the node in question comes a moment later.
 */
function useFocus(selection: Selection | null): NodeRef {
  const [focus, setFocus] = useState<NodeRef>(selection?.at ?? wayOfError)
  if (!selection) return wayOfError
  const { at, from } = selection
  const completed = sameNode(at, focus) && at.debug !== undefined && at.bench !== undefined
  const gone = from !== 'graph' || completed
  if (gone && (at.debug !== focus?.debug || at.bench !== focus?.bench)) setFocus(at)
  return focus
}

/** No node on either side: from where the error enters to the first output that differs. */
const wayOfError: NodeRef = { debug: '', bench: '' }

const nothing: Layered = { width: 0, height: 0, boxes: [], lines: [] }

function useFlowHandle({
  session,
  stage,
  answers,
  focus,
  tap,
}: {
  readonly session: SessionInfo
  readonly stage: FlowStage
  readonly answers: Readonly<Record<Side, Answer<Drawn>>>
  readonly focus: NodeRef | null
  tap(side: Side, id: string): void
}): void {
  const say = useSay()
  const tokens = useTokens()
  const drawnOn = (side: Side): Layered => valueOf(answers[side])?.layered ?? nothing
  /** Along the lines: to who wrote it, who reads it, or the next one of the layer. */
  const step = (to: 'above' | 'below' | 'parent' | 'child'): boolean => {
    const at = now().selection?.at
    const side = at?.[stage.lead] === undefined ? otherSide(stage.lead) : stage.lead
    const drawn = drawnOn(side)
    const here = drawn.boxes.find(b => b.id === at?.[side])
    const next = here ? beside(here, drawn, to) : drawn.boxes[0]
    if (next) tap(side, next.id)
    return true
  }
  useEffect(() =>
    offerHandle('graph', {
      zoom: factor => stage.zoom(stage.lead, factor),
      move: (dx, dy) => stage.move(dx, dy),
      fit: () => stage.fit(),
      actual: () => stage.actual(),
      toggle: () => {
        const at = now().selection?.at
        if (at) select(at, 'keys')
      },
      focus: () => document.querySelector<HTMLElement>(`[data-testid="flow-${stage.lead}"]`)?.focus(),
      step,
      picture: async side => {
        const title = `${say(`side.${side}`)}  ${nameOf(session, side)}  ${focus?.[side] ?? ''}`
        return flowSvg(drawnOn(side), tokens, { title, noted: notedOn(now(), side) })
      },
    }),
  )
}

/** How many steps around the node are drawn. */
function Reach({ hops, onHops }: { readonly hops: number; onHops(hops: number): void }): JSX.Element {
  const say = useSay()
  return (
    <span className="row tools flow-reach" role="group" aria-label={say('flow.reach-what')}>
      <span className="small dim wide-only">{say('flow.reach')}</span>
      {reaches.map(n => (
        <Toggle
          key={n}
          className="button quiet small icon"
          on={n === hops}
          onChange={() => onHops(n)}
          testId={`reach-${n}`}
        >
          <span className="num">{n}</span>
        </Toggle>
      ))}
      <CommandButton command="graph-fit" icon="fit" />
    </span>
  )
}

const followers = <Links />

function useDrawn(side: Side, node: string | undefined, hops: number): Answer<Drawn> {
  return useUnitQuery<Drawn>({
    steps: ['dumps', 'graph', 'states'],
    key: node === undefined ? null : ['flow', side, node, hops],
    load: async (here, signal) => {
      const at = node ?? ''
      const [drawing, way] = await Promise.all([
        engine.flow({ ...here, side, node: at, hops, most }, signal),
        at === '' ? null : engine.reveal({ ...here, at: { [side]: at } }, signal),
      ])
      return {
        node: at,
        path: way ? [...way[side], at] : [],
        layered: await layered(drawing),
        cut: drawing.cut,
        known: drawing.known,
      }
    },
    keep: true,
  })
}

function Body({
  answer,
  missing,
  side,
  stage,
  selected,
  events,
}: {
  readonly answer: Answer<Drawn>
  readonly missing: boolean
  readonly side: Side
  readonly stage: FlowStage
  readonly selected: string
  readonly events: FlowEvents
}): JSX.Element {
  const say = useSay()
  const unselected = useWorkbench(s => s.selection === null)
  const value = valueOf(answer)
  // Without a selection and a known origin there is no way to draw.
  if (missing || (unselected && value?.node === '' && value.layered.boxes.length === 0))
    return (
      <Empty icon="flow" title={say(unselected ? 'flow.choose' : 'flow.alone')}>
        {say(unselected ? 'flow.choose.what' : 'flow.alone.what')}
      </Empty>
    )
  if (answer.is === 'failed' && !value) return <Failed problem={answer.problem} />
  if (!value) return <Skeleton rows={6} />
  return (
    <>
      <FlowSide
        side={side}
        stage={stage}
        layered={value.layered}
        focus={value.node}
        path={value.path}
        selected={selected}
        events={events}
      />
      <Note lines={value.layered.lines.length} {...value} />
    </>
  )
}

function Note({
  lines,
  cut,
  known,
}: Pick<Drawn, 'cut' | 'known'> & { readonly lines: number }): JSX.Element | null {
  const say = useSay()
  if (lines > 0) return cut ? <p className="flow-note">{say('flow.cut', { most })}</p> : null
  const none = known === 'graph' ? 'flow.none-told' : 'flow.none'
  return (
    <p className="flow-note">
      <strong>{say(none)}</strong> {say(`${none}.what`)}
    </p>
  )
}

function beside(
  here: FlowBox,
  { boxes, lines }: Pick<Layered, 'boxes' | 'lines'>,
  to: 'above' | 'below' | 'parent' | 'child',
): FlowBox | undefined {
  const far = (b: FlowBox): number => Math.abs(b.x + b.w / 2 - here.x - here.w / 2)
  const nearest = (list: readonly FlowBox[]): FlowBox | undefined =>
    list.toSorted((a, b) => far(a) - far(b))[0]
  if (to === 'parent' || to === 'child')
    return nearest(boxes.filter(b => b.y === here.y && (to === 'parent' ? b.x < here.x : b.x > here.x)))
  const edges = lines.map(({ edge }) => edge)
  const joined = new Set(
    to === 'above'
      ? edges.filter(edge => edge.to === here.id).map(edge => edge.from)
      : edges.filter(edge => edge.from === here.id).map(edge => edge.to),
  )
  return nearest(boxes.filter(b => joined.has(b.id)))
}
