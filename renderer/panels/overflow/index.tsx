// Where NaN and infinity enter the step on screen, over all its ranks; how they spread, and the calls that show anything.
import type { JSX } from 'react'
import {
  usualGrowth,
  type NamedFound,
  type OverflowStep,
  type UnitIndex,
} from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { count } from '../../state/format.ts'
import { valueOf } from '../../state/query.ts'
import { changeLayout } from '../../state/settings.ts'
import { compares, panesOf, recomputes } from '../../state/study.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Name, OriginFlag, Section } from '../../ui/bits.tsx'
import { Button } from '../../ui/controls.tsx'
import { CommandButton } from '../../ui/command-button.tsx'
import { NumberRow } from '../../ui/number-row.tsx'
import { Answered, Empty, ProblemCard } from '../../ui/states.tsx'
import { Calls } from './calls.tsx'
import { FirstStep } from './first.tsx'
import { drawPath, goTo, unitOf } from './go.ts'
import { listed, More } from './more.tsx'
import { noteText } from './note-text.ts'
import { Spread } from './spread.tsx'
import { Timeline } from './timeline.tsx'
import './overflow.css'

export default function OverflowPanel(): JSX.Element {
  const say = useSay()
  const growth = useWorkbench(s => s.layout.growthLimit)
  const answer = useUnitQuery({
    steps: ['dumps'],
    key: ['overflow-step', growth],
    load: (here, signal) => engine.overflowStep({ ...here, growth }, signal),
    keep: true,
  })
  return (
    <div className="overflow" data-testid="overflow">
      <header className="row panel-title">
        <h2 className="section-title grow">{say('overflow.title')}</h2>
        <CommandButton command="colours-overflow" icon="tree" />
      </header>
      <div className="overflow-body">
        <FirstStep />
        <Answered answer={answer} skeleton={{ rows: 6 }} renderValue={step => <Step step={step} />} />
        <Calls />
        <Growth />
      </div>
    </div>
  )
}

/** When a call is conspicuous though all of its numbers are finite. */
function Growth(): JSX.Element {
  const say = useSay()
  const limit = useWorkbench(s => s.layout.growthLimit)
  return (
    <Section title={say('overflow.growth')}>
      <NumberRow
        title={say('overflow.growth.limit')}
        what={say('overflow.growth.what', { limit: usualGrowth })}
        value={limit}
        least={1}
        testId="growth-limit"
        onChange={growthLimit => changeLayout({ growthLimit })}
      />
    </Section>
  )
}

function Step({ step }: { readonly step: OverflowStep }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const { origins, symptoms, notes, arrivals, calls, later } = step.answer
  if (origins.length + symptoms.length === 0)
    return (
      <>
        <div className="overflow-none">
          <Empty icon="check" title={say('overflow.none')}>
            {say('overflow.none.what', {
              calls: count(language, calls),
              ranks: count(language, step.ranks.length),
            })}
          </Empty>
        </div>
        <Unread step={step} />
        <Notes notes={notes} />
      </>
    )
  return (
    <>
      <Section title={say('overflow.origins')}>
        {origins.length === 0 ? <p className="faint small">{say('overflow.no-origin')}</p> : null}
        <List found={origins} step={step} explains />
        {later > 0 ? (
          <p className="faint small">{say('cli.overflow.later', { count: count(language, later) })}</p>
        ) : null}
      </Section>
      {symptoms.length > 0 ? (
        <Section title={say('overflow.symptoms')}>
          <List found={symptoms} step={step} />
        </Section>
      ) : null}
      <Timeline step={step} />
      {arrivals.length > 0 ? <Spread step={step} /> : null}
      <Unread step={step} />
      <Notes notes={notes} />
    </>
  )
}

function Unread({ step: { problems } }: { readonly step: OverflowStep }): JSX.Element {
  return (
    <>
      {problems.slice(0, listed).map((problem, i) => (
        <ProblemCard key={i} problem={problem} />
      ))}
    </>
  )
}

