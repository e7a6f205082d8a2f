// Buttons in the heads of the graph panes, and the menu of both drawings.
import type { JSX } from 'react'
import { run, shortcut } from '../../state/commands.ts'
import { changeLayout, toggleLink } from '../../state/settings.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { CommandButton } from '../../ui/command-button.tsx'
import { ContextMenu, MenuButton, Toggle, type MenuEntry, type MenuPlace } from '../../ui/controls.tsx'

const views = [
  { view: 'structure', icon: 'tree' },
  { view: 'dataflow', icon: 'flow' },
] as const

/** Structure or dataflow. */
export function ViewSwitch(): JSX.Element {
  const say = useSay()
  const at = useWorkbench(s => s.layout.graphView)
  return (
    <span className="row tools view-switch" role="group" aria-label={say('graph.view')}>
      {views.map(({ view, icon }) => (
        <Toggle
          key={view}
          on={view === at}
          icon={icon}
          label={say(`graph.view.${view}`)}
          keys={shortcut('graph-view')}
          testId={`view-${view}`}
          onChange={() => changeLayout({ graphView: view })}
        />
      ))}
    </span>
  )
}

const expansions = [
  'expand-1',
  'expand-2',
  'expand-3',
  'expand-failing',
  'expand-below',
  'close-all',
] as const

const buttons = [
  { command: 'graph-out', icon: 'minus' },
  { command: 'graph-in', icon: 'plus' },
  { command: 'graph-fit', icon: 'fit' },
  { command: 'graph-first', icon: 'flag' },
] as const

export function Tools(): JSX.Element {
  const say = useSay()
  const plumbing = useWorkbench(s => s.look.plumbing)
  return (
    <span className="row tools">
      <MenuButton
        label={say('graph.expand')}
        className="button quiet small icon"
        icon="open"
        entries={expansions.map(id => ({
          id,
          text: say(`command.${id}`),
          keys: shortcut(id),
          run: () => run(id),
        }))}
      />
      <Toggle
        on={!plumbing}
        icon="eyeOff"
        label={say('command.plumbing')}
        keys={shortcut('plumbing')}
        testId="plumbing"
        onChange={() => run('plumbing')}
      />
      {buttons.map(({ command, icon }) => (
        <CommandButton key={command} command={command} icon={icon} />
      ))}
    </span>
  )
}

/** In step or not: each kind of following can be switched off. */
export function Links(): JSX.Element {
  const say = useSay()
  const links = useWorkbench(s => s.layout.links)
  const minimap = useWorkbench(s => s.layout.minimap)
  const names = ['expand', 'pan', 'zoom', 'select'] as const
  const all = names.every(n => links[n])
  return (
    <span className="row tools">
      <MenuButton
        label={say('graph.links')}
        className={`button quiet small links-button ${all ? '' : 'partly'}`}
        testId="links"
        icon={all ? 'link' : 'unlink'}
        entries={names.map(n => ({
          id: n,
          text: say(`command.link-${n}`),
          on: links[n],
          run: () => toggleLink(n),
        }))}
      >
        <span className="wide-only">{say(all ? 'graph.in-step' : 'graph.partly-in-step')}</span>
      </MenuButton>
      <Toggle on={minimap} icon="map" label={say('command.minimap')} onChange={() => run('minimap')} />
    </span>
  )
}

export interface OpenMenu {
  readonly at: MenuPlace
  readonly entries: readonly MenuEntry[]
}

/** What can be done with the node, or with the ground, that was asked about. */
export function GraphMenu({
  menu,
  onClose,
}: {
  readonly menu: OpenMenu | null
  onClose(): void
}): JSX.Element {
  const say = useSay()
  return (
    <ContextMenu
      at={menu?.at ?? null}
      entries={menu?.entries ?? []}
      label={say('graph.menu')}
      onClose={onClose}
    />
  )
}
