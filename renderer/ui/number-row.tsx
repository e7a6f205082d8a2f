// A number that somebody may set, with what it means; what is no number in range is marked and counts for nothing.
import { useState, type JSX } from 'react'

export function NumberRow({
  title,
  what,
  value,
  least,
  testId,
  onChange,
}: {
  readonly title: string
  readonly what?: string
  readonly value: number
  readonly least: number
  readonly testId?: string
  onChange(value: number): void
}): JSX.Element {
  const [text, setText] = useState(short(value))
  const read = (typed: string): number | null => {
    const number = typed.trim() === '' ? Number.NaN : Number(typed)
    return Number.isFinite(number) && number >= least ? number : null
  }
  const valid = read(text) !== null
  const write = (typed: string): void => {
    setText(typed)
    const number = read(typed)
    if (number !== null && number !== value) onChange(number)
  }
  return (
    <label className="number-row">
      <span className="column">
        <span>{title}</span>
        {what === undefined ? null : <span className="faint small">{what}</span>}
      </span>
      <span className="field number" {...(valid ? {} : { 'data-invalid': '' })}>
        <input
          inputMode="decimal"
          value={text}
          aria-invalid={!valid}
          data-testid={testId}
          onChange={e => write(e.target.value)}
        />
      </span>
    </label>
  )
}

/** Powers of two have many digits. */
const short = (value: number): string => String(Number(value.toPrecision(7)))
