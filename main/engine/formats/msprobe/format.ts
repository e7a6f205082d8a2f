// msprobe's dumps of dynamic graphs: a folder per rank with dump.json, stack.json and construct.json.
import { dirOf, type Files } from '../../io/index.ts'
import { type Dump, problem, Refusal } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { Candidate, type FormatOf, type Place, placeAt } from '../format.ts'
import { growing } from '../growing.ts'
import { followDump, openDump } from './dump-cache.ts'
import { type DumpFiles, dumpFilesOf, readDump } from './read.ts'

const dumpNames = ['dump.json', 'debug.json']
/** The task stands in the first lines of a dump.json. */
const headBytes = 512
const companions = ['stack.json', 'construct.json']

export const msprobe: FormatOf<'dump'> = {
  id: 'msprobe',
  holds: 'dump',
  find(at) {
    if (at.kind === 'folder' || at.kind === 'link') {
      const found = inFolder(at)
      if (found || at.kind === 'folder') return found
    }
    if (isDumpFile(at.name)) return { ...placeAt(dirOf(at.path)), dump: at.path }
    return companions.includes(at.name) ? inFolder(new Candidate(at.files, dirOf(at.path), 'folder')) : null
  },
  open: (place, { files, cacheDir, threads, partial }, job) =>
    growing(onPartial =>
      openDump(files, dumpFilesAt(files, place), job, {
        cacheDir,
        threads,
        provisional: partial,
        ...(partial && { onPartial }),
      }),
    ),
  ofTensors(place, files) {
    const handle = files.open(dumpFilesAt(files, place).dump)
    try {
      const head = new Uint8Array(headBytes)
      return /"task"\s*:\s*"tensor"/.test(new TextDecoder().decode(head.subarray(0, handle.read(0, head))))
    } finally {
      handle.close()
    }
  },
  follow: (old, { files, threads, partial }, job) =>
    followDump(files, old, job, { threads, provisional: partial }),
}

/** The calls of a dump without their stacks, and without the hierarchy unless it is wanted. */
export function readCalls(files: Files, place: Place, job: Job, hierarchy: boolean): Promise<Dump> {
  const where = dumpFilesAt(files, place)
  return readDump(files, { ...where, stack: '', ...(!hierarchy && { construct: '' }) }, job)
}

const isDumpFile = (name: string): boolean => name.endsWith('dump.json') || dumpNames.includes(name)

const inFolder = (at: Candidate): Place | null =>
  dumpNames.some(name => at.has(name)) ? placeAt(at.path) : null

/** The files of a dump: those that were named, else what the folder holds. Refuses a folder without a dump. */
function dumpFilesAt(files: Files, { path, dump, stack }: Place): DumpFiles {
  const found = dumpFilesOf(files, path)
  const where = { ...found, ...(dump && { dump }), ...(stack && { stack }) }
  if (where.dump === '') throw new Refusal(problem('not-a-dump', path))
  return where
}
