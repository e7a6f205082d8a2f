// What a mapping text does to two dumps: matches per entry, coverage, errors in meaning, completion, preview.
import type {
  MappingChange, MappingCheck, MappingCompletion, MappingCoverage, MappingDiagnostic, MappingEntry, MappingKind, MappingName, MappingPreview, MappingTexts, Side, Span,
} from '../../../preload/contract/engine.ts'
import type { Dump } from '../dump.ts'
import { Refusal, type Problem } from '../problem.ts'
import type { Comparison } from '../result.ts'
import { apiOf, builtInName } from './apis.ts'
import { editMapping, keyOf, nearest, parseMapping, type ParsedEntry } from './document.ts'
import { pairDumps, type CompareSettings } from './index.ts'
import { find, layerRules, translate } from './layers.ts'
import { cellOf, SideNames } from './names-of.ts'
import type { Pairing } from './pairing.ts'

const shownExamples = 3
const previewed = 200

export class MappingDesk {
  readonly debug: SideNames
  readonly bench: SideNames
  readonly #settings: CompareSettings
  readonly #pairings = new Map<string, Pairing>()

  constructor(debug: Dump, bench: Dump, settings: CompareSettings) {
    this.debug = new SideNames(debug)
    this.bench = new SideNames(bench)
    this.#settings = settings
  }

  side(side: Side): SideNames { return side === 'debug' ? this.debug : this.bench }

  /** Which item meets which with this text in force; what cannot be read pairs nothing. */
  pairing(kind: MappingKind, text: string): Pairing {
    return this.pairingOf({ [kind]: text })
  }

