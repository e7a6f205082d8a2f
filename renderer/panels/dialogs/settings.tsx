// Settings: looks, language, density, zoom.
import type { JSX } from 'react'
import { run, zoomBy } from '../../state/commands.ts'
import { changeSettings } from '../../state/settings.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Bucket } from '../../ui/bits.tsx'
import { Button, Check, Dialog, Toggle } from '../../ui/controls.tsx'
import './dialogs.css'

export default function SettingsDialog({ onClose }: { onClose(): void }): JSX.Element {
  const say = useSay()
  const settings = useWorkbench(s => s.settings)
  return (
    <Dialog title={say('settings.title')} width={520} onClose={onClose} foot={<Button onPress={() => run('reset-layout')}>{say('command.reset-layout')}</Button>}>
      <div className="settings-rows">
        <div className="settings-row"><span>{say('menu.theme')}</span><span className="row">{(['system', 'light', 'dark'] as const).map(theme => <Toggle key={theme} className="chip" on={settings?.theme === theme} onChange={() => void changeSettings({ theme })}>{say(`menu.theme.${theme}`)}</Toggle>)}</span></div>
        <div className="settings-row"><span>{say('menu.language')}</span><span className="row">{(['system', 'en', 'zh'] as const).map(language => <Toggle key={language} className="chip" on={settings?.language === language} onChange={() => void changeSettings({ language })}>{say(`menu.language.${language}`)}</Toggle>)}</span></div>
        <div className="settings-row"><span>{say('settings.density')}</span><span className="row">{(['compact', 'comfortable'] as const).map(density => <Toggle key={density} className="chip" on={settings?.density === density} onChange={() => void changeSettings({ density })}>{say(`settings.${density}`)}</Toggle>)}</span></div>
        <div className="settings-row"><span>{say('settings.zoom')}</span><span className="row"><Button small icon="minus" label={say('command.zoom-out')} onPress={() => void zoomBy(1 / 1.1)} /><span className="num">{`${Math.round((settings?.zoom ?? 1) * 100)} %`}</span><Button small icon="plus" label={say('command.zoom-in')} onPress={() => void zoomBy(1.1)} /></span></div>
        <div className="settings-row"><Check on={settings?.safeColours === true} onChange={safeColours => void changeSettings({ safeColours })}>{say('command.safe-colours')}</Check><span className="row" style={{ gap: 3 }}>{[0, 1, 2, 3, 4, 5].map(b => <Bucket key={b} bucket={b} />)}</span></div>
        <p className="faint small">{say('settings.note')}</p>
      </div>
    </Dialog>
  )
}
