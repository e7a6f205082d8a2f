// The status line: what runs, what came out, how much there is, language and theme.
import { useEffect, useState, type JSX } from 'react'
import { DialogTrigger, Dialog, Popover, Button as AriaButton } from 'react-aria-components'
import type { JobInfo, RowStateName } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { run, shortcut } from '../../state/commands.ts'
import { bytes, count, duration } from '../../state/format.ts'
import { dismissProblem, problemKey } from '../../state/sessions.ts'
import { changeSettings } from '../../state/settings.ts'
import { isOutdated, isSingle } from '../../state/study.ts'
import { sayIf, useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button, MenuButton } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ProblemCard } from '../../ui/states.tsx'
import './status.css'

export function StatusLine(): JSX.Element {
  const say = useSay()
  const session = useWorkbench(s => s.session)
  const job = useWorkbench(s => s.job)
  const recomputing = useWorkbench(s => s.recomputing)
  const opening = useWorkbench(s => s.opening)
  const openingJob = useWorkbench(s => s.openingJob)
  const down = useWorkbench(({ engineState: is }) =>
    is === 'restarting' || is === 'gone' || is === 'busy' ? is : null,
  )
  return (
    <footer className="status" data-testid="status" aria-label={say('status.title')}>
      {down ? (
        <span className="bad row">
          <Icon name="reload" size={13} />
          {say(`status.engine-${down}`)}
        </span>
      ) : null}
      {opening && openingJob ? <Job job={openingJob} stop="frame.cancel" command="pause" /> : null}
      {opening && !openingJob ? (
        <span className="row">
          <span className="progress busy-bar">
            <span className="bar-fill" />
          </span>
          {say('status.opening')}
        </span>
      ) : null}
      {job && !opening ? <Job job={job} stop="frame.pause" command="pause" /> : null}
      {recomputing && !job && !opening ? (
        <Job job={recomputing} stop="frame.cancel" command="recompute-stop" />
      ) : null}
      {!job && session?.paused ? <Paused /> : null}
      {session ? <Outdated /> : null}
      {session ? <Counts /> : null}
      {session || opening || down ? null : <span className="dim">{say('status.ready')}</span>}
      <span className="grow" />
      {session ? <Notes /> : null}
      {session ? (
        <span className="dim wide-only">{say('status.rules', { rules: session.options.rules })}</span>
      ) : null}
      <Memory />
      <LanguageAndTheme />
    </footer>
  )
}

/** The dump was taken again meanwhile: what is shown is what was read. */
function Outdated(): JSX.Element | null {
  const say = useSay()
  const outdated = useWorkbench(s => isOutdated(s.session))
  if (!outdated) return null
  return (
    <span className="row" role="status" data-testid="outdated">
      <span className="tag outdated">{say('status.outdated')}</span>
      <Button look="quiet" small className="link" onPress={() => run('reload')}>
        {say('status.read-again', { keys: shortcut('reload') })}
      </Button>
    </span>
  )
}

/** What was stopped goes on only when the user says so. */
function Paused(): JSX.Element {
  const say = useSay()
  return (
    <span className="row" role="status" data-testid="paused">
      <Icon name="stop" size={13} />
      {say('status.paused')}
      <Button look="quiet" small className="link" onPress={() => run('resume')}>
        {say('frame.resume')}
      </Button>
    </span>
  )
}

interface JobProps {
  readonly job: JobInfo
  readonly stop: 'frame.pause' | 'frame.cancel'
  /** What stops it. */
  readonly command: 'pause' | 'recompute-stop'
}

