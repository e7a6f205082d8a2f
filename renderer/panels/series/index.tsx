// Values over steps and ranks: which of them, the picture, lines of what was clicked, and what is suspect.
import { useMemo, useState, type JSX } from 'react'
import {
  seriesFixed,
  seriesLimits,
  seriesViews,
  type SeriesFixed,
  type SeriesInfo,
  type SeriesLimits,
  type SeriesLine,
  type SeriesMap,
  type SeriesMark,
  type SeriesMarks,
  type SeriesMetricInfo,
  type SeriesViewName,
} from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay, type Say } from '../../state/words.ts'
import { Button, MenuButton, Toggle } from '../../ui/controls.tsx'
import { Answered, Empty } from '../../ui/states.tsx'
import { Lines, inkOf, mostLines } from './lines.tsx'
import { MapPicture, type CellAt } from './map.tsx'
import { Suspects } from './suspects.tsx'
import './series.css'

/** Room of the picture. */
const most = { columns: 240, rows: 200 } as const

interface Choice {
  readonly metric: number
  readonly stat: string
  readonly view: SeriesViewName
  readonly fixed: SeriesFixed
  readonly at: number
  /** Of a picture of one target. */
  readonly target: string
}

/** What of which a line is drawn. */
interface Place {
  readonly rank: number
  readonly target: string
}

export default function SeriesPanel(): JSX.Element {
  const say = useSay()
  const answer = useUnitQuery({
    steps: ['dumps'],
    key: ['series'],
    load: (here, signal) => engine.series(here, signal),
    keep: true,
  })
  return (
    <section className="series" data-testid="series" aria-label={say('series.title')}>
      <Answered
        answer={answer}
        skeleton={{ rows: 14, height: 18 }}
        renderValue={info =>
          info.metrics.length === 0 ? (
            <Empty icon="info" title={say('series.empty')} />
          ) : (
            <Series info={info} />
          )
        }
      />
    </section>
  )
}

const firstChoice = ({ metrics: [first] }: SeriesInfo): Choice => ({
  metric: 0,
  stat: usualStat(first),
  view: 'debug',
  fixed: 'rank',
  at: first?.ranks[0] ?? 0,
  target: '',
})

const usualStat = (metric: SeriesMetricInfo | undefined): string =>
  metric?.stats.find(stat => stat === 'norm') ?? metric?.stats[0] ?? ''

const noMarks: SeriesMarks = { marks: [], count: 0 }

function Series({ info }: { readonly info: SeriesInfo }): JSX.Element {
  const say = useSay()
  const [chosen, setChoice] = useState(() => firstChoice(info))
  const [log, setLog] = useState(false)
  const [places, setPlaces] = useState<readonly Place[]>([])
  const [limits, setLimits] = useState<SeriesLimits>(seriesLimits)
  const choice = info.metrics[chosen.metric] ? chosen : firstChoice(info)
  const metric = info.metrics[choice.metric]
  const map = useUnitQuery({
    steps: ['dumps'],
    key: ['series-map', JSON.stringify(choice)],
    load: (here, signal) => engine.seriesMap({ ...here, ...choice, ...most }, signal),
    keep: true,
  })
  const marks =
    valueOf(
      useUnitQuery({
        steps: ['dumps'],
        key: ['series-marks', JSON.stringify(limits)],
        load: (here, signal) => engine.seriesMarks({ ...here, limits }, signal),
        keep: true,
      }),
    ) ?? noMarks
  const lines = useLines(choice, places)
  const lowIsBad = choice.stat === 'similarity'
  const add = (place: Place): void => {
    const others = places.filter(({ rank, target }) => rank !== place.rank || target !== place.target)
    setPlaces([...others, place].slice(-mostLines))
  }
  const go = (mark: SeriesMark): void => {
    setChoice({
      ...choice,
      metric: mark.metric,
      stat: mark.stat,
      view: 'debug',
      fixed: 'rank',
      at: mark.rank,
    })
    setPlaces([{ rank: mark.rank, target: mark.target }])
  }
  if (!metric) return <Empty icon="info" title={say('series.empty')} />
  return (
    <>
      <Choices
        {...{ info, choice, log }}
        target={places.at(-1)?.target ?? choice.target}
        onChoose={setChoice}
        onLog={setLog}
      />
      <div className="series-body">
        <div className="series-main">
          <Answered
            answer={map}
            skeleton={{ rows: 10, height: 16 }}
            renderValue={shown => (
              <Picture
                {...{ map: shown, choice, log, lowIsBad, places }}
                marks={marks.marks}
                onChoose={cell => add(placeOf(shown, cell, choice, metric))}
              />
            )}
          />
          <Legend places={places} onClear={() => setPlaces([])} />
          {places.length === 0 ? (
            <p className="small dim series-hint">{say('series.lines.none')}</p>
          ) : (
            <Lines lines={lines} log={log} bands={lowIsBad ? [limits.first] : []} />
          )}
        </div>
        <Suspects info={info} found={marks} limits={limits} onLimits={setLimits} onGo={go} />
      </div>
    </>
  )
}

