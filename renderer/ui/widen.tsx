// A panel at the side may fill the window.
import type { JSX } from 'react'
import { widenPanel } from '../state/settings.ts'
import { useWorkbench, wideSide, type Pane } from '../state/workbench.ts'
import { Toggle } from './controls.tsx'

export function Widen({
  panel,
  label,
  testId,
}: {
  readonly panel: Pane
  readonly label: string
  readonly testId: string
}): JSX.Element {
  const wide = useWorkbench(s => wideSide(s.layout) === panel)
  return <Toggle on={wide} icon="wide" label={label} testId={testId} onChange={on => widenPanel(panel, on)} />
}
