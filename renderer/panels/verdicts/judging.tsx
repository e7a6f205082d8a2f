// By what details are judged: of which generation they are where they do not say so, and limits of the user's own.
import { useState, type JSX } from 'react'
import { precheckGenerations, verdictLimits, type VerdictTable } from '../../../preload/contract/engine.ts'
import { changeLayout, foldPart } from '../../state/settings.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench, type Layout } from '../../state/workbench.ts'
import { Button, Toggle } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { NumberRow } from '../../ui/number-row.tsx'

const part = 'verdict-limits'
const useOpen = (): boolean => useWorkbench(s => s.layout.folded[part] === false)
const useWish = (): Layout['precheck'] => useWorkbench(s => s.layout.precheck)

export function LimitsToggle(): JSX.Element {
  const say = useSay()
  const open = useOpen()
  const own = Object.keys(useWish().limits).length
  return (
    <Toggle className="button small" on={open} testId="verdicts-limits" onChange={on => foldPart(part, !on)}>
      {own > 0 ? say('verdicts.limits.own', { count: own }) : say('verdicts.limits')}
    </Toggle>
  )
}

export function Judging({
  table,
  judging,
}: {
  readonly table: VerdictTable
  readonly judging: NonNullable<VerdictTable['judging']>
}): JSX.Element {
  const open = useOpen()
  return (
    <>
      {judging.told ? null : <Generation table={table} />}
      {open ? <Limits usual={judging.limits} /> : null}
    </>
  )
}

/** Nothing is taken for granted: the two judge otherwise. */
function Generation({ table: { generation } }: { readonly table: VerdictTable }): JSX.Element {
  const say = useSay()
  const wish = useWish()
  return (
    <div className="verdicts-untold row wrap small" role="group" data-testid="verdicts-untold">
      <Icon name="info" size={13} />
      <span className="grow">{say('verdicts.untold')}</span>
      {precheckGenerations.map(one => (
        <Toggle
          key={one}
          className="chip"
          on={generation === one}
          testId={`verdicts-generation-${one}`}
          onChange={() => changeLayout({ precheck: { ...wish, generation: one } })}
        >
          {say('verdicts.generation', { generation: one })}
        </Toggle>
      ))}
    </div>
  )
}

function Limits({ usual }: { readonly usual: NonNullable<VerdictTable['judging']>['limits'] }): JSX.Element {
  const say = useSay()
  const wish = useWish()
  const own = Object.keys(wish.limits).length
  const [undone, setUndone] = useState(0)
  const set = (limits: Layout['precheck']['limits']): void => changeLayout({ precheck: { ...wish, limits } })
  return (
    <section className="verdicts-limits" aria-label={say('verdicts.limits')}>
      <p className="small dim">{say('verdicts.limits.what')}</p>
      <div className="verdicts-limit-rows" key={undone}>
        {verdictLimits.map(limit => (
          <NumberRow
            key={limit}
            title={say(`verdicts.limit.${limit}`)}
            value={wish.limits[limit] ?? usual[limit]}
            least={0}
            testId={`verdict-limit-${limit}`}
            onChange={value => {
              const { [limit]: _, ...others } = wish.limits
              set(value === usual[limit] ? others : { ...others, [limit]: value })
            }}
          />
        ))}
      </div>
      <div className="row">
        <Button
          small
          disabled={own === 0}
          testId="verdict-limits-usual"
          onPress={() => {
            setUndone(undone + 1)
            set({})
          }}
        >
          {say('verdicts.limits.usual')}
        </Button>
      </div>
    </section>
  )
}
