// Many small things as a few tasks of the pool; answers come in the order of what was asked.
import type { Files } from '../io/index.ts'
import type { Job, Pool } from '../work/index.ts'

interface Ports {
  readonly files: Files
  readonly pool: Pick<Pool, 'run'>
  readonly job: Job
}

/** Items of one task: enough to make the way there worthwhile. */
const perTask = 16

export async function inParts<Item, Answer>(
  items: readonly Item[],
  ask: (part: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<readonly Answer[]> {
  const parts = Array.from({ length: Math.ceil(items.length / perTask) }, (_, i) =>
    items.slice(i * perTask, (i + 1) * perTask),
  )
  return (await Promise.all(parts.map(ask))).flat()
}

/** Pairs compared by a task, with progress. */
export function comparedInTasks<Pair, Answer>(
  task: string,
  pairs: readonly Pair[],
  { files, pool, job }: Ports,
): Promise<readonly Answer[]> {
  const roots = files.roots()
  let done = 0
  return inParts(pairs, async part => {
    const answer = await pool.run<readonly Answer[]>(task, { roots, pairs: part }, { signal: job.signal })
    done += part.length
    job.report({ what: 'job.comparing', done, total: pairs.length, countedIn: 'items' })
    return answer
  })
}
