// The legend below the graphs: what the colours measure, from where to where, how many, and a filter on click.
import type { JSX } from 'react'
import type { Legend as LegendFacts } from '../../../preload/contract/engine.ts'
import { count, shortNumber } from '../../state/format.ts'
import { run } from '../../state/commands.ts'
import { toggleBucket } from '../../state/looking.ts'
import { sayIf, useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { bucketWord } from '../../ui/bits.tsx'
import { MenuButton, Toggle } from '../../ui/controls.tsx'

export function Legend({ facts }: { readonly facts: LegendFacts }): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const picked = useWorkbench(s => s.look.buckets)
  const flow = useWorkbench(s => s.layout.graphView === 'dataflow')
  const { measure, buckets, overflow } = facts
  const byOverflow = measure === 'overflow'
  const unmatched = byOverflow ? 0 : facts.unmatchedDebug + facts.unmatchedBench
  if (!overflow && buckets.length === 0 && unmatched === 0 && !flow) return null
  const range = (from: number, to: number): string => {
    if (byOverflow) return say(`overflow.${from as 0 | 1 | 2 | 3}`)
    if (measure === 'md5') return say(from === 1 ? 'legend.equal' : 'legend.different')
    return from === to ? shortRange(from) : from === 0 ? `< ${shortRange(to)}` : to >= 1 ? `≥ ${shortRange(from)}` : `${shortRange(from)}–${shortRange(to)}`
  }
  const name = sayIf(language, `measure.${measure}`) ?? measure
  const rows = [...buckets.map(b => ({ bucket: b.bucket, text: range(b.from, b.to), n: b.count })), ...(unmatched > 0 ? [{ bucket: -2, text: say('legend.none'), n: unmatched }] : [])]
  return (
    <div className="legend" role="group" aria-label={say('legend.title')}>
      {overflow || byOverflow ? (
        <MenuButton label={say('legend.by')} className="button select quiet small legend-by" testId="colours" entries={[
          { id: 'precision', text: say('legend.precision'), on: !byOverflow, run: () => { if (byOverflow) run('colours-overflow') } },
          { id: 'overflow', text: say('measure.overflow'), on: byOverflow, run: () => { if (!byOverflow) run('colours-overflow') } },
        ]}><span className="value">{name}</span></MenuButton>
      ) : <span className="small dim legend-measure" title={sayIf(language, `measure.${measure}.what`) ?? measure}>{name}</span>}
      {rows.map(r => (
        <Toggle key={r.bucket} className="legend-item" on={picked.includes(r.bucket)} label={say('legend.item', { what: say(bucketWord(r.bucket)), range: r.text, count: r.n })} onChange={() => toggleBucket(r.bucket)}>
          <span className={`swatch b${r.bucket}`} aria-hidden="true" /><span className="num">{r.text}</span><span className="faint num">{count(language, r.n)}</span>
        </Toggle>
      ))}
      {flow ? <span className="legend-lines small dim" title={say('flow.inferred')}><span className="legend-line" aria-hidden="true" />{say('flow.line')}<span className="legend-line unsure" aria-hidden="true" />{say('flow.line-unsure')}</span> : null}
    </div>
  )
}

const shortRange = (value: number): string => (Number.isInteger(value) ? String(value) : shortNumber(value).replace(/0+$/, ''))
