// Runs and files that tell no noise: one sentence says what and why, and the pair is judged without.
import { expect, test } from 'vitest'
import { readProfile, whyNoTwins } from '../../../main/engine/noise/index.ts'
import { Refusal } from '../../../main/engine/model/problem.ts'
import { twinDumps } from '../../support/twin-dumps.ts'
import { compareIn } from '../../support/twins.ts'

const model = twinDumps('cnn-fault-bf16')
const other = twinDumps('moe-noise-tf')
const pair = compareIn(model, '/debug', '/bench')

const under = (
  content: Readonly<Record<string, string>>,
  folder: string,
  to: string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(content).flatMap(([name, text]) =>
      name.startsWith(`${folder}/`) ? [[name.replace(folder, to), text]] : [],
    ),
  )

test('twins of another model', async () => {
  const twins = await compareIn(other, '/twin-debug', '/twin-bench')
  expect(whyNoTwins(twins, await pair)?.code).toBe('noise-other-model')
})

test('twins that were run on other data', async () => {
  const twins = await compareIn(model, '/bench', '/twin-bench')
  expect(whyNoTwins(twins, await pair)).toMatchObject({
    code: 'noise-data-differ',
    facts: { item: expect.stringContaining('input.0') },
  })
})

test('twins of another level', async () => {
  const content = { ...under(model, '/twin-debug', '/a'), ...under(model, '/twin-bench', '/b') }
  for (const name of ['/a/dump.json', '/b/dump.json'])
    content[name] = (content[name] ?? '').replace(/"level":\s*"mix"/, '"level":"L0"')
  const twins = await compareIn(content, '/a', '/b')
  expect(whyNoTwins(twins, await pair)).toMatchObject({
    code: 'noise-other-level',
    facts: { given: 'L0', wanted: 'mix' },
  })
})

test('healthy twins are taken', async () => {
  const twins = await compareIn(model, '/twin-debug', '/twin-bench')
  expect(whyNoTwins(twins, await pair)).toBe(null)
  expect(whyNoTwins(twins, null)).toBe(null)
})

const good = { format: 'plumbline noise profile', version: 1 }
test.each([
  ['no JSON', '{', 'noise-not-a-profile'],
  ['another file', '{"task":"statistics"}', 'noise-not-a-profile'],
  ['another version', JSON.stringify({ ...good, version: 9 }), 'noise-version'],
  ['nothing in it', JSON.stringify(good), 'noise-broken'],
  [
    'a class of nonsense',
    JSON.stringify({
      ...good,
      debug: '',
      bench: '',
      framework: '',
      level: '',
      calls: 1,
      alike: 1,
      margin: 4,
      classes: [7],
    }),
    'noise-broken',
  ],
])('a profile of %s is refused', (_, text, code) => {
  try {
    readProfile(text, '/p.json')
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
    expect(error instanceof Refusal && error.problem.code).toBe(code)
  }
})
