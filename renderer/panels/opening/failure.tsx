// Why something did not open or cannot be compared: said once, with what can be done about it.
import type { JSX } from 'react'
import type { Problem, SessionInfo, Side } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { run } from '../../state/commands.ts'
import { host } from '../../state/host.ts'
import { folderName } from '../../state/names.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { openPaths } from '../../state/sessions.ts'
import { chooseSide, offer, openAlone } from '../../state/sides.ts'
import { joins } from '../../state/study.ts'
import { useSay } from '../../state/words.ts'
import { set, useWorkbench, type Workbench } from '../../state/workbench.ts'
import { Name } from '../../ui/bits.tsx'
import { Button, Toggle } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ProblemCard, Skeleton } from '../../ui/states.tsx'

/** What was given and refused. */
export function OpenFailure({ problem, paths }: NonNullable<Workbench['openFailed']>): JSX.Element {
  const say = useSay()
  const whole = problem.code === 'left-out'
  const others = paths.length === 2 ? paths.filter(path => whole || path !== problem.path) : []
  const chooseInstead = async (): Promise<void> => {
    const [chosen] = await host().choose({ what: 'dumps' })
    if (chosen !== undefined) await openPaths(paths.map(path => (path === problem.path ? chosen : path)))
  }
  return (
    <ProblemCard problem={problem} onDismiss={() => set({ openFailed: null })}>
      {problem.code === 'several-dumps' ? <DumpsFound path={problem.path} /> : null}
      <div className="row failure-actions">
        {paths.includes(problem.path) ? (
          <Button small icon="folder" onPress={() => void chooseInstead()}>
            {say('opening.other')}
          </Button>
        ) : null}
        {others.map(path => (
          <OpenAlone key={path} path={path} name={folderName(path)} />
        ))}
      </div>
    </ProblemCard>
  )
}

/** In the middle of the window: the unit on screen has nothing to show. */
export function UnitFailure({
  problem,
  session,
}: {
  readonly problem: Problem
  readonly session: SessionInfo
}): JSX.Element {
  const say = useSay()
  const { sides } = session
  return (
    <div className="failure" data-testid="failure">
      <div className="failure-box">
        <h2>{say(sides.length > 1 ? 'failure.pair' : 'failure.one')}</h2>
        <ProblemCard problem={problem} />
        <ul className="failure-sides">
          {sides.map(({ side, name, root }) => (
            <li key={side} className="row">
              <span className={`zone-dot ${side}`} />
              <span className="dim">{say(`side.${side}`)}</span>
              <span className="grow cut" title={root}>
                {name}
              </span>
              {joins(session) ? <ChooseOther side={side} /> : null}
              {sides.length > 1 && joins(session) ? <OpenAlone path={root} name="" /> : null}
            </li>
          ))}
        </ul>
        {joins(session) ? null : (
          <Button icon="folder" onPress={() => run('open')}>
            {say('opening.other')}
          </Button>
        )}
      </div>
    </div>
  )
}

function ChooseOther({ side }: { readonly side: Side }): JSX.Element {
  const say = useSay()
  return (
    <Button small icon="folder" onPress={() => void chooseSide(side)}>
      {say('opening.other')}
    </Button>
  )
}

/** Of one of two, which of them is said where it does not stand beside. */
function OpenAlone({ path, name }: { readonly path: string; readonly name: string }): JSX.Element {
  const say = useSay()
  return (
    <Button small onPress={() => void openAlone(path)}>
      {name === '' ? say('failure.alone') : say('failure.alone-of', { name })}
    </Button>
  )
}

/** The dumps in a folder of many: two make a pair, one opens alone. */
function DumpsFound({ path }: { readonly path: string }): JSX.Element {
  const say = useSay()
  const waiting = useWorkbench(s => s.waiting)
  const answer = useQuery({ key: ['dumps-in', path], load: signal => engine.dumpsIn({ path }, signal) })
  const found = valueOf(answer)
  if (!found?.ok) return <Skeleton rows={3} />
  return (
    <ul className="found-dumps" data-testid="found-dumps" aria-label={say('failure.found')}>
      {found.value.map(root => (
        <li key={root} className="row">
          <Icon name="folder" size={13} />
          <span className="grow cut">
            <Name text={folderName(root)} />
          </span>
          {(['debug', 'bench'] as const).map(side => (
            <Toggle
              key={side}
              className="button small"
              on={waiting[side] === root}
              onChange={() => void offer(side, root)}
            >
              {say(`side.${side}`)}
            </Toggle>
          ))}
          <OpenAlone path={root} name="" />
        </li>
      ))}
    </ul>
  )
}
