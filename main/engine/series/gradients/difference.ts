// What the csv files of two probes say of the same parameter and step: how far their numbers are apart.
import { Points } from '../points.ts'
import { isInterval, md5Stat } from './summary.ts'

/** Half the sum of the differences of all intervals: 0 alike, 1 nothing in common. */
export const distributionStat = 'distribution'
/** 1 where the MD5 of both sides is the same, 0 where not. */
const numbers: readonly string[] = ['norm', 'max', 'min']

/** A row for each rank, step and parameter that both sides have. */
export function differenceStats([mine, theirs]: readonly [Points, Points]): Points {
  const found = new Points()
  const intervals = mine.stats.map(({ name }) => name).filter(name => isInterval(name) && theirs.stat(name))
  for (let target = 0; target < mine.targets; target++) {
    const name = mine.target(target)
    const other = theirs.targetOf(name)
    if (other < 0) continue
    for (const row of mine.rowsOf(target)) {
      const at = theirs.find(mine.rankAt(row), mine.stepAt(row), other)
      if (at < 0) continue
      const into = found.add(mine.rankAt(row), mine.stepAt(row), name)
      for (const stat of numbers) {
        const apart = relative(valueIn(mine, stat, row), valueIn(theirs, stat, at))
        if (apart !== null) found.set(into, stat, apart)
      }
      const sums = [valueIn(mine, md5Stat, row), valueIn(theirs, md5Stat, at)]
      if (sums[0] !== null && sums[1] !== null) found.set(into, md5Stat, sums[0] === sums[1] ? 1 : 0)
      const apart = intervals.map(stat =>
        Math.abs((valueIn(mine, stat, row) ?? NaN) - (valueIn(theirs, stat, at) ?? NaN)),
      )
      const distance = apart.reduce((all, one) => all + one, 0) / 2
      if (intervals.length > 0 && !Number.isNaN(distance)) found.set(into, distributionStat, distance)
    }
  }
  return found
}

function valueIn(points: Points, name: string, row: number): number | null {
  const stat = points.stat(name)
  return stat?.has(row) ? stat.value(row) : null
}

/** |a − b| / |b|; 0 where both are the same, NaN among them, Infinity where only the second is 0. */
export function relative(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return null
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return 0
  const apart = Math.abs(a - b) / Math.abs(b)
  return Number.isNaN(apart) ? Infinity : apart
}

/** How far a rank's csv files are apart: where a statistic is first different, and where most. */
export interface LargestDifference {
  readonly rank: number
  /** The first step at which any parameter differs, and of these the last of the model. */
  readonly step: number
  readonly name: string
  readonly stat: string
  readonly value: number
  readonly largest: { readonly step: number; readonly name: string; readonly value: number }
}

/** One for each rank and statistic that differs at all. */
export function largestDifferences(of: Points): readonly LargestDifference[] {
  const found: LargestDifference[] = []
  for (const rank of of.ranks)
    for (const column of of.stats) {
      const stat = column.name
      let [first, largest]: [Cell | null, Cell | null] = [null, null]
      for (let target = 0; target < of.targets; target++)
        for (const row of of.rowsOf(target)) {
          if (of.rankAt(row) !== rank) continue
          const apart = apartness(stat, column.value(row))
          if (!(apart > 0)) continue
          const cell = { step: of.stepAt(row), name: of.target(target), value: apart }
          if (!first || cell.step <= first.step) first = cell
          if (!largest || apart > largest.value) largest = cell
        }
      if (first && largest) found.push({ rank, stat, ...first, largest })
    }
  return found
}

interface Cell {
  readonly step: number
  readonly name: string
  readonly value: number
}

const apartness = (stat: string, value: number): number => (stat === md5Stat ? 1 - value : value)
