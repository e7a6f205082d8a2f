// The table of panels. A side panel gets its place in the rail by standing here.
import { lazy, type ComponentType } from 'react'
import type { SessionInfo } from '../../preload/contract/engine.ts'
import type { WordKey } from '../../preload/contract/words/index.ts'
import type { IconName } from '../ui/icons.tsx'

export interface SidePanel {
  readonly id: string
  readonly icon: IconName
  readonly words: WordKey
  readonly when: (session: SessionInfo) => boolean
  readonly show: ComponentType
}

const always = (): boolean => true

export const sidePanels: readonly SidePanel[] = [
  { id: 'advisor', icon: 'advisor', words: 'advisor.title', when: always, show: lazy(() => import('./advisor/index.tsx')) },
  { id: 'nodes', icon: 'nodes', words: 'nodes.title', when: always, show: lazy(() => import('./nodes/index.tsx')) },
]

export const GraphPanel = lazy(() => import('./graph/index.tsx'))
export const GridPanel = lazy(() => import('./grid/index.tsx'))
export const InspectorPanel = lazy(() => import('./inspector/index.tsx'))
