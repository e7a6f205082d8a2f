// The node of the other side: where its name does not say which it is, or where only the advisor pairs the two,
// which becomes a rule by one click.
import { useState, type JSX } from 'react'
import type { Finding, MappingChange } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { run } from '../../state/commands.ts'
import { addRules, changeText } from '../../state/mapping.ts'
import { matchNodes } from '../../state/matching.ts'
import { shortName } from '../../state/names.ts'
import { valueOf } from '../../state/query.ts'
import { select } from '../../state/selection.ts'
import { useUnitQuery } from '../../state/unit-query.ts'
import { useSay } from '../../state/words.ts'
import { nodeOn, otherSide } from '../../state/workbench.ts'
import { WholeName } from '../../ui/bits.tsx'
import { Button } from '../../ui/controls.tsx'

export function Partner({ finding }: { readonly finding: Finding }): JSX.Element | null {
  const say = useSay()
  const { node, partner, side } = finding
  const [debug, bench] = side === 'debug' ? [node, partner] : [partner, node]
  const rule = valueOf(
    useUnitQuery({
      steps: ['findings', 'pairs'],
      key: partner === '' ? null : ['rule', debug, bench],
      load: (here, signal) => engine.mappingRule({ ...here, debug, bench }, signal),
    }),
  )
  const open = rule && !rule.paired ? rule : null
  if (partner === '' || (partner === node && !open)) return null
  return (
    <div {...(open ? { className: 'only-advised', 'data-testid': 'only-advised' } : {})}>
      <p className="small dim">
        {say(open ? 'advisor.against-alone' : 'advisor.against')}{' '}
        <button
          type="button"
          className="link"
          title={partner}
          onClick={() => select(nodeOn(otherSide(side), partner), 'advisor')}
        >
          <WholeName text={shortName(partner)} />
        </button>
      </p>
      {open?.part ? <p className="small only-part">{say('mapping.reason.part')}</p> : null}
      {open ? <MakeRule changes={open.changes} debug={debug} bench={bench} /> : null}
    </div>
  )
}

function MakeRule({
  changes,
  debug,
  bench,
}: {
  readonly changes: readonly MappingChange[]
  readonly debug: string
  readonly bench: string
}): JSX.Element {
  const say = useSay()
  const [busy, setBusy] = useState(false)
  const some = changes.length > 0
  const make = async (): Promise<void> => {
    setBusy(true)
    if (some) {
      await addRules(changes)
      run('panel-mapping')
    } else await matchNodes(debug, bench, true)
    setBusy(false)
  }
  return (
    <Button
      small
      icon="link"
      testId="make-rule"
      disabled={busy}
      label={changes.map(one => changeText(say, one)).join('\n')}
      onPress={() => void make()}
    >
      {say(some ? 'mapping.rule.make' : 'mapping.rule.match')}
    </Button>
  )
}
