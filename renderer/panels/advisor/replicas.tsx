// Ranks of the step on screen held against each other: copies that are none, and forwards that were computed twice.
import { useState, type JSX } from 'react'
import {
  type RanksLayout,
  type ReplicasStep,
  type Topology,
  type Unequal,
  usualOrder,
} from '../../../preload/contract/engine.ts'
import { comparedTexts, unequalText } from '../../../preload/contract/words/unequal.ts'
import { engine } from '../../engine.ts'
import { count } from '../../state/format.ts'
import { nameParts, shortName } from '../../state/names.ts'
import { chooseUnit } from '../../state/sessions.ts'
import { select } from '../../state/selection.ts'
import { panesOf } from '../../state/study.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { now, useWorkbench } from '../../state/workbench.ts'
import { Name } from '../../ui/bits.tsx'
import { Button } from '../../ui/controls.tsx'
import { SizeField } from '../../ui/size-field.tsx'
import { Answered, ProblemCard } from '../../ui/states.tsx'

type Layout = Omit<RanksLayout, 'by'>

/** As many are read without being asked. */
const atOnce = 16
const listed = 12
/** Layouts of open sessions. */
const given = new Map<number, Layout | null>()

/** Only dumps of calls have ranks that talk to each other; a step of one rank may have forwards that were computed twice. */
export function Replicas(): JSX.Element | null {
  const say = useSay()
  const session = useWorkbench(s => s.session)
  const here = session?.units.find(({ unit }) => unit === session.unit)
  const ranks = session?.units.filter(({ step }) => step === here?.step).length ?? 0
  const holds = panesOf(session).includes('overflow')
  const [asked, setAsked] = useState(-1)
  const [asksLayout, setAsksLayout] = useState(false)
  const [layout, setLayout] = useState(session ? (given.get(session.session) ?? null) : null)
  const reads = ranks <= atOnce || asked === here?.step
  const answer = useUnitQuery({
    steps: ['dumps'],
    key: holds && reads ? ['replicas', here?.step ?? -1, JSON.stringify(layout)] : null,
    load: (at, signal) => engine.replicasStep({ ...at, layout }, signal),
    keep: true,
  })
  if (!session || !here || !holds || (ranks < 2 && answer.is !== 'ready')) return null
  if (ranks < 2 && answer.is === 'ready' && answer.value.answer.findings.length === 0) return null
  const change = (to: Layout | null): void => {
    given.set(session.session, to)
    setLayout(to)
    setAsksLayout(false)
  }
  const proposal = answer.is === 'ready' ? answer.value.answer.topology : null
  return (
    <section className="card replicas" data-testid="replicas">
      <header className="row">
        <h3 className="card-kind grow">{say('replicas.title')}</h3>
        {ranks > 1 ? (
          <Button small look="quiet" testId="replicas-layout" onPress={() => setAsksLayout(!asksLayout)}>
            {say('replicas.layout')}
          </Button>
        ) : null}
      </header>
      {asksLayout ? <LayoutForm {...{ layout, proposal }} onChange={change} /> : null}
      {reads ? (
        <Answered answer={answer} skeleton={{ rows: 3 }} renderValue={step => <Found step={step} />} />
      ) : (
        <>
          <p className="small dim">{say('replicas.check.what')}</p>
          <Button small icon="search" testId="replicas-check" onPress={() => setAsked(here.step ?? -1)}>
            {say('replicas.check', { ranks })}
          </Button>
        </>
      )}
    </section>
  )
}

function Found({ step: { answer, units, problems } }: { readonly step: ReplicasStep }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const { findings } = answer
  const unitOf = (rank: number | undefined): number | null =>
    units.find(one => one.rank === rank)?.unit ?? null
  return (
    <>
      {findings.length === 0 ? <p>{say('replicas.none')}</p> : null}
      <ul className="others">
        {findings.slice(0, listed).map(found => (
          <One key={`${found.kind} ${found.op} ${found.item} ${found.ranks.join()}`} {...{ found, unitOf }} />
        ))}
      </ul>
      {findings.length > listed ? (
        <p className="faint small">
          {say('cli.overflow.more', { count: count(language, findings.length - listed) })}
        </p>
      ) : null}
      {comparedTexts(language, answer).map(line => (
        <p key={line} className="faint small">
          {line}
        </p>
      ))}
      {problems.slice(0, listed).map((problem, i) => (
        <ProblemCard key={i} problem={problem} />
      ))}
    </>
  )
}

function One({
  found,
  unitOf,
}: {
  readonly found: Unequal
  unitOf(rank: number | undefined): number | null
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const { text, more } = unequalText(language, found, shortName)
  return (
    <li data-testid="unequal" data-kind={found.kind}>
      <Name
        text={nameParts(found.op).long}
        title={found.op}
        onPress={() => void goTo(unitOf(found.ranks[0]), found.op)}
      />
      <span className="small">{say(`replicas.kind.${found.kind}`)}</span>
      <span className="small dim">{text}</span>
      {more.map(line => (
        <span key={line} className="small faint">
          {line}
        </span>
      ))}
    </li>
  )
}

async function goTo(unit: number | null, op: string): Promise<void> {
  if (unit === null) return
  await chooseUnit(unit)
  if (now().session?.unit === unit) select({ debug: op }, 'advisor')
}

const sizes = ['tp', 'cp', 'ep', 'pp'] as const
const alone: Layout = { tp: 1, cp: 1, ep: 1, pp: 1, order: usualOrder }

function LayoutForm({
  layout,
  proposal,
  onChange,
}: {
  readonly layout: Layout | null
  readonly proposal: Topology | null
  onChange(layout: Layout | null): void
}): JSX.Element {
  const say = useSay()
  const [draft, setDraft] = useState<Layout>(layout ?? proposal ?? alone)
  return (
    <div className="replicas-layout" data-testid="replicas-form">
      <p className="small dim">{say('replicas.layout.hint')}</p>
      <div className="row wrap">
        {sizes.map(of => (
          <SizeField
            key={of}
            of={of}
            size={draft[of]}
            testId={`replicas-${of}`}
            onSize={size => setDraft({ ...draft, [of]: size })}
          />
        ))}
        <label className="column small">
          {say('ranks.together.order')}
          <input
            className="entry"
            value={draft.order}
            spellCheck={false}
            data-testid="replicas-order"
            onChange={e => setDraft({ ...draft, order: e.currentTarget.value })}
          />
        </label>
      </div>
      <div className="row wrap">
        <Button small look="primary" testId="replicas-apply" onPress={() => onChange(sizesOf(draft))}>
          {say('replicas.layout.apply')}
        </Button>
        {proposal ? (
          <Button small testId="replicas-read" onPress={() => setDraft(sizesOf(proposal))}>
            {say('replicas.layout.read')}
          </Button>
        ) : null}
        <Button small disabled={layout === null} testId="replicas-reset" onPress={() => onChange(null)}>
          {say('replicas.layout.reset')}
        </Button>
      </div>
    </div>
  )
}

const sizesOf = ({ tp, cp, ep, pp, order }: Layout): Layout => ({ tp, cp, ep, pp, order })
