// The advisor: where the error enters, why, and how far it goes; every statement leads to the rows it rests on.
import { useState, type JSX } from 'react'
import type { Advice, Evidence, Finding, Hint, NodeDetail } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { run } from '../../state/commands.ts'
import { leftToRight, percent } from '../../state/format.ts'
import { host } from '../../state/host.ts'
import { itemOf, nameParts, nodeOfItem } from '../../state/names.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { select, selectFinding } from '../../state/selection.ts'
import { goToOrigin, openPaths } from '../../state/sessions.ts'
import { findingText, hintText } from '../../../preload/contract/words/advice.ts'
import { sayIf, useSay } from '../../state/words.ts'
import { nodeOn, notify, now, stamp, useWorkbench } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'
import { Empty, Failed, Skeleton } from '../../ui/states.tsx'
import { Curve } from './curve.tsx'
import './advisor.css'

/** Share of rows without partner from which pairing comes first. */
const manyUnpaired = 0.3

export default function AdvisorPanel(): JSX.Element {
  const say = useSay()
  const here = useWorkbench(s => stamp(s, 'findings', 'verdicts'))
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const single = useWorkbench(s => s.session?.bench === null)
  const working = useWorkbench(s => s.job !== null)
  const answer = useQuery({
    key: session === undefined || single ? null : ['findings', here],
    load: signal => engine.findings({ session: session as NonNullable<typeof session>, unit }, signal),
    keep: true,
  })
  const advice = valueOf(answer)
  return (
    <div className="advisor" data-testid="advisor">
      <header className="row panel-title"><h2 className="section-title grow">{say('advisor.title')}</h2>{advice && answer.is === 'loading' ? <span className="tag">{say('advisor.updating')}</span> : null}
        {single ? null : <Button look="quiet" small icon="settings" label={say('command.thresholds')} onPress={() => run('thresholds')} />}</header>
      {single ? <Empty icon="single" title={say('advisor.single')} action={<Button icon="folder" onPress={() => void addBench()}>{say('advisor.single.add')}</Button>}>{say('advisor.single.what')}</Empty>
        : answer.is === 'failed' && !advice ? <Failed problem={answer.problem} />
          : !advice ? <Skeleton rows={8} /> : <Cards advice={advice} working={working} />}
    </div>
  )
}

/** Puts a second dump beside the one that is open. */
async function addBench(): Promise<void> {
  const [bench] = await host().choose({ what: 'dumps', side: 'bench' })
  const [debug] = now().paths
  if (bench !== undefined && debug !== undefined) await openPaths([debug, bench])
}

const goTo = (finding: Finding, row?: number): void => selectFinding(finding, 'advisor', row)

/** The same finding with names as short as they can be told apart by; the whole names are in titles. */
function shortened(finding: Finding): Finding {
  const short = (value: string | number): string | number => (typeof value === 'string' && /\.(?:forward|backward)\b/.test(value) ? nameParts(value).long : value)
  return { ...finding, node: nameParts(finding.node).long, facts: Object.fromEntries(Object.entries(finding.facts).map(([key, value]) => [key, short(value)])) }
}

function Cards({ advice, working }: { readonly advice: Advice; readonly working: boolean }): JSX.Element {
  const say = useSay()
  const [head, ...others] = advice.findings
  return (
    <div className="cards">
      <Unpaired />
      {head ? <Headline finding={head} /> : <Clean working={working} first={advice.first !== null} />}
      {advice.first ? <FirstRow first={advice.first} explained={head !== undefined} /> : null}
      {advice.curve.level.length > 1 ? <section className="card"><h3 className="card-kind">{say('advisor.curve')}</h3><Curve curve={advice.curve} /></section> : null}
      {others.length > 0 ? (
        <section className="card">
          <h3 className="card-kind">{say('advisor.others')}</h3>
          <ul className="others">{others.map(f => <Other key={`${f.kind}${f.side}${f.node}`} finding={f} />)}</ul>
        </section>
      ) : null}
      {advice.noise.length > 0 ? <section className="card"><h3 className="card-kind">{say('advisor.noise')}</h3><Hints hints={advice.noise} /></section> : null}
      {advice.dumpNext ? <DumpNext next={advice.dumpNext} /> : null}
      <div className="row advisor-foot"><Button small icon="download" onPress={() => run('export')}>{say('advisor.save')}</Button></div>
    </div>
  )
}

