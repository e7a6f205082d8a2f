// One self-contained page for a ticket: findings, counts, pictures, failing rows. Opens offline; no scripts,
// nothing loaded.
import type { Sink } from '../io/index.ts'
import type { Job } from '../work/index.ts'
import {
  type Advice,
  type Comparison,
  type Counts,
  type FindingRecomputed,
  Fill,
  type PairRow,
  type ReportNote,
  type ReportPicture,
  type ReportTried,
  RowState,
  type RowStateName,
  rowStates,
  type StackFrame,
} from '../model/index.ts'
import { countsOf } from '../judge/index.ts'

/** What is said of a finding. */
interface FindingWords {
  /** In a few words how the difference enters. */
  readonly kind: string
  readonly sentence: string
  readonly evidence: readonly {
    readonly row: number
    readonly label: string
    readonly measure: string
    readonly debug: string
    readonly bench: string
    readonly level: number
    readonly state: RowStateName
  }[]
  /** What it explains, and likely causes. */
  readonly lines: readonly string[]
}

export interface HtmlWords {
  say(key: string, facts?: Readonly<Record<string, string | number>>): string
  /** Whether both dumps were taken alike, and what each difference does. */
  taken(advice: Advice): readonly string[]
  /** What is left to say where there is no finding. */
  nothing(advice: Advice, counts: Counts): readonly string[]
  /** The same claims as everywhere, headline first. */
  findings(advice: Advice): readonly FindingWords[]
  /** Whose fault a finding is, as its calls were recomputed. */
  recomputed(found: FindingRecomputed): readonly string[]
  readonly language: string
}

interface HtmlInput {
  readonly comparison: Comparison
  readonly advice: Advice
  /** Whose fault the headline is; null where nothing was recomputed. */
  readonly recomputed: FindingRecomputed | null
  /** The model's own line that called the node of the headline. */
  readonly source: Pick<StackFrame, 'file' | 'line' | 'code'> | null
  readonly pictures: readonly ReportPicture[]
  readonly notes: readonly ReportNote[]
  readonly tried: readonly ReportTried[]
  readonly facts: Readonly<Record<string, string>>
}

const mostRows = 2000
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

export async function writeHtml(
  { comparison, advice, recomputed, source, pictures, notes, tried, facts }: HtmlInput,
  words: HtmlWords,
  sink: Sink,
  job: Job,
): Promise<void> {
  const encoder = new TextEncoder()
  const put = (text: string): void => {
    sink.write(encoder.encode(text))
  }
  const counts = countsOf(comparison)
  put(head(words))
  put(factsOf(facts, words))
  put(findingsOf({ advice, counts, source, recomputed }, words))
  put(notesOf(notes, words))
  put(triedOf(tried, words))
  const rows = new Rows(comparison, advice, words)
  await rows.putAround(put, job)
  put(`<div class="pictures">${pictures.map(picture => figure(picture, words)).join('')}</div>`)
  put(section(words.say('report.counts')))
  put(`<p>${escaped(words.say('report.counts-line', { ...counts }))}</p>`)
  await rows.putDiffering(put, job)
  put('</main></body></html>\n')
}

function head(words: HtmlWords): string {
  const title = escaped(words.say('report.title'))
  return (
    `<!doctype html>\n<html lang="${escaped(words.language)}"><head><meta charset="utf-8">` +
    `<meta http-equiv="Content-Security-Policy" content="${policy}">` +
    `<title>${title}</title><style>${style}</style></head><body><main><h1>${title}</h1>`
  )
}

const section = (title: string): string => `<h2>${escaped(title)}</h2>`
const paragraphs = (lines: readonly string[]): string => lines.map(line => `<p>${escaped(line)}</p>`).join('')

function factsOf(facts: HtmlInput['facts'], words: HtmlWords): string {
  const rows = Object.entries(facts).map(
    ([name, value]) => `<dt>${escaped(words.say(`report.fact.${name}`))}</dt><dd>${escaped(value)}</dd>`,
  )
  return `<dl>${rows.join('')}</dl>`
}

function notesOf(notes: readonly ReportNote[], words: HtmlWords): string {
  if (notes.length === 0) return ''
  const each = notes.map(
    ({ node, text }) =>
      `<section><h3>${escaped(node)}</h3>${paragraphs(text.split('\n').filter(Boolean))}</section>`,
  )
  return section(words.say('report.notes')) + each.join('')
}

