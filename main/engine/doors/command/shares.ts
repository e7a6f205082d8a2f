// Which share of the units is this process's: as typed, or as the batch system that started it says.
import type { Shard } from '../../layout/index.ts'
import { UsageError } from './verb.ts'

export interface Shared {
  readonly share: Shard
  /** The variable that said so; '' where it was typed. */
  readonly by: string
}

interface Source {
  readonly index: string
  readonly count: string
  /** Where the batch system counts from, and in steps of what. */
  readonly first?: string
  readonly apart?: string
}

const sources: readonly Source[] = [
  {
    index: 'SLURM_ARRAY_TASK_ID',
    count: 'SLURM_ARRAY_TASK_COUNT',
    first: 'SLURM_ARRAY_TASK_MIN',
    apart: 'SLURM_ARRAY_TASK_STEP',
  },
  { index: 'JOB_COMPLETION_INDEX', count: 'JOB_COMPLETIONS' },
]

type Environment = Readonly<Record<string, string | undefined>>

/** Null: everything is this process's. */
export function shareOf(typed: Shard | null, environment: Environment): Shared | null {
  if (typed) return { share: typed, by: '' }
  const source = sources.find(({ index }) => (environment[index] ?? '') !== '')
  return source ? { share: told(source, environment), by: source.index } : null
}

function told({ index, count, first, apart }: Source, environment: Environment): Shard {
  const number = (name: string | undefined, usual: number): number => {
    const text = name === undefined ? undefined : environment[name]
    return text === undefined || text === '' ? usual : /^\d{1,9}$/.test(text) ? Number(text) : NaN
  }
  const at = (number(index, NaN) - number(first, 0)) / (number(apart, 1) || NaN)
  const of = number(count, NaN)
  if (Number.isInteger(at) && at >= 0 && at < of) return { index: at, of }
  throw new UsageError('cli.usage.shareTold', {
    index: `${index}=${environment[index] ?? ''}`,
    count: `${count}=${environment[count] ?? ''}`,
  })
}
