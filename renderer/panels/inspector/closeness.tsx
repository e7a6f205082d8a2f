// Whether two tensors are close by tolerances of one's own: |debug − bench| ≤ atol + rtol · |bench|.
import { useState, type JSX } from 'react'
import { engine } from '../../engine.ts'
import { count, percent, shortNumber } from '../../state/format.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'
import { stamp, useWorkbench } from '../../state/workbench.ts'
import { Section, Verdict } from '../../ui/bits.tsx'
import { ProblemCard } from '../../ui/states.tsx'

const names = ['rtol', 'atol'] as const

/** A tolerance as typed, or null when it is none. */
function tolerance(text: string): number | null {
  const value = Number(text)
  return text.trim() === '' || !Number.isFinite(value) || value < 0 ? null : value
}

export function Closeness({ row }: { readonly row: number }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const here = useWorkbench(s => stamp(s, 'dumps', 'metrics'))
  const [texts, setTexts] = useState({ rtol: '1e-3', atol: '1e-5' })
  const [rtol, atol] = [tolerance(texts.rtol), tolerance(texts.atol)]
  const answer = useQuery({
    key: session === undefined || rtol === null || atol === null ? null : ['closeness', here, row, rtol, atol],
    load: signal => engine.closeness({ session: session as NonNullable<typeof session>, unit, row, rtol: rtol ?? 0, atol: atol ?? 0 }, signal),
    keep: true,
  })
  const result = valueOf(answer)
  return (
    <Section title={say('closeness.title')}>
      <div className="row closeness">
        {names.map(name => (
          <label key={name} className="row small dim">
            <span className="num">{name}</span>
            <span className="field" {...(tolerance(texts[name]) === null ? { 'data-invalid': '' } : {})}><input className="num" inputMode="decimal" spellCheck={false} value={texts[name]} aria-label={say(`closeness.${name}`)} aria-invalid={tolerance(texts[name]) === null} onChange={e => setTexts({ ...texts, [name]: e.target.value })} /></span>
          </label>
        ))}
        <span className="grow" />
        {result?.ok ? <Verdict is={result.value.apart === 0 ? 'agree' : 'disagree'} /> : null}
      </div>
      {result?.ok ? (
        <p className="small dim" role="status">{say('closeness.result', { share: percent(language, result.value.elements - result.value.apart, result.value.elements), apart: count(language, result.value.apart), abs: shortNumber(result.value.maxAbs), rel: shortNumber(result.value.maxRel) })}</p>
      ) : result ? <ProblemCard problem={result.problem} /> : answer.is === 'failed' ? <ProblemCard problem={answer.problem} /> : null}
    </Section>
  )
}
