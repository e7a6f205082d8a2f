// A number of ranks along one axis of a parallel layout.
import type { JSX } from 'react'

const most = 4096

export function SizeField({
  of,
  size,
  testId,
  invalid = false,
  onSize,
}: {
  /** tp, pp and so on: they are called so in every language. */
  readonly of: string
  readonly size: number
  readonly testId: string
  readonly invalid?: boolean
  onSize(size: number): void
}): JSX.Element {
  return (
    <label className="row small">
      {of}
      <input
        className="entry size-field"
        type="number"
        min={1}
        max={most}
        value={size}
        data-testid={testId}
        aria-invalid={invalid}
        onChange={e => onSize(Math.max(1, Math.trunc(Number(e.currentTarget.value)) || 1))}
      />
    </label>
  )
}
