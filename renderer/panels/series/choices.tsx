// What is shown: metric, statistic, of which run, which picture, at which rank or step, and of which targets.
import { useEffect, useState, type JSX } from 'react'
import {
  seriesFixed,
  seriesViews,
  type SeriesFixed,
  type SeriesInfo,
  type SeriesMetricInfo,
  type SeriesTag,
  type SeriesViewName,
} from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay, type Say } from '../../state/words.ts'
import { Button, MenuButton, Toggle } from '../../ui/controls.tsx'

export interface Choice {
  readonly metric: number
  readonly stat: string
  readonly view: SeriesViewName
  readonly fixed: SeriesFixed
  readonly at: number
  /** Of a picture of one target. */
  readonly target: string
  /** Targets with all of these tags, and this in their name. */
  readonly tags: readonly string[]
  readonly search: string
}

export const usualStat = (metric: SeriesMetricInfo | undefined): string =>
  metric?.stats.find(stat => stat === 'norm' || stat === 'Norm') ?? metric?.stats[0] ?? ''

export const firstChoice = ({ metrics: [first] }: SeriesInfo): Choice => ({
  metric: 0,
  stat: usualStat(first),
  view: 'debug',
  fixed: 'rank',
  at: first?.ranks[0] ?? 0,
  target: '',
  tags: [],
  search: '',
})

const emptyNames = {
  gradients: 'series.gradients',
  monitor: 'series.gradients',
  trend: 'series.gradients',
  log: 'series.log-values',
  dumps: 'series.statistics',
} as const

const nameOf = (say: Say, holds: SeriesInfo['holds'], { name, run }: SeriesMetricInfo): string => {
  const text = name === '' ? say(emptyNames[holds]) : name
  return run === 0 ? text : say('series.of-run', { run, metric: text })
}

interface ChoicesProps {
  readonly info: SeriesInfo
  readonly choice: Choice
  readonly log: boolean
  readonly plan: boolean
  /** The last one that was clicked. */
  readonly target: string
  readonly tools?: JSX.Element | undefined
  onChoose(choice: Choice): void
  onLog(log: boolean): void
  onPlan(plan: boolean): void
}

export function Choices(props: ChoicesProps): JSX.Element {
  const { info, choice, log, plan, target, tools, onChoose, onLog, onPlan } = props
  const say = useSay()
  const metric = info.metrics[choice.metric]
  const pick = (part: Partial<Choice>) => (): void => onChoose({ ...choice, ...part })
  const [ranks, steps] = [metric?.ranks ?? [], metric?.steps ?? []]
  const along = choice.fixed === 'step' ? steps : ranks
  return (
    <div className="series-choices row" role="toolbar" aria-label={say('series.choices')}>
      <MenuButton
        label={say('series.metric')}
        testId="series-metric"
        entries={info.metrics.map((one, i) => ({
          id: String(i),
          text: nameOf(say, info.holds, one),
          on: i === choice.metric,
          run: pick({
            metric: i,
            stat: one.stats.includes(choice.stat) ? choice.stat : usualStat(one),
            view: one.both ? choice.view : 'debug',
            fixed: 'rank',
            at: one.ranks[0] ?? 0,
            tags: [],
          }),
        }))}
      >
        <span className="label">{say('series.metric')}</span>
        <span className="value">{metric ? nameOf(say, info.holds, metric) : ''}</span>
      </MenuButton>
      <MenuButton
        label={say('series.stat')}
        testId="series-stat"
        entries={(metric?.stats ?? []).map(stat => ({
          id: stat,
          text: stat,
          on: stat === choice.stat,
          run: pick({ stat }),
        }))}
      >
        <span className="label">{say('series.stat')}</span>
        <span className="value">{choice.stat}</span>
      </MenuButton>
      {metric?.both ? (
        <MenuButton
          label={say('series.view')}
          testId="series-view"
          entries={seriesViews.map(view => ({
            id: view,
            text: say(`series.view.${view}`),
            on: view === choice.view,
            run: pick({ view }),
          }))}
        >
          <span className="label">{say('series.view')}</span>
          <span className="value">{say(`series.view.${choice.view}`)}</span>
        </MenuButton>
      ) : null}
      <MenuButton
        label={say('series.fixed')}
        testId="series-fixed"
        entries={seriesFixed
          .filter(fixed => fixed !== 'target' || target !== '')
          .map(fixed => ({
            id: fixed,
            text: say(`series.fixed.${fixed}`),
            on: fixed === choice.fixed,
            run: pick({ fixed, target, at: (fixed === 'step' ? steps : ranks)[0] ?? 0 }),
          }))}
      >
        <span className="label">{say('series.fixed')}</span>
        <span className="value">
          {choice.fixed === 'target' ? choice.target : say(`series.fixed.${choice.fixed}`)}
        </span>
      </MenuButton>
      {along.length > 1 && choice.fixed !== 'target' ? (
        <Slider
          along={along}
          at={choice.at}
          fixed={choice.fixed}
          onMove={at => onChoose({ ...choice, at })}
        />
      ) : null}
      {choice.fixed === 'target' ? null : <Filter choice={choice} onChoose={onChoose} />}
      <span className="grow" />
      {info.holds === 'log' ? null : (
        <Toggle className="button small" on={plan} testId="series-plan" onChange={onPlan}>
          {say('series.plan')}
        </Toggle>
      )}
      <Toggle className="button small" on={log} testId="series-log" onChange={onLog}>
        {say('series.log')}
      </Toggle>
      {tools}
    </div>
  )
}

