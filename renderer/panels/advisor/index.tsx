// The advisor: where the error enters, why, and how far it goes; every statement leads to the rows it rests
// on.
import type { JSX } from 'react'
import type { Advice, ConfigValue, Finding } from '../../../preload/contract/engine.ts'
import { findingText, kindText, openLines } from '../../../preload/contract/words/advice.ts'
import { engine } from '../../engine.ts'
import { showConfig } from '../../state/collect.ts'
import { run } from '../../state/commands.ts'
import { count } from '../../state/format.ts'
import { host } from '../../state/host.ts'
import { nameParts, nodeOfItem, shortName } from '../../state/names.ts'
import { valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { select, selectFinding } from '../../state/selection.ts'
import { openPaths } from '../../state/sessions.ts'
import { isGrowing, isSingle, matches } from '../../state/study.ts'
import { sayIf, useSay } from '../../state/words.ts'
import { notify, now, useWorkbench } from '../../state/workbench.ts'
import { CommandButton } from '../../ui/command-button.tsx'
import { Name } from '../../ui/bits.tsx'
import { Button } from '../../ui/controls.tsx'
import { Answered, Empty } from '../../ui/states.tsx'
import { Curve } from './curve.tsx'
import { CheckedRules } from './checked.tsx'
import { Headline } from './headline.tsx'
import { History } from './history.tsx'
import { Makers } from './makers.tsx'
import { NoiseCard } from './noise.tsx'
import { OverallCard, useAgreement } from './overall.tsx'
import { Overflows } from './overflows.tsx'
import { Replicas } from './replicas.tsx'
import { TakenAlike } from './taken.tsx'
import './advisor.css'

/** Share of rows without partner from which pairing comes first. */
const manyUnpaired = 0.3
const nothingOpen = { differs: 0, incomparable: 0 }

export default function AdvisorPanel(): JSX.Element {
  const say = useSay()
  const single = useWorkbench(s => isSingle(s.session))
  const working = useWorkbench(s => s.job !== null)
  const answer = useUnitQuery({
    steps: ['findings', 'states'],
    key: single ? null : ['findings'],
    load: (here, signal) => engine.findings(here, signal),
    keep: true,
  })
  const advice = valueOf(answer)
  const growing = useWorkbench(s => isGrowing(s.session))
  return (
    <div className="advisor" data-testid="advisor">
      <header className="row panel-title">
        <h2 className="section-title grow">{say('advisor.title')}</h2>
        {growing && !single ? (
          <span className="tag" data-testid="provisional-findings" title={say('live.provisional-findings')}>
            {say('live.provisional-short')}
          </span>
        ) : null}
        {advice && answer.is === 'loading' ? <span className="tag">{say('advisor.updating')}</span> : null}
        {single ? null : <CommandButton command="thresholds" icon="settings" />}
      </header>
      {single ? null : <OverallCard />}
      {single ? <AloneCards /> : null}
      {single ? (
        <Alone />
      ) : (
        <Answered
          answer={answer}
          skeleton={{ rows: 8 }}
          renderValue={found => <Cards advice={found} working={working} />}
        />
      )}
    </div>
  )
}

/** What can be told of one dump: nothing at all of most. */
const AloneCards = (): JSX.Element => (
  <div className="cards alone-cards">
    <Replicas />
    <Overflows />
  </div>
)

function Alone(): JSX.Element {
  const say = useSay()
  const add = (
    <Button icon="folder" onPress={() => void addBench()}>
      {say('advisor.single.add')}
    </Button>
  )
  return (
    <Empty icon="single" title={say('advisor.single')} action={add}>
      {say('advisor.single.what')}
    </Empty>
  )
}

/** Puts a second dump beside the one that is open. */
async function addBench(): Promise<void> {
  const [bench] = await host().choose({ what: 'dumps', side: 'bench' })
  const [debug] = now().paths
  if (bench !== undefined && debug !== undefined) await openPaths([debug, bench])
}

function Cards({ advice, working }: { readonly advice: Advice; readonly working: boolean }): JSX.Element {
  const say = useSay()
  const [head, ...others] = advice.findings
  return (
    <div className="cards">
      {advice.taken ? <TakenAlike taken={advice.taken} /> : null}
      {head ? <Headline finding={head} /> : <Clean advice={advice} working={working} />}
      <Unpaired advice={advice} />
      <Overflows />
      <Replicas />
      {advice.curve.level.length > 1 ? (
        <section className="card">
          <h3 className="card-kind">{say('advisor.curve')}</h3>
          <Curve curve={advice.curve} />
        </section>
      ) : null}
      {others.length > 0 ? (
        <section className="card">
          <h3 className="card-kind">{say('advisor.others')}</h3>
          <ul className="others">
            {others.map(f => (
              <Other key={`${f.kind}${f.side}${f.node}`} finding={f} />
            ))}
          </ul>
        </section>
      ) : null}
      <Makers advice={advice} />
      <NoiseCard hints={advice.noise} />
      <CheckedRules checked={advice.checked} />
      <History />
      {advice.dumpNext ? <DumpNext next={advice.dumpNext} /> : null}
      <div className="row advisor-foot">
        <Button small icon="download" onPress={() => run('export')}>
          {say('advisor.save')}
        </Button>
      </div>
      {advice.first ? <FirstRow first={advice.first} /> : null}
    </div>
  )
}

/** Whether so much has no partner that pairing comes first. */
function useUnpaired(): boolean {
  return useWorkbench(s => {
    // Two frameworks never pair everything: once there is a mapping, the rest is meant.
    const own = Object.values(s.session?.options.mapping ?? {}).some(text => text)
    const unit =
      s.session && matches(s.session) && !own
        ? s.session.units.find(u => u.unit === s.session?.unit)
        : undefined
    return unit?.state === 'done' && unit.rows > 0 && unit.unmatchedDebug / unit.rows >= manyUnpaired
  })
}

/** Across frameworks most names differ until a mapping pairs them; findings are worth little before. */
function Unpaired({ advice: { alone, stored } }: { readonly advice: Advice }): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  if (!useUnpaired()) return null
  return (
    <section className="card" data-testid="unpaired">
      <h3>
        {say(stored ? 'advisor.unpaired.stored' : 'advisor.unpaired', {
          debug: count(language, alone.debug),
          bench: count(language, alone.bench),
        })}
      </h3>
      <p className="dim">{say('advisor.unpaired.what')}</p>
      <Button icon="mapping" onPress={() => run('panel-mapping')}>
        {say('advisor.unpaired.go')}
      </Button>
    </section>
  )
}

