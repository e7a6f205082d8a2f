// The bridge to the main process. Set once at the start; the gallery sets one of its own.
import { begin } from './idle.ts'
import type { Bridge } from '../../preload/contract/host.ts'

let bridge: Bridge | null = null

/** A call is work until it is answered: what was copied or saved is there once the window is at rest. */
const counted =
  <Args extends readonly unknown[], Answer>(name: string, call: (...args: Args) => Answer) =>
  (...args: Args): Answer => {
    const answer = call(...args)
    if (answer instanceof Promise) {
      const done = begin(name)
      answer.then(done, done)
    }
    return answer
  }

export const setHost = (next: Bridge): void => {
  bridge = Object.fromEntries(
    Object.entries(next).map(([name, call]) => [name, counted(name, call)]),
  ) as unknown as Bridge
}

/** Throws before the start: nothing may ask earlier. */
export function host(): Bridge {
  if (!bridge) throw new Error('the host is asked before the start')
  return bridge
}
