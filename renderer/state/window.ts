// What belongs to the window as a whole: its title, keys, the system's menu, and what is dropped anywhere.
import { useEffect, useRef, useState } from 'react'
import { canRun, commandFor, commands, run } from './commands.ts'
import { host } from './host.ts'
import { chordOf, isTyping } from './keys.ts'
import { titleOf } from './sessions.ts'
import { dropPlaces, openDropped, type DropPlace } from './sides.ts'
import { useSay } from './words.ts'
import { now, useWorkbench } from './workbench.ts'

export function useTitle(): void {
  const say = useSay()
  const title = useWorkbench(s => (s.session ? titleOf(s.session) : ''))
  useEffect(() => {
    document.title = title === '' ? say('frame.name') : `${title} – ${say('frame.name')}`
  }, [title, say])
}

export function useKeys(): void {
  useEffect(() => {
    const onKey = (e: KeyboardEvent): void => {
      if (e.defaultPrevented || e.isComposing) return
      const inDialog = document.querySelector('.overlay, .popover:not(.search-hits)') !== null
      const target = e.target instanceof HTMLElement ? e.target : null
      const inGraph =
        !inDialog &&
        (target === document.body ||
          target === null ||
          target.closest('[data-pane="graph"] .graph-side') !== null)
      const found = commandFor(chordOf(e), inGraph, isTyping(e.target))
      if (!found || (inDialog && !['palette', 'keys', 'settings'].includes(found.id))) return
      if (found.id === 'undo' || found.id === 'redo') {
        if (isTyping(e.target)) return
      }
      e.preventDefault()
      void found.run()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

/** Commands of the system's menu, and which of them make sense now. */
export function useMenu(): void {
  const disabled = useWorkbench(s =>
    commands
      .filter(c => !canRun(c, s))
      .map(c => c.id)
      .join(' '),
  )
  useEffect(
    () =>
      host().onEvent(event => {
        if (event.is === 'command') run(event.id)
      }),
    [],
  )
  useEffect(() => {
    void host().menu({ disabled: disabled.split(' ').filter(Boolean) })
  }, [disabled])
}

/** What is dragged over the window: where it would land, and whether it is more than one thing. */
export interface Dropping {
  readonly on: DropPlace
  readonly several: boolean
}

/** Below this share of the window lies the place of what replaces everything. */
const sidesEnd = 0.7

/** The side that something belongs to by what lies under the pointer, else by the half that it is in. */
function placeUnder(e: DragEvent): DropPlace {
  const places = dropPlaces(now())
  const [only] = places
  if (places.length === 1 && only) return only
  const { target } = e
  const under = target instanceof Element ? target.closest('[data-drop-side]') : null
  const named = places.find(place => place === under?.getAttribute('data-drop-side'))
  if (named) return named
  if (e.clientY > window.innerHeight * sidesEnd || !places.includes('bench')) return 'new'
  return places.includes('debug') && e.clientX < window.innerWidth / 2 ? 'debug' : 'bench'
}

/** Files and folders dropped anywhere; the two zones of the empty state take their own. */
export function useDrops(): Dropping | null {
  const [dropping, setDropping] = useState<Dropping | null>(null)
  const depth = useRef(0)
  useEffect(() => {
    const files = (e: DragEvent): boolean => e.dataTransfer?.types.includes('Files') === true
    const enter = (e: DragEvent): void => {
      if (files(e)) depth.current++
    }
    const leave = (e: DragEvent): void => {
      if (files(e) && --depth.current <= 0) {
        depth.current = 0
        setDropping(null)
      }
    }
    const above = (e: DragEvent): void => {
      if (!files(e)) return
      e.preventDefault()
      const next = { on: placeUnder(e), several: (e.dataTransfer?.items.length ?? 0) > 1 }
      setDropping(old => (old?.on === next.on && old.several === next.several ? old : next))
    }
    const drop = (e: DragEvent): void => {
      if (!files(e)) return
      depth.current = 0
      setDropping(null)
      if (e.defaultPrevented) return
      e.preventDefault()
      const paths = host().pathsOf([...(e.dataTransfer?.files ?? [])])
      void openDropped(paths.filter(Boolean), placeUnder(e))
    }
    window.addEventListener('dragenter', enter)
    window.addEventListener('dragleave', leave)
    window.addEventListener('dragover', above)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragenter', enter)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('dragover', above)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return dropping
}
