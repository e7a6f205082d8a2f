// The structure view: both hierarchies in execution order, in step with each other and with everything else.
import { useEffect, useMemo, useRef, useState, type JSX } from 'react'
import { Group, Panel } from 'react-resizable-panels'
import type { Box, NodeRef, Scene, SessionInfo, Side } from '../../../preload/contract/engine.ts'
import { engine, isQuiet } from '../../engine.ts'
import { run, shortcut } from '../../state/commands.ts'
import { offerHandle } from '../../state/handles.ts'
import { expand, look, toggleNode } from '../../state/looking.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { pairWith } from '../../state/matching.ts'
import { select, selectTogether } from '../../state/selection.ts'
import { useSay } from '../../state/words.ts'
import { now, place, stamp, useWorkbench, type Selection } from '../../state/workbench.ts'
import { ContextMenu, type MenuEntry, type MenuPlace } from '../../ui/controls.tsx'
import { Divider } from '../../ui/bits.tsx'
import { Empty, Failed } from '../../ui/states.tsx'
import { nodeEntries } from './menu.ts'
import { svgOf } from './picture.ts'
import { SideView, type SideEvents } from './side.tsx'
import { Stage, type Windows } from './stage.ts'
import { useTokens } from './style.ts'
import { Links, Tools, ViewSwitch } from './tools.tsx'

const noBoxes: readonly Box[] = []
const stripSlots = 110
const other = (side: Side): Side => (side === 'debug' ? 'bench' : 'debug')

