// What a mapping text does to two dumps: matches per entry, coverage, what is wrong with it, preview, what
// two names would say.
import {
  type BenchItem,
  type Column,
  type Comparison,
  type DebugItem,
  type Dump,
  type MappingChange,
  type MappingCheck,
  type MappingCompletion,
  type MappingCoverage,
  type MappingDiagnostic,
  type MappingEntry,
  type MappingKind,
  type MappingMeeting,
  type MappingName,
  type MappingPreview,
  type MappingTexts,
  type OpRow,
  type PairRow,
  type Problem,
  Refusal,
  type Side,
} from '../model/index.ts'
import {
  apiOf,
  builtInName,
  find,
  layerRules,
  type Node,
  nothingPaired,
  pairDumps,
  renamedText,
  type Pairing,
  type Rules,
  translate,
  type PairSettings,
} from '../pair/index.ts'
import { complete } from './complete.ts'
import { coverageOf } from './coverage.ts'
import { keyOf, parseMapping, type ParsedEntry, type ParsedMapping } from './document.ts'
import { Judge } from './check.ts'
import { allNames, LayerNames, visible, type NamesQuestion } from './listing.ts'
import { cellOf, SideNames } from './names-of.ts'
import { wire } from './wire.ts'

const shownExamples = 3
const previewed = 200

/** A text with what its entries do. */
interface Read {
  readonly text: string
  readonly parsed: ParsedMapping
  readonly pairing: Pairing
  /** Key of an entry → calls or items that it pairs, and the rows of the pairing. */
  readonly effects: ReadonlyMap<string, { calls: number; readonly rows: PairRow[] }>
  /** The entry that counts, of those with one key. */
  readonly counting: ReadonlyMap<string, ParsedEntry>
}

export class MappingDesk {
  readonly debug: SideNames
  readonly bench: SideNames
  readonly #settings: PairSettings
  readonly #pairings = new Map<string, Pairing>()
  readonly #read = new Map<MappingKind, Read>()
  readonly #names = new Map<string, readonly MappingName[]>()
  #judge: Judge | null = null

  constructor(debug: Dump, bench: Dump, settings: PairSettings) {
    this.debug = new SideNames(debug)
    this.bench = new SideNames(bench)
    this.#settings = settings
  }

