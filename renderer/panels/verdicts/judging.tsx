// By what details are judged: of which generation they are where they do not say so, and limits of the user's own.
import { useState, type JSX } from 'react'
import { precheckGenerations, verdictLimits, type VerdictTable } from '../../../preload/contract/engine.ts'
import { changeLayout, foldPart } from '../../state/settings.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench, type Layout } from '../../state/workbench.ts'
import { Button, Toggle } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { NumberRow } from '../../ui/number-row.tsx'
import { Empty } from '../../ui/states.tsx'

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
  judging,
}: {
  readonly judging: NonNullable<VerdictTable['judging']>
}): JSX.Element {
  const open = useOpen()
  return (
    <>
      {judging.told ? null : <Answered />}
      {open ? <Limits usual={judging.limits} /> : null}
    </>
  )
}

/** Nobody knows yet by which rules to judge. */
export function useUntold(table: VerdictTable | undefined): boolean {
  const { generation } = useWish()
  return table?.judging?.told === false && generation === null
}

/** Nothing is judged before it is answered: the two judge otherwise. */
export function AskGeneration(): JSX.Element {
  const say = useSay()
  return (
    <div data-testid="verdicts-untold">
      <Empty icon="info" title={say('verdicts.untold')} action={<Generations />}>
        {say('verdicts.untold.what')}
      </Empty>
    </div>
  )
}

/** What was answered, to be changed. */
function Answered(): JSX.Element {
  const say = useSay()
  return (
    <div className="verdicts-untold row wrap small" role="group" data-testid="verdicts-answered">
      <Icon name="info" size={13} />
      <span className="grow">{say('verdicts.answered')}</span>
      <Generations />
    </div>
  )
}

function Generations(): JSX.Element {
  const say = useSay()
  const wish = useWish()
  return (
    <span className="row wrap">
      {precheckGenerations.map(one => (
        <Toggle
          key={one}
          className="chip"
          on={wish.generation === one}
          testId={`verdicts-generation-${one}`}
          onChange={() => changeLayout({ precheck: { ...wish, generation: one } })}
        >
          {say('verdicts.generation', { generation: one })}
        </Toggle>
      ))}
    </span>
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
