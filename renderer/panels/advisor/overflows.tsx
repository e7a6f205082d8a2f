// What the device recorded of operations that overflowed, in the order in which they did.
import type { JSX } from 'react'
import type { OverflowStatus } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { valueOf } from '../../state/query.ts'
import { select } from '../../state/selection.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { Name } from '../../ui/bits.tsx'
import { Icon } from '../../ui/icons.tsx'

export function Overflows(): JSX.Element | null {
  const say = useSay()
  const answer = useUnitQuery({
    steps: ['dumps'],
    key: ['overflows'],
    load: (here, signal) => engine.overflows(here, signal),
    keep: true,
  })
  const records = valueOf(answer) ?? []
  if (records.length === 0) return null
  return (
    <section className="card" data-testid="overflows">
      <h3 className="card-kind">{say('overflow.recorded', { count: records.length })}</h3>
      <ol className="overflows">
        {records.map(one => (
          <li key={`${one.time} ${one.task} ${one.stream}`}>
            <span className="row">
              <Icon name="alert" size={12} />
              {one.known ? (
                <button
                  type="button"
                  className="link grow"
                  onClick={() => select({ debug: one.op }, 'advisor')}
                >
                  <Name text={one.op} />
                </button>
              ) : (
                <span className="grow">
                  <Name text={one.op || say('overflow.no-op', { task: one.task })} />
                </span>
              )}
              <span className="faint small">{one.type}</span>
            </span>
            {one.statuses.map(status => (
              <Status key={status.unit} of={status} />
            ))}
            {one.known || one.op === '' ? null : (
              <span className="faint small">{say('overflow.not-in-graph')}</span>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

function Status({ of: { unit, status, meanings } }: { readonly of: OverflowStatus }): JSX.Element {
  const say = useSay()
  return (
    <p className="small">
      <span className="mono dim">{`${unit} ${status} `}</span>
      {meanings.map(({ code, bit }) => say(`overflow.${code}`, { bit })).join(say('overflow.join'))}
    </p>
  )
}
