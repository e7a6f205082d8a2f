// Hyper-parameters of two logs name by name, and of one log by what a recipe wants.
import { absolute, dirOf, type Files } from '../io/index.ts'
import { isObject, type Json, JsonNumber, type JsonObject } from '../json/index.ts'
import { pyStr } from '../python/index.ts'
import { cellTable, titled } from '../formats/index.ts'
import { problem, Refusal, type Table } from '../model/index.ts'
import { flatSettings, type LogSettings, type SettingsKind } from './log-settings.ts'
import { pythonYaml, type Yaml } from './python-yaml.ts'
import { hidden, isSecret } from './secrets.ts'
import { pyEqual, sameMeaning } from './values.ts'

export interface SettingsRow {
  readonly name: string
  /** As Python prints it; null: not there. */
  readonly debug: string | null
  readonly bench: string | null
  readonly same: boolean
}

/** How a run is watched, or where it runs, changes nothing of what it computes. */
const passedOver: Readonly<Record<SettingsKind, readonly string[]>> = {
  verl: ['profiler/', 'ray_'],
  slime: ['profile'],
}
/** Beyond what msprobe passes over: names of the run, and places. */
const elsewhere =
  /(?:^|[/_])(?:experiment_name|project_name|default_local_dir|tensorboard_dir|wandb\w*|save|load|log_dir|logging_dir|master_addr|master_port|hostname|n?nodes?_ip|rollout_data_dir|validation_data_dir)$/

export interface ComparingSettings {
  /** As msprobe has it: by equality, nothing hidden. */
  readonly exact: boolean
}

export function compareSettings(
  debug: LogSettings,
  bench: LogSettings,
  { exact }: ComparingSettings,
): readonly SettingsRow[] {
  const [mine, theirs] = [flatSettings(debug.values), flatSettings(bench.values)]
  const leftOut = passedOver[debug.kind]
  return [...new Set([...mine.keys(), ...theirs.keys()])]
    .filter(name => !leftOut.some(part => name.includes(part)))
    .toSorted(byCodePoint)
    .map(name => rowOf(name, mine, theirs, exact))
}

/** Whether a difference in it says nothing of the results. */
export const isElsewhere = (name: string): boolean => elsewhere.test(name)

/** What a recipe names, and what the log has of it. */
export function verifySettings(
  log: LogSettings,
  recipe: JsonObject,
  { exact }: ComparingSettings,
): readonly SettingsRow[] {
  const [mine, wanted] = [flatSettings(log.values), flatSettings(recipe)]
  return [...wanted.keys()].toSorted(byCodePoint).map(name => rowOf(name, mine, wanted, exact))
}

type Flat = ReadonlyMap<string, Json>

function rowOf(name: string, mine: Flat, theirs: Flat, exact: boolean): SettingsRow {
  const [a, b] = [mine.get(name), theirs.get(name)]
  const both = mine.has(name) && theirs.has(name)
  const shown = (side: Flat, value: Json | undefined): string | null => {
    if (!side.has(name)) return null
    return isSecret(name.split('/').at(-1) ?? name) && !exact ? hidden : pyRepr(value)
  }
  return {
    name,
    debug: shown(mine, a),
    bench: shown(theirs, b),
    same: both && (exact ? pyEqual(a, b) : sameMeaning(a, b)),
  }
}

/** As it stands in a list. */
const pyRepr = (value: Json | undefined): string => pyStr([value ?? null]).slice(1, -1)

const byCodePoint = (a: string, b: string): number => {
  const [x, y] = [[...a], [...b]]
  for (let i = 0; i < Math.min(x.length, y.length); i++)
    if (x[i] !== y[i]) return (x[i].codePointAt(0) ?? 0) - (y[i].codePointAt(0) ?? 0)
  return x.length - y.length
}

/** As msprobe writes it: of a comparison the debug side first, of a check the wanted value. */
export function settingsTable(rows: readonly SettingsRow[], of: 'compare' | 'verify'): Table {
  const titles =
    of === 'compare'
      ? ['超参名称', 'NPU生效值', 'bench生效值', '是否一致']
      : ['关键参数名称', 'bench生效值', 'target生效值', '是否一致']
  return cellTable(titled(titles), rows.length, (row, column) => {
    const { name, debug, bench, same } = rows[row]
    const [first, second] = of === 'compare' ? [debug, bench] : [bench, debug]
    return [name, first ?? 'NA', second ?? 'NA', same ? '是' : '否'][column]
  })
}

const longestRecipe = 16 << 20

/** What somebody wants a run to keep to. */
export function readRecipe(files: Files, given: string): JsonObject {
  const path = absolute(given)
  files.allow(dirOf(path))
  if (!files.stat(path)) throw new Refusal(problem('not-found', path))
  const read = pythonYaml(new TextDecoder().decode(files.readAll(path, longestRecipe)))
  const value = read && plainOf(read.value)
  if (!value || !isObject(value)) throw new Refusal(problem('config-script-broken', path))
  return value
}

/** Dates are no settings. */
function plainOf(value: Yaml): Json {
  if (value instanceof Map) return new Map([...value].map(([name, item]) => [name, plainOf(item)]))
  if (isList(value)) return value.map(item => plainOf(item))
  return value === undefined || value instanceof Map ? null : (value as Json)
}

const isList = (value: Yaml): value is readonly Yaml[] => Array.isArray(value)

/** What a run of verl should keep to where its results are held against others: nothing shuffled, nothing left to chance. */
export const usualRecipe: JsonObject = nested({
  'trainer/balance_batch': false,
  'critic/shuffle': false,
  'critic/use_dynamic_bsz': false,
  'critic/model/use_remove_padding': true,
  'data/shuffle': false,
  'actor_rollout_ref/actor/shuffle': false,
  'actor_rollout_ref/actor/load_weight': true,
  'actor_rollout_ref/actor/use_dynamic_bsz': false,
  'actor_rollout_ref/actor/use_remove_padding': true,
  'actor_rollout_ref/actor/megatron/override_transformer_config/use_ascend_mc2': false,
  'actor_rollout_ref/actor/override_transformer_config/calculate_per_token_loss': false,
  'actor_rollout_ref/ref/load_weight': true,
  'actor_rollout_ref/ref/log_prob_use_dynamic_bsz': false,
  'actor_rollout_ref/rollout/log_prob_use_dynamic_bsz': false,
  'actor_rollout_ref/model/use_remove_padding': true,
  'algorithm/filter_groups/enable': false,
  VLLM_ASCEND_ENABLE_NZ: new JsonNumber('0', false),
})

function nested(flat: Readonly<Record<string, Json>>): JsonObject {
  const root = new Map<string, Json>()
  for (const [path, value] of Object.entries(flat)) {
    const parts = path.split('/')
    let at = root
    for (const part of parts.slice(0, -1)) {
      const below = at.get(part)
      const next = below instanceof Map ? (below as Map<string, Json>) : new Map<string, Json>()
      at.set(part, next)
      at = next
    }
    at.set(parts.at(-1) ?? '', value)
  }
  return root
}
