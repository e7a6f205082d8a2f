// The toolbar: both sides, step and rank, what is compared and how, search, export, run and cancel.
import { useEffect, useRef, type JSX } from 'react'
import {
  rulesNames,
  type CompareOptions,
  type SessionInfo,
  type Side,
  type SideInfo,
  type UnitInfo,
} from '../../../preload/contract/engine.ts'
import { run, shortcut } from '../../state/commands.ts'
import { count } from '../../state/format.ts'
import { host } from '../../state/host.ts'
import { folderName } from '../../state/names.ts'
import { copyText } from '../../state/clipboard.ts'
import { chooseUnit, setOptions } from '../../state/sessions.ts'
import { canSwap, chooseSide } from '../../state/sides.ts'
import { changeLayout } from '../../state/settings.ts'
import {
  compares,
  dumpOf,
  nameOf,
  isOneFile,
  isOutdated,
  isSingle,
  joins,
  panesOf,
  reportsOf,
} from '../../state/study.ts'
import { useSay, type Say } from '../../state/words.ts'
import { now, set, useWorkbench } from '../../state/workbench.ts'
import { Button, MenuButton, Tip, type MenuEntry } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { MiddleCut } from '../../ui/middle-cut.tsx'
import { Search } from './search.tsx'
import './toolbar.css'

export function Toolbar(): JSX.Element {
  const say = useSay()
  const session = useWorkbench(s => s.session)
  const busy = useWorkbench(s => s.job !== null || s.opening !== null)
  const swaps = useWorkbench(canSwap)
  return (
    <header className="toolbar" data-testid="toolbar" aria-label={say('frame.toolbar')}>
      <div className="brand">
        <span className="brand-mark">
          <Icon name="plumb" size={20} />
        </span>
        {session ? (
          <h1 className="brand-name">{say('frame.name')}</h1>
        ) : (
          <span className="brand-name">{say('frame.name')}</span>
        )}
      </div>
      <SideButton side="debug" />
      {isSingle(session) || isOneFile(session) ? null : (
        <Button
          look="quiet"
          small
          icon="swap"
          label={say('command.swap')}
          disabled={!swaps}
          onPress={() => run('swap')}
        />
      )}
      {(isSingle(session) && !joins(session)) || isOneFile(session) ? null : <SideButton side="bench" />}
      {session ? <Units session={session} /> : null}
      {session && !session.panes.some(pane => pane === 'series' || pane === 'sheets' || pane === 'ranks') ? (
        <ModeBadge session={session} />
      ) : null}
      {panesOf(session).includes('nodes') && session && compares(session) ? (
        <MappingBadge session={session} />
      ) : null}
      <span className="toolbar-gap" />
      {panesOf(session).includes('nodes') ? <Search /> : null}
      {reportsOf(session).length > 0 ? <ExportButton /> : null}
      {busy || session ? <RunButton busy={busy} /> : null}
    </header>
  )
}

function ExportButton(): JSX.Element {
  const say = useSay()
  return (
    <Button
      className="export-button"
      label={say('command.export')}
      keys={shortcut('export')}
      testId="export"
      onPress={() => run('export')}
    >
      <span className="wide-only">{say('export.short')}</span>
      <span className="narrow-only">
        <Icon name="download" />
        <span className="hidden-text">{say('export.short')}</span>
      </span>
    </Button>
  )
}

/** Reads everything again, and calls for it when the files have changed; while something runs, it stops that. */
function RunButton({ busy }: { readonly busy: boolean }): JSX.Element {
  const say = useSay()
  const opening = useWorkbench(s => s.opening !== null)
  const outdated = useWorkbench(s => isOutdated(s.session))
  if (busy)
    return (
      <Button look="primary" icon="stop" className="run" onPress={() => run('pause')}>
        {say(opening ? 'frame.cancel' : 'frame.pause')}
      </Button>
    )
  return (
    <Button
      className="run"
      icon="reload"
      label={say(outdated ? 'toolbar.outdated' : 'command.reload')}
      testId="read-again"
      onPress={() => run('reload')}
    >
      <span className="wide-only">
        {say('frame.read-again')} <kbd>{shortcut('reload')}</kbd>
      </span>
      <span className="narrow-only">
        <span className="hidden-text">{say('frame.read-again')}</span>
      </span>
      {outdated ? <span className="outdated-dot" aria-hidden="true" /> : null}
    </Button>
  )
}

