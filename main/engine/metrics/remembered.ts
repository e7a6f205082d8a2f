// Remembers what was measured by the two files, not by the row: a new mapping or rule set measures new pairs only.
import type { Job } from '../job.ts'
import type { Measured, TensorPair } from './measured.ts'

export type Measure = (pairs: readonly TensorPair[], job: Job, grown?: (so: Measured) => void) => Promise<Measured>

const numbers = ['cosine', 'euclid', 'maxAbs', 'maxRel', 'thousandth', 'fiveThousandths'] as const

export function remembering(measure: Measure): Measure {
  let known = new Map<string, readonly [Measured, number]>()
  const key = (pair: TensorPair): string => `${pair.debug}\n${pair.bench}\n${pair.zeros ?? 'tiny'}`

  return async (pairs, job, grown) => {
    const missing: number[] = []
    for (let i = 0; i < pairs.length; i++) if (!known.has(key(pairs[i]))) missing.push(i)
    if (missing.length === pairs.length) {
      const fresh = await measure(pairs, job, grown)
      known = new Map(pairs.map((pair, i) => [key(pair), [fresh, i]]))
      return fresh
    }
    const extra = await measure(missing.map(i => pairs[i]), job)
    missing.forEach((row, i) => known.set(key(pairs[row]), [extra, i]))
    const all = emptyMeasured(pairs.length)
    pairs.forEach((pair, row) => {
      const found = known.get(key(pair))
      if (found) copy(found[0], found[1], all, row)
    })
    return all
  }
}

export function emptyMeasured(length: number): Measured {
  const column = (): Float64Array => new Float64Array(length).fill(NaN)
  return {
    length, outcome: new Uint8Array(length), notes: new Uint8Array(length),
    cosine: column(), euclid: column(), maxAbs: column(), maxRel: column(), thousandth: column(), fiveThousandths: column(),
    debugHash: new Uint32Array(length * 2), benchHash: new Uint32Array(length * 2),
  }
}

function copy(from: Measured, i: number, to: Measured, row: number): void {
  to.outcome[row] = from.outcome[i]
  to.notes[row] = from.notes[i]
  for (const name of numbers) to[name][row] = from[name][i]
  for (const half of [0, 1]) {
    to.debugHash[row * 2 + half] = from.debugHash[i * 2 + half]
    to.benchHash[row * 2 + half] = from.benchHash[i * 2 + half]
  }
}
