// Many steps and ranks as one picture: where cells differ, which share an origin, and questions over all of them.
import { useState, type JSX } from 'react'
import {
  cellStates,
  type Finding,
  layoutDimensions,
  type RanksLayout,
  type RanksOrigin,
  type RanksPicture,
} from '../../../preload/contract/engine.ts'
import type { Language } from '../../../preload/contract/words/index.ts'
import { findingText, kindText } from '../../../preload/contract/words/advice.ts'
import { engine } from '../../engine.ts'
import { count } from '../../state/format.ts'
import { run } from '../../state/commands.ts'
import { useStanding } from '../../state/overall.ts'
import { areUnits } from '../../state/ranks.ts'
import { select } from '../../state/selection.ts'
import { chooseUnit, openPaths } from '../../state/sessions.ts'
import { changeLayout, showPane } from '../../state/settings.ts'
import { valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay, type Say } from '../../state/words.ts'
import { nodeName, now, useWorkbench } from '../../state/workbench.ts'
import { Button, MenuButton, Toggle } from '../../ui/controls.tsx'
import { Name } from '../../ui/bits.tsx'
import { SizeField } from '../../ui/size-field.tsx'
import { Answered } from '../../ui/states.tsx'
import { Widen } from '../../ui/widen.tsx'
import { colourings, type Colouring } from './cells.ts'
import { PictureOfLayers } from './layers.tsx'
import { cellText, PictureOfRanks } from './picture.tsx'
import { TogetherForm } from './together.tsx'
import { QueryPanel } from './query.tsx'
import { ReadGroups } from './groups.tsx'
import './ranks.css'

interface Look {
  readonly by: Colouring
  readonly node: string
  readonly view: 'ranks' | 'layers'
  readonly layout: RanksLayout | null
  /** Of the layers; null: where the error is first. */
  readonly step: number | null
}

const plain: Look = { by: 'error', node: '', view: 'ranks', layout: null, step: null }

export default function Ranks(): JSX.Element {
  const say = useSay()
  const [look, setLook] = useState(plain)
  const standing = useStanding()
  const answer = useUnitQuery({
    steps: ['dumps'],
    key: ['ranks', JSON.stringify(look.layout), standing],
    load: (here, signal) => engine.ranks({ ...here, layout: look.layout }, signal),
    keep: true,
  })
  return (
    <section className="ranks" data-testid="ranks" aria-label={say('ranks.title')}>
      <Answered
        answer={answer}
        skeleton={{ rows: 12, height: 22 }}
        renderValue={picture => <Known {...{ picture, look, setLook }} />}
      />
    </section>
  )
}

interface KnownProps {
  readonly picture: RanksPicture
  readonly look: Look
  setLook(look: Look): void
}

