// A mapping text as a document: entries with their places, and what is wrong in its form.
import type {
  MappingChange,
  MappingDiagnostic,
  MappingFinding,
  MappingFix,
  MappingKind,
  Span,
} from '../model/index.ts'
import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  visit,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml'
import { NearNames } from './near-names.ts'
import { longestYaml, yamlDocument } from '../json/index.ts'
import { plainGroups, type PlainPair, plainPairs } from '../pair/index.ts'

/** An entry as it stands in the text. */
export interface ParsedEntry {
  readonly change: MappingChange
  readonly whole: Span
  readonly key: Span
  readonly value: Span
  /** Layer: where the class stands. */
  readonly scope: Span | null
  /** Layer: the class stands again below, so this entry does not count. */
  readonly hidden: boolean
  /** What to cut to take the entry out; empty where it shares its line with something else. */
  readonly cut: readonly Span[]
  /** Api: where each index of each list stands, by key (`ms_args` …). */
  readonly lists: ReadonlyMap<string, readonly PlacedText[]>
}

export interface PlacedText extends Span {
  readonly text: string
}

export interface ParsedMapping {
  readonly entries: readonly ParsedEntry[]
  readonly diagnostics: readonly MappingDiagnostic[]
  /** Whether the text has a meaning as a whole; one that has none is not put in force. */
  readonly readable: boolean
}

/** Errors that leave a text without a meaning. */
const unreadable: ReadonlySet<MappingFinding['code']> = new Set([
  'syntax',
  'tab',
  'alias',
  'too-long',
  'wrong-form',
  'encoding',
])

export const longestMapping = 16 << 20
const mostAliases = 100
const apiKeys = [
  'ms_api',
  'pt_api',
  'ms_args',
  'pt_args',
  'ms_output',
  'pt_output',
  'ms_outputs',
  'pt_outputs',
  'ms_parameters',
  'pt_parameters',
  'ms_parameters_grad',
  'pt_parameters_grad',
]

const nearKeys = new NearNames(apiKeys)

type Found = MappingFinding & { readonly fixes?: readonly MappingFix[] }

