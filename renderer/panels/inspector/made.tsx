// Made here or arrived here: two numbers of the selected call, and how it is known.
import type { JSX } from 'react'
import type { NodeRef } from '../../../preload/contract/engine.ts'
import { madeText, twoDigits } from '../../../preload/contract/words/advice.ts'
import { engine } from '../../engine.ts'
import { valueOf } from '../../state/query.ts'
import { compares } from '../../state/study.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Fold } from '../../ui/fold.tsx'

export function MadeHere({ at }: { readonly at: NodeRef }): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const both = useWorkbench(s => compares(s.session))
  const answer = useUnitQuery({
    steps: ['findings', 'states'],
    key: both && at.debug !== undefined ? ['made', at.debug] : null,
    load: (here, signal) => engine.made({ ...here, at }, signal),
  })
  const made = valueOf(answer)
  if (!made) return null
  const share = made.out > 0 ? Math.min(1, made.made / made.out) : 0
  return (
    <Fold id="inspector-made" title={say('inspector.made')}>
      <div className="made-box">
        <dl className="made" data-testid="made" data-way={made.way} title={madeText(language, made)}>
          <div>
            <dt className="dim small">{say('inspector.made.arrived')}</dt>
            <dd className="num copyable">{twoDigits(made.arrived)}</dd>
          </div>
          <div>
            <dt className="dim small">{say('inspector.made.made')}</dt>
            <dd className="num copyable strong">{twoDigits(made.made)}</dd>
          </div>
          <div>
            <dt className="dim small">{say('inspector.made.out')}</dt>
            <dd className="num copyable">{twoDigits(made.out)}</dd>
          </div>
          <div>
            <dt className="dim small">{say('inspector.made.gain')}</dt>
            <dd className="num copyable">{made.gainFrom === 'none' ? '–' : `× ${twoDigits(made.gain)}`}</dd>
          </div>
          <div>
            <dd className="tag">{say(`inspector.made.way.${made.way}`)}</dd>
          </div>
        </dl>
        <div className="made-bar" aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </div>
        <p className="small dim">{madeText(language, made)}</p>
      </div>
    </Fold>
  )
}
