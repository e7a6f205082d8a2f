// The structure view: both hierarchies in execution order, in step with each other and with everything else.
import { useEffect, useMemo, useRef, useState, type JSX } from 'react'
import type { Box, Scene, SessionInfo, Side, ViewId } from '../../../preload/contract/engine.ts'
import { engine, isQuiet } from '../../engine.ts'
import { offerHandle } from '../../state/handles.ts'
import { useQuery, valueOf, type Answer } from '../../state/query.ts'
import { notedOn } from '../../state/notes.ts'
import { pairWith } from '../../state/matching.ts'
import { selectTogether } from '../../state/selection.ts'
import { compares, nameOf, isComing, sidesOf } from '../../state/study.ts'
import { sayIf, useSay } from '../../state/words.ts'
import {
  now,
  otherSide,
  place,
  stamp,
  useWorkbench,
  type Selection,
  type View,
  type Workbench,
} from '../../state/workbench.ts'
import { Empty, Failed } from '../../ui/states.tsx'
import { menuAt, refOf, toggleBox } from './boxes.ts'
import { HiddenNode } from './hidden.tsx'
import { legendRows } from './legend-rows.ts'
import { svgOf } from './picture.ts'
import { BesideEachOther, SideView, type SideEvents } from './side.tsx'
import { Stage, type Windows } from './stage.ts'
import { useTokens, type Tokens } from './style.ts'
import { GraphMenu, Links, Tools, ViewSwitch, type OpenMenu } from './tools.tsx'

const noBoxes: readonly Box[] = []
const stripSlots = 110
/** Deeper than any drawing, in its pixels. */
const bottomless = 1e9

export function Structure({ session }: { readonly session: SessionInfo }): JSX.Element {
  const say = useSay()
  const stage = useMemo(() => new Stage(), [])
  const [windows, setWindows] = useState<Windows>(stage.windows)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const links = useWorkbench(s => s.layout.links)
  const selection = useWorkbench(s => s.selection)
  const tokens = useTokens()
  useEffect(() => stage.tellWindows(setWindows), [stage])
  const { answer, strip, scene, fresh } = useScene(session, stage, windows)
  useEffect(() => stage.link(links), [stage, links])
  const hold = useShowSelection(stage, selection, scene, fresh, links.select)
  useGraphHandle(session, stage, tokens, hold)
  /** The side that was tapped last shows the selection even while the two are not linked. */
  const tapped = useRef<Side>('debug')
  const events: SideEvents = {
    tap: (side, box) => {
      tapped.current = side
      if (!pairWith(side, box)) void selectTogether(refOf(stage, side, box), 'graph')
    },
    open: (side, box) => toggleBox(stage, side, box),
    menu: (side, box, x, y) =>
      void menuAt(say, stage, side, box).then(entries => setMenu({ at: { x, y }, entries })),
    go: (side, position) => void goTo(stage, side, position),
  }

  if (answer.is === 'failed' && !scene) return <Failed problem={answer.problem} />
  const boxes = (side: Side): readonly Box[] => scene?.[side]?.boxes ?? noBoxes
  if (scene && boxes('debug').length + boxes('bench').length === 0)
    return <NoBoxes sides={sidesOf(session)} coming={isComing(session) || answer.is === 'loading'} />
  return (
    <div className={scene ? 'graphs' : 'graphs loading'}>
      <BesideEachOther
        sides={sidesOf(session)}
        renderSide={side => (
          <SideView
            side={side}
            stage={stage}
            tokens={tokens}
            strip={strip?.[side] ?? null}
            boxes={boxes(side)}
            selected={links.select || tapped.current === side ? (selection?.at[side] ?? '') : ''}
            tools={side === 'debug' ? tools : followers}
            events={events}
          />
        )}
      />
      {scene ? null : <Waiting sides={sidesOf(session)} />}
      <HiddenNode at={selection?.at ?? null} />
      <GraphMenu menu={menu} onClose={() => setMenu(null)} />
    </div>
  )
}

