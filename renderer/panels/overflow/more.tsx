// What is left out of a list.
import type { JSX } from 'react'
import { count } from '../../state/format.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'

/** More than these are not read one by one. */
export const listed = 20

export function More({ of }: { readonly of: number }): JSX.Element | null {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  return of > listed ? (
    <p className="faint small">{say('cli.overflow.more', { count: count(language, of - listed) })}</p>
  ) : null
}