/** Across frameworks most names differ until a mapping pairs them; findings are worth little before. */
function Unpaired(): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const share = useWorkbench(s => {
    // Two frameworks never pair everything: once there is a mapping, the rest is meant.
    const own = Object.values(s.session?.options.mapping ?? {}).some(text => text)
    const unit = s.session?.kind === 'compare' && !own ? s.session.units.find(u => u.unit === s.session?.unit) : undefined
    return unit && unit.state === 'done' && unit.rows > 0 ? unit.unmatchedDebug / unit.rows : 0
  })
  if (share < manyUnpaired) return null
  return (
    <section className="card" data-testid="unpaired">
      <h3>{say('advisor.unpaired', { share: percent(language, share, 1) })}</h3>
      <p className="dim">{say('advisor.unpaired.what')}</p>
      <Button icon="mapping" onPress={() => run('panel-mapping')}>{say('advisor.unpaired.go')}</Button>
    </section>
  )
}

function Clean({ working, first }: { readonly working: boolean; readonly first: boolean }): JSX.Element {
  const say = useSay()
  return <section className="card clean"><h3>{say(working ? 'advisor.not-yet' : first ? 'advisor.undecided' : 'advisor.clean')}</h3><p className="dim">{say(working ? 'advisor.not-yet.what' : first ? 'advisor.undecided.what' : 'advisor.clean.what')}</p></section>
}

function Headline({ finding }: { readonly finding: Finding }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const { long, backward, call } = nameParts(finding.node)
  const file = finding.facts['file']
  const { explains } = finding
  return (
    <section className="card headline" data-testid="headline" data-node={finding.node}>
      <h3 className="card-kind">{say('advisor.headline')}</h3>
      <button type="button" className="link headline-node" title={finding.node} onClick={() => goTo(finding)}><span aria-hidden="true">{backward ? '◂ ' : ''}</span>{long}<span className="faint">{call ? `  ${call}` : ''}</span></button>
      <Within finding={finding} />
      <p className="card-sub">{say(`finding-kind.${finding.kind}`)}</p>
      {finding.evidence.length > 0 ? <div className="evidence">{finding.evidence.slice(0, 6).map(e => <Bar key={`${e.row}${e.label}`} evidence={e} node={finding.node} onPress={() => goTo(finding, e.row)} />)}</div> : null}
      <p className="card-text">{findingText(language, shortened(finding))}</p>
      <Hints hints={finding.hints} />
      {typeof file === 'string' ? <div className="source-quote"><span className="mono small dim cut-front">{`\u200e${file}${finding.facts['line'] === undefined ? '' : `:${finding.facts['line']}`}\u200e`}</span>{finding.facts['code'] === undefined ? null : <pre>{finding.facts['code']}</pre>}</div> : <SourceLine finding={finding} />}
      {finding.kind === 'communication' ? <FindRank /> : null}
      {explains.of > 0 ? <button type="button" className="link" onClick={() => run('show-failing')}>{say(`advisor.explains-${explains.by}`, { rows: explains.rows, of: explains.of })}</button> : null}
    </section>
  )
}

/** What a collective passed on began in another rank. */
function FindRank(): JSX.Element | null {
  const say = useSay()
  const units = useWorkbench(s => s.session?.units.length ?? 0)
  const [busy, setBusy] = useState(false)
  if (units < 2) return null
  const find = (): void => { setBusy(true); void goToOrigin().finally(() => setBusy(false)) }
  return <Button small icon="search" className="find-rank" disabled={busy} testId="find-rank" onPress={find}>{say(busy ? 'advisor.find-rank.busy' : 'advisor.find-rank', { count: units })}</Button>
}

/** The node of a finding: its place in the hierarchy and its stack. */
function useNode(finding: Finding): NodeDetail | undefined {
  const here = useWorkbench(s => stamp(s, 'dumps'))
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const at = nodeOn(finding.side, finding.node)
  const answer = useQuery({ key: session === undefined ? null : ['source', here, finding.side, finding.node], load: signal => engine.node({ session: session as NonNullable<typeof session>, unit, at }, signal) })
  return valueOf(answer)
}

