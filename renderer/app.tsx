// The frame: toolbar, rail, panes that can be resized and hidden, status line; keys, drops and dialogs of the whole window.
import { Suspense, useEffect, useRef, useState, type JSX, type ReactNode } from 'react'
import { Group, Panel } from 'react-resizable-panels'
import { GraphPanel, GridPanel, InspectorPanel, sidePanels } from './panels/index.ts'
import { Dialogs } from './panels/dialogs/index.tsx'
import { Opening } from './panels/opening/index.tsx'
import { StatusLine } from './panels/status/index.tsx'
import { Toolbar } from './panels/toolbar/index.tsx'
import { canRun, commandFor, commands, run } from './state/commands.ts'
import { host } from './state/host.ts'
import { chordOf, isTyping } from './state/keys.ts'
import { dismissProblem, openPaths, problemKey, titleOf } from './state/sessions.ts'
import { changeLayout, resizeGroup } from './state/settings.ts'
import { useSay } from './state/words.ts'
import { now, set, useWorkbench, type Pane } from './state/workbench.ts'
import { Divider } from './ui/bits.tsx'
import { Button, Toggle } from './ui/controls.tsx'
import { Icon } from './ui/icons.tsx'
import { Broken, Guard, ProblemCard, Skeleton } from './ui/states.tsx'
import './ui/theme.css'
import './ui/blocks.css'
import './ui/frame.css'

export function App(): JSX.Element {
  const session = useWorkbench(s => s.session)
  useTitle()
  useKeys()
  useMenu()
  const dropping = useDrops()
  return (
    <div className={`app ${dropping ? 'dropping' : ''}`}>
      <Toolbar />
      {session ? <Benches /> : <Opening />}
      <StatusLine />
      <Notice />
      <Dialogs />
      {dropping && session ? <DropHint /> : null}
    </div>
  )
}

function Benches(): JSX.Element {
  const say = useSay()
  const session = useWorkbench(s => s.session)
  const layout = useWorkbench(s => s.layout)
  // Dumps of single APIs have no hierarchy: a pane without content is not shown.
  const graphless = useWorkbench(({ session }) => {
    // Finished tables and kernels tell no level.
    const isTable = session?.kind === 'file' && session.units.find(u => u.unit === session.unit)?.state === 'done'
    return [session?.debug, session?.bench].every(side => !side || side.level === 'L1' || (isTable && side.level === ''))
  })
  const { shown } = layout
  const graph = shown.graph && !graphless
  const side = sidePanels.find(p => p.id === layout.rail && session && p.when(session)) ?? sidePanels[0]
  return (
    <div className="benches">
      <Rail />
      <main className="column grow">
        <Problems />
        <Panes id="main" orientation="horizontal" panes={[
          shown.side && side ? { id: 'side', size: `${share(0.19, 220, 360)}px`, min: '200px', fixed: true, name: say(side.words), show: <side.show /> } : null,
          { id: 'centre', min: '360px', show: (
            <Panes id="centre" orientation="vertical" panes={[
              graph ? { id: 'graph', min: '120px', size: '62%', name: say('graph.title'), show: <GraphPanel /> } : null,
              shown.grid || !graph ? { id: 'grid', min: '110px', name: say('grid.title'), show: <GridPanel /> } : null,
            ]} />
          ) },
          shown.inspector ? { id: 'inspector', size: `${share(0.217, 250, 440)}px`, min: '230px', fixed: true, name: say('inspector.title'), show: <InspectorPanel /> } : null,
        ]} />
      </main>
    </div>
  )
}

/** A first width that suits the window. */
const share = (part: number, least: number, most: number): number => Math.round(Math.min(most, Math.max(least, window.innerWidth * part)))

interface PaneRow {
  readonly id: string
  readonly size?: string
  readonly min: string
  /** Keeps its width in pixels when the window grows. */
  readonly fixed?: boolean
  readonly name?: string
  readonly show: ReactNode
}

function Panes({ id, orientation, panes }: { readonly id: string; readonly orientation: 'horizontal' | 'vertical'; readonly panes: readonly (PaneRow | null)[] }): JSX.Element {
  const there = panes.filter(p => p !== null)
  const key = `${id}:${there.map(p => p.id).join(',')}`
  const kept = useWorkbench(s => s.layout.sizes[key])
  return (
    <Group key={key} className="panes" orientation={orientation} {...(kept ? { defaultLayout: { ...kept } } : {})}
      onLayoutChanged={sizes => { if (JSON.stringify(now().layout.sizes[key]) !== JSON.stringify(sizes)) resizeGroup(key, { ...sizes }) }}>
      {there.flatMap((pane, i) => [
        i > 0 ? <Divider key={`before-${pane.id}`} direction={orientation === 'horizontal' ? 'across' : 'down'} /> : null,
        <Panel key={pane.id} id={pane.id} minSize={pane.min} {...(pane.size ? { defaultSize: pane.size } : {})} groupResizeBehavior={pane.fixed ? 'preserve-pixel-size' : 'preserve-relative-size'} className="pane-holder">
          {pane.name ? <PaneBox id={pane.id} name={pane.name}>{pane.show}</PaneBox> : pane.show}
        </Panel>,
      ])}
    </Group>
  )
}

function PaneBox({ id, name, children }: { readonly id: string; readonly name: string; readonly children: ReactNode }): JSX.Element {
  const focus = (): void => { if (now().focus !== id) set({ focus: id as Pane }) }
  return (
    <section className={`pane pane-${id}`} data-pane={id} aria-label={name} onFocusCapture={focus} onPointerDownCapture={focus}>
      <Guard name={id} renderBroken={again => <Broken again={again} />}>
        <Suspense fallback={<Skeleton />}>{children}</Suspense>
      </Guard>
    </section>
  )
}

