// Networks that the rules were not made with: false alarms first, then whether the headline is right.
import { expect, test } from 'vitest'
import { judgedNetworks, judgedRanks, share, tableOf, type Judged } from '../support/strangers.ts'

async function all(from: AsyncIterable<Judged>): Promise<Judged[]> {
  const judged: Judged[] = []
  for await (const one of from) judged.push(one)
  return judged
}

test('networks never seen: hardly an alarm where only rounding differs, and the fault named where there is one', async () => {
  const judged = await all(judgedNetworks())
  console.log(tableOf(judged))
  for (const { network, pair, right, said } of judged)
    if (!right)
      console.log(
        `${network}, ${pair.fault ?? 'rounding alone'}, ${pair.noise ?? 'no rounding'}, ${pair.level}: ${said}`,
      )
  for (const kept of [true, false]) {
    expect(share(judged, 'rounding alone: nothing found', kept)).toBeGreaterThanOrEqual(0.95)
    expect(share(judged, 'one fault, no rounding: headline right', kept)).toBeGreaterThanOrEqual(0.95)
    expect(share(judged, 'one fault among rounding: headline right', kept)).toBeGreaterThanOrEqual(0.85)
  }
}, 600_000)

test('over several ranks: the rank that makes it, not the one that receives it', async () => {
  const judged = await all(judgedRanks())
  expect(judged.filter(one => !one.right).map(({ network, said }) => `${network}: ${said}`)).toEqual([])
}, 600_000)