/** So many tags are in the menu; others are found by their text. */
const mostTags = 80
const typingMs = 250

const noTags: readonly SeriesTag[] = []

/** Tags, of which targets must have all, and a text in their names. */
function Filter({
  choice,
  onChoose,
}: {
  readonly choice: Choice
  onChoose(choice: Choice): void
}): JSX.Element {
  const say = useSay()
  const { metric, tags, search } = choice
  const [text, setText] = useState(search)
  const all =
    valueOf(
      useUnitQuery({
        steps: ['dumps', 'pairs'],
        key: ['series-tags', metric],
        load: (here, signal) => engine.seriesTags({ ...here, metric }, signal),
        keep: true,
      }),
    ) ?? noTags
  useEffect(() => {
    if (text.trim() === search) return undefined
    const timer = setTimeout(() => onChoose({ ...choice, search: text.trim() }), typingMs)
    return () => clearTimeout(timer)
  }, [text, search, choice, onChoose])
  const toggled = (tag: string): Choice => ({
    ...choice,
    tags: tags.includes(tag) ? tags.filter(one => one !== tag) : [...tags, tag],
  })
  return (
    <>
      {all.length === 0 ? null : (
        <MenuButton
          label={say('series.tags')}
          testId="series-tags"
          entries={all
            .slice(0, mostTags)
            .map(({ name, count }) => ({
              id: name,
              text: name,
              keys: String(count),
              on: tags.includes(name),
              run: () => onChoose(toggled(name)),
            }))}
        >
          <span className="label">{say('series.tags')}</span>
          {tags.length > 0 ? <span className="value">{tags.join(' + ')}</span> : null}
        </MenuButton>
      )}
      <input
        type="search"
        className="series-search"
        value={text}
        placeholder={say('series.search')}
        aria-label={say('series.search')}
        data-testid="series-search"
        onChange={e => setText(e.target.value)}
      />
      {tags.length > 0 || search !== '' ? (
        <Button
          small
          look="quiet"
          icon="close"
          label={say('series.filter.none')}
          testId="series-unfilter"
          onPress={() => {
            setText('')
            onChoose({ ...choice, tags: [], search: '' })
          }}
        />
      ) : null}
    </>
  )
}

interface SliderProps {
  readonly along: readonly number[]
  readonly at: number
  readonly fixed: SeriesFixed
  onMove(at: number): void
}

/** Through the ranks or the steps. */
function Slider({ along, at, fixed, onMove }: SliderProps): JSX.Element {
  const say = useSay()
  return (
    <label className="series-slider row small">
      <span className="dim num">
        {say(fixed === 'step' ? 'series.at.step' : 'series.at.rank', { n: at })}
      </span>
      <input
        type="range"
        min={0}
        max={along.length - 1}
        value={Math.max(0, along.indexOf(at))}
        aria-label={say(fixed === 'step' ? 'series.fixed.step' : 'series.fixed.rank')}
        data-testid="series-slider"
        onChange={e => onMove(along[Number(e.target.value)] ?? at)}
      />
    </label>
  )
}
