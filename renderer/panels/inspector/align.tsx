// Tensors of unlike shapes, or whose elements lie in another order: how one is laid over the other, proposed and by hand.
import { useState, type JSX } from 'react'
import type { TensorAlignment, TensorProposal, TensorSpec } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { percent } from '../../state/format.ts'
import { valueOf } from '../../state/query.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Section } from '../../ui/bits.tsx'
import { Button } from '../../ui/controls.tsx'
import { useLook, type Shown } from './look.ts'

const listed = (text: string): readonly number[] | null => {
  const parts = text
    .replaceAll(/[[\]()\s]/g, '')
    .split(',')
    .filter(part => part !== '')
  const numbers = parts.map(Number)
  return numbers.every(n => Number.isInteger(n) && n >= 0) ? numbers : null
}

const same = (a: readonly number[] | undefined, b: readonly number[] | undefined): boolean =>
  (a ?? []).join() === (b ?? []).join()

export function Align({
  shown,
  onAlign,
}: {
  readonly shown: Shown
  onAlign(align: TensorAlignment | null): void
}): JSX.Element | null {
  const say = useSay()
  const [open, setOpen] = useState(false)
  const answer = useLook('tensor-proposals', { ...shown, align: null }, [], (at, signal) =>
    engine.tensorProposals(at, signal),
  )
  const result = valueOf(answer)
  if (!result?.ok) return null
  const { debug, bench, proposals } = result.value
  if (!debug || !bench) return null
  const unlike = !same(debug.shape, bench.shape)
  // Of equal shapes another order is only worth a word where it fits.
  const worthy = unlike ? proposals : proposals.filter(({ agree }) => agree > 0.98)
  if (!unlike && worthy.length === 0 && !open && shown.align === null)
    return (
      <div className="row align-open">
        <Button look="quiet" small icon="swap" testId="align-open" onPress={() => setOpen(true)}>
          {say('values.align.open')}
        </Button>
      </div>
    )
  return (
    <Section title={say(unlike ? 'values.align.unlike' : 'values.align')}>
      <Proposals debug={debug} bench={bench} proposals={worthy} align={shown.align} onAlign={onAlign} />
      <ByHand rank={bench.shape.length} onAlign={onAlign} />
    </Section>
  )
}

function Proposals({
  debug,
  bench,
  proposals,
  align,
  onAlign,
}: {
  readonly debug: TensorSpec
  readonly bench: TensorSpec
  readonly proposals: readonly TensorProposal[]
  readonly align: TensorAlignment | null
  onAlign(align: TensorAlignment | null): void
}): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const text = ({ axes, shape }: TensorAlignment): string =>
    [
      axes ? say('values.align.axes', { axes: axes.join(', ') }) : '',
      shape ? say('values.align.shape', { shape: shape.join(', ') }) : '',
    ]
      .filter(part => part !== '')
      .join(' · ')
  return (
    <>
      <p className="small dim num">{`[${debug.shape.join(', ')}] ↔ [${bench.shape.join(', ')}]`}</p>
      <div className="column" style={{ gap: 3 }} role="group" aria-label={say('values.align')}>
        {proposals.map(one => {
          const on = align !== null && same(one.axes, align.axes) && same(one.shape, align.shape)
          const { axes, shape } = one
          return (
            <button
              key={text(one)}
              type="button"
              className={`link small ${on ? 'on' : ''}`}
              aria-pressed={on}
              data-testid="proposal"
              onClick={() => onAlign(on ? null : { ...(axes && { axes }), ...(shape && { shape }) })}
            >
              {say('values.align.agree', { way: text(one), share: percent(language, one.agree, 1) })}
            </button>
          )
        })}
        {proposals.length === 0 ? <span className="small dim">{say('values.align.none')}</span> : null}
        {align ? (
          <span className="row small">
            <span>{say('values.align.now', { way: text(align) })}</span>
            <Button
              small
              look="quiet"
              icon="close"
              label={say('values.align.undo')}
              onPress={() => onAlign(null)}
            />
          </span>
        ) : null}
      </div>
    </>
  )
}

function ByHand({
  rank,
  onAlign,
}: {
  readonly rank: number
  onAlign(align: TensorAlignment | null): void
}): JSX.Element {
  const say = useSay()
  const [texts, setTexts] = useState({ axes: '', shape: '' })
  const [axes, shape] = [listed(texts.axes), listed(texts.shape)]
  const isOrder =
    axes !== null &&
    (axes.length === 0 ||
      axes.toSorted((a, b) => a - b).join() === Array.from({ length: rank }, (_, i) => i).join())
  const fits = isOrder && shape !== null && (axes.length > 0 || shape.length > 0)
  return (
    <form
      className="row wrap small align-hand"
      onSubmit={e => {
        e.preventDefault()
        if (fits) onAlign({ ...(axes.length > 0 && { axes }), ...(shape.length > 0 && { shape }) })
      }}
    >
      {(['axes', 'shape'] as const).map(name => (
        <label key={name} className="row dim">
          {say(`values.align.${name}-label`)}
          <input
            className="field small num"
            value={texts[name]}
            placeholder={
              name === 'axes' ? Array.from({ length: rank }, (_, i) => rank - 1 - i).join(', ') : ''
            }
            data-testid={`align-${name}`}
            onChange={e => setTexts({ ...texts, [name]: e.target.value })}
          />
        </label>
      ))}
      <Button
        small
        disabled={!fits}
        testId="align-apply"
        onPress={() =>
          fits && onAlign({ ...(axes.length > 0 && { axes }), ...(shape.length > 0 && { shape }) })
        }
      >
        {say('values.align.apply')}
      </Button>
    </form>
  )
}
