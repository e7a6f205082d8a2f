// Rules and thresholds of the open comparison; a change re-judges without reading a file again.
import { useState, type JSX } from 'react'
import type { Rules, Thresholds } from '../../../preload/contract/engine.ts'
import { setOptions } from '../../state/sessions.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Button, Check, Dialog, Toggle } from '../../ui/controls.tsx'
import './dialogs.css'

const fields = ['relative', 'small32', 'smallAbsolute32', 'small16', 'smallAbsolute16'] as const satisfies readonly (keyof Thresholds)[]
const ruleSets = ['plumbline', 'msprobe-1.2.2', 'msprobe-26'] as const satisfies readonly Rules[]

export default function ThresholdsDialog({ onClose }: { onClose(): void }): JSX.Element | null {
  const say = useSay()
  const session = useWorkbench(s => s.session)
  const [first] = useState(session?.options.thresholds)
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  if (!session) return null
  const { thresholds, rules, fuzzy } = session.options
  const write = (field: keyof Thresholds, text: string): void => {
    setTexts({ ...texts, [field]: text })
    const value = Number(text)
    if (text.trim() !== '' && Number.isFinite(value) && value >= 0 && value !== thresholds[field]) void setOptions({ thresholds: { ...thresholds, [field]: value } })
  }
  const invalid = (field: keyof Thresholds): boolean => { const text = texts[field]; return text !== undefined && (text.trim() === '' || !Number.isFinite(Number(text)) || Number(text) < 0) }
  return (
    <Dialog title={say('thresholds.title')} width={560} onClose={onClose}
      foot={<><Button disabled={!first || JSON.stringify(first) === JSON.stringify(thresholds)} onPress={() => { setTexts({}); if (first) void setOptions({ thresholds: first }) }}>{say('thresholds.back')}</Button><Button look="primary" onPress={onClose}>{say('frame.done')}</Button></>}>
      <div className="settings-rows">
        <div className="settings-row"><span>{say('toolbar.rules')}</span><span className="row">{ruleSets.map(r => <Toggle key={r} className="chip" on={r === rules} onChange={() => void setOptions({ rules: r })}>{say(`rules.${r}`)}</Toggle>)}</span></div>
        <Check on={fuzzy} onChange={on => void setOptions({ fuzzy: on })}>{say('toolbar.fuzzy')}</Check>
        <h3 className="section-title">{say('thresholds.statistics')}</h3>
        {fields.map(field => (
          <label key={field} className="settings-row">
            <span className="column"><span>{say(`thresholds.${field}`)}</span><span className="faint small">{say(`thresholds.${field}.what`)}</span></span>
            <span className="field threshold" {...(invalid(field) ? { 'data-invalid': '' } : {})}><input inputMode="decimal" value={texts[field] ?? String(thresholds[field])} aria-invalid={invalid(field)} onChange={e => write(field, e.target.value)} /></span>
          </label>
        ))}
        <p className="faint small">{say('thresholds.note')}</p>
      </div>
    </Dialog>
  )
}
