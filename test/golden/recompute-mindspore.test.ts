// What docs/recompute.md says of MindSpore's calls is what recomputing the MindSpore dumps comes to.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { DirectionAnswer } from '../../main/engine/model/index.ts'
import { fixturesRoot } from '../support/fixtures.ts'
import { openForRecompute } from '../support/recomputed.ts'

const folder = path.join(fixturesRoot(), 'dumps')
const dumps = readdirSync(folder).filter(name => /^ms_(?!odd).*_tensor_(?:mix|L1)$/.test(name))
const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/recompute.md'), 'utf8')

const shown = (directions: readonly DirectionAnswer[]): string => {
  const computed = directions.filter(({ status }) => status === 'computed')
  const outputs = computed.flatMap(one => one.outputs)
  const ratio = Math.max(0, ...outputs.map(output => output.ratio ?? 0))
  const worst = ratio === 0 ? 'exact' : String(Number(ratio.toPrecision(2)))
  const wrong = outputs.filter(({ verdict }) => verdict === 'error').length
  const left = directions.flatMap(({ reason }) => (reason === '' ? [] : [leftOut[reason] ?? reason]))
  const cells = [directions.length, computed.length, computed.length ? worst : '–', wrong]
  return [...cells, [...new Set(left)].join('; ')].join(' | ').trimEnd()
}

const leftOut: Readonly<Record<string, string>> = { noOutput: 'no output' }

it('names every API with its calls, its largest error and what is left out', async () => {
  const found = new Map<string, DirectionAnswer[]>()
  for (const name of dumps) {
    const { recompute } = await openForRecompute(path.join(folder, name, 'step0', 'rank'))
    for (const one of (await recompute()).directions) {
      const api = one.call.replace(/\.\d+$/, '')
      found.set(api, [...(found.get(api) ?? []), one])
    }
  }
  const said = new Map(
    [...page.matchAll(/^\| `(\S+)` +\| (.*?) *\|$/gm)].map(([, api = '', cells = '']) => [
      api,
      cells
        .split('|')
        .map(cell => cell.trim())
        .join(' | ')
        .trimEnd(),
    ]),
  )
  const real = new Map([...found].map(([api, all]) => [api, shown(all)]))
  expect(Object.fromEntries(said)).toEqual(Object.fromEntries(real))
  const all = [...found.values()].flat()
  const computed = all.filter(({ status }) => status === 'computed').length
  expect(page).toContain(`${computed} of ${all.length} directions of calls computed`)
})