  pairingOf(mapping: MappingTexts): Pairing {
    const key = JSON.stringify(mapping)
    let known = this.#pairings.get(key)
    if (!known) {
      const problems: Problem[] = []
      try {
        known = pairDumps(this.debug.dump, this.bench.dump, { ...this.#settings, mapping }, problems)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        known = { dialect: 'listed', debugItem: new Int32Array(0), benchItem: new Int32Array(0), stack: new Uint8Array(0), benchOnly: new Int32Array(0) }
      }
      if (this.#pairings.size > 8) this.#pairings.clear()
      this.#pairings.set(key, known)
    }
    return known
  }

  coverage(pairing: Pairing): MappingCoverage {
    const mine = new Uint8Array(this.debug.dump.items.length)
    const theirs = new Uint8Array(this.bench.dump.items.length)
    for (let row = 0; row < pairing.debugItem.length; row++) {
      if (pairing.benchItem[row] < 0) continue
      mine[pairing.debugItem[row]] = 1
      theirs[pairing.benchItem[row]] = 1
    }
    const count = (seen: Uint8Array): { matched: number; all: number } => ({ matched: seen.reduce((sum, one) => sum + one, 0), all: seen.length })
    return { debug: count(mine), bench: count(theirs) }
  }

  check(kind: MappingKind, text: string, comparison: Comparison | null): MappingCheck {
    const { entries, diagnostics } = parseMapping(kind, text)
    const found: MappingDiagnostic[] = [...diagnostics]
    const pairing = this.pairing(kind, text)
    const effects = this.#effects(kind, entries, pairing, text)
    const levels = comparison ? levelByItem(comparison) : null
    const last = new Map(entries.map(entry => [keyOf(entry.change), entry]))
    const told = entries.map((entry): MappingEntry => {
      const effect = last.get(keyOf(entry.change)) === entry ? effects.get(keyOf(entry.change)) : undefined
      const pairs = effect?.pairs ?? []
      if (last.get(keyOf(entry.change)) === entry) found.push(...this.#judge(entry, effect?.calls ?? 0))
      return {
        ...entry.whole, change: entry.change, matches: effect?.calls ?? 0, worst: worstOf(pairs.map(([item]) => item), levels),
        examples: pairs.slice(0, shownExamples).map(([item, other]) => [this.debug.itemName(item), this.bench.itemName(other)]),
      }
    })
    return { diagnostics: found.sort((a, b) => a.from - b.from), entries: told, coverage: this.coverage(pairing) }
  }

  preview(kind: MappingKind, text: string, now: MappingTexts): MappingPreview {
    const after = this.pairing(kind, text)
    const before = this.pairingOf(now)
    const gained = difference(after, before)
    const lost = difference(before, after)
    const name = ([item, other]: readonly [number, number]): readonly [string, string] => [this.debug.itemName(item), this.bench.itemName(other)]
    return {
      gained: gained.slice(0, previewed).map(name), lost: lost.slice(0, previewed).map(name), gainedCount: gained.length, lostCount: lost.length,
      coverage: this.coverage(after),
    }
  }

  /** Names of one side with what became of them under the text. */
  names(kind: MappingKind, text: string, side: Side): MappingName[] {
    const pairing = this.pairing(kind, text)
    const partner = partnersOf(pairing, side, this.side(side).dump, this.side(side === 'debug' ? 'bench' : 'debug'), kind)
    const names = this.side(side)
    const row = (name: string, scope: string, ops: readonly number[], extra: Partial<MappingName> = {}): MappingName => {
      const met = new Set<string>()
      let without = 0
      for (const op of ops) {
        const other = partner(op)
        if (other === undefined) without++
        else met.add(other)
      }
      return {
        name, scope, detail: '', count: ops.length, inputs: [], outputs: [], ...extra,
        state: met.size === 0 ? 'unmatched' : met.size > 1 || without > 0 ? 'ambiguous' : 'matched', partner: [...met][0] ?? '',
      }
    }
    const list = (items: ReadonlyMap<string, number>): MappingName['inputs'] => [...items].map(([index, item]) => ({ index, detail: names.detail(item) }))
    if (kind === 'cell') return [...names.cells.values()].map(cell => row(cell.name, '', cell.ops))
    if (kind === 'api') return [...names.apis.values()].map(api => row(api.name, '', api.ops, { inputs: list(api.inputs), outputs: list(api.outputs) }))
    if (kind === 'layer') {
      return names.layers.filter(layer => layer.parent !== null).map(layer => {
        const ops = [...layer.node.items.values()].flat().map(placed => placed.op)
        return row(layer.path.join('.'), layer.parent?.node.type ?? '', ops, { detail: layer.node.type })
      }).filter(found => found.count > 0)
    }
    const items = itemPartners(pairing, side, this.side(side === 'debug' ? 'bench' : 'debug'), names.dump.items.length)
    return Array.from({ length: names.dump.items.length }, (_, item): MappingName => {
      const other = items(item)
      return { name: names.itemName(item), scope: '', detail: names.detail(item), count: 1, state: other === undefined ? 'unmatched' : 'matched', partner: other ?? '', inputs: [], outputs: [] }
    })
  }

  builtIn(text: string): { from: string; to: string; used: number; overriddenBy: string }[] {
    const overrides = new Map(parseMapping('api', text).entries.map(entry => [entry.change.from, entry.change.to]))
    return [...this.debug.apis.values()].flatMap(api => {
      const to = apiOf(builtInName(`${api.name}.0`))
      const overriddenBy = overrides.get(api.name) ?? ''
      return to === api.name && overriddenBy === '' ? [] : [{ from: api.name, to, used: api.ops.length, overriddenBy }]
    })
  }

  complete(kind: MappingKind, text: string, at: number): MappingCompletion | null {
    const line = lineAt(text, at)
    const before = text.slice(line.from, at)
    const value = /^(\s*(?:-\s+)?)([^:#]*?):\s+(['"]?)([^'"]*)$/.exec(before)
    const key = /^(\s*(?:-\s+)?)(['"]?)([^:'"]*)$/.exec(before)
    const word = value ? value[4] : key ? key[3] : null
    if (word === null) return null
    const indent = (value ?? key)?.[1] ?? ''
    const outer = indent.length === 0 ? '' : outerKey(text, line.from, indent.length)
    const options = value ? this.#values(kind, outer, value[2].trim(), text) : this.#keys(kind, outer, indent)
    const wanted = word.toLowerCase()
    return {
      from: at - word.length, to: at,
      options: options.filter(option => option.text.toLowerCase().includes(wanted)).slice(0, 200),
    }
  }

  #keys(kind: MappingKind, outer: string, indent: string): MappingCompletion['options'] {
    if (kind === 'cell') return [...this.debug.cells.values()].map(cell => ({ text: cell.name, detail: this.#opDetail('debug', cell.ops[0]) }))
    if (kind === 'data') return [...this.debug.items].map(([text, item]) => ({ text, detail: this.debug.detail(item) }))
    if (kind === 'api') return ['ms_api', 'pt_api', 'ms_args', 'pt_args', 'ms_output', 'pt_output'].map(text => ({ text, detail: '' }))
    if (indent === '') return [{ text: 'Cell', detail: '' }, ...unique(this.debug.layers.filter(layer => layer.node.children.size > 0 && layer.parent).map(layer => layer.node.type)).map(text => ({ text, detail: '' }))]
    return this.#childNames('debug', outer)
  }

  #values(kind: MappingKind, outer: string, key: string, text: string): MappingCompletion['options'] {
    if (kind === 'cell') return [...this.bench.cells.values()].map(cell => ({ text: cell.name, detail: this.#opDetail('bench', cell.ops[0]) }))
    if (kind === 'data') return [...this.bench.items].map(([name, item]) => ({ text: name, detail: this.bench.detail(item) }))
    if (kind === 'api') {
      const side = key === 'ms_api' ? 'debug' : key === 'pt_api' ? 'bench' : null
      return side === null ? [] : [...this.side(side).apis.values()].map(api => ({ text: api.name, detail: [...api.inputs.values()].slice(0, 3).map(item => this.side(side).detail(item)).join(', ') }))
    }
    const rules = safely(() => layerRules(text), new Map())
    const found = new Map<string, string>()
    for (const layer of this.debug.layers) {
      if (layer.node.type !== (outer === 'Cell' ? 'TopLayer' : outer)) continue
      const there = find(this.bench.tree, translate(this.debug.tree, ['', ...layer.path].join('.'), rules))
      for (const [name, child] of there?.children ?? []) {
        found.set(name, child.type)
        for (const [below, inner] of child.children) found.set(`${name}.${below}`, inner.type)
      }
    }
    return [...found].map(([name, detail]) => ({ text: name, detail }))
  }

  #childNames(side: Side, type: string): MappingCompletion['options'] {
    const wanted = type === 'Cell' ? 'TopLayer' : type
    const found = new Map<string, string>()
    for (const { node } of this.side(side).layers) if (node.type === wanted) for (const [name, child] of node.children) found.set(name, child.type)
    return [...found].map(([text, detail]) => ({ text, detail }))
  }

  #opDetail(side: Side, op: number | undefined): string {
    const names = this.side(side)
    return op === undefined || names.dump.ops.first[op] === names.dump.ops.first[op + 1] ? '' : names.detail(names.dump.ops.first[op])
  }

  /** Calls and item pairs that each entry brings together. */
  #effects(kind: MappingKind, entries: readonly ParsedEntry[], pairing: Pairing, text: string): Map<string, { calls: number; pairs: (readonly [number, number])[] }> {
    const keysOfOp = this.#entryKeys(kind, entries, text)
    const effects = new Map<string, { calls: number; pairs: (readonly [number, number])[] }>()
    const met = new Map<string, Set<number>>()
    const { items } = this.debug.dump
    for (let row = 0; row < pairing.debugItem.length; row++) {
      const item = pairing.debugItem[row]
      const other = pairing.benchItem[row]
      if (other < 0) continue
      for (const key of kind === 'data' ? [this.debug.itemName(item)] : keysOfOp(items.op[item])) {
        let effect = effects.get(key)
        if (!effect) effects.set(key, (effect = { calls: 0, pairs: [] }))
        effect.pairs.push([item, other])
        let calls = met.get(key)
        if (!calls) met.set(key, (calls = new Set()))
        calls.add(kind === 'data' ? item : items.op[item])
        effect.calls = calls.size
      }
    }
    return effects
  }

  /** The entries that speak of a call. */
  #entryKeys(kind: MappingKind, entries: readonly ParsedEntry[], text: string): (op: number) => readonly string[] {
    const known = new Set(entries.map(entry => keyOf(entry.change)))
    if (kind === 'layer') {
      const rules = safely(() => layerRules(text), new Map())
      const used = new Map<number, string[]>()
      for (const item of this.debug.placed) {
        const keys: string[] = []
        translate(this.debug.tree, item.scope, rules, (type, rule) => keys.push(`${type}\n${rule.from.join('.')}`))
        if (keys.length > 0) used.set(item.op, keys)
      }
      return op => used.get(op) ?? []
    }
    const nameOf = kind === 'cell' ? (op: number) => cellOf(this.debug.opName(op)) : (op: number) => apiOf(this.debug.opName(op))
    return op => {
      const name = nameOf(op)
      return name !== undefined && known.has(name) ? [name] : []
    }
  }

  #judge(entry: ParsedEntry, matches: number): MappingDiagnostic[] {
    const { change } = entry
    const found: MappingDiagnostic[] = []
    const unknown = (side: Side, name: string, place: Span, known: () => Iterable<string>): void => {
      const near = nearest(name, known())
      found.push({
        from: place.from, to: place.to, severity: 'warning', code: side === 'debug' ? 'unknown-name' : 'unknown-bench-name', facts: { name },
        fixes: near === undefined ? [] : [{ title: 'replace', facts: { text: near }, edits: [{ from: place.from, to: place.to, text: near }] }],
      })
    }
    if (change.kind === 'cell') {
      if (!this.debug.cells.has(change.from)) unknown('debug', change.from, entry.key, () => this.debug.cells.keys())
      if (!this.bench.cells.has(change.to)) unknown('bench', change.to, entry.value, () => this.bench.cells.keys())
    } else if (change.kind === 'data') {
      if (!this.debug.items.has(change.from)) unknown('debug', change.from, entry.key, () => this.debug.items.keys())
      if (change.to !== 'N/A' && !this.bench.items.has(change.to)) unknown('bench', change.to, entry.value, () => this.bench.items.keys())
    } else if (change.kind === 'api') {
      const mine = this.debug.apis.get(change.from)
      const theirs = this.bench.apis.get(change.to)
      if (!mine) unknown('debug', change.from, entry.key, () => this.debug.apis.keys())
      if (!theirs) unknown('bench', change.to, entry.value, () => this.bench.apis.keys())
      found.push(...listDiagnostics(entry, mine, theirs))
      const builtIn = apiOf(builtInName(`${change.from}.0`))
      if (mine && builtIn !== change.from && builtIn !== change.to) found.push({ ...entry.key, severity: 'note', code: 'overrides-built-in', facts: { from: change.from, to: builtIn }, fixes: [] })
    } else {
      const scope = change.scope === 'Cell' ? 'TopLayer' : change.scope
      const types = new Set(this.debug.layers.map(layer => layer.node.type))
      if (!types.has(scope) && entry.scope) unknown('debug', change.scope, entry.scope, () => types)
      else if (matches === 0 && !this.debug.layers.some(({ node }) => node.type === scope && has(node, change.from.split('.')))) {
        unknown('debug', change.from, entry.key, () => this.#childNames('debug', change.scope).map(option => option.text))
      }
    }
    if (matches === 0 && found.every(d => d.severity === 'note')) found.push({ ...entry.whole, severity: 'warning', code: 'matches-nothing', facts: { name: change.from }, fixes: [{ title: 'remove', facts: { key: change.from }, edits: [] }] })
    return found
  }
}

const has = (node: { readonly children: ReadonlyMap<string, unknown> }, path: readonly string[]): boolean => {
  let at: unknown = node
  for (const part of path) {
    at = typeof at === 'object' && at !== null && 'children' in at && at.children instanceof Map ? at.children.get(part) : undefined
    if (at === undefined) return false
  }
  return true
}

type Api = { readonly inputs: ReadonlyMap<string, number>; readonly outputs: ReadonlyMap<string, number> }

/** Lists of an api entry: as long as each other, indexes that the api has, none twice. */
function listDiagnostics(entry: ParsedEntry, mine: Api | undefined, theirs: Api | undefined): MappingDiagnostic[] {
  const found: MappingDiagnostic[] = []
  for (const part of ['args', 'output', 'outputs', 'parameters', 'parameters_grad']) {
    const [a, b] = [entry.lists.get(`ms_${part}`), entry.lists.get(`pt_${part}`)]
    const [first] = [...(a ?? []), ...(b ?? [])]
    if (first && (a?.length ?? 0) !== (b?.length ?? 0)) {
      found.push({ from: first.from, to: [...(a ?? []), ...(b ?? [])].reduce((end, index) => Math.max(end, index.to), first.to), severity: 'error', code: 'uneven-lists', facts: { part, mine: a?.length ?? 0, theirs: b?.length ?? 0 }, fixes: [] })
    }
    for (const [list, api] of [[a, mine], [b, theirs]] as const) {
      const seen = new Set<string>()
      for (const index of list ?? []) {
        const known = part === 'args' ? api?.inputs : part.startsWith('output') ? api?.outputs : undefined
        if (seen.has(index.text)) found.push({ from: index.from, to: index.to, severity: 'warning', code: 'repeated-index', facts: { index: index.text }, fixes: [] })
        else if (known && ![...known.keys()].some(path => path === index.text || path.startsWith(`${index.text}.`))) {
          found.push({ from: index.from, to: index.to, severity: 'warning', code: 'unknown-index', facts: { index: index.text, known: [...known.keys()].join(', ') }, fixes: [] })
        }
        seen.add(index.text)
      }
    }
  }
  return found
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

function safely<T>(act: () => T, otherwise: T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof Refusal) return otherwise
    throw error
  }
}

function lineAt(text: string, at: number): Span {
  const from = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  return { from, to: end < 0 ? text.length : end }
}

/** The key of the nearest line above that is indented less. */
function outerKey(text: string, lineStart: number, indent: number): string {
  const lines = text.slice(0, lineStart).split('\n').reverse()
  for (const line of lines) {
    const found = /^(\s*)['"]?([^:'"#]+)['"]?:/.exec(line)
    if (found && found[1].length < indent) return found[2].trim()
  }
  return ''
}

function levelByItem(comparison: Comparison): Float64Array {
  const levels = new Float64Array(comparison.debug.items.length).fill(NaN)
  for (let row = 0; row < comparison.length; row++) if (comparison.debugItem[row] >= 0) levels[comparison.debugItem[row]] = comparison.level[row]
  return levels
}

function worstOf(items: readonly number[], levels: Float64Array | null): number {
  let worst = NaN
  if (levels) for (const item of items) if (levels[item] > worst || Number.isNaN(worst)) worst = levels[item]
  return worst
}

function difference(a: Pairing, b: Pairing): (readonly [number, number])[] {
  const known = new Set<number>()
  const key = (pairing: Pairing, row: number): number => pairing.debugItem[row] * 2 ** 26 + pairing.benchItem[row]
  for (let row = 0; row < b.debugItem.length; row++) if (b.benchItem[row] >= 0) known.add(key(b, row))
  const found: (readonly [number, number])[] = []
  for (let row = 0; row < a.debugItem.length; row++) if (a.benchItem[row] >= 0 && !known.has(key(a, row))) found.push([a.debugItem[row], a.benchItem[row]])
  return found
}

/** By call: the name on the other side of what it met, in the words of the mapping kind. */
function partnersOf(pairing: Pairing, side: Side, dump: Dump, other: SideNames, kind: MappingKind): (op: number) => string | undefined {
  const [mine, theirs] = side === 'debug' ? [pairing.debugItem, pairing.benchItem] : [pairing.benchItem, pairing.debugItem]
  const opOf = new Int32Array(dump.ops.length).fill(-1)
  for (let row = 0; row < mine.length; row++) if (mine[row] >= 0 && theirs[row] >= 0) opOf[dump.items.op[mine[row]]] = other.dump.items.op[theirs[row]]
  const word: Readonly<Record<MappingKind, (name: string) => string>> = { api: apiOf, cell: name => cellOf(name) ?? name, layer: name => name.split('.').slice(1, -3).join('.') || name, data: name => name }
  return op => (opOf[op] < 0 ? undefined : word[kind](other.opName(opOf[op])))
}

function itemPartners(pairing: Pairing, side: Side, other: SideNames, length: number): (item: number) => string | undefined {
  const [mine, theirs] = side === 'debug' ? [pairing.debugItem, pairing.benchItem] : [pairing.benchItem, pairing.debugItem]
  const partner = new Int32Array(length).fill(-1)
  for (let row = 0; row < mine.length; row++) if (mine[row] >= 0 && theirs[row] >= 0) partner[mine[row]] = theirs[row]
  return item => (partner[item] < 0 ? undefined : other.itemName(partner[item]))
}

/** A change as a text of its own, for what is saved or shown alone. */
export const textOfChanges = (kind: MappingKind, changes: readonly MappingChange[]): string => editMapping(kind, '', changes, [])
