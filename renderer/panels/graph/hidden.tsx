// A selected node that the graphs leave out, since it only hands values on: says so, and shows it.
import type { JSX } from 'react'
import type { NodeRef } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { run, shortcut } from '../../state/commands.ts'
import { nameParts } from '../../state/names.ts'
import { valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { nodeName, useWorkbench } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'

export function HiddenNode({ at }: { readonly at: NodeRef | null }): JSX.Element | null {
  const say = useSay()
  if (!useHidden(at) || !at) return null
  return (
    <div className="graph-hidden small" role="status" data-testid="hidden-node">
      <Icon name="eyeOff" size={14} />
      <span title={nodeName(at)}>
        {say('graph.hidden', { name: nameParts(nodeName(at)).short, by: say('command.plumbing') })}
      </span>
      <Button look="quiet" small keys={shortcut('plumbing')} onPress={() => run('plumbing')}>
        {say('graph.hidden.show')}
      </Button>
    </div>
  )
}

function useHidden(at: NodeRef | null): boolean {
  const { opened, plumbing } = useWorkbench(s => s.look)
  const side = at?.debug === undefined ? 'bench' : 'debug'
  const node = at?.[side] ?? ''
  const open = opened[side]
  const answer = useUnitQuery({
    steps: ['dumps', 'graph'],
    key: plumbing || node === '' ? null : ['hidden', side, node, JSON.stringify(open)],
    load: async (here, signal) => {
      const isThere = async (all: boolean): Promise<boolean> =>
        (await engine.locate({ ...here, side, node, open, plumbing: all }, signal)) !== null
      return !(await isThere(false)) && isThere(true)
    },
  })
  return valueOf(answer) === true
}
