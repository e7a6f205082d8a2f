// The toolbar: both sides, step and rank, what is compared and how, search, export, run and cancel.
import type { JSX } from 'react'
import type { CompareOptions, Rules, SessionInfo, Side, UnitInfo } from '../../../preload/contract/engine.ts'
import { run, shortcut } from '../../state/commands.ts'
import { percent } from '../../state/format.ts'
import { host } from '../../state/host.ts'
import { folderName } from '../../state/names.ts'
import { copyText } from '../../state/clipboard.ts'
import { chooseUnit, offer, openPaths, setOptions } from '../../state/sessions.ts'
import { changeLayout } from '../../state/settings.ts'
import { useSay } from '../../state/words.ts'
import { now, set, useWorkbench } from '../../state/workbench.ts'
import { Button, MenuButton, Tip, type MenuEntry } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Search } from './search.tsx'
import './toolbar.css'

export function Toolbar(): JSX.Element {
  const say = useSay()
  const session = useWorkbench(s => s.session)
  const busy = useWorkbench(s => s.job !== null || s.opening !== null)
  const canSwap = useWorkbench(s => (s.session !== null && s.paths.length === 2) || s.waiting.debug !== undefined || s.waiting.bench !== undefined)
  return (
    <header className="toolbar" data-testid="toolbar" aria-label={say('frame.toolbar')}>
      <div className="brand"><span className="brand-mark"><Icon name="plumb" size={20} /></span>{session ? <h1 className="brand-name">{say('frame.name')}</h1> : <span className="brand-name">{say('frame.name')}</span>}</div>
      <SideButton side="debug" />
      {session && !session.bench ? null : <Button look="quiet" small icon="swap" label={say('command.swap')} disabled={!canSwap} onPress={() => run('swap')} />}
      {session && !session.bench ? null : <SideButton side="bench" />}
      {session ? <Units session={session} /> : null}
      {session ? <ModeBadge session={session} /> : null}
      {session?.bench ? <MappingBadge session={session} /> : null}
      <span className="toolbar-gap" />
      {session ? <Search /> : null}
      {session ? (
        <Button className="export-button" label={say('command.export')} keys={shortcut('export')} testId="export" onPress={() => run('export')}>
          <span className="wide-only">{say('export.short')}</span><span className="narrow-only"><Icon name="download" /><span className="hidden-text">{say('export.short')}</span></span>
        </Button>
      ) : null}
      {busy ? <Button look="primary" icon="stop" className="run" onPress={() => run('cancel')}>{say('frame.cancel')}</Button>
        : session ? <Button look="primary" className="run" label={say('command.reload')} keys={shortcut('reload')} onPress={() => run('reload')}>{say('frame.compare')}</Button> : null}
    </header>
  )
}

function SideButton({ side }: { readonly side: Side }): JSX.Element {
  const say = useSay()
  const info = useWorkbench(s => s.session?.[side] ?? null)
  const waiting = useWorkbench(s => s.waiting[side])
  const path = info?.root ?? waiting ?? ''
  const name = info?.name ?? (waiting === undefined ? '' : folderName(waiting))
  const choose = async (): Promise<void> => {
    const [chosen] = await host().choose({ what: 'dumps', side })
    if (chosen === undefined) return
    const { session, paths } = now()
    if (!session) await offer(side, chosen)
    else await openPaths(side === 'debug' ? [chosen, ...paths.slice(1)] : [paths[0] ?? '', chosen])
  }
  const entries: MenuEntry[] = [
    { id: 'choose', text: say('toolbar.choose-folder'), icon: 'folder', run: () => void choose() },
    ...(path === '' ? [] : [
      { id: 'reveal', text: say('toolbar.reveal-folder'), icon: 'eye' as const, run: () => void host().reveal({ path }) },
      { id: 'copy', text: say('toolbar.copy-path'), icon: 'copy' as const, run: () => void copyText(path) },
    ]),
  ]
  return (
    <MenuButton label={say(`toolbar.${side}`, { name: path || say('toolbar.none') })} className="button select side-button" testId={`side-${side}`} entries={entries}>
      <span className="label">{say(`side.${side}`)}</span>
      <span className="value" title={path}>{name || say('toolbar.none')}</span>
    </MenuButton>
  )
}

