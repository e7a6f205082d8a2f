// Archives among the paths that were given: read in place, below their own names.
import type { OpenPorts } from '../formats/index.ts'
import type { Mount } from '../io/index.ts'
import { type Problem, problem } from '../model/index.ts'
import type { Job } from '../work/index.ts'

const nothing: Mount = { archive: '', leftOut: { count: 0, first: '' }, close() {} }

/** Makes readable what archives hold that are given, or that a path leads into; until the study is closed. */
export async function mountAll(
  paths: readonly string[],
  { files, shared }: Pick<OpenPorts, 'files' | 'shared'>,
  job: Job,
): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  for (const path of new Set(paths))
    problems.push(
      ...leftOutOf(
        await shared.once(`archive ${path}`, async () => (await files.mount(path, job)) ?? nothing),
      ),
    )
  return problems
}

/** What an archive holds that was not unpacked. */
export const leftOutOf = (mount: Mount | null): readonly Problem[] =>
  mount && mount.leftOut.count > 0
    ? [problem('archive-entries', mount.archive, mount.leftOut, 'warning')]
    : []
