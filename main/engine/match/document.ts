// A mapping text as a document: entries with their places, what is wrong in its form, and edits that keep comments and order.
import { Document, isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, Scalar, visit, YAMLMap, YAMLSeq, type Node, type Pair } from 'yaml'
import type { MappingChange, MappingDiagnostic, MappingKind, Span, TextEdit } from '../../../preload/contract/engine.ts'
import { problem, Refusal } from '../problem.ts'

/** An entry as it stands in the text. */
export interface ParsedEntry {
  readonly change: MappingChange
  readonly whole: Span
  readonly key: Span
  readonly value: Span
  /** Layer: where the class stands. */
  readonly scope: Span | null
  /** Api: where each index of each list stands, by key (`ms_args` …). */
  readonly lists: ReadonlyMap<string, readonly (Span & { readonly text: string })[]>
}

export interface ParsedMapping {
  readonly entries: readonly ParsedEntry[]
  readonly diagnostics: readonly MappingDiagnostic[]
}

export const longestMapping = 4 << 20
const mostAliases = 100
const apiKeys = ['ms_api', 'pt_api', 'ms_args', 'pt_args', 'ms_output', 'pt_output', 'ms_outputs', 'pt_outputs', 'ms_parameters', 'pt_parameters', 'ms_parameters_grad', 'pt_parameters_grad']

type Found = Omit<MappingDiagnostic, 'fixes'> & { readonly fixes?: MappingDiagnostic['fixes'] }

class Notes {
  readonly list: MappingDiagnostic[] = []
  add(found: Found): void { this.list.push({ fixes: [], ...found }) }
}

/** Entries of a text; whatever cannot be read is a diagnostic at its place. */
export function parseMapping(kind: MappingKind, text: string): ParsedMapping {
  const notes = new Notes()
  const document = read(text, notes)
  if (!document) return { entries: [], diagnostics: notes.list }
  const entries = readers[kind](document.contents, notes)
  return { entries, diagnostics: [...notes.list, ...repeated(kind, entries)] }
}

function read(text: string, notes: Notes): Document.Parsed | null {
  const whole = { from: 0, to: Math.min(text.length, 1) }
  if (text.length > longestMapping) {
    notes.add({ ...whole, severity: 'error', code: 'too-long', facts: { length: text.length, limit: longestMapping } })
    return null
  }
  const broken = text.indexOf('\uFFFD')
  if (broken >= 0) notes.add({ from: broken, to: broken + 1, severity: 'error', code: 'encoding', facts: {} })
  const document = parseDocument(text, { version: '1.1', schema: 'yaml-1.1', uniqueKeys: false, prettyErrors: false, lineCounter: new LineCounter() })
  for (const error of document.errors.slice(0, 200)) {
    const [from, to] = error.pos
    const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from + 1)
    const tab = error.code === 'TAB_AS_INDENT' || /^\s*\t/.test(line)
    notes.add({
      from, to: Math.max(to, from + 1), severity: 'error', code: tab ? 'tab' : 'syntax', facts: { reason: error.code },
      fixes: tab ? [{ title: 'replace', facts: { text: '  ' }, edits: [{ from, to: from + 1, text: '  ' }] }] : [],
    })
  }
  let aliases = 0
  visit(document, { Alias: (_, alias) => {
    aliases++
    if (aliases === 1 || aliases === mostAliases + 1) notes.add({ ...spanOf(alias), severity: aliases > mostAliases ? 'error' : 'note', code: 'alias', facts: { limit: mostAliases } })
  } })
  return aliases > mostAliases || document.errors.length > 0 && !document.contents ? null : document
}

const readers: Readonly<Record<MappingKind, (contents: Node | null, notes: Notes) => ParsedEntry[]>> = {
  cell: (contents, notes) => flat(contents, notes, (from, to) => ({ kind: 'cell', from, to })),
  data: (contents, notes) => flat(contents, notes, (from, to) => ({ kind: 'data', from, to })),
  layer: (contents, notes) => pairsOf(contents, notes, 'class').flatMap(outer => {
    const scope = scalarOf(outer.key, notes, true)
    if (!scope) return []
    return pairsOf(outer.value, notes, 'child').flatMap(inner => entryOf(inner, notes, (from, to) => ({ kind: 'layer', scope: scope.text, from, to }), scope))
  }),
  api: (contents, notes) => (isSeq(contents) ? contents.items : contents ? [contents] : []).flatMap(item => apiEntry(item as Node, notes)),
}

