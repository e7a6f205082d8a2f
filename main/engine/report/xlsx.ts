// Tables as spreadsheets: sheet XML made as bytes, compressed while it is made, never held.
import { Fill, Kind, type Spelling } from '../model/index.ts'
import { memberLimit, type Sink, zipWriter, type ZipWriter } from '../io/index.ts'
import type { Job } from '../work/index.ts'
import { Lines } from './lines.ts'
import { Piece, RowBytes } from './row-bytes.ts'
import { cellNumber, shownColumns, type Table } from './table.ts'

export interface Sheet {
  readonly name: string
  readonly table: Table
  /** Rows from … to-1. */
  readonly from: number
  readonly to: number
  /** Truth values are cells of their own type; msprobe 1.2.2 writes those of its comparisons as texts. */
  readonly truths?: boolean
}

/** A sheet's XML is beyond what a zip member can hold without the 64-bit extension; write fewer rows. */
export class SheetTooLarge extends Error {}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'

/** Cell styles: by `Fill`, then the same for texts that must stay texts when someone edits them. */
const inertStyle = 3
const styles =
  `${head}<styleSheet xmlns="${main}">` +
  '<fonts count="1"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>' +
  '<fills count="4"><fill><patternFill/></fill><fill><patternFill patternType="gray125"/></fill>' +
  ['00FFFF00', 'FFFF0000']
    .map(
      rgb =>
        `<fill><patternFill patternType="solid"><fgColor rgb="${rgb}"/><bgColor rgb="${rgb}"/></patternFill></fill>`,
    )
    .join('') +
  '</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6">' +
  ['', ' quotePrefix="1"']
    .map(quote =>
      [0, 2, 3]
        .map(
          fill =>
            `<xf numFmtId="0" fontId="0" fillId="${fill}" borderId="0" xfId="0"${quote}${fill ? ' applyFill="1"' : ''}/>`,
        )
        .join(''),
    )
    .join('') +
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'

/** Longest text a cell may hold. */
const cellLimit = 32_767
const rowsPerBreath = 64

export async function writeXlsx(
  sheets: readonly Sheet[],
  sink: Sink,
  extras: boolean,
  job: Job,
): Promise<void> {
  const zip = zipWriter(sink)
  try {
    await member(zip, '[Content_Types].xml', contentTypes(sheets.length))
    await member(zip, '_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']]))
    await member(zip, 'xl/workbook.xml', workbook(sheets))
    await member(
      zip,
      'xl/_rels/workbook.xml.rels',
      relations([
        ...sheets.map((_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as const),
        ['styles', 'styles.xml'],
      ]),
    )
    await member(zip, 'xl/styles.xml', styles)
    for (const [i, sheet] of sheets.entries()) {
      zip.begin(`xl/worksheets/sheet${i + 1}.xml`)
      await writeSheet(zip, sheet, shownColumns(sheet.table, extras), job)
      await zip.end()
    }
    zip.close()
  } finally {
    zip.destroy()
  }
}

async function writeSheet(
  zip: ZipWriter,
  { table, from, to, truths = false }: Sheet,
  columns: readonly number[],
  job: Job,
): Promise<void> {
  const cells = columns.map(
    (column, place) => new Column({ place, column, truths, spelling: table.spelling?.(column) ?? null }),
  )
  const lines = new Lines(zip)
  const header = columns
    .map(
      (c, i) => `<c r="${letter(i)}1" t="inlineStr"><is><t>${escaped(table.columns[c].title)}</t></is></c>`,
    )
    .join('')
  const last = `${letter(Math.max(0, columns.length - 1))}${to - from + 1}`
  await lines.add(
    `${head}<worksheet xmlns="${main}"><dimension ref="A1:${last}"/>` +
      '<sheetViews><sheetView workbookViewId="0">' +
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
      '</sheetView></sheetViews>' +
      `<sheetFormatPr defaultRowHeight="15"/><sheetData><row r="1">${header}</row>`,
  )
  const out = new RowBytes(
    columns.map((_, i) => `<c r="${letter(i)}`),
    styleTexts,
  )
  for (let row = from; row < to; row++) {
    putRow(out, table, row, cells, row - from + 2)
    const wait = lines.addBytes(out.written)
    if (wait) await wait
    if (lines.written > memberLimit) throw new SheetTooLarge()
    if ((row - from) % rowsPerBreath === 0) {
      job.report({ what: 'job.writing', done: row - from, total: to - from, countedIn: 'rows' })
      await job.breathe()
    }
  }
  await lines.add('</sheetData></worksheet>')
  lines.flush()
}

