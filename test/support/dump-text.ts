// Dumps drawn as text: one line per op, `name: inputs -> outputs`, read through the real reader.
import { type Dump, itemName } from '../../main/engine/model/dump.ts'
import { dumpFilesOf, readDump } from '../../main/engine/formats/msprobe/read.ts'
import { job } from '../../main/engine/work/job.ts'
import { memoryFiles } from './memory-files.ts'

export interface Drawn {
  readonly framework?: 'mindspore' | 'pytorch'
  readonly task?: string
  /** Frames by op key. */
  readonly stack?: Readonly<Record<string, readonly string[]>>
  /** Parents by op key. */
  readonly construct?: Readonly<Record<string, string | null>>
  /** Dataflow of the format's own: the output that an input is, by item name. */
  readonly edges?: Readonly<Record<string, string>>
}

/** A leaf of dump.json; statistics are JSON texts, so that 1 and 1.0, NaN and null can be told apart. */
export function tensor(
  dtype: string,
  shape: readonly number[],
  [max, min, mean, norm]: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): string {
  const type = dtype.startsWith('torch.') ? 'torch.Tensor' : 'mindspore.Tensor'
  const rest = Object.entries(more)
    .map(([key, value]) => `, "${key}": ${JSON.stringify(value)}`)
    .join('')
  return `{"type": "${type}", "dtype": "${dtype}", "shape": ${JSON.stringify(shape)}, "Max": ${max ?? 'null'}, "Min": ${min ?? 'null'}, "Mean": ${mean ?? 'null'}, "Norm": ${norm ?? 'null'}${rest}}`
}

export const scalar = (type: string, value: string): string => `{"type": "${type}", "value": ${value}}`

/** Entries of `data` by op key: the JSON text of each part. */
export type Ops = Readonly<Record<string, Readonly<Record<string, string>>>>

export async function drawn(
  ops: Ops,
  { framework = 'mindspore', task = 'statistics', stack, construct, edges }: Drawn = {},
): Promise<Dump> {
  const entries = Object.entries(ops).map(
    ([name, parts]) =>
      `${JSON.stringify(name)}: {${Object.entries(parts)
        .map(([part, text]) => `"${part}": ${text}`)
        .join(', ')}}`,
  )
  const files = memoryFiles({
    '/d/dump.json': `{"task": "${task}", "level": "mix", "framework": "${framework}", "dump_data_dir": null, "data": {${entries.join(',\n')}}}`,
    ...(stack ? { '/d/stack.json': JSON.stringify(stack) } : {}),
    ...(construct ? { '/d/construct.json': JSON.stringify(construct) } : {}),
    ...(task === 'tensor' ? { '/d/dump_tensor_data/x': '' } : {}),
  })
  const dump = await readDump(files, dumpFilesOf(files, '/d'), job())
  if (!edges) return dump
  const names = Array.from({ length: dump.items.length }, (_, item) => itemName(dump, item))
  return { ...dump, edges: { producer: Int32Array.from(names, name => names.indexOf(edges[name] ?? '')) } }
}
