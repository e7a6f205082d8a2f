// Values over steps and ranks: which of them, the picture, lines of what was clicked, and what is suspect.
import { useEffect, useEffectEvent, useMemo, useState, type JSX } from 'react'
import {
  seriesLimits,
  type SeriesInfo,
  type SeriesLimits,
  type SeriesMap,
  type SeriesMark,
  type SeriesMarks,
  type SeriesMetricInfo,
  type SeriesViewName,
  type SeriesWindow,
} from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { Button, Toggle } from '../../ui/controls.tsx'
import { Sheets } from '../../ui/sheets/index.tsx'
import { Answered, Empty } from '../../ui/states.tsx'
import { Choices, firstChoice, type Choice } from './choices.tsx'
import { inkOf, Lines, mostLines, type DrawnLine } from './lines.tsx'
import { MapPicture, type CellAt } from './map.tsx'
import { Pattern } from './pattern.tsx'
import { Kept } from './kept.tsx'
import { LayoutPlan } from './plan.tsx'
import { Suspects } from './suspects.tsx'
import './series.css'

/** Room of the picture. */
const most = { columns: 240, rows: 200 } as const

/** What of which a line is drawn. */
export interface Place {
  readonly rank: number
  readonly target: string
}

/** What was clicked last: a place at a step. */
export interface Spot extends Place {
  readonly step: number
}

export default function SeriesPanel(): JSX.Element {
  return <SeriesOf />
}

export interface SeriesProps {
  /** What to begin with. */
  readonly first?: Partial<Choice>
  readonly places?: readonly Place[]
  readonly spot?: Spot | null
  /** Beside the choices. */
  readonly tools?: JSX.Element
  /** What is looked at, whenever it changes. */
  onLook?(choice: Choice, places: readonly Place[], spot: Spot | null): void
  /** Selects the node of a dump that is open; the picture stays. */
  onSelect?(spot: Spot): void
  /** Leads to it. */
  onGo?(spot: Spot): void
}

export function SeriesOf(props: SeriesProps): JSX.Element {
  const say = useSay()
  const [settings, setSettings] = useState(false)
  const [reads, setReads] = useState(0)
  const answer = useUnitQuery({
    steps: ['dumps', 'pairs'],
    key: ['series', reads],
    load: (here, signal) => engine.series(here, signal),
    keep: true,
  })
  return (
    <section className="series" data-testid="series" aria-label={say('series.title')}>
      <Answered
        answer={answer}
        skeleton={{ rows: 14, height: 18 }}
        renderValue={info => (
          <>
            {info.readAt === null ? null : <Kept at={info.readAt} onAgain={() => setReads(reads + 1)} />}
            {info.holds === 'log' ? <Pattern key={info.pattern} pattern={info.pattern} /> : null}
            {info.settings ? (
              <div className="series-what row">
                <Toggle
                  className="chip"
                  testId="series-values"
                  on={!settings}
                  onChange={() => setSettings(false)}
                >
                  {say('series.values')}
                </Toggle>
                <Toggle
                  className="chip"
                  testId="series-settings"
                  on={settings}
                  onChange={() => setSettings(true)}
                >
                  {say('sheets.part.settings')}
                </Toggle>
              </div>
            ) : null}
            {info.settings && settings ? (
              <Sheets />
            ) : info.metrics.length === 0 ? (
              <Empty icon="info" title={say('series.empty')} />
            ) : (
              <Series info={info} {...props} />
            )}
          </>
        )}
      />
    </section>
  )
}

const noMarks: SeriesMarks = { marks: [], count: 0 }

/** What a log is judged by is drawn at once. */
const firstPlaces = ({ holds, metrics: [first] }: SeriesInfo): readonly Place[] =>
  holds === 'log' && first ? ['loss', 'grad norm'].map(target => ({ rank: first.ranks[0] ?? 0, target })) : []

