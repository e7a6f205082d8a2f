// Made here or arrived here: what a call adds to the error that it gets.
import { expect, test } from 'vitest'
import { makerLines } from '../../../preload/contract/words/advice.ts'
import { say } from '../../../preload/contract/words/index.ts'
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

test('a text of findings names who makes the error and who amplifies it, with both numbers', async () => {
  const { advice } = await advisedIn(faulty, await profileIn(faulty))
  const lines = makerLines('en', advice)
  expect(lines[0]).toBe(say('en', 'advisor.makers'))
  const [head] = advice.findings
  expect(lines.find(line => line.includes(`${head?.node}:`))).toMatch(
    /: [\d.e-]+ arrived, [\d.e-]+ made here$/,
  )
  expect(lines).toHaveLength(
    1 +
      [advice.makers, advice.amplifiers].reduce(
        (all, nodes) => all + (nodes.length > 0 ? nodes.length + 1 : 0),
        0,
      ),
  )
  expect(makerLines('zh', { ...advice, makers: [], amplifiers: [] })).toEqual([])
})
