// code_mapping: reads IR text and names of kernels, writes the lines of source of each into a csv.
import { cellTable, mapCode, type MappedCode, titled } from '../../../formats/index.ts'
import { absolute, dirOf, openOutput } from '../../../io/index.ts'
import { problem, Refusal } from '../../../model/index.ts'
import { stampOf, writeCsv } from '../../../report/index.ts'
import { defaultOutput } from '../flags.ts'
import type { Tools } from '../tools.ts'
import type { Command } from '../verb.ts'
import type { CodeField, CodeFlags } from './index.ts'

interface Answer {
  readonly mapped: MappedCode
  readonly files: readonly string[]
}

export const command: Command<CodeFlags, Answer, CodeField> = {
  async run({ flags, framework }, tools) {
    const [ir, dump] = [allowed(flags.ir, tools), allowed(flags.dump, tools)]
    if (framework === 'pytorch') throw new Refusal(problem('ir-framework', ir))
    const mapped = await mapCode(tools.files, ir, dump, tools.job)
    for (const found of mapped.problems) tools.tell(found)
    return { mapped, files: await write(mapped, flags.output ?? defaultOutput, dump, tools) }
  },
  print({ mapped }, page) {
    const { kernels, found, without } = countsOf(mapped)
    page.note(page.say('cli.codeMapping.done', { kernels, mapped: found, missing: without.length }))
    if (without.length === 0) return
    const shown = without.slice(0, mostShown).join(', ')
    const more = without.length - mostShown
    const names = more > 0 ? page.say('cli.codeMapping.more', { names: shown, count: more }) : shown
    page.note(page.say('cli.codeMapping.missing', { names }))
  },
  json({ mapped, files }) {
    const { kernels, found, without } = countsOf(mapped)
    return {
      kind: mapped.kind,
      kernels: mapped.code.map((code, name) => ({
        name: mapped.names.get(name),
        scope: code?.scope ?? null,
        stacks: code?.stacks ?? [],
      })),
      counts: {
        rows: mapped.path.length,
        kernels,
        mapped: found,
        missing: without.length,
        unnamed: mapped.name.filter(name => name < 0).length,
      },
      files,
    }
  },
}

/** Names of kernels without code. */
const mostShown = 5

function countsOf({ code, names }: MappedCode): {
  readonly kernels: number
  readonly found: number
  readonly without: readonly string[]
} {
  const without = code.flatMap((found, name) => (found && found.stacks.length > 0 ? [] : [names.get(name)]))
  return { kernels: code.length, found: code.length - without.length, without }
}

function allowed(given: string, { files }: Tools): string {
  const path = absolute(given)
  files.allow(path)
  files.allow(dirOf(path))
  return path
}

/** Of a statistic.csv a row names its kernel too: the file itself is left alone. */
async function write(
  mapped: MappedCode,
  folder: string,
  dump: string,
  { job, files, written }: Tools,
): Promise<readonly string[]> {
  const output = openOutput(folder, files.stat(dump)?.kind === 'folder' ? [dump] : [])
  try {
    const name = `code_mapping_${stampOf(new Date())}.csv`
    await writeCsv(tableOf(mapped), output.create(name), { extras: true, inert: true }, job)
    const paths = output.commit()
    written(paths)
    return paths
  } finally {
    output.abandon()
  }
}

type Cell = readonly [title: string, text: (row: number) => string]

function tableOf({ kind, path, name, names, code }: MappedCode): ReturnType<typeof cellTable> {
  const of = (row: number): MappedCode['code'][number] => code[name[row]] ?? null
  const kernel: readonly Cell[] = kind === 'tensors' ? [] : [['Op Name', row => names.get(name[row])]]
  const cells: readonly Cell[] = [
    ['File Path', row => path[row]],
    ...kernel,
    [
      'Code Stacks',
      row =>
        of(row)
          ?.stacks.map(lines => lines.join('\n'))
          .join('\n') ?? '',
    ],
    ['Scope Name', row => of(row)?.scope ?? ''],
  ]
  return cellTable(titled(cells.map(([title]) => title)), path.length, (row, column) => cells[column][1](row))
}
