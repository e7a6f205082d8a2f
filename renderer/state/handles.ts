// What panels can do for commands while they are on screen. Each registers on mounting and takes itself back on leaving.
import type { NodeRef, Side } from '../../preload/contract/engine.ts'

export interface GraphHandle {
  zoom(factor: number): void
  move(dx: number, dy: number): void
  fit(): void
  actual(): void
  /** Opens or closes the selected node. */
  toggle(): void
  /** A step in the drawing itself; without it one walks the hierarchy. */
  step?(to: 'above' | 'below' | 'parent' | 'child'): boolean
  /** The drawing of a side, all of it as it is open now. */
  picture(side: Side): Promise<{ readonly svg: string; readonly width: number; readonly height: number }>
  focus(): void
}

export interface GridHandle {
  autosize(): void
  chooseColumns(): void
  focus(): void
  copy(as: CopyForm): Promise<void>
  /** Finds the rows of a node that will be selected next. */
  prepare(at: NodeRef): Promise<void>
}

export interface SearchHandle { focus(): void }
export interface MappingHandle { save(): void; undo(): boolean; redo(): boolean }

export const copyForms = ['cell', 'tsv', 'csv', 'json', 'markdown', 'names', 'python'] as const
export type CopyForm = (typeof copyForms)[number]

interface Handles {
  graph?: GraphHandle
  grid?: GridHandle
  search?: SearchHandle
  mapping?: MappingHandle
  inspector?: { focus(): void }
}

export const handles: Handles = {}

/** Returns how to take it back. */
export function offerHandle<K extends keyof Handles>(name: K, handle: NonNullable<Handles[K]>): () => void {
  handles[name] = handle
  return () => { if (handles[name] === handle) delete handles[name] }
}
