// The config.json before anything was dumped: the panel with the window to itself.
import type { JSX } from 'react'
import { showAlone } from '../../state/collect.ts'
import { useSay } from '../../state/words.ts'
import { Button } from '../../ui/controls.tsx'
import { lazily } from '../../ui/lazily.ts'

const CollectPanel = lazily(() => import('./index.tsx'))

export function CollectAlone(): JSX.Element {
  const say = useSay()
  return (
    <main className="collect-alone" data-testid="collect-alone">
      <div className="row">
        <Button look="quiet" small icon="left" testId="collect-back" onPress={() => showAlone(false)}>
          {say('collect.back')}
        </Button>
      </div>
      <CollectPanel />
    </main>
  )
}
