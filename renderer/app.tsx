// The frame: toolbar, rail, panes that can be resized and hidden, status line, dialogs.
import { useEffect, type JSX, type ReactNode } from 'react'
import { useShallow } from 'zustand/react/shallow'
import {
  centrePanels,
  edgePanels,
  sidePanels,
  wholePanels,
  type PanePanel,
  type SidePanel,
} from './panels/index.ts'
import { LiveLine } from './panels/live/index.tsx'
import { CollectAlone } from './panels/collect/alone.tsx'
import { Dialogs } from './panels/dialogs/index.tsx'
import { OpenFailure, UnitFailure } from './panels/opening/failure.tsx'
import { EngineTrouble } from './panels/opening/engine-trouble.tsx'
import { Opening } from './panels/opening/index.tsx'
import { StatusLine } from './panels/status/index.tsx'
import { Toolbar } from './panels/toolbar/index.tsx'
import { useCollect } from './state/collect.ts'
import { run } from './state/commands.ts'
import { leadsToOrigin } from './state/history.ts'
import { host } from './state/host.ts'
import { goToOrigin } from './state/overall.ts'
import { dismissProblem, problemKey } from './state/sessions.ts'
import { changeLayout, showPane } from './state/settings.ts'
import { dropPlaces, type DropPlace } from './state/sides.ts'
import { dumpOf, failureOf, panesOf } from './state/study.ts'
import { useDrops, useKeys, useMenu, useTitle, type Dropping } from './state/window.ts'
import { sayIf, useSay } from './state/words.ts'
import { isShown, now, set, useWorkbench, wideSide, type Notice } from './state/workbench.ts'
import { Button, Toggle } from './ui/controls.tsx'
import { Icon, type IconName } from './ui/icons.tsx'
import { Panes, type PaneRow } from './ui/panes.tsx'
import { ProblemCard } from './ui/states.tsx'
import './ui/theme.css'
import './ui/blocks.css'
import './ui/frame.css'

export function App(): JSX.Element {
  const session = useWorkbench(s => s.session)
  useTitle()
  useKeys()
  useMenu()
  const dropping = useDrops()
  const paths = useWorkbench(s => s.paths)
  return (
    <div className={`app ${dropping ? 'dropping' : ''}`}>
      <Toolbar />
      {/* Nothing of the pair before stays on screen under the names of another. */}
      {session ? <Benches key={paths.join('\n')} /> : <Begin />}
      <StatusLine />
      <NoticeLine />
      <Dialogs />
      {dropping && session ? <DropHint {...dropping} /> : null}
    </div>
  )
}

/** Before anything is open: a dump can be compared, or the next one be prepared. */
function Begin(): JSX.Element {
  const alone = useCollect(s => s.alone)
  const busy = useWorkbench(s => s.opening !== null || s.openFailed !== null)
  return alone && !busy ? <CollectAlone /> : <Opening />
}

function Benches(): JSX.Element {
  const say = useSay()
  const session = useWorkbench(s => s.session)
  const layout = useWorkbench(s => s.layout)
  const failure = failureOf(session)
  const there = panesOf(session)
  const paneOf = ({ id, title, show: Show, ...room }: PanePanel): PaneRow => ({
    id,
    ...room,
    name: say(title),
    show: <Show />,
  })
  const whole = wholePanels.find(p => there.includes(p.id))
  const sides = sidePanels.filter(p => there.includes(p.id))
  const side = sides.find(p => p.id === layout.rail) ?? sides[0]
  const fills = side !== undefined && wideSide(layout) === side.id
  const filled = centrePanels.filter(p => there.includes(p.id))
  const open = filled.filter(p => isShown(layout, p.id))
  // Something has to stand in the middle.
  const centre = open.length > 0 ? open : filled.slice(-1)
  const edges = edgePanels.filter(p => there.includes(p.id) && isShown(layout, p.id))
  return (
    <div className="benches">
      <Rail panels={sides} />
      <main className="column grow">
        <EngineTrouble />
        <Problems />
        <LiveLine />
        {failure && session ? <UnitFailure problem={failure} session={session} /> : null}
        {whole ? <whole.show /> : null}
        {failure || whole || !side || !fills ? null : (
          <Panes
            id="main"
            orientation="horizontal"
            panes={[{ id: 'side', min: '200px', name: say(side.title), show: <side.show /> }]}
          />
        )}
        {failure || whole || fills ? null : (
          <Panes
            id="main"
            orientation="horizontal"
            panes={[
              ...(side && isShown(layout, 'side') ? [sidePane(say(side.title), <side.show />)] : []),
              {
                id: 'centre',
                min: '360px',
                show: <Panes id="centre" orientation="vertical" panes={centre.map(paneOf)} />,
              },
              ...edges.map(p => ({ ...paneOf(p), size: `${share(0.217, 250, 440)}px`, fixed: true })),
            ]}
          />
        )}
      </main>
    </div>
  )
}

