// The built-in API names that the open dumps use, and what overrides them.
import type { JSX } from 'react'
import type { MappingName } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { change, charactersOf, useMapping, versionOf } from '../../state/mapping.ts'
import { useQuery, valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'
import { Empty, Skeleton } from '../../ui/states.tsx'

export function BuiltIn(): JSX.Element {
  const say = useSay()
  const session = useWorkbench(s => s.session?.session)
  const unit = useWorkbench(s => s.session?.unit ?? 0)
  const text = useMapping(s => s.check.api?.text)
  const rows = valueOf(useQuery({ key: session === undefined ? null : ['built-in', session, unit, versionOf(text)], load: signal => engine.mappingBuiltIn({ session: session as NonNullable<typeof session>, unit, kind: 'api', text: charactersOf(text) }, signal), keep: true }))
  // The entry begins as what the table says, argument by argument: one without lists would pair nothing.
  const override = async (from: string, to: string): Promise<void> => {
    if (session === undefined) return
    const met = await engine.mappingMeeting({ session, unit, kind: 'api', text: charactersOf(text), debug: from, bench: to })
    await change('api', [met.change ?? { kind: 'api', from, to, args: sameIndexes(met.debug?.inputs), outputs: sameIndexes(met.debug?.outputs) }])
  }
  if (!rows) return <Skeleton rows={6} />
  if (rows.length === 0) return <Empty icon="info" title={say('mapping.built-in.none')} />
  return (
    <table className="plain-table built-in" data-testid="mapping-built-in">
      <thead><tr><th>{say('mapping.built-in.from')}</th><th>{say('mapping.built-in.to')}</th><th /></tr></thead>
      <tbody>
        {rows.map(row => (
          <tr key={row.from}>
            <td className="copyable">{row.from}<span className="small faint"> {say('mapping.calls', { count: row.used })}</span></td>
            <td className="copyable">{row.overriddenBy === '' ? row.to : <><s className="faint">{row.to}</s> {say('mapping.built-in.overridden', { to: row.overriddenBy })}</>}</td>
            <td>{row.overriddenBy === '' ? <Button small look="quiet" onPress={() => void override(row.from, row.to)}>{say('mapping.built-in.override')}</Button> : null}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const sameIndexes = (list: MappingName['inputs'] = []): [string, string][] => list.map(({ index }) => [index, index])
