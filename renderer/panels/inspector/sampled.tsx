// A mark on what was made of a part of the elements, until all were read.
import type { JSX } from 'react'
import { count } from '../../state/format.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'

export function Sampled({ sampled }: { readonly sampled: number | null }): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  if (sampled === null) return null
  return (
    <span className="pill small" role="status" data-testid="sampled" title={say('values.sampled.what')}>
      {say('values.sampled', { count: count(language, sampled) })}
    </span>
  )
}
