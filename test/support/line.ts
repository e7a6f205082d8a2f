// Two ends of a line in memory, cloned like a real one, that can be cut before any message.
import type { Line } from '../../preload/contract/rpc.ts'

export interface Wire {
  readonly near: Line
  readonly far: Line
  /** Messages that went through, in order, with their direction. */
  readonly passed: readonly { readonly from: 'near' | 'far'; readonly message: unknown }[]
  cut(): void
}

/**
 * Delivers each message in a task of its own. `cutAt` cuts the line instead of delivering that message
 * (counted from 0).
 */
export function wire(cutAt = Infinity): Wire {
  const passed: { from: 'near' | 'far'; message: unknown }[] = []
  const takers = { near: [] as ((message: unknown) => void)[], far: [] as ((message: unknown) => void)[] }
  const mourners: (() => void)[] = []
  let open = true
  let count = 0

  const cut = (): void => {
    if (!open) return
    open = false
    for (const tell of mourners) tell()
  }
  const end = (me: 'near' | 'far'): Line => ({
    send(message) {
      if (!open) return
      const copy = structuredClone(message)
      if (count++ >= cutAt) {
        setImmediate(cut)
        return
      }
      setImmediate(() => {
        if (!open) return
        passed.push({ from: me, message: copy })
        for (const take of takers[me === 'near' ? 'far' : 'near']) take(copy)
      })
    },
    onMessage(take) {
      takers[me].push(take)
    },
    onClose(tell) {
      mourners.push(tell)
    },
    close: cut,
  })
  return { near: end('near'), far: end('far'), passed, cut }
}
