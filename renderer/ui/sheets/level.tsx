// How much a row matters, as a pill.
import type { JSX } from 'react'
import type { SheetLevel, SheetsHold } from '../../../preload/contract/engine.ts'
import { useSay } from '../../state/words.ts'

const marks: Readonly<Record<SheetLevel, readonly [mark: string, look: string]>> = {
  error: ['✕', 'differs'],
  warning: ['!', 'may'],
  note: ['·', 'incomparable'],
  pass: ['✓', 'equal'],
}

export function LevelPill({
  is,
  holds,
}: {
  readonly is: SheetLevel
  readonly holds: SheetsHold
}): JSX.Element {
  const say = useSay()
  const [mark, look] = marks[is]
  const rank = { error: 'error', warning: 'odd', note: 'note', pass: 'usual' } as const
  return (
    <span className={`row-state ${look}`} data-level={is}>
      <span aria-hidden="true">{mark}</span>
      {say(holds === 'ranks' ? `sheets.level.${rank[is]}` : `sheets.level.${is}`)}
    </span>
  )
}
