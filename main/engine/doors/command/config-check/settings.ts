// config_check with training logs: hyper-parameters of two, or of one by what a recipe wants.
import {
  compareSettings,
  type LogSettings,
  readRecipe,
  readSettings,
  type SettingsKind,
  type SettingsRow,
  settingsTable,
  usualRecipe,
  verifySettings,
} from '../../../config/index.ts'
import { absolute, type Output, openOutput } from '../../../io/index.ts'
import { problem, Refusal } from '../../../model/index.ts'
import { jsonText } from '../../../python/index.ts'
import { writeCsv } from '../../../report/index.ts'
import { ruleSets } from '../../../rules/index.ts'
import type { Page, Tools } from '../tools.ts'
import { type Given, UsageError } from '../verb.ts'
import type { ConfigFlags } from './index.ts'

export interface SettingsAnswer {
  readonly rows: readonly SettingsRow[]
  /** One log by a recipe. */
  readonly verified: boolean
  readonly files: readonly string[]
}

export const isLog = (path: string): boolean => /\.(?:log|txt)$/i.test(path)
const isYaml = (path: string): boolean => /\.ya?ml$/i.test(path)

/** The debug side first, as the tool has it; `kind` null: whatever the logs are of. */
export async function compareLogs(
  logs: readonly string[],
  kind: SettingsKind | null,
  flags: Given<ConfigFlags>,
  tools: Tools,
): Promise<SettingsAnswer> {
  if (!logs.every(isLog)) throw new UsageError('cli.usage.configLogs')
  const [debug, bench] = [await logAt(logs[0], kind, tools), await logAt(logs[1], kind, tools)]
  if (debug.kind !== bench.kind) throw new Refusal(problem('settings-kinds', absolute(logs[1]), {}))
  const rows = compareSettings(debug, bench, { exact: isExact(flags) })
  const folder = flags.output ?? `./${kind ?? debug.kind}_param_compare_result`
  const files = await write(folder, tools, async output => {
    writeJson(output, 'NPU_config.json', debug)
    writeJson(output, 'bench_config.json', bench)
    await writeRows(output, 'hyper_params_compare.csv', settingsTable(rows, 'compare'), flags, tools)
  })
  return { rows, verified: false, files }
}

/** A recipe and a log, or a log by the usual recipe. */
export async function verifyLog(
  given: readonly string[],
  flags: Given<ConfigFlags>,
  tools: Tools,
): Promise<SettingsAnswer> {
  const path = given.at(-1) ?? ''
  const recipe = given.length === 2 ? given[0] : null
  if (!isLog(path) || (recipe !== null && !isYaml(recipe))) throw new UsageError('cli.usage.configVerify')
  const log = await logAt(path, 'verl', tools)
  const wanted = recipe === null ? usualRecipe : readRecipe(tools.files, recipe)
  const rows = verifySettings(log, wanted, { exact: isExact(flags) })
  const files = await write(flags.output ?? './verl_param_verify_result', tools, async output => {
    writeJson(output, 'tgt_config.json', log)
    await writeRows(output, 'hyper_params_verify.csv', settingsTable(rows, 'verify'), flags, tools)
  })
  return { rows, verified: true, files }
}

const isExact = ({ rules }: Given<ConfigFlags>): boolean =>
  !ruleSets[rules ?? 'plumbline'].deviates['config-meaning']

async function logAt(given: string, kind: SettingsKind | null, tools: Tools): Promise<LogSettings> {
  const path = absolute(given)
  const found = await readSettings(tools.files, path, tools.job)
  if (!found || (kind !== null && found.kind !== kind)) throw new Refusal(problem('settings-none', path))
  return found
}

async function write(
  folder: string,
  { written }: Tools,
  fill: (output: Output) => Promise<void>,
): Promise<readonly string[]> {
  const output = openOutput(folder, [], true)
  try {
    await fill(output)
    const paths = output.commit()
    written(paths)
    return paths
  } finally {
    output.abandon()
  }
}

const writeJson = (output: Output, name: string, { values }: LogSettings): void =>
  output.create(name).write(new TextEncoder().encode(jsonText(values, '', '  ')))

async function writeRows(
  output: Output,
  name: string,
  table: ReturnType<typeof settingsTable>,
  flags: Given<ConfigFlags>,
  { job }: Tools,
): Promise<void> {
  const sink = output.create(name)
  sink.write(new TextEncoder().encode('\ufeff'))
  await writeCsv(table, sink, { extras: true, inert: !isExact(flags) }, job)
}

const shown = 40

export function printSettings({ rows, verified }: SettingsAnswer, page: Page): void {
  const differing = rows.filter(({ same }) => !same)
  page.line(page.say('config.settings.count', { count: differing.length, of: rows.length }))
  const none = page.say('config.settings.none')
  for (const { name, debug, bench } of differing.slice(0, shown))
    page.line(
      `  ${page.say(verified ? 'config.settings.wanted' : 'config.settings.row', { name, bench: bench ?? none, debug: debug ?? none })}`,
    )
  if (differing.length > shown)
    page.line(`  ${page.say('config.settings.more', { count: differing.length - shown })}`)
}
