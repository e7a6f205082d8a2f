// Matching by hand: a node without partner is given one, a match is undone; kept beside the result, saved and
// loaded as the plugin's mapping file.
import { useId, useState, type JSX } from 'react'
import type { NodeDetail, NodeRef, Side } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { run } from '../../state/commands.ts'
import { matchNodes, startPairing, unmatchNode } from '../../state/matching.ts'
import { valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { matches } from '../../state/study.ts'
import { useSay } from '../../state/words.ts'
import { otherSide, useWorkbench } from '../../state/workbench.ts'
import { Button, Check } from '../../ui/controls.tsx'

const offered = 200

export function Matching({
  at,
  why,
}: {
  readonly at: NodeRef
  readonly why: NodeDetail['whyUnmatched']
}): JSX.Element | null {
  const say = useSay()
  const compares = useWorkbench(s => matches(s.session))
  const some = useWorkbench(s => s.matches.length > 0)
  const [below, setBelow] = useState(true)
  if (!compares) return null
  const { debug, bench } = at
  return (
    <details className="matching small" open={debug === undefined || bench === undefined}>
      <summary>{say('matching.title')}</summary>
      <div className="column matching-body">
        <Check on={below} onChange={setBelow}>
          {say('matching.below')}
        </Check>
        {debug !== undefined && bench !== undefined ? (
          <Button small onPress={() => void unmatchNode(at, below)} testId="unmatch">
            {say('matching.undo')}
          </Button>
        ) : (
          <Partner
            key={debug ?? bench}
            at={at}
            why={why}
            onMatch={other => void matchNodes(debug ?? other, bench ?? other, below)}
          />
        )}
        <div className="row">
          <Button small look="quiet" onPress={() => run('matches-load')}>
            {say('command.matches-load')}
          </Button>
          {some ? (
            <Button small look="quiet" onPress={() => run('matches-save')}>
              {say('command.matches-save')}
            </Button>
          ) : null}
        </div>
      </div>
    </details>
  )
}

function Partner({
  at,
  why,
  onMatch,
}: {
  readonly at: NodeRef
  readonly why: NodeDetail['whyUnmatched']
  onMatch(other: string): void
}): JSX.Element {
  const say = useSay()
  const id = useId()
  const other: Side = at.debug === undefined ? 'debug' : 'bench'
  const mine = otherSide(other)
  const candidates = why.flatMap(p =>
    p.code === 'unmatched-candidate' || p.code === 'unmatched-namesake' ? [p.facts.candidate] : [],
  )
  const [name, setName] = useState(candidates[0] ?? '')
  const free = valueOf(
    useUnitQuery({
      steps: ['graph', 'states'],
      key: ['free', other],
      load: (here, signal) =>
        engine.list({ ...here, list: `unmatched-${other}`, first: 0, count: offered }, signal),
      keep: true,
    }),
  )
  return (
    <div className="column" style={{ gap: 4 }}>
      <div className="row">
        <input
          className="field grow"
          list={id}
          value={name}
          placeholder={say('matching.with')}
          aria-label={say('matching.with')}
          onChange={e => setName(e.target.value)}
        />
        <datalist id={id}>
          {[...candidates, ...(free?.nodes ?? []).flatMap(one => one.at[other] ?? [])].map(one => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <Button
          small
          look="primary"
          disabled={name.trim() === ''}
          onPress={() => onMatch(name.trim())}
          testId="match"
        >
          {say('matching.match')}
        </Button>
      </div>
      <div>
        <Button small look="quiet" icon="link" onPress={() => startPairing(mine, at[mine] ?? '')}>
          {say('matching.click')}
        </Button>
      </div>
    </div>
  )
}
