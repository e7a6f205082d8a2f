// What could stand where the cursor is in a mapping text.
import type { MappingCompletion, MappingKind, OpRow, Side } from '../model/index.ts'
import { topOf } from './document.ts'
import { find, type Rules, translate } from '../pair/index.ts'
import type { SideNames } from './names-of.ts'

type Option = MappingCompletion['options'][number]
type Sides = Readonly<Record<Side, SideNames>>

const most = 200
const apiKeys = [
  'ms_api',
  'pt_api',
  'ms_args',
  'pt_args',
  'ms_output',
  'pt_output',
  'ms_parameters',
  'pt_parameters',
  'ms_parameters_grad',
  'pt_parameters_grad',
]

export function complete(
  sides: Sides,
  kind: MappingKind,
  text: string,
  at: number,
  rules: () => Rules,
): MappingCompletion | null {
  const from = text.lastIndexOf('\n', at - 1) + 1
  const before = text.slice(from, at)
  const inList = /^\s*(?:-\s+)?(ms|pt)_(args|outputs?):\s*\[(?:[^\]]*,)?\s*['"]?([\w.]*)$/.exec(before)
  if (kind === 'api' && inList) {
    const [, side, list, word] = inList
    return {
      from: at - word.length,
      to: at,
      options: indexes(
        sides,
        text,
        from,
        side === 'ms' ? 'debug' : 'bench',
        list === 'args' ? 'inputs' : 'outputs',
      ).filter(one => one.text.startsWith(word)),
    }
  }
  const value = /^(\s*(?:-\s+)?)([^:#]*?):\s+(['"]?)([^'"]*)$/.exec(before)
  const key = /^(\s*(?:-\s+)?)(['"]?)([^:'"]*)$/.exec(before)
  const word = value?.[4] ?? key?.[3]
  if (word === undefined) return null
  const indent = (value ?? key)?.[1] ?? ''
  const outer = kind === 'layer' && indent !== '' ? outerKey(text, from, indent.length) : ''
  const options = value
    ? values(sides, kind, outer, value[2].trim(), rules)
    : keys(sides, kind, outer, indent)
  const wanted = word.toLowerCase()
  const found: Option[] = []
  for (const option of options) {
    if (!option.text.toLowerCase().includes(wanted)) continue
    found.push(option.detail())
    if (found.length === most) break
  }
  return { from: at - word.length, to: at, options: found }
}

/** A text with the rest made only for what is shown. */
interface Candidate {
  readonly text: string
  detail(): Option
}

const plain = (text: string, detail = ''): Candidate => ({ text, detail: () => ({ text, detail }) })

const cells = (names: SideNames): Candidate[] =>
  [...names.cells.values()].map(cell => ({
    text: cell.name,
    detail: () => ({ text: cell.name, detail: callDetail(names, cell.ops[0]) }),
  }))
const items = (names: SideNames): Candidate[] =>
  [...names.items].map(([text, item]) => ({ text, detail: () => ({ text, detail: names.detail(item) }) }))
const apis = (names: SideNames): Candidate[] =>
  [...names.apis.values()].map(api => ({
    text: api.name,
    detail: () => ({
      text: api.name,
      detail: [...api.inputs.values()]
        .slice(0, 3)
        .map(item => names.detail(item))
        .join(', '),
    }),
  }))

function keys({ debug }: Sides, kind: MappingKind, outer: string, indent: string): Candidate[] {
  if (kind === 'cell') return cells(debug)
  if (kind === 'data') return items(debug)
  if (kind === 'api') return apiKeys.map(text => plain(text))
  if (indent === '')
    return [
      plain('Cell'),
      ...new Set(
        debug.layers
          .filter(layer => layer.node.children.size > 0 && layer.parent)
          .map(layer => layer.node.type),
      ),
    ].map(one => (typeof one === 'string' ? plain(one) : one))
  const found = new Map<string, string>()
  for (const { node } of debug.layers)
    if (node.type === topOf(outer)) for (const [name, child] of node.children) found.set(name, child.type)
  return [...found].map(([text, type]) => plain(text, type))
}

function values(
  { debug, bench }: Sides,
  kind: MappingKind,
  outer: string,
  key: string,
  rules: () => Rules,
): Candidate[] {
  if (kind === 'cell') return cells(bench)
  if (kind === 'data') return items(bench)
  if (kind === 'api' && key === 'ms_api') return apis(debug)
  if (kind === 'api') return key === 'pt_api' ? apis(bench) : []
  const inForce = rules()
  const found = new Map<string, string>()
  for (const layer of debug.layers) {
    if (layer.node.type !== topOf(outer)) continue
    const there = find(bench.tree, translate(debug.tree, ['', ...layer.path].join('.'), inForce))
    for (const [name, child] of there?.children ?? []) {
      found.set(name, child.type)
      for (const [below, inner] of child.children) found.set(`${name}.${below}`, inner.type)
    }
  }
  return [...found].map(([text, type]) => plain(text, type))
}

/** Indexes of the api that the entry around a line speaks of. */
function indexes(sides: Sides, text: string, line: number, side: Side, part: 'inputs' | 'outputs'): Option[] {
  const head = side === 'debug' ? 'ms_api' : 'pt_api'
  const begin = Math.max(0, ...[...text.slice(0, line).matchAll(/^\s*-/gm)].map(one => one.index), 0)
  const next = text.slice(line).search(/\n\s*-/)
  const entry = text.slice(begin, next < 0 ? text.length : line + next)
  const name = new RegExp(`${head}\\s*:\\s*['"]?([^'"#\\s]+)`).exec(entry)?.[1] ?? ''
  const names = sides[side]
  return [...(names.apis.get(name)?.[part] ?? [])].map(([index, item]) => ({
    text: index,
    detail: names.detail(item),
  }))
}

function callDetail(names: SideNames, op: OpRow | undefined): string {
  return op === undefined || names.dump.ops.first[op] === names.dump.ops.first[op + 1]
    ? ''
    : names.detail(names.dump.ops.first[op])
}

/** The key of the nearest line above that is indented less. */
function outerKey(text: string, lineStart: number, indent: number): string {
  for (let end = lineStart - 1; end >= 0;) {
    const from = text.lastIndexOf('\n', end - 1) + 1
    const found = /^(\s*)['"]?([^:'"#]+)['"]?:/.exec(text.slice(from, end))
    if (found && found[1].length < indent) return found[2].trim()
    end = from - 1
  }
  return ''
}
