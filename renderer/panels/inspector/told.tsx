// What tables of verdicts say of the selected call, and the way to each row.
import type { JSX } from 'react'
import type { NodeRef, VerdictLine } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { changeLayout, showPane } from '../../state/settings.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { set, useWorkbench } from '../../state/workbench.ts'
import { Name } from '../../ui/bits.tsx'
import { Answered, Empty } from '../../ui/states.tsx'
import { verdictText, VerdictPill } from '../../ui/verdict.tsx'

export function Told({ at }: { readonly at: NodeRef }): JSX.Element {
  const say = useSay()
  const rules = useWorkbench(s => s.session?.options.rules)
  const wish = useWorkbench(s => s.layout.precheck)
  const answer = useUnitQuery({
    steps: ['dumps'],
    key: ['verdicts-of', at.debug, at.bench, rules, JSON.stringify(wish)],
    load: (here, signal) => engine.verdictsOf({ ...here, wish, at }, signal),
    keep: true,
  })
  return (
    <Answered
      answer={answer}
      skeleton={{ rows: 4 }}
      renderValue={lines =>
        lines.length === 0 ? (
          <Empty icon="info" title={say('verdicts.nothing-of')}>
            {say('verdicts.nothing-of.what')}
          </Empty>
        ) : (
          <ul className="told-lines" data-testid="told">
            {lines.map(line => (
              <Line key={`${line.table} ${line.row}`} line={line} />
            ))}
          </ul>
        )
      }
    />
  )
}

function Line({ line }: { readonly line: VerdictLine }): JSX.Element {
  const say = useSay()
  const { table, row, name, state } = line
  const show = (): void => {
    set({ verdict: { table, row } })
    changeLayout({ rail: 'precheck' })
    showPane('side')
  }
  return (
    <li className="column">
      <span className="row">
        <Name text={name} className="grow" onPress={show} />
        <VerdictPill is={state} />
      </span>
      <span className="small dim">{verdictText(say, line)}</span>
    </li>
  )
}