/** The module around an API, which names no module itself. */
function Within({ finding }: { readonly finding: Finding }): JSX.Element | null {
  const say = useSay()
  const path = useNode(finding)?.path[finding.side] ?? []
  const around = path.at(-2)
  if (around === undefined || path.length < 3) return null
  return <p className="small dim">{say('advisor.within')}{' '}<button type="button" className="link" title={around} onClick={() => select(nodeOn(finding.side, around), 'advisor')}>{nameParts(around).long}</button></p>
}

/** The model's own line that called the node. */
function SourceLine({ finding }: { readonly finding: Finding }): JSX.Element | null {
  const node = useNode(finding)
  const frames = node ? (node.stack.debug.length > 0 ? node.stack.debug : node.stack.bench) : []
  const own = frames.find(f => !f.framework) ?? frames[0]
  if (!own) return null
  return <div className="source-quote"><span className="mono small dim cut-front" title={`${own.file}:${own.line}`}>{`\u200e${own.file}:${own.line}\u200e`}</span><pre>{own.code}</pre></div>
}

const least = 1e-6
/** Levels above this are drawn as disagreement. */
const visible = 1e-3

function Bar({ evidence, node, onPress }: { readonly evidence: Evidence; readonly node: string; onPress(): void }): JSX.Element {
  const say = useSay()
  const known = !Number.isNaN(evidence.level)
  const agreement = known ? Math.max(0, 1 - evidence.level) : 0
  const good = evidence.level <= visible
  // Errors of a thousandth must be seen beside errors of one: the bar goes by powers of ten.
  const width = known ? 1 - Math.min(1, Math.max(0, 1 + Math.log10(Math.max(evidence.level, least)) / -Math.log10(least))) : 0
  return (
    <button type="button" className="evidence-row" onClick={onPress} title={`${evidence.label}\n${evidence.metric}\n${say('side.debug')}: ${evidence.debug}\n${say('side.bench')}: ${evidence.bench}`}>
      <span className="cut-front evidence-label">{leftToRight(itemOf(evidence.label, node))}</span>
      <span className="evidence-bar" aria-hidden="true"><span className={`bar-fill ${good ? 'good' : 'poor'}`} style={{ width: `${Math.max(2, width * 100)}%` }} /></span>
      <span className="num">{known ? agreement.toFixed(4) : '–'}<span className="hidden-text">{say(good ? 'verdict.agree' : 'verdict.disagree')}</span></span>
    </button>
  )
}

function Hints({ hints }: { readonly hints: readonly Hint[] }): JSX.Element | null {
  const language = useWorkbench(s => s.language)
  if (hints.length === 0) return null
  return <ul className="hints">{hints.map(h => <li key={h.key + JSON.stringify(h.facts)}>{hintText(language, h)}</li>)}</ul>
}

function FirstRow({ first, explained }: { readonly first: NonNullable<Advice['first']>; readonly explained: boolean }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  return (
    <section className="card">
      <h3 className="card-kind">{say('advisor.first')}</h3>
      <button type="button" className="link first-node mono" onClick={() => select({ debug: nodeOfItem(first.node) }, 'advisor', first.line)}>{first.node}</button>
      <p className="card-text dim">{sayIf(language, first.advice) ?? first.advice}</p>
      <p className="faint small">{say(explained ? 'advisor.first-note' : 'advisor.first-line', { line: first.line + 1 })}</p>
    </section>
  )
}

function Other({ finding }: { readonly finding: Finding }): JSX.Element {
  const language = useWorkbench(s => s.language)
  const { long: short } = nameParts(finding.node)
  return (
    <li>
      {finding.node === '' ? null : <button type="button" className="link cut" title={finding.node} onClick={() => goTo(finding)}>{short}</button>}
      <span className="small dim">{findingText(language, shortened(finding))}</span>
    </li>
  )
}

function DumpNext({ next }: { readonly next: Readonly<Record<string, unknown>> }): JSX.Element {
  const say = useSay()
  const save = async (): Promise<void> => {
    const result = await host().save({ name: 'config.json', data: `${JSON.stringify(next, null, 2)}\n` })
    if (result?.ok) notify('saved', { path: result.value.path }, result.value.path)
  }
  return (
    <section className="card">
      <h3 className="card-kind">{say('advisor.dump-next')}</h3>
      <p className="card-text dim">{say('advisor.dump-next.what')}</p>
      <pre className="next" tabIndex={0}>{JSON.stringify(next, null, 1)}</pre>
      <Button small icon="download" onPress={() => void save()}>{say('advisor.dump-next.save')}</Button>
    </section>
  )
}
