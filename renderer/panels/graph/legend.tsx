// The legend below the graphs: what the colours measure, from where to where, how many, and a filter on
// click.
import { Fragment, useRef, type JSX } from 'react'
import type { Legend as LegendFacts } from '../../../preload/contract/engine.ts'
import { engine, isQuiet } from '../../engine.ts'
import { count } from '../../state/format.ts'
import { run } from '../../state/commands.ts'
import { pickBucket, stepBucket } from '../../state/coloured.ts'
import { select } from '../../state/selection.ts'
import { sayIf, useSay } from '../../state/words.ts'
import { now, place, useWorkbench } from '../../state/workbench.ts'
import { bucketWord } from '../../ui/bits.tsx'
import { Button, MenuButton, Toggle } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { legendRows } from './legend-rows.ts'

export function Legend({ facts }: { readonly facts: LegendFacts }): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const picked = useWorkbench(s => s.look.buckets)
  const flow = useWorkbench(s => s.layout.graphView === 'dataflow')
  const { measure, choices, overflowed, edges } = facts
  const rows = legendRows(say, facts)
  if (choices.length < 2 && rows.length === 0 && overflowed === 0 && !flow) return null
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
            className={r.n === 0 ? 'legend-item unused' : 'legend-item'}
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
      {overflowed > 0 ? <Overflowed count={overflowed} /> : null}
      {flow ? <Lines edges={edges} /> : null}
    </div>
  )
}

const lines = {
  data: { title: 'flow.inferred', solid: 'flow.line', dashed: 'flow.line-unsure', look: 'unsure' },
  graph: { title: 'flow.told', solid: 'flow.line-told', dashed: 'flow.control', look: 'control' },
} as const

/** What solid and dashed lines are. */
function Lines({ edges }: Pick<LegendFacts, 'edges'>): JSX.Element {
  const say = useSay()
  const { title, solid, dashed, look } = lines[edges]
  return (
    <span className="legend-lines small dim" title={say(title)}>
      <span className="legend-line" aria-hidden="true" />
      {say(solid)}
      <span className={`legend-line ${look}`} aria-hidden="true" />
      {say(dashed)}
    </span>
  )
}

/** The mark of what overflowed; a click goes to the first of them, and then to the next. */
function Overflowed({ count: total }: { readonly count: number }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const at = useRef(0)
  return (
    <span data-testid="legend-overflowed">
      <Button
        className="legend-item"
        look="quiet"
        label={say('legend.overflowed.go')}
        onPress={() => void goToOverflowed(at)}
      >
        <Icon name="alert" size={12} />
        <span>{say('legend.overflowed')}</span>
        <span className="faint num">{count(language, total)}</span>
      </Button>
    </span>
  )
}

async function goToOverflowed(at: { current: number }): Promise<void> {
  const here = place(now())
  if (!here) return
  try {
    const { total, nodes } = await engine.list({ ...here, list: 'overflowed', first: at.current, count: 1 })
    at.current = (at.current + 1) % Math.max(1, total)
    if (nodes[0]) select(nodes[0].at, 'nodes')
  } catch (error) {
    if (!isQuiet(error)) throw error
  }
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
