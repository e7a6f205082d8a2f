// The items of a node as graph files spell them: what the dump says.
import { type GraphRules, ruleSets } from '../rules/index.ts'
import { isObject, type Json, type JsonObject } from '../json/index.ts'
import {
  type Cells,
  type Dump,
  type ItemRow,
  Kind,
  type OpRow,
  type Rules,
  type TextCode,
} from '../model/index.ts'
import { encoded } from './bytes.ts'
import { Heads, quote, statKeys } from './field-heads.ts'
import { type Page, type Piece, type PieceList } from './page.ts'
import { type RawEntries } from './raw-entries.ts'
import { allOf, statCells } from './values.ts'
import { fullSpelling, jsonText, shortSpelling, spell, type Spelling } from './texts.ts'

type Field = readonly [key: string, text: string]

/** Leaves of the op at hand, read when first needed. */
export interface Leaves {
  current: readonly Json[] | null | undefined
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
  readonly #plainClasses: ReadonlySet<TextCode>
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
  readonly #fronts = new Map<
    number,
    { readonly type: number; readonly dtype: number; readonly shape: number; readonly piece: Piece }
  >()
  readonly #ends = new Map<TextCode, Piece>()
  readonly #scalars = new Map<
    number,
    { readonly type: number; readonly kind: number; readonly value: number; readonly piece: Piece }
  >()

  constructor(page: Page, dump: Dump, rules: Rules, raw: RawEntries, join: string) {
    this.#dump = dump
    this.#how = ruleSets[rules].graph
    this.#raw = raw
    this.spelling = this.#how.levels ? fullSpelling : shortSpelling
    this.#md5 = dump.header.hasMd5
    this.#stats = statCells(dump)
    this.#plainClasses = new Set(
      ['int', 'float', 'bool', 'str']
        .map(name => dump.texts.findPlain(`<class '${name}'>`))
        .filter(code => code >= 0),
    )
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
  isNull(item: ItemRow): boolean {
    const { kind, value } = this.#dump.items.max
    return (
      kind[item] === Kind.none ||
      kind[item] === Kind.absent ||
      (kind[item] === Kind.text && this.text(value[item]) === 'null')
    )
  }

  /** The fields of an item. */
  fields(out: Page, op: OpRow, item: ItemRow, leaves: Leaves): void {
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
  #isPlain(item: ItemRow): boolean {
    const { items } = this.#dump
    if (items.tensor[item] !== 1) return this.#plainClasses.has(items.dtype[item])
    const finite = (cells: Cells<ItemRow>): boolean =>
      cells.kind[item] !== Kind.float || Number.isFinite(cells.value[item])
    return finite(items.max) && finite(items.min)
  }

  #plain(out: Page, item: ItemRow): void {
    if (this.#dump.items.tensor[item] === 1) this.#tensor(out, item)
    else this.#scalar(out, item)
  }

  #tensor(out: Page, item: ItemRow): void {
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
  #front(out: Page, item: ItemRow): void {
    const { items } = this.#dump
    const [type, dtype, shape] = [items.type[item], items.dtype[item], items.shape[item]]
    const key = (shape + 1) * 2 ** 20 + (((dtype + 1) * 1031 + type + 1) % 2 ** 20)
    const known = this.#fronts.get(key)
    if (known && known.type === type && known.dtype === dtype && known.shape === shape)
      return out.put(known.piece)
    const from = out.length
    this.#field(out, this.#type, type)
    this.#field(out, this.#dtype, dtype)
    this.#field(out, this.#shape, shape)
    if (this.#fronts.size < mostKept)
      this.#fronts.set(key, { type, dtype, shape, piece: out.keepSince(from) })
  }

  /** What ends a tensor without a file. */
  #end(out: Page, md5: TextCode): void {
    const known = this.#ends.get(md5)
    if (known !== undefined) return out.put(known)
    const from = out.length
    this.#fixed(out, this.#dataName, '-1')
    this.#field(out, this.#md5Head, md5)
    if (this.#ends.size < mostKept) this.#ends.set(md5, out.keepSince(from))
  }