const flat = (contents: Node | null, notes: Notes, change: (from: string, to: string) => MappingChange): ParsedEntry[] =>
  pairsOf(contents, notes, 'name').flatMap(pair => entryOf(pair, notes, change, null))

function entryOf(pair: Pair, notes: Notes, change: (from: string, to: string) => MappingChange, scope: Span | null): ParsedEntry[] {
  const key = scalarOf(pair.key, notes, true)
  const value = scalarOf(pair.value, notes, false)
  if (!key || !value) return []
  return [{ change: change(key.text, value.text), whole: { from: key.from, to: Math.max(value.to, key.to) }, key, value, scope, lists: new Map() }]
}

function apiEntry(item: Node, notes: Notes): ParsedEntry[] {
  const pairs = pairsOf(item, notes, 'api')
  const lists = new Map<string, (Span & { text: string })[]>()
  let from: (Span & { text: string }) | null = null
  let to: (Span & { text: string }) | null = null
  for (const pair of pairs) {
    const key = scalarOf(pair.key, notes, true)
    if (!key) continue
    if (!apiKeys.includes(key.text)) {
      const near = nearest(key.text, apiKeys)
      notes.add({
        ...key, severity: 'warning', code: 'unknown-key', facts: { key: key.text },
        fixes: near ? [{ title: 'rename-key', facts: { text: near }, edits: [{ from: key.from, to: key.to, text: near }] }] : [],
      })
    } else if (key.text === 'ms_api') from = scalarOf(pair.value, notes, false)
    else if (key.text === 'pt_api') to = scalarOf(pair.value, notes, false)
    else if (isSeq(pair.value)) lists.set(key.text, pair.value.items.flatMap(index => scalarOf(index, notes, false) ?? []))
    else if (pair.value !== null) {
      const one = scalarOf(pair.value, notes, false)
      if (one) lists.set(key.text, [one])
    }
  }
  const place = spanOf(item)
  if (!from || !to) {
    if (pairs.length > 0) notes.add({ ...place, to: Math.min(place.to, place.from + 40), severity: 'error', code: 'missing-key', facts: { key: from ? 'pt_api' : 'ms_api' } })
    return []
  }
  const paired = (mine: string, theirs: string): [string, string][] => {
    const [a, b] = [lists.get(mine) ?? lists.get(`${mine}s`) ?? [], lists.get(theirs) ?? lists.get(`${theirs}s`) ?? []]
    return a.slice(0, b.length).map((index, i) => [index.text, b[i].text])
  }
  return [{
    change: { kind: 'api', from: from.text, to: to.text, args: paired('ms_args', 'pt_args'), outputs: paired('ms_output', 'pt_output') },
    whole: place, key: from, value: to, scope: null, lists,
  }]
}

function pairsOf(node: unknown, notes: Notes, what: string): Pair[] {
  if (node === null || node === undefined || isScalar(node) && node.value === null) return []
  if (isMap(node)) return node.items
  notes.add({ ...spanOf(node), severity: 'error', code: 'wrong-form', facts: { expected: what } })
  return []
}

function scalarOf(node: unknown, notes: Notes, isKey: boolean): (Span & { text: string }) | null {
  if (isScalar(node) && node.value !== null) {
    const place = spanOf(node)
    const source = node.source ?? String(node.value)
    if (isKey && typeof node.value === 'number') {
      notes.add({ ...place, severity: 'note', code: 'number-key', facts: { key: source }, fixes: [{ title: 'quote', facts: { text: `'${source}'` }, edits: [{ ...place, text: `'${source}'` }] }] })
    }
    return { ...place, text: typeof node.value === 'string' ? node.value : source }
  }
  if (isAlias(node)) return null
  notes.add({ ...spanOf(node), severity: 'error', code: 'wrong-form', facts: { expected: 'text' } })
  return null
}

