// Ranked proposals with their reasons; accepted one by one or all above a score, each one step of the undo history.
import { useState, type JSX } from 'react'
import type { MappingChange, MappingKind, MappingProposal } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { change, charactersOf, useMapping, versionOf } from '../../state/mapping.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { useSay, type Say } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'
import { Empty, Failed, Skeleton } from '../../ui/states.tsx'

const shown = 200

export const changeText = (say: Say, one: MappingChange): string =>
  (one.kind === 'layer' ? say('mapping.change.layer', { scope: one.scope, from: one.from, to: one.to }) : say('mapping.change', { from: one.from, to: one.to }))

export function Proposals({ kind }: { readonly kind: MappingKind }): JSX.Element {
  const say = useSay()
  const [least, setLeast] = useState(60)
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const checked = useMapping(s => s.check[kind]?.text)
  const answer = useQuery({
    key: session === undefined || checked === undefined ? null : ['propose', session, unit, kind, versionOf(checked)],
    load: signal => engine.mappingPropose({ session: session as NonNullable<typeof session>, unit, kind, text: charactersOf(checked), limit: 1000 }, signal), keep: true,
  })
  const proposals = valueOf(answer)
  if (answer.is === 'failed' && !proposals) return <Failed problem={answer.problem} />
  if (!proposals) return <Skeleton rows={6} height={40} />
  if (proposals.length === 0) return <Empty icon="check" title={say('mapping.proposals.none')}>{say('mapping.proposals.none.what')}</Empty>
  const good = proposals.filter(one => one.score * 100 >= least)
  return (
    <div className="column proposals" data-testid="mapping-proposals">
      <div className="proposals-head">
        <label className="row small dim">{say('mapping.score')}<input type="range" min={35} max={100} value={least} onChange={e => setLeast(Number(e.target.value))} /><span className="num">{least} %</span></label>
        <Button small look="primary" disabled={good.length === 0} onPress={() => void change(kind, good.flatMap(one => one.changes))} testId="mapping-accept-all">{say('mapping.accept-all', { score: least, count: good.length })}</Button>
      </div>
      <ul className="plain-list">{proposals.slice(0, shown).map(one => <Proposal key={one.id} proposal={one} onAccept={() => void change(kind, one.changes)} />)}</ul>
    </div>
  )
}

function Proposal({ proposal, onAccept }: { readonly proposal: MappingProposal; onAccept(): void }): JSX.Element {
  const say = useSay()
  const [first] = proposal.changes
  const percent = Math.round(proposal.score * 100)
  const why = [...proposal.reasons.map(reason => say(`mapping.reason.${reason.key}`)), say('mapping.fits', { matched: proposal.fits.matched, all: proposal.fits.all })]
  return (
    <li className="proposal">
      <span className="score" role="meter" aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent} aria-label={say('mapping.score')}><span className="num">{percent}</span><span className="bar"><span style={{ width: `${percent}%` }} /></span></span>
      <span className="column grow proposal-what">
        {first?.kind === 'layer' ? <span className="small faint">{first.scope}</span> : null}
        <span className="copyable">{first ? say('mapping.change', { from: first.from, to: first.to }) : ''}{proposal.changes.length > 1 ? ` ${say('mapping.more-changes', { count: proposal.changes.length - 1 })}` : ''}</span>
        <span className="small faint">{why.join(' · ')}</span>
      </span>
      <Button small onPress={onAccept}>{say('mapping.accept')}</Button>
    </li>
  )
}
