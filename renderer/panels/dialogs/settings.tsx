// Settings: looks, language, density, zoom.
import type { JSX } from 'react'
import { run, zoomBy } from '../../state/commands.ts'
import { changeSettings } from '../../state/settings.ts'
import { useSay } from '../../state/words.ts'
import { useWorkbench } from '../../state/workbench.ts'
import { Bucket } from '../../ui/bits.tsx'
import { Button, Check, Dialog } from '../../ui/controls.tsx'
import { Choice } from './choice.tsx'
import { EditorRows } from './editor.tsx'
import './dialogs.css'

const themes = ['system', 'light', 'dark'] as const
const languages = ['system', 'en', 'zh'] as const
const densities = ['compact', 'comfortable'] as const

export default function SettingsDialog({ onClose }: { onClose(): void }): JSX.Element {
  const say = useSay()
  const settings = useWorkbench(s => s.settings)
  return (
    <Dialog
      title={say('settings.title')}
      width={520}
      onClose={onClose}
      foot={<Button onPress={() => run('reset-layout')}>{say('command.reset-layout')}</Button>}
    >
      <div className="settings-rows">
        <Choice
          title={say('menu.theme')}
          values={themes}
          at={settings?.theme}
          nameOf={theme => say(`menu.theme.${theme}`)}
          onChoose={theme => void changeSettings({ theme })}
        />
        <Choice
          title={say('menu.language')}
          values={languages}
          at={settings?.language}
          nameOf={language => say(`menu.language.${language}`)}
          onChoose={language => void changeSettings({ language })}
        />
        <Choice
          title={say('settings.density')}
          values={densities}
          at={settings?.density}
          nameOf={density => say(`settings.${density}`)}
          onChoose={density => void changeSettings({ density })}
        />
        <div className="settings-row">
          <span>{say('settings.zoom')}</span>
          <span className="row">
            <Button small icon="minus" label={say('command.zoom-out')} onPress={() => void zoomBy(1 / 1.1)} />
            <span className="num">{`${Math.round((settings?.zoom ?? 1) * 100)} %`}</span>
            <Button small icon="plus" label={say('command.zoom-in')} onPress={() => void zoomBy(1.1)} />
          </span>
        </div>
        <div className="settings-row">
          <Check
            on={settings?.safeColours === true}
            onChange={safeColours => void changeSettings({ safeColours })}
          >
            {say('command.safe-colours')}
          </Check>
          <span className="row" style={{ gap: 3 }}>
            {[0, 1, 2, 3, 4, 5].map(b => (
              <Bucket key={b} bucket={b} />
            ))}
          </span>
        </div>
        {settings ? <EditorRows editor={{ command: settings.editor, folders: settings.folders }} /> : null}
        <p className="faint small">{say('settings.note')}</p>
      </div>
    </Dialog>
  )
}