function List({
  found,
  step,
  explains = false,
}: {
  readonly found: readonly NamedFound[]
  readonly step: OverflowStep
  readonly explains?: boolean
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const graph = useWorkbench(s => panesOf(s.session).includes('graph'))
  return (
    <>
      <ol className="overflow-list">
        {found.slice(0, listed).map(one => (
          <li key={`${one.rank} ${one.order}`} className="card">
            <span className="row">
              {one.confidence === 'direct' ? <OriginFlag /> : null}
              <Name text={one.op} onPress={() => void goTo(unitOf(step, one.rank), one.op)} />
              <span className="faint small">{say('overflow.rank', { rank: one.ranks.join(', ') })}</span>
            </span>
            {one.confidence === 'direct' ? null : (
              <span className="small dim">{say(`overflow.why.${one.confidence}`)}</span>
            )}
            {explains ? <Explained op={one.op} unit={unitOf(step, one.rank)} /> : null}
            <InBench op={one.op} unit={unitOf(step, one.rank)} />
            {one.downstream === null || one.downstream === 0 ? null : (
              <span className="small dim">
                {one.reached.length > 1
                  ? say('overflow.behind', {
                      calls: count(language, one.downstream),
                      ranks: count(language, one.reached.length),
                    })
                  : say('overflow.behind.here', { calls: count(language, one.downstream) })}
              </span>
            )}
            {graph ? (
              <span className="row">
                <Button
                  small
                  look="quiet"
                  icon="flow"
                  testId="overflow-path"
                  onPress={() => void drawPath(unitOf(step, one.rank), one.op)}
                >
                  {say('overflow.path')}
                </Button>
              </span>
            ) : null}
          </li>
        ))}
      </ol>
      <More of={found.length} />
    </>
  )
}

/** Whether the data or the device is to blame, where tensors were dumped. */
function Explained({
  op,
  unit,
}: {
  readonly op: string
  readonly unit: UnitIndex | null
}): JSX.Element | null {
  const say = useSay()
  const tensors = useWorkbench(s => recomputes(s.session))
  const answer = useUnitQuery({
    steps: ['dumps'],
    key: tensors && unit !== null ? ['overflow-explained', unit, op] : null,
    load: (here, signal) => engine.overflowExplained({ ...here, unit: unit ?? here.unit, op }, signal),
    keep: true,
  })
  const is = valueOf(answer)
  if (!is) return null
  return (
    <span className="small dim" data-testid="overflow-explained" data-state={is}>
      {say(`cli.overflow.explained.${is}`)}
    </span>
  )
}

/** What a healthy run has as well is no fault of this one. */
function InBench({ op, unit }: { readonly op: string; readonly unit: UnitIndex | null }): JSX.Element | null {
  const say = useSay()
  const growth = useWorkbench(s => s.layout.growthLimit)
  const compared = useWorkbench(s => compares(s.session))
  const answer = useUnitQuery({
    steps: ['dumps', 'pairs'],
    key: compared && unit !== null ? ['overflow-bench', growth, unit, op] : null,
    load: (here, signal) => engine.overflowBench({ ...here, growth, unit: unit ?? here.unit, op }, signal),
    keep: true,
  })
  const is = valueOf(answer)
  if (!is) return null
  return (
    <span className="small dim" data-testid="overflow-bench" data-state={is}>
      {say(is === 'clean' ? 'overflow.bench-clean' : 'overflow.bench-same')}
    </span>
  )
}

function Notes({ notes }: { readonly notes: OverflowStep['answer']['notes'] }): JSX.Element | null {
  const language = useWorkbench(s => s.language)
  if (notes.length === 0) return null
  return (
    <ul className="overflow-notes small">
      {notes.slice(0, listed).map((note, i) => (
        <li key={i}>{noteText(language, note)}</li>
      ))}
    </ul>
  )
}
