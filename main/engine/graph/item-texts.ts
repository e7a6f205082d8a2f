// The items of a node as graph files spell them: what the dump says, then how it differs from the bench.
import { JsonReader, isArray, isObject, type Json, type JsonObject } from '../formats/json-stream.ts'
import { parts } from '../formats/msprobe-items.ts'
import type { Cells } from '../columns.ts'
import type { Dump } from '../dump.ts'
import type { Files, Handle } from '../io/files.ts'
import { Note, Outcome } from '../metrics/measured.ts'
import { fixed12, roundCosine } from '../metrics/numpy.ts'
import { exactDifference } from '../metrics/statistics.ts'
import { insteadOfNumbers, noNumbers } from '../metrics/outcomes.ts'
import { Kind, type Rules } from '../model.ts'
import { encoded } from './bytes.ts'
import { NodeKind } from './graph.ts'
import { itemSides, type ItemSides } from './items.ts'
import { graderOf, gradeNames, type ItemGrade, type Reason } from './levels.ts'
import { Page, type Piece, type PieceList } from './page.ts'
import { notCompared, surplus, type GraphPair } from './pair.ts'
import { differenceOf, isNumber, numberOf, sameMd5, smallValues, statCells, type SmallValue } from './values.ts'
import { graphRules, type GraphRules } from './rules.ts'
import { fullSpelling, jsonText, shortSpelling, spell, type Spelling } from './texts.ts'

const statKeys = ['Max', 'Min', 'Mean', 'Norm'] as const
const diffKeys = ['Max diff', 'Min diff', 'Mean diff', 'L2norm diff'] as const
const relativeKeys = ['MaxRelativeErr', 'MinRelativeErr', 'MeanRelativeErr', 'NormRelativeErr'] as const

export type Field = readonly [key: string, text: string]

/** Reads entries of dump.json again, for what the columns do not keep. */
export class RawEntries {
  readonly #files: Files
  readonly #dump: Dump
  #handle: Handle | null = null

  constructor(files: Files, dump: Dump) {
    this.#files = files
    this.#dump = dump
  }

  /** The leaves of an op, one per item row, or null when the entry cannot be read again. */
  leaves(op: number): readonly Json[] | null {
    const { ops } = this.#dump
    try {
      this.#handle ??= this.#files.open(this.#dump.files.dump)
      const bytes = new Uint8Array(ops.to[op] - ops.from[op])
      if (this.#handle.read(ops.from[op], bytes) < bytes.length) return null
      const key = this.#dump.texts.get(ops.name[op])
      const leaves = leavesOf(key, new JsonReader(bytes).value())
      return leaves.length === ops.first[op + 1] - ops.first[op] ? leaves : null
    } catch {
      return null
    }
  }

  close(): void {
    this.#handle?.close()
    this.#handle = null
  }
}

/** Leaves and nulls of an entry in the order in which items are made of them. */
function leavesOf(key: string, entry: Json): Json[] {
  const leaves: Json[] = []
  const walk = (value: Json): void => {
    if (value === null || (isObject(value) && typeof value.get('type') === 'string')) leaves.push(value)
    else if (isArray(value)) value.forEach(walk)
    else if (isObject(value)) for (const member of value.values()) walk(member)
  }
  if (key.split('.').includes('parameters_grad')) walk(entry)
  else if (isObject(entry)) {
    for (const [part] of parts) {
      const value = entry.get(part)
      if (value !== undefined) walk(value)
    }
  }
  return leaves
}

/** Leaves of the op at hand, read when first needed. */
export interface Leaves { current: readonly Json[] | null | undefined }

/** Beginnings of fields, `"key": "`, with what stands between fields in front. */
class Heads {
  readonly #page: Page
  readonly #join: string
  readonly #known = new Map<string, Piece>()

  constructor(page: Page, join: string) {
    this.#page = page
    this.#join = join
  }