interface ColumnPlace {
  /** Where it stands in the sheet, and in the table. */
  readonly place: number
  readonly column: number
  readonly spelling: Spelling | null
  readonly truths: boolean
}

/** A column, with its last text and what became of it: neighbours are often equal. */
class Column {
  readonly place: number
  readonly column: number
  readonly spelling: Spelling | null
  readonly truths: boolean
  code = -1
  text: string | null = null
  fill = -1
  /** A text cell from behind its reference on. */
  readonly xml = new Piece()
  /** Such cells of texts that markup spells otherwise, by fill: stacks and messages come again and again. */
  readonly spelt: readonly Map<string, Piece>[] = styleTexts.map(() => new Map<string, Piece>())

  constructor({ place, column, spelling, truths }: ColumnPlace) {
    this.place = place
    this.column = column
    this.spelling = spelling
    this.truths = truths
  }

  remember(out: RowBytes, from: number, fill: number, code: number, content: string | null): void {
    this.fill = fill
    this.code = code
    this.text = content
    out.keep(from, this.xml)
  }
}

const text = new Piece(' t="inlineStr"><is><t>')
const textEnd = new Piece('</t></is></c>')
const percentEnd = new Piece('%</t></is></c>')
const rowEnd = new Piece('</row>')
/** Attributes by `Fill`. */
const styleTexts = [0, 1, 2].map(fill => (fill ? ` s="${fill}"` : ''))

function putRow(out: RowBytes, table: Table, row: number, columns: readonly Column[], line: number): void {
  const fill = table.fill?.[row] ?? Fill.none
  out.row(line)
  out.ascii(`<row r="${line}">`)
  for (let i = 0; i < columns.length; i++) {
    const cell = columns[i]
    if (cell.spelling !== null && putSpelling(out, cell, cell.spelling, row, fill)) continue
    const value = cellNumber(table, row, cell.column)
    if (cell.truths && table.kind(row, cell.column) === Kind.bool)
      putTruth(out, cell, fill, table.number(row, cell.column))
    else if (Number.isNaN(value)) putText(out, cell, fill, table.text(row, cell.column))
    else out.number(i, fill, value)
  }
  out.put(rowEnd)
}

/** False where the cell says something else than its column usually does. */
function putSpelling(out: RowBytes, cell: Column, spelling: Spelling, row: number, fill: number): boolean {
  if (spelling.is === 'percent') {
    const value = spelling.value(row)
    if (!Number.isFinite(value)) return false
    out.open(cell.place)
    out.style(fill)
    out.put(text)
    out.repr(value)
    out.put(percentEnd)
    return true
  }
  const code = spelling.code(row)
  if (code < 0) return false
  const start = out.length
  out.open(cell.place)
  if (cell.code === code && cell.fill === fill) {
    out.put(cell.xml)
    return true
  }
  const from = out.length
  out.style(fill)
  out.put(text)
  if (spelling.texts.bytesOf(code) > cellLimit || !out.plainCode(spelling.texts, code)) {
    out.cut(start)
    return false
  }
  out.put(textEnd)
  cell.remember(out, from, fill, code, null)
  return true
}

function putTruth(out: RowBytes, cell: Column, fill: number, value: number): void {
  out.open(cell.place)
  out.style(fill)
  out.ascii(` t="b"><v>${value}</v></c>`)
}

