// A mark on what was made of a part of the elements, until all were read; reading them all can be stopped.
import type { JSX } from 'react'
import { count, percent } from '../../state/format.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'

export function Sampled({
  sampled,
  exact,
  onExact,
}: {
  readonly sampled: number | null
  readonly exact: boolean
  /** Where it is given, reading can be stopped and begun here. */
  onExact?(exact: boolean): void
}): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const share = useWorkbench(({ reading }) =>
    reading && reading.total > 0 ? Math.floor((reading.done / reading.total) * 100) : null,
  )
  if (sampled === null) return null
  const many = { count: count(language, sampled) }
  return (
    <span className="row" style={{ gap: 4 }}>
      <span className="pill small" role="status" data-testid="sampled" title={say('values.sampled.what')}>
        {exact ? say('values.sampled', many) : say('values.sampled.only', many)}
        {exact && share !== null ? ` · ${percent(language, share, 100)}` : ''}
      </span>
      {onExact ? (
        <Button
          look="quiet"
          small
          icon={exact ? 'stop' : 'reload'}
          label={say(exact ? 'values.sampled.stop' : 'values.sampled.all')}
          testId={exact ? 'exact-stop' : 'exact-begin'}
          onPress={() => onExact(!exact)}
        />
      ) : null}
    </span>
  )
}
