// Made here or arrived here: what a call adds to the error that it gets.
import { expect, test } from 'vitest'
import { twinDumps } from '../../support/twin-dumps.ts'
import { advisedIn, profileIn } from '../../support/twins.ts'

const faulty = twinDumps('cnn-fault-bf16')

test('a fault makes its error, and what reads it only hands it on or amplifies it', async () => {
  const { advice } = await advisedIn(faulty, await profileIn(faulty))
  const [head] = advice.findings
  expect(head?.made).toMatchObject({ way: 'makes', gainFrom: 'noise' })
  expect(head?.made?.made).toBeGreaterThan(0.9 * (head?.made?.out ?? 1))
  expect(advice.makers.map(({ node }) => node)).toContain(head?.node)
  expect(advice.amplifiers.map(({ node }) => node)).not.toContain(head?.node)
})

test('without twins others of its kind tell what a call makes of an error', async () => {
  const { advice } = await advisedIn(twinDumps('moe-noise-tf'), null)
  expect([...advice.makers, ...advice.amplifiers].map(({ gainFrom }) => gainFrom)).toContain('layers')
})

test('the parts of the curve never pass the whole', async () => {
  const { curve } = (await advisedIn(faulty, await profileIn(faulty))).advice
  expect(curve.made.length).toBe(curve.level.length)
  expect(curve.made.every((made, at) => made >= 0 && made <= (curve.level[at] ?? 0) + 1e-12)).toBe(true)
})