/** What of the hierarchy is drawn: asked for as nodes are opened and the windows of the stage move. */
function useScene(
  session: SessionInfo,
  stage: Stage,
  windows: Windows,
): {
  readonly answer: Answer<unknown>
  readonly strip: Strips | undefined
  readonly scene: Scene | null
  /** The scene shows what is open now. */
  readonly fresh: boolean
} {
  const { session: id, unit } = session
  const opened = useWorkbench(s => s.look.opened)
  const plumbing = useWorkbench(s => s.look.plumbing)
  const version = useWorkbench(s => stamp(s, 'dumps', 'graph', 'states'))
  const dimView = useWorkbench(filteringView)
  useEffect(() => stage.forget(), [stage, id, unit])
  const answer = useQuery({
    key: ['scene', JSON.stringify([version, opened, windows, dimView, plumbing])],
    load: async signal => {
      const query = {
        session: id,
        unit,
        debug: { open: opened.debug, ...windows.debug },
        bench: compares(session) ? { open: opened.bench, ...windows.bench } : null,
        plumbing,
        ...(dimView === null ? {} : { dimExcept: dimView }),
      }
      return { scene: await engine.scene(query, signal), opened }
    },
    keep: true,
  })
  const noted = useWorkbench(s => s.notes)
  const strip = useQuery({
    key: ['strip', version, JSON.stringify(noted.map(note => note.at))],
    load: signal =>
      engine.strip({ session: id, unit, slots: stripSlots, noted: noted.map(note => note.at) }, signal),
    keep: true,
  })
  const got = valueOf(answer)
  useEffect(() => {
    if (got) stage.take(got.scene)
  }, [stage, got])
  return {
    answer,
    strip: valueOf(strip),
    scene: got?.scene ?? null,
    fresh: answer.is === 'ready' && got?.opened === opened,
  }
}

type Strips = Awaited<ReturnType<typeof engine.strip>>

/** The rows that the table shows, where it leaves some out: nodes without such a row are dimmed. */
const filteringView = ({ view, session }: Workbench): ViewId | null => {
  const rows = session?.units.find(u => u.unit === session.unit)?.rows ?? 0
  return view && view.rows < rows ? view.view : null
}

function useGraphHandle(session: SessionInfo, stage: Stage, tokens: Tokens, hold: () => void): void {
  const say = useSay()
  const opened = useWorkbench(s => s.look.opened)
  const { session: id, unit } = session
  const picture = async (side: Side): Promise<ReturnType<typeof svgOf>> => {
    const whole: Scene = await engine.scene({
      session: id,
      unit,
      debug: { open: opened.debug, top: 0, bottom: side === 'debug' ? bottomless : 0 },
      bench: compares(session)
        ? { open: opened.bench, top: 0, bottom: side === 'bench' ? bottomless : 0 }
        : null,
      plumbing: now().look.plumbing,
    })
    const { boxes, width, height } = whole[side] ?? whole.debug
    const facts = await engine.legend({ session: id, unit })
    const measure = sayIf(now().language, `measure.${facts.measure}`) ?? facts.measure
    const title = `${say(`side.${side}`)}  ${nameOf(session, side)}  •  ${measure}`
    return svgOf(boxes, width, height, tokens, {
      title,
      legend: legendRows(say, facts),
      noted: notedOn(now(), side),
    })
  }
  useEffect(() =>
    offerHandle('graph', {
      zoom: factor => stage.zoom(stage.lead, factor),
      move: (dx, dy) => stage.move(stage.lead, dx, dy),
      fit: () => stage.fit(),
      hold,
      actual: () => stage.actual(),
      toggle: () => {
        const at = now().selection?.at
        const side = at?.[stage.lead] === undefined ? otherSide(stage.lead) : stage.lead
        const box = at?.[side]
        if (box !== undefined) toggleBox(stage, side, box)
      },
      focus: () => document.querySelector<HTMLElement>(`[data-testid="graph-${stage.lead}"]`)?.focus(),
      picture,
    }),
  )
}