const sidePane = (name: string, show: ReactNode): PaneRow => ({
  id: 'side',
  size: `${share(0.19, 220, 360)}px`,
  min: '200px',
  fixed: true,
  name,
  show,
})

/** A first width that suits the window. */
const share = (part: number, least: number, most: number): number =>
  Math.round(Math.min(most, Math.max(least, window.innerWidth * part)))

function Rail({ panels }: { readonly panels: readonly SidePanel[] }): JSX.Element {
  const say = useSay()
  const rail = useWorkbench(s => s.layout.rail)
  const shown = useWorkbench(s => isShown(s.layout, 'side'))
  return (
    <nav className="rail" aria-label={say('frame.rail')}>
      {panels.map(p => (
        <Toggle
          key={p.id}
          className="rail-button"
          on={shown && rail === p.id}
          icon={p.icon}
          label={say(p.title)}
          testId={`rail-${p.id}`}
          onChange={on => {
            changeLayout({ rail: p.id })
            showPane('side', on)
          }}
        />
      ))}
      <span className="grow" />
      <Button
        look="quiet"
        className="rail-button"
        icon="key"
        label={say('command.keys')}
        keys="?"
        onPress={() => run('keys')}
      />
      <Button
        look="quiet"
        className="rail-button"
        icon="settings"
        label={say('command.settings')}
        onPress={() => run('settings')}
      />
    </nav>
  )
}

const bannersShown = 3

/**
 * What is wrong with the dumps: errors and warnings as lines above the panes; notes wait behind the status
 * line.
 */
function Problems(): JSX.Element | null {
  const problems = useWorkbench(s => s.problems)
  const failed = useWorkbench(s => s.openFailed)
  const session = useWorkbench(s => s.session)
  // What fails a unit on screen is said in the middle; what fails another one waits until that is shown.
  const failures = new Set(session?.units.flatMap(u => (u.failure ? [problemKey(u.failure)] : [])))
  const grave = problems
    .filter(p => p.severity !== 'note' && !failures.has(problemKey(p)))
    .slice(0, bannersShown)
  if (grave.length === 0 && !failed) return null
  return (
    <div className="banners">
      {failed ? <OpenFailure {...failed} /> : null}
      {grave.map(p => (
        <ProblemCard key={problemKey(p)} problem={p} onDismiss={() => dismissProblem(p)} />
      ))}
    </div>
  )
}

const noticeMs = 6_000
/** What leads somewhere stays until there was time to decide. */
const noticeToGoMs = 30_000
const noticeIcons: Partial<Readonly<Record<Notice['is'], IconName>>> = {
  failed: 'alert',
  'engine-restarted': 'reload',
  'nothing-found': 'info',
}

function NoticeLine(): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const notice = useWorkbench(s => s.notice)
  useEffect(() => {
    if (!notice) return undefined
    const timer = setTimeout(
      () => {
        if (now().notice?.id === notice.id) set({ notice: null })
      },
      leadsToOrigin(notice) ? noticeToGoMs : noticeMs,
    )
    return () => clearTimeout(timer)
  }, [notice])
  if (!notice) return null
  const path = notice.facts['path']
  return (
    <div
      className={`notice ${notice.is === 'failed' ? 'error' : ''}`}
      role="status"
      data-testid={notice.is === 'engine-restarted' ? 'engine-restarted' : 'notice'}
    >
      <Icon name={noticeIcons[notice.is] ?? 'check'} />
      <span className="grow">{sayIf(language, `notice.${notice.is}`, notice.facts)}</span>
      {leadsToOrigin(notice) ? (
        <Button small testId="notice-go" onPress={() => void goToOrigin()}>
          {say('notice.go')}
        </Button>
      ) : null}
      {path === undefined ? null : (
        <Button small look="quiet" onPress={() => void host().reveal({ path: String(path) })}>
          {say('frame.show-file')}
        </Button>
      )}
      <Button
        look="quiet"
        small
        icon="close"
        label={say('frame.close')}
        onPress={() => set({ notice: null })}
      />
    </div>
  )
}

/** Where what is dragged would land: the sides beside each other, and what replaces both below. */
function DropHint({ on, several }: Dropping): JSX.Element {
  const say = useSay()
  const places = useWorkbench(useShallow(dropPlaces))
  const first = useWorkbench(s => dumpOf(s.session, 'debug')?.name ?? '')
  const shown = several ? (['new'] as const) : places
  const text = (place: DropPlace): string => {
    if (place !== 'new')
      return places.includes('debug') ? say(`drop.${place}`) : say('drop.beside', { name: first })
    return say(shown.length > 1 ? 'drop.new' : 'opening.drop-anywhere')
  }
  return (
    <div className={`drop-hint places-${shown.length}`} data-testid="drop-hint">
      {shown.map(place => (
        <div key={place} className={`drop-hint-box ${place} ${several || place === on ? 'over' : ''}`}>
          <Icon name={place === 'new' ? 'folder' : 'swap'} size={28} />
          <h2>{text(place)}</h2>
        </div>
      ))}
    </div>
  )
}