class Notes {
  readonly list: MappingDiagnostic[] = []
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }

  add(found: Found): void {
    this.list.push({ fixes: [], ...found })
  }

  /** The end of a place cut to its first line: no more is underlined. */
  firstLine({ from, to }: Span): Span {
    const end = this.#text.slice(from, to).search(/[\r\n]/)
    return { from, to: end < 0 ? to : from + end }
  }

  /** The lines that hold a place and nothing else but a comment; none when there is more on them. */
  wholeLines({ from, to }: Span): readonly Span[] {
    const begin = this.#text.lastIndexOf('\n', from - 1) + 1
    const last = this.#text.slice(from, to).trimEnd().length + from
    const end = lineEnd(this.#text, last)
    return /^\s*(?:-\s+)?$/.test(this.#text.slice(begin, from)) &&
      /^\s*(?:#.*)?$/.test(this.#text.slice(last, end))
      ? [{ from: begin, to: end }]
      : []
  }
}

/** Entries of a text; whatever cannot be read is a diagnostic at its place. */
export function parseMapping(kind: MappingKind, text: string): ParsedMapping {
  const plain = text.length > longestMapping || text.includes('\uFFFD') ? null : plainEntries(kind, text)
  if (plain) return { entries: plain, diagnostics: repeated(kind, plain), readable: true }
  const notes = new Notes(text)
  const document = read(text, notes)
  const entries = document ? readers[kind](document.contents, notes) : []
  const readable = !notes.list.some(one => one.severity === 'error' && unreadable.has(one.code))
  return {
    entries,
    diagnostics: readable ? [...notes.list, ...repeated(kind, entries)] : causes(notes.list),
    readable,
  }
}

/** What a parser makes of the rest behind a mistake of form is not worth telling. */
function causes(found: readonly MappingDiagnostic[]): readonly MappingDiagnostic[] {
  const first = found.find(one => one.code === 'syntax')
  return first ? [first] : found
}

function plainEntries(kind: MappingKind, text: string): ParsedEntry[] | null {
  if (kind === 'api') return null
  const entry = (
    change: MappingChange,
    { keyAt, valueAt, line }: PlainPair,
    scope: Span | null,
    hidden: boolean,
    alone: number,
  ): ParsedEntry => {
    const cut = { from: line, to: lineEnd(text, valueAt.to) }
    return {
      change,
      whole: { from: keyAt.from, to: valueAt.to },
      key: keyAt,
      value: valueAt,
      scope,
      hidden,
      cut: alone < 0 ? [cut] : [{ from: alone, to: lineEnd(text, alone) }, cut],
      lists: noLists,
    }
  }
  if (kind === 'layer') {
    const groups = plainGroups(text)
    if (!groups) return null
    const last = new Map(groups.map(group => [topOf(group.key), group]))
    const top = groups.findLast(group => group.key === 'Cell')
    if (top) last.set(topOf('Cell'), top)
    return groups.flatMap(group =>
      group.pairs.map(pair =>
        entry(
          { kind, scope: group.key, from: pair.key, to: pair.value },
          pair,
          group.keyAt,
          last.get(topOf(group.key)) !== group,
          group.pairs.length === 1 ? group.line : -1,
        ),
      ),
    )
  }
  return (
    plainPairs(text)?.map(pair => entry({ kind, from: pair.key, to: pair.value }, pair, null, false, -1)) ??
    null
  )
}

const noLists: ParsedEntry['lists'] = new Map()

/** Behind the line's end. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end + 1
}

/** The top goes by two names. */
export const topOf = (scope: string): string => (scope === 'Cell' ? 'TopLayer' : scope)

function read(text: string, notes: Notes): Document.Parsed | null {
  const whole = { from: 0, to: Math.min(text.length, 1) }
  if (text.length > longestYaml) {
    notes.add({
      ...whole,
      severity: 'error',
      code: 'too-long',
      facts: { length: text.length, limit: longestYaml },
    })
    return null
  }
  const broken = text.indexOf('\uFFFD')
  if (broken >= 0) notes.add({ from: broken, to: broken + 1, severity: 'error', code: 'encoding', facts: {} })
  // What tabs make of the rest is not worth telling.
  if (tabs(text, notes) > 0) return null
  let document: Document.Parsed
  let aliases = 0
  try {
    document = yamlDocument(text, { prettyErrors: false })
    visit(document, {
      Alias: (_, alias) => {
        aliases++
        if (aliases === 1 || aliases === mostAliases + 1)
          notes.add({
            ...spanOf(alias),
            severity: aliases > mostAliases ? 'error' : 'note',
            code: 'alias',
            facts: { limit: mostAliases },
          })
      },
    })
  } catch (error) {
    // Nested too deeply for the parser.
    notes.add({
      ...whole,
      severity: 'error',
      code: 'syntax',
      facts: { reason: error instanceof RangeError ? 'TOO_DEEP' : 'TOO_COMPLEX' },
    })
    return null
  }
  for (const error of document.errors.slice(0, mostErrors)) {
    const [from, to] = error.pos
    notes.add({
      from,
      to: Math.max(to, from + 1),
      severity: 'error',
      code: 'syntax',
      facts: { reason: error.code },
    })
  }
  return aliases > mostAliases || (document.errors.length > 0 && !document.contents) ? null : document
}

const mostErrors = 200

/** Tabs where yaml has blanks: before a key, or between a key and its value. Tells how many. */
function tabs(text: string, notes: Notes): number {
  let found = 0
  for (const { index, 1: before, 2: run } of text.matchAll(
    /^([ ]*(?:[^\s#'"[{][^\n#'"[{]*?:[ ]*)?)(\t+)(?=[^\s#])/gm,
  )) {
    const from = index + before.length
    if (found++ < mostErrors)
      notes.add({
        from,
        to: from + run.length,
        severity: 'error',
        code: 'tab',
        facts: {},
        fixes: [
          {
            title: 'replace-tab',
            facts: {},
            edits: [
              { from, to: from + run.length, text: before.trim() === '' ? '  '.repeat(run.length) : ' ' },
            ],
          },
        ],
      })
  }
  return found
}

const readers: Readonly<Record<MappingKind, (contents: Node | null, notes: Notes) => ParsedEntry[]>> = {
  cell: (contents, notes) => flat(contents, notes, (from, to) => ({ kind: 'cell', from, to })),
  data: (contents, notes) => flat(contents, notes, (from, to) => ({ kind: 'data', from, to })),
  layer(contents, notes) {
    const classes = pairsOf(contents, notes, 'class').flatMap(outer => {
      const scope = scalarOf(outer.key, notes, true)
      return scope ? [{ scope, children: pairsOf(outer.value, notes, 'child') }] : []
    })
    const last = new Map(classes.map(one => [topOf(one.scope.text), one]))
    const top = classes.findLast(one => one.scope.text === 'Cell')
    if (top) last.set(topOf('Cell'), top)
    return classes.flatMap(one =>
      one.children.flatMap(inner =>
        entryOf(inner, notes, (from, to) => ({ kind: 'layer', scope: one.scope.text, from, to }), {
          scope: one.scope,
          hidden: last.get(topOf(one.scope.text)) !== one,
          alone: one.children.length === 1,
        }),
      ),
    )
  },
  api: (contents, notes) =>
    (isSeq(contents) ? contents.items : [contents]).flatMap(item =>
      item ? apiEntry(item as Node, notes) : [],
    ),
}

const flat = (
  contents: Node | null,
  notes: Notes,
  change: (from: string, to: string) => MappingChange,
): ParsedEntry[] => pairsOf(contents, notes, 'name').flatMap(pair => entryOf(pair, notes, change))

/** The class that an entry of a layer mapping stands below. */
interface Around {
  readonly scope: Span | null
  /** A later entry of the class takes its place. */
  readonly hidden: boolean
  /** It is the only entry of the class. */
  readonly alone: boolean
}

const atTop: Around = { scope: null, hidden: false, alone: false }

function entryOf(
  pair: Pair,
  notes: Notes,
  change: (from: string, to: string) => MappingChange,
  { scope, hidden, alone }: Around = atTop,
): ParsedEntry[] {
  const key = scalarOf(pair.key, notes, true)
  const value = scalarOf(pair.value, notes, false)
  if (!key || !value) return []
  const whole = { from: key.from, to: Math.max(value.to, key.to) }
  const own = notes.wholeLines(whole)
  const cut =
    alone && scope && own.length > 0
      ? [...notes.wholeLines({ from: scope.from, to: scope.to + 1 }), ...own]
      : own
  return [{ change: change(key.text, value.text), whole, key, value, scope, hidden, cut, lists: noLists }]
}

function apiEntry(item: Node, notes: Notes): ParsedEntry[] {
  const pairs = pairsOf(item, notes, 'api')
  const { from, to, lists } = apiValues(pairs, notes)
  const place = spanOf(item)
  if (!from || !to) {
    if (pairs.length > 0)
      notes.add({
        ...notes.firstLine(place),
        severity: 'error',
        code: 'missing-key',
        facts: { key: from ? 'pt_api' : 'ms_api' },
      })
    return []
  }
  const listOf = (key: string): readonly PlacedText[] => lists.get(key) ?? lists.get(`${key}s`) ?? []
  const paired = (mine: string, theirs: string): [string, string][] => {
    const [a, b] = [listOf(mine), listOf(theirs)]
    return a.slice(0, b.length).map((index, i) => [index.text, b[i].text])
  }
  return [
    {
      change: {
        kind: 'api',
        from: from.text,
        to: to.text,
        args: paired('ms_args', 'pt_args'),
        outputs: paired('ms_output', 'pt_output'),
      },
      whole: place,
      key: from,
      value: to,
      scope: null,
      hidden: false,
      cut: notes.wholeLines(place),
      lists,
    },
  ]
}

/** What the keys of an api entry say; null for a name that is missing. */
interface ApiValues {
  readonly from: PlacedText | null
  readonly to: PlacedText | null
  readonly lists: ReadonlyMap<string, readonly PlacedText[]>
}

function apiValues(pairs: readonly Pair[], notes: Notes): ApiValues {
  const lists = new Map<string, PlacedText[]>()
  const names = new Map<string, PlacedText | null>()
  for (const pair of pairs) {
    const key = scalarOf(pair.key, notes, true)
    if (!key) continue
    if (!apiKeys.includes(key.text)) noteUnknownKey(key, notes)
    else if (key.text === 'ms_api' || key.text === 'pt_api')
      names.set(key.text, scalarOf(pair.value, notes, false))
    else if (isSeq(pair.value))
      lists.set(
        key.text,
        pair.value.items.flatMap(index => scalarOf(index, notes, false) ?? []),
      )
    else if (pair.value !== null) {
      const one = scalarOf(pair.value, notes, false)
      if (one) lists.set(key.text, [one])
    }
  }
  return { from: names.get('ms_api') ?? null, to: names.get('pt_api') ?? null, lists }
}

function noteUnknownKey(key: PlacedText, notes: Notes): void {
  const near = nearKeys.of(key.text)
  const edits = near ? [{ from: key.from, to: key.to, text: near }] : []
  notes.add({
    ...key,
    severity: 'warning',
    code: 'unknown-key',
    facts: { key: key.text },
    fixes: near ? [{ title: 'rename-key', facts: { text: near }, edits }] : [],
  })
}

function pairsOf(node: unknown, notes: Notes, what: string): Pair[] {
  if (node === null || node === undefined || (isScalar(node) && node.value === null)) return []
  if (isMap(node)) return node.items
  notes.add({
    ...notes.firstLine(spanOf(node)),
    severity: 'error',
    code: 'wrong-form',
    facts: { expected: what },
  })
  return []
}

function scalarOf(node: unknown, notes: Notes, isKey: boolean): PlacedText | null {
  if (isScalar(node) && node.value !== null) {
    const place = spanOf(node)
    const source = node.source ?? String(node.value)
    if (isKey && typeof node.value === 'number') {
      notes.add({
        ...place,
        severity: 'note',
        code: 'number-key',
        facts: { key: source },
        fixes: [
          { title: 'quote', facts: { text: `'${source}'` }, edits: [{ ...place, text: `'${source}'` }] },
        ],
      })
    }
    return { ...place, text: typeof node.value === 'string' ? node.value : source }
  }
  if (isAlias(node)) return null
  notes.add({
    ...notes.firstLine(spanOf(node)),
    severity: 'error',
    code: 'wrong-form',
    facts: { expected: 'text' },
  })
  return null
}

function spanOf(node: unknown): Span {
  const [from, to] = rangeOf(node).map(Number)
  return { from, to: Math.max(to, from) }
}

function rangeOf(node: unknown): readonly unknown[] {
  if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range))
    return node.range
  return isPair(node) ? [spanOf(node.key).from, spanOf(node.value).to] : [0, 1]
}

/** A key that stands twice: the last one counts, as the reference's reader has it. */
function repeated(kind: MappingKind, entries: readonly ParsedEntry[]): MappingDiagnostic[] {
  const last = new Map<string, ParsedEntry>()
  const found: MappingDiagnostic[] = []
  for (const entry of entries) {
    const { from } = entry.change
    const key = keyOf(entry.change)
    const earlier = last.get(key)
    const lost = entry.hidden ? entry : earlier
    if (!entry.hidden) last.set(key, entry)
    if (!lost) continue
    found.push({
      ...lost.key,
      severity: 'warning',
      code: kind === 'api' || lost.hidden ? 'hidden' : 'repeated-key',
      facts: { key: lost.change.from },
      fixes: removal(lost, from),
    })
  }
  return found
}

/** The fix that takes an entry out. */
export const removal = (entry: ParsedEntry, key: string): MappingDiagnostic['fixes'] =>
  entry.cut.length === 0
    ? []
    : [{ title: 'remove', facts: { key }, edits: entry.cut.map(place => ({ ...place, text: '' })) }]

/** Entries with the same key say something about the same thing. */
export const keyOf = (change: MappingChange): string =>
  change.kind === 'layer' ? `${topOf(change.scope)}\n${change.from}` : change.from

const itemForm = /\.(?:forward|backward)\.\d+\.|\.parameters_grad\./

/**
 * Which kind of mapping a text is, by its form: apis by their keys, maps of maps layers, names of items data.
 */
export function kindOf(text: string): MappingKind {
  if (/^\s*(?:-\s*)?(?:ms_api|pt_api)\s*:/m.test(text)) return 'api'
  const plain = plainPairs(text)
  if (plain?.length === 0) return 'layer'
  if (plain) return plain.some(pair => itemForm.test(pair.key)) ? 'data' : 'cell'
  if (plainGroups(text)) return 'layer'
  try {
    const { contents } = yamlDocument(text)
    if (isSeq(contents)) return 'api'
    if (!isMap(contents) || contents.items.some(pair => isMap(pair.value))) return 'layer'
    return contents.items.some(pair => itemForm.test(textOfNode(pair.key))) ? 'data' : 'cell'
  } catch {
    return 'layer'
  }
}

export function textOfNode(node: unknown): string {
  if (!isScalar(node)) return ''
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value))
}
export const textAt = (map: YAMLMap, key: string): string => textOfNode(map.get(key, true))
