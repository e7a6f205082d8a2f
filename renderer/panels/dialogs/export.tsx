// Export: tables, graph files, advice, a report for a ticket, pictures.
import { useState, type JSX } from 'react'
import type { Problem, ReportFormat, Side } from '../../../preload/contract/engine.ts'
import type { Result } from '../../../preload/contract/host.ts'
import { engine, isQuiet, problemOf } from '../../engine.ts'
import { handles } from '../../state/handles.ts'
import { host } from '../../state/host.ts'
import { begin } from '../../state/idle.ts'
import { notesToWrite } from '../../state/notes.ts'
import { reportsOf, sidesOf } from '../../state/study.ts'
import { problemText, useSay } from '../../state/words.ts'
import { isShown, notify, now, useWorkbench } from '../../state/workbench.ts'
import { Dialog } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ProblemCard } from '../../ui/states.tsx'
import './dialogs.css'

const pictures = ['svg-debug', 'svg-bench', 'png-debug', 'png-bench', 'window'] as const
type Picture = (typeof pictures)[number]
const scale = 2

export default function ExportDialog({ onClose }: { onClose(): void }): JSX.Element {
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const session = useWorkbench(s => s.session)
  const drawn = useWorkbench(s => isShown(s.layout, 'graph'))
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)

  const doing = async (what: string, act: () => Promise<Result<string> | null>): Promise<void> => {
    const done = begin('export')
    setBusy(what)
    setProblem(null)
    try {
      const result = await act()
      if (result?.ok === false) setProblem(result.problem)
      if (!result?.ok) return
      notify('saved', { path: result.value })
      onClose()
    } catch (error) {
      if (!isQuiet(error)) setProblem(problemOf(error))
    } finally {
      setBusy(null)
      done()
    }
  }
  const sides = sidesOf(session)
  const possible = pictures.filter(p => p === 'window' || (drawn && sides.includes(sideIn(p))))
  return (
    <Dialog title={say('export.title')} width={600} onClose={onClose}>
      {problem ? <ProblemCard problem={problem} onDismiss={() => setProblem(null)} /> : null}
      <h3 className="section-title export-head">{say('export.results')}</h3>
      <ul className="export-list">
        {reportsOf(session).map(f => (
          <Line key={f} id={f} icon="file" busy={busy} onPress={() => void doing(f, () => writeReport(f))} />
        ))}
      </ul>
      <h3 className="section-title export-head">{say('export.pictures')}</h3>
      <ul className="export-list">
        {possible.map(p => (
          <Line
            key={p}
            id={p}
            icon="camera"
            busy={busy}
            onPress={() => void doing(p, () => savePicture(p, onClose))}
          />
        ))}
      </ul>
      <p className="hidden-text" role="status">
        {problem ? problemText(language, problem) : ''}
      </p>
    </Dialog>
  )
}

function Line({
  id,
  icon,
  busy,
  onPress,
}: {
  readonly id: ReportFormat | Picture
  readonly icon: 'file' | 'camera'
  /** What is being written. */
  readonly busy: string | null
  onPress(): void
}): JSX.Element {
  const say = useSay()
  return (
    <li>
      <button
        type="button"
        className="export-row"
        disabled={busy !== null}
        onClick={onPress}
        data-testid={`export-${id}`}
      >
        <Icon name={icon} />
        <span className="grow column">
          <strong>{say(`export.${id}`)}</strong>
          <span className="faint small">{say(`export.${id}.what`)}</span>
        </span>
        {busy === id ? <span className="tag">{say('export.writing')}</span> : null}
      </button>
    </li>
  )
}

const sideIn = (picture: Picture): Side => (picture.endsWith('bench') ? 'bench' : 'debug')

/** Asks where to, and answers with the path that was written; null when one leaves. */
async function writeReport(format: ReportFormat): Promise<Result<string> | null> {
  const { session, language } = now()
  const [folder] = await host().choose({ what: 'folder' })
  if (!session || folder === undefined) return null
  const drawn = format === 'html' ? await graphs() : []
  const result = await engine.write({
    session: session.session,
    unit: session.unit,
    format,
    folder,
    language,
    ...(drawn.length > 0 ? { pictures: drawn } : {}),
    notes: notesToWrite(),
    tried: now().tried,
  })
  return result.ok ? { ok: true, value: result.value.paths[0] ?? folder } : result
}

async function savePicture(what: Picture, hide: () => void): Promise<Result<string> | null> {
  const data = what === 'window' ? await windowPicture(hide) : await graphPicture(what)
  if (data === null) return null
  const name = `plumbline-${what.replace(/^(svg|png)-/, '')}.${what.startsWith('svg') ? 'svg' : 'png'}`
  const result = await host().save({ name, data })
  return result?.ok ? { ok: true, value: result.value.path } : result
}

async function graphs(): Promise<{ readonly name: string; readonly svg: string }[]> {
  const sides = sidesOf(now().session)
  const made: { name: string; svg: string }[] = []
  for (const side of sides) {
    const drawn = await handles.graph?.picture(side)
    if (drawn) made.push({ name: side, svg: drawn.svg })
  }
  return made
}

async function graphPicture(
  what: Exclude<Picture, 'window'>,
): Promise<string | Uint8Array<ArrayBuffer> | null> {
  const drawn = await handles.graph?.picture(sideIn(what))
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

async function rasterize({
  svg,
  width,
  height,
}: {
  readonly svg: string
  readonly width: number
  readonly height: number
}): Promise<Uint8Array<ArrayBuffer>> {
  const by = Math.min(scale, largestSide / Math.max(width, height))
  const image = new Image()
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    await new Promise((resolve, reject) => {
      image.addEventListener('load', resolve)
      image.addEventListener('error', reject)
      image.src = url
    })
    const canvas = new OffscreenCanvas(Math.ceil(width * by), Math.ceil(height * by))
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())
  } finally {
    URL.revokeObjectURL(url)
  }
}
