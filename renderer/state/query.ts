// One hook for what the engine answers: newest wins, outdated is cancelled and dropped, equal questions are
// asked once.
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Problem } from '../../preload/contract/engine.ts'
import { isQuiet, problemOf } from '../engine.ts'
import { begin } from './idle.ts'

export interface Query<T> {
  /** Everything the answer depends on; null asks nothing. */
  readonly key: readonly (string | number | boolean | null | undefined)[] | null
  load(signal: AbortSignal): Promise<T>
  /** Show the last answer while the next one is on its way. */
  readonly keep?: boolean
}

export type Answer<T> =
  | { readonly is: 'none' }
  | { readonly is: 'loading'; readonly old?: T }
  | { readonly is: 'ready'; readonly value: T }
  | { readonly is: 'failed'; readonly problem: Problem; readonly old?: T }

interface Entry {
  readonly promise: Promise<unknown>
  readonly abort: AbortController
  users: number
  value?: { readonly is: unknown }
}

const kept = 24
const entries = new Map<string, Entry>()

function ask(key: string, load: (signal: AbortSignal) => Promise<unknown>): Entry {
  const known = entries.get(key)
  if (known) {
    entries.delete(key)
    entries.set(key, known)
    return known
  }
  const abort = new AbortController()
  const promise = load(abort.signal)
  const entry: Entry = { promise, abort, users: 0 }
  entries.set(key, entry)
  promise.then(
    is => {
      entry.value = { is }
    },
    () => {
      if (entries.get(key) === entry) entries.delete(key)
    },
  )
  for (const [old, { users }] of entries) {
    if (entries.size <= kept) break
    if (users === 0) entries.delete(old)
  }
  return entry
}

/** Asks ahead of whoever will show the answer. */
export function askAhead({ key, load }: Query<unknown>): void {
  if (key) ask(JSON.stringify(key), load).promise.catch(() => {})
}

function leave(key: string, entry: Entry): void {
  entry.users--
  if (entry.users > 0 || entry.value) return
  if (entries.get(key) === entry) entries.delete(key)
  entry.abort.abort()
}

const none = { is: 'none' } as const

/** The last value of an answer, fresh or old. */
export const valueOf = <T>(answer: Answer<T>): T | undefined =>
  answer.is === 'ready' ? answer.value : answer.is === 'none' ? undefined : answer.old

export function useQuery<T>({ key, load, keep }: Query<T>): Answer<T> {
  const id = key ? JSON.stringify(key) : null
  const known = id === null ? undefined : (entries.get(id)?.value as { readonly is: T } | undefined)
  const [state, setState] = useState<{ readonly id: string | null; readonly answer: Answer<T> }>({
    id: null,
    answer: none,
  })

  // React asks a moment after it has drawn; idle() must not take that moment for rest.
  const drawn = useRef(() => {})
  useLayoutEffect(() => {
    const done = begin('question')
    drawn.current = done
    return done
  }, [id])

  const loadNow = useEffectEvent((signal: AbortSignal) => load(signal))

  useEffect(() => {
    drawn.current()
    if (id === null) return undefined
    let current = true
    const entry = ask(id, signal => loadNow(signal))
    entry.users++
    entry.promise.then(
      value => {
        if (current) setState({ id, answer: { is: 'ready', value: value as T } })
      },
      error => {
        if (!current || isQuiet(error)) return
        setState(last => ({ id, answer: { is: 'failed', problem: problemOf(error), ...oldOf(last.answer) } }))
      },
    )
    return () => {
      current = false
      leave(id, entry)
    }
  }, [id])

  if (id === null) return none
  if (state.id === id) return state.answer
  if (known) return { is: 'ready', value: known.is }
  return keep ? { is: 'loading', ...oldOf(state.answer) } : { is: 'loading' }
}

function oldOf<T>(answer: Answer<T>): { readonly old?: T } {
  const old = valueOf(answer)
  return old === undefined ? {} : { old }
}
