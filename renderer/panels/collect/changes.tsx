// What the text says otherwise than the file that it was opened from, and that file than what stood here before.
import type { JSX } from 'react'
import { engine } from '../../engine.ts'
import { useCollect } from '../../state/collect.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'

export function Changes(): JSX.Element {
  const say = useSay()
  const { text, saved, replaced, path } = useCollect()
  const file = path.split(/[\\/]/).at(-1) ?? path
  return (
    <>
      <Difference
        before={replaced}
        after={saved}
        testId="collect-import"
        titleOf={count => say('collect.imported', { file, count })}
      />
      <Difference
        before={saved}
        after={text}
        testId="collect-diff"
        titleOf={count => say('collect.changed', { file, count })}
      />
    </>
  )
}

function Difference({
  before,
  after,
  testId,
  titleOf,
}: {
  readonly before: string | null
  readonly after: string | null
  readonly testId: string
  titleOf(count: number): string
}): JSX.Element | null {
  const has = before !== null && after !== null && before !== after
  const rows = valueOf(
    useQuery({
      key: has ? ['collect-diff', after, before] : null,
      load: signal => engine.collectDiff({ before: before ?? '', after: after ?? '' }, signal),
      keep: true,
    }),
  )
  if (!has || !rows || rows.length === 0) return null
  return (
    <details className="small collect-diff" data-testid={testId} data-count={rows.length}>
      <summary className="dim">{titleOf(rows.length)}</summary>
      <ul className="mono copyable">
        {rows.map(({ path: key, before: was, after: is }) => (
          <li key={key}>
            {key}: <s className="faint">{was === undefined ? '' : JSON.stringify(was)}</s>{' '}
            {is === undefined ? '∅' : JSON.stringify(is)}
          </li>
        ))}
      </ul>
    </details>
  )
}
