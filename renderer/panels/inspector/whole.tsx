// One tensor file, or two of them: their values over the whole window.
import type { JSX } from 'react'
import { engine } from '../../engine.ts'
import { folderName } from '../../state/names.ts'
import { dumpOf } from '../../state/study.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Answered } from '../../ui/states.tsx'
import { Values } from './values.tsx'
import './inspector.css'

export default function WholeValues(): JSX.Element {
  const say = useSay()
  const sides = useWorkbench(s => s.session?.sides) ?? []
  // A tensor file is a dump of one call, which is called as the file is.
  const file = folderName(useWorkbench(s => dumpOf(s.session, 'debug')?.root ?? ''))
  const answer = useUnitQuery({
    steps: ['dumps', 'states'],
    key: ['node', file],
    load: (here, signal) => engine.node({ ...here, at: { debug: file } }, signal),
    keep: true,
  })
  return (
    <section className="values-whole" data-testid="values" aria-label={say('inspector.values')}>
      <ul className="values-sides">
        {sides.map(({ side, name, root }) => (
          <li key={side} className="row" title={root}>
            <span className={`zone-dot ${side}`} />
            {sides.length > 1 ? <span className="dim">{say(`side.${side}`)}</span> : null}
            <strong>{name}</strong>
          </li>
        ))}
      </ul>
      <div className="values-columns">
        <Answered
          answer={answer}
          skeleton={{ rows: 14, height: 18 }}
          renderValue={node => <Values node={node} row={null} />}
        />
      </div>
    </section>
  )
}
