// Notes and pins on nodes: kept with the pair, marked in the graphs, listed, and written into the ticket.
import type { NodeRef, Side } from '../../preload/contract/engine.ts'
import { keepSoon } from './settings.ts'
import { nodeName, now, sameNode, set, type NodeNote, type Workbench } from './workbench.ts'

export const noteOn = ({ notes }: Workbench, at: NodeRef): NodeNote | undefined =>
  notes.find(note => sameNode(note.at, at))

/** Ids of the nodes of a side that carry a mark. */
export const notedOn = ({ notes }: Workbench, side: Side): ReadonlySet<string> =>
  new Set(notes.flatMap(({ at }) => at[side] ?? []))

/** A note without text and pin is none. */
export function changeNote(at: NodeRef, patch: Partial<Pick<NodeNote, 'text' | 'pinned'>>): void {
  const note: NodeNote = { text: '', pinned: false, ...noteOn(now(), at), at, ...patch }
  const others = now().notes.filter(other => !sameNode(other.at, at))
  set({ notes: note.text === '' && !note.pinned ? others : [...others, note] })
  keepSoon()
}

/** As they stand in a ticket. */
export const notesToWrite = (): readonly { readonly node: string; readonly text: string }[] =>
  now().notes.map(({ at, text }) => ({ node: nodeName(at), text }))

/** Reads what the last start left; anything odd is left out. */
export const readNotes = (given: unknown): readonly NodeNote[] =>
  Array.isArray(given)
    ? given.filter(
        (note): note is NodeNote =>
          typeof note === 'object' &&
          note !== null &&
          typeof note.text === 'string' &&
          typeof note.pinned === 'boolean' &&
          typeof note.at === 'object' &&
          note.at !== null,
      )
    : []
