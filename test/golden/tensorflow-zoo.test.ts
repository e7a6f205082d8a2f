// A run with every type and layout: whatever can be read is read, and the first wrong operation is found.
import { expect, test } from 'vitest'
import { cli } from '../support/cli.ts'
import { drawZoo, unreadable } from '../support/tensorflow-zoo.ts'
import { temporaryFolder } from '../support/temporary.ts'

const ops = 62
const run = { ops, graphs: 2, steps: 1, devices: 2 }

interface Compared {
  readonly units: readonly { readonly counts: Readonly<Record<string, number>> }[]
  readonly findings: readonly { readonly node: string; readonly rank: number }[]
}

const compared = async (data: string): Promise<Compared> =>
  JSON.parse((await cli(['compare', data, '-o', temporaryFolder(), '--json'])).out) as Compared

test('every type in every layout has the values that the script has', async () => {
  const { units } = await compared(drawZoo(temporaryFolder(), { ...run, wrongFrom: ops }))
  expect(units).toHaveLength(4)
  // Its own output, and the input of whoever reads it.
  const rows = ops * 2 - 1
  const blind = unreadable(ops).reduce((sum, op) => sum + (op < ops - 1 ? 2 : 1), 0)
  for (const { counts } of units) {
    expect(counts).toMatchObject({ rows, differs: 0, incomparable: blind })
    // Equal in other types is within their noise.
    expect(counts.equal + counts.noise).toBe(rows - blind)
  }
})

test('the first wrong operation is named, and where it is', async () => {
  const { findings } = await compared(drawZoo(temporaryFolder(), { ...run, wrongFrom: 33 }))
  expect(findings[0]).toMatchObject({ node: 'net1/stage1/block6/op33', rank: 1 })
})