function Units({ session }: { readonly session: SessionInfo }): JSX.Element | null {
  const say = useSay()
  const { units } = session
  const here = units.find(u => u.unit === session.unit)
  const steps = [...new Set(units.map(u => u.step))]
  const ranks = units.filter(u => u.step === here?.step)
  const go = (unit: UnitInfo | undefined): void => { if (unit) void chooseUnit(unit.unit) }
  const mark = (u: UnitInfo): string => (u.state === 'done' ? (u.disagree > 0 ? say('toolbar.unit-failing', { count: u.disagree }) : '') : say(`unit.${u.state}`))
  return (
    <>
      {steps.length > 1 || here?.step !== null ? (
        <MenuButton label={say('toolbar.step')} className="button select unit-button" disabled={steps.length < 2} testId="step" entries={steps.map(step => {
          const of = units.filter(u => u.step === step)
          const failing = of.reduce((sum, u) => sum + u.disagree, 0)
          return { id: `step${step}`, text: say('toolbar.step-n', { n: step ?? '–' }), on: step === here?.step, keys: failing > 0 ? say('toolbar.unit-failing', { count: failing }) : '', run: () => go(of.find(u => u.rank === here?.rank) ?? of[0]) }
        })}>
          <span className="label">{say('toolbar.step')}</span><span className="value num">{here?.step ?? '–'}</span>
        </MenuButton>
      ) : null}
      {ranks.length > 1 || here?.rank !== null ? (
        <MenuButton label={say('toolbar.rank')} className="button select unit-button" disabled={ranks.length < 2} testId="rank" entries={ranks.map(u => (
          { id: `rank${u.rank}`, text: say('toolbar.rank-n', { n: u.rank ?? '–' }), on: u.unit === session.unit, keys: mark(u), run: () => go(u) }
        ))}>
          <span className="label">{say('toolbar.rank')}</span><span className="value num">{here?.rank ?? '–'}</span>
        </MenuButton>
      ) : null}
    </>
  )
}

const frameworks = { mindspore: 'MindSpore', pytorch: 'PyTorch', mindtorch: 'MindTorch' } as const
const ruleSets = ['plumbline', 'msprobe-1.2.2', 'msprobe-26'] as const satisfies readonly Rules[]

function ModeBadge({ session }: { readonly session: SessionInfo }): JSX.Element {
  const say = useSay()
  const framework = (side: SessionInfo['debug'] | null): string => (side && side.framework ? frameworks[side.framework] : '')
  const [debug, bench] = [framework(session.debug), framework(session.bench)]
  const parts = [bench && bench !== debug ? `${debug} → ${bench}` : debug, say(`mode.${session.mode}`), session.debug.level].filter(Boolean)
  const choose = (options: Partial<CompareOptions>) => (): void => void setOptions(options)
  return (
    <MenuButton label={say('toolbar.mode', { mode: parts.join(', ') })} className="tag tag-button mode-badge" testId="mode-badge" entries={[
      { title: say('toolbar.rules'), entries: ruleSets.map(rules => ({ id: rules, text: say(`rules.${rules}`), on: session.options.rules === rules, run: choose({ rules }) })) },
      'line',
      { id: 'fuzzy', text: say('toolbar.fuzzy'), on: session.options.fuzzy, run: choose({ fuzzy: !session.options.fuzzy }) },
      { id: 'thresholds', text: say('command.thresholds'), run: () => set({ dialog: 'thresholds' }) },
    ]}>
      <span className="cut">{parts.join('  •  ')}</span>
    </MenuButton>
  )
}

function MappingBadge({ session }: { readonly session: SessionInfo }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const unit = session.units.find(u => u.unit === session.unit)
  const rows = unit?.rows ?? 0
  const matched = percent(language, rows - (unit?.unmatchedDebug ?? 0), rows)
  const { mapping } = session.options
  const given = (['cell', 'api', 'data', 'layer'] as const).filter(kind => mapping[kind] !== undefined)
  const text = given.length === 0 ? say('mapping.by-name') : given.map(kind => say(`mapping.${kind}`)).join(' + ')
  const show = (): void => changeLayout({ rail: 'nodes', shown: { ...now().layout.shown, side: true } })
  return (
    <Tip text={say('mapping.badge-tip', { count: (unit?.unmatchedDebug ?? 0) + (unit?.unmatchedBench ?? 0) })}>
      <Button look="quiet" className="tag tag-button mapping-badge" onPress={show}>
        <span className="cut">{text}{'  •  '}{say('mapping.matched', { share: matched })}</span>
      </Button>
    </Tip>
  )
}