function Clean({ advice, working }: { readonly advice: Advice; readonly working: boolean }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const agreement = useAgreement()
  const { debug, bench } = advice.alone
  const agreed = advice.stored
    ? say(debug + bench > 0 ? 'advisor.clean.part' : 'advisor.clean.stored')
    : agreement
  const { differs, incomparable } = useWorkbench(
    s => s.session?.units.find(u => u.unit === s.session?.unit) ?? nothingOpen,
  )
  const finished = differs > 0 ? 'undecided' : 'clean'
  const state = working ? 'not-yet' : finished
  return (
    <section className="card clean">
      <h3>{state === 'clean' ? agreed : say(`advisor.${state}`)}</h3>
      {state === 'undecided' ? null : <p className="dim">{say(`advisor.${state}.what`)}</p>}
      {working
        ? null
        : openLines(language, { differs, incomparable }).map(line => (
            <p key={line} className="dim">
              {line}
            </p>
          ))}
    </section>
  )
}

/** What msprobe's own advisor would say: by its rule, which is not ours. */
function FirstRow({ first }: { readonly first: NonNullable<Advice['first']> }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  return (
    <details className="first-row small dim" data-testid="first-row">
      <summary>{say('advisor.first', { node: first.node })}</summary>
      <p className="card-text">{sayIf(language, first.advice) ?? first.advice}</p>
      <button
        type="button"
        className="link"
        onClick={() => select({ debug: nodeOfItem(first.node) }, 'advisor', first.line)}
      >
        {say('advisor.first-line', { line: first.line + 1 })}
      </button>
    </details>
  )
}

function Other({ finding }: { readonly finding: Finding }): JSX.Element {
  const language = useWorkbench(s => s.language)
  const { long } = nameParts(finding.node)
  return (
    <li>
      {finding.node === '' ? null : (
        <Name text={long} title={finding.node} onPress={() => selectFinding(finding, 'advisor')} />
      )}
      <span className="small">{kindText(language, finding)}</span>
      <span className="small dim">{findingText(language, finding, shortName)}</span>
    </li>
  )
}

function DumpNext({ next }: { readonly next: Readonly<Record<string, unknown>> }): JSX.Element {
  const say = useSay()
  const save = async (): Promise<void> => {
    const result = await host().save({ name: 'config.json', data: `${JSON.stringify(next, null, 2)}\n` })
    if (result?.ok) notify('saved', { path: result.value.path })
  }
  return (
    <section className="card">
      <h3 className="card-kind">{say('advisor.dump-next')}</h3>
      <p className="card-text dim">{say('advisor.dump-next.what')}</p>
      <pre className="next" tabIndex={0}>
        {JSON.stringify(next, null, 1)}
      </pre>
      <div className="row wrap">
        <Button
          small
          look="primary"
          icon="file"
          testId="dump-next-edit"
          onPress={() => void showConfig(next as Readonly<Record<string, ConfigValue>>)}
        >
          {say('collect.edit')}
        </Button>
        <Button small icon="download" onPress={() => void save()}>
          {say('advisor.dump-next.save')}
        </Button>
      </div>
    </section>
  )
}
