// The history of the open pair: what came out each time that it was read.
import type { JSX } from 'react'
import { useRuns } from '../../state/history.ts'
import { runDate, runText } from '../../state/run-text.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'

export function History(): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const runs = useRuns()
  if (runs.length < 2) return null
  return (
    <details className="card history" data-testid="history">
      <summary className="card-kind">{say('history.title', { count: runs.length })}</summary>
      <ol>
        {runs.map(run => (
          <li key={run.at} title={run.node}>
            <span className="faint num">{runDate(language, run.at)}</span>
            <span className="small">{runText(language, run)}</span>
          </li>
        ))}
      </ol>
    </details>
  )
}
