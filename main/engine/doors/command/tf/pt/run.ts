// tf pt: the first values of a tensor, its statistics, and all of it as text.
import { OpenTensor } from '../../../../formats/index.ts'
import { quickFiles } from '../../../../io/index.ts'
import { type FileStatistics } from '../../../../measure/index.ts'
import { problem, Refusal, type TensorRef } from '../../../../model/index.ts'
import { general } from '../../../../python/index.ts'
import { defaultOutput } from '../../flags.ts'
import type { Page, Tools } from '../../tools.ts'
import { printed, writeText } from '../../tensor-text.ts'
import type { Command } from '../../verb.ts'
import { aligned } from '../aligned.ts'
import { tensorNamed } from '../tensor-named.ts'
import type { PtField, PtFlags } from './index.ts'

export interface Shown extends FileStatistics {
  readonly name: string
  readonly path: string
  readonly layout: string
  /** The first of them, as they are printed. */
  readonly values: readonly string[]
  readonly txt: string | null
}

const [rows, columns] = [16, 8]
/** Larger ones are only written as text where the user says where to. */
const mostText = 1 << 20

/** What is said of a tensor, however it was named. */
export const told = {
  print,
  json: ({ name, path, shape, dtype, layout, max, min, mean, values, txt }: Shown) => ({
    name,
    path,
    shape,
    dtype,
    layout,
    max,
    min,
    mean,
    values,
    txt,
  }),
}

export const command: Command<PtFlags, Shown, PtField> = {
  async run({ paths, flags }, tools) {
    const found = await tensorNamed(paths[0], paths[1], tools, {
      ...(flags.layout !== undefined && { layout: flags.layout }),
    })
    const { ref } = found
    const [statistics] = await tools.pool.run<readonly FileStatistics[]>(
      'statistics',
      { roots: tools.files.roots(), paths: [ref] },
      { signal: tools.job.signal },
    )
    if (statistics.problem) throw new Refusal(statistics.problem)
    const size = statistics.shape.reduce((all, dim) => all * dim, 1)
    const values = await textsOf(ref, Math.min(size, rows * columns), tools)
    const isWanted = flags.output !== undefined || size <= mostText
    const txt = isWanted ? await writeText(found.name, ref, flags.output || defaultOutput, tools) : null
    if (!isWanted) tools.tell(problem('tf-no-text', ref.file, { elements: size }, 'note'))
    return { ...statistics, name: found.name, path: ref.file, layout: found.layout, values, txt }
  },
  ...told,
}

function print({ name, path, shape, dtype, layout, max, min, mean, values, txt }: Shown, page: Page): void {
  const lines = Array.from({ length: Math.ceil(values.length / columns) }, (_, i) => [
    String(i * columns),
    ...values.slice(i * columns, (i + 1) * columns),
  ])
  for (const line of aligned(lines)) page.line(line)
  const isBool = dtype === 'bool'
  const texts = {
    name,
    path,
    shape: `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`,
    dtype,
    max: valueText(max, isBool),
    min: valueText(min, isBool),
    mean: valueText(mean, false),
  }
  page.line(page.say('cli.tf.pt', texts))
  if (layout !== '') page.line(page.say('cli.tf.ptLayout', { layout }))
  if (txt !== null) page.line(page.say('cli.tf.ptText', { file: txt }))
}

function valueText(value: number, isBool: boolean): string {
  if (isBool) return value === 0 ? 'False' : 'True'
  return Number.isInteger(value) ? String(value) : general(value)
}

async function textsOf(ref: TensorRef, count: number, { files }: Tools): Promise<readonly string[]> {
  if (count === 0) return []
  const tensor = new OpenTensor(quickFiles(files.roots()), ref)
  try {
    const { low } = tensor.layout.dtype
    return Array.from({ length: tensor.read(0, count) }, (_, i) =>
      printed(tensor.values[i], low !== undefined),
    )
  } finally {
    tensor.close()
  }
}
