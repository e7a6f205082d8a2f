// Rows of the view as text: TSV, CSV, JSON, Markdown, names, or a Python snippet that loads their tensors.
import { tableFromIPC } from 'apache-arrow'
import type { SessionInfo, ViewId } from '../../../preload/contract/engine.ts'
import { engine } from '../../engine.ts'
import { copyText } from '../../state/clipboard.ts'
import type { CopyForm } from '../../state/handles.ts'
import type { Say } from '../../state/words.ts'
import { exactText, stateOf, type RowSource } from './source.ts'

interface CopyRequest {
  readonly view: ViewId
  /** Positions in the view, ascending. */
  readonly rows: readonly number[]
  readonly columns: readonly { readonly id: string; readonly title: string }[]
}

/** More would not be a copy but an export. */
export const copyLimit = 50_000
const chunk = 2_000

async function cellsOf(
  { view, rows, columns }: CopyRequest,
  extra: readonly string[] = [],
): Promise<string[][]> {
  const ids = [...columns.map(c => c.id), ...extra]
  const cells: string[][] = []
  for (const [first, count] of ranges(rows.slice(0, copyLimit))) {
    const table = tableFromIPC(await engine.rows({ view, first, count, columns: ids }))
    for (let i = 0; i < count; i++)
      cells.push(
        ids.map(id => exactText(table.getChild(id)?.get(i), () => table.getChild(`${id}:text`)?.get(i))),
      )
  }
  return cells
}

/** Consecutive positions as ranges that fit into one answer. */
function ranges(rows: readonly number[]): [number, number][] {
  const found: [number, number][] = []
  for (const row of rows) {
    const last = found.at(-1)
    if (last && last[0] + last[1] === row && last[1] < chunk) last[1]++
    else found.push([row, 1])
  }
  return found
}

const plain = (text: string): string => text.replace(/[\t\r\n]+/g, ' ')
const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const barred = (text: string): string => text.replaceAll('|', '\\|').replace(/[\r\n]+/g, ' ')

async function copyAs(form: Exclude<CopyForm, 'cell' | 'python'>, request: CopyRequest): Promise<string> {
  if (form === 'names')
    return (await cellsOf({ ...request, columns: [] }, ['debugName', 'benchName']))
      .map(names => names.filter(n => n !== '' && n !== 'N/A').join('\t'))
      .join('\n')
  const titles = request.columns.map(c => c.title)
  const cells = await cellsOf(request)
  switch (form) {
    case 'tsv':
      return [titles, ...cells].map(row => row.map(plain).join('\t')).join('\n')
    case 'csv':
      return [titles, ...cells].map(row => row.map(quoted).join(',')).join('\n')
    case 'json':
      return JSON.stringify(
        cells.map(row => Object.fromEntries(row.map((cell, i) => [titles[i] ?? '', cell]))),
        null,
        2,
      )
    case 'markdown':
      return [titles, titles.map(() => '---'), ...cells]
        .map(row => `| ${row.map(barred).join(' | ')} |`)
        .join('\n')
  }
}

interface CopyTask {
  readonly session: SessionInfo
  readonly source: RowSource
  readonly rows: readonly number[]
  /** The column of a single cell. */
  readonly column: string
  readonly columns: CopyRequest['columns']
  readonly say: Say
}

/** Puts rows, or one cell of the first, on the clipboard. */
export async function copyRows(form: CopyForm, task: CopyTask): Promise<void> {
  const { session, source, rows, columns } = task
  const [first] = rows
  if (first === undefined) return
  if (form === 'cell') return copyText(cellOf(first, task))
  if (form !== 'python') return copyText(await copyAs(form, { view: source.view, rows, columns }))
  const at = { debug: source.exact(first, 'debugOp'), bench: source.exact(first, 'benchOp') }
  return copyText(await pythonFor(session, source.number(first, 'row'), at))
}

function cellOf(row: number, { source, column, say }: CopyTask): string {
  if (column === 'state') return say(`state.${stateOf(source, row)}`)
  if (column === 'row') return String(source.number(row, 'row') + 1)
  return source.exact(row, column)
}

/** Python that loads both tensors of a row and prints the largest difference. */
async function pythonFor(
  session: SessionInfo,
  row: number,
  at: { readonly debug: string; readonly bench: string },
): Promise<string> {
  const detail = await engine.node({
    session: session.session,
    unit: session.unit,
    at: { ...(at.debug === '' ? {} : { debug: at.debug }), ...(at.bench === '' ? {} : { bench: at.bench }) },
  })
  const item = detail.items.find(i => i.row === row)
  const load = (name: string, file: string): string =>
    file.endsWith('.pt')
      ? `${name} = torch.load(r"${file}", map_location="cpu", weights_only=True).to(torch.float64).numpy()`
      : `${name} = np.load(r"${file}").astype(np.float64)`
  const files = [
    ['debug', item?.debug?.file ?? ''],
    ['bench', item?.bench?.file ?? ''],
  ].filter(([, file]) => file !== '') as [string, string][]
  if (files.length === 0) return `# ${item?.debug?.name ?? item?.bench?.name ?? at.debug}`
  const torch = files.some(([, file]) => file.endsWith('.pt'))
  return [
    'import numpy as np',
    ...(torch ? ['import torch'] : []),
    '',
    ...files.map(([name, file]) => load(name, file)),
    ...(files.length === 2
      ? ['error = np.abs(debug - bench)', 'print(error.max(), np.unravel_index(error.argmax(), error.shape))']
      : [
          'print(debug.shape, debug.max(), debug.min(), debug.mean())'.replaceAll(
            'debug',
            files[0]?.[0] ?? 'debug',
          ),
        ]),
  ].join('\n')
}
