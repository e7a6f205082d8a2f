// What stays in memory between the commands of a prompt.

/** Values by keys that say what they rest on; the longest unused goes first. */
export interface Kept {
  of<T>(key: string, make: () => Promise<T>): Promise<T>
  /** What is there already; undefined where nothing is, or it is still being made. */
  ready(key: string): unknown
}

const most = 8

export function openKept(): Kept {
  const kept = new Map<string, { readonly promise: Promise<unknown>; value?: unknown }>()
  return {
    of<T>(key: string, make: () => Promise<T>): Promise<T> {
      const known = kept.get(key) ?? { promise: make() }
      kept.delete(key)
      kept.set(key, known)
      for (const old of [...kept.keys()].slice(0, -most)) kept.delete(old)
      known.promise.then(
        value => (known.value = value),
        () => kept.delete(key),
      )
      // A key names one kind of value.
      return known.promise as Promise<T>
    },
    ready: key => kept.get(key)?.value,
  }
}
