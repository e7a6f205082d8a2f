// What a reader hands out by a callback while it works, as parts to iterate over.

/** Yields what is there so far and returns the whole. */
export type Growing<T> = AsyncGenerator<T, T, void>

/**
 * Reading never waits for who iterates: of several parts that came meanwhile only the latest is seen.
 */
export async function* growing<T>(run: (onPartial: (part: T) => void) => Promise<T>): Growing<T> {
  let latest: { readonly part: T } | null = null
  let wake = (): void => {}
  const whole = run(part => {
    latest = { part }
    wake()
  })
  const ended = whole.then(
    () => true,
    () => true,
  )
  for (let isEnded = false; !isEnded;) {
    const woken = new Promise<false>(resolve => {
      wake = () => resolve(false)
    })
    const fresh = take()
    if (fresh) yield fresh.part
    else isEnded = await Promise.race([ended, woken])
  }
  return whole

  function take(): { readonly part: T } | null {
    const fresh = latest
    latest = null
    return fresh
  }
}

export async function wholeOf<T>(parts: Growing<T>, onPartial: (part: T) => void = () => {}): Promise<T> {
  for (;;) {
    const next = await parts.next()
    if (next.done) return next.value
    onPartial(next.value)
  }
}
