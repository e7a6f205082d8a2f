// Export: tables, graph files, advice, a report for a ticket, pictures.
import { useState, type JSX } from 'react'
import type { Problem, ReportFormat, Side } from '../../../preload/contract/engine.ts'
import { engine, isQuiet, problemOf } from '../../engine.ts'
import { handles } from '../../state/handles.ts'
import { host } from '../../state/host.ts'
import { begin } from '../../state/idle.ts'
import { problemText, useSay } from '../../state/words.ts'
import { notify, now, useWorkbench } from '../../state/workbench.ts'
import { Dialog } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ProblemCard } from '../../ui/states.tsx'
import './dialogs.css'

const formats = ['xlsx', 'csv', 'advisor', 'html', 'json', 'vis', 'vis.db', 'arrow', 'parquet'] as const satisfies readonly ReportFormat[]
const pictures = ['svg-debug', 'svg-bench', 'png-debug', 'png-bench', 'window'] as const
type Picture = (typeof pictures)[number]
const scale = 2

export default function ExportDialog({ onClose }: { onClose(): void }): JSX.Element {
  const say = useSay()
  const single = useWorkbench(s => s.session?.bench === null)
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)

  const doing = async (what: string, act: () => Promise<void>): Promise<void> => {
    const done = begin('export')
    setBusy(what)
    setProblem(null)
    try { await act() } catch (error) { if (!isQuiet(error)) setProblem(problemOf(error)) } finally { setBusy(null); done() }
  }
  const write = (format: ReportFormat): Promise<void> => doing(format, async () => {
    const { session } = now()
    const [folder] = await host().choose({ what: 'folder' })
    if (!session || folder === undefined) return
    const drawn = format === 'html' ? await graphs() : []
    const result = await engine.write({ session: session.session, unit: session.unit, format, folder, language: now().language, ...(drawn.length > 0 ? { pictures: drawn } : {}) })
    if (!result.ok) { setProblem(result.problem); return }
    const [path = folder] = result.value.paths
    notify('saved', { path }, path)
    onClose()
  })
  const picture = (what: Picture): Promise<void> => doing(what, async () => {
    const data = what === 'window' ? await windowPicture(onClose) : await graphPicture(what)
    if (data === null) return
    const result = await host().save({ name: `plumbline-${what.replace(/^(svg|png)-/, '')}.${what.startsWith('svg') ? 'svg' : 'png'}`, data })
    if (result === null) return
    if (!result.ok) { setProblem(result.problem); return }
    notify('saved', { path: result.value.path }, result.value.path)
    onClose()
  })
  const language = useWorkbench(s => s.language)
  const drawn = useWorkbench(s => s.layout.shown.graph)
  const line = (id: ReportFormat | Picture, run: () => void, icon: 'file' | 'camera'): JSX.Element => (
    <li key={id}><button type="button" className="export-row" disabled={busy !== null} onClick={run} data-testid={`export-${id}`}>
      <Icon name={icon} /><span className="grow column"><strong>{say(`export.${id}`)}</strong><span className="faint small">{say(`export.${id}.what`)}</span></span>{busy === id ? <span className="tag">{say('export.writing')}</span> : null}
    </button></li>
  )
  return (
    <Dialog title={say('export.title')} width={600} onClose={onClose}>
      {problem ? <ProblemCard problem={problem} onDismiss={() => setProblem(null)} /> : null}
      <h3 className="section-title export-head">{say('export.results')}</h3>
      <ul className="export-list">{formats.filter(f => !single || f === 'vis' || f === 'vis.db').map(f => line(f, () => void write(f), 'file'))}</ul>
      <h3 className="section-title export-head">{say('export.pictures')}</h3>
      <ul className="export-list">{pictures.filter(p => !single || !p.endsWith('bench')).filter(p => p === 'window' || drawn).map(p => line(p, () => void picture(p), 'camera'))}</ul>
      <p className="hidden-text" role="status">{problem ? problemText(language, problem) : ''}</p>
    </Dialog>
  )
}

async function graphs(): Promise<{ readonly name: string; readonly svg: string }[]> {
  const sides: readonly Side[] = now().session?.bench ? ['debug', 'bench'] : ['debug']
  const made: { name: string; svg: string }[] = []
  for (const side of sides) { const drawn = await handles.graph?.picture(side); if (drawn) made.push({ name: side, svg: drawn.svg }) }
  return made
}

async function graphPicture(what: Exclude<Picture, 'window'>): Promise<string | Uint8Array<ArrayBuffer> | null> {
  const drawn = await handles.graph?.picture(what.endsWith('debug') ? 'debug' : 'bench')
  if (!drawn) return null
  return what.startsWith('svg') ? drawn.svg : rasterize(drawn)
}

/** The dialog must not be in its own picture. */
async function windowPicture(hide: () => void): Promise<Uint8Array<ArrayBuffer>> {
  hide()
  await new Promise(resolve => setTimeout(resolve, 200))
  return new Uint8Array(await host().picture())
}

/** No canvas is larger than this on a side. */
const largestSide = 16_000

async function rasterize({ svg, width, height }: { readonly svg: string; readonly width: number; readonly height: number }): Promise<Uint8Array<ArrayBuffer>> {
  const by = Math.min(scale, largestSide / Math.max(width, height))
  const image = new Image()
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    await new Promise((resolve, reject) => { image.addEventListener('load', resolve); image.addEventListener('error', reject); image.src = url })
    const canvas = new OffscreenCanvas(Math.ceil(width * by), Math.ceil(height * by))
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())
  } finally {
    URL.revokeObjectURL(url)
  }
}