function SideButton({ side }: { readonly side: Side }): JSX.Element {
  const say = useSay()
  const info = useWorkbench(s => dumpOf(s.session, side))
  const waiting = useWorkbench(s => s.waiting[side])
  const word = useWorkbench(s => (isOneFile(s.session) ? 'file' : side))
  const path = info?.root ?? waiting ?? ''
  const called = useWorkbench(s => nameOf(s.session, side))
  const name = info ? called : waiting === undefined ? '' : folderName(waiting)
  const entries: MenuEntry[] = [
    { id: 'choose', text: say('toolbar.choose-folder'), icon: 'folder', run: () => void chooseSide(side) },
    ...(path === ''
      ? []
      : [
          {
            id: 'reveal',
            text: say('toolbar.reveal-folder'),
            icon: 'eye' as const,
            run: () => void host().reveal({ path }),
          },
          {
            id: 'copy',
            text: say('toolbar.copy-path'),
            icon: 'copy' as const,
            run: () => void copyText(path),
          },
        ]),
  ]
  return (
    <div className="side-holder" data-drop-side={side}>
      <MenuButton
        label={say(`toolbar.${word}`, { name: path || say('toolbar.none') })}
        className="button select side-button"
        testId={`side-${side}`}
        entries={entries}
      >
        <span className="label">{say(`side.${word}`)}</span>
        <span className="value" title={path}>
          {name === '' ? say('toolbar.none') : <SideName side={side} name={name} />}
        </span>
      </MenuButton>
    </div>
  )
}

/** The name of a side, and whether it is cut: the heads of the graphs say whole what does not fit here. */
function SideName({ side, name }: { readonly side: Side; readonly name: string }): JSX.Element {
  const head = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const span = head.current
    if (!span) return undefined
    const watch = new ResizeObserver(() => {
      const cut = span.scrollWidth > span.clientWidth + 1
      if (now().namesCut[side] !== cut) set({ namesCut: { ...now().namesCut, [side]: cut } })
    })
    watch.observe(span)
    return () => watch.disconnect()
  }, [side, name])
  return <MiddleCut text={name} head={head} />
}

const byNumber = (a: number | null, b: number | null): number => (a ?? -1) - (b ?? -1)

function Units({ session }: { readonly session: SessionInfo }): JSX.Element | null {
  const say = useSay()
  const { units } = session
  const here = units.find(u => u.unit === session.unit)
  const named = [...new Set(units.map(u => u.name))]
  const alike = units.filter(u => u.name === here?.name)
  // Those that came while a run goes on stand last.
  const steps = [...new Set(alike.map(u => u.step))].toSorted(byNumber)
  const ranks = alike.filter(u => u.step === here?.step).toSorted((a, b) => byNumber(a.rank, b.rank))
  const go = (unit: UnitInfo | undefined): void => {
    if (unit) void chooseUnit(unit.unit)
  }
  const failingRanks = ranks.filter(u => u.differs > 0).length
  const failingSteps = new Set(alike.filter(u => u.differs > 0).map(u => u.step)).size
  const mark = (u: UnitInfo): string => {
    if (u.state !== 'done') return say(`unit.${u.state}`)
    return u.differs > 0 ? say('toolbar.unit-failing', { count: u.differs }) : ''
  }
  return (
    <>
      {named.length > 1 ? (
        <MenuButton
          label={say('toolbar.run')}
          className="button select unit-button"
          testId="run"
          entries={named.map(name => {
            const of = units.filter(u => u.name === name)
            return {
              id: name,
              text: name,
              on: name === here?.name,
              keys: of.length === 1 ? of.map(mark).join('') : '',
              run: () => go(of.find(u => u.step === here?.step && u.rank === here.rank) ?? of[0]),
            }
          })}
        >
          <span className="label">{say('toolbar.run')}</span>
          <span className="value unit-name">{here?.name}</span>
        </MenuButton>
      ) : null}
      {steps.length > 1 || here?.step !== null ? (
        <MenuButton
          label={countText(say, 'step', failingSteps, steps.length)}
          className="button select unit-button"
          disabled={steps.length < 2}
          testId="step"
          entries={steps.map(step => {
            const of = alike.filter(u => u.step === step)
            const failing = of.reduce((sum, u) => sum + u.differs, 0)
            return {
              id: `step${step}`,
              text: say('toolbar.step-n', { n: step ?? '–' }),
              on: step === here?.step,
              keys: failing > 0 ? say('toolbar.unit-failing', { count: failing }) : '',
              run: () => go(of.find(u => u.rank === here?.rank) ?? of[0]),
            }
          })}
        >
          <span className="label">{say('toolbar.step')}</span>
          <span className="value num">{here?.step ?? '–'}</span>
          <Dot count={steps.length > 1 ? failingSteps : 0} />
        </MenuButton>
      ) : null}
      {ranks.length > 1 || here?.rank !== null ? (
        <MenuButton
          label={countText(say, 'rank', failingRanks, ranks.length)}
          className="button select unit-button"
          disabled={ranks.length < 2}
          testId="rank"
          entries={ranks.map(u => ({
            id: `rank${u.rank}`,
            text: say('toolbar.rank-n', { n: u.rank ?? '–' }),
            on: u.unit === session.unit,
            keys: mark(u),
            run: () => go(u),
          }))}
        >
          <span className="label">{say('toolbar.rank')}</span>
          <span className="value num">{here?.rank ?? '–'}</span>
          <Dot count={failingRanks} />
        </MenuButton>
      ) : null}
    </>
  )
}

