// Findings of a large comparison, dataflow included, against the time that they may take.
import { advise } from '../../main/engine/advisor/advise.ts'
import { dumpFilesOf, readDump } from '../../main/engine/formats/msprobe/read.ts'
import { diskFiles } from '../../main/engine/io/files.ts'
import { job } from '../../main/engine/work/job.ts'
import { compareDumps } from '../../main/engine/study/pair/compare.ts'
import { defaultThresholds } from '../../main/engine/rules/thresholds.ts'
import { emptyMeasured } from '../../main/engine/measure/metrics.ts'
import type { Comparison } from '../../main/engine/model/comparison.ts'
import { bigDump } from './big-dump.ts'
import { time, Timed, type Case } from './case.ts'

const allowedSeconds = 1
const rows = 200_000

async function compared(mode: 'statistics' | 'md5'): Promise<Comparison> {
  const files = diskFiles()
  // A row takes about 240 bytes of dump.json; md5s take more.
  const [debug, bench] = await Promise.all(
    ['w_qkv1', 'none'].map(async fault => {
      const { folder } = bigDump(`ms_tr_${fault}_${mode}_mix`, rows * (mode === 'md5' ? 300 : 242), true)
      files.allow(folder)
      return readDump(files, dumpFilesOf(files, folder), job())
    }),
  )
  const comparison = await compareDumps(
    debug,
    bench,
    {
      rules: 'plumbline',
      engine: 'mindspore',
      fuzzy: false,
      mapping: {},
      stack: 'auto',
      thresholds: defaultThresholds,
    },
    { job: job(), measure: pairs => Promise.resolve(emptyMeasured(pairs.length)) },
  )
  if (comparison.length < rows) throw new Error(`only ${comparison.length} rows`)
  return comparison
}

const findings = (mode: 'statistics' | 'md5'): Case =>
  time({
    name: `advisor: dataflow and findings of 200,000 rows, ${mode} / one second`,
    clock: 'cpu',
    target: 1,
    make: () => compared(mode),
    ours: async comparison => (await advise({ comparison }, job())).advice.findings.length > 0,
    baseline: () => new Timed(allowedSeconds, true),
    same: (ours, theirs) => ours === theirs,
  })

export default [findings('statistics'), findings('md5')]