function Series({
  info,
  first,
  places: given,
  spot: firstSpot = null,
  tools,
  onLook,
  onSelect,
  onGo,
}: SeriesProps & { readonly info: SeriesInfo }): JSX.Element {
  const say = useSay()
  const [chosen, setChosen] = useState<Choice>(() => ({ ...firstChoice(info), ...first }))
  const [log, setLog] = useState(false)
  const [plan, setPlan] = useState(false)
  const [zoom, setZoom] = useState<SeriesWindow | null>(null)
  const [places, setPlaces] = useState<readonly Place[]>(given ?? firstPlaces(info))
  const [spot, setSpot] = useState(firstSpot)
  const [limits, setLimits] = useState<SeriesLimits>(seriesLimits)
  const told = useEffectEvent(() => onLook?.(chosen, places, spot))
  useEffect(() => told(), [chosen, places, spot])
  const choice = info.metrics[chosen.metric] ? chosen : firstChoice(info)
  const metric = info.metrics[choice.metric]
  const setChoice = (next: Choice): void => {
    // Another picture has other axes.
    const axes = ['metric', 'fixed', 'target', 'tags', 'search'] as const
    if (axes.some(of => next[of] !== choice[of])) setZoom(null)
    setChosen(next)
  }
  const map = useUnitQuery({
    steps: ['dumps', 'pairs'],
    key: ['series-map', JSON.stringify([choice, zoom])],
    load: (here, signal) => engine.seriesMap({ ...here, ...choice, ...most, window: zoom }, signal),
    keep: true,
  })
  const marks =
    valueOf(
      useUnitQuery({
        steps: ['dumps', 'pairs'],
        key: ['series-marks', JSON.stringify(limits)],
        load: (here, signal) => engine.seriesMarks({ ...here, limits }, signal),
        keep: true,
      }),
    ) ?? noMarks
  const lines = useLines(choice, places, metric?.both ?? false)
  const lowIsBad = choice.stat === 'similarity'
  const add = (at: Spot): void => {
    const others = places.filter(({ rank, target }) => rank !== at.rank || target !== at.target)
    setPlaces([...others, { rank: at.rank, target: at.target }].slice(-mostLines))
    setSpot(at)
    onSelect?.(at)
  }
  const go = (mark: SeriesMark): void => {
    setChoice({
      ...choice,
      metric: mark.metric,
      stat: mark.stat,
      view: 'debug',
      fixed: 'rank',
      at: mark.rank,
      tags: [],
      search: '',
    })
    setPlaces([{ rank: mark.rank, target: mark.target }])
    const at = { rank: mark.rank, step: mark.step, target: mark.target }
    setSpot(at)
    onSelect?.(at)
  }
  const marked = useMemo(
    () => marks.marks.filter(mark => mark.metric === choice.metric && mark.stat === choice.stat),
    [marks, choice.metric, choice.stat],
  )
  if (!metric) return <Empty icon="info" title={say('series.empty')} />
  return (
    <>
      <Choices
        {...{ info, choice, log, plan, tools }}
        target={places.at(-1)?.target ?? choice.target}
        onChoose={setChoice}
        onLog={setLog}
        onPlan={setPlan}
      />
      <div className="series-body">
        <div className="series-main">
          {plan ? (
            <LayoutPlan
              ranks={metric.ranks}
              onRank={at => setChoice({ ...choice, fixed: 'rank', at })}
              chosen={choice.fixed === 'rank' ? choice.at : null}
            />
          ) : null}
          <Answered
            answer={map}
            skeleton={{ rows: 10, height: 16 }}
            renderValue={shown => (
              <Picture
                {...{ map: shown, choice, log, lowIsBad, places }}
                marks={marked}
                byRow={info.holds === 'log'}
                zoomed={zoom !== null}
                hint={onSelect ? say('series.map.hint.select') : say('series.map.hint')}
                onChoose={cell => add(spotOf(shown, cell, choice, metric))}
                onZoom={setZoom}
              />
            )}
          />
          <Legend
            {...{ places, spot }}
            both={isOneSide(choice.view) && metric.both}
            onClear={() => {
              setPlaces([])
              setSpot(null)
            }}
            {...(onGo && { onGo })}
          />
          {places.length === 0 ? (
            <p className="small dim series-hint">{say('series.lines.none')}</p>
          ) : (
            <Lines
              lines={lines}
              log={log}
              bands={lowIsBad ? [limits.first] : []}
              marks={marked.filter(mark =>
                places.some(({ rank, target }) => rank === mark.rank && target === mark.target),
              )}
            />
          )}
        </div>
        <Suspects info={info} found={marks} limits={limits} onLimits={setLimits} onGo={go} />
      </div>
    </>
  )
}

