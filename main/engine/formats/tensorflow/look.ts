// Whether a folder may hold a run: looks at names until the first that says so.
import type { Job } from '../../work/index.ts'
import type { Candidate } from '../format.ts'
import { rawNameOf } from '../npu/index.ts'
import { decodedNameOf, graphFileNameOf, isFusionResult, tensorNameOf } from './names.ts'

const deepest = 12
/** Without anything in so many folders it is taken for something else. */
const mostFolders = 5000

export const holdsRun = (root: Candidate, job: Job): Promise<boolean> => holds(root, isOfRun, job)

/** Whether it may hold what was decoded from a run's dumps; static graphs call theirs alike. */
export const holdsDecoded = (root: Candidate, job: Job): Promise<boolean> => holds(root, isDecoded, job)

async function holds(root: Candidate, tells: (name: string) => boolean, job: Job): Promise<boolean> {
  const open = [{ at: root, depth: 0 }]
  let seen = 0
  for (let next = open.pop(); next && seen++ < mostFolders; next = open.pop()) {
    await job.breathe()
    const { at, depth } = next
    if (at.entries.some(({ kind, name }) => kind !== 'folder' && tells(name))) return true
    if (depth >= deepest) continue
    const below = at.entries.filter(({ kind }) => kind === 'folder' || kind === 'link')
    open.push(...below.map(entry => ({ at: at.below(entry), depth: depth + 1 })).toReversed())
  }
  return false
}

/** Of a dump of the run time, what the compiler wrote, or a tensor that TensorFlow's debugger wrote with its time. */
const isOfRun = (name: string): boolean =>
  graphFileNameOf(name) !== null ||
  isFusionResult(name) ||
  rawNameOf(name) !== null ||
  (/\.\d{10,}\.npy$/.test(name) && tensorNameOf(name) !== null)

function isDecoded(name: string): boolean {
  const part = decodedNameOf(name)
  return part !== null && rawNameOf(part.raw) !== null
}
