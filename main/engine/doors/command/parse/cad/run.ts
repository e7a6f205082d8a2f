// parse cad: all raw dumps of a folder as arrays, a folder for each operation and in it one for each time.
import { rawFilesIn, type SavedFile } from '../../../../formats/index.ts'
import { absolute, join } from '../../../../io/index.ts'
import { defaultOutput } from '../../flags.ts'
import type { Command } from '../../verb.ts'
import { saveAll, told } from '../run.ts'
import type { CadField, CadFlags } from './index.ts'

export const command: Command<CadFlags, readonly SavedFile[], CadField> = {
  async run({ flags }, tools) {
    const given = absolute(flags.dumps)
    tools.files.allow(given)
    const { files, inFolder, problems } = await rawFilesIn(tools.files, [given], tools.job)
    const taken = new Set<string>()
    const sorted = files.map(one => {
      const place = placeOf(one.name)
      const key = `${place}/${one.name}`
      // The same name in two folders of the dump: the second keeps its own folders, so that neither is lost.
      const below = taken.has(key) ? join(place, one.below) : place
      taken.add(key)
      return { ...one, below }
    })
    const folder = absolute(flags.output ?? defaultOutput)
    const request = { settings: { kind: 'npy' as const }, folder, dumps: inFolder ? [given] : [] }
    return saveAll({ files: sorted, inFolder, problems }, request, tools)
  },
  ...told,
}

/** The operation and the last part of the name, which is the time in most. */
function placeOf(name: string): string {
  const parts = name.split('.')
  return parts.length < 2 ? '' : `${parts[1]}/${parts.at(-1) ?? ''}`
}