export function Structure({ session }: { readonly session: SessionInfo }): JSX.Element {
  const say = useSay()
  const stage = useMemo(() => new Stage(), [])
  const [windows, setWindows] = useState<Windows>(stage.windows)
  const [menu, setMenu] = useState<{ readonly at: MenuPlace; readonly entries: readonly MenuEntry[] } | null>(null)
  const opened = useWorkbench(s => s.look.opened)
  const links = useWorkbench(s => s.layout.links)
  const selection = useWorkbench(s => s.selection)
  const version = useWorkbench(s => stamp(s, 'dumps', 'graph', 'verdicts'))
  const dimView = useWorkbench(s => (s.view && s.view.rows < (s.session?.units.find(u => u.unit === s.session?.unit)?.rows ?? 0) ? s.view.view : null))
  const tokens = useTokens()
  const both = session.bench !== null
  const { session: id, unit } = session

  useEffect(() => { stage.onWindows = setWindows }, [stage])
  useEffect(() => stage.link(links), [stage, links])
  useEffect(() => { stage.forget() }, [stage, id, unit])

  const sceneKey = JSON.stringify([version, opened, windows, dimView])
  const answer = useQuery({
    key: ['scene', sceneKey],
    load: async signal => ({
      scene: await engine.scene({ session: id, unit, debug: { open: opened.debug, ...windows.debug }, bench: both ? { open: opened.bench, ...windows.bench } : null, ...(dimView === null ? {} : { dimExcept: dimView }) }, signal),
      opened,
    }),
    keep: true,
  })
  const strip = valueOf(useQuery({ key: ['strip', version], load: signal => engine.strip({ session: id, unit, slots: stripSlots }, signal), keep: true }))
  const got = valueOf(answer)
  const fresh = answer.is === 'ready' && got?.opened === opened
  useEffect(() => { if (got) stage.take(got.scene) }, [stage, got])
  useShowSelection(stage, selection, got?.scene ?? null, fresh, links.select)

  // ------------------------------------------------------------------------------------------ acts

  const boxOf = (side: Side, box: string): Box | undefined => stage.canvas(side)?.box(box)
  const refOf = (side: Side, box: string): NodeRef => {
    const partner = boxOf(side, box)?.partner ?? ''
    return { [side]: box, ...(partner === '' ? {} : { [other(side)]: partner }) }
  }
  const toggle = (side: Side, box: string): void => {
    const b = boxOf(side, box)
    if (!b || b.children === 0 || b.depth === 0) return
    stage.keep(side, box)
    toggleNode(side, box, b.partner, !b.open)
  }
  const events: SideEvents = {
    tap: (side, box) => { tapped.current = side; if (!pairWith(side, box)) void selectTogether(refOf(side, box), 'graph') },
    open: toggle,
    menu: (side, box, x, y) => {
      const at = { x, y }
      if (box === null) { setMenu({ at, entries: paneMenu(say) }); return }
      if (now().selection?.at[side] !== box) select(refOf(side, box), 'graph')
      const own = openingMenu(side, box)
      void nodeEntries(say, side, box).then(entries => setMenu({ at, entries: [...own, ...entries] }))
    },
    go: (side, position) => void goTo(side, position),
  }
  const tapped = useRef<Side>('debug')

  const openingMenu = (side: Side, box: string): readonly MenuEntry[] => {
    const b = boxOf(side, box)
    if (!b || b.children === 0) return []
    return [
      ...(b.depth > 0 ? [{ id: 'toggle', text: say(b.open ? 'graph.close' : 'graph.open'), keys: shortcut('graph-toggle'), icon: b.open ? 'collapse' as const : 'open' as const, run: () => toggle(side, box) }] : []),
      { id: 'below', text: say('command.expand-below'), keys: shortcut('expand-below'), run: () => { stage.keep(side, box); void expand(refOf(side, box), 'all') } },
      { id: 'failing', text: say('graph.expand-failing-here'), run: () => { stage.keep(side, box); void expand(refOf(side, box), 'failing') } },
      ...(b.open ? [{ id: 'close-below', text: say('graph.close-below'), run: () => closeBelow(stage, side, box) }] : []),
      'line',
    ]
  }

  /** From the minimap: to the node at a place of the run, or to the closed box that holds it. */
  const goTo = async (side: Side, position: number): Promise<void> => {
    const canvas = stage.canvas(side)
    const here = place(now())
    if (!canvas || !here) return
    const within = canvas.boxes.filter(b => b.from <= position && b.to > position).sort((a, b) => b.depth - a.depth)[0]
    if (within && !within.open) { stage.centre(side, within, true); return }
    try {
      const at = await engine.nodeAt({ ...here, side, position })
      if (!at) return
      const { [side]: above } = await engine.reveal({ ...here, at })
      const open = now().look.opened[side]
      const shown = above.slice(1).find(a => !open.includes(a)) ?? at[side]
      const found = shown === undefined ? null : await engine.locate({ ...here, side, open, node: shown })
      if (found) stage.centre(side, found, true)
    } catch (error) {
      if (!isQuiet(error)) throw error
    }
  }

  useEffect(() => offerHandle('graph', {
    zoom: factor => stage.zoom(stage.lead, factor), move: (dx, dy) => stage.move(stage.lead, dx, dy), fit: () => stage.fit(), actual: () => stage.actual(),
    toggle: () => { const at = now().selection?.at; const side = at?.[stage.lead] === undefined ? other(stage.lead) : stage.lead; const box = at?.[side]; if (box !== undefined) toggle(side, box) },
    focus: () => document.querySelector<HTMLElement>(`[data-testid="graph-${stage.lead}"]`)?.focus(),
    picture: async side => {
      const whole: Scene = await engine.scene({ session: id, unit, debug: { open: opened.debug, top: 0, bottom: side === 'debug' ? 1e9 : 0 }, bench: both ? { open: opened.bench, top: 0, bottom: side === 'bench' ? 1e9 : 0 } : null })
      const drawing = whole[side] ?? whole.debug
      return svgOf(drawing.boxes, drawing.width, drawing.height, tokens, `${say(`side.${side}`)}  ${(side === 'debug' ? session.debug : session.bench)?.name ?? ''}`)
    },
  }))

  if (answer.is === 'failed' && !got) return <Failed problem={answer.problem} />
  const boxes = (side: Side): readonly Box[] => got?.scene[side]?.boxes ?? noBoxes
  if (got && boxes('debug').length + boxes('bench').length === 0) return <Empty icon="nodes" title={say('graph.none')}>{say('graph.none.what')}</Empty>
  const shown = (side: Side): string => selection?.at[side] ?? ''
  const view = (side: Side, tools: JSX.Element | null): JSX.Element => (
    <SideView side={side} stage={stage} tokens={tokens} strip={strip?.[side] ?? null} boxes={boxes(side)} selected={links.select || tapped.current === side ? shown(side) : ''} tools={tools} events={events} />
  )
  return (
    <div className={`graphs ${got ? '' : 'loading'}`}>
      {both ? (
        <Group orientation="horizontal" className="panes">
          <Panel id="debug" minSize="120px" className="pane-holder">{view('debug', tools)}</Panel>
          <Divider direction="across" />
          <Panel id="bench" minSize="120px" className="pane-holder">{view('bench', followers)}</Panel>
        </Group>
      ) : view('debug', tools)}
      {got ? null : <Waiting both={both} />}
      <ContextMenu at={menu?.at ?? null} entries={menu?.entries ?? []} label={say('graph.menu')} onClose={() => setMenu(null)} />
    </div>
  )
}

