// A row of a dialog in which one of a few values is chosen.
import type { JSX } from 'react'
import { Toggle } from '../../ui/controls.tsx'

export function Choice<Value extends string>({
  title,
  values,
  at,
  nameOf,
  onChoose,
}: {
  readonly title: string
  readonly values: readonly Value[]
  readonly at: Value | undefined
  nameOf(value: Value): string
  onChoose(value: Value): void
}): JSX.Element {
  return (
    <div className="settings-row">
      <span>{title}</span>
      <span className="row">
        {values.map(value => (
          <Toggle key={value} className="chip" on={value === at} onChange={() => onChoose(value)}>
            {nameOf(value)}
          </Toggle>
        ))}
      </span>
    </div>
  )
}
