// What to do when the engine does not start: without it nothing can be opened.
import type { JSX } from 'react'
import { run } from '../../state/commands.ts'
import { host } from '../../state/host.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'

export function EngineGone(): JSX.Element | null {
  const say = useSay()
  const gone = useWorkbench(s => s.engineState === 'gone')
  if (!gone) return null
  return (
    <section className="problem error" role="alert" data-testid="engine-gone">
      <Icon name="alert" />
      <div className="grow column" style={{ gap: 6 }}>
        <strong>{say('engine-gone')}</strong>
        <p>{say('engine-gone.what')}</p>
        <div className="row">
          <Button small icon="reload" onPress={() => void host().connectEngine()}>
            {say('frame.try-again')}
          </Button>
          <Button small look="quiet" onPress={() => run('show-log')}>
            {say('command.show-log')}
          </Button>
        </div>
      </div>
    </section>
  )
}