  /** Small whole numbers and words are arguments again and again. */
  #scalar(out: Page, item: ItemRow): void {
    const { items } = this.#dump
    if (items.dataName[item] >= 0) return this.#spellScalar(out, item)
    const key = (items.md5[item] + 1) * 4096 + (((items.type[item] + 1) * 8 + items.max.kind[item]) % 4096)
    const known = this.#scalars.get(key)
    if (
      known &&
      known.type === items.type[item] &&
      known.kind === items.max.kind[item] &&
      known.value === items.max.value[item]
    )
      return out.put(known.piece)
    const from = out.length
    this.#spellScalar(out, item)
    if (this.#scalars.size < mostKept)
      this.#scalars.set(key, {
        type: items.type[item],
        kind: items.max.kind[item],
        value: items.max.value[item],
        piece: out.keepSince(from),
      })
  }

  #spellScalar(out: Page, item: ItemRow): void {
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

  #fourStats(out: Page, item: ItemRow): void {
    const [a, b, c, d] = this.#stats
    if (
      !this.#how.levels &&
      allOf(Kind.float, this.#stats, item) &&
      out.stats(this.#statList, a.value[item], b.value[item], c.value[item], d.value[item])
    )
      return
    for (let s = 0; s < 4; s++) {
      out.put(this.#statHeads[s])
      this.#cell(out, this.#stats[s], item)
    }
    out.byte(quote)
  }

  #field(out: Page, head: Piece, code: TextCode): void {
    out.put(head)
    out.raw(this.#code(code))
    out.byte(quote)
  }

  #fixed(out: Page, head: Piece, text: string): void {
    out.put(head)
    out.text(text)
    out.byte(quote)
  }

  #nameField(out: Page, item: ItemRow): void {
    const code = this.#dump.items.dataName[item]
    this.#fixed(out, this.#dataName, code < 0 ? '-1' : jsonText(this.text(code)).slice(1, -1))
  }

  /** The general way: the entry's own fields, then those that every item gets. */
  #leaf(leaf: JsonObject, item: ItemRow): Field[] {
    const { items, texts } = this.#dump
    const isTensor = items.tensor[item] === 1
    const fields = new Map<string, string>()
    for (const [key, value] of leaf)
      if (key !== 'requires_grad' || this.#how.levels) fields.set(key, spell(value, this.spelling))
    fields.set('data_name', items.dataName[item] < 0 ? '-1' : this.text(items.dataName[item]))
    if (this.#how.levels && !fields.has('requires_grad')) fields.set('requires_grad', 'null')
    statKeys.forEach((key, s) => {
      if (!isTensor || !fields.has(key)) fields.set(key, this.#cellText(this.#stats[s], item))
    })
    if (!isTensor) {
      fields.set('dtype', this.text(items.dtype[item]))
      fields.set('shape', this.text(items.shape[item]))
    }
    if (this.#how.levels && !this.#md5) fields.delete('md5')
    else if (!fields.has('md5')) fields.set('md5', this.text(items.md5[item]))
    const kept =
      texts.get(items.type[item]) === 'torch.ProcessGroup'
        ? ['type', 'group_ranks', 'group_id', 'data_name']
        : null
    return [...fields].filter(([key]) => kept === null || kept.includes(key))
  }

  #cell(out: Page, cells: Cells<ItemRow>, item: ItemRow): void {
    if (cells.kind[item] === Kind.float && !this.#how.levels) return out.float(cells.value[item])
    out.text(jsonText(this.#cellText(cells, item)).slice(1, -1))
  }

  #cellText(cells: Cells<ItemRow>, item: ItemRow): string {
    return cellText(this.#dump, cells, item, this.spelling)
  }

  text(code: TextCode): string {
    return code < 0 ? 'null' : this.spelling.text(this.#dump.texts.get(code))
  }

  /** A text of the pool inside quotes, kept: types, dtypes and shapes repeat. */
  #code(code: TextCode): Uint8Array {
    if (code < 0) return nullText
    return (this.#codes[code] ??= encoded(jsonText(this.text(code)).slice(1, -1)))
  }
}

/** A cell as graph files spell it. */
export function cellText(dump: Dump, cells: Cells<ItemRow>, item: ItemRow, spelling: Spelling): string {
  const value = cells.value[item]
  switch (cells.kind[item]) {
    case Kind.float:
      return spelling.float(value)
    case Kind.int:
      return String(value)
    case Kind.bool:
      return value ? 'True' : 'False'
    case Kind.text:
      return spelling.text(dump.texts.get(value))
    case Kind.bigint:
      return dump.texts.get(value)
    default:
      return 'null'
  }
}

const nullText = encoded('null')
const nullItem = encoded('"value": "null"')
