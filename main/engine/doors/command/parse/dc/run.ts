// parse dc: raw dumps as arrays, as if it had been typed behind `parse` alone.
import type { SavedFile } from '../../../../formats/index.ts'
import type { Command } from '../../verb.ts'
import { command as parse, told } from '../run.ts'
import type { DcField, DcFlags } from './index.ts'

export const command: Command<DcFlags, readonly SavedFile[], DcField> = {
  run({ flags: { dump, layout, output }, ...asked }, tools) {
    const folder = output === undefined ? undefined : [output]
    const flags = { dump, layout, output: folder, type: undefined, input: undefined, shape: undefined }
    return parse.run({ ...asked, flags }, tools)
  },
  ...told,
}
