// What an item holds as one number that is the same on every rank that has the same: of its checksum, else of its statistics.
import { byText, type Dump, elementsIn, type ItemRow, Kind } from '../model/index.ts'

/** Nothing to be told by. */
export const nothing = 0

const view = new DataView(new ArrayBuffer(8))

/** Texts and numbers to 53 bits. */
export class Print {
  #a = 0x9e3779b9
  #b = 0x85ebca6b

  word(value: number): this {
    this.#a = Math.imul(this.#a ^ value, 0x27d4eb2f)
    this.#a ^= this.#a >>> 15
    this.#b = Math.imul(this.#b ^ value, 0x165667b1) + 0x2545f491
    this.#b ^= this.#b >>> 13
    return this
  }

  number(value: number): this {
    view.setFloat64(0, value === 0 ? 0 : value)
    return this.word(view.getInt32(0)).word(view.getInt32(4))
  }

  text(text: string): this {
    for (let i = 0; i < text.length; i++) this.word(text.charCodeAt(i))
    return this.word(text.length)
  }

  get value(): number {
    return 1 + (this.#a >>> 0) * 0x20_0000 + (this.#b >>> 12)
  }
}

export const printOf = (text: string): number => new Print().text(text).value

const cells = ['max', 'min', 'mean', 'norm'] as const

export interface Prints {
  /** Per item; `nothing` where it has no value. */
  readonly print: Float64Array
  /** Per item: equal prints are equal values, all but surely. */
  readonly tells: Uint8Array
}

/** Whole numbers and truths that are put in another order have the same statistics. */
const isOfFloats = /float|double|half|complex/i

export function printsOf(dump: Dump): Prints {
  const { items, texts, header } = dump
  const print = new Float64Array(items.length)
  const tells = new Uint8Array(items.length)
  const known = byText(texts, items.dtype, text => printOf(text))
  const shapes = byText(texts, items.shape, text => printOf(text))
  const types = byText(texts, items.type, text => printOf(text))
  const ofFloats = byText(texts, items.dtype, text => (isOfFloats.test(text) ? 1 : 0))
  for (let item = 0; item < items.length; item++) {
    const of = new Print().number(known(item)).number(shapes(item)).number(types(item))
    const isTensor = items.tensor[item] === 1
    if (isTensor && header.hasMd5 && items.md5[item] >= 0) {
      print[item] = of.text(texts.get(items.md5[item])).value
      tells[item] = 1
      continue
    }
    let told = 0
    for (const name of cells) {
      const { kind, value } = items[name]
      const of2 = kind[item]
      of.word(of2)
      if (of2 === Kind.absent || of2 === Kind.none) continue
      told++
      if (of2 === Kind.text || of2 === Kind.bigint) of.text(texts.get(value[item]))
      else of.number(value[item])
    }
    print[item] = isTensor && told === 0 ? nothing : of.value
    tells[item] = isTensor ? (tensorTells(dump, item, ofFloats(item) === 1) ? 1 : 0) : 1
  }
  return { print, tells }
}

/** Of a constant everything is known; what is not a number hides the rest. */
function tensorTells({ items }: Dump, item: ItemRow, ofFloats: boolean): boolean {
  const { max, min, norm } = items
  const isKnown = Number.isFinite(max.value[item]) && Number.isFinite(min.value[item])
  if (!isKnown || max.kind[item] < Kind.int || min.kind[item] < Kind.int) return false
  return max.value[item] === min.value[item] || (ofFloats && norm.kind[item] === Kind.float)
}

/** Numbers by which two ranks are held against each other, item by item. */
export interface Sizes {
  readonly max: Float64Array
  readonly min: Float64Array
  readonly norm: Float64Array
  /** What another order of summation changes, relative to the range; 0 where nothing may change. */
  readonly grain: Float32Array
}

/** Some units in the last place: short types are summed in longer ones, and rounded once. */
const grains: readonly (readonly [RegExp, number])[] = [
  [/bfloat16/i, 4 * 2 ** -8],
  [/float16|half/i, 4 * 2 ** -11],
  [/float64|double/i, 32 * 2 ** -53],
  [/float/i, 32 * 2 ** -24],
]

export function sizesOf(dump: Dump): Sizes {
  const { items, texts } = dump
  const elements = elementsIn(dump)
  const grainOf = byText(texts, items.dtype, text => grains.find(([dtype]) => dtype.test(text))?.[1] ?? 0)
  const grain = new Float32Array(items.length)
  const [max, min, norm] = (['max', 'min', 'norm'] as const).map(name => {
    const { kind, value } = items[name]
    const isNumber = (item: number): boolean => kind[item] === Kind.int || kind[item] === Kind.float
    return Float64Array.from({ length: items.length }, (_, item) => (isNumber(item) ? value[item] : NaN))
  })
  for (let item = 0; item < items.length; item++) {
    grain[item] = grainOf(item)
    norm[item] /= Math.sqrt(Math.max(1, elements(item)))
  }
  return { max, min, norm, grain }
}

/** How far apart two are, relative to the larger range; NaN where nothing tells. */
export function apart(a: Sizes, i: number, b: Sizes, j: number): number {
  let most = NaN
  let range = 0
  for (const name of ['max', 'min', 'norm'] as const) {
    const [one, two] = [a[name][i], b[name][j]]
    if (Number.isNaN(one) && Number.isNaN(two)) continue
    if (!Number.isFinite(one) || !Number.isFinite(two)) return Object.is(one, two) ? 0 : 1
    range = Math.max(range, Math.abs(one), Math.abs(two))
    most = Math.max(Number.isNaN(most) ? 0 : most, Math.abs(one - two))
  }
  return range > 0 ? Math.min(1, most / range) : most
}
