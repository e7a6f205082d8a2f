// What the text says otherwise than the file that it was opened from.
import type { JSX } from 'react'
import { engine } from '../../engine.ts'
import { useCollect } from '../../state/collect.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'

export function Changes(): JSX.Element | null {
  const say = useSay()
  const { text, saved, path } = useCollect()
  const has = text !== null && saved !== null && text !== saved
  const rows = valueOf(
    useQuery({
      key: has ? ['collect-diff', text, saved] : null,
      load: signal => engine.collectDiff({ before: saved ?? '', after: text ?? '' }, signal),
      keep: true,
    }),
  )
  if (!has || !rows || rows.length === 0) return null
  const file = path.split(/[\\/]/).at(-1) ?? path
  return (
    <details className="small collect-diff" data-testid="collect-diff">
      <summary className="dim">{say('collect.changed', { file, count: rows.length })}</summary>
      <ul className="mono copyable">
        {rows.map(({ path: key, before, after }) => (
          <li key={key}>
            {key}: <s className="faint">{before === undefined ? '' : JSON.stringify(before)}</s>{' '}
            {after === undefined ? '∅' : JSON.stringify(after)}
          </li>
        ))}
      </ul>
    </details>
  )
}
