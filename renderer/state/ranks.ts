// Many steps and ranks: of a dataset, which has the window to itself, or of an opened pair, beside its other panels.
import { panesOf } from './study.ts'
import { changeLayout, showPane } from './settings.ts'
import { now, type Workbench } from './workbench.ts'

export const hasRanks = (session: Workbench['session']): boolean =>
  panesOf(session).some(pane => pane === 'ranks' || pane === 'units')

/** Whether the cells are units of what is open. */
export const areUnits = (session: Workbench['session']): boolean => panesOf(session).includes('units')

/** The editor of questions, wherever steps and ranks are shown. */
export function showQuestions(): void {
  if (areUnits(now().session))
    changeLayout({ rail: 'units', shown: { ...now().layout.shown, side: true, query: true } })
  else showPane('query')
}