  side(side: Side): SideNames {
    return side === 'debug' ? this.debug : this.bench
  }

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
        known = nothingPaired(this.debug.dump, this.bench.dump)
      }
      if (this.#pairings.size > 4) this.#pairings.clear()
      this.#pairings.set(key, known)
    }
    return known
  }

  /** What a new text begins with: of names that the format brings together, those that differ. */
  start(kind: MappingKind): string {
    const told = this.#settings.given !== undefined && this.debug.dump.names.id !== 'msprobe'
    return told && kind === 'data' ? renamedText(this.pairingOf({}), this.debug.dump, this.bench.dump) : ''
  }

  coverage(pairing: Pairing): MappingCoverage {
    return coverageOf({ debug: this.debug, bench: this.bench }, pairing)
  }

  /**
   * Everything that is wrong with a text, at most so many; the gravest stay. What its entries do is judged
   * only where the text can be read; what counts otherwise is the text in force.
   */
  check(kind: MappingKind, text: string, most = Infinity, inForce = ''): MappingCheck {
    const { parsed, pairing } = this.#reading(kind, text)
    const all = parsed.readable ? this.#judged(kind, text) : parsed.diagnostics
    return {
      diagnostics: fewest(all, most),
      errors: all.filter(one => one.severity === 'error').length,
      warnings: all.filter(one => one.severity === 'warning').length,
      readable: parsed.readable,
      coverage: this.coverage(parsed.readable ? pairing : this.pairing(kind, inForce)),
    }
  }

  #judged(kind: MappingKind, text: string): readonly MappingDiagnostic[] {
    const {
      parsed: { entries, diagnostics },
      effects,
      counting,
    } = this.#reading(kind, text)
    this.#judge ??= new Judge(this.debug, this.bench)
    this.#judge.begin()
    const rules = once(() => rulesOf(text))
    const met = new Map<string, readonly Node[]>()
    const partners = (type: string): readonly Node[] => {
      let known = met.get(type)
      if (!known) met.set(type, (known = this.#partnersOfType(type, rules())))
      return known
    }
    const all: MappingDiagnostic[] = [...diagnostics]
    for (const entry of entries) {
      const key = keyOf(entry.change)
      if (counting.get(key) === entry)
        all.push(...this.#judge.entry(entry, effects.get(key)?.calls ?? 0, partners))
    }
    return all
  }

  /** All entries and what each does; `levels` from the comparison tell the worst row. */
  entries(kind: MappingKind, text: string, comparison: Comparison | null): MappingEntry[] {
    const read = this.#reading(kind, text)
    const levels = comparison ? levelByItem(comparison) : null
    return read.parsed.entries.map(entry => this.#told(entry, read, levels))
  }

  /** The entry at a place of the text. */
  entryAt(kind: MappingKind, text: string, at: number, comparison: Comparison | null): MappingEntry | null {
    const read = this.#reading(kind, text)
    const entry = read.parsed.entries.find(one => at >= one.whole.from && at <= one.whole.to)
    return entry ? this.#told(entry, read, comparison ? levelByItem(comparison) : null) : null
  }

  #told(
    entry: ParsedEntry,
    { effects, counting, pairing }: Read,
    levels: Column<Float64Array, DebugItem> | null,
  ): MappingEntry {
    const key = keyOf(entry.change)
    const effect = counting.get(key) === entry ? effects.get(key) : undefined
    const rows = effect?.rows ?? []
    let worst = NaN
    if (levels)
      for (const row of rows)
        if (levels[pairing.debugItem[row]] > worst || Number.isNaN(worst))
          worst = levels[pairing.debugItem[row]]
    return {
      ...entry.whole,
      change: entry.change,
      matches: effect?.calls ?? 0,
      worst,
      examples: rows
        .slice(0, shownExamples)
        .map(row => [
          this.debug.itemName(pairing.debugItem[row]),
          this.bench.itemName(pairing.benchItem[row]),
        ]),
    }
  }

  preview(kind: MappingKind, text: string, now: MappingTexts): MappingPreview {
    const after = this.pairing(kind, text)
    const before = this.pairingOf(now)
    const gained = difference(after, before)
    const lost = difference(before, after)
    const name = ([item, other]: readonly [DebugItem, BenchItem]): readonly [string, string] => [
      this.debug.itemName(item),
      this.bench.itemName(other),
    ]
    return {
      gained: gained.slice(0, previewed).map(name),
      lost: lost.slice(0, previewed).map(name),
      gainedCount: gained.length,
      lostCount: lost.length,
      coverage: this.coverage(after),
    }
  }

  /** Names of one side with what became of them under the text. */
  names(kind: MappingKind, text: string, side: Side): readonly MappingName[] {
    const key = `${kind}\n${side}\n${text}`
    let known = this.#names.get(key)
    if (!known) {
      if (this.#names.size > 3) this.#names.clear()
      this.#names.set(
        key,
        (known = allNames(this, side, kind, this.pairing(kind, text), () => this.#layers(text))),
      )
    }
    return known
  }

  listed(
    question: NamesQuestion & { readonly kind: MappingKind; readonly text: string; readonly side: Side },
  ): readonly MappingName[] {
    return visible(this.names(question.kind, question.text, question.side), question)
  }

  /** What would have to stand in the text for two names to meet, and what stands there now. */
  meeting(kind: MappingKind, text: string, debug: string, bench: string): MappingMeeting {
    const said = kind === 'layer' ? this.#layers(text).ruleOf(debug) : debug
    const read = this.#reading(kind, text)
    const entry = said === '' ? undefined : read.counting.get(said)
    const told = entry ? this.#told(entry, read, null) : null
    const meant = (entry: MappingEntry): string =>
      kind === 'layer' ? this.#layers(text).partnerOf(debug) : entry.change.to
    const there = bench === '' && told ? meant(told) : bench
    const nameOf = (side: Side, name: string): MappingName | null =>
      name === '' ? null : (this.names(kind, text, side).find(one => one.name === name) ?? null)
    return {
      change: debug === '' || bench === '' ? null : this.#change(kind, text, debug, bench),
      entry: told,
      debug: nameOf('debug', debug),
      bench: nameOf('bench', there),
    }
  }

  #change(kind: MappingKind, text: string, from: string, to: string): MappingChange | null {
    if (kind === 'layer') return this.#layers(text).change(from, to)
    if (kind !== 'api') return { kind, from, to }
    const [a, b] = [this.debug.apis.get(from), this.bench.apis.get(to)]
    return a && b
      ? {
          kind,
          from,
          to,
          args: wire(this.debug, this.bench, a, b, 'inputs'),
          outputs: wire(this.debug, this.bench, a, b, 'outputs'),
        }
      : null
  }

  #layerNames: { readonly text: string; readonly names: LayerNames } | null = null

  #layers(text: string): LayerNames {
    if (this.#layerNames?.text !== text)
      this.#layerNames = { text, names: new LayerNames(this.debug, this.bench, rulesOf(text)) }
    return this.#layerNames.names
  }

  builtIn(text: string): { from: string; to: string; used: number; overriddenBy: string }[] {
    const overrides = new Map(
      parseMapping('api', text).entries.map(entry => [entry.change.from, entry.change.to]),
    )
    return [...this.debug.apis.values()].flatMap(api => {
      const to = apiOf(builtInName(`${api.name}.0`))
      const overriddenBy = overrides.get(api.name) ?? ''
      return to === api.name && overriddenBy === ''
        ? []
        : [{ from: api.name, to, used: api.ops.length, overriddenBy }]
    })
  }

  complete(kind: MappingKind, text: string, at: number): MappingCompletion | null {
    return complete({ debug: this.debug, bench: this.bench }, kind, text, at, () => rulesOf(text))
  }

  /** Bench nodes that stand for the nodes of a class. */
  #partnersOfType(type: string, rules: Rules): readonly Node[] {
    return this.debug.layers
      .filter(layer => layer.node.type === type)
      .flatMap(
        layer =>
          find(this.bench.tree, translate(this.debug.tree, ['', ...layer.path].join('.'), rules)) ?? [],
      )
  }

  #reading(kind: MappingKind, text: string): Read {
    const known = this.#read.get(kind)
    if (known?.text === text) return known
    const parsed = parseMapping(kind, text)
    const pairing = this.pairing(kind, text)
    const counting = new Map(
      parsed.entries.flatMap(entry => (entry.hidden ? [] : [[keyOf(entry.change), entry] as const])),
    )
    const read: Read = {
      text,
      parsed,
      pairing,
      counting,
      effects: this.#effects(kind, counting, pairing, text),
    }
    this.#read.set(kind, read)
    return read
  }

  /** Calls and rows that each entry brings together. */
  #effects(
    kind: MappingKind,
    counting: ReadonlyMap<string, ParsedEntry>,
    pairing: Pairing,
    text: string,
  ): Read['effects'] {
    const effects = new Map<string, { calls: number; rows: PairRow[] }>()
    if (counting.size === 0) return effects
    const keysOfOp = kind === 'data' ? null : this.#entryKeys(kind, counting, text)
    const lastOp = new Map<string, number>()
    const { items } = this.debug.dump
    for (let row = 0; row < pairing.debugItem.length; row++) {
      if (pairing.benchItem[row] < 0) continue
      const item = pairing.debugItem[row]
      for (const key of keysOfOp ? keysOfOp(items.op[item]) : [this.debug.itemName(item)]) {
        let effect = effects.get(key)
        if (!effect) effects.set(key, (effect = { calls: 0, rows: [] }))
        effect.rows.push(row)
        // Rows of a call follow each other but where keys were grouped; then the count is a little high.
        if (!keysOfOp || lastOp.get(key) !== items.op[item]) effect.calls++
        lastOp.set(key, items.op[item])
      }
    }
    return effects
  }

  /** The entries that speak of a call. */
  #entryKeys(
    kind: MappingKind,
    counting: ReadonlyMap<string, ParsedEntry>,
    text: string,
  ): (op: OpRow) => readonly string[] {
    const keys: (readonly string[])[] = Array.from({ length: this.debug.dump.ops.length }, () => none)
    if (kind === 'layer') {
      const rules = rulesOf(text)
      for (const item of this.debug.placed) {
        const used: string[] = []
        translate(this.debug.tree, item.scope, rules, (type, rule) =>
          used.push(`${type}\n${rule.from.join('.')}`),
        )
        if (used.length > 0) keys[item.op] = used
      }
    } else {
      const nameOf = kind === 'cell' ? cellOf : apiOf
      for (let op = 0; op < keys.length; op++) {
        const name = nameOf(this.debug.opName(op))
        if (name !== undefined && counting.has(name)) keys[op] = [name]
      }
    }
    return op => keys[op]
  }
}