function Job({ job, stop, command }: JobProps): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const elapsed = useClock(500) - job.startedMs
  const share = job.total > 0 ? Math.min(1, job.done / job.total) : 0
  const left = share > 0.02 && elapsed > 400 ? (elapsed / share) * (1 - share) : null
  const amount =
    job.countedIn === 'bytes'
      ? `${bytes(job.done)} / ${bytes(job.total)}`
      : `${count(language, job.done)} / ${count(language, job.total)}`
  const speed = job.countedIn === 'bytes' && elapsed > 400 ? `${bytes((job.done / elapsed) * 1000)}/s` : ''
  const key = `job.${job.what.replace(/^job\./, '')}`
  return (
    <span className="row" role="status">
      <span
        className="progress"
        role="progressbar"
        aria-label={say('status.progress')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
      >
        <span className="bar-fill" style={{ display: 'block', width: `${share * 100}%` }} />
      </span>
      <span className="num">
        {[
          sayIf(language, key) ?? job.what,
          amount,
          speed,
          left === null ? '' : say('status.left', { time: duration(left) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <Button look="quiet" small className="link" onPress={() => run(command)}>
        {say(stop)}
      </Button>
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
  const single = useWorkbench(s => isSingle(s.session))
  if (!unit) return null
  // One dump alone has nothing to be compared with.
  const parts: readonly (readonly [RowStateName, number])[] = single
    ? []
    : [
        ['differs', unit.differs],
        ['noise', unit.noise],
        ['equal', unit.equal],
        ['incomparable', unit.incomparable],
        ['unpaired', unit.unmatchedDebug + unit.unmatchedBench],
      ]
  return (
    <span className="row counts">
      <span>{say('status.rows', { rows: count(language, unit.rows) })}</span>
      {parts
        .filter(([, n]) => n > 0)
        .map(([is, n]) => (
          <span key={is} className={is === 'differs' ? 'bad' : 'dim'}>
            {is === 'unpaired' && unit.unmatchedDebug > 0 && unit.unmatchedBench > 0
              ? say('status.unpaired.both', {
                  debug: count(language, unit.unmatchedDebug),
                  bench: count(language, unit.unmatchedBench),
                })
              : say(`status.${is}`, { count: count(language, n) })}
          </span>
        ))}
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
      <AriaButton className="link row">
        <Icon name="info" size={13} />
        {say('status.notes', { count: problems.length })}
      </AriaButton>
      <Popover className="popover notes" placement="top end">
        <Dialog
          aria-label={say('status.notes', { count: problems.length })}
          className="column"
          style={{ gap: 6, outline: 'none' }}
        >
          {problems.map(p => (
            <ProblemCard key={problemKey(p)} problem={p} onDismiss={() => dismissProblem(p)} />
          ))}
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
    const ask = (): void => {
      engine.memory({}).then(setUsed, () => setUsed(null))
    }
    ask()
    const timer = setInterval(ask, memoryEveryMs)
    return () => clearInterval(timer)
  }, [ready, session])
  return used === null || session === undefined ? null : (
    <span className="dim num wide-only">{say('status.memory', { size: bytes(used) })}</span>
  )
}

function LanguageAndTheme(): JSX.Element {
  const say = useSay()
  const settings = useWorkbench(s => s.settings)
  const language = useWorkbench(s => s.language)
  const dark = useWorkbench(s => s.dark)
  return (
    <>
      <MenuButton
        label={say('menu.language')}
        className="link dim"
        testId="language"
        entries={(['system', 'en', 'zh'] as const).map(choice => ({
          id: choice,
          text: say(`menu.language.${choice}`),
          on: settings?.language === choice,
          run: () => void changeSettings({ language: choice }),
        }))}
      >
        {say(language === 'zh' ? 'status.language.zh' : 'status.language.en')}
      </MenuButton>
      <MenuButton
        label={say('menu.theme')}
        className="button quiet small icon"
        icon={dark ? 'moon' : 'sun'}
        testId="theme"
        entries={[
          ...(['system', 'light', 'dark'] as const).map(theme => ({
            id: theme,
            text: say(`menu.theme.${theme}`),
            on: settings?.theme === theme,
            run: () => void changeSettings({ theme }),
          })),
          'line' as const,
          {
            id: 'safe',
            text: say('command.safe-colours'),
            on: settings?.safeColours === true,
            run: () => run('safe-colours'),
          },
          {
            id: 'comfortable',
            text: say('command.comfortable'),
            on: settings?.density === 'comfortable',
            run: () => run('comfortable'),
          },
        ]}
      />
    </>
  )
}
