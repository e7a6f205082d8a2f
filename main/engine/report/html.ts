// One self-contained page for a ticket: findings, counts, pictures, failing rows. Opens offline; no scripts, nothing loaded.
import type { Sink } from '../io/output.ts'
import type { Job } from '../job.ts'
import { Fill, Verdict } from '../model.ts'
import { countsOf, type Counts } from './counts.ts'
import type { Comparison } from '../result.ts'
import type { Advice, ReportPicture } from '../../../preload/contract/engine.ts'

export interface HtmlWords {
  say(key: string, facts?: Readonly<Record<string, string | number>>): string
  /** What is left to say where there is no finding. */
  nothing(advice: Advice, counts: Counts): readonly string[]
  /** Headline and sentences of each finding. */
  findings(advice: Advice): readonly { readonly title: string; readonly lines: readonly string[] }[]
  readonly language: string
}

export interface HtmlInput {
  readonly comparison: Comparison
  readonly advice: Advice
  readonly pictures: readonly ReportPicture[]
  readonly facts: Readonly<Record<string, string>>
}

const mostRows = 2000

export async function writeHtml({ comparison, advice, pictures, facts }: HtmlInput, words: HtmlWords, sink: Sink, job: Job): Promise<void> {
  const encoder = new TextEncoder()
  const put = (text: string): void => { sink.write(encoder.encode(text)) }
  const rows = failingRows(comparison)
  const names = comparison.columns.findIndex(column => column.id === 'debugName')
  // Metrics come into sight where the same name is not written twice.
  const shown = (row: number, { id, i }: { readonly id: string; readonly i: number }): string => {
    const text = comparison.text(row, i)
    return id === 'benchName' && names >= 0 && text === comparison.text(row, names) ? '=' : text
  }
  const columns = comparison.columns.map((column, i) => ({ ...column, i })).filter(column => !column.extra && column.id !== 'stack')
  put(`<!doctype html>\n<html lang="${escaped(words.language)}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`)
  put(`<title>${escaped(words.say('report.title'))}</title><style>${style}</style></head><body><main>`)
  put(`<h1>${escaped(words.say('report.title'))}</h1><dl>`)
  for (const [name, value] of Object.entries(facts)) put(`<dt>${escaped(words.say(`report.fact.${name}`))}</dt><dd>${escaped(value)}</dd>`)
  put(`</dl><h2>${escaped(words.say('report.findings'))}</h2>`)
  const findings = words.findings(advice)
  if (findings.length === 0) for (const line of [words.say('report.none'), ...words.nothing(advice, countsOf(comparison))]) put(`<p>${escaped(line)}</p>`)
  findings.forEach(({ title, lines }, i) => put(`<section class="${i === 0 ? 'first' : ''}"><h3>${escaped(title)}</h3>${lines.map(line => `<p>${escaped(line)}</p>`).join('')}</section>`))
  put('<div class="pictures">')
  for (const picture of pictures) put(`<figure><img alt="${escaped(picture.name)}" src="data:image/svg+xml;base64,${base64(picture.svg)}"><figcaption>${escaped(picture.name)}</figcaption></figure>`)
  put(`</div><h2>${escaped(words.say('report.counts'))}</h2><p>${escaped(words.say('report.counts-line', { ...countsOf(comparison) }))}</p>`)
  put(`<h2>${escaped(words.say('report.rows'))}</h2>`)
  if (rows.length > mostRows) put(`<p>${escaped(words.say('report.cut', { shown: mostRows, of: rows.length }))}</p>`)
  put(`<div class="table"><table><thead><tr><th>#</th>${columns.map(column => `<th>${escaped(column.title)}</th>`).join('')}</tr></thead><tbody>`)
  for (const row of rows.slice(0, mostRows)) {
    await job.breathe()
    const fill = comparison.fill[row] === Fill.red ? 'red' : comparison.fill[row] === Fill.yellow ? 'yellow' : ''
    put(`<tr class="${fill}"><td class="n">${row + 1}</td>${columns.map(column => `<td${column.numeric ? ' class="n"' : ''}>${escaped(shown(row, column))}</td>`).join('')}</tr>\n`)
  }
  put('</tbody></table></div></main></body></html>\n')
}

function failingRows({ verdict, fill, length }: Comparison): number[] {
  const rows: number[] = []
  for (let row = 0; row < length; row++) if (verdict[row] === Verdict.disagree || fill[row] === Fill.red) rows.push(row)
  return rows
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, char => entities[char] ?? char)

function base64(text: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return btoa(binary)
}

const style = `
:root{color-scheme:light dark;--text:#1b2130;--dim:#5d6679;--line:#e3e6eb;--pane:#fff;--bg:#f6f7f9;--accent:#c4262e;--red:#fdeaea;--yellow:#fff4e0}
@media (prefers-color-scheme:dark){:root{--text:#e6e9f0;--dim:#a3acbd;--line:#272d38;--pane:#191d25;--bg:#12151b;--accent:#d63a40;--red:#3d1d20;--yellow:#3a2d13}}
body{margin:0;background:var(--bg);color:var(--text);font:13px/1.5 system-ui,"Noto Sans CJK SC",sans-serif}main{max-width:1200px;margin:0 auto;padding:24px}
h1{font-size:20px}h2{font-size:14px;color:var(--dim);margin-top:28px}h3{font-size:14px;margin:0 0 6px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px}dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}
section{background:var(--pane);border:1px solid var(--line);border-radius:8px;padding:12px 16px;margin:8px 0}section.first{border-color:var(--accent);border-left-width:4px}section p{margin:2px 0}
figure{margin:0}.pictures{display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start;margin:16px 0}figure img{max-width:100%;border:1px solid var(--line);border-radius:8px;background:var(--pane)}figcaption{color:var(--dim)}
.table{overflow-x:auto;border:1px solid var(--line);border-radius:8px}table{border-collapse:collapse;background:var(--pane);font-size:12px}
th,td{padding:4px 8px;border-bottom:1px solid var(--line);text-align:left;white-space:pre}th{color:var(--dim);position:sticky;top:0;background:var(--pane)}td.n{text-align:right;font-variant-numeric:tabular-nums;font-family:ui-monospace,monospace}
tr.red{background:var(--red)}tr.yellow{background:var(--yellow)}`
