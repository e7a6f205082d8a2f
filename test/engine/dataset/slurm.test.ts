// The job of docs/ranks.md on a real Slurm: one task is killed half-way and submitted again. Where Slurm is not installed,
// what it would do is in shards.test.ts.
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { cli } from '../../support/cli.ts'
import { rankTrees } from '../../support/rank-trees.ts'
import { hasSlurm, startSlurm, type Slurm } from '../../support/slurm.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const root = path.resolve(import.meta.dirname, '..', '..', '..')
const built = path.join(root, 'out', 'main', 'cli.js')

let slurm: Slurm | null = null
afterAll(() => slurm?.stop())

/** The script as the page has it. */
function jobOf(page: string): string {
  const [, script = ''] = /```bash\n(#!\/bin\/bash\n#SBATCH[\s\S]*?)```/.exec(page) ?? []
  return script
}

const files = (folder: string, below = ''): readonly string[] =>
  readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap(entry => {
    const at = path.join(below, entry.name)
    return entry.isDirectory() ? files(folder, at) : [at]
  })

describe.runIf(hasSlurm() && existsSync(built))('an array of Slurm', () => {
  it('writes the dataset of one run, though a task was killed and submitted again', async () => {
    const folder = temporaryFolder()
    const order = { folder: path.join(folder, 'runs'), steps: 2, ranks: 16, tensors: 2000 }
    const { debug, bench } = rankTrees({ ...order, fault: { rank: 3, step: 1, layer: 5 } })
    const dataset = path.join(folder, 'dataset')
    const job = path.join(folder, 'compare.sbatch')
    const program = path.join(folder, 'plumbline')
    writeFileSync(program, `#!/bin/bash\nexec "${process.execPath}" "${built}" "$@"\n`)
    chmodSync(program, 0o755)
    // One node of one processor and little memory: what the page asks for is for a cluster.
    const script = jobOf(readFileSync(path.join(root, 'docs', 'ranks.md'), 'utf8'))
    expect(script).toContain('--shard "$SLURM_ARRAY_TASK_ID/16"')
    writeFileSync(job, script.replace(/#SBATCH --(?:cpus-per-task|mem).*\n/g, ''))
    const names = `ALL,PATH=${folder}:${process.env['PATH'] ?? ''},NPU=${debug},GPU=${bench},DATASET=${dataset}`
    const submit = (tasks: string): string =>
      slurm?.submit(job, `--export=${names}`, `--array=${tasks}`, `--output=${folder}/log-%a.txt`) ?? ''
    slurm = await startSlurm(path.join(folder, 'slurm'))

    const all = submit('0-3')
    const begun = path.join(dataset, '_shares', '1-of-16.json')
    await slurm.until(() => existsSync(begun))
    slurm.cancel(`${all}_1`)
    await slurm.ended(all)
    const rest = submit('4-15')
    await slurm.ended(rest)
    const first = await cli(['merge', dataset])
    if (first.code === 0) expect(first.out).toContain('32 compared')
    else expect(first.err).toContain('Share 1/16')
    const again = submit('1')
    await slurm.ended(again)
    const merged = await cli(['merge', dataset])
    expect(merged.code).toBe(0)
    expect(merged.out).toContain('32 steps and ranks: 32 compared, 0 could not be, 0 missing')

    const whole = path.join(folder, 'whole')
    await cli(['compare', debug, bench, '-o', whole, '--format', 'dataset'])
    for (const name of files(dataset)) if (name.endsWith('.part')) rmSync(path.join(dataset, name))
    expect(files(dataset)).toEqual(files(whole))
    for (const name of files(whole))
      expect(readFileSync(path.join(dataset, name)).equals(readFileSync(path.join(whole, name))), name).toBe(
        true,
      )
  }, 240_000)
})
