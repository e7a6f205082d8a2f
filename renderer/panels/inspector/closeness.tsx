// Whether two tensors are close by tolerances of one's own: |debug − bench| ≤ atol + rtol · |bench|.
import { useState, type JSX } from 'react'
import type { Closeness as Measured, Result } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { count, percent, shortNumber } from '../../state/format.ts'
import { valueOf, type Answer } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { RowStatePill, Section } from '../../ui/bits.tsx'
import { ProblemCard } from '../../ui/states.tsx'

const names = ['rtol', 'atol'] as const
/** Tolerances as they are typed. */
type Texts = Readonly<Record<(typeof names)[number], string>>

/** A tolerance as typed, or null when it is none. */
function tolerance(text: string): number | null {
  const value = Number(text)
  return text.trim() === '' || !Number.isFinite(value) || value < 0 ? null : value
}

/** `of` names the two tensors: a row may come to stand for others. */
export function Closeness({ row, of }: { readonly row: number; readonly of: string }): JSX.Element {
  const say = useSay()
  const [texts, setTexts] = useState<Texts>({ rtol: '1e-3', atol: '1e-5' })
  const answer = useCloseness(row, of, texts)
  const result = valueOf(answer)
  const unasked = answer.is === 'failed' && !result ? answer.problem : null
  const failure = result && !result.ok ? result.problem : unasked
  return (
    <Section title={say('closeness.title')}>
      <div className="row closeness">
        {names.map(name => (
          <Tolerance
            key={name}
            name={name}
            text={texts[name]}
            onChange={text => setTexts({ ...texts, [name]: text })}
          />
        ))}
        <span className="grow" />
        {result?.ok ? <RowStatePill is={result.value.apart === 0 ? 'noise' : 'differs'} /> : null}
      </div>
      {failure ? <ProblemCard problem={failure} /> : null}
      {result?.ok ? <Counted result={result.value} /> : null}
    </Section>
  )
}

function useCloseness(row: number, of: string, texts: Texts): Answer<Result<Measured>> {
  const [rtol, atol] = [tolerance(texts.rtol), tolerance(texts.atol)]
  const typed = rtol !== null && atol !== null
  return useUnitQuery({
    steps: ['dumps', 'metrics'],
    key: typed ? ['closeness', row, of, rtol, atol] : null,
    load: (here, signal) => engine.closeness({ ...here, row, rtol: rtol ?? 0, atol: atol ?? 0 }, signal),
    keep: true,
  })
}

function Tolerance({
  name,
  text,
  onChange,
}: {
  readonly name: (typeof names)[number]
  readonly text: string
  onChange(text: string): void
}): JSX.Element {
  const say = useSay()
  const wrong = tolerance(text) === null
  return (
    <label className="row small dim">
      <span className="num">{name}</span>
      <span className="field" {...(wrong ? { 'data-invalid': '' } : {})}>
        <input
          className="num"
          inputMode="decimal"
          spellCheck={false}
          value={text}
          aria-label={say(`closeness.${name}`)}
          aria-invalid={wrong}
          onChange={e => onChange(e.target.value)}
        />
      </span>
    </label>
  )
}

function Counted({ result }: { readonly result: Measured }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  return (
    <p className="small dim" role="status">
      {say('closeness.result', {
        share: percent(language, result.elements - result.apart, result.elements),
        apart: count(language, result.apart),
        abs: shortNumber(result.maxAbs),
        rel: shortNumber(result.maxRel),
      })}
    </p>
  )
}