  /** `first`: nothing stands before it. `closing`: the value before it still lacks its quote. */
  of(key: string, how: 'first' | 'next' | 'closing' = 'next'): Piece {
    const name = `${how} ${key}`
    let head = this.#known.get(name)
    if (head === undefined) this.#known.set(name, (head = this.#page.keep(`${{ first: '', next: this.#join, closing: `"${this.#join}` }[how]}${jsonText(key)}: "`)))
    return head
  }
}

/** Combinations of texts that are kept as pieces; beyond this many they are spelled each time. */
const mostKept = 4096

/** Spells the items of one dump on one page. Every field is text in quotes; `join` stands between fields. */
export class ItemSpeller {
  readonly spelling: Spelling
  readonly #dump: Dump
  readonly #how: GraphRules
  readonly #raw: RawEntries
  readonly #md5: boolean
  readonly #codes: (Uint8Array | undefined)[] = []
  readonly #stats: readonly Cells[]
  readonly #plainClasses: ReadonlySet<number>
  readonly #join: Piece
  readonly #statHeads: readonly Piece[]
  readonly #statList: PieceList
  readonly #type: Piece
  readonly #value: Piece
  readonly #dtype: Piece
  readonly #shape: Piece
  readonly #dataName: Piece
  readonly #md5Head: Piece
  readonly #grad: Piece
  readonly #fronts = new Map<number, { readonly type: number; readonly dtype: number; readonly shape: number; readonly piece: Piece }>()
  readonly #ends = new Map<number, Piece>()
  readonly #scalars = new Map<number, { readonly type: number; readonly kind: number; readonly value: number; readonly piece: Piece }>()

  constructor(page: Page, dump: Dump, rules: Rules, raw: RawEntries, join: string) {
    this.#dump = dump
    this.#how = graphRules[rules]
    this.#raw = raw
    this.spelling = this.#how.levels ? fullSpelling : shortSpelling
    this.#md5 = dump.header.hasMd5
    this.#stats = statCells(dump)
    this.#plainClasses = new Set(['int', 'float', 'bool', 'str'].map(name => dump.texts.findPlain(`<class '${name}'>`)).filter(code => code >= 0))
    const heads = new Heads(page, join)
    this.#join = page.keep(join)
    this.#statHeads = statKeys.map((key, s) => heads.of(key, s === 0 ? 'next' : 'closing'))
    this.#statList = page.list(this.#statHeads)
    this.#type = heads.of('type', 'first')
    this.#value = heads.of('value')
    this.#dtype = heads.of('dtype')
    this.#shape = heads.of('shape')
    this.#dataName = heads.of('data_name')
    this.#md5Head = heads.of('md5')
    this.#grad = heads.of('requires_grad')
  }

  /** An item that is shown as nothing but null. */
  isNull(item: number): boolean {
    const { kind, value } = this.#dump.items.max
    return kind[item] === Kind.none || kind[item] === Kind.absent || (kind[item] === Kind.text && this.text(value[item]) === 'null')
  }

  /** The fields of an item. */
  fields(out: Page, op: number, item: number, leaves: Leaves): void {
    if (this.isNull(item)) return out.raw(nullItem)
    if (this.#isPlain(item)) return this.#plain(out, item)
    if (leaves.current === undefined) leaves.current = this.#raw.leaves(op)
    const leaf = leaves.current?.[item - this.#dump.ops.first[op]]
    if (!isObject(leaf)) return this.#plain(out, item)
    this.#leaf(leaf, item).forEach(([key, text], i) => {
      if (i > 0) out.put(this.#join)
      out.text(`${jsonText(key)}: ${jsonText(text)}`)
    })
  }

  /** Whether the columns hold all that the entry says. */
  #isPlain(item: number): boolean {
    const { items } = this.#dump
    if (items.tensor[item] !== 1) return this.#plainClasses.has(items.dtype[item])
    const finite = (cells: Cells): boolean => cells.kind[item] !== Kind.float || Number.isFinite(cells.value[item])
    return finite(items.max) && finite(items.min)
  }

  #plain(out: Page, item: number): void {
    if (this.#dump.items.tensor[item] === 1) this.#tensor(out, item)
    else this.#scalar(out, item)
  }

