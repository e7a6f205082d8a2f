// The XML of a workbook as cells: a strict streaming parser finds the tags, and no tag, text or depth is without a limit.
import { SaxesParser } from 'saxes'
import type { PlainCell } from './cell-table.ts'

/** Why a workbook is no table; a word for the log. */
export class SheetBroken extends Error {}

/** One cell may hold 32,767 characters in Excel; other writers go beyond, none goes this far. */
const longestText = 1 << 20
/** Characters of one tag or text that the parser may hold back. */
const mostHeld = 8 << 20
const deepest = 64
const mostColumns = 16_384

interface Tag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Takes a document in pieces and tells of its tags and texts. */
export abstract class XmlPieces {
  readonly #parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  readonly #decoder = new TextDecoder()
  #depth = 0
  #held = 0

  constructor() {
    this.#parser.on('error', error => {
      throw new SheetBroken(error.message)
    })
    this.#parser.on('doctype', () => {
      throw new SheetBroken('doctype')
    })
    this.#parser.on('opentag', tag => {
      this.#held = 0
      if (++this.#depth > deepest) throw new SheetBroken('depth')
      this.open({ name: local(tag.name), attributes: tag.attributes })
    })
    this.#parser.on('closetag', tag => {
      this.#held = 0
      this.#depth--
      this.close(local(tag.name))
    })
    this.#parser.on('text', text => this.text(text))
    this.#parser.on('cdata', text => this.text(text))
  }

  push(piece: Uint8Array): void {
    this.#held += piece.length
    this.#parser.write(this.#decoder.decode(piece, { stream: true }))
    if (this.#held > mostHeld) throw new SheetBroken('text')
  }

  end(): void {
    this.#parser.write(this.#decoder.decode()).close()
  }

  protected abstract open(tag: Tag): void
  protected abstract close(name: string): void
  protected abstract text(text: string): void
}

/** A name without the prefix that some writers put before every tag. */
const local = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Texts of `<t>`, phonetic readings left out. */
class RichText {
  #text = ''
  #reading = 0
  #inside = false

  open(name: string): void {
    if (name === 'rPh') this.#reading++
    this.#inside = name === 't' && this.#reading === 0
  }

  close(name: string): void {
    if (name === 'rPh') this.#reading--
    this.#inside = false
  }

  add(text: string): void {
    if (!this.#inside) return
    this.#text += text
    if (this.#text.length > longestText) throw new SheetBroken('text')
  }

  take(): string {
    const text = unescaped(this.#text)
    this.#text = ''
    return text
  }
}

/** Characters that XML forbids stand as `_x000D_` in workbooks. */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-F]{4})_/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : text

/** `xl/sharedStrings.xml`: hands on the texts in their order. */
export class SharedTexts extends XmlPieces {
  readonly #take: (text: string) => void
  readonly #text = new RichText()

  constructor(take: (text: string) => void) {
    super()
    this.#take = take
  }

  protected open({ name }: Tag): void {
    this.#text.open(name)
  }

  protected close(name: string): void {
    this.#text.close(name)
    if (name === 'si') this.#take(this.#text.take())
  }

  protected text(text: string): void {
    this.#text.add(text)
  }
}

/** `xl/workbook.xml`: the names of the tabs; whoever writes a workbook numbers its sheets in their order. */
export class SheetNames extends XmlPieces {
  readonly #names: string[]

  constructor(names: string[]) {
    super()
    this.#names = names
  }

  protected open({ name, attributes }: Tag): void {
    if (name === 'sheet') this.#names.push(attributes['name'] ?? '')
  }

  protected close(): void {}
  protected text(): void {}
}

export interface SheetSink {
  /** `shared`: the number of a shared text instead of the value. */
  cell(column: number, value: PlainCell | { readonly shared: number }): void
  /** The cells since the last one are a row. */
  row(): void
}

/** A worksheet: hands on the cells that stand there, row by row. */
export class SheetCells extends XmlPieces {
  readonly #sink: SheetSink
  readonly #rich = new RichText()
  #column = -1
  #type = 'n'
  #value: string | null = null
  #inValue = false

  constructor(sink: SheetSink) {
    super()
    this.#sink = sink
  }

  protected open({ name, attributes }: Tag): void {
    if (name === 'row') this.#column = -1
    else if (name === 'c') {
      const letters = /^[A-Z]{1,3}(?=\d)/.exec(attributes['r'] ?? '')?.[0]
      this.#column = letters === undefined ? this.#column + 1 : columnOf(letters)
      if (this.#column >= mostColumns) throw new SheetBroken('column')
      this.#type = attributes['t'] ?? 'n'
      this.#value = null
    } else if (name === 'v') {
      this.#inValue = true
      this.#value = ''
    } else this.#rich.open(name)
  }

  protected close(name: string): void {
    if (name === 'row') this.#sink.row()
    else if (name === 'c') this.#finish()
    else if (name === 'v') this.#inValue = false
    else this.#rich.close(name)
  }

  protected text(text: string): void {
    if (!this.#inValue || this.#value === null) return this.#rich.add(text)
    this.#value += text
    if (this.#value.length > longestText) throw new SheetBroken('text')
  }

  #finish(): void {
    const inline = this.#rich.take()
    if (this.#type === 'inlineStr') return this.#sink.cell(this.#column, inline)
    if (this.#value === null) return
    this.#sink.cell(this.#column, valueOf(this.#type, this.#value))
  }
}

function valueOf(type: string, value: string): PlainCell | { readonly shared: number } {
  if (type === 's') return { shared: Number(value) }
  if (type === 'b') return value === '1'
  const number = Number(value)
  return type === 'n' && value.trim() !== '' && !Number.isNaN(number) ? number : unescaped(value)
}

const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
