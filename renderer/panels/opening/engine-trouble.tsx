// What to do when the engine does not start, or does not answer: without it nothing can be opened.
import type { JSX } from 'react'
import { run } from '../../state/commands.ts'
import { host } from '../../state/host.ts'
import { stopEngine } from '../../state/sessions.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'

const troubles = {
  gone: { mark: 'error', title: 'engine-gone', what: 'engine-gone.what' },
  busy: { mark: 'warning', title: 'engine-busy', what: 'engine-busy.what' },
} as const

export function EngineTrouble(): JSX.Element | null {
  const say = useSay()
  const state = useWorkbench(s => s.engineState)
  if (state !== 'gone' && state !== 'busy') return null
  const { mark, title, what } = troubles[state]
  return (
    <section className={`problem ${mark}`} role="alert" data-testid={title}>
      <Icon name="alert" />
      <div className="grow column" style={{ gap: 6 }}>
        <strong>{say(title)}</strong>
        <p>{say(what)}</p>
        <div className="row">
          {state === 'gone' ? (
            <Button small icon="reload" onPress={() => void host().connectEngine()}>
              {say('frame.try-again')}
            </Button>
          ) : (
            <Button small icon="close" onPress={stopEngine}>
              {say('engine-busy.stop')}
            </Button>
          )}
          <Button small look="quiet" onPress={() => run('show-log')}>
            {say('command.show-log')}
          </Button>
        </div>
      </div>
    </section>
  )
}
