// Whether both dumps were taken alike: one line above all findings; what differs opens to what it does.
import type { JSX } from 'react'
import type { Taken } from '../../../preload/contract/engine.ts'
import { takenEffects, takenLine, takenUnknown } from '../../../preload/contract/words/taken.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Icon } from '../../ui/icons.tsx'

export function TakenAlike({ taken }: { readonly taken: Taken }): JSX.Element {
  const language = useWorkbench(s => s.language)
  const say = useSay()
  const alike = taken.differ.length === 0
  const unknown = takenUnknown(language, taken)
  return (
    <details className={`taken ${alike ? 'alike' : 'unlike'}`} open={!alike} data-testid="taken">
      <summary className="small">
        <Icon name={alike ? 'check' : 'alert'} size={13} />
        <span className="copyable">{alike ? say('taken.alike.short') : takenLine(language, taken)}</span>
      </summary>
      <ul className="small dim copyable">
        {alike ? <li>{takenLine(language, taken)}</li> : null}
        {takenEffects(language, taken).map(line => (
          <li key={line}>{line}</li>
        ))}
        {unknown === null ? null : <li className="faint">{unknown}</li>}
      </ul>
    </details>
  )
}
