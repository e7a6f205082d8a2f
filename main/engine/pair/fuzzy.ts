// Names without call numbers, as the fuzzy switch compares them.
import { type Dump, TextIds, TextPool } from '../model/index.ts'
import { overRows, type Steps } from '../work/index.ts'

/** Reduced names of all items, as codes that both sides share; -1 where there is none. */
export interface Reduced {
  readonly forward: Int32Array
  readonly backward: Int32Array
  readonly exact: Int32Array
}

export function* reducedNames(
  debug: Dump,
  bench: Dump,
): Steps<{ readonly debug: Reduced; readonly bench: Reduced }> {
  const pool = new TextPool()
  const ids = new TextIds()
  function* side(dump: Dump, exact: (code: number) => number): Steps<Reduced> {
    const n = dump.items.length
    const of = { forward: new Int32Array(n), backward: new Int32Array(n), exact: new Int32Array(n) }
    yield* overRows(n, (from, to) => {
      for (let item = from; item < to; item++) {
        const name = dump.texts.get(dump.items.name[item])
        for (const direction of ['forward', 'backward'] as const) {
          const text = dump.names.withoutCalls(name, direction)
          of[direction][item] = text === null ? -1 : pool.add(text)
        }
        of.exact[item] = exact(dump.items.name[item])
      }
    })
    return of
  }
  return { debug: yield* side(debug, ids.of(debug.texts)), bench: yield* side(bench, ids.of(bench.texts)) }
}

/** Whether two names are the same call by the fuzzy rule. */
export function alike(a: Reduced, i: number, b: Reduced, j: number): boolean {
  if (a.forward[i] >= 0 && b.forward[j] >= 0) return a.forward[i] === b.forward[j]
  if (a.backward[i] >= 0 && b.backward[j] >= 0) return a.backward[i] === b.backward[j]
  return a.exact[i] === b.exact[j]
}
