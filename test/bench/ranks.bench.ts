// Many ranks: 64 of four steps into one dataset, questions over it, and one step's ranks held against each other.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { diskFiles } from '../../main/engine/io/files.ts'
import { builtInNames } from '../../main/engine/model/queries.ts'
import type { RankPlace } from '../../main/engine/overflow/index.ts'
import { readValues, replicasOf } from '../../main/engine/replicas/index.ts'
import { tasks } from '../../main/engine/threads/index.ts'
import { job } from '../../main/engine/work/job.ts'
import { openPool } from '../../main/engine/work/pool.ts'
import { rankTrees } from '../support/rank-trees.ts'
import { type Case, works } from './case.ts'
import { buildOnce, cli, timed } from './reference.ts'

const folder = path.join(
  process.env['PLUMBLINE_BENCH_TMP'] ?? path.join(tmpdir(), 'plumbline-bench'),
  'ranks',
)
const [steps, ranks, tensors] = [4, 64, 5000]
/** A minute on two cores. */
const mostProcessor = 120
const mostOfQuestion = 1
const mostHeld = 30

interface Made {
  readonly debug: string
  readonly bench: string
  readonly dataset: string
}

async function withTrees(act: (made: Made) => Promise<string>): Promise<string> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { debug, bench } = rankTrees({
    folder,
    steps,
    ranks,
    tensors,
    fault: { rank: 17, step: 2, layer: 60 },
  })
  try {
    return await act({ debug, bench, dataset: path.join(folder, 'dataset') })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const intoDataset = (): Promise<string> =>
  withTrees(async ({ debug, bench, dataset }) => {
    await buildOnce()
    const whole = timed(process.execPath, [
      cli,
      'compare',
      debug,
      bench,
      '-o',
      dataset,
      '--format',
      'dataset',
    ])
    const taken = whole.processor ?? whole.seconds
    const slow = builtInNames.flatMap(name => {
      const told = execFileSync(process.execPath, [cli, 'query', dataset, '--built-in', name, '--json'])
      const seconds = timed(process.execPath, [cli, 'query', dataset, '--built-in', name, '--json']).seconds
      return told.length > 0 && seconds < mostOfQuestion ? [] : [`${name} ${seconds.toFixed(2)} s`]
    })
    if (taken >= mostProcessor) return `${taken.toFixed(0)} s of the processor`
    return slow.join(', ')
  })

const heldSoon = (): Promise<string> =>
  withTrees(async ({ debug }) => {
    const files = diskFiles()
    files.allow(folder)
    const pool = openPool(async () => tasks)
    try {
      const places = Array.from({ length: ranks }, (_, rank): RankPlace => ({
        rank,
        place: { path: path.join(debug, 'step2', `rank${rank}`), step: 2, rank },
      }))
      const begun = process.cpuUsage()
      const { findings, compared } = replicasOf((await readValues({ files, pool }, places, job())).records)
      const { user, system } = process.cpuUsage(begun)
      const seconds = (user + system) / 1e6
      if (compared.calls === 0) return 'nothing was held against each other'
      const [first] = findings
      if (!first?.ranks.includes(17)) return `told of ${first?.op ?? 'nothing'}`
      return seconds < mostHeld ? '' : `${seconds.toFixed(1)} s`
    } finally {
      await pool.close()
      files.close()
    }
  })

export default [
  works({
    name: 'ranks: 64 of 4 steps of 5,000 tensors in two minutes of the processor, questions within a second',
    run: intoDataset,
  }),
  works({
    name: 'ranks: 64 of 5,000 tensors held against each other in thirty seconds of the processor',
    run: heldSoon,
  }),
] satisfies readonly Case[]
