// tf graph: the graphs of a run as JSON, one file each.
import { type GeGraphFile, type NpuSide, writeGraphJson } from '../../../../formats/index.ts'
import { join, openOutput } from '../../../../io/index.ts'
import { problem, Refusal } from '../../../../model/index.ts'
import { defaultOutput } from '../../flags.ts'
import type { Tools } from '../../tools.ts'
import type { Command } from '../../verb.ts'
import { filesOf, type Which } from '../graphs.ts'
import { openTree } from '../tree.ts'
import type { GraphField, GraphFlags } from './index.ts'

export const command: Command<GraphFlags, readonly string[], GraphField> = {
  async run({ paths, flags }, tools) {
    const { npu, root } = await openTree(paths[0], tools)
    const orders = npu
      .filter(({ name }) => flags.run === undefined || flags.run === name)
      .map(side => ({ name: side.name, files: textsOf(side, flags, root) }))
      .filter(({ files }) => files.length > 0)
    if (orders.length === 0) throw new Refusal(problem('tf-no-graph', root))
    const target = flags.output || defaultOutput
    const written: string[] = []
    for (const { name, files } of orders) {
      const folder = orders.length > 1 ? join(target, name) : target
      written.push(...(await writeAll(files, folder, root, tools)))
    }
    tools.written(written)
    return written
  },
  print() {},
  json: files => ({ files }),
}

/** What is JSON already stays as it is. */
const textsOf = (side: NpuSide, { graphFile }: Which, root: string): readonly GeGraphFile[] =>
  filesOf(side, graphFile, root).filter(({ form }) => form === 'text')

async function writeAll(
  files: readonly GeGraphFile[],
  folder: string,
  root: string,
  tools: Tools,
): Promise<readonly string[]> {
  const output = openOutput(folder, [root])
  try {
    for (const { path, name } of files) {
      const wrong = await writeGraphJson(tools.files, path, output.create(`${name}.json`), tools.job)
      if (wrong) tools.tell(wrong)
    }
    return output.commit()
  } finally {
    output.abandon()
  }
}
