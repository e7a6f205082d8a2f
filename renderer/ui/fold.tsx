// A part of a panel that can be folded away: whether it is, is remembered for all panels of its kind.
import type { JSX, ReactNode } from 'react'
import { foldPart } from '../state/settings.ts'
import { useWorkbench } from '../state/workbench.ts'

export function Fold({
  id,
  title,
  children,
}: {
  /** What is remembered by. */
  readonly id: string
  readonly title: string
  readonly children: ReactNode
}): JSX.Element {
  const folded = useWorkbench(s => s.layout.folded[id] === true)
  return (
    <details
      className="fold"
      open={!folded}
      data-testid={id}
      onToggle={e => {
        if (e.currentTarget.open === folded) foldPart(id, !folded)
      }}
    >
      <summary className="small dim">{title}</summary>
      {children}
    </details>
  )
}
