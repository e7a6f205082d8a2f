// Sign maps that could not be compared: told once per rank, side and reason, not once per file.
import { problem, type Problem } from '../../model/index.ts'
import type { SignAnswer, SignReason } from './signs.ts'

type Gap = Exclude<SignAnswer, { readonly reason: null }>

interface Where {
  readonly name: string
  readonly step: number
  /** On which sides there is a file. */
  readonly has: readonly boolean[]
}

interface Counted {
  readonly reason: SignReason
  readonly folder: string
  readonly first: Where
  readonly unreadable: Problem | null
  count: number
}

const codes = { missing: 'grad-missing', shape: 'grad-shape', dtype: 'grad-dtype' } as const

export class Gaps {
  readonly #folders: readonly [string, string]
  readonly #found = new Map<string, Counted>()

  constructor(folders: readonly [string, string]) {
    this.#folders = folders
  }

  add({ reason, problem: unreadable }: Gap, where: Where): void {
    const folder = this.#folders[where.has[0] && reason === 'missing' ? 1 : 0]
    const key = `${reason} ${folder}`
    const known = this.#found.get(key)
    if (known) known.count++
    else this.#found.set(key, { reason, folder, first: where, unreadable, count: 1 })
  }

  problems(): readonly Problem[] {
    return [...this.#found.values()].map(({ reason, folder, first: { name, step }, unreadable, count }) =>
      reason === 'unreadable' && unreadable
        ? { ...unreadable, severity: 'warning' }
        : problem(
            codes[reason === 'unreadable' ? 'dtype' : reason],
            folder,
            { count, name, step },
            'warning',
          ),
    )
  }
}
