// The built-in API names that the open dumps use, and what overrides them.
import type { JSX } from 'react'
import type { BuiltInName, MappingName } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { change, charactersOf, useMapping, versionOf } from '../../state/mapping.ts'
import { valueOf } from '../../state/query.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { now, place } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'
import { Empty, Skeleton } from '../../ui/states.tsx'

export function BuiltIn(): JSX.Element {
  const say = useSay()
  const text = useMapping(s => s.check.api?.readable)
  const rows = valueOf(
    useUnitQuery({
      steps: [],
      key: ['built-in', versionOf(text)],
      load: (here, signal) =>
        engine.mappingBuiltIn({ ...here, kind: 'api', text: charactersOf(text) }, signal),
      keep: true,
    }),
  )
  if (!rows) return <Skeleton rows={6} />
  if (rows.length === 0) return <Empty icon="info" title={say('mapping.built-in.none')} />
  return (
    <table className="plain-table built-in" data-testid="mapping-built-in">
      <thead>
        <tr>
          <th>{say('mapping.built-in.from')}</th>
          <th>{say('mapping.built-in.to')}</th>
          <th />
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <BuiltInRow key={row.from} row={row} onOverride={() => void override(row, charactersOf(text))} />
        ))}
      </tbody>
    </table>
  )
}

function BuiltInRow({ row, onOverride }: { readonly row: BuiltInName; onOverride(): void }): JSX.Element {
  const say = useSay()
  const overridden = row.overriddenBy !== ''
  return (
    <tr>
      <td className="copyable">
        {row.from}
        <span className="small faint"> {say('mapping.calls', { count: row.used })}</span>
      </td>
      <td className="copyable">
        {overridden ? (
          <>
            <s className="faint">{row.to}</s> {say('mapping.built-in.overridden', { to: row.overriddenBy })}
          </>
        ) : (
          row.to
        )}
      </td>
      <td>
        {overridden ? null : (
          <Button small look="quiet" onPress={onOverride}>
            {say('mapping.built-in.override')}
          </Button>
        )}
      </td>
    </tr>
  )
}

/** The entry begins as what the table says, argument by argument: one without lists would pair nothing. */
async function override({ from, to }: BuiltInName, text: string): Promise<void> {
  const here = place(now())
  if (!here) return
  const { change: known, debug } = await engine.mappingMeeting({
    ...here,
    kind: 'api',
    text,
    debug: from,
    bench: to,
  })
  const byPlace = {
    kind: 'api',
    from,
    to,
    args: sameIndexes(debug?.inputs),
    outputs: sameIndexes(debug?.outputs),
  } as const
  await change('api', [known ?? byPlace])
}

const sameIndexes = (list: MappingName['inputs'] = []): [string, string][] =>
  list.map(({ index }) => [index, index])
