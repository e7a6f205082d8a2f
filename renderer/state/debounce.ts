// Work that waits for a pause: what comes meanwhile puts it off. The window is not at rest while something waits.
import { useEffect, useEffectEvent, useRef } from 'react'
import { begin } from './idle.ts'

export interface Debounced {
  (): void
  /** Does at once what waits. */
  flush(): void
  cancel(): void
  pending(): boolean
}

/** `longest` is how long it may be put off since it was first asked for, both in milliseconds. */
export function debounce(
  act: () => unknown,
  ms: number,
  longest: () => number = () => Number.POSITIVE_INFINITY,
): Debounced {
  let waits: { readonly timer: ReturnType<typeof setTimeout>; readonly since: number; done(): void } | null =
    null
  const flush = (): void => {
    if (!waits) return
    const { timer, done } = waits
    clearTimeout(timer)
    waits = null
    void Promise.resolve(act()).finally(done)
  }
  const put = (): void => {
    clearTimeout(waits?.timer)
    const since = waits?.since ?? performance.now()
    const wait = Math.max(0, Math.min(ms, since + longest() - performance.now()))
    waits = { since, timer: setTimeout(flush, wait), done: waits?.done ?? begin('debounce') }
  }
  const cancel = (): void => {
    clearTimeout(waits?.timer)
    waits?.done()
    waits = null
  }
  return Object.assign(put, { flush, cancel, pending: () => waits !== null })
}

/** Calls with a value that has changed, once it has not changed again for a while. */
export function useDebounced<T>(value: T, act: (value: T) => void, ms: number): void {
  const handled = useRef(value)
  const handle = useEffectEvent(() => {
    handled.current = value
    act(value)
  })
  useEffect(() => {
    if (value === handled.current) return undefined
    const later = debounce(() => handle(), ms)
    later()
    return later.cancel
  }, [value, ms])
}
