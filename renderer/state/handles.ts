// What panels can do for commands while they are on screen. Each registers on mounting and takes itself back
// on leaving.
import type { NodeRef, Side } from '../../preload/contract/engine.ts'

interface GraphHandle {
  zoom(factor: number): void
  move(dx: number, dy: number): void
  fit(): void
  /** What is selected stays in place, or comes into the middle, when the next drawing is there. */
  hold?(): void
  actual(): void
  /** Opens or closes the selected node. */
  toggle(): void
  /** A step in the drawing itself; without it one walks the hierarchy. */
  step?(to: 'above' | 'below' | 'parent' | 'child'): boolean
  /** The drawing of a side, all of it as it is open now. */
  picture(side: Side): Promise<{ readonly svg: string; readonly width: number; readonly height: number }>
  focus(): void
}

interface GridHandle {
  autosize(): void
  chooseColumns(): void
  focus(): void
  copy(as: CopyForm): Promise<void>
  /** Finds the rows of a node, or the one row, that will be selected next. */
  prepare(at: NodeRef, row: number | null): Promise<void>
}

interface SearchHandle {
  focus(): void
}
interface MappingHandle {
  save(): void
  undo(): boolean
  redo(): boolean
}

export const copyForms = ['cell', 'tsv', 'csv', 'json', 'markdown', 'names', 'python'] as const
export type CopyForm = (typeof copyForms)[number]

interface QueryHandle {
  focus(): void
}

interface Handles {
  graph?: GraphHandle
  grid?: GridHandle
  search?: SearchHandle
  mapping?: MappingHandle
  ranksQuery?: QueryHandle
}

export const handles: Handles = {}

/** What a pane offers for taking the focus; null where its first button takes it. */
export const paneHandle = (pane: string): { focus(): void } | null =>
  ({ graph: handles.graph, grid: handles.grid })[pane] ?? null

/** Returns how to take it back. */
export function offerHandle<K extends keyof Handles>(name: K, handle: NonNullable<Handles[K]>): () => void {
  handles[name] = handle
  return () => {
    if (handles[name] === handle) delete handles[name]
  }
}