function Known({ picture, look, setLook }: KnownProps): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const here = useWorkbench(s => s.session)
  const [pressed, setChosen] = useState(-1)
  const isHere = areUnits(here)
  const chosen = isHere && here ? picture.unit.indexOf(here.unit) : pressed
  const selected = useWorkbench(s => (s.selection ? nodeName(s.selection.at) : ''))
  const node = look.node === '' && isHere ? selected : look.node
  const standing = useStanding()
  const [origin, setOrigin] = useState(-1)
  const [asksTogether, setAsksTogether] = useState(false)
  const asks = useWorkbench(s => s.layout.shown['query'] === true)
  const scores = useUnitQuery({
    steps: ['dumps'],
    key: look.by === 'node' && node !== '' ? ['ranks-node', node, standing] : null,
    load: (at, signal) => engine.ranksNode({ ...at, node }, signal),
    keep: true,
  })
  const step = stepOf(picture, look, chosen)
  const layers = useUnitQuery({
    steps: ['dumps'],
    key: look.view === 'layers' ? ['ranks-layers', step, standing] : null,
    load: (at, signal) => engine.ranksLayers({ ...at, step }, signal),
    keep: true,
  })
  const choose = (cell: number): void => {
    setChosen(cell)
    if (isHere) void chooseUnit(picture.unit[cell] ?? 0)
  }
  const open = (cell: number): void => {
    if (isHere) void showUnit(picture, cell, look.by === 'node' ? look.node : '')
    else void openUnit(picture, cell, look.by === 'node' ? look.node : '')
  }
  const go = (to: {
    readonly step: number | null
    readonly rank: number | null
    readonly node: string
  }): void => {
    const cell = cellOf(picture, to.step, to.rank)
    if (cell >= 0) choose(cell)
    if (isHere) {
      if (to.node !== '') select({ debug: to.node }, 'keys')
    } else if (to.node !== '') setLook({ ...look, by: 'node', node: to.node, view: 'ranks' })
  }
  return (
    <>
      <header className="ranks-head">
        <h2 className="section-title">{say('ranks.title')}</h2>
        {isHere ? <Widen panel="units" label={say('ranks.wide')} testId="ranks-wide" /> : null}
        {isHere ? (
          <Button small testId="ranks-put-together" onPress={() => setAsksTogether(!asksTogether)}>
            {say('ranks.together')}
          </Button>
        ) : null}
        <p data-testid="ranks-verdict">{verdictText(say, language, picture)}</p>
      </header>
      {asksTogether ? <TogetherForm onClose={() => setAsksTogether(false)} /> : null}
      <Tools {...{ picture, look, setLook, step, node }} />
      <div className="ranks-body">
        <div className="ranks-main">
          {look.view === 'layers' ? (
            <Answered
              answer={layers}
              skeleton={{ rows: 12, height: 18 }}
              renderValue={found => <PictureOfLayers layers={found} />}
            />
          ) : (
            <PictureOfRanks
              {...{ picture, chosen, origin }}
              by={look.by}
              node={valueOf(scores) ?? null}
              isHere={isHere}
              onChoose={choose}
              onOpen={open}
            />
          )}
          <Legend by={look.by} />
        </div>
        <aside className="ranks-side">
          {chosen >= 0 ? <Chosen {...{ picture, chosen, look, setLook, isHere, onOpen: open }} /> : null}
          <Origins {...{ picture, origin, onChoose: setOrigin, onGo: choose }} />
        </aside>
      </div>
      {asks && here ? (
        <QueryPanel
          here={{ session: here.session, unit: here.unit }}
          onGo={go}
          onClose={() => showPane('query', false)}
        />
      ) : (
        <footer className="row ranks-foot">
          <Button
            small
            icon="search"
            keys="Mod+Shift+Q"
            testId="ranks-open-query"
            onPress={() => showPane('query')}
          >
            {say('ranks.query')}
          </Button>
        </footer>
      )}
    </>
  )
}

/** The step whose layers are shown: as chosen, of the chosen cell, or where the first finding is. */
function stepOf(picture: RanksPicture, look: Look, chosen: number): number | null {
  if (look.step !== null) return look.step
  const line = chosen >= 0 ? Math.floor(chosen / picture.ranks.length) : -1
  return picture.steps[line] ?? picture.findings[0]?.step ?? picture.steps[0] ?? null
}

const cellOf = ({ steps, ranks }: RanksPicture, step: number | null, rank: number | null): number => {
  const [line, column] = [Math.max(0, steps.indexOf(step)), ranks.indexOf(rank)]
  return column < 0 ? -1 : line * ranks.length + column
}

function verdictText(say: Say, language: Language, picture: RanksPicture): string {
  const of = (state: (typeof cellStates)[number]): number =>
    picture.state.reduce((sum, one) => sum + (cellStates[one] === state ? 1 : 0), 0)
  const differ = picture.differs.reduce((sum, one) => sum + (one > 0 ? 1 : 0), 0)
  const [done, failed, missing, waiting] = [
    of('done'),
    of('failed'),
    of('missing'),
    of('waiting') + of('working'),
  ]
  const parts = [
    say('ranks.verdict', {
      units: count(language, done + failed + missing + waiting),
      done: count(language, done),
      differ: count(language, differ),
    }),
    ...(failed > 0 ? [say('ranks.verdict.failed', { failed: count(language, failed) })] : []),
    ...(waiting > 0 ? [say('ranks.verdict.waiting', { waiting: count(language, waiting) })] : []),
    ...(missing > 0 ? [say('ranks.verdict.missing', { missing: count(language, missing) })] : []),
  ]
  const [head] = picture.findings
  return head ? `${parts.join(' ')} ${placeText(say, head)}: ${findingText(language, head)}` : parts.join(' ')
}

const placeText = (
  say: Say,
  { step, rank, ranks, steps }: Pick<Finding, 'step' | 'rank' | 'ranks' | 'steps'>,
): string =>
  [
    ...(step === null ? [] : [say('ranks.step', { step: steps ?? step })]),
    ...(rank === null ? [] : [say('ranks.rank', { rank: ranks ?? rank })]),
  ].join(', ')

const denseSizes = ['tp', 'cp', 'pp'] as const
const expertSizes = [...denseSizes, 'ep'] as const
const usualLayout: RanksLayout = { tp: 1, cp: 1, ep: 1, pp: 1, order: 'tp-cp-ep-dp-pp', by: 'pp' }

