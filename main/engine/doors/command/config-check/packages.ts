// config_check -c with two packages: the workbook, and in words what matters most.
import { compareConfigs, type Compared, openPackage } from '../../../config/index.ts'
import { cellTable, titled } from '../../../formats/index.ts'
import { openOutput } from '../../../io/index.ts'
import type { Table } from '../../../model/index.ts'
import { type Sheet, slices, writeXlsx } from '../../../report/index.ts'
import type { Page, Tools } from '../tools.ts'
import type { Given } from '../verb.ts'
import type { ConfigFlags } from './index.ts'

interface PackagesAnswer {
  readonly compared: Compared
  readonly files: readonly string[]
}

const byDefault = './config_check_result'

export async function comparePackages(flags: Given<ConfigFlags>, tools: Tools): Promise<PackagesAnswer> {
  const [benchPath, debugPath] = flags.compare ?? ['', '']
  const bench = openPackage(tools.files, benchPath)
  try {
    const debug = openPackage(tools.files, debugPath)
    try {
      const rules = flags.rules ?? 'plumbline'
      const compared = compareConfigs({ bench, debug, rules, tell: tools.tell })
      return { compared, files: await write(compared, flags.output ?? byDefault, tools) }
    } finally {
      debug.close()
    }
  } finally {
    bench.close()
  }
}

async function write(
  { parts }: Compared,
  folder: string,
  { job, written }: Tools,
): Promise<readonly string[]> {
  const summary = cellTable(titled(['filename', 'pass_check']), parts.length, (row, column) =>
    column === 0 ? parts[row].part : parts[row].verdict,
  )
  const output = openOutput(folder, [], true)
  try {
    await writeXlsx(
      [...sheetsOf('summary', summary), ...parts.flatMap(({ part, sheet }) => sheetsOf(part, sheet))],
      output.create('result.xlsx'),
      false,
      job,
    )
    const paths = output.commit()
    written(paths)
    return paths
  } finally {
    output.abandon()
  }
}

/** More rows than a sheet holds go into several. */
const sheetsOf = (name: string, table: Table): readonly Sheet[] =>
  slices(table.length).map(([from, to], i, all) => ({
    name: all.length > 1 ? `${name}_part_${i}` : name,
    table,
    from,
    to,
    truths: true,
  }))

/** Of each part, so many lines; the rest is counted. */
const shown = 12

export function printPackages({ verdict, parts, findings }: Compared, page: Page): void {
  page.line(page.say(`config.verdict.${verdict}`))
  const lines = new Map<string, number>()
  for (const one of findings) {
    const count = (lines.get(one.part) ?? 0) + 1
    lines.set(one.part, count)
    if (count <= shown) page.line(`  ${page.say(`config.level.${one.level}`)}: ${page.setup(one)}`)
  }
  for (const [part, count] of lines)
    if (count > shown) page.line(`  ${page.say('config.rest', { count: count - shown, part })}`)
  const same = parts.filter(({ part }) => !lines.has(part)).map(({ part }) => part)
  if (same.length > 0) page.line(page.say('config.same', { parts: same.join(', ') }))
}

export function packagesJson(
  compared: Compared | null,
): Readonly<Record<'verdict' | 'parts' | 'findings', unknown>> {
  return {
    verdict: compared?.verdict ?? null,
    parts: compared?.parts.map(({ part, verdict, sheet }) => ({ part, verdict, rows: sheet.length })) ?? [],
    findings: compared?.findings.map(({ facts, ...one }) => ({ ...one, ...facts })) ?? [],
  }
}
