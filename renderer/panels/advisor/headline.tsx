// The first finding: its node, the numbers that show it, the line of source, and what follows from it.
import { useState, type JSX } from 'react'
import type { Finding, Hint, NodeDetail } from '../../../preload/contract/engine.ts'
import { explainsText, findingText, hintText, kindText } from '../../../preload/contract/words/advice.ts'
import { engine } from '../../engine.ts'
import { count } from '../../state/format.ts'
import { look } from '../../state/looking.ts'
import { nameParts, shortName } from '../../state/names.ts'
import { valueOf } from '../../state/query.ts'
import { select, selectFinding } from '../../state/selection.ts'
import { goToOrigin } from '../../state/overall.ts'
import { openSource } from '../../state/source.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { nodeOn, useWorkbench } from '../../state/workbench.ts'
import { Name, WholeName } from '../../ui/bits.tsx'
import { Button } from '../../ui/controls.tsx'
import { Fold } from '../../ui/fold.tsx'
import { EvidenceTable } from './evidence.tsx'
import { Partner } from './partner.tsx'
import { HeadlineRecomputed } from './recomputed.tsx'

export function Headline({ finding }: { readonly finding: Finding }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const { long, backward, call } = nameParts(finding.node)
  return (
    <section className="card headline" data-testid="headline" data-node={finding.node}>
      <header className="headline-head">
        <h3 className="card-kind">
          {say(finding.variant === 'stored' ? 'advisor.headline.stored' : 'advisor.headline')}
        </h3>
        <button
          type="button"
          className="link headline-node"
          title={finding.node}
          onClick={() => selectFinding(finding, 'advisor')}
        >
          <span aria-hidden="true">{backward ? '◂ ' : ''}</span>
          <WholeName text={long} />
          <span className="faint">{call ? `  ${call}` : ''}</span>
        </button>
        <p className="card-sub">{kindText(language, finding)}</p>
      </header>
      <Within finding={finding} />
      <Partner finding={finding} />
      <HeadlineRecomputed />
      <EvidenceTable finding={finding} />
      <Fold id="advisor-why" title={say('advisor.why')}>
        <p className="card-text">{findingText(language, finding, shortName)}</p>
        <Hints hints={finding.hints} />
      </Fold>
      <SourceLine finding={finding} />
      {finding.kind === 'communication' ? <FindRank /> : null}
      <Explains finding={finding} />
    </section>
  )
}

/** What follows from it, and what it leaves open: each leads to exactly those rows. */
function Explains({ finding }: { readonly finding: Finding }): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const { explains, side, node } = finding
  const text = explainsText(language, explains)
  if (text === null) return null
  const left = explains.of - explains.rows
  const show = (rest: boolean): void =>
    look({ explained: { side, node, rest }, show: [], thisNode: false, quick: '', columns: [] })
  return (
    <p className="explains">
      <button type="button" className="link" data-testid="explains" onClick={() => show(false)}>
        {text}
      </button>
      {left > 0 ? (
        <button type="button" className="link" data-testid="explains-rest" onClick={() => show(true)}>
          {say('advisor.left-open', { rows: count(language, left) })}
        </button>
      ) : null}
    </p>
  )
}

export function Hints({ hints }: { readonly hints: readonly Hint[] }): JSX.Element | null {
  const language = useWorkbench(s => s.language)
  if (hints.length === 0) return null
  return (
    <ul className="hints">
      {hints.map(h => (
        <li key={h.key + JSON.stringify(h.facts)}>{hintText(language, h)}</li>
      ))}
    </ul>
  )
}

/** What a collective passed on began in another rank. */
function FindRank(): JSX.Element | null {
  const say = useSay()
  const units = useWorkbench(s => s.session?.units.length ?? 0)
  const [busy, setBusy] = useState(false)
  if (units < 2) return null
  const find = (): void => {
    setBusy(true)
    void goToOrigin().finally(() => setBusy(false))
  }
  return (
    <Button small icon="search" className="find-rank" disabled={busy} testId="find-rank" onPress={find}>
      {say(busy ? 'advisor.find-rank.busy' : 'advisor.find-rank', { count: units })}
    </Button>
  )
}

/** The node of a finding: its place in the hierarchy and its stack. */
function useNode(finding: Finding): NodeDetail | undefined {
  const at = nodeOn(finding.side, finding.node)
  const answer = useUnitQuery({
    steps: ['dumps'],
    key: ['source', finding.side, finding.node],
    load: (here, signal) => engine.node({ ...here, at }, signal),
  })
  return valueOf(answer)
}

/** The module around an API, which names no module itself. */
function Within({ finding }: { readonly finding: Finding }): JSX.Element | null {
  const say = useSay()
  const path = useNode(finding)?.path[finding.side] ?? []
  const around = path.at(-2)
  if (around === undefined || path.length < 3) return null
  return (
    <p className="small dim">
      {say('advisor.within')}{' '}
      <button
        type="button"
        className="link"
        title={around}
        onClick={() => select(nodeOn(finding.side, around), 'advisor')}
      >
        <WholeName text={nameParts(around).long} />
      </button>
    </p>
  )
}

/** The model's own line that called the node. */
function SourceLine({ finding }: { readonly finding: Finding }): JSX.Element | null {
  const say = useSay()
  const node = useNode(finding)
  const { debug = [], bench = [] } = node?.stack ?? {}
  const frames = debug.length > 0 ? debug : bench
  const own = frames.find(f => !f.framework) ?? frames[0]
  if (!own) return null
  return (
    <div className="source-quote">
      <span className="row">
        <Name className="mono small dim" text={`${own.file}:${own.line}`} />
        {own.file === '' ? null : (
          <Button
            look="quiet"
            small
            icon="out"
            label={say('stack.open')}
            testId="open-source"
            onPress={() => void openSource(own)}
          />
        )}
      </span>
      <pre>{own.code}</pre>
    </div>
  )
}
