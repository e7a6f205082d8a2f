// parse pt: a tensor's values; `tf pt` does it.
import { fileAt } from '../file.ts'
import type { Command } from '../../verb.ts'
import { command as pt, type Shown, told } from '../../tf/pt/run.ts'
import type { PtField, PtFlags } from './index.ts'

export const command: Command<PtFlags, Shown, PtField> = {
  run(asked, tools) {
    const { name, layout, output } = asked.flags
    const paths = ['.', fileAt(name, tools)]
    return pt.run({ ...asked, paths, flags: { named: true, layout, output } }, tools)
  },
  ...told,
}
