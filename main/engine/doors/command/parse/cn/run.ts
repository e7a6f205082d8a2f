// parse cn: two tensors element by element; `tf cp` does it, and `tf pt` writes their texts.
import { absolute, join } from '../../../../io/index.ts'
import { defaultOutput } from '../../flags.ts'
import type { CpField } from '../../tf/cp/index.ts'
import { type Answer, command as cp, told } from '../../tf/cp/run.ts'
import { command as pt } from '../../tf/pt/run.ts'
import type { Tools } from '../../tools.ts'
import type { Asked, Command } from '../../verb.ts'
import { fileAt } from '../file.ts'
import type { CnFlags } from './index.ts'

export const command: Command<CnFlags, Answer, CpField> = {
  async run(asked, tools) {
    const { left, right, most, al, rl, save } = asked.flags
    const sides = [fileAt(left, tools), fileAt(right, tools)]
    const flags = { name: undefined, most, al, rl }
    const answer = await cp.run({ ...asked, paths: ['.', ...sides], flags }, tools)
    if (save !== undefined) await saveTexts(sides, absolute(save || defaultOutput), asked, tools)
    return answer
  },
  ...told,
}

/** A folder for each side: both files may be called the same. */
async function saveTexts(
  sides: readonly string[],
  folder: string,
  asked: Asked<CnFlags>,
  tools: Tools,
): Promise<void> {
  for (const [i, side] of sides.entries()) {
    const output = join(folder, i === 0 ? 'left' : 'right')
    const flags = { named: undefined, layout: undefined, output }
    const { txt } = await pt.run({ ...asked, paths: ['.', side], flags }, tools)
    if (txt !== null) tools.written([txt])
  }
}
