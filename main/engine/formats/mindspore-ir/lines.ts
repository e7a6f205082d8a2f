// Lines of a text file of any size, a window's worth at a time.
import type { Handle } from '../../io/index.ts'

interface LineBatch {
  readonly lines: readonly string[]
  /** Bytes of the file that are done. */
  readonly done: number
  /** Whether the last line is longer than the window: its rest is left out. */
  readonly cut: boolean
}

/** Bytes of a window, and of the longest line; tests make it small, so that everything meets a border. */
export const lineRoom = { bytes: 1 << 20 }
const newline = 0x0a

/** The texts are parts of a larger one: what is to stay goes into a pool. */
export function* linesOf(handle: Handle): Generator<LineBatch, void> {
  const window = new Uint8Array(lineRoom.bytes)
  const decoder = new TextDecoder()
  let kept = 0
  let done = 0
  let skipping = false
  for (let final = false; !final;) {
    const read = handle.read(done, window.subarray(kept))
    const filled = kept + read
    done += read
    final = filled < window.length
    const whole = final ? filled : window.lastIndexOf(newline) + 1
    const cut = whole === 0 && !final
    const end = cut ? filled : whole
    const lines = decoder.decode(window.subarray(0, end)).split('\n')
    if (lines.at(-1) === '') lines.pop()
    if (skipping) lines.shift()
    skipping = cut
    yield { lines: lines.map(line => (line.endsWith('\r') ? line.slice(0, -1) : line)), done, cut }
    window.copyWithin(0, end, filled)
    kept = filled - end
  }
}
