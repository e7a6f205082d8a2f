// Rows of a training monitor's csv files, whichever generation wrote them.
import type { Files } from '../../io/index.ts'
import type { Problem } from '../../model/index.ts'
import type { Job } from '../../work/index.ts'
import { type Header, numberIn, readRows } from '../text-rows.ts'
import type { MonitorFile, MonitorFolder } from './folders.ts'

export interface MonitorRow {
  readonly metric: string
  readonly vpp: number | string | null
  readonly name: string
  readonly micro: number | null
  readonly step: number
  readonly header: Header
  readonly fields: readonly string[]
}

/** Columns that say what a row is about; the others are statistics, but for those that hold texts. */
const keys = new Set(['vpp_stage', 'name', 'module_name', 'scope', 'step', 'micro_step'])
const texts = new Set(['shape', 'dtype'])

/** Statistics of a row, in the order of the columns. */
export function* valuesOf({ header, fields }: MonitorRow): Generator<readonly [op: string, value: number]> {
  for (const [at, title] of header.titles.entries()) {
    if (keys.has(title) || texts.has(title)) continue
    const value = numberIn(fields[at])
    if (value !== null) yield [title, value]
  }
}

/** What was watched, as the first monitor calls it. */
const metrics: Readonly<Record<string, string>> = {
  'module forward': 'actv',
  'module backward': 'actv_grad',
  'weight_grad unreduced': 'grad_unreduced',
  'weight_grad reduced': 'grad_reduced',
}

interface Ports {
  readonly files: Files
  readonly job: Job
  tell(found: Problem): void
}

export async function readMonitorFile(
  { generation }: Pick<MonitorFolder, 'generation'>,
  { path, task }: MonitorFile,
  { tell, ...ports }: Ports,
  take: (row: MonitorRow) => void,
): Promise<void> {
  const nameColumn = generation === 1 ? 'name' : 'module_name'
  await readRows(
    { ...ports, path },
    { keys: [nameColumn, 'step'], ...(generation === 1 && { mend: rejoined }) },
    (fields, header) => {
      const step = wholeIn(fields[header.at('step')])
      if (step === null) return
      const stage = fields[header.at('vpp_stage')] ?? ''
      const scope = fields[header.at('scope')]?.trim() ?? ''
      take({
        metric: generation === 1 ? task : (metrics[`${task} ${scope}`] ?? (scope || task)),
        vpp: wholeIn(stage) ?? (stage === '' ? null : stage),
        name: fields[header.at(nameColumn)] ?? '',
        micro: wholeIn(fields[header.at('micro_step')]),
        step,
        header,
        fields,
      })
    },
    tell,
  )
}

/** A name was cut at its colons into columns of their own, which stand behind the step. */
function rejoined(fields: readonly string[], header: Header): readonly string[] | null {
  const [name, step] = [header.at('name'), header.at('step')]
  const more = fields.length - header.titles.length
  const parts = fields.slice(step + 1, step + 1 + more)
  if (step !== name + 1 || !parts.every(part => /^\d+$/.test(part))) return null
  return [
    ...fields.slice(0, name),
    [fields[name], ...parts].join(':'),
    fields[step],
    ...fields.slice(step + 1 + more),
  ]
}

const wholeIn = (text: string | undefined): number | null => {
  const value = numberIn(text)
  return value !== null && Number.isSafeInteger(value) ? value : null
}
