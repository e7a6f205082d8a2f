// What the files of a unit look like from outside: another dump in the same place has other times and sizes.
import type { Place } from '../formats/index.ts'
import { type Files, join, seenAt } from '../io/index.ts'
import type { UnitRef } from '../layout/index.ts'

/** Cheap enough to be asked every few seconds. */
export const stampOf = ({ places }: UnitRef, files: Files): string =>
  [places.debug, ...(places.bench ? [places.bench] : [])]
    .flatMap(place => filesOf(place, files))
    .map(path => stampOfFile(path, files))
    .join('\n')

/** The files that every dump anew writes. */
function filesOf({ path, dump, stack, folders = [], sources }: Place, files: Files): readonly string[] {
  if (sources) return Object.values(sources).flat()
  if (files.stat(path)?.kind === 'file') return [path]
  const own = [dump ?? join(path, 'dump.json'), join(path, 'construct.json'), join(path, 'dump_tensor_data')]
  return [...own, ...(stack === undefined ? [] : [stack]), ...folders]
}

/** A file that cannot be looked at, for a moment or at all, counts as one that is not there. */
function stampOfFile(path: string, files: Files): string {
  const entry = seenAt(files, path)
  return entry ? `${entry.size} ${entry.modified}` : ''
}
