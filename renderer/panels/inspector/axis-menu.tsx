// Which axis of a tensor lies along the rows, and which along the columns.
import type { JSX } from 'react'
import { useSay } from '../../state/words.ts'
import { MenuButton } from '../../ui/controls.tsx'

export function AxisMenu({
  of,
  shape,
  axis,
  onAxis,
}: {
  readonly of: 'rows' | 'cols'
  readonly shape: readonly number[]
  readonly axis: number
  onAxis(axis: number): void
}): JSX.Element {
  const say = useSay()
  const text = (n: number): string => say('values.axis', { n, size: shape[n] ?? 1 })
  return (
    <span className="row" style={{ gap: 4 }}>
      <span>{say(`values.${of}`)}</span>
      <MenuButton
        label={say(`values.${of}`)}
        className="button select small"
        entries={shape.map((_, n) => ({
          id: String(n),
          text: text(n),
          on: n === axis,
          run: () => onAxis(n),
        }))}
      >
        <span className="value num">{text(axis)}</span>
      </MenuButton>
    </span>
  )
}