/** From the minimap: to the node at a place of the run, or to the closed box that holds it. */
async function goTo(stage: Stage, side: Side, position: number): Promise<void> {
  const canvas = stage.canvas(side)
  const here = place(now())
  if (!canvas || !here) return
  const within = canvas.boxes
    .filter(b => b.from <= position && b.to > position)
    .toSorted((a, b) => b.depth - a.depth)[0]
  if (within && !within.open) {
    stage.centre(side, within, true)
    return
  }
  try {
    const at = await engine.nodeAt({ ...here, side, position })
    if (!at) return
    const { [side]: above } = await engine.reveal({ ...here, at })
    const open = now().look.opened[side]
    const shown = above.slice(1).find(a => !open.includes(a)) ?? at[side]
    const found =
      shown === undefined
        ? null
        : await engine.locate({ ...here, side, open, node: shown, plumbing: now().look.plumbing })
    if (found) stage.centre(side, found, true)
  } catch (error) {
    if (!isQuiet(error)) throw error
  }
}

/** Nothing is drawn yet, or there is nothing to draw. */
function NoBoxes({
  sides,
  coming,
}: {
  readonly sides: readonly Side[]
  readonly coming: boolean
}): JSX.Element {
  const say = useSay()
  if (coming)
    return (
      <div className="graphs loading">
        <Waiting sides={sides} />
      </div>
    )
  return (
    <Empty icon="nodes" title={say('graph.none')}>
      {say('graph.none.what')}
    </Empty>
  )
}

/** Boxes to be, while the first drawing is on its way. */
function Waiting({ sides }: { readonly sides: readonly Side[] }): JSX.Element {
  const say = useSay()
  return (
    <div className="graph-waiting" role="status" aria-label={say('frame.loading')}>
      {sides.map(side => (
        <div key={side} className="graph-waiting-side">
          {[210, 150, 180, 130, 240, 160, 190, 120].map((width, i) => (
            <div key={i} className="skeleton" style={{ width, height: 24 }} />
          ))}
        </div>
      ))}
    </div>
  )
}

/** How far the graphs move for a selection that comes from here; all others bring it into the middle. */
const arrivals: Partial<Readonly<Record<View, 'tapped' | 'view'>>> = { graph: 'tapped', walk: 'view' }

/** The side that is brought into place first; the other one follows. */
function leadOf({ at, from }: Selection, stage: Stage): Side {
  if (from === 'graph' && at[stage.lead] !== undefined) return stage.lead
  return at.debug === undefined ? 'bench' : 'debug'
}

/**
 * Brings the selection and its partner to the middle once their boxes are there; a graph that was tapped
 * stays where it is, and walking moves it only when it must.
 */
function useShowSelection(
  stage: Stage,
  selection: Selection | null,
  scene: Scene | null,
  fresh: boolean,
  linked: boolean,
): () => void {
  const shown = useRef<string>('')
  const held = useRef(false)
  useEffect(() => {
    if (!selection || !scene || !fresh) return undefined
    const key = JSON.stringify([selection.at, selection.from, selection.row])
    if (shown.current === key) return undefined
    const lead = leadOf(selection, stage)
    const follow = otherSide(lead)
    const stop = new AbortController()
    const find = async (side: Side): Promise<Pick<Box, 'x' | 'y' | 'w' | 'h'> | null> => {
      const node = selection.at[side]
      const here = place(now())
      if (node === undefined || !here || !scene[side]) return null
      return (
        stage.canvas(side)?.box(node) ??
        engine.locate(
          { ...here, side, open: now().look.opened[side], node, plumbing: now().look.plumbing },
          stop.signal,
        )
      )
    }
    const show = async (): Promise<void> => {
      const [mine, theirs] = [await find(lead), linked ? await find(follow) : null]
      if (stop.signal.aborted || !mine) return
      shown.current = key
      stage.pair(lead, mine, theirs, held.current ? 'held' : (arrivals[selection.from] ?? 'middle'))
      held.current = false
    }
    show().catch(error => {
      if (!isQuiet(error)) throw error
    })
    return () => stop.abort()
  }, [stage, selection, scene, fresh, linked])
  return () => {
    if (!selection) return
    const lead = leadOf(selection, stage)
    stage.hold(lead, selection.at[lead] ?? '')
    shown.current = ''
    held.current = true
  }
}

/** Elements that never change are not drawn again with every selection. */
const tools = (
  <>
    <ViewSwitch />
    <Tools />
  </>
)
const followers = <Links />