/** What was ruled out, so that nobody tries it again. */
function triedOf(tried: readonly ReportTried[], words: HtmlWords): string {
  if (tried.length === 0) return ''
  const each = tried.map(({ id, node, at, outcome, text }) => {
    const lines = [
      `${words.say(`experiment.outcome.${outcome}`)} · ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}`,
      node,
      ...text.split('\n'),
    ].filter(Boolean)
    return `<section><h3>${escaped(words.say(`experiment.${id}`))}</h3>${paragraphs(lines)}</section>`
  })
  return section(words.say('experiment.log.title')) + each.join('')
}

function findingsOf(
  {
    advice,
    counts,
    source,
    recomputed,
  }: Pick<HtmlInput, 'advice' | 'source' | 'recomputed'> & { readonly counts: Counts },
  words: HtmlWords,
): string {
  const findings = words.findings(advice)
  const title = section(words.say('report.findings')) + paragraphs(words.taken(advice))
  if (findings.length === 0)
    return title + paragraphs([words.say('report.none'), ...words.nothing(advice, counts)])
  const sections = findings.map((finding, i) => {
    const whose = i === 0 && recomputed ? words.recomputed(recomputed) : []
    const head = `<h3>${escaped(finding.kind)}</h3>${paragraphs([finding.sentence, ...whose])}`
    const rest = (i === 0 ? quote(source) : '') + proof(finding, words) + paragraphs(finding.lines)
    return `<section class="${i === 0 ? 'first' : ''}">${head}${rest}</section>`
  })
  return title + sections.join('')
}

const quote = (source: HtmlInput['source']): string =>
  source ? `<pre><span>${escaped(`${source.file}:${source.line}`)}</span>\n${escaped(source.code)}</pre>` : ''

/** The numbers that a finding rests on, both sides by name. */
function proof({ evidence }: FindingWords, words: HtmlWords): string {
  if (evidence.length === 0) return ''
  const titles = ['item', 'measure', 'debug', 'bench', 'level', 'state'].map(
    name => `<th>${escaped(words.say(`report.column.${name}`))}</th>`,
  )
  const rows = evidence.map(({ row, label, measure, debug, bench, level, state }) => {
    const number = row < 0 ? '' : String(row + 1)
    const error = Number.isNaN(level) ? '' : String(Number(level.toPrecision(2)))
    const texts = [label, measure, debug, bench, error].map(text => `<td>${escaped(text)}</td>`)
    return `<tr><td class="n">${number}</td>${texts.join('')}${stateCell(state, words)}</tr>`
  })
  return `<div class="table"><table><tr><th>#</th>${titles.join('')}</tr>${rows.join('')}</table></div>`
}

const stateCell = (state: RowStateName, words: HtmlWords): string =>
  `<td class="state ${state}">${escaped(words.say(`state.${state}`))}</td>`

function figure({ name, svg }: ReportPicture, words: HtmlWords): string {
  const title = escaped(words.say(`side.${name}`))
  const image = `<img alt="${title}" src="data:image/svg+xml;base64,${base64(svg)}">`
  return `<figure>${image}<figcaption>${title}</figcaption></figure>`
}

