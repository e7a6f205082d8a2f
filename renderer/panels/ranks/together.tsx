// Ranks that hold one model put together before they are compared, and ranks that meet others than their numbers say.
import { useState, type JSX } from 'react'
import { type ParallelSizes, type Side, type Together, usualOrder } from '../../../preload/contract/engine.ts'
import { putTogether } from '../../state/sessions.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button } from '../../ui/controls.tsx'
import { SizeField } from '../../ui/size-field.tsx'
import { ReadGroups } from './groups.tsx'

const sizes = ['tp', 'pp', 'vpp', 'cp'] as const
const sides: readonly Side[] = ['debug', 'bench']
const alone: ParallelSizes = { tp: 1, pp: 1, vpp: 1, cp: 1, order: usualOrder }
const plain: Together = { debug: null, bench: null, rules: '', pairs: '' }

const isAlone = ({ tp, pp, vpp }: ParallelSizes): boolean => tp * pp * vpp === 1

/** Null where nothing is asked for. Sides are put together both or not at all. */
function askedOf({ debug, bench, rules, pairs = '' }: Together): Together | null {
  const [mine, theirs] = [debug ?? alone, bench ?? alone]
  const merges = !isAlone(mine) || !isAlone(theirs)
  if (!merges && pairs.trim() === '') return null
  return merges ? { debug: mine, bench: theirs, rules, pairs } : { ...plain, pairs }
}

export function TogetherForm({ onClose }: { onClose(): void }): JSX.Element {
  const say = useSay()
  const inForce = useWorkbench(s => s.together)
  const [draft, setDraft] = useState<Together>(inForce ?? plain)
  const order = draft.debug?.order ?? usualOrder
  const setSide = (side: Side, change: Partial<ParallelSizes>): void =>
    setDraft({ ...draft, [side]: { ...(draft[side] ?? alone), ...change } })
  return (
    <section className="ranks-together" data-testid="ranks-together" aria-label={say('ranks.together')}>
      <p className="small dim">{say('ranks.together.hint')}</p>
      <div className="row wrap">
        {sides.map(side => (
          <fieldset key={side} className="row">
            <legend className="small">{say(`side.${side}`)}</legend>
            {sizes.map(of => (
              <SizeField
                key={of}
                of={of}
                size={draft[side]?.[of] ?? 1}
                testId={`together-${side}-${of}`}
                onSize={size => setSide(side, { [of]: size })}
              />
            ))}
            <ReadGroups
              side={side}
              onRead={({ tp, pp, cp, order: found }) => setSide(side, { tp, pp, cp, order: found })}
            />
          </fieldset>
        ))}
        <label className="column small">
          {say('ranks.together.order')}
          <input
            className="entry"
            value={order}
            spellCheck={false}
            data-testid="together-order"
            onChange={e => {
              const { value } = e.currentTarget
              setDraft({
                ...draft,
                debug: { ...(draft.debug ?? alone), order: value },
                bench: { ...(draft.bench ?? alone), order: value },
              })
            }}
          />
        </label>
        <label className="column small grow">
          {say('ranks.together.pairs')}
          <input
            className="entry"
            value={draft.pairs ?? ''}
            spellCheck={false}
            placeholder="0=4, 1-3=5-7"
            data-testid="together-pairs"
            onChange={e => setDraft({ ...draft, pairs: e.currentTarget.value })}
          />
        </label>
      </div>
      <label className="column small">
        {say('ranks.together.rules')}
        <textarea
          className="entry"
          rows={4}
          value={draft.rules}
          spellCheck={false}
          placeholder={'linear_qkv:\n  parameters.weight: 0 in 3\n  output.0: last'}
          data-testid="together-rules"
          onChange={e => setDraft({ ...draft, rules: e.currentTarget.value })}
        />
      </label>
      <div className="row">
        <Button
          small
          look="primary"
          testId="together-apply"
          onPress={() => {
            onClose()
            void putTogether(askedOf(draft))
          }}
        >
          {say('ranks.together.apply')}
        </Button>
        <Button
          small
          testId="together-reset"
          disabled={inForce === null}
          onPress={() => {
            onClose()
            void putTogether(null)
          }}
        >
          {say('ranks.together.reset')}
        </Button>
        <Button small look="quiet" onPress={onClose}>
          {say('frame.cancel')}
        </Button>
      </div>
    </section>
  )
}
