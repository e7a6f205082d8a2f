// The status line: what runs, what came out, how much there is, language and theme.
import { useEffect, useState, type JSX } from 'react'
import { DialogTrigger, Dialog, Popover, Button as AriaButton } from 'react-aria-components'
import type { JobInfo } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { run } from '../../state/commands.ts'
import { bytes, count, duration } from '../../state/format.ts'
import { dismissProblem, problemKey } from '../../state/sessions.ts'
import { changeSettings } from '../../state/settings.ts'
import { isWordKey } from '../../../preload/contract/words/index.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button, MenuButton } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ProblemCard } from '../../ui/states.tsx'
import './status.css'

export function StatusLine(): JSX.Element {
  const say = useSay()
  const session = useWorkbench(s => s.session)
  const job = useWorkbench(s => s.job)
  const opening = useWorkbench(s => s.opening)
  const engineState = useWorkbench(s => s.engineState)
  return (
    <footer className="status" data-testid="status" aria-label={say('status.title')}>
      {engineState === 'restarting' || engineState === 'gone' ? <span className="bad row"><Icon name="reload" size={13} />{say(`status.engine-${engineState}`)}</span> : null}
      {opening ? <span className="row"><span className="progress busy-bar"><span className="bar-fill" /></span>{say('status.opening')}</span> : job ? <Job job={job} /> : null}
      {session ? <Counts /> : <span className="dim">{opening ? null : say('status.ready')}</span>}
      <span className="grow" />
      {session ? <Notes /> : null}
      {session ? <span className="dim wide-only">{say('status.rules', { rules: session.options.rules })}</span> : null}
      <Memory />
      <LanguageAndTheme />
    </footer>
  )
}

function Job({ job }: { readonly job: JobInfo }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const elapsed = useClock(500) - job.startedMs
  const share = job.total > 0 ? Math.min(1, job.done / job.total) : 0
  const left = share > 0.02 && elapsed > 400 ? (elapsed / share) * (1 - share) : null
  const amount = job.unitOf === 'bytes' ? `${bytes(job.done)} / ${bytes(job.total)}` : `${count(language, job.done)} / ${count(language, job.total)}`
  const speed = job.unitOf === 'bytes' && elapsed > 400 ? `${bytes((job.done / elapsed) * 1000)}/s` : ''
  const key = `job.${job.what.replace(/^job\./, '')}`
  return (
    <span className="row" role="status">
      <span className="progress" role="progressbar" aria-label={say('status.progress')} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(share * 100)}>
        <span className="bar-fill" style={{ display: 'block', width: `${share * 100}%` }} />
      </span>
      <span className="num">{[isWordKey(key) ? say(key) : job.what, amount, speed, left === null ? '' : say('status.left', { time: duration(left) })].filter(Boolean).join(' · ')}</span>
      <Button look="quiet" small className="link" onPress={() => run('cancel')}>{say('frame.cancel')}</Button>
    </span>
  )
}

/** The time, as often as it is worth a new picture. */
function useClock(everyMs: number): number {
  const [time, setTime] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setTime(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return time
}

function Counts(): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const unit = useWorkbench(s => s.session?.units.find(u => u.unit === s.session?.unit) ?? null)
  const single = useWorkbench(s => s.session?.bench === null)
  if (!unit) return null
  // One dump alone has nothing to agree with.
  const parts: readonly (readonly ['disagree' | 'agree' | 'unknown' | 'unmatched', number])[] = single ? [] : [
    ['disagree', unit.disagree], ['agree', unit.agree], ['unknown', unit.unknown], ['unmatched', unit.unmatchedDebug + unit.unmatchedBench],
  ]
  return (
    <span className="row counts">
      <span>{say('status.rows', { rows: count(language, unit.rows) })}</span>
      {parts.filter(([, n]) => n > 0).map(([is, n]) => <span key={is} className={is === 'disagree' ? 'bad' : 'dim'}>{say(`status.${is}`, { count: count(language, n) })}</span>)}
      {unit.partial || unit.state === 'reading' ? <span className="tag">{say('status.partial')}</span> : null}
    </span>
  )
}

/** Notes and dismissed warnings do not vanish: they stand behind a number here. */
function Notes(): JSX.Element | null {
  const say = useSay()
  const problems = useWorkbench(s => s.problems)
  if (problems.length === 0) return null
  return (
    <DialogTrigger>
      <AriaButton className="link row"><Icon name="info" size={13} />{say('status.notes', { count: problems.length })}</AriaButton>
      <Popover className="popover notes" placement="top end">
        <Dialog aria-label={say('status.notes', { count: problems.length })} className="column" style={{ gap: 6, outline: 'none' }}>
          {problems.map(p => <ProblemCard key={problemKey(p)} problem={p} onDismiss={() => dismissProblem(p)} />)}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

const memoryEveryMs = 5_000

function Memory(): JSX.Element | null {
  const say = useSay()
  const ready = useWorkbench(s => s.engineState === 'ready')
  const session = useWorkbench(s => s.session?.session)
  const [used, setUsed] = useState<number | null>(null)
  useEffect(() => {
    if (!ready || session === undefined) return undefined
    const ask = (): void => { engine.memory({}).then(setUsed, () => setUsed(null)) }
    ask()
    const timer = setInterval(ask, memoryEveryMs)
    return () => clearInterval(timer)
  }, [ready, session])
  return used === null || session === undefined ? null : <span className="dim num wide-only">{say('status.memory', { size: bytes(used) })}</span>
}

function LanguageAndTheme(): JSX.Element {
  const say = useSay()
  const settings = useWorkbench(s => s.settings)
  const language = useWorkbench(s => s.language)
  const dark = useWorkbench(s => s.dark)
  return (
    <>
      <MenuButton label={say('menu.language')} className="link dim" testId="language" entries={(['system', 'en', 'zh'] as const).map(choice => (
        { id: choice, text: say(`menu.language.${choice}`), on: settings?.language === choice, run: () => void changeSettings({ language: choice }) }
      ))}>{say(language === 'zh' ? 'status.language.zh' : 'status.language.en')}</MenuButton>
      <MenuButton label={say('menu.theme')} className="button quiet small icon" icon={dark ? 'moon' : 'sun'} testId="theme" entries={[
        ...(['system', 'light', 'dark'] as const).map(theme => ({ id: theme, text: say(`menu.theme.${theme}`), on: settings?.theme === theme, run: () => void changeSettings({ theme }) })),
        'line' as const,
        { id: 'safe', text: say('command.safe-colours'), on: settings?.safeColours === true, run: () => run('safe-colours') },
        { id: 'comfortable', text: say('command.comfortable'), on: settings?.density === 'comfortable', run: () => run('comfortable') },
      ]} />
    </>
  )
}