/** Rows as the table has them: those around the culprit first, then all that differ. */
class Rows {
  readonly #comparison: Comparison
  readonly #words: HtmlWords
  readonly #node: string
  /** Rows that show where the error enters. */
  readonly #origin: ReadonlySet<number>
  readonly #columns: readonly {
    readonly id: string
    readonly title: string
    readonly numeric: boolean
    readonly i: number
  }[]
  readonly #names: number

  constructor(comparison: Comparison, advice: Advice, words: HtmlWords) {
    this.#comparison = comparison
    this.#words = words
    this.#node = advice.findings[0]?.node ?? ''
    this.#origin = new Set(advice.findings[0]?.proof)
    this.#columns = comparison.columns
      .map((column, i) => ({ ...column, i }))
      .filter(column => !column.extra && column.id !== 'stack')
    this.#names = comparison.columns.findIndex(column => column.id === 'debugName')
  }

  async putAround(put: (text: string) => void, job: Job): Promise<void> {
    const around = rowsAround(this.#origin, this.#comparison.length)
    if (around.length === 0) return
    put(section(this.#words.say('report.around', { node: this.#node })))
    put(paragraphs([this.#words.say('report.legend')]))
    await this.#table(around, put, job)
  }

  async putDiffering(put: (text: string) => void, job: Job): Promise<void> {
    const { say } = this.#words
    const rows = failingRows(this.#comparison)
    put(section(say('report.rows')))
    if (rows.length > mostRows) put(paragraphs([say('report.cut', { shown: mostRows, of: rows.length })]))
    put(paragraphs([say('report.legend')]))
    await this.#table(rows.slice(0, mostRows), put, job)
  }

  async #table(rows: readonly PairRow[], put: (text: string) => void, job: Job): Promise<void> {
    const titles = [this.#words.say('report.column.state'), ...this.#columns.map(({ title }) => title)]
    const heads = titles.map(title => `<th>${escaped(title)}</th>`).join('')
    put(`<div class="table"><table><thead><tr><th>#</th>${heads}</tr></thead><tbody>`)
    for (const row of rows) {
      await job.breathe()
      put(this.#row(row))
    }
    put('</tbody></table></div>')
  }

  #row(row: PairRow): string {
    const { state, fill } = this.#comparison
    const cells = this.#columns.map(({ id, i, numeric }) => {
      const text = this.#comparison.text(row, i)
      // Metrics come into sight where the same name is not written twice.
      const again = id === 'benchName' && this.#names >= 0 && text === this.#comparison.text(row, this.#names)
      return `<td${numeric ? ' class="n"' : ''}>${escaped(again ? '=' : text)}</td>`
    })
    const looks = [fillClasses[fill[row]], this.#origin.has(row) ? 'origin' : ''].filter(Boolean).join(' ')
    const is = stateCell(rowStates[state[row]] ?? 'incomparable', this.#words)
    return `<tr class="${looks}"><td class="n">${row + 1}</td>${is}${cells.join('')}</tr>\n`
  }
}

const before = 6
const after = 14

/** What comes before and after the first row that shows the culprit. */
function rowsAround(origin: ReadonlySet<number>, length: number): PairRow[] {
  if (origin.size === 0) return []
  const first = Math.min(...origin)
  const from = Math.max(0, first - before)
  return Array.from({ length: Math.min(length, first + after) - from }, (_, k) => (from + k) as PairRow)
}

/** By `Fill`. */
const fillClasses = ['', 'yellow', 'red'] as const

function failingRows({ state, fill, length }: Comparison): PairRow[] {
  const rows: PairRow[] = []
  for (let row = 0; row < length; row++)
    if (state[row] === RowState.differs || fill[row] === Fill.red) rows.push(row)
  return rows
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, char => entities[char] ?? char)

function base64(text: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return btoa(binary)
}

const style = `
:root{color-scheme:light dark;--text:#1b2130;--dim:#5d6679;--line:#e3e6eb;--pane:#fff;--bg:#f6f7f9;
--accent:#c4262e;--red:#fdeaea;--yellow:#fff4e0}
@media (prefers-color-scheme:dark){:root{--text:#e6e9f0;--dim:#a3acbd;--line:#272d38;--pane:#191d25;
--bg:#12151b;--accent:#d63a40;--red:#3d1d20;--yellow:#3a2d13}}
body{margin:0;background:var(--bg);color:var(--text);font:13px/1.5 system-ui,"Noto Sans CJK SC",sans-serif}
main{max-width:1200px;margin:0 auto;padding:24px}
h1{font-size:20px}h2{font-size:14px;color:var(--dim);margin-top:28px}h3{font-size:14px;margin:0 0 6px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px}dt{color:var(--dim)}
dd{margin:0;overflow-wrap:anywhere}
section{background:var(--pane);border:1px solid var(--line);border-radius:8px;padding:12px 16px;margin:8px 0}
section.first{border-color:var(--accent);border-left-width:4px}section p{margin:2px 0}
figure{margin:0}
.pictures{display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start;margin:16px 0}
figure img{max-width:100%;border:1px solid var(--line);border-radius:8px;background:var(--pane)}
figcaption{color:var(--dim)}
.table{overflow-x:auto;border:1px solid var(--line);border-radius:8px}
table{border-collapse:collapse;background:var(--pane);font-size:12px}
th,td{padding:4px 8px;border-bottom:1px solid var(--line);text-align:left;white-space:pre}
th{color:var(--dim);position:sticky;top:0;background:var(--pane)}
td.state.differs{color:var(--accent);font-weight:600}td.state.unpaired,td.state.incomparable{color:var(--dim)}
pre{margin:8px 0;padding:8px 12px;border-radius:6px;background:var(--bg);overflow-x:auto;font-weight:600}pre span{font-weight:400;color:var(--dim)}
section .table{margin:8px 0}td.n{text-align:right;font-variant-numeric:tabular-nums;font-family:ui-monospace,monospace}
tr.origin>td{border-block:2px solid var(--accent);font-weight:600}
tr.origin>td:first-child::before{content:'\\2691\\a0';color:var(--accent)}
tr.red{background:var(--red)}tr.yellow{background:var(--yellow)}`
