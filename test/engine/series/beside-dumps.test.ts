// Values over steps that were given with dumps of the same run: beside their statistics, and each leads to its call.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { moduleCallOf } from '../../../main/engine/study/index.ts'
import { seriesLimits } from '../../../preload/contract/engine.ts'
import { drawn } from '../../support/dump-text.ts'
import { callsOf, leaf, pairWithGradients } from '../../support/pair-with-gradients.ts'
import { allDone, never, watchedEngine } from '../../support/watched.ts'

const header = { framework: 'pytorch', level: 'mix' } as const

it.each([
  ['network.fc.weight', 'Module.network.fc.Linear.parameters_grad'],
  ['fc.weight', 'Module.network.fc.Linear.parameters_grad'],
  ['module.network.fc.bias', 'Module.network.fc.Linear.parameters_grad'],
  ['0:network.fc.output:3', 'Module.network.fc.Linear.forward.0'],
  ['1:fc.input_grad', 'Module.network.fc.Linear.backward.0'],
  ['network.conv1.weight', 'Module.network.conv1.Conv2d.forward.0'],
  ['network.conv1', 'Module.network.conv1.Conv2d.forward.0'],
  ['network.conv2.weight', null],
  ['summary', null],
])('%s is of %s', async (target, call) => {
  expect(moduleCallOf(await drawn(callsOf('1.0'), header), target)).toBe(call)
})

it('what ends alike is of no module in particular', async () => {
  const two = Object.fromEntries(
    ['a', 'b'].map(name => [`Module.${name}.fc.Linear.forward.0`, { output: `[${leaf('1.0')}]` }]),
  )
  expect(moduleCallOf(await drawn(two, header), 'fc.weight')).toBeNull()
  expect(moduleCallOf(await drawn(two, header), 'a.fc.weight')).toBe('Module.a.fc.Linear.forward.0')
})

it('gradients that are given with a pair stand beside its statistics and lead to its calls', async () => {
  const { dumps, probes } = pairWithGradients()
  const watched = watchedEngine()
  const info = await watched.open([...dumps, ...probes])
  expect(info.problems).toEqual([])
  expect(info.panes).toContain('overtime')
  expect(info.panes).not.toContain('precheck')
  expect(info.beside).toEqual(probes)
  const { session } = info
  await watched.until(session, allDone)
  const at = { session, unit: 0 }
  const { holds, metrics } = await watched.engine.series(at, never)
  expect([holds, metrics.map(({ name, both, steps }) => [name, both, steps])]).toEqual([
    'gradients',
    [
      ['statistics', true, [0, 1]],
      ['', true, [0, 1]],
    ],
  ])
  const { marks } = await watched.engine.seriesMarks({ ...at, limits: seriesLimits }, never)
  const mark = marks.find(({ metric }) => metric === 1)
  expect(mark).toMatchObject({ metric: 1, step: 1, rank: 0, target: 'network.fc.weight' })
  const asked = { ...at, rank: 0, step: 1, target: 'network.fc.weight' }
  expect(await watched.engine.seriesNode(asked, never)).toEqual({
    unit: 1,
    node: 'Module.network.fc.Linear.parameters_grad',
  })
  expect(await watched.engine.seriesNode({ ...asked, step: 7 }, never)).toBeNull()
})

it('values of one run stand beside one dump; what is of another sort is told as left out', async () => {
  const { root, dumps, probes } = pairWithGradients()
  const log = path.join(root, 'train.log')
  writeFileSync(log, 'iteration 1/ 3 | lm loss: 1.0E+00 |\n')
  const watched = watchedEngine()
  const info = await watched.open([dumps[0], probes[0], log])
  expect(info.sides).toHaveLength(1)
  expect(info.beside).toEqual([probes[0]])
  expect(info.problems.map(({ code, path: at }) => [code, at])).toEqual([['left-out', log]])
  await watched.until(info.session, allDone)
  const { metrics } = await watched.engine.series({ session: info.session, unit: 0 }, never)
  expect(metrics.map(({ name, both }) => [name, both])).toEqual([
    ['statistics', false],
    ['', false],
  ])
})
