// Rules and thresholds of the open comparison; a change re-judges without reading a file again.
import { useState, type JSX } from 'react'
import type { AdvisorThresholds, Rules, Thresholds } from '../../../preload/contract/engine.ts'
import { setOptions } from '../../state/sessions.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button, Check, Dialog, Toggle } from '../../ui/controls.tsx'
import './dialogs.css'

const statistics = ['relative', 'small32', 'smallAbsolute32', 'small16', 'smallAbsolute16'] as const satisfies readonly (keyof Thresholds)[]
const advisor = [
  'floor32', 'floor16', 'floorBrain', 'gainForward', 'gainBackward', 'gainSteep', 'margin', 'window', 'classShare', 'weightShare', 'reducedProduct', 'argument', 'clearJump',
] as const satisfies readonly (keyof AdvisorThresholds)[]
const ruleSets = ['plumbline', 'msprobe-1.2.2', 'msprobe-26'] as const satisfies readonly Rules[]

export default function ThresholdsDialog({ onClose }: { onClose(): void }): JSX.Element | null {
  const say = useSay()
  const session = useWorkbench(s => s.session)
  const [first] = useState(session && { thresholds: session.options.thresholds, advisor: session.options.advisor })
  const [undone, setUndone] = useState(0)
  if (!session || !first) return null
  const { thresholds, advisor: limits, rules, fuzzy } = session.options
  return (
    <Dialog title={say('thresholds.title')} width={560} onClose={onClose}
      foot={<><Button disabled={JSON.stringify(first) === JSON.stringify({ thresholds, advisor: limits })} onPress={() => { setUndone(undone + 1); void setOptions(first) }}>{say('thresholds.back')}</Button><Button look="primary" onPress={onClose}>{say('frame.done')}</Button></>}>
      <div key={undone} className="settings-rows">
        <div className="settings-row"><span>{say('toolbar.rules')}</span><span className="row">{ruleSets.map(r => <Toggle key={r} className="chip" on={r === rules} onChange={() => void setOptions({ rules: r })}>{say(`rules.${r}`)}</Toggle>)}</span></div>
        <Check on={fuzzy} onChange={on => void setOptions({ fuzzy: on })}>{say('toolbar.fuzzy')}</Check>
        <h3 className="section-title">{say('thresholds.statistics')}</h3>
        {statistics.map(field => <Threshold key={field} name={say(`thresholds.${field}`)} what={say(`thresholds.${field}.what`)} value={thresholds[field]} least={0}
          onChange={value => void setOptions({ thresholds: { ...thresholds, [field]: value } })} />)}
        <details className="settings-rows">
          <summary className="section-title">{say('thresholds.advisor')}</summary>
          {advisor.map(field => <Threshold key={field} name={say(`thresholds.${field}`)} what={say(`thresholds.${field}.what`)} value={limits[field]} least={field === 'window' ? 1 : Number.MIN_VALUE}
            onChange={value => void setOptions({ advisor: { ...limits, [field]: value } })} />)}
        </details>
        <p className="faint small">{say('thresholds.note')}</p>
      </div>
    </Dialog>
  )
}

function Threshold({ name, what, value, least, onChange }: { name: string; what: string; value: number; least: number; onChange(value: number): void }): JSX.Element {
  const [text, setText] = useState(short(value))
  const read = text.trim() === '' ? Number.NaN : Number(text)
  const valid = Number.isFinite(read) && read >= least
  const write = (next: string): void => {
    setText(next)
    const number = next.trim() === '' ? Number.NaN : Number(next)
    if (Number.isFinite(number) && number >= least && number !== value) onChange(number)
  }
  return (
    <label className="settings-row">
      <span className="column"><span>{name}</span><span className="faint small">{what}</span></span>
      <span className="field threshold" {...(valid ? {} : { 'data-invalid': '' })}><input inputMode="decimal" value={text} aria-invalid={!valid} onChange={e => write(e.target.value)} /></span>
    </label>
  )
}

/** Powers of two have many digits. */
const short = (value: number): string => String(Number(value.toPrecision(7)))