/** A button's name, with how many of its choices have rows that differ. */
const countText = (say: Say, of: 'step' | 'rank', count: number, all: number): string =>
  count === 0 ? say(`toolbar.${of}`) : say('toolbar.of-differ', { what: say(`toolbar.${of}`), count, all })

/** How many steps or ranks have rows that differ. */
function Dot({ count }: { readonly count: number }): JSX.Element | null {
  return count === 0 ? null : (
    <span className="unit-dot num" aria-hidden="true">
      {count}
    </span>
  )
}

const frameworks = {
  mindspore: 'MindSpore',
  pytorch: 'PyTorch',
  mindtorch: 'MindTorch',
  tensorflow: 'TensorFlow',
  cann: 'CANN',
} as const

function ModeBadge({ session }: { readonly session: SessionInfo }): JSX.Element {
  const say = useSay()
  const framework = (side: SideInfo | null): string =>
    side && side.framework && !side.stored ? frameworks[side.framework] : ''
  const [debug, bench] = [framework(dumpOf(session, 'debug')), framework(dumpOf(session, 'bench'))]
  // Where nothing is measured the rules are all that can be chosen.
  const mode = session.panes.includes('verdicts')
    ? say(`rules.${session.options.rules}`)
    : say(`mode.${session.mode}`)
  const parts = [
    bench && bench !== debug ? `${debug} → ${bench}` : debug,
    mode,
    dumpOf(session, 'debug')?.level,
  ].filter(Boolean)
  const choose = (options: Partial<CompareOptions>) => (): void => void setOptions(options)
  return (
    <MenuButton
      label={say('toolbar.mode', { mode: parts.join(', ') })}
      className="tag tag-button mode-badge"
      testId="mode-badge"
      entries={[
        {
          title: say('toolbar.rules'),
          entries: rulesNames.map(rules => ({
            id: rules,
            text: say(`rules.${rules}`),
            on: session.options.rules === rules,
            run: choose({ rules }),
          })),
        },
        'line',
        {
          id: 'fuzzy',
          text: say('toolbar.fuzzy'),
          on: session.options.fuzzy,
          run: choose({ fuzzy: !session.options.fuzzy }),
        },
        { id: 'thresholds', text: say('command.thresholds'), run: () => set({ dialog: 'thresholds' }) },
      ]}
    >
      {parts.map((part, i) => (
        <span key={part} className={part === mode ? 'badge-mode' : 'badge-more'}>
          {i > 0 ? <span className="badge-dot">•</span> : null}
          {part}
        </span>
      ))}
    </MenuButton>
  )
}

function MappingBadge({ session }: { readonly session: SessionInfo }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const calls = session.units.find(u => u.unit === session.unit)?.calls
  const of = (side: Side): { readonly paired: string; readonly all: string } => ({
    paired: count(language, calls?.[side].paired ?? 0),
    all: count(language, calls?.[side].all ?? 0),
  })
  const what = session.sides.every(({ stored }) => stored) ? 'tensors' : 'calls'
  const { mapping } = session
  const given = (['cell', 'api', 'data', 'layer'] as const).filter(kind => mapping[kind] !== undefined)
  const text =
    given.length === 0
      ? say(session.sides[0]?.framework === 'cann' ? 'mapping.by-graph' : 'mapping.by-name')
      : given.map(kind => say(`mapping.${kind}`)).join(' + ')
  const show = (): void => changeLayout({ rail: 'nodes', shown: { ...now().layout.shown, side: true } })
  return (
    <Tip
      text={`${text}\n${say(`mapping.${what}-debug`, of('debug'))}\n${say(`mapping.${what}-bench`, of('bench'))}`}
    >
      <Button look="quiet" className="tag tag-button mapping-badge" onPress={show}>
        <span className="badge-more">
          {text}
          {'  •  '}
        </span>
        <span className="badge-words">{say(`mapping.${what}-paired`, of('debug'))}</span>
        <span className="badge-short">{say('mapping.calls-short', of('debug'))}</span>
      </Button>
    </Tip>
  )
}
