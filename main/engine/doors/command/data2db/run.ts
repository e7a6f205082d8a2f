// data2db: dumps of many steps and ranks, and csv files of the training monitor, as trend databases.
import { absolute, decodeMapping, openOutput } from '../../../io/index.ts'
import { isObject, type Json, JsonReader, JsonStop } from '../../../json/index.ts'
import { problem, Refusal } from '../../../model/index.ts'
import { importDumps, importMonitor } from '../../../trend/index.ts'
import { defaultOutput } from '../flags.ts'
import { folderAt } from '../one-folder.ts'
import type { Tools } from '../tools.ts'
import type { Command } from '../verb.ts'
import type { Data2DbField, Data2DbFlags } from './index.ts'

export const command: Command<Data2DbFlags, readonly string[], Data2DbField> = {
  async run({ flags }, tools) {
    const root = await folderAt(flags.data, tools)
    const mapping = flags.mapping === undefined ? [] : mappingAt(flags.mapping, tools)
    const micro = flags.micro !== 'false'
    const rules = flags.rules ?? 'plumbline'
    const output = openOutput(flags.db ?? defaultOutput, [root])
    try {
      const dumps =
        flags.format !== 'monitor' &&
        (await importDumps({ root, mapping, micro }, tools, () => output.create('dump_data.trend.db')))
      const monitor =
        flags.format !== 'dump' &&
        (await importMonitor({ root, micro, rules }, tools, () => output.create('monitor_data.trend.db')))
      if (!dumps && !monitor) throw new Refusal(problem('trend-none', root))
      const files = output.commit()
      tools.written(files)
      return files
    } finally {
      output.abandon()
    }
  },
  print() {},
  json: files => ({ files }),
}

const largest = 1 << 20

function mappingAt(given: string, { files }: Tools): readonly (readonly [string, string])[] {
  const path = absolute(given)
  files.allow(path)
  const value = parsed(decodeMapping(files.readAll(path, largest)).text.replace(/^\uFEFF/, ''), path)
  if (!isObject(value)) throw new Refusal(problem('trend-mapping', path))
  return [...value].map(([from, to]) => {
    if (typeof to !== 'string' || from === '') throw new Refusal(problem('trend-mapping', path))
    return [from, to] as const
  })
}

function parsed(text: string, path: string): Json {
  try {
    return new JsonReader(new TextEncoder().encode(text)).value()
  } catch (error) {
    if (error instanceof JsonStop) throw new Refusal(problem('trend-mapping', path))
    throw error
  }
}
