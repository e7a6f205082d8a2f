// Rules and thresholds of the open comparison; a change re-judges without reading a file again.
import { useState, type JSX } from 'react'
import {
  reachedLimits,
  rulesNames,
  type SessionInfo,
  type Thresholds,
} from '../../../preload/contract/engine.ts'
import { setOptions } from '../../state/sessions.ts'
import { changeLayout } from '../../state/settings.ts'
import { recomputes } from '../../state/study.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button, Check, Dialog } from '../../ui/controls.tsx'
import { NumberRow } from '../../ui/number-row.tsx'
import { Choice } from './choice.tsx'
import './dialogs.css'

type Options = SessionInfo['options']

const noise = [
  'floor32',
  'floor16',
  'floorBrain',
  'gainForward',
  'gainBackward',
  'gainSteep',
  'margin',
  'window',
  'classShare',
  'weightShare',
  'reducedProduct',
  'argument',
  'clearJump',
] as const satisfies readonly Exclude<keyof Thresholds, 'tolerance'>[]

export default function ThresholdsDialog({ onClose }: { onClose(): void }): JSX.Element | null {
  const say = useSay()
  const session = useWorkbench(s => s.session)
  const [first] = useState(session?.options.thresholds)
  const limit = useWorkbench(s => s.layout.recomputeLimit)
  const [firstLimit] = useState(limit)
  const [undone, setUndone] = useState(0)
  if (!session || !first) return null
  const { thresholds } = session.options
  return (
    <Dialog
      title={say('thresholds.title')}
      width={560}
      onClose={onClose}
      foot={
        <>
          <Button
            disabled={JSON.stringify(first) === JSON.stringify(thresholds) && limit === firstLimit}
            onPress={() => {
              setUndone(undone + 1)
              changeLayout({ recomputeLimit: firstLimit })
              void setOptions({ thresholds: first })
            }}
          >
            {say('thresholds.back')}
          </Button>
          <Button look="primary" onPress={onClose}>
            {say('frame.done')}
          </Button>
        </>
      }
    >
      <Rows key={undone} options={session.options} tensors={session.mode === 'tensor'} />
    </Dialog>
  )
}

interface RowsProps {
  readonly options: Options
  readonly tensors: boolean
}

function Rows({ options, tensors }: RowsProps): JSX.Element {
  const say = useSay()
  const { thresholds, rules, fuzzy } = options
  const change = (field: keyof Thresholds, value: number): void =>
    void setOptions({ thresholds: { ...thresholds, [field]: value } })
  return (
    <div className="settings-rows">
      <Choice
        title={say('toolbar.rules')}
        values={rulesNames}
        at={rules}
        nameOf={name => say(`rules.${name}`)}
        onChoose={name => void setOptions({ rules: name })}
      />
      <Check on={fuzzy} onChange={on => void setOptions({ fuzzy: on })}>
        {say('toolbar.fuzzy')}
      </Check>
      <h3 className="section-title">{say('thresholds.rows')}</h3>
      <Threshold
        field="tolerance"
        value={thresholds.tolerance}
        least={0}
        onChange={value => change('tolerance', value)}
      />
      <details className="settings-rows">
        <summary className="section-title">{say('thresholds.advisor')}</summary>
        {noise.map(field => (
          <Threshold
            key={field}
            field={field}
            value={thresholds[field]}
            least={field === 'window' ? 1 : Number.MIN_VALUE}
            onChange={value => change(field, value)}
          />
        ))}
      </details>
      <RecomputeLimit />
      {tensors ? <Reached /> : null}
      <p className="faint small">{say('thresholds.note')}</p>
    </div>
  )
}

/** Counts for what is recomputed from then on. */
function RecomputeLimit(): JSX.Element | null {
  const say = useSay()
  const limit = useWorkbench(s => s.layout.recomputeLimit)
  const there = useWorkbench(s => recomputes(s.session))
  if (!there) return null
  return (
    <section className="settings-rows">
      <h3 className="section-title">{say('command.recompute')}</h3>
      <Threshold
        field="recomputeLimit"
        value={limit}
        least={1}
        onChange={recomputeLimit => changeLayout({ recomputeLimit })}
      />
    </section>
  )
}

/** What msprobe calls reached: its limits are its own, and nobody's to change. */
function Reached(): JSX.Element {
  const say = useSay()
  const { cosine, maxAbs } = reachedLimits
  return (
    <section className="settings-rows" data-testid="reached-limits">
      <h3 className="section-title">{say('thresholds.reached')}</h3>
      <p className="small">
        {say('thresholds.reached.alone', { cosine: cosine[0], maxAbs: maxAbs[0] })}
        <br />
        {say('thresholds.reached.both', { cosine: cosine[1], maxAbs: maxAbs[1] })}
      </p>
      <p className="faint small">{say('thresholds.reached.what')}</p>
    </section>
  )
}

function Threshold({
  field,
  value,
  least,
  onChange,
}: {
  readonly field: keyof Thresholds | 'recomputeLimit'
  readonly value: number
  readonly least: number
  onChange(value: number): void
}): JSX.Element {
  const say = useSay()
  return (
    <NumberRow
      title={say(`thresholds.${field}`)}
      what={say(`thresholds.${field}.what`)}
      value={value}
      least={least}
      onChange={onChange}
    />
  )
}
