// What the user notes on a node, and whether it is pinned.
import type { JSX } from 'react'
import type { NodeRef } from '../../../preload/contract/engine.ts'
import { changeNote, noteOn } from '../../state/notes.ts'
import { useSay } from '../../state/words.ts'
import { nodeName, useWorkbench } from '../../state/workbench.ts'
import { Toggle } from '../../ui/controls.tsx'

const longest = 4000

export function Pin({ at }: { readonly at: NodeRef }): JSX.Element {
  const say = useSay()
  const pinned = useWorkbench(s => noteOn(s, at)?.pinned === true)
  return (
    <Toggle
      on={pinned}
      icon="pin"
      label={say('note.pin')}
      testId="pin"
      onChange={on => changeNote(at, { pinned: on })}
    />
  )
}

export function Note({ at }: { readonly at: NodeRef }): JSX.Element {
  const say = useSay()
  const text = useWorkbench(s => noteOn(s, at)?.text ?? '')
  return (
    <details key={nodeName(at)} className="matching small" open={text !== ''} data-testid="note">
      <summary>{say('note.title')}</summary>
      <textarea
        className="field note-text"
        rows={3}
        maxLength={longest}
        value={text}
        aria-label={say('note.title')}
        placeholder={say('note.placeholder')}
        onChange={e => changeNote(at, { text: e.target.value })}
      />
    </details>
  )
}
