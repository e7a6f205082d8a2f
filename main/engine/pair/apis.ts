// API mapping: what debug items of a MindSpore dump are called in a PyTorch dump.
import { type Dump, type ItemRow, problem, type Problem, TextPool } from '../model/index.ts'
import { msprobeNames } from '../names/index.ts'
import { builtInApis } from './api-map.ts'
import type { Keys } from './join.ts'
import { PairedBy } from './partners.ts'
import { listOf, mapOf, readYaml, textOf, type YamlMap } from './yaml.ts'

/** Mappings of apis are written in the names of msprobe. */
export const apiOf = msprobeNames.api

/** A name by the built-in table. */
export function builtInName(name: string): string {
  const api = apiOf(name)
  const type = api.slice(0, api.indexOf('.') < 0 ? api.length : api.indexOf('.'))
  if (type === 'Mint') return name.replaceAll('Mint', 'Torch')
  if (type === 'MintFunctional') return name.replaceAll('MintFunctional', 'Functional')
  const to = builtInApis.get(api)
  return to === undefined ? name : name.replaceAll(api, to)
}

const parts = ['args', 'output', 'parameters', 'parameters_grad'] as const
type Part = (typeof parts)[number]
const markers: readonly (readonly [string, Part])[] = [
  ['.input.', 'args'],
  ['.kwargs.', 'args'],
  ['.output.', 'output'],
  ['.parameters.', 'parameters'],
  ['.parameters_grad.', 'parameters_grad'],
]

interface ApiRule {
  readonly from: string
  readonly to: string
  readonly lists: Readonly<Record<Part, readonly (readonly [string, string])[]>>
}

/** The rules of an api mapping text, with a note for each entry that cannot be used. */
function apiRules(text: string, problems: Problem[]): readonly ApiRule[] {
  const value = readYaml(text, 'api')
  return listOf(value).flatMap(entry => {
    const map = mapOf(entry, 'api')
    const from = textOf(map.get('ms_api'))
    const pairs = parts.map(part => [part, list(map, 'ms', part), list(map, 'pt', part)] as const)
    const uneven = pairs.find(([, mine, theirs]) => mine.length !== theirs.length)
    if (uneven) {
      problems.push(
        problem(
          'mapping-entry-uneven',
          '',
          { api: from, part: uneven[0], mine: uneven[1].length, theirs: uneven[2].length },
          'warning',
        ),
      )
      return []
    }
    const lists = Object.fromEntries(
      pairs.map(([part, mine, theirs]) => [part, mine.map((index, i) => [index, theirs[i]] as const)]),
    ) as unknown as ApiRule['lists']
    return [{ from, to: textOf(map.get('pt_api')), lists }]
  })
}

const list = (map: YamlMap, side: 'ms' | 'pt', part: Part): readonly string[] =>
  listOf(map.get(`${side}_${part}`) ?? (part === 'output' ? map.get(`${side}_outputs`) : undefined)).map(
    textOf,
  )

/** A name by one rule; a text that no bench item has where the rule leaves the item out. */
function ruleName(name: string, rule: ApiRule, wholeSegments: boolean): string {
  const base = name.replace(rule.from, () => rule.to)
  const hit = markers.find(([marker]) => base.includes(marker))
  if (!hit) return base
  const [marker, part] = hit
  const after = base.slice(base.indexOf(marker) + marker.length)
  const fits = (index: string): boolean =>
    after.startsWith(index) &&
    (!wholeSegments || after.length === index.length || after[index.length] === '.')
  const found = rule.lists[part].findLast(([mine]) => fits(mine))
  return found ? base.replace(marker + found[0], () => marker + found[1]) : `${base}abandoned`
}

/** Keys of all debug items: the user's rules first, then the built-in table. */
export function apiKeys(
  debug: Dump,
  bench: Dump,
  text: string,
  wholeSegments: boolean,
  problems: Problem[],
): Keys {
  const mine = namesBy(debug, 'api', builtInName, apiOf)
  const benchApis = apisOf(bench)
  const changed: [item: ItemRow, name: string][] = []
  const rules = new Map<string, ApiRule>()
  for (const rule of apiRules(text, problems)) {
    if (mine.groups.has(rule.from) && benchApis.has(rule.to)) rules.set(rule.from, rule)
    else problems.push(problem('mapping-api-unknown', '', { api: rule.from, to: rule.to }, 'note'))
  }
  for (const rule of rules.values())
    for (const item of mine.groups.get(rule.from) ?? [])
      changed.push([item, ruleName(debug.texts.get(debug.items.name[item]), rule, wholeSegments)])
  return changedKeys(mine, changed, PairedBy.api)
}

interface NamesBy {
  readonly pool: TextPool
  readonly code: Int32Array
  /** Items by what a mapping calls them. */
  readonly groups: ReadonlyMap<string, readonly number[]>
}

const made = new WeakMap<Dump, Map<string, NamesBy>>()

/**
 * The names that debug items have without any text, and the items that a text may speak of: made once per
 * dump, so that an edit renames only what it names.
 */
export function namesBy(
  debug: Dump,
  kind: 'api' | 'cell',
  rename: (name: string) => string,
  groupOf: (name: string) => string | undefined,
): NamesBy {
  let kinds = made.get(debug)
  if (!kinds) made.set(debug, (kinds = new Map()))
  let known = kinds.get(kind)
  if (!known) {
    const pool = new TextPool()
    const code = new Int32Array(debug.items.length)
    const groups = new Map<string, number[]>()
    for (let item = 0; item < code.length; item++) {
      const name = debug.texts.get(debug.items.name[item])
      code[item] = pool.add(rename(name))
      const group = groupOf(name)
      if (group === undefined) continue
      const list = groups.get(group)
      if (list) list.push(item)
      else groups.set(group, [item])
    }
    kinds.set(kind, (known = { pool, code, groups }))
  }
  return known
}

/** Other names for some items. Their texts stay in the pool: few, and found again at the next edit. */
export function changedKeys(
  { pool, code }: NamesBy,
  changed: readonly (readonly [item: ItemRow, name: string])[],
  way: PairedBy,
): Keys {
  if (changed.length === 0) return { pool, code, cross: true, way }
  const own = code.slice()
  for (const [item, name] of changed) own[item] = pool.add(name)
  return { pool, code: own, cross: true, way }
}

const apis = new WeakMap<Dump, ReadonlySet<string>>()

function apisOf(dump: Dump): ReadonlySet<string> {
  let known = apis.get(dump)
  if (!known) {
    const found = new Set<string>()
    for (let op = 0; op < dump.ops.length; op++) found.add(apiOf(dump.texts.get(dump.ops.name[op])))
    apis.set(dump, (known = found))
  }
  return known
}
