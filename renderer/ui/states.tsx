// What a pane shows when it has nothing yet, nothing at all, or a failure.
import { valueOf, type Answer } from '../state/query.ts'
import type { JSX, ReactNode } from 'react'
import { Component } from 'react'
import type { Problem } from '../../preload/contract/engine.ts'
import { host } from '../state/host.ts'
import { problemText, useSay } from '../state/words.ts'
import { useWorkbench } from '../state/workbench.ts'
import { Button } from './controls.tsx'
import { Icon, type IconName } from './icons.tsx'

export function Skeleton({
  rows = 6,
  height = 14,
}: {
  readonly rows?: number
  readonly height?: number
}): JSX.Element {
  const say = useSay()
  return (
    <div className="column" role="status" aria-label={say('frame.loading')} style={{ gap: 10, padding: 12 }}>
      {Array.from({ length: rows }, (_, i) => (
        <div key={i} className="skeleton" style={{ height, width: `${92 - ((i * 37) % 45)}%` }} />
      ))}
    </div>
  )
}

export function Empty({
  icon,
  title,
  children,
  action,
}: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}): JSX.Element {
  return (
    <div className="state">
      <Icon name={icon} size={26} />
      <h3>{title}</h3>
      {children ? <p>{children}</p> : null}
      {action}
    </div>
  )
}

const marks = { error: 'alert', warning: 'alert', note: 'info' } as const

export function ProblemCard({
  problem,
  onDismiss,
  children,
}: {
  readonly problem: Problem
  onDismiss?(): void
  readonly children?: ReactNode
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  return (
    <div
      className={`problem ${problem.severity}`}
      role="alert"
      data-testid="problem"
      data-code={problem.code}
    >
      <Icon name={marks[problem.severity]} />
      <div className="grow column" style={{ gap: 6 }}>
        <p>{problemText(language, problem)}</p>
        {children}
      </div>
      {onDismiss ? (
        <Button look="quiet" small icon="close" label={say('frame.dismiss')} onPress={onDismiss} />
      ) : null}
    </div>
  )
}

export function Failed({ problem }: { readonly problem: Problem }): JSX.Element {
  return (
    <div style={{ padding: 12 }}>
      <ProblemCard problem={problem} />
    </div>
  )
}

interface GuardProps {
  readonly name: string
  readonly children: ReactNode
  readonly renderBroken: (again: () => void) => ReactNode
}

/** What is known of an answer: its value, however old; else what went wrong; else where it will stand. */
export function Answered<T>({
  answer,
  skeleton,
  renderValue,
}: {
  readonly answer: Answer<T>
  /** How many rows, and how high in pixels. */
  readonly skeleton: { readonly rows: number; readonly height?: number }
  renderValue(value: T): ReactNode
}): ReactNode {
  const value = valueOf(answer)
  if (value !== undefined) return renderValue(value)
  if (answer.is === 'failed') return <Failed problem={answer.problem} />
  return <Skeleton {...skeleton} />
}

/** One broken panel must not take the window with it. */
export class Guard extends Component<GuardProps, { readonly broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true }
  }

  override componentDidCatch(error: Error): void {
    void host().report({
      message: `${this.props.name}: ${error.message}`.slice(0, 4000),
      stack: (error.stack ?? '').slice(0, 20_000),
    })
  }

  override render(): ReactNode {
    return this.state.broken
      ? this.props.renderBroken(() => this.setState({ broken: false }))
      : this.props.children
  }
}

export function Broken({ again }: { again(): void }): JSX.Element {
  const say = useSay()
  return (
    <Empty
      icon="alert"
      title={say('frame.broken')}
      action={<Button onPress={again}>{say('frame.try-again')}</Button>}
    >
      {say('frame.broken.what')}
    </Empty>
  )
}
