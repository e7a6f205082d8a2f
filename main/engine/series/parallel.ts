// How ranks share a model, from its parallel sizes: which rank holds which layers in which group. Pure arithmetic.
import {
  layoutDimensions,
  type LayoutDimension,
  type ParallelAsked,
  type ParallelPlan,
} from '../model/index.ts'

const mostRanks = 1024
const mostLayers = 256

/** Names of dimensions, the one whose neighbours are neighbouring ranks first; null where it is no such list. */
function orderIn(text: string): readonly LayoutDimension[] | null {
  const parts = text.toLowerCase().split('-')
  const known = layoutDimensions.filter(of => parts.includes(of))
  const found = parts.flatMap(part => known.find(of => of === part) ?? [])
  const needed = layoutDimensions.filter(of => of !== 'ep' && of !== 'cp')
  const whole = found.length === parts.length && new Set(found).size === found.length
  return whole && needed.every(of => found.includes(of)) ? found : null
}

const refused = (wrong: NonNullable<ParallelPlan['wrong']>): ParallelPlan => ({ wrong, stages: [], rows: [] })

export function parallelPlan({
  world,
  layers,
  tp,
  pp,
  cp,
  ep,
  perStage,
  order,
}: ParallelAsked): ParallelPlan {
  const dimensions = orderIn(order)
  if (!dimensions || (cp > 1 && !dimensions.includes('cp'))) return refused('order')
  const counts = [world, layers, tp, pp, cp, ep]
  if (counts.some(count => !(count >= 1)) || world > mostRanks || layers > mostLayers) return refused('range')
  if (world % (tp * pp * cp) !== 0) return refused('world')
  const dp = world / (tp * pp * cp)
  if ((dp * cp) % ep !== 0) return refused('ep')
  const each = perStage > 0 ? perStage : layers / pp
  const chunks = layers / each
  if (!Number.isInteger(each) || !Number.isInteger(chunks) || chunks % pp !== 0) return refused('layers')
  // Experts are shared within the data-parallel replicas: they need no ranks of their own.
  const sizes: Readonly<Record<LayoutDimension, number>> = { tp, cp, dp, pp, ep: 1 }
  const strides = new Map<LayoutDimension, number>()
  let stride = 1
  for (const of of dimensions) {
    strides.set(of, stride)
    stride *= sizes[of]
  }
  const rankAt = (at: Readonly<Partial<Record<LayoutDimension, number>>>): number =>
    dimensions.reduce((rank, of) => rank + (at[of] ?? 0) * (strides.get(of) ?? 0), 0)
  const ascending = (length: number): readonly number[] => Array.from({ length }, (_, i) => i)
  return {
    wrong: null,
    stages: ascending(chunks).map(stage => ({
      stage,
      cells: [
        ...(stage === 0 ? [{ is: 'embed' as const, from: 0, to: 0 }] : []),
        { is: 'layers' as const, from: stage * each, to: (stage + 1) * each - 1 },
        ...(stage === chunks - 1 ? [{ is: 'out' as const, from: 0, to: 0 }] : []),
      ],
    })),
    rows: ascending(dp).flatMap(replica =>
      ascending(cp).map(group => ({
        replica,
        group,
        stages: ascending(chunks).map(stage =>
          ascending(tp).map(shard => rankAt({ tp: shard, cp: group, dp: replica, pp: stage % pp })),
        ),
      })),
    ),
  }
}
