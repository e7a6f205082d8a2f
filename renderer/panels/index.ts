// The table of panels: one row is all that a panel needs beside its folder and its words.
import type { ComponentType } from 'react'
import type { PlainKey } from '../../preload/contract/words/index.ts'
import type { IconName } from '../ui/icons.tsx'
import { lazily } from '../ui/lazily.ts'

/**
 * Its command is `panel-<id>`, that of the keyboard's way to it `focus-<id>`; an entry of the system's menu is a
 * line with that id in preload/contract/commands.ts. Whether it has something to show is asked of the study.
 */
export interface PanelRow {
  readonly id: string
  readonly title: PlainKey
  readonly keys?: readonly string[]
  readonly show: ComponentType
}

/** One of these at a time, chosen in the rail. */
export interface SidePanel extends PanelRow {
  readonly icon: IconName
}

/** These stand beside each other and can each be hidden. */
export interface PanePanel extends PanelRow {
  readonly min: string
  /** A first size: a share of the room, or pixels. */
  readonly size?: string
}

export const sidePanels: readonly SidePanel[] = [
  {
    id: 'advisor',
    title: 'advisor.title',
    icon: 'advisor',
    show: lazily(() => import('./advisor/index.tsx')),
  },
  {
    id: 'mapping',
    title: 'mapping.title',
    icon: 'mapping',
    show: lazily(() => import('./mapping/index.tsx')),
  },
  { id: 'nodes', title: 'nodes.title', icon: 'nodes', show: lazily(() => import('./nodes/index.tsx')) },
  { id: 'units', title: 'ranks.title', icon: 'ranks', show: lazily(() => import('./ranks/index.tsx')) },
  { id: 'collect', title: 'collect.title', icon: 'file', show: lazily(() => import('./collect/index.tsx')) },
  { id: 'script', title: 'script.title', icon: 'code', show: lazily(() => import('./script/index.tsx')) },
  {
    id: 'overflow',
    title: 'overflow.title',
    icon: 'alert',
    show: lazily(() => import('./overflow/index.tsx')),
  },
  {
    id: 'precheck',
    title: 'verdicts.title',
    icon: 'check',
    show: lazily(() => import('./verdicts/index.tsx')),
  },
  {
    id: 'overtime',
    title: 'series.title',
    icon: 'clock',
    show: lazily(() => import('./series/over-time.tsx')),
  },
]

/** Each of these has the window to itself. */
export const wholePanels: readonly PanelRow[] = [
  { id: 'values', title: 'inspector.values', show: lazily(() => import('./inspector/whole.tsx')) },
  { id: 'verdicts', title: 'verdicts.title', show: lazily(() => import('./verdicts/index.tsx')) },
  { id: 'series', title: 'series.title', show: lazily(() => import('./series/index.tsx')) },
  { id: 'ranks', title: 'ranks.title', show: lazily(() => import('./ranks/index.tsx')) },
  { id: 'sheets', title: 'sheets.title', show: lazily(() => import('./sheets/index.tsx')) },
]

/** Below each other in the middle of the window. */
export const centrePanels: readonly PanePanel[] = [
  {
    id: 'graph',
    title: 'graph.title',
    keys: ['Mod+G'],
    min: '120px',
    size: '62%',
    show: lazily(() => import('./graph/index.tsx')),
  },
  { id: 'grid', title: 'grid.title', min: '110px', show: lazily(() => import('./grid/index.tsx')) },
]

/** At the right edge. */
export const edgePanels: readonly PanePanel[] = [
  {
    id: 'inspector',
    title: 'inspector.title',
    min: '230px',
    show: lazily(() => import('./inspector/index.tsx')),
  },
]
