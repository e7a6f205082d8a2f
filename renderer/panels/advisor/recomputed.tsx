// Whose fault it is where the error enters: said as soon as the call there was recomputed.
import type { JSX } from 'react'
import { findingRecomputedLines } from '../../../preload/contract/words/recomputed.ts'
import { engine } from '../../engine.ts'
import { valueOf } from '../../state/query.ts'
import { recomputes } from '../../state/study.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { RecomputedPill } from '../../ui/bits.tsx'

export function HeadlineRecomputed(): JSX.Element | null {
  const language = useWorkbench(s => s.language)
  const can = useWorkbench(s => recomputes(s.session))
  const limit = useWorkbench(s => s.layout.recomputeLimit)
  const answer = useUnitQuery({
    steps: ['findings', 'pairs'],
    key: can ? ['headline-recomputed', limit] : null,
    load: (here, signal) => engine.headlineRecomputed({ ...here, limit }, signal),
  })
  const found = valueOf(answer)
  if (!found) return null
  const [text, ...more] = findingRecomputedLines(language, found)
  return (
    <div className="recomputed" data-testid="headline-recomputed" data-state={found.call.state}>
      <RecomputedPill is={found.call.state} />
      <p>{text}</p>
      {more.map(line => (
        <p key={line} className="small dim">
          {line}
        </p>
      ))}
    </div>
  )
}
