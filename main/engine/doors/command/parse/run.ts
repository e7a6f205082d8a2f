// parse: raw dump files as arrays that other tools read.
import {
  failuresOf,
  formatCode,
  parseRaws,
  type RawFiles,
  rawFilesIn,
  type SavedFile,
  type SaveSettings,
  writeLists,
} from '../../../formats/index.ts'
import { absolute, dirOf, openOutput } from '../../../io/index.ts'
import { problem, Refusal } from '../../../model/index.ts'
import { compileLess } from '../../../work/index.ts'
import { defaultOutput } from '../flags.ts'
import type { Page, Tools } from '../tools.ts'
import { type Asked, type Command, type Outcome, UsageError } from '../verb.ts'
import type { ParseField, ParseFlags } from './index.ts'

interface Request {
  readonly settings: SaveSettings
  readonly folder: string
}

/** What is said of saved files, however they were asked for. */
export const told = {
  print(saved: readonly SavedFile[], page: Page): void {
    const failed = failuresOf(saved).length
    page.note(
      page.say('cli.parse.done', { files: saved.length, tensors: saved.flatMap(one => one.tensors).length }),
    )
    if (failed > 0) page.note(page.say('cli.parse.failed', { failed }))
  },
  json: (saved: readonly SavedFile[]) => ({ files: saved.map(({ file, tensors }) => ({ file, tensors })) }),
  outcome: (saved: readonly SavedFile[]): Outcome => (saved.some(({ failed }) => failed) ? 'refused' : 'ran'),
}

export const command: Command<ParseFlags, readonly SavedFile[], ParseField> = {
  async run(asked, tools) {
    const request = requestOf(asked)
    const { settings } = request
    const given = pathsOf(asked.flags.dump, tools)
    const found = await rawFilesIn(tools.files, given, tools.job)
    if ((settings.only || settings.shape) && (found.inFolder || found.files.length > 1))
      throw new UsageError('cli.usage.parseOne')
    const dumps = given.filter(path => tools.files.stat(path)?.kind === 'folder')
    return saveAll(found, { ...request, dumps }, tools)
  },
  ...told,
}

/** `dumps`: folders that are read, and never written to. Saves all files, and tells what was written and what could not be. */
export async function saveAll(
  found: RawFiles,
  { settings, folder, dumps }: Request & { readonly dumps: readonly string[] },
  tools: Tools,
): Promise<readonly SavedFile[]> {
  const { files } = found
  for (const one of found.problems) tools.tell(one)
  compileLess()
  // Said before the work: what came out would lie among what is read, and be read the next time.
  openOutput(folder, dumps).abandon()
  const saved = await parseRaws(tools.pool, tools.files, { files, folder, settings }, tools.job)
  for (const one of saved) for (const told of one.problems) tools.tell(told)
  const lists = writeLists(folder, saved, found)
  // Of many files the folder says as much.
  tools.written(saved.length > 1 ? [folder] : [...saved.flatMap(one => one.written), ...lists])
  return saved
}

function requestOf({ flags }: Asked<ParseFlags>): Request {
  const layout = flags.layout?.toUpperCase()
  if (layout !== undefined && formatCode(layout) === null)
    throw new Refusal(problem('raw-no-layout', flags.layout ?? '', { layout: flags.layout ?? '' }))
  const only = flags.input === undefined ? null : { io: 'input' as const, index: numberOf('-i', flags.input) }
  // With a layout a number behind -o is that of an output, as msaccucmp has it.
  const outputs = layout === undefined ? [] : (flags.output ?? []).filter(value => /^\d+$/.test(value))
  const folders = (flags.output ?? []).filter(value => !outputs.includes(value))
  if (folders.length > 1 || outputs.length > 1) throw new UsageError('cli.usage.twice', { option: '-o' })
  const output = outputs.length === 1 ? { io: 'output' as const, index: Number(outputs[0]) } : null
  if (only && output) throw new UsageError('cli.usage.parseOne')
  const wanted = only ?? output
  return {
    settings: {
      kind: flags.type ?? 'npy',
      ...(layout !== undefined && { layout }),
      ...(flags.shape !== undefined && {
        shape: flags.shape.split(',').map(dim => numberOf('-s', dim.trim())),
      }),
      ...(wanted && { only: wanted }),
    },
    folder: absolute(folders[0] ?? defaultOutput),
  }
}

function numberOf(option: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new UsageError('cli.usage.numbers', { option, value })
  return Number(value)
}

/** One path, or several with commas between them. */
function pathsOf(given: string, { files }: Tools): readonly string[] {
  const allowed = (path: string): string => {
    files.allow(path)
    files.allow(dirOf(path))
    return path
  }
  const whole = allowed(absolute(given))
  return files.stat(whole) || !given.includes(',')
    ? [whole]
    : given
        .split(',')
        .filter(Boolean)
        .map(path => allowed(absolute(path.trim())))
}
