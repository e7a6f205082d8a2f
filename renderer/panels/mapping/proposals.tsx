// Ranked proposals with their reasons; accepted one by one or all above a score, each one step of the undo
// history.
import { useState, type JSX } from 'react'
import type { MappingKind, MappingProposal } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { change, charactersOf, useMapping, versionOf } from '../../state/mapping.ts'
import { valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { Button } from '../../ui/controls.tsx'
import { Empty, Failed, Skeleton } from '../../ui/states.tsx'

const most = 1000
const shown = 200

export function Proposals({ kind }: { readonly kind: MappingKind }): JSX.Element {
  const say = useSay()
  const [least, setLeast] = useState(60)
  const checked = useMapping(s => s.check[kind]?.readable)
  const answer = useUnitQuery({
    steps: [],
    key: checked === undefined ? null : ['propose', kind, versionOf(checked)],
    load: (here, signal) =>
      engine.mappingPropose({ ...here, kind, text: charactersOf(checked), limit: most }, signal),
    keep: true,
  })
  const proposals = valueOf(answer)
  if (answer.is === 'failed' && !proposals) return <Failed problem={answer.problem} />
  if (!proposals) return <Skeleton rows={6} height={40} />
  if (proposals.length === 0)
    return (
      <Empty icon="check" title={say('mapping.proposals.none')}>
        {say('mapping.proposals.none.what')}
      </Empty>
    )
  const good = proposals.filter(one => one.score * 100 >= least)
  return (
    <div className="column proposals" data-testid="mapping-proposals">
      <AcceptAll
        least={least}
        count={good.length}
        onLeast={setLeast}
        onAccept={() => {
          const changes = good.flatMap(one => one.changes)
          void change(kind, changes)
        }}
      />
      <ul className="plain-list">
        {proposals.slice(0, shown).map(one => (
          <Proposal key={one.id} proposal={one} onAccept={() => void change(kind, one.changes)} />
        ))}
      </ul>
    </div>
  )
}

/** Accepts all proposals from a score that the user sets. */
function AcceptAll({
  least,
  count,
  onLeast,
  onAccept,
}: {
  readonly least: number
  readonly count: number
  onLeast(least: number): void
  onAccept(): void
}): JSX.Element {
  const say = useSay()
  return (
    <div className="proposals-head">
      <label className="row small dim">
        {say('mapping.score')}
        <input
          type="range"
          min={35}
          max={100}
          value={least}
          onChange={e => onLeast(Number(e.target.value))}
        />
        <span className="num">{least} %</span>
      </label>
      <Button small look="primary" disabled={count === 0} onPress={onAccept} testId="mapping-accept-all">
        {say('mapping.accept-all', { score: least, count })}
      </Button>
    </div>
  )
}

function Proposal({
  proposal,
  onAccept,
}: {
  readonly proposal: MappingProposal
  onAccept(): void
}): JSX.Element {
  const say = useSay()
  const [first] = proposal.changes
  const percent = Math.round(proposal.score * 100)
  const inPart = proposal.reasons.some(reason => reason.key === 'part')
  const why = [
    ...proposal.reasons.filter(({ key }) => key !== 'part').map(({ key }) => say(`mapping.reason.${key}`)),
    say('mapping.fits', { matched: proposal.fits.matched, all: proposal.fits.all }),
  ]
  return (
    <li className="proposal">
      <span
        className="score"
        role="meter"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-label={say('mapping.score')}
      >
        <span className="num">{percent}</span>
        <span className="bar">
          <span style={{ width: `${percent}%` }} />
        </span>
      </span>
      <span className="column grow proposal-what">
        {first?.kind === 'layer' ? <span className="small faint">{first.scope}</span> : null}
        <span className="copyable">
          {first ? say('mapping.change', { from: first.from, to: first.to }) : ''}
          {proposal.changes.length > 1
            ? ` ${say('mapping.more-changes', { count: proposal.changes.length - 1 })}`
            : ''}
        </span>
        {inPart ? <span className="small in-part">{say('mapping.reason.part')}</span> : null}
        <span className="small faint">{why.join(' · ')}</span>
      </span>
      <Button small onPress={onAccept}>
        {say('mapping.accept')}
      </Button>
    </li>
  )
}
