// What recomputing says of the selected node: its call, or the calls in it, each side from its own inputs.
import type { JSX } from 'react'
import {
  recomputedStates,
  type ItemAnswer,
  type NodeRecomputed,
  type NodeRef,
  type RecomputedCall,
  type RecomputedOutput,
  type Side,
} from '../../../preload/contract/engine.ts'
import { recomputedLines, recomputedName, timesText } from '../../../preload/contract/words/recomputed.ts'
import { engine } from '../../engine.ts'
import { run } from '../../state/commands.ts'
import { count, shortNumber } from '../../state/format.ts'
import { recompute, saveRepro } from '../../state/recompute.ts'
import { select } from '../../state/selection.ts'
import { isSingle } from '../../state/study.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { nodeOn, useWorkbench } from '../../state/workbench.ts'
import { Name, RecomputedPill } from '../../ui/bits.tsx'
import { Button } from '../../ui/controls.tsx'
import { Answered, Empty } from '../../ui/states.tsx'

export function Recompute({ at }: { readonly at: NodeRef }): JSX.Element {
  const version = useWorkbench(s => s.recomputed)
  const answer = useUnitQuery({
    steps: ['dumps', 'pairs'],
    key: ['recomputed', at.debug, at.bench, version],
    load: (here, signal) => engine.recomputed({ ...here, at }, signal),
    keep: true,
  })
  return (
    <Answered answer={answer} skeleton={{ rows: 6 }} renderValue={known => <Known at={at} known={known} />} />
  )
}

function Known({ at, known }: { readonly at: NodeRef; readonly known: NodeRecomputed }): JSX.Element {
  const say = useSay()
  if (known.calls === 0)
    return (
      <Empty icon="info" title={say('recompute.none')}>
        {say('recompute.none.what')}
      </Empty>
    )
  return (
    <div className="column recompute" data-testid="recompute">
      <Deeds at={at} known={known} />
      {known.computed === 0 ? <p className="dim small">{say('recompute.not-yet')}</p> : null}
      {known.calls > 1 && known.computed > 0 ? <Counts known={known} /> : null}
      {known.listed.map(call => (
        <Call key={recomputedName(call)} call={call} alone={known.calls === 1} />
      ))}
    </div>
  )
}

function Deeds({ at, known }: { readonly at: NodeRef; readonly known: NodeRecomputed }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const busy = useWorkbench(s => s.recomputing !== null)
  const single = useWorkbench(s => isSingle(s.session))
  const sides = (['debug', 'bench'] as const).filter(side => at[side] !== undefined)
  return (
    <div className="row recompute-deeds">
      <Button
        small
        look="primary"
        disabled={busy}
        testId="recompute-run"
        onPress={() => void recompute([at])}
      >
        {known.calls === 1
          ? say('command.recompute')
          : say('recompute.run-many', { calls: count(language, known.calls) })}
      </Button>
      {busy ? (
        <Button small look="quiet" testId="recompute-stop" onPress={() => run('recompute-stop')}>
          {say('frame.cancel')}
        </Button>
      ) : null}
      {known.calls === 1
        ? sides.map(side => (
            <Button
              key={side}
              small
              look="quiet"
              icon="out"
              testId={`repro-${side}`}
              onPress={() => void saveRepro(side, at[side] ?? '')}
            >
              {single ? say('recompute.save') : say('recompute.save-side', { side: say(`side.${side}`) })}
            </Button>
          ))
        : null}
    </div>
  )
}

/** How many directions of calls are in which state. */
function Counts({ known: { states, computed, calls } }: { readonly known: NodeRecomputed }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  return (
    <div className="row recompute-counts small">
      <span className="dim">
        {say('recompute.of-calls', { computed: count(language, computed), calls: count(language, calls) })}
      </span>
      {recomputedStates
        .filter(state => states[state] > 0)
        .map(state => (
          <span key={state} className="row">
            <RecomputedPill is={state} />
            <span className="num">{count(language, states[state])}</span>
          </span>
        ))}
    </div>
  )
}

function Call({ call, alone }: { readonly call: RecomputedCall; readonly alone: boolean }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const [answer, ...more] = recomputedLines(language, call)
  const side: Side = call.debug ? 'debug' : 'bench'
  const name = recomputedName(call)
  return (
    <section className="recompute-call" data-testid="recomputed-call" data-state={call.state}>
      <header className="row">
        {alone ? (
          <span className="grow">{say(`recompute.direction.${call.direction}`)}</span>
        ) : (
          <Name className="grow" text={name} onPress={() => select(nodeOn(side, name), 'inspector')} />
        )}
        <RecomputedPill is={call.state} />
      </header>
      <p className="small copyable">{answer}</p>
      {more.map(line => (
        <p key={line} className="small dim copyable">
          {line}
        </p>
      ))}
      {alone ? call.outputs.map((output, i) => <Output key={i} output={output} />) : null}
    </section>
  )
}

/** How far the stored result of each side is from the exact one. */
function Output({ output }: { readonly output: RecomputedOutput }): JSX.Element {
  const say = useSay()
  const single = useWorkbench(s => isSingle(s.session))
  const { debug, bench } = output
  const shown = (['debug', 'bench'] as const).filter(side => output[side])
  const label = /\.(?:forward|backward)\.(.*)$/.exec((debug ?? bench)?.item ?? '')?.[1] ?? ''
  return (
    <table className="sides recompute-output">
      <thead>
        <tr>
          <th scope="col">{label}</th>
          {shown.map(side => (
            <th key={side} scope="col">
              {single ? '' : say(`side.${side}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {facts.map(fact => (
          <tr key={fact}>
            <th scope="row">{say(`recompute.fact.${fact}`)}</th>
            {shown.map(side => (
              <td key={side} className={output[side]?.verdict === 'error' ? 'differs' : ''}>
                <Fact fact={fact} answer={output[side]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const facts = ['ratio', 'maxAbs', 'mismatches'] as const

function Fact({
  fact,
  answer,
}: {
  readonly fact: (typeof facts)[number]
  readonly answer: ItemAnswer | null
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  if (!answer) return <span className="faint">∅</span>
  const { ratio, maxAbs, mismatches, sampled, count: all } = answer
  if (fact === 'mismatches')
    return (
      <span className="num copyable">
        {say('recompute.some-of', {
          some: count(language, mismatches),
          all: count(language, sampled ?? all),
        })}
      </span>
    )
  if (fact === 'maxAbs') return <span className="num copyable">{shortNumber(maxAbs)}</span>
  return <span className="num copyable">{ratio === null ? '–' : `${timesText(language, ratio)} ×`}</span>
}
