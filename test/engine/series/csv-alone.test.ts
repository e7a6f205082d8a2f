// Two gradient probes without signs: their numbers alone say where the runs part.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { diskFiles } from '../../../main/engine/io/index.ts'
import { infoOf, marksOf, readSeries } from '../../../main/engine/study/index.ts'
import { job } from '../../../main/engine/work/index.ts'
import { seriesLimits } from '../../../preload/contract/engine.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** Norms drift a little on both sides; one parameter of one rank doubles from a step on. */
function probe(
  part: { readonly rank: number; readonly step: number; readonly layer: number } | null,
): string {
  const root = temporaryFolder()
  for (let rank = 0; rank < 2; rank++) {
    const folder = path.join(root, `rank${rank}`)
    mkdirSync(folder)
    for (let step = 0; step < 12; step++) {
      const rows = Array.from({ length: 4 }, (_, layer) => {
        const parts = part && part.rank === rank && part.layer === layer && step >= part.step
        const norm = (1 + layer + 1e-6 * step * (part ? 1 : 2)) * (parts ? 2 : 1)
        return `layers.${layer}.weight,${norm / 4},${-norm / 4},${norm},"[4, 4]"\n`
      })
      writeFileSync(
        path.join(folder, `grad_summary_${step}.csv`),
        `param_name,max,min,norm,shape\n${rows.join('')}`,
      )
    }
  }
  return root
}

it('they part where one rank doubles, once, and the limits are those of two runs', async () => {
  const [debug, bench] = [probe({ rank: 1, step: 7, layer: 2 }), probe(null)]
  const files = diskFiles()
  for (const root of [debug, bench]) files.allow(root)
  const ports = { files, job: job(), tell: () => {} }
  const data = await readSeries('gradients', { debug, bench, rules: 'plumbline', pattern: '' }, ports)
  try {
    expect(infoOf(data).metrics.map(({ both }) => both)).toEqual([true])
    const { marks, count } = await marksOf(data, seriesLimits, ports)
    expect(count).toBe(1)
    expect(marks[0]).toMatchObject({
      rank: 1,
      step: 7,
      target: 'layers.2.weight',
      stat: 'norm',
      why: 'parts',
    })
  } finally {
    data.close()
  }
})
