// parse pk: what an old list of calls says of one.
import { callLines, type CallLine } from '../../../../formats/index.ts'
import { aligned } from '../../tf/aligned.ts'
import type { Command } from '../../verb.ts'
import { fileAt } from '../file.ts'
import type { PkField, PkFlags } from './index.ts'

interface Answer {
  readonly file: string
  readonly lines: readonly CallLine[]
}

export const command: Command<PkFlags, Answer, PkField> = {
  async run({ flags }, tools) {
    const file = fileAt(flags.file, tools)
    return { file, lines: await callLines(tools.files, file, flags.name, tools.job) }
  },
  print({ lines }, page, { flags }) {
    const tensors = lines.filter(({ stack }) => !stack)
    for (const line of aligned(
      tensors.map(({ name, dtype, shape, statistics }) => [
        name,
        `[Dtype: ${dtype}]`,
        `[Shape: ${shape}]`,
        ...['Max', 'Min', 'Mean'].map((title, i) => `[${title}: ${statistics[i] ?? ''}]`),
      ]),
      '',
    ))
      page.line(line)
    for (const { name, stack } of lines) {
      if (!stack) continue
      page.line(page.say('cli.parse.stack', { name }))
      for (const frame of stack) page.line(`  ${frame}`)
    }
    if (lines.length === 0) page.note(page.say('cli.parse.noCall', { name: flags.name }))
  },
  json: ({ file, lines }) => ({ file, lines }),
}
