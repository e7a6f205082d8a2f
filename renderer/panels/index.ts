// The table of panels. A side panel gets its place in the rail by standing here.
import type { ComponentType } from 'react'
import type { SessionInfo } from '../../preload/contract/engine.ts'
import type { WordKey } from '../../preload/contract/words/index.ts'
import type { IconName } from '../ui/icons.tsx'
import { lazily } from '../ui/lazily.ts'

export interface SidePanel {
  readonly id: string
  readonly icon: IconName
  readonly words: WordKey
  readonly when: (session: SessionInfo) => boolean
  readonly show: ComponentType
}

const always = (): boolean => true

export const sidePanels: readonly SidePanel[] = [
  { id: 'advisor', icon: 'advisor', words: 'advisor.title', when: always, show: lazily(() => import('./advisor/index.tsx')) },
  { id: 'mapping', icon: 'mapping', words: 'mapping.title', when: session => session.kind === 'compare', show: lazily(() => import('./mapping/index.tsx')) },
  { id: 'nodes', icon: 'nodes', words: 'nodes.title', when: always, show: lazily(() => import('./nodes/index.tsx')) },
]

export const GraphPanel = lazily(() => import('./graph/index.tsx'))
export const GridPanel = lazily(() => import('./grid/index.tsx'))
export const InspectorPanel = lazily(() => import('./inspector/index.tsx'))
