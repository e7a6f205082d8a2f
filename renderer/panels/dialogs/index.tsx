// The dialogs of the window: about, palette, keys, export, settings, thresholds.
import { Suspense, type JSX } from 'react'
import { set, useWorkbench, type DialogName } from '../../state/workbench.ts'
import { lazily } from '../../ui/lazily.ts'

const AboutDialog = lazily(() => import('./about.tsx'))
const ExportDialog = lazily(() => import('./export.tsx'))
const KeysDialog = lazily(() => import('./keys.tsx'))
const PaletteDialog = lazily(() => import('./palette.tsx'))
const SettingsDialog = lazily(() => import('./settings.tsx'))
const ThresholdsDialog = lazily(() => import('./thresholds.tsx'))

const dialogs: Readonly<Partial<Record<DialogName, React.ComponentType<{ onClose(): void }>>>> = {
  about: AboutDialog,
  export: ExportDialog,
  keys: KeysDialog,
  palette: PaletteDialog,
  settings: SettingsDialog,
  thresholds: ThresholdsDialog,
}

export function Dialogs(): JSX.Element | null {
  const name = useWorkbench(s => s.dialog)
  const Shown = name ? dialogs[name] : undefined
  if (!Shown) return null
  return (
    <Suspense>
      <Shown
        onClose={() => {
          if (useWorkbench.getState().dialog === name) set({ dialog: null })
        }}
      />
    </Suspense>
  )
}
