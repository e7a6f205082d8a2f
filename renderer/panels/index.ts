// The table of panels. A side panel gets its place in the rail by standing here.
import { lazy, type ComponentType } from 'react'
import type { SessionInfo } from '../../preload/contract/engine.ts'
import type { WordKey } from '../../preload/contract/words/index.ts'
import { begin } from '../state/idle.ts'
import type { IconName } from '../ui/icons.tsx'

export interface SidePanel {
  readonly id: string
  readonly icon: IconName
  readonly words: WordKey
  readonly when: (session: SessionInfo) => boolean
  readonly show: ComponentType
}

const always = (): boolean => true

/** A panel's code comes when it is first shown; until then the window is not at rest. */
const panel = (load: () => Promise<{ readonly default: ComponentType }>): ComponentType => lazy(() => { const done = begin('panel'); return load().finally(done) })

export const sidePanels: readonly SidePanel[] = [
  { id: 'advisor', icon: 'advisor', words: 'advisor.title', when: always, show: panel(() => import('./advisor/index.tsx')) },
  { id: 'nodes', icon: 'nodes', words: 'nodes.title', when: always, show: panel(() => import('./nodes/index.tsx')) },
]

export const GraphPanel = panel(() => import('./graph/index.tsx'))
export const GridPanel = panel(() => import('./grid/index.tsx'))
export const InspectorPanel = panel(() => import('./inspector/index.tsx'))