const isOneSide = (view: SeriesViewName): boolean => view === 'debug' || view === 'bench'
const noLines: readonly DrawnLine[] = []

/** Of two runs both are drawn on one axis, unless they are shown as a difference or a ratio. */
function useLines(choice: Choice, places: readonly Place[], both: boolean): readonly DrawnLine[] {
  const { metric, stat, view } = choice
  const views: readonly SeriesViewName[] = both && isOneSide(view) ? ['debug', 'bench'] : [view]
  const answer = useUnitQuery({
    steps: ['dumps', 'pairs'],
    key: places.length === 0 ? null : ['series-lines', metric, stat, views.join(' '), JSON.stringify(places)],
    load: (here, signal) =>
      Promise.all(
        places.flatMap((at, ink) =>
          views.map(async one => ({
            line: await engine.seriesLine({ ...here, metric, stat, view: one, ...at }, signal),
            ink,
            other: one === 'bench' && views.length > 1,
          })),
        ),
      ),
    keep: true,
  })
  return valueOf(answer) ?? noLines
}

/** Which rank, step and target a cell speaks of. */
function spotOf(
  map: SeriesMap,
  { column, row }: CellAt,
  { fixed, at, target }: Choice,
  metric: SeriesMetricInfo,
): Spot {
  const across = map.x[column] ?? 0
  if (fixed === 'target') return { rank: metric.ranks[map.rows[row] ?? 0] ?? 0, step: across, target }
  const name = map.y[row] ?? ''
  return fixed === 'step'
    ? { rank: across, step: at, target: name }
    : { rank: at, step: across, target: name }
}

interface PictureProps {
  readonly map: SeriesMap
  readonly choice: Choice
  readonly log: boolean
  readonly lowIsBad: boolean
  readonly byRow: boolean
  readonly places: readonly Place[]
  readonly marks: readonly SeriesMark[]
  readonly zoomed: boolean
  /** What a click does. */
  readonly hint: string
  onChoose(cell: CellAt): void
  onZoom(window: SeriesWindow | null): void
}

function Picture(props: PictureProps): JSX.Element {
  const { map, choice, log, lowIsBad, byRow, places, marks, zoomed, hint, onChoose, onZoom } = props
  const say = useSay()
  const scale = useMemo(() => ({ log, lowIsBad, byRow }), [log, lowIsBad, byRow])
  const framed = useMemo(
    () => marks.filter(mark => isShown(mark, choice)).flatMap(mark => cellOf(map, mark)),
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
      zoomed={zoomed}
      hint={hint}
      label={say('series.map', { stat: choice.stat, columns: map.width, rows: map.height })}
      onChoose={onChoose}
      onZoom={onZoom}
    />
  )
}

/** Whether something is part of a picture. */
function isShown({ rank, step, target }: Spot, choice: Choice): boolean {
  if (choice.fixed === 'target') return target === choice.target
  return (choice.fixed === 'step' ? step : rank) === choice.at
}

/** Where it stands in the picture. */
function cellOf(map: SeriesMap, { rank, step, target }: Spot): readonly CellAt[] {
  const value = map.across === 'rank' ? rank : step
  const column = map.x.findLastIndex((from, i) => from <= value && value <= (map.ends[i] ?? from))
  const row = map.y.indexOf(map.down === 'rank' ? String(rank) : target)
  return column < 0 || row < 0 ? [] : [{ column, row }]
}

function Legend({
  places,
  spot,
  both,
  onClear,
  onGo,
}: {
  readonly places: readonly Place[]
  readonly spot: Spot | null
  readonly both: boolean
  onClear(): void
  onGo?(spot: Spot): void
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
      {both ? <span className="dim">{say('series.lines.both')}</span> : null}
      <span className="grow" />
      {onGo && spot ? (
        <Button small icon="out" testId="series-go" onPress={() => onGo(spot)}>
          {say('series.go', { rank: spot.rank, step: spot.step })}
        </Button>
      ) : null}
      <Button small look="quiet" onPress={onClear}>
        {say('series.lines.clear')}
      </Button>
    </div>
  )
}