function spanOf(node: unknown): Span {
  const range = typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range) ? node.range : isPair(node) ? [spanOf(node.key).from, spanOf(node.value).to] : [0, 1]
  return { from: Number(range[0]), to: Math.max(Number(range[1]), Number(range[0])) }
}

/** A key that stands twice: the last one counts, as the reference's reader has it. */
function repeated(kind: MappingKind, entries: readonly ParsedEntry[]): MappingDiagnostic[] {
  const last = new Map<string, ParsedEntry>()
  const found: MappingDiagnostic[] = []
  for (const entry of entries) {
    const key = keyOf(entry.change)
    const earlier = last.get(key)
    if (earlier) {
      found.push({
        ...earlier.key, severity: 'warning', code: kind === 'api' ? 'hidden' : 'repeated-key', facts: { key: earlier.change.from },
        fixes: [{ title: 'remove', facts: { key: earlier.change.from }, edits: [{ ...earlier.whole, text: '' }] }],
      })
    }
    last.set(key, entry)
  }
  return found
}

/** Entries with the same key say something about the same thing. */
export const keyOf = (change: MappingChange): string => (change.kind === 'layer' ? `${change.scope === 'Cell' ? 'TopLayer' : change.scope}\n${change.from}` : change.from)

/** The known text that a mistyped one is most like, or undefined. */
export function nearest(text: string, known: Iterable<string>): string | undefined {
  const most = Math.max(2, Math.floor(text.length / 4))
  let best: string | undefined
  let least = most + 1
  for (const candidate of known) {
    if (Math.abs(candidate.length - text.length) >= least) continue
    const distance = editDistance(text, candidate, least)
    if (distance < least) { least = distance; best = candidate }
  }
  return best
}

/** Edits between two texts, or `limit` when there are at least that many. */
export function editDistance(a: string, b: string, limit: number): number {
  let row = Uint16Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = new Uint16Array(b.length + 1)
    next[0] = i
    let least = i
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1))
      least = Math.min(least, next[j])
    }
    if (least >= limit) return limit
    row = next
  }
  return Math.min(limit, row[b.length])
}

/** Which kind of mapping a text is, by its form: lists are apis, maps of maps layers, names with a part of a call data. */
export function kindOf(text: string): MappingKind {
  const { contents } = parseDocument(text, { version: '1.1', schema: 'yaml-1.1', uniqueKeys: false })
  if (isSeq(contents)) return 'api'
  if (!isMap(contents)) return 'layer'
  if (textAt(contents, 'ms_api') !== '' || textAt(contents, 'pt_api') !== '') return 'api'
  if (contents.items.some(pair => isMap(pair.value))) return 'layer'
  return contents.items.some(pair => /\.(?:input|output|kwargs|parameters|parameters_grad)\./.test(textOfNode(pair.key))) ? 'data' : 'cell'
}

// ---------------------------------------------------------------------------------------------- edits

