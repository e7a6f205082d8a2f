// What is suspect by the limits, the earliest first, and the limits themselves.
import { useState, type JSX } from 'react'
import {
  seriesLimits,
  type SeriesInfo,
  type SeriesLimits,
  type SeriesMark,
  type SeriesMarks,
} from '../../../preload/contract/engine.ts'
import { shortNumber } from '../../state/format.ts'
import { useSay } from '../../state/words.ts'
import { Button } from '../../ui/controls.tsx'

interface SuspectsProps {
  readonly info: SeriesInfo
  readonly found: SeriesMarks
  readonly limits: SeriesLimits
  onLimits(limits: SeriesLimits): void
  onGo(mark: SeriesMark): void
}

type Limit = keyof SeriesLimits

/** What the marks are judged by; nothing where nothing is judged. */
function limitsOf({ holds, metrics }: SeriesInfo): readonly Limit[] {
  const both = metrics.some(metric => metric.both)
  // Limits of signs say nothing of one run alone.
  if (holds === 'gradients' && metrics.some(({ stats }) => stats.includes('similarity')))
    return ['first', 'drop']
  if (holds === 'monitor') return ['threshold']
  return both ? ['floor', 'factor'] : ['threshold']
}

export function Suspects({ info, found, limits, onLimits, onGo }: SuspectsProps): JSX.Element {
  const say = useSay()
  const named = limitsOf(info)
  const isUsual = named.every(limit => limits[limit] === seriesLimits[limit])
  const { marks, count } = found
  const [earliest] = marks
  if (named.length === 0) return <></>
  return (
    <aside className="series-side" aria-label={say('series.marks', { count })} data-testid="series-suspects">
      <div className="series-limits">
        {named.map(limit => (
          <LimitField
            key={`${limit} ${limits[limit]}`}
            limit={limit}
            value={limits[limit]}
            onChange={value => onLimits({ ...limits, [limit]: value })}
          />
        ))}
        {isUsual ? null : (
          <Button small look="quiet" onPress={() => onLimits(seriesLimits)}>
            {say('series.limits.back')}
          </Button>
        )}
      </div>
      <h3 className="small" data-testid="series-count" data-count={count}>
        {say('series.marks', { count })}
      </h3>
      {info.holds === 'log' && earliest?.why === 'parts' ? (
        <p className="small series-advice" data-testid="series-advice">
          {earliest.before === null
            ? say('series.parts.start', { target: earliest.target, step: earliest.step })
            : say('series.parts.advice', {
                target: earliest.target,
                step: earliest.step,
                before: earliest.step - 1,
              })}
        </p>
      ) : null}
      {count === 0 ? <p className="small dim">{say('series.marks.none')}</p> : null}
      <ul className="series-marks">
        {marks.map((mark, i) => (
          <li key={`${mark.metric} ${mark.stat} ${mark.rank} ${mark.step} ${mark.target} ${mark.why}`}>
            <button type="button" className="series-mark" title={mark.target} onClick={() => onGo(mark)}>
              {i === 0 ? <strong className="small">{say('series.marks.first')}</strong> : null}
              <MarkText mark={mark} metric={info.metrics[mark.metric]?.name ?? ''} />
            </button>
          </li>
        ))}
      </ul>
      {marks.length < count ? (
        <p className="small dim">{say('series.marks.more', { shown: marks.length, count })}</p>
      ) : null}
    </aside>
  )
}

function MarkText({ mark, metric }: { readonly mark: SeriesMark; readonly metric: string }): JSX.Element {
  const say = useSay()
  const { rank, step, target, why, stat } = mark
  const facts = {
    value: shortNumber(mark.value),
    before: shortNumber(mark.before ?? Number.NaN),
    metric,
    stat,
  }
  return (
    <>
      <span className="row small dim">
        <span>{say('series.where', { rank, step })}</span>
        <span className="grow" />
        <span className="num bad">{say(`series.mark.${why}`, facts)}</span>
      </span>
      <span className="cut">{target}</span>
    </>
  )
}

interface LimitProps {
  readonly limit: Limit
  readonly value: number
  onChange(value: number): void
}

/** A number that counts once it is left or confirmed. */
function LimitField({ limit, value, onChange }: LimitProps): JSX.Element {
  const say = useSay()
  const [text, setText] = useState(String(value))
  const typed = Number(text)
  const valid = text.trim() !== '' && typed >= 0
  const take = (): void => {
    if (valid && typed !== value) onChange(typed)
  }
  return (
    <label className="row small">
      <span className="grow">{say(`series.limit.${limit}`)}</span>
      <input
        inputMode="decimal"
        className="series-limit num"
        value={text}
        aria-invalid={!valid}
        data-testid={`series-limit-${limit}`}
        onChange={e => setText(e.target.value)}
        onBlur={take}
        onKeyDown={e => {
          if (e.key === 'Enter') take()
        }}
      />
    </label>
  )
}
