// Ranks of a step drawn as text, a line per call: `add -> !` has clean inputs and bad outputs; `all_reduce 0,1 ! -> !`
// talks to ranks 0 and 1; `send>1`, `recv<0`, `broadcast@0`.
import { explainedIn, type RankRecord, recordOf } from '../../main/engine/overflow/record.ts'
import { scenesOf } from '../../main/engine/overflow/scenes.ts'
import type { Dump } from '../../main/engine/model/dump.ts'
import { dumpFilesOf, readDump } from '../../main/engine/formats/msprobe/read.ts'
import { job } from '../../main/engine/work/job.ts'
import { tensor } from './dump-text.ts'
import { memoryFiles } from './memory-files.ts'

const good = tensor('torch.float32', [2], ['1.0', '1.0', '1.0', '1.0'])
const bad = tensor('torch.float32', [2], ['NaN', 'NaN', 'NaN', 'NaN'])
const leaf = (mark: string | undefined): string => (mark === '!' ? bad : good)
const int = (value: string): string => `{"type": "int", "value": ${value}}`

/** Parents by op key. */
type Construct = Readonly<Record<string, string | null>>

export async function rankOf(
  rank: number,
  lines: readonly string[],
  construct?: Construct,
): Promise<RankRecord> {
  const counts = new Map<string, number>()
  const entries = lines.map(line => {
    const [left = '', right] = line.split('->').map(part => part.trim())
    const [call = '', ...args] = left.split(' ')
    const [, api = '', sign, other = ''] = /^([\w.]+)(?:([<>@])(\d+))?$/.exec(call) ?? []
    const ranks = args.find(arg => /^[\d,]+$/.test(arg))
    const keyword = { '<': 'src', '>': 'dst', '@': 'src' }[sign ?? '']
    const named = [
      ...(keyword ? [`"${keyword}": ${int(other)}`] : []),
      ...(ranks
        ? [`"group": {"type": "torch.ProcessGroup", "group_ranks": [${ranks}], "group_id": "x"}`]
        : []),
      ...args.filter(arg => arg.startsWith('"')).map(name => `"group": {"type": "str", "value": ${name}}`),
      ...(args.includes('inf') ? ['"value": {"type": "float", "value": -Infinity}'] : []),
    ]
    const count = counts.get(api) ?? 0
    counts.set(api, count + 1)
    const talks = sign !== undefined || /all_|reduce|barrier/.test(api)
    const name = api.startsWith('Module.')
      ? `${api}.forward.${count}`
      : `${talks ? 'Distributed' : 'Torch'}.${api}.${count}.forward`
    const outputs = right === '' || right === undefined ? '' : leaf(right)
    return `${JSON.stringify(name)}: {"input_args": [${leaf(args.find(arg => arg === '!'))}], "input_kwargs": {${named.join(', ')}}, "output": [${outputs}]}`
  })
  return recordOfText(
    rank,
    `{"task": "statistics", "level": "mix", "framework": "pytorch", "dump_data_dir": null, "data": {${entries.join(',\n')}}}`,
    construct,
  )
}

export async function recordOfText(rank: number, text: string, construct?: Construct): Promise<RankRecord> {
  const files = memoryFiles({
    '/d/dump.json': text,
    ...(construct && { '/d/construct.json': JSON.stringify(construct) }),
  })
  const dump: Dump = await readDump(files, dumpFilesOf(files, '/d'), job())
  const scenes = scenesOf(dump)
  return recordOf(files, dump, rank, explainedIn(dump, scenes), scenes)
}
