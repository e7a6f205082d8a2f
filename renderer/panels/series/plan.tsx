// How a training is laid out over its ranks: rows are tensor-parallel groups, columns stages of the pipeline, colours
// data-parallel replicas. The engine does the arithmetic.
import { useState, type JSX } from 'react'
import { layoutDimensions, type ParallelAsked, type ParallelPlan } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'

interface Fields extends Omit<ParallelAsked, 'order'> {
  readonly order: string
}

const firstFields = (world: number): Fields => ({
  world,
  layers: 1,
  tp: 1,
  pp: 1,
  cp: 1,
  ep: 1,
  perStage: 0,
  order: 'tp-cp-ep-dp-pp',
})

const numbers = ['world', 'layers', 'tp', 'pp', 'cp', 'ep', 'perStage'] as const

interface LayoutPlanProps {
  readonly ranks: readonly number[]
  /** The rank that is on screen. */
  readonly chosen: number | null
  onRank(rank: number): void
}

export function LayoutPlan({ ranks, chosen, onRank }: LayoutPlanProps): JSX.Element {
  const say = useSay()
  const [fields, setFields] = useState(() => firstFields(Math.max(1, (ranks.at(-1) ?? 0) + 1)))
  const answer = useQuery({
    key: ['series-plan', JSON.stringify(fields)],
    load: signal => engine.parallelPlan(fields, signal),
    keep: true,
  })
  const plan = valueOf(answer)
  return (
    <section className="series-plan" aria-label={say('series.plan')} data-testid="series-plan-chart">
      <div className="row small series-plan-fields">
        {numbers.map(of => (
          <label key={of} className="row">
            <span className="dim">{say(`series.plan.${of}`)}</span>
            <input
              type="number"
              min={of === 'perStage' ? 0 : 1}
              max={of === 'layers' ? 256 : 1024}
              className="num"
              value={fields[of]}
              data-testid={`series-plan-${of}`}
              onChange={e => setFields({ ...fields, [of]: Math.max(0, Math.floor(Number(e.target.value))) })}
            />
          </label>
        ))}
        <label className="row">
          <span className="dim">{say('series.plan.order')}</span>
          <input
            className="num series-plan-order"
            value={fields.order}
            placeholder={layoutDimensions.join('-')}
            data-testid="series-plan-order"
            onChange={e => setFields({ ...fields, order: e.target.value })}
          />
        </label>
      </div>
      {plan?.wrong ? (
        <p className="small bad" data-testid="series-plan-wrong">
          {say(`series.plan.wrong.${plan.wrong}`)}
        </p>
      ) : null}
      {plan && !plan.wrong ? <Chart {...{ plan, chosen, onRank }} known={new Set(ranks)} /> : null}
    </section>
  )
}

const inks = 8

function Chart({
  plan,
  known,
  chosen,
  onRank,
}: {
  readonly plan: ParallelPlan
  readonly known: ReadonlySet<number>
  readonly chosen: number | null
  onRank(rank: number): void
}): JSX.Element {
  const say = useSay()
  return (
    <div className="series-plan-chart">
      <table>
        <thead>
          <tr>
            <th className="small dim">{say('series.plan.group')}</th>
            {plan.stages.map(({ stage, cells }) => (
              <th key={stage} className="small dim">
                {cells
                  .map(cell => say(`series.plan.cell.${cell.is}`, { from: cell.from, to: cell.to }))
                  .join(' · ')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {plan.rows.map(row => (
            <tr key={row.replica * 4096 + row.group}>
              <th className="small dim num">{say('series.plan.replica', { n: row.replica })}</th>
              {row.stages.map((ranks, stage) => (
                <td
                  key={plan.stages[stage]?.stage ?? stage}
                  style={{ borderInlineStartColor: `var(--plan-${row.replica % inks})` }}
                >
                  {ranks.map(rank => (
                    <button
                      key={rank}
                      type="button"
                      className={`series-plan-rank num ${rank === chosen ? 'on' : ''}`}
                      disabled={!known.has(rank)}
                      onClick={() => onRank(rank)}
                    >
                      {rank}
                    </button>
                  ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