const noLines: readonly SeriesLine[] = []

function useLines(choice: Choice, places: readonly Place[]): readonly SeriesLine[] {
  const { metric, stat, view } = choice
  const answer = useUnitQuery({
    steps: ['dumps'],
    key: places.length === 0 ? null : ['series-lines', metric, stat, view, JSON.stringify(places)],
    load: (here, signal) =>
      Promise.all(places.map(place => engine.seriesLine({ ...here, metric, stat, view, ...place }, signal))),
    keep: true,
  })
  return valueOf(answer) ?? noLines
}

/** Which rank and target a cell speaks of. */
function placeOf(
  map: SeriesMap,
  { column, row }: CellAt,
  { fixed, at, target }: Choice,
  metric: SeriesMetricInfo,
): Place {
  const across = map.x[map.columns[column] ?? 0] ?? 0
  if (fixed === 'target') return { rank: metric.ranks[map.rows[row] ?? 0] ?? 0, target }
  return { rank: fixed === 'step' ? across : at, target: map.y[row] ?? '' }
}

interface PictureProps {
  readonly map: SeriesMap
  readonly choice: Choice
  readonly log: boolean
  readonly lowIsBad: boolean
  readonly places: readonly Place[]
  readonly marks: readonly SeriesMark[]
  onChoose(cell: CellAt): void
}

function Picture({ map, choice, log, lowIsBad, places, marks, onChoose }: PictureProps): JSX.Element {
  const say = useSay()
  const scale = useMemo(() => ({ log, lowIsBad }), [log, lowIsBad])
  const framed = useMemo(
    () =>
      marks
        .filter(mark => mark.metric === choice.metric && mark.stat === choice.stat)
        .filter(mark => isShown(mark, choice))
        .flatMap(mark => cellOf(map, mark)),
    [map, marks, choice],
  )
  const lined = useMemo(
    () =>
      places
        .filter(place => isShown({ ...place, step: choice.at }, choice))
        .flatMap(place => cellOf(map, { ...place, step: map.x[0] ?? 0 })),
    [map, places, choice],
  )
  return (
    <MapPicture
      map={map}
      scale={scale}
      marks={framed}
      chosen={lined}
      label={say('series.map', { stat: choice.stat, columns: map.x.length, rows: map.y.length })}
      onChoose={onChoose}
    />
  )
}

/** Whether something is part of a picture. */
function isShown(
  { rank, step, target }: Pick<SeriesMark, 'rank' | 'step' | 'target'>,
  choice: Choice,
): boolean {
  if (choice.fixed === 'target') return target === choice.target
  return (choice.fixed === 'step' ? step : rank) === choice.at
}

/** Where it stands in the picture. */
function cellOf(
  map: SeriesMap,
  { rank, step, target }: Pick<SeriesMark, 'rank' | 'step' | 'target'>,
): readonly CellAt[] {
  const place = map.x.indexOf(map.across === 'rank' ? rank : step)
  const row = map.y.indexOf(map.down === 'rank' ? String(rank) : target)
  const column = map.columns.findLastIndex(from => from <= place)
  return place < 0 || row < 0 ? [] : [{ column: Math.min(column, map.columns.length - 2), row }]
}

function Legend({
  places,
  onClear,
}: {
  readonly places: readonly Place[]
  onClear(): void
}): JSX.Element | null {
  const say = useSay()
  if (places.length === 0) return null
  return (
    <div className="series-legend row small">
      {places.map(({ rank, target }, i) => (
        <span key={`${rank} ${target}`} className="row">
          <span className="series-ink" style={{ background: inkOf(i) }} />
          <span className="cut" title={target}>
            {say('series.line', { rank, target })}
          </span>
        </span>
      ))}
      <span className="grow" />
      <Button small look="quiet" onPress={onClear}>
        {say('series.lines.clear')}
      </Button>
    </div>
  )
}

interface ChoicesProps {
  readonly info: SeriesInfo
  readonly choice: Choice
  readonly log: boolean
  /** The last one that was clicked. */
  readonly target: string
  onChoose(choice: Choice): void
  onLog(log: boolean): void
}

const nameOf = (say: Say, { name, run }: SeriesMetricInfo): string => {
  const text = name === '' ? say('series.gradients') : name
  return run === 0 ? text : say('series.of-run', { run, metric: text })
}

function Choices({ info, choice, log, target, onChoose, onLog }: ChoicesProps): JSX.Element {
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
          text: nameOf(say, one),
          on: i === choice.metric,
          run: pick({ metric: i, stat: usualStat(one), view: 'debug', fixed: 'rank', at: one.ranks[0] ?? 0 }),
        }))}
      >
        <span className="label">{say('series.metric')}</span>
        <span className="value">{metric ? nameOf(say, metric) : ''}</span>
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
      <span className="grow" />
      <Toggle className="button small" on={log} testId="series-log" onChange={onLog}>
        {say('series.log')}
      </Toggle>
    </div>
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
