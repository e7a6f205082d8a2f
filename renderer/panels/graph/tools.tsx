// Buttons in the heads of the graph panes.
import type { JSX } from 'react'
import { run, shortcut } from '../../state/commands.ts'
import { changeLayout, toggleLink } from '../../state/settings.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button, MenuButton, Toggle } from '../../ui/controls.tsx'

/** Structure or dataflow. */
export function ViewSwitch(): JSX.Element {
  const say = useSay()
  const view = useWorkbench(s => s.layout.graphView)
  return (
    <span className="row tools view-switch" role="group" aria-label={say('graph.view')}>
      <Toggle on={view === 'structure'} icon="tree" label={say('graph.view.structure')} keys={shortcut('graph-view')} testId="view-structure" onChange={() => changeLayout({ graphView: 'structure' })} />
      <Toggle on={view === 'dataflow'} icon="flow" label={say('graph.view.dataflow')} keys={shortcut('graph-view')} testId="view-dataflow" onChange={() => changeLayout({ graphView: 'dataflow' })} />
    </span>
  )
}

export function Tools(): JSX.Element {
  const say = useSay()
  return (
    <span className="row tools">
      <MenuButton label={say('graph.expand')} className="button quiet small icon" icon="open" entries={(['expand-1', 'expand-2', 'expand-3', 'expand-failing', 'expand-below', 'close-all'] as const).map(c => ({ id: c, text: say(`command.${c}`), keys: shortcut(c), run: () => run(c) }))} />
      <Button look="quiet" small icon="minus" label={say('command.graph-out')} keys={shortcut('graph-out')} onPress={() => run('graph-out')} />
      <Button look="quiet" small icon="plus" label={say('command.graph-in')} keys={shortcut('graph-in')} onPress={() => run('graph-in')} />
      <Button look="quiet" small icon="fit" label={say('command.graph-fit')} keys={shortcut('graph-fit')} onPress={() => run('graph-fit')} />
      <Button look="quiet" small icon="flag" label={say('command.first-failing')} keys={shortcut('graph-first')} onPress={() => run('first-failing')} />
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
      <MenuButton label={say('graph.links')} className={`button quiet small links-button ${all ? '' : 'partly'}`} testId="links" icon={all ? 'link' : 'unlink'} entries={names.map(n => ({ id: n, text: say(`command.link-${n}`), on: links[n], run: () => toggleLink(n) }))}>
        <span className="wide-only">{say(all ? 'graph.in-step' : 'graph.partly-in-step')}</span>
      </MenuButton>
      <Toggle on={minimap} icon="map" label={say('command.minimap')} onChange={() => run('minimap')} />
    </span>
  )
}
