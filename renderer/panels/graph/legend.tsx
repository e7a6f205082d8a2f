// The legend below the graphs: what the colours measure, from where to where, how many, and a filter on
// click.
import { Fragment, type JSX } from 'react'
import type { Legend as LegendFacts } from '../../../preload/contract/engine.ts'
import { count } from '../../state/format.ts'
import { run } from '../../state/commands.ts'
import { pickBucket, stepBucket } from '../../state/coloured.ts'
import { sayIf, useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { bucketWord } from '../../ui/bits.tsx'
import { Button, MenuButton, Toggle } from '../../ui/controls.tsx'
import { legendRows } from './legend-rows.ts'

export function Legend({ facts }: { readonly facts: LegendFacts }): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const picked = useWorkbench(s => s.look.buckets)
  const flow = useWorkbench(s => s.layout.graphView === 'dataflow')
  const { measure, choices } = facts
  const rows = legendRows(say, facts)
  if (choices.length < 2 && rows.length === 0 && !flow) return null
  return (
    <div className="legend" role="group" aria-label={say('legend.title')}>
      {choices.length > 1 ? (
        <ColoursBy facts={facts} />
      ) : (
        <span
          className="small dim legend-measure"
          title={sayIf(language, `measure.${measure}.what`) ?? measure}
        >
          {sayIf(language, `measure.${measure}`) ?? measure}
        </span>
      )}
      {rows.map(r => (
        <Fragment key={r.bucket}>
          <Toggle
            className="legend-item"
            on={picked.includes(r.bucket)}
            label={say('legend.item', { what: say(bucketWord(r.bucket)), range: r.text, count: r.n })}
            onChange={() => void pickBucket(r.bucket)}
          >
            <span className={`swatch b${r.bucket}`} aria-hidden="true" />
            <span className="num">{r.text}</span>
            <span className="faint num">{count(language, r.n)}</span>
          </Toggle>
          {picked.includes(r.bucket) ? <Walker bucket={r.bucket} total={r.n} /> : null}
        </Fragment>
      ))}
      {flow ? (
        <span className="legend-lines small dim" title={say('flow.inferred')}>
          <span className="legend-line" aria-hidden="true" />
          {say('flow.line')}
          <span className="legend-line unsure" aria-hidden="true" />
          {say('flow.line-unsure')}
        </span>
      ) : null}
    </div>
  )
}

/** Which node of the picked colour was gone to, and the way to the others. */
function Walker({ bucket, total }: { readonly bucket: number; readonly total: number }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const at = useWorkbench(({ coloured }) => (coloured?.bucket === bucket ? coloured.at + 1 : 0))
  return (
    <span className="row legend-walk" role="group" aria-label={say('legend.walk')} data-testid="legend-walk">
      <Button
        look="quiet"
        small
        icon="left"
        label={say('legend.previous')}
        onPress={() => void stepBucket(bucket, -1)}
      />
      <span className="num" role="status">
        {`${at === 0 ? '–' : count(language, at)}/${count(language, total)}`}
      </span>
      <Button
        look="quiet"
        small
        icon="right"
        label={say('legend.next')}
        onPress={() => void stepBucket(bucket, 1)}
      />
    </span>
  )
}

/** What the colours stand for, where there is a choice. */
function ColoursBy({ facts: { colours, measure, choices } }: { readonly facts: LegendFacts }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const name = (of: (typeof choices)[number]): string => {
    const said = sayIf(language, `measure.${of.measure}`) ?? of.measure
    return of.colours === 'msprobe' && of.measure !== 'none' ? say('legend.msprobe', { measure: said }) : said
  }
  return (
    <MenuButton
      label={say('legend.by')}
      className="button select quiet small legend-by"
      testId="colours"
      entries={choices.map(choice => ({
        id: choice.colours,
        text: name(choice),
        on: choice.colours === colours,
        run: () => run(`colours-${choice.colours}`),
      }))}
    >
      <span className="value" title={sayIf(language, `measure.${measure}.what`) ?? measure}>
        {name({ colours, measure })}
      </span>
    </MenuButton>
  )
}
