// watch: what changes is said as it changes, and at the end how it stands.
import { absolute } from '../../../io/index.ts'
import { Run, usualQuietMs, watchRun } from '../../../live/index.ts'
import { type LiveRank, type LiveRun, problem, Refusal } from '../../../model/index.ts'
import { Cancelled } from '../../../work/index.ts'
import type { Tools } from '../tools.ts'
import type { Asked, Command } from '../verb.ts'
import type { WatchField, WatchFlags } from './index.ts'

export const command: Command<WatchFlags, LiveRun, WatchField> = {
  run: look,
  print(run, page, { flags }) {
    // What was said on the way is not said again.
    if (flags.once) for (const rank of run.ranks) page.line(page.live(rank))
    for (const text of page.liveRun(run)) page.line(text)
  },
  json: run => ({ ...run }),
  outcome: ({ ranks, gone }) => (gone || ranks.some(({ state }) => state === 'stalled') ? 'found' : 'ran'),
}

async function look({ flags, paths }: Asked<WatchFlags>, tools: Tools): Promise<LiveRun> {
  const root = absolute(paths[0])
  const { files, job } = tools
  files.allow(root)
  const entry = files.stat(root)
  if (!entry) throw new Refusal(problem('not-found', root))
  if (entry.kind === 'file') throw new Refusal(problem('not-a-folder', root))
  const quietMs = flags.quietAfter === undefined ? usualQuietMs : flags.quietAfter * 1000
  if (flags.once) return new Run(root, files, { quietMs, now: Date.now }).settled(job)
  return untilItRests(root, quietMs, tools)
}

/** Nothing is written any more: neither now, nor by any rank that has not ended. */
const rests = ({ ranks, gone }: LiveRun): boolean =>
  gone || (ranks.length > 0 && ranks.every(({ state }) => state !== 'writing' && state !== 'empty'))

function untilItRests(root: string, quietMs: number, { files, job, meanwhile }: Tools): Promise<LiveRun> {
  const said = new Map<string, string>()
  return new Promise((resolve, reject) => {
    const stop = (): void => end(() => reject(new Cancelled()))
    const watch = watchRun(root, {
      files,
      quietMs,
      changed(run) {
        for (const rank of run.ranks) sayOnce(rank)
        if (rests(run)) end(() => resolve(run))
      },
      failed: error => end(() => reject(error instanceof Error ? error : new Error(String(error)))),
    })
    function end(act: () => void): void {
      watch.close()
      job.signal.removeEventListener('abort', stop)
      act()
    }
    function sayOnce(rank: LiveRank): void {
      const text = JSON.stringify({ ...rank, changedMs: 0 })
      if (said.get(rank.dir) === text) return
      said.set(rank.dir, text)
      meanwhile(page => page.line(page.live(rank)))
    }
    job.signal.addEventListener('abort', stop)
  })
}