/** Boxes to be, while the first drawing is on its way. */
function Waiting({ both }: { readonly both: boolean }): JSX.Element {
  const say = useSay()
  return (
    <div className="graph-waiting" role="status" aria-label={say('frame.loading')}>
      {(both ? [0, 1] : [0]).map(side => <div key={side} className="graph-waiting-side">{[210, 150, 180, 130, 240, 160, 190, 120].map((width, i) => <div key={i} className="skeleton" style={{ width, height: 24 }} />)}</div>)}
    </div>
  )
}

/** Brings the selection and its partner to the middle once their boxes are there; a graph that was tapped stays where it is, and walking moves it only when it must. */
function useShowSelection(stage: Stage, selection: Selection | null, scene: Scene | null, fresh: boolean, linked: boolean): void {
  const shown = useRef<string>('')
  useEffect(() => {
    if (!selection || !scene || !fresh) return undefined
    const key = JSON.stringify([selection.at, selection.from, selection.row])
    if (shown.current === key) return undefined
    const lead: Side = selection.from === 'graph' && selection.at[stage.lead] !== undefined ? stage.lead : selection.at.debug === undefined ? 'bench' : 'debug'
    const follow = other(lead)
    const stop = new AbortController()
    const find = async (side: Side): Promise<Pick<Box, 'x' | 'y' | 'w' | 'h'> | null> => {
      const node = selection.at[side]
      const here = place(now())
      if (node === undefined || !here || !scene[side]) return null
      return stage.canvas(side)?.box(node) ?? engine.locate({ ...here, side, open: now().look.opened[side], node }, stop.signal)
    }
    const show = async (): Promise<void> => {
      const [mine, theirs] = [await find(lead), linked ? await find(follow) : null]
      if (stop.signal.aborted || !mine) return
      shown.current = key
      stage.pair(lead, mine, theirs, selection.from === 'graph' ? 'tapped' : selection.from === 'walk' ? 'view' : 'middle')
    }
    show().catch(error => { if (!isQuiet(error)) throw error })
    return () => stop.abort()
  }, [stage, selection, scene, fresh, linked])
}

function closeBelow(stage: Stage, side: Side, id: string): void {
  const canvas = stage.canvas(side)
  const top = canvas?.box(id)
  if (!canvas || !top) return
  stage.keep(side, id)
  const inner = new Set(canvas.boxes.filter(b => b.open && b.from >= top.from && b.to <= top.to).flatMap(b => [b.id, b.partner]))
  const { opened } = now().look
  look({ opened: { debug: opened.debug.filter(n => !inner.has(n)), bench: opened.bench.filter(n => !inner.has(n)) } })
}

const paneMenu = (say: ReturnType<typeof useSay>): readonly MenuEntry[] =>
  (['graph-fit', 'graph-actual', 'expand-1', 'expand-2', 'expand-3', 'expand-failing', 'close-all', 'minimap'] as const).map(c => ({ id: c, text: say(`command.${c}`), keys: shortcut(c), run: () => run(c) }))

/** Elements that never change are not drawn again with every selection. */
const tools = <><ViewSwitch /><Tools /></>
const followers = <Links />