  #tensor(out: Page, item: number): void {
    const { items } = this.#dump
    this.#front(out, item)
    this.#fourStats(out, item)
    if (!this.#md5 && !this.#how.levels && items.dataName[item] < 0) return this.#end(out, items.md5[item])
    const grad = items.requiresGrad[item]
    const { levels } = this.#how
    if (levels && grad !== 2) this.#fixed(out, this.#grad, grad ? 'True' : 'False')
    if (this.#md5) this.#field(out, this.#md5Head, items.md5[item])
    this.#nameField(out, item)
    if (!this.#md5 && !levels) this.#field(out, this.#md5Head, items.md5[item])
    if (levels && grad === 2) this.#fixed(out, this.#grad, 'null')
  }

  /** Type, dtype and shape of a tensor: few combinations, many times. */
  #front(out: Page, item: number): void {
    const { items } = this.#dump
    const [type, dtype, shape] = [items.type[item], items.dtype[item], items.shape[item]]
    const key = (shape + 1) * 2 ** 20 + ((dtype + 1) * 1031 + type + 1) % 2 ** 20
    const known = this.#fronts.get(key)
    if (known && known.type === type && known.dtype === dtype && known.shape === shape) return out.put(known.piece)
    const from = out.length
    this.#field(out, this.#type, type)
    this.#field(out, this.#dtype, dtype)
    this.#field(out, this.#shape, shape)
    if (this.#fronts.size < mostKept) this.#fronts.set(key, { type, dtype, shape, piece: out.keepSince(from) })
  }

  /** What ends a tensor without a file. */
  #end(out: Page, md5: number): void {
    const known = this.#ends.get(md5)
    if (known !== undefined) return out.put(known)
    const from = out.length
    this.#fixed(out, this.#dataName, '-1')
    this.#field(out, this.#md5Head, md5)
    if (this.#ends.size < mostKept) this.#ends.set(md5, out.keepSince(from))
  }

  /** Small whole numbers and words are arguments again and again. */
  #scalar(out: Page, item: number): void {
    const { items } = this.#dump
    if (items.dataName[item] >= 0) return this.#spellScalar(out, item)
    const key = (items.md5[item] + 1) * 4096 + ((items.type[item] + 1) * 8 + items.max.kind[item]) % 4096
    const known = this.#scalars.get(key)
    if (known && known.type === items.type[item] && known.kind === items.max.kind[item] && known.value === items.max.value[item]) return out.put(known.piece)
    const from = out.length
    this.#spellScalar(out, item)
    if (this.#scalars.size < mostKept) this.#scalars.set(key, { type: items.type[item], kind: items.max.kind[item], value: items.max.value[item], piece: out.keepSince(from) })
  }

  #spellScalar(out: Page, item: number): void {
    const { items } = this.#dump
    const { levels } = this.#how
    this.#field(out, this.#type, items.type[item])
    out.put(this.#value)
    this.#cell(out, items.max, item)
    out.byte(quote)
    this.#nameField(out, item)
    if (levels) this.#fixed(out, this.#grad, 'null')
    this.#fourStats(out, item)
    this.#field(out, this.#dtype, items.dtype[item])
    this.#field(out, this.#shape, items.shape[item])
    if (!levels || this.#md5) this.#field(out, this.#md5Head, items.md5[item])
  }

  #fourStats(out: Page, item: number): void {
    const [a, b, c, d] = this.#stats
    if (!this.#how.levels && allOf(Kind.float, this.#stats, item) && out.stats(this.#statList, a.value[item], b.value[item], c.value[item], d.value[item])) return
    for (let s = 0; s < 4; s++) {
      out.put(this.#statHeads[s])
      this.#cell(out, this.#stats[s], item)
    }
    out.byte(quote)
  }

  #field(out: Page, head: Piece, code: number): void {
    out.put(head)
    out.raw(this.#code(code))
    out.byte(quote)
  }

  #fixed(out: Page, head: Piece, text: string): void {
    out.put(head)
    out.text(text)
    out.byte(quote)
  }

  #nameField(out: Page, item: number): void {
    const code = this.#dump.items.dataName[item]
    this.#fixed(out, this.#dataName, code < 0 ? '-1' : jsonText(this.text(code)).slice(1, -1))
  }

  /** The general way: the entry's own fields, then those that every item gets. */
  #leaf(leaf: JsonObject, item: number): Field[] {
    const { items, texts } = this.#dump
    const isTensor = items.tensor[item] === 1
    const fields = new Map<string, string>()
    for (const [key, value] of leaf) if (key !== 'requires_grad' || this.#how.levels) fields.set(key, spell(value, this.spelling))
    fields.set('data_name', items.dataName[item] < 0 ? '-1' : this.text(items.dataName[item]))
    if (this.#how.levels && !fields.has('requires_grad')) fields.set('requires_grad', 'null')
    statKeys.forEach((key, s) => { if (!isTensor || !fields.has(key)) fields.set(key, this.#cellText(this.#stats[s], item)) })
    if (!isTensor) {
      fields.set('dtype', this.text(items.dtype[item]))
      fields.set('shape', this.text(items.shape[item]))
    }
    if (this.#how.levels && !this.#md5) fields.delete('md5')
    else if (!fields.has('md5')) fields.set('md5', this.text(items.md5[item]))
    const kept = texts.get(items.type[item]) === 'torch.ProcessGroup' ? ['type', 'group_ranks', 'group_id', 'data_name'] : null
    return [...fields].filter(([key]) => kept === null || kept.includes(key))
  }

  #cell(out: Page, cells: Cells, item: number): void {
    if (cells.kind[item] === Kind.float && !this.#how.levels) return out.float(cells.value[item])
    out.text(jsonText(this.#cellText(cells, item)).slice(1, -1))
  }

  #cellText(cells: Cells, item: number): string { return cellText(this.#dump, cells, item, this.spelling) }

  text(code: number): string { return code < 0 ? 'null' : this.spelling.text(this.#dump.texts.get(code)) }

  /** A text of the pool inside quotes, kept: types, dtypes and shapes repeat. */
  #code(code: number): Uint8Array {
    if (code < 0) return nullText
    return this.#codes[code] ??= encoded(jsonText(this.text(code)).slice(1, -1))
  }
}

function cellText(dump: Dump, cells: Cells, item: number, spelling: Spelling): string {
  const value = cells.value[item]
  switch (cells.kind[item]) {
    case Kind.float: return spelling.float(value)
    case Kind.int: return String(value)
    case Kind.bool: return value ? 'True' : 'False'
    case Kind.text: return spelling.text(dump.texts.get(value))
    case Kind.bigint: return dump.texts.get(value)
    default: return 'null'
  }
}

const quote = 0x22
const nullText = encoded('null')
const nullItem = encoded('"value": "null"')

/** Spells how the debug items of a comparison differ from their partners. */
export class DifferenceSpeller {
  readonly #pair: GraphPair
  readonly #how: GraphRules
  readonly #spelling: Spelling
  readonly #mine: readonly Cells[]
  readonly #theirs: readonly Cells[]
  readonly #sides: ItemSides
  /** Code of the dtype of process groups, of which only their members are told. */
  readonly #group: number
  readonly #smallOf: ReturnType<typeof smallValues>
  readonly #grades: ((node: number) => readonly ItemGrade[]) | null
  readonly #heads: Heads
  readonly #diffHeads: readonly Piece[]
  readonly #relativeHeads: readonly Piece[]
  readonly #allHeads: PieceList
  /** What stands where nothing differs: for floats, for whole numbers, for zeros. */
  readonly #equal: { readonly floats: Piece; readonly ints: Piece; readonly zeros: Piece }
  readonly #noRelative: Piece
  readonly #notes = new Map<SmallValue, PieceList>()
  #node = -1
  #nodeGrades: ReadonlyMap<number, ItemGrade> = new Map()

  constructor(page: Page, pair: GraphPair, spelling: Spelling, join: string) {
    this.#pair = pair
    this.#how = graphRules[pair.rules]
    this.#spelling = spelling
    this.#mine = statCells(pair.debugDump)
    this.#theirs = statCells(pair.benchDump)
    this.#sides = itemSides(pair.debugDump, pair.rules)
    this.#group = pair.debugDump.texts.findPlain('torch.ProcessGroup')
    this.#smallOf = this.#how.smallValues ? smallValues(pair.debugDump) : () => undefined
    this.#grades = this.#how.levels ? graderOf(pair) : null
    this.#heads = new Heads(page, join)
    this.#diffHeads = diffKeys.map((key, s) => this.#heads.of(key, s === 0 ? 'next' : 'closing'))
    this.#relativeHeads = relativeKeys.map(key => this.#heads.of(key, 'closing'))
    this.#allHeads = page.list([...this.#diffHeads, ...this.#relativeHeads])
    this.#noRelative = page.keep(notANumber)
    const eight = (diff: string, relative: string): Piece => {
      const from = page.length
      this.#eight(page, () => diff, () => relative)
      return page.takeBack(from)
    }
    this.#equal = { floats: eight('0.0', '0.0%'), ints: eight('0', '0.0%'), zeros: eight('0', 'N/A') }
  }

  /** The fields of an item's difference; nothing where nothing was compared. */
  fields(out: Page, node: number, item: number): void {
    const there = this.#pair.benchItem[item]
    if (there === notCompared || this.#sides.unjudged.has(item) || this.#pair.debugDump.items.dtype[item] === this.#group) return
    if (this.#pair.mode === 'structure') return this.#structure(out, item)
    if (this.#pair.mode === 'statistics') this.#statistics(out, item, there)
    else if (this.#pair.mode === 'tensor') this.#tensor(out, item, there)
    else if (!this.#grades) this.#md5(out, item, there)
    if (this.#grades) this.#grade(out, node, item, there, this.#grades)
  }

  /** `Result` of a node in md5 mode. */
  nodeResult(node: number, index: string): string {
    if (this.#pair.mode !== 'md5' || this.#how.levels || this.#pair.debug.kind[node] === NodeKind.group) return ''
    return index === '1' ? 'pass' : 'Different'
  }

  #put(out: Page, head: Piece, text: string): void {
    out.put(head)
    out.text(text)
    out.byte(quote)
  }

  #statistics(out: Page, item: number, there: number): void {
    if (there === surplus) return this.#surplusStatistics(out, item)
    const { debugDump, benchDump } = this.#pair
    const small = this.#smallOf(debugDump.items.dtype[item])
    if (this.#allEqual(item, there, small ? small.bound : -1)) return out.put(this.#equal.floats)
    const whole = small ? null : this.#equalWhole(item, there)
    if (whole !== null) return out.put(whole)
    if (!this.#how.levels && this.#floats(out, item, there, small)) return
    for (let s = 0; s < 4; s++) {
      out.put(this.#diffHeads[s])
      const kind = this.#mine[s].kind[item]
      const otherKind = this.#theirs[s].kind[there]
      if (!isNumber(kind) || !isNumber(otherKind)) out.raw(notANumber)
      else {
        const long = kind === Kind.bigint || otherKind === Kind.bigint ? exactDifference(this.#mine[s], item, debugDump, this.#theirs[s], there, benchDump) : null
        const d = numberOf(debugDump, this.#mine[s], item) - numberOf(benchDump, this.#theirs[s], there)
        if (long !== null) out.text(String(long))
        else if (Number.isNaN(d)) out.raw(nan)
        else if (kind !== Kind.float && otherKind !== Kind.float) out.text(String(d))
        else if (!Number.isFinite(d)) out.text(d < 0 ? '-inf\\t' : 'inf\\t')
        else if (this.#how.levels) out.text(this.#spelling.float(d))
        else out.float(d)
      }
    }
    for (let s = 0; s < 4; s++) {
      out.put(this.#relativeHeads[s])
      if (!isNumber(this.#mine[s].kind[item]) || !isNumber(this.#theirs[s].kind[there])) out.raw(notANumber)
      else {
        const n = numberOf(debugDump, this.#mine[s], item)
        const b = numberOf(benchDump, this.#theirs[s], there)
        const d = differenceOf(debugDump, this.#mine[s], item, benchDump, this.#theirs[s], there)
        if (Number.isNaN(d)) out.raw(nan)
        else if (b === 0) out.raw(notANumber)
        else {
          const relative = Math.abs(d / b) * 100
          if (this.#how.levels) out.text(this.#spelling.percent(relative))
          else {
            out.percent(relative)
            out.byte(0x25)
          }
        }
        if (small && Math.abs(n) <= small.bound) out.text(smallNotes[s](small.shown))
      }
    }
    out.byte(quote)
  }

  /** Four floats on each side, unless one of the results is in doubt. */
  #floats(out: Page, item: number, there: number, small: SmallValue | undefined): boolean {
    const [a, b, c, d] = this.#mine
    const [e, f, g, h] = this.#theirs
    if (!allOf(Kind.float, this.#mine, item) || !allOf(Kind.float, this.#theirs, there)) return false
    return out.differ(this.#allHeads, this.#noRelative, small ? small.bound : -1, small ? this.#notesOf(out, small) : 0,
      a.value[item], b.value[item], c.value[item], d.value[item], e.value[there], f.value[there], g.value[there], h.value[there])
  }

  #notesOf(out: Page, small: SmallValue): PieceList {
    let list = this.#notes.get(small)
    if (list === undefined) this.#notes.set(small, (list = out.list(smallNotes.map(note => out.keep(note(small.shown))))))
    return list
  }

  /** The same whole number four times on each side: most arguments. */
  #equalWhole(item: number, there: number): Piece | null {
    if (!allOf(Kind.int, this.#mine, item) || !allOf(Kind.int, this.#theirs, there)) return null
    const value = this.#mine[0].value[item]
    for (let s = 0; s < 4; s++) if (this.#mine[s].value[item] !== value || this.#theirs[s].value[there] !== value) return null
    return value === 0 ? this.#equal.zeros : this.#equal.ints
  }

  /** Four finite floats above the bound that do not differ: most of what is compared before the first fault. */
  #allEqual(item: number, there: number, bound: number): boolean {
    for (let s = 0; s < 4; s++) {
      const mine = this.#mine[s]
      const theirs = this.#theirs[s]
      const value = mine.value[item]
      if (mine.kind[item] !== Kind.float || theirs.kind[there] !== Kind.float || value !== theirs.value[there]) return false
      const size = Math.abs(value)
      if (size === 0 || size === Infinity || size <= bound) return false
    }
    return true
  }

  #surplusStatistics(out: Page, item: number): void {
    const shifted = (s: number): string => jsonText(cellText(this.#pair.debugDump, this.#mine[s - 1], item, this.#spelling)).slice(1, -1)
    this.#eight(out, () => ' ', s => (this.#how.shortPadding && s > 0 ? shifted(s) : ' '))
  }

  #eight(out: Page, diff: (s: number) => string, relative: (s: number) => string): void {
    this.#diffHeads.forEach((head, s) => {
      out.put(head)
      out.text(diff(s))
    })
    this.#relativeHeads.forEach((head, s) => {
      out.put(head)
      out.text(relative(s))
    })
    out.byte(quote)
  }

  #tensor(out: Page, item: number, there: number): void {
    const { measured, measuredRow } = this.#pair
    const row = measuredRow[item]
    const fixed = measured && row >= 0 ? insteadOfNumbers[measured.outcome[row]] : there === surplus && !this.#how.shortPadding ? ' ' : noNumbers
    for (const metric of tensorMetrics) {
      if (metric.key === 'EucDist' && !this.#how.levels) continue
      let text = fixed
      if (measured && row >= 0) {
        const outcome = measured.outcome[row]
        if (outcome === Outcome.empty && !this.#how.levels) text = '0'
        else if (text === null && (outcome === Outcome.scalar ? !metric.scalar : !metric.single && (measured.notes[row] & Note.single) !== 0)) text = noNumbers
        else if (text === null) text = Number.isNaN(measured[metric.column][row]) ? 'Nan' : this.#spelling.float(metric.shown(measured[metric.column][row]))
      }
      this.#put(out, this.#heads.of(metric.key), text ?? noNumbers)
    }
  }

  #structure(out: Page, item: number): void {
    if (!this.#how.structureJudged || this.#sides.side[item] !== 0) return
    for (const { key } of tensorMetrics) if (key !== 'EucDist') this.#put(out, this.#heads.of(key), ' ')
  }

  #md5(out: Page, item: number, there: number): void {
    const { debugDump, benchDump } = this.#pair
    this.#put(out, this.#heads.of('Result'), there === surplus ? 'Nan' : sameMd5(debugDump, item, benchDump, there) ? 'pass' : 'Different')
  }

  #grade(out: Page, node: number, item: number, there: number, grades: (node: number) => readonly ItemGrade[]): void {
    if (node !== this.#node) {
      this.#node = node
      this.#nodeGrades = new Map(grades(node).map(grade => [grade.item, grade]))
    }
    const grade = this.#nodeGrades.get(item)
    const { debugDump, benchDump } = this.#pair
    const same = there < 0 || debugDump.items.requiresGrad[item] === benchDump.items.requiresGrad[there]
    const result = (): void => this.#put(out, this.#heads.of('Result'), gradeNames[grade?.grade ?? 0])
    if (this.#pair.mode === 'md5') result()
    this.#put(out, this.#heads.of('Requires_grad Consistent'), same ? 'True' : 'False')
    if (this.#pair.mode !== 'md5') result()
    this.#put(out, this.#heads.of('Err_message'), jsonText(`[${(grade?.reasons ?? []).map(reason => `"${reasonTexts[reason]}"`).join(', ')}]`).slice(1, -1))
  }
}

const allOf = (kind: number, cells: readonly Cells[], item: number): boolean =>
  cells[0].kind[item] === kind && cells[1].kind[item] === kind && cells[2].kind[item] === kind && cells[3].kind[item] === kind

const notANumber = encoded('N/A')
const nan = encoded('Nan')

/** The note that a relative error of a small value gets; viewers read what stands before the comma. */
const smallNotes = statKeys.map(key => (bound: string) => `, \\u7531\\u4e8e${key}\\u5c0f\\u4e8e${bound}, \\u5efa\\u8bae\\u4e0d\\u53c2\\u8003\\u6b64\\u76f8\\u5bf9\\u8bef\\u5dee\\uff0c\\u8bf7\\u53c2\\u8003\\u7edd\\u5bf9\\u8bef\\u5dee`)

const tensorMetrics = [
  { key: 'Cosine', column: 'cosine', shown: roundCosine, scalar: false, single: false },
  { key: 'EucDist', column: 'euclid', shown: (x: number) => x, scalar: false, single: true },
  { key: 'MaxAbsErr', column: 'maxAbs', shown: fixed12, scalar: true, single: true },
  { key: 'MaxRelativeErr', column: 'maxRel', shown: fixed12, scalar: true, single: true },
  { key: 'One Thousandth Err Ratio', column: 'thousandth', shown: fixed12, scalar: false, single: true },
  { key: 'Five Thousandths Err Ratio', column: 'fiveThousandths', shown: fixed12, scalar: false, single: true },
] as const

const reasonTexts: Readonly<Record<Reason, string>> = {
  'not-finite': 'error: NaN or Inf only on the debug side', 'norm-jump': 'error: the norm was right in the inputs and is wrong here',
  'ratio-fall': 'error: the one-thousandth ratio falls from the inputs to here', 'requires-grad': 'error: requires_grad differs', scalar: 'error: the argument differs',
  dtype: 'error: the dtype differs', shape: 'error: the shape differs', 'norm-growth': 'warning: the relative error of the norm grows from the inputs to here',
  'cosine-fall': 'warning: the cosine falls from the inputs to here', checksum: 'error: the checksums differ', 'no-partner': 'warning: no counterpart',
}

