// Units as cells of steps and ranks.
import {
  type CellState,
  cellStates,
  type Finding,
  type RanksOrigin,
  type RanksPicture,
} from '../model/index.ts'
import type { UnitCell } from './summary.ts'

export interface PictureOf {
  readonly debug: string
  readonly bench: string
  readonly findings: readonly Finding[]
  readonly open: boolean
  readonly units: readonly (Omit<UnitCell, 'state'> & { readonly state: CellState })[]
}

/** Texts once each. */
class Names {
  readonly all: string[] = []
  readonly #known = new Map<string, number>()

  of(name: string): number {
    if (name === '') return -1
    let at = this.#known.get(name)
    if (at === undefined) {
      at = this.all.push(name) - 1
      this.#known.set(name, at)
    }
    return at
  }
}

const mostFindings = 50
const ascending = (a: number | null, b: number | null): number => (a ?? -1) - (b ?? -1)

/** `order`: ranks as they are to stand; left out, by number. */
export function pictureOf(
  { debug, bench, findings, open, units }: PictureOf,
  order?: readonly number[],
): RanksPicture {
  const steps = [...new Set(units.map(({ step }) => step))].sort(ascending)
  const place = new Map(order?.map((rank, i) => [rank, i]))
  const placed = (rank: number | null): number => place.get(rank ?? -1) ?? place.size + (rank ?? -1)
  const ranks = [...new Set(units.map(({ rank }) => rank))].sort((a, b) => placed(a) - placed(b))
  const stepAt = new Map(steps.map((step, i) => [step, i]))
  const rankAt = new Map(ranks.map((rank, i) => [rank, i]))
  const count = steps.length * ranks.length
  const numbers = (): Float64Array => new Float64Array(count).fill(NaN)
  const codes = (): Int32Array => new Int32Array(count).fill(-1)
  const names = new Names()
  const picture = {
    unit: codes(),
    state: new Uint8Array(count),
    rows: numbers(),
    differs: numbers(),
    failing: numbers(),
    level: numbers(),
    position: numbers(),
    worst: codes(),
    first: codes(),
    origin: codes(),
  }
  const origins = new Map<string, { at: number; origin: RanksOrigin }>()
  for (const [i, unit] of units.entries()) {
    const at = (stepAt.get(unit.step) ?? 0) * ranks.length + (rankAt.get(unit.rank) ?? 0)
    // Of several graphs of a step and rank the worst is shown.
    if (picture.unit[at] >= 0 && !((unit.worst?.level ?? 0) > (picture.level[at] || 0))) continue
    picture.unit[at] = i
    picture.state[at] = cellStates.indexOf(unit.state)
    picture.rows[at] = unit.counts?.rows ?? NaN
    picture.differs[at] = unit.counts?.differs ?? NaN
    picture.failing[at] = unit.counts?.failing ?? NaN
    picture.level[at] = unit.worst?.level ?? NaN
    picture.position[at] = (unit.counts?.differs ?? 0) > 0 ? (unit.first?.position ?? NaN) : NaN
    picture.worst[at] = names.of(unit.worst?.node ?? '')
    picture.first[at] = names.of(unit.first?.node ?? '')
    if (unit.headline === '') continue
    const key = `${unit.kind} ${unit.headline}`
    const { step, rank, kind, variant, headline: node } = unit
    const known = origins.get(key) ?? {
      at: origins.size,
      origin: { kind, variant, node, units: 0, step, rank },
    }
    origins.set(key, { ...known, origin: { ...known.origin, units: known.origin.units + 1 } })
    picture.origin[at] = known.at
  }
  return {
    debug,
    bench,
    steps,
    ranks,
    ...picture,
    names: names.all,
    origins: [...origins.values()].map(({ origin }) => origin),
    findings: findings.slice(0, mostFindings),
    open,
  }
}
