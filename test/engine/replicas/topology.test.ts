// How ranks share a model, from the groups that talk to each other.
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../main/engine/model/index.ts'
import type { GroupUse } from '../../../main/engine/replicas/record.ts'
import { givenLayout, groupsAlong, topologyOf } from '../../../main/engine/replicas/topology.ts'
import type { Topology } from '../../../main/engine/model/index.ts'

const unused = { inside: 0, outside: 0, sums: 0, exchanges: 0, pairs: 0 }
type Told = Pick<Topology, 'tp' | 'dp' | 'pp' | 'order'>

/** What every rank of such a run tells of its groups. */
function told(layout: Told, leave: readonly string[] = []): Parameters<typeof topologyOf>[0] {
  const topology: Topology = { ...layout, cp: 1, ep: 1, shown: [] }
  const world = layout.tp * layout.dp * layout.pp
  const ranks = Array.from({ length: world }, (_, rank) => rank)
  const along = (of: 'tp' | 'dp' | 'pp'): ReadonlyMap<number, readonly number[]> =>
    new Map(groupsAlong(topology, of, ranks).flatMap(group => group.map(rank => [rank, group] as const)))
  const groupsBy = { tp: along('tp'), dp: along('dp'), pp: along('pp') }
  const groupOf = (of: 'tp' | 'dp' | 'pp', rank: number): readonly number[] => groupsBy[of].get(rank) ?? []
  return ranks.map(rank => {
    const [tp, dp, pp] = [groupOf('tp', rank), groupOf('dp', rank), groupOf('pp', rank)]
    const at = pp.indexOf(rank)
    const neighbours = [pp[at - 1], pp[at + 1]].filter(other => other !== undefined)
    const groups: GroupUse[] = [
      { ...unused, members: tp, inside: 8, outside: 9, sums: 9 },
      { ...unused, members: dp, outside: 12, sums: 12 },
      { ...unused, members: ranks, outside: 1 },
    ]
    return {
      rank,
      groups: [
        ...groups.filter(({ members }, i) => members.length > 1 && !leave.includes(['tp', 'dp', 'all'][i])),
        ...neighbours.map(other => ({ ...unused, members: [rank, other].sort((a, b) => a - b), pairs: 2 })),
      ],
    }
  })
}

const usual = 'tp-cp-ep-dp-pp'

describe('the dimensions of a run', () => {
  it.each([
    { tp: 2, dp: 2, pp: 1, order: usual },
    { tp: 2, dp: 2, pp: 2, order: usual },
    { tp: 4, dp: 1, pp: 2, order: usual },
    { tp: 1, dp: 4, pp: 3, order: usual },
    { tp: 8, dp: 16, pp: 8, order: usual },
  ])('tp $tp, dp $dp, pp $pp', layout => {
    const { tp, dp, pp } = layout
    expect(topologyOf(told(layout))).toMatchObject({ tp, dp, pp, order: usual })
  })

  it('are told in whatever order ranks are numbered', () => {
    const layout = { tp: 2, dp: 3, pp: 2, order: 'cp-ep-tp-pp-dp' }
    expect(topologyOf(told(layout))).toMatchObject(layout)
    const turned = { tp: 2, dp: 3, pp: 1, order: 'cp-ep-pp-dp-tp' }
    expect(topologyOf(told(turned))).toMatchObject(turned)
  })

  it('that no group shows are what is left', () => {
    const found = topologyOf(told({ tp: 2, dp: 3, pp: 2, order: usual }, ['dp']))
    expect(found).toMatchObject({ tp: 2, dp: 3, pp: 2, order: usual, shown: ['pp', 'tp'] })
  })

  it('of a run that only sums over everyone are copies', () => {
    const everyone: GroupUse = { ...unused, members: [], outside: 3, sums: 3 }
    const ranks = [0, 1, 2].map(rank => ({ rank, groups: [everyone] }))
    expect(topologyOf(ranks)).toMatchObject({ tp: 1, dp: 3, pp: 1, order: usual, shown: ['dp'] })
  })

  it('are not told where ranks are missing, nobody talks, or groups are no grid', () => {
    const whole = told({ tp: 2, dp: 2, pp: 1, order: usual })
    expect(topologyOf(whole.slice(1))).toBeNull()
    expect(topologyOf(whole.slice(0, 3))).toBeNull()
    expect(topologyOf(whole.map(({ rank }) => ({ rank, groups: [] })))).toBeNull()
    const odd: GroupUse = { ...unused, members: [0, 3], inside: 8 }
    const even: GroupUse = { ...unused, members: [1, 2], inside: 8 }
    expect(topologyOf(whole.map(({ rank }) => ({ rank, groups: [rank % 3 === 0 ? odd : even] })))).toBeNull()
  })
})

describe('a layout that was typed', () => {
  it('leaves copies for what is left of the ranks', () => {
    expect(givenLayout({ tp: 2, cp: 1, ep: 1, pp: 2, order: usual }, 16, '/d')).toMatchObject({ dp: 4 })
  })

  it('is refused where it does not fit', () => {
    expect(() => givenLayout({ tp: 3, cp: 1, ep: 1, pp: 1, order: usual }, 16, '/d')).toThrow(Refusal)
    expect(() => givenLayout({ tp: 2, cp: 1, ep: 1, pp: 1, order: 'tp-xy' }, 16, '/d')).toThrow(Refusal)
    expect(() => givenLayout({ tp: 2, cp: 1, ep: 1, pp: 2, order: 'tp-dp' }, 16, '/d')).toThrow(Refusal)
  })
})
