// The bridge to the main process. Set once at the start; the gallery sets one of its own.
import type { Bridge } from '../../preload/contract/host.ts'

let bridge: Bridge | null = null

export const setHost = (next: Bridge): void => { bridge = next }

/** Throws before the start: nothing may ask earlier. */
export function host(): Bridge {
  if (!bridge) throw new Error('the host is asked before the start')
  return bridge
}