function putText(out: RowBytes, cell: Column, fill: number, content: string): void {
  out.open(cell.place)
  if (cell.text === content && cell.fill === fill) return out.put(cell.xml)
  const from = out.length
  out.style(fill)
  out.put(text)
  if (content.length <= cellLimit && out.plain(content)) out.put(textEnd)
  else {
    out.cut(from)
    const known = cell.spelt[fill].get(content)
    if (known) out.put(known)
    else {
      out.text(textCell(fill, content))
      keepSpelt(cell.spelt[fill], content, out, from)
    }
  }
  cell.remember(out, from, fill, -1, content)
}

const mostSpelt = 256

function keepSpelt(spelt: Map<string, Piece>, content: string, out: RowBytes, from: number): void {
  if (spelt.size >= mostSpelt) spelt.clear()
  const piece = new Piece()
  out.keep(from, piece)
  spelt.set(content, piece)
}

const formulaStart = /^[=+\-@\t\r]/
// Characters that need care in XML text, and what Excel would read as an escape.
// oxlint-disable-next-line no-control-regex
const special = /[&<>\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/

/** A text cell from behind its reference on. */
function textCell(fill: number, text: string): string {
  const space = /^\s|\s$|[\t\n]/.test(text) ? ' xml:space="preserve"' : ''
  const look = formulaStart.test(text) ? ` s="${fill + inertStyle}"` : styleTexts[fill]
  return `${look} t="inlineStr"><is><t${space}>${escaped(text)}</t></is></c>`
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }
const unicode = (code: number): string => `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`

/** Pairs of surrogates, which stay, and everything that XML spells otherwise. */
const odd =
  // oxlint-disable-next-line no-control-regex
  /[\ud800-\udbff][\udc00-\udfff]|[&<>\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/g

/**
 * Text for XML: markup escaped, and characters that XML cannot carry written as `_xHHHH_`, as spreadsheets
 * do.
 */
export function escaped(whole: string): string {
  const text = whole.length > cellLimit ? cut(whole) : whole
  if (!special.test(text)) return text
  return text
    .replace(/_x[0-9A-Fa-f]{4}_/g, '_x005F$&')
    .replace(odd, found => (found.length === 2 ? found : (named[found] ?? unicode(found.charCodeAt(0)))))
}

/** A cell's worth of characters; a pair of surrogates is not torn apart. */
function cut(text: string): string {
  const last = text.charCodeAt(cellLimit - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? cellLimit - 1 : cellLimit)
}

/** A, B … Z, AA … */
export function letter(index: number): string {
  let name = ''
  for (let i = index + 1; i > 0; i = Math.floor((i - 1) / 26))
    name = String.fromCharCode(65 + ((i - 1) % 26)) + name
  return name
}

async function member(zip: ZipWriter, name: string, text: string): Promise<void> {
  zip.begin(name)
  const lines = new Lines(zip)
  await lines.add(text)
  lines.flush()
  await zip.end()
}

function contentTypes(sheets: number): string {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const part = (name: string, kind: string): string =>
    `<Override PartName="/xl/${name}.xml" ContentType="${type}.${kind}+xml"/>`
  return (
    `${head}<Types xmlns="${packaged}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${part('workbook', 'sheet.main')}${part('styles', 'styles')}` +
    `${Array.from({ length: sheets }, (_, i) => part(`worksheets/sheet${i + 1}`, 'worksheet')).join('')}</Types>`
  )
}

function relations(list: readonly (readonly [string, string])[]): string {
  const rows = list.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${office}/${type}" Target="${target}"/>`,
  )
  return `${head}<Relationships xmlns="${packaged}/relationships">${rows.join('')}</Relationships>`
}

function workbook(sheets: readonly Sheet[]): string {
  const rows = sheets.map(
    ({ name }, i) => `<sheet name="${escaped(sheetName(name))}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`,
  )
  return `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${rows.join('')}</sheets></workbook>`
}

/** Names of sheets have 31 characters at most and lack some signs. */
const sheetName = (name: string): string => name.replace(/[[\]:*?/\\"]/g, ' ').slice(0, 31) || 'Sheet'