function Tools({
  picture,
  look,
  setLook,
  step,
  node,
}: KnownProps & { readonly step: number | null; readonly node: string }): JSX.Element {
  const say = useSay()
  const isHere = useWorkbench(s => areUnits(s.session))
  const layout = look.layout ?? usualLayout
  const each = layout.tp * layout.cp * layout.pp * (layout.by === 'ep' ? layout.ep : 1)
  const fits = picture.ranks.length % each === 0
  return (
    <div className="row wrap ranks-tools">
      <div className="row" role="group" aria-label={say('ranks.view')}>
        {(['ranks', 'layers'] as const).map(view => (
          <Toggle
            key={view}
            className="chip"
            testId={`ranks-view-${view}`}
            on={look.view === view}
            onChange={() => setLook({ ...look, view })}
          >
            {say(`ranks.view.${view}`)}
          </Toggle>
        ))}
      </div>
      <MenuButton
        label={say('ranks.colour')}
        testId="ranks-colour"
        disabled={look.view === 'layers'}
        entries={colourings.map(by => ({
          id: by,
          text: say(`ranks.by.${by}`),
          on: look.by === by,
          run: () => setLook({ ...look, by }),
        }))}
      >
        <span className="value">{say(`ranks.by.${look.by}`)}</span>
      </MenuButton>
      {look.view === 'layers' && picture.steps.length > 1 ? (
        <MenuButton
          label={say('ranks.layerStep')}
          testId="ranks-step"
          entries={picture.steps.map(one => ({
            id: String(one),
            text: one === null ? '–' : say('ranks.step', { step: one }),
            on: one === step,
            run: () => setLook({ ...look, step: one }),
          }))}
        >
          <span className="value">{step === null ? '–' : say('ranks.step', { step })}</span>
        </MenuButton>
      ) : null}
      {look.by === 'node' && look.view === 'ranks' ? (
        <label className="field ranks-node">
          <input
            list="ranks-nodes"
            defaultValue={node}
            key={node}
            placeholder={say('ranks.node')}
            aria-label={say('ranks.node')}
            data-testid="ranks-node"
            onKeyDown={e => {
              if (e.key === 'Enter') setLook({ ...look, node: e.currentTarget.value })
            }}
            onBlur={e => {
              if (e.currentTarget.value !== node) setLook({ ...look, node: e.currentTarget.value })
            }}
          />
          <datalist id="ranks-nodes">
            {picture.names.slice(0, 200).map(name => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </label>
      ) : null}
      <MenuButton
        label={say('ranks.order')}
        testId="ranks-order"
        disabled={look.view === 'layers'}
        entries={[
          {
            id: 'number',
            text: say('ranks.order.number'),
            on: look.layout === null,
            run: () => setLook({ ...look, layout: null }),
          },
          ...layoutDimensions.map(by => ({
            id: by,
            text: say('ranks.order.by', { by }),
            on: look.layout?.by === by,
            run: () => setLook({ ...look, layout: { ...layout, by } }),
          })),
        ]}
      >
        <span className="value">
          {look.layout ? say('ranks.order.by', { by: look.layout.by }) : say('ranks.order.number')}
        </span>
      </MenuButton>
      {look.layout && isHere ? (
        <ReadGroups
          side="debug"
          onRead={({ tp, cp, ep, pp, order }) =>
            setLook({ ...look, layout: { ...layout, tp, cp, ep, pp, order } })
          }
        />
      ) : null}
      {look.layout
        ? (layout.by === 'ep' ? expertSizes : denseSizes).map(of => (
            <SizeField
              key={of}
              of={of}
              size={layout[of]}
              testId={`ranks-${of}`}
              invalid={!fits}
              onSize={size => setLook({ ...look, layout: { ...layout, [of]: size } })}
            />
          ))
        : null}
      <Working picture={picture} />
      {look.layout && !fits ? <span className="small ranks-misfit">{say('ranks.order.misfit')}</span> : null}
    </div>
  )
}

function Legend({ by }: { readonly by: Colouring }): JSX.Element {
  const say = useSay()
  return (
    <div className="row small dim ranks-legend">
      <span>{say(`ranks.low.${by}`)}</span>
      <span className="heat-scale" aria-hidden="true" />
      <span>{say(`ranks.high.${by}`)}</span>
      <span className="ranks-key failed" aria-hidden="true" />
      <span>{say('ranks.state.failed')}</span>
      <span className="ranks-key missing" aria-hidden="true" />
      <span>{say('ranks.state.missing')}</span>
    </div>
  )
}

/** The dumps of a cell as a pair of their own, at the call that is looked at. */
async function openUnit(picture: RanksPicture, cell: number, node: string): Promise<void> {
  const { session } = now()
  const of = picture.unit[cell] ?? -1
  if (!session || of < 0) return
  const unit = await engine.ranksUnit({ session: session.session, unit: session.unit, of })
  if (unit.debug === '' || unit.bench === '') return
  await openPaths([unit.debug, unit.bench], { as: 'sides' })
  if (node !== '' && now().session?.session !== session.session) select({ debug: node }, 'keys')
}

/** The step and rank with its graphs and rows, at the call that is looked at. */
async function showUnit(picture: RanksPicture, cell: number, node: string): Promise<void> {
  changeLayout({ rail: 'nodes' })
  await chooseUnit(picture.unit[cell] ?? 0)
  if (node !== '') select({ debug: node }, 'keys')
}

/** What is compared meanwhile can be stopped, and goes on. */
function Working({ picture }: { readonly picture: RanksPicture }): JSX.Element | null {
  const say = useSay()
  const session = useWorkbench(s => s.session)
  if (!areUnits(session) || !session || !picture.open) return null
  return (
    <Button small testId="ranks-pause" onPress={() => run(session.paused ? 'resume' : 'pause')}>
      {say(session.paused ? 'frame.resume' : 'frame.pause')}
    </Button>
  )
}

function Chosen({
  picture,
  chosen,
  look,
  setLook,
  isHere,
  onOpen,
}: KnownProps & {
  readonly chosen: number
  readonly isHere: boolean
  onOpen(cell: number): void
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const of = picture.unit[chosen] ?? -1
  const answer = useUnitQuery({
    steps: ['dumps'],
    key: of < 0 ? null : ['ranks-unit', of],
    load: (at, signal) => engine.ranksUnit({ ...at, of }, signal),
    keep: true,
  })
  const unit = valueOf(answer)
  const node = picture.names[picture.first[chosen] ?? -1] ?? ''
  return (
    <div className="ranks-card" data-testid="ranks-chosen">
      <p>{cellText(say, language, picture, chosen)}</p>
      {unit?.findings.slice(0, 3).map((finding, i) => (
        <p key={i} className="small">
          <strong>{kindText(language, finding)}</strong> {findingText(language, finding)}
        </p>
      ))}
      <div className="row wrap">
        <Button
          small
          look="primary"
          testId="ranks-open"
          disabled={(unit?.debug ?? '') === '' && !isHere}
          onPress={() => onOpen(chosen)}
        >
          {say(isHere ? 'ranks.goThere' : 'ranks.open')}
        </Button>
        {node === '' ? null : (
          <Button small onPress={() => setLook({ ...look, by: 'node', node, view: 'ranks' })}>
            {say('ranks.colourBy')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** What is equal among ranks is one line. */
function Origins({
  picture,
  origin,
  onChoose,
  onGo,
}: {
  readonly picture: RanksPicture
  readonly origin: number
  onChoose(origin: number): void
  onGo(cell: number): void
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const sorted = [...picture.origins.entries()].toSorted(
    ([, a], [, b]) => Number(passedOn(a)) - Number(passedOn(b)) || b.units - a.units,
  )
  return (
    <div className="ranks-origins">
      <h3 className="section-title">{say('ranks.origins')}</h3>
      {sorted.length === 0 ? <p className="small dim">{say('ranks.originsNone')}</p> : null}
      <ul>
        {sorted.slice(0, 100).map(([i, one]) => (
          <li key={i}>
            <button
              type="button"
              className={i === origin ? 'ranks-origin on' : 'ranks-origin'}
              data-testid="ranks-origin"
              aria-pressed={i === origin}
              onClick={() => {
                onChoose(i === origin ? -1 : i)
                onGo(cellOf(picture, one.step, one.rank))
              }}
            >
              <span className="row">
                <strong className="grow cut">
                  {kindText(language, { kind: one.kind, variant: one.variant } as Finding)}
                </strong>
                <span className="badge">{count(language, one.units)}</span>
              </span>
              <Name text={one.node} />
              <span className="small dim">{say('ranks.originFirst', { where: placeText(say, one) })}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What came through a collective says less than what a rank has of its own. */
const passedOn = ({ kind }: RanksOrigin): boolean => kind === 'communication' || kind === 'not-decidable'