/** The text with entries set and taken out. Comments, order and the form of everything else stay as they are. */
export function editMapping(kind: MappingKind, text: string, set: readonly MappingChange[], remove: readonly MappingChange[]): string {
  const document = parseDocument(text, { version: '1.1', schema: 'yaml-1.1', uniqueKeys: false })
  const [error] = document.errors
  if (error) throw new Refusal(problem('mapping-invalid', '', { what: kind, line: error.linePos?.[0].line ?? 1, reason: error.code }))
  for (const change of remove) takeOut(document, change)
  for (const change of set) putIn(document, change)
  if (isMap(document.contents) && document.contents.items.length === 0 || isSeq(document.contents) && document.contents.items.length === 0) document.contents = null
  return document.contents === null ? comments(text) : document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

const comments = (text: string): string => text.split('\n').filter(line => line.trimStart().startsWith('#')).map(line => `${line}\n`).join('')

function putIn(document: Document, change: MappingChange): void {
  if (change.kind === 'api') { putApi(document, change); return }
  const map = change.kind === 'layer' ? childMap(document, change.scope) : topMap(document)
  const key = keyNode(map, change.from)
  if (key && isScalar(key.value)) key.value.value = change.to
  else if (key) key.value = scalar(change.to)
  else map.items.push(document.createPair(scalar(change.from), scalar(change.to)) as Pair<Node, Node>)
}

function takeOut(document: Document, change: MappingChange): void {
  if (change.kind === 'api') {
    if (isSeq(document.contents)) document.contents.items = document.contents.items.filter(item => !(isMap(item) && textAt(item, 'ms_api') === change.from))
    else if (isMap(document.contents) && textAt(document.contents, 'ms_api') === change.from) document.contents = null
    return
  }
  if (!isMap(document.contents)) return
  const map = change.kind === 'layer' ? keyNode(document.contents, change.scope)?.value : document.contents
  if (!isMap(map)) return
  dropKey(document, map, change.from)
  if (change.kind === 'layer' && map.items.length === 0) dropKey(document, document.contents, change.scope)
}

/** Takes entries out; a comment that stood above one stays. */
function dropKey(document: Document, map: YAMLMap, key: string): void {
  for (let i = map.items.length - 1; i >= 0; i--) {
    const node = map.items[i]?.key
    if (textOfNode(node) !== key) continue
    const comment = isScalar(node) ? node.commentBefore : undefined
    map.items.splice(i, 1)
    if (!comment) continue
    const next = map.items[i]?.key
    if (isScalar(next)) next.commentBefore = next.commentBefore ? `${comment}\n${next.commentBefore}` : comment
    else document.comment = document.comment ? `${comment}\n${document.comment}` : comment
  }
}

function putApi(document: Document, change: MappingChange & { kind: 'api' }): void {
  if (!isSeq(document.contents)) {
    const alone = document.contents
    const list = new YAMLSeq<Node>()
    if (isMap(alone)) list.items.push(alone as Node)
    document.contents = list as Document['contents']
  }
  if (!isSeq(document.contents)) return
  const known = document.contents.items.find(item => isMap(item) && textAt(item, 'ms_api') === change.from)
  const entry = isMap(known) ? known : new YAMLMap<Node, Node>()
  if (!known) document.contents.items.push(entry)
  const put = (key: string, value: unknown): void => { entry.set(key, document.createNode(value, { flow: Array.isArray(value) })) }
  put('ms_api', change.from)
  put('pt_api', change.to)
  for (const [name, list] of [['args', change.args], ['output', change.outputs]] as const) {
    for (const spelled of [`ms_${name}s`, `pt_${name}s`]) if (name === 'output') entry.delete(spelled)
    put(`ms_${name}`, list.map(([mine]) => indexValue(mine)))
    put(`pt_${name}`, list.map(([, theirs]) => indexValue(theirs)))
  }
}

/** Plain whole numbers stay numbers, as people write them. */
const indexValue = (index: string): string | number => (/^(?:0|[1-9]\d{0,8})$/.test(index) ? Number(index) : index)

function topMap(document: Document): YAMLMap<Node, Node> {
  if (!isMap(document.contents)) document.contents = new YAMLMap<Node, Node>() as Document['contents']
  return document.contents as unknown as YAMLMap<Node, Node>
}

function childMap(document: Document, scope: string): YAMLMap<Node, Node> {
  const top = topMap(document)
  const known = keyNode(top, scope)
  if (known && isMap(known.value)) return known.value as unknown as YAMLMap<Node, Node>
  const made = new YAMLMap<Node, Node>()
  if (known) known.value = made
  else top.items.push(document.createPair(scalar(scope), made) as Pair<Node, Node>)
  return made
}

/** Text that reads as text: digits and the like get quotes. */
function scalar(text: string): Scalar {
  const made = new Scalar(text)
  if (!/^[A-Za-z_]/.test(text) || /^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text)) made.type = 'QUOTE_SINGLE'
  return made
}

const keyNode = (map: YAMLMap, key: string): Pair | undefined => map.items.findLast(pair => textOfNode(pair.key) === key)
const textOfNode = (node: unknown): string => (isScalar(node) ? (typeof node.value === 'string' ? node.value : node.source ?? String(node.value)) : '')
const textAt = (map: YAMLMap, key: string): string => textOfNode(map.get(key, true))

/** The least edit that makes one text the other. */
export function editBetween(before: string, after: string): TextEdit {
  let from = 0
  while (from < before.length && from < after.length && before[from] === after[from]) from++
  let end = 0
  while (end < before.length - from && end < after.length - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  return { from, to: before.length - end, text: after.slice(from, after.length - end) }
}
