// API mapping: what debug items of a MindSpore dump are called in a PyTorch dump.
import { TextPool } from '../columns.ts'
import type { Dump } from '../dump.ts'
import { problem, type Problem } from '../problem.ts'
import { builtInApis } from './api-map.ts'
import type { Keys } from './join.ts'
import { listOf, mapOf, readYaml, textOf, type YamlMap } from './yaml.ts'

/** The first two segments of a name. */
export function apiOf(name: string): string {
  const dot = name.indexOf('.')
  const end = dot < 0 ? -1 : name.indexOf('.', dot + 1)
  return end < 0 ? name : name.slice(0, end)
}

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
const markers: readonly (readonly [string, Part])[] = [['.input.', 'args'], ['.kwargs.', 'args'], ['.output.', 'output'], ['.parameters.', 'parameters'], ['.parameters_grad.', 'parameters_grad']]

export interface ApiRule {
  readonly from: string
  readonly to: string
  readonly lists: Readonly<Record<Part, readonly (readonly [string, string])[]>>
}

/** The rules of an api mapping text, with a note for each entry that cannot be used. */
export function apiRules(text: string, problems: Problem[]): readonly ApiRule[] {
  const value = readYaml(text, 'api')
  const entries = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]
  return entries.flatMap(entry => {
    const map = mapOf(entry, 'api')
    const from = textOf(map.get('ms_api'))
    const pairs = parts.map(part => [part, list(map, 'ms', part), list(map, 'pt', part)] as const)
    const uneven = pairs.find(([, mine, theirs]) => mine.length !== theirs.length)
    if (uneven) {
      problems.push(problem('mapping-entry-uneven', '', { api: from, part: uneven[0], mine: uneven[1].length, theirs: uneven[2].length }, 'warning'))
      return []
    }
    const lists = Object.fromEntries(pairs.map(([part, mine, theirs]) => [part, mine.map((index, i) => [index, theirs[i]] as const)])) as unknown as ApiRule['lists']
    return [{ from, to: textOf(map.get('pt_api')), lists }]
  })
}

const list = (map: YamlMap, side: 'ms' | 'pt', part: Part): readonly string[] =>
  listOf(map.get(`${side}_${part}`) ?? (part === 'output' ? map.get(`${side}_outputs`) : undefined)).map(textOf)

/** A name by one rule; a text that no bench item has where the rule leaves the item out. */
export function ruleName(name: string, rule: ApiRule, wholeSegments: boolean): string {
  const base = name.replace(rule.from, () => rule.to)
  const hit = markers.find(([marker]) => base.includes(marker))
  if (!hit) return base
  const [marker, part] = hit
  const after = base.slice(base.indexOf(marker) + marker.length)
  const fits = (index: string): boolean => after.startsWith(index) && (!wholeSegments || after.length === index.length || after[index.length] === '.')
  const found = rule.lists[part].findLast(([mine]) => fits(mine))
  return found ? base.replace(marker + found[0], () => marker + found[1]) : `${base}abandoned`
}

/** Keys of all debug items: the user's rules first, then the built-in table. */
export function apiKeys(debug: Dump, bench: Dump, text: string, wholeSegments: boolean, problems: Problem[]): Keys {
  const debugApis = apisOf(debug)
  const benchApis = apisOf(bench)
  const rules = new Map<string, ApiRule>()
  for (const rule of apiRules(text, problems)) {
    if (debugApis.has(rule.from) && benchApis.has(rule.to)) rules.set(rule.from, rule)
    else problems.push(problem('mapping-api-unknown', '', { api: rule.from, to: rule.to }, 'note'))
  }
  return keysBy(debug, name => {
    const rule = rules.get(apiOf(name))
    return rule ? ruleName(name, rule, wholeSegments) : builtInName(name)
  })
}

export function keysBy(debug: Dump, rename: (name: string) => string): Keys {
  const pool = new TextPool()
  const code = new Int32Array(debug.items.length)
  for (let item = 0; item < code.length; item++) code[item] = pool.add(rename(debug.texts.get(debug.items.name[item])))
  return { pool, code, cross: true }
}

const apisOf = (dump: Dump): ReadonlySet<string> => {
  const found = new Set<string>()
  for (let op = 0; op < dump.ops.length; op++) found.add(apiOf(dump.texts.get(dump.ops.name[op])))
  return found
}
