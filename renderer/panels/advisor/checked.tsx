// The rules that were checked, and what became of each.
import type { JSX } from 'react'
import type { Checked } from '../../../preload/contract/engine.ts'
import { count } from '../../state/format.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Icon, type IconName } from '../../ui/icons.tsx'

const icons: Readonly<Record<Checked['state'], IconName>> = {
  fail: 'advisor',
  pass: 'check',
  'not-applicable': 'minus',
  stopped: 'alert',
}

export function CheckedRules({ checked }: { readonly checked: readonly Checked[] }): JSX.Element {
  const say = useSay()
  return (
    <details className="card checked" data-testid="checked">
      <summary className="card-kind">{say('checked.title', { rules: checked.length })}</summary>
      <ul>
        {checked.map(one => (
          <Rule key={one.rule} checked={one} />
        ))}
      </ul>
    </details>
  )
}

function Rule({ checked: { rule, state, looked, found, why } }: { readonly checked: Checked }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const counted =
    found > 0 ? say('checked.found', { found }) : say('checked.looked', { looked: count(language, looked) })
  return (
    <li className={`rule ${state}`} data-rule={rule} data-state={state}>
      <span className="rule-mark" title={say(`checked.${state}`)}>
        <Icon name={icons[state]} />
      </span>
      <span className="rule-name">{say(`rule.${rule}`)}</span>
      <span className="small dim rule-count">
        {state === 'not-applicable' || state === 'stopped' ? say(`checked.${state}`) : counted}
      </span>
      <span className="small dim rule-what">
        {state === 'stopped' ? say('checked.why', { why }) : say(`rule.${rule}.what`)}
      </span>
    </li>
  )
}