function Rail(): JSX.Element {
  const say = useSay()
  const session = useWorkbench(s => s.session)
  const rail = useWorkbench(s => s.layout.rail)
  const shown = useWorkbench(s => s.layout.shown.side)
  return (
    <nav className="rail" aria-label={say('frame.rail')}>
      {sidePanels.filter(p => session && p.when(session)).map(p => (
        <Toggle key={p.id} className="rail-button" on={shown && rail === p.id} icon={p.icon} label={say(p.words)} testId={`rail-${p.id}`}
          onChange={on => changeLayout({ rail: p.id, shown: { ...now().layout.shown, side: on } })} />
      ))}
      <span className="grow" />
      <Button look="quiet" className="rail-button" icon="key" label={say('command.keys')} keys="?" onPress={() => run('keys')} />
      <Button look="quiet" className="rail-button" icon="settings" label={say('command.settings')} onPress={() => run('settings')} />
    </nav>
  )
}

const bannersShown = 3

/** What is wrong with the dumps: errors and warnings as lines above the panes; notes wait behind the status line. */
function Problems(): JSX.Element | null {
  const problems = useWorkbench(s => s.problems)
  const failed = useWorkbench(s => s.openFailed)
  const grave = problems.filter(p => p.severity !== 'note').slice(0, bannersShown)
  if (grave.length === 0 && !failed) return null
  return (
    <div className="banners">
      {failed ? <ProblemCard problem={failed} onDismiss={() => set({ openFailed: null })} /> : null}
      {grave.map(p => <ProblemCard key={problemKey(p)} problem={p} onDismiss={() => dismissProblem(p)} />)}
    </div>
  )
}

const noticeMs = 6_000

function Notice(): JSX.Element | null {
  const say = useSay()
  const notice = useWorkbench(s => s.notice)
  useEffect(() => {
    if (!notice) return undefined
    const timer = setTimeout(() => { if (now().notice?.id === notice.id) set({ notice: null }) }, noticeMs)
    return () => clearTimeout(timer)
  }, [notice])
  if (!notice) return null
  return (
    <div className={`notice ${notice.is === 'failed' ? 'error' : ''}`} role="status" data-testid={notice.is === 'engine-restarted' ? 'engine-restarted' : 'notice'}>
      <Icon name={notice.is === 'failed' ? 'alert' : notice.is === 'engine-restarted' ? 'reload' : notice.is === 'nothing-found' ? 'info' : 'check'} />
      <span className="grow">{say(`notice.${notice.is}`, notice.facts)}</span>
      {notice.path === undefined ? null : <Button small look="quiet" onPress={() => void host().reveal({ path: notice.path ?? '' })}>{say('frame.show-file')}</Button>}
      <Button look="quiet" small icon="close" label={say('frame.close')} onPress={() => set({ notice: null })} />
    </div>
  )
}

function DropHint(): JSX.Element {
  const say = useSay()
  return <div className="drop-hint"><div className="drop-hint-box"><Icon name="folder" size={28} /><h2>{say('opening.drop-anywhere')}</h2></div></div>
}

// ---------------------------------------------------------------------------------------------- the whole window

function useTitle(): void {
  const say = useSay()
  const title = useWorkbench(s => (s.session ? titleOf(s.session) : ''))
  useEffect(() => { document.title = title === '' ? say('frame.name') : `${title} – ${say('frame.name')}` }, [title, say])
}

function useKeys(): void {
  useEffect(() => {
    const take = (e: KeyboardEvent): void => {
      if (e.defaultPrevented || e.isComposing) return
      const inDialog = document.querySelector('.overlay, .popover:not(.search-hits)') !== null
      const target = e.target instanceof HTMLElement ? e.target : null
      const inGraph = !inDialog && (target === document.body || target === null || target.closest('[data-pane="graph"] .graph-side') !== null)
      const found = commandFor(chordOf(e), inGraph, isTyping(e.target))
      if (!found || (inDialog && !['palette', 'keys', 'settings'].includes(found.id))) return
      if (found.id === 'undo' || found.id === 'redo') { if (isTyping(e.target)) return }
      e.preventDefault()
      void found.run()
    }
    window.addEventListener('keydown', take)
    return () => window.removeEventListener('keydown', take)
  }, [])
}

/** Commands of the system's menu, and which of them make sense now. */
function useMenu(): void {
  const disabled = useWorkbench(s => commands.filter(c => !canRun(c, s)).map(c => c.id).join(' '))
  useEffect(() => host().onEvent(event => { if (event.is === 'command') run(event.id) }), [])
  useEffect(() => { void host().menu({ disabled: disabled.split(' ').filter(Boolean) }) }, [disabled])
}

/** Files and folders dropped anywhere; the two zones of the empty state take their own. */
function useDrops(): boolean {
  const [over, setOver] = useState(false)
  const depth = useRef(0)
  useEffect(() => {
    const files = (e: DragEvent): boolean => e.dataTransfer?.types.includes('Files') === true
    const enter = (e: DragEvent): void => { if (files(e)) { depth.current++; setOver(true) } }
    const leave = (e: DragEvent): void => { if (files(e) && --depth.current <= 0) { depth.current = 0; setOver(false) } }
    const above = (e: DragEvent): void => { if (files(e)) e.preventDefault() }
    const drop = (e: DragEvent): void => {
      if (!files(e)) return
      depth.current = 0
      setOver(false)
      if (e.defaultPrevented) return
      e.preventDefault()
      void openPaths(host().pathsOf([...(e.dataTransfer?.files ?? [])]).filter(Boolean))
    }
    window.addEventListener('dragenter', enter)
    window.addEventListener('dragleave', leave)
    window.addEventListener('dragover', above)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragenter', enter)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('dragover', above)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return over
}

