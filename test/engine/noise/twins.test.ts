// What twins say of a pair: rows, headline and sentences by the noise that was measured.
import { expect, test } from 'vitest'
import { RowState } from '../../../main/engine/model/names.ts'
import { profileText, readProfile } from '../../../main/engine/noise/index.ts'
import { twinDumps } from '../../support/twin-dumps.ts'
import { advisedIn, profileIn } from '../../support/twins.ts'

const healthy = twinDumps('moe-noise-tf')
const faulty = twinDumps('cnn-fault-bf16')
const fault = 'Functional.conv2d.1.forward'

const differing = ({ state }: { readonly state: Uint8Array }): number =>
  state.reduce((count, one) => count + (one === RowState.differs ? 1 : 0), 0)

test('without twins a pair that differs by rounding alone raises an alarm, with them it does not', async () => {
  expect((await advisedIn(healthy, null)).advice.findings).not.toEqual([])
  const { advice, rows } = await advisedIn(healthy, await profileIn(healthy))
  expect(advice.findings).toEqual([])
  expect(differing(rows)).toBe(0)
})

test('a fault among the same rounding is named, and its row differs', async () => {
  const { advice, rows } = await advisedIn(faulty, await profileIn(faulty))
  const [head] = advice.findings
  expect(head?.node).toBe(fault)
  expect(head?.proof.map(row => rows.state[row])).toContain(RowState.differs)
})

test('the answer says that thresholds were measured, and on what', async () => {
  const { advice } = await advisedIn(faulty, await profileIn(faulty))
  expect(advice.noise.map(({ key }) => key)).toEqual(['hint.noise-twins'])
  expect(advice.noise[0]?.facts).toMatchObject({
    debug: '/twin-debug/dump.json',
    bench: '/twin-bench/dump.json',
  })
})

test('twins that are equal to the bit leave no noise at all', async () => {
  const { advice } = await advisedIn(faulty, await profileIn(faulty, '/twin-bench', '/twin-bench'))
  expect(advice.noise.map(({ key }) => key)).toEqual(['hint.noise-twins-exact'])
  expect(advice.findings[0]?.node).not.toBe(fault)
})

test('one side run twice bears the names of that side', async () => {
  const profile = await profileIn(faulty, '/bench', '/bench')
  expect(profile.alike).toBe(profile.calls)
})

test('a profile comes back from its file as it was, without the tensors of its model', async () => {
  const profile = await profileIn(faulty)
  const { items: _, ...told } = profile
  expect(readProfile(profileText(profile), '/profile.json')).toEqual({ ...told, items: null })
})

test('a saved profile judges another pair, and says so', async () => {
  const saved = readProfile(profileText(await profileIn(faulty)), '/profile.json')
  const { advice } = await advisedIn(faulty, saved)
  expect(advice.findings[0]?.node).toBe(fault)
  expect(advice.noise.map(({ key }) => key)).toEqual(['hint.noise-profile'])
})

test('kinds of calls are told with what they add and hand on', async () => {
  const { classes } = await profileIn(healthy)
  const linear = classes.find(({ op, backward, length }) => op === 'linear' && !backward && length === 32)
  expect(linear).toMatchObject({ dtype: 'float32', calls: 44 })
  expect(linear?.made.most).toBeGreaterThan(0)
  expect(linear?.gain?.half).toBeGreaterThan(0)
  expect(classes.every(({ made }) => made.half <= made.ninety && made.ninety <= made.most)).toBe(true)
})
