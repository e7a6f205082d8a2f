// Where NaN enters a step of a thousand ranks: every call of each classified, and followed over their communication.
import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { diskFiles } from '../../main/engine/io/files.ts'
import { answerOf, type RankPlace, readStep } from '../../main/engine/overflow/index.ts'
import { tasks } from '../../main/engine/threads/index.ts'
import { job } from '../../main/engine/work/job.ts'
import { openPool } from '../../main/engine/work/pool.ts'
import { type Case, works } from './case.ts'

const folder = path.join(
  process.env['PLUMBLINE_BENCH_TMP'] ?? path.join(tmpdir(), 'plumbline-bench'),
  'overflow',
)
const [ranks, calls, between] = [1000, 5000, 50]
const origin = { rank: 613, call: 3010 }
/** The communication call by which the others get it. */
const arrives = Math.ceil(origin.call / between) * between

const leaf = (bad: boolean): string => {
  const statistics = bad
    ? '"Max": NaN, "Min": NaN, "Mean": NaN, "Norm": NaN'
    : '"Max": 3.172851562, "Min": -3.104492187, "Mean": 0.000218510, "Norm": 724.5121459'
  return `{"type": "torch.Tensor", "dtype": "torch.bfloat16", "shape": [4096, 128], ${statistics}, "requires_grad": true}`
}

/** A chain of calls, each bad that has something bad before it. */
function dumpText(enters: boolean): string {
  const from = enters ? origin.call : arrives
  const entry = (i: number): string => {
    const input = leaf(i > from)
    const output = leaf(i >= from)
    return i % between === 0
      ? `"Distributed.all_reduce.${i}.forward": {"input_args": [${input}], "input_kwargs": {}, "output": [${output}]}`
      : `"Functional.linear.${i}.forward": {"input_args": [${input}, ${leaf(false)}], "input_kwargs": {}, "output": [${output}]}`
  }
  const data = Array.from({ length: calls }, (_, i) => entry(i)).join(',\n')
  return `{"task": "statistics", "level": "L1", "framework": "pytorch", "dump_data_dir": null, "data": {\n${data}\n}}`
}

/** Two files: all ranks that only get it share theirs. */
function written(): readonly RankPlace[] {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const [enters, gets] = [true, false].map(first => {
    const file = path.join(folder, `${first ? 'enters' : 'gets'}.json`)
    writeFileSync(file, dumpText(first))
    return file
  })
  return Array.from({ length: ranks }, (_, rank) => {
    const at = path.join(folder, 'step0', `rank${rank}`)
    mkdirSync(at, { recursive: true })
    linkSync(rank === origin.rank ? enters : gets, path.join(at, 'dump.json'))
    return { rank, place: { path: at, step: 0, rank } }
  })
}

const soonSeconds = 20

async function foundSoon(): Promise<string> {
  const places = written()
  const files = diskFiles()
  files.allow(folder)
  const pool = openPool(async () => tasks)
  try {
    // Of the processor: what else the machine does is not this program's.
    const begun = process.cpuUsage()
    const { records } = await readStep({ files, pool }, places, job())
    const { origins, calls: classified } = answerOf(records)
    const { user, system } = process.cpuUsage(begun)
    const seconds = (user + system) / 1e6
    if (classified !== ranks * calls) return `${classified} calls classified`
    const [first] = origins
    if (origins.length !== 1 || first.rank !== origin.rank || first.order !== origin.call)
      return `entered at ${origins.map(({ rank, op }) => `${rank} ${op}`).join()}`
    return seconds < soonSeconds ? '' : `${seconds.toFixed(1)} s`
  } finally {
    await pool.close()
    files.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

export default [
  works({ name: 'overflow: 1,000 ranks of 5,000 calls in twenty seconds of the processor', run: foundSoon }),
] satisfies readonly Case[]