const none: readonly string[] = []

function once<T>(make: () => T): () => T {
  let known: { readonly is: T } | undefined
  return () => (known ??= { is: make() }).is
}

const severities = ['error', 'warning', 'note'] as const

/** The gravest diagnostics in the order of the text, and how many there are besides. */
function fewest(all: readonly MappingDiagnostic[], most: number): readonly MappingDiagnostic[] {
  const inOrder = (list: readonly MappingDiagnostic[]): MappingDiagnostic[] =>
    list.toSorted((a, b) => a.from - b.from)
  if (all.length <= most) return inOrder(all)
  const kept = severities
    .flatMap(severity => inOrder(all.filter(one => one.severity === severity)))
    .slice(0, most)
  return [
    ...inOrder(kept),
    { from: 0, to: 1, severity: 'warning', code: 'more', facts: { count: all.length - most }, fixes: [] },
  ]
}

/** Rules of a layer text; none when it cannot be read. */
export function rulesOf(text: string): Rules {
  try {
    return layerRules(text)
  } catch (error) {
    if (error instanceof Refusal) return new Map()
    throw error
  }
}

function levelByItem(comparison: Comparison): Column<Float64Array, DebugItem> {
  const levels = new Float64Array(comparison.debug.items.length).fill(NaN)
  for (let row = 0; row < comparison.length; row++)
    if (comparison.debugItem[row] >= 0) levels[comparison.debugItem[row]] = comparison.level[row]
  return levels
}

function difference(a: Pairing, b: Pairing): (readonly [DebugItem, BenchItem])[] {
  const known = new Set<number>()
  const key = (pairing: Pairing, row: PairRow): number =>
    pairing.debugItem[row] * 2 ** 26 + pairing.benchItem[row]
  for (let row = 0; row < b.debugItem.length; row++) if (b.benchItem[row] >= 0) known.add(key(b, row))
  const found: (readonly [DebugItem, BenchItem])[] = []
  for (let row = 0; row < a.debugItem.length; row++)
    if (a.benchItem[row] >= 0 && !known.has(key(a, row))) found.push([a.debugItem[row], a.benchItem[row]])
  return found
}
