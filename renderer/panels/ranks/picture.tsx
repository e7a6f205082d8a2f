// Steps × ranks: a cell each, a step a block of lines. The canvas is drawn, never a DOM element per cell.
import { useEffect, useMemo, useRef, useState, type JSX } from 'react'
import { cellStates, type RanksPicture } from '../../../preload/contract/engine.ts'
import type { Language } from '../../../preload/contract/words/index.ts'
import { count, shortNumber } from '../../state/format.ts'
import { useSay, type Say } from '../../state/words.ts'
import { useWorkbench, type Workbench } from '../../state/workbench.ts'
import { ramp, sharpened, token, useTheme, useWidth } from '../../ui/paint.ts'
import { arrange, cellAt, placeOf, shadeOf, type Arrangement, type Colouring } from './cells.ts'

interface Shown {
  readonly picture: RanksPicture
  /** Levels of the node that cells are coloured by, by unit. */
  readonly node: Float64Array | null
  readonly by: Colouring
  readonly chosen: number
  /** Cells of this origin are framed; -1 none. */
  readonly origin: number
  /** How far units at work are, from 0 to 1. */
  readonly shares: ReadonlyMap<number, number>
}

const noJobs: Workbench['jobs'] = {}

interface Texts {
  step(step: number | null): string
  rank(rank: number | null): string
}

function draw(canvas: HTMLCanvasElement, shown: Shown, at: Arrangement, texts: Texts): void {
  const context = sharpened(canvas)
  if (!context) return
  const { picture, node, by, chosen, origin, shares } = shown
  const shades = ramp()
  const [none, line, bad, accent, soft] = ['--none', '--line-strong', '--bad', '--accent', '--accent-bg'].map(
    token,
  )
  const ranks = picture.ranks.length
  const gap = at.size > 5 ? 1 : 0
  const inner = at.size - gap
  const tall = at.high - gap
  for (let cell = 0; cell < picture.state.length; cell++) {
    const state = cellStates[picture.state[cell] ?? 0] ?? 'none'
    if (state === 'none') continue
    const { x, y } = placeOf(cell, ranks, at)
    const shade = shadeOf(picture, node, by, cell)
    if (state === 'missing' || state === 'working' || state === 'waiting') {
      if (state === 'working') {
        const done = Math.round(tall * (shares.get(picture.unit[cell] ?? -1) ?? 0))
        context.fillStyle = soft ?? ''
        context.fillRect(x, y + tall - done, inner, done)
      }
      context.strokeStyle = (state === 'working' ? accent : line) ?? ''
      context.strokeRect(x + 0.5, y + 0.5, inner - 1, tall - 1)
      continue
    }
    context.fillStyle = shade < 0 ? (none ?? '') : (shades[shade] ?? '')
    context.fillRect(x, y, inner, tall)
    if (shade === 0 && inner > 4) {
      context.strokeStyle = line ?? ''
      context.lineWidth = 0.5
      context.strokeRect(x + 0.25, y + 0.25, inner - 0.5, tall - 0.5)
      context.lineWidth = 1
    }
    if (state === 'failed') cross(context, { x, y, wide: inner, tall }, bad ?? '')
  }
  const frame = (cell: number, colour: string, width: number): void => {
    const { x, y } = placeOf(cell, ranks, at)
    context.strokeStyle = colour
    context.lineWidth = width
    context.strokeRect(x - 0.5, y - 0.5, inner + 1, tall + 1)
    context.lineWidth = 1
  }
  if (origin >= 0)
    for (let cell = 0; cell < picture.origin.length; cell++)
      if (picture.origin[cell] === origin) frame(cell, bad ?? '', at.size > 5 ? 2 : 1)
  if (chosen >= 0) frame(chosen, accent ?? '', 2)
  label(context, picture, at, texts)
}

interface Box {
  readonly x: number
  readonly y: number
  readonly wide: number
  readonly tall: number
}

function cross(context: CanvasRenderingContext2D, { x, y, wide, tall }: Box, colour: string): void {
  context.strokeStyle = colour
  context.beginPath()
  context.moveTo(x + 2, y + 2)
  context.lineTo(x + wide - 2, y + tall - 2)
  context.moveTo(x + wide - 2, y + 2)
  context.lineTo(x + 2, y + tall - 2)
  context.stroke()
}

function label(
  context: CanvasRenderingContext2D,
  picture: RanksPicture,
  at: Arrangement,
  texts: Texts,
): void {
  const { steps, ranks } = picture
  context.font = `11px ${token('--sans')}`
  context.fillStyle = token('--dim')
  context.textBaseline = 'middle'
  for (const [i, step] of steps.entries()) {
    const { y } = placeOf(i * ranks.length, ranks.length, at)
    context.textAlign = 'left'
    context.fillText(texts.step(step), 8, y + at.high / 2)
    context.textAlign = 'right'
    const every = Math.max(1, Math.ceil(13 / at.high))
    if (at.lines > 1)
      for (let line = 0; line < at.lines; line += every)
        context.fillText(
          texts.rank(ranks[line * at.perLine] ?? null),
          at.left - 6,
          y + (line + 0.5) * at.high,
        )
  }
  context.textAlign = 'center'
  const every = Math.max(1, Math.ceil(26 / at.size))
  for (let column = 0; column < Math.min(at.perLine, ranks.length); column += every)
    context.fillText(
      at.lines > 1 ? `+${column}` : texts.rank(ranks[column] ?? null),
      at.left + (column + 0.5) * at.size,
      at.top / 2,
    )
}

export function PictureOfRanks(
  props: Omit<Shown, 'shares'> & {
    /** A cell is a step and rank of what is open. */
    readonly isHere: boolean
    onChoose(cell: number): void
    onOpen(cell: number): void
  },
): JSX.Element {
  const { picture, node, by, chosen, origin, isHere, onChoose, onOpen } = props
  const jobs = useWorkbench(s => (isHere ? s.jobs : noJobs))
  const shares = useMemo(
    () =>
      new Map(
        Object.values(jobs).map(({ unit, done, total }) => [unit as number, done / Math.max(1, total)]),
      ),
    [jobs],
  )
  const say = useSay()
  const language = useWorkbench(s => s.language)
  const canvas = useRef<HTMLCanvasElement>(null)
  const width = useWidth(canvas)
  const [under, setUnder] = useState(-1)
  const theme = useTheme()
  const { length: ranks } = picture.ranks
  const at = arrange(ranks, picture.steps.length, width)
  useEffect(() => {
    const { current } = canvas
    if (!current || width === 0) return
    draw(
      current,
      { picture, node, by, chosen, origin, shares },
      arrange(ranks, picture.steps.length, width),
      {
        step: step => (step === null ? '' : say('ranks.step', { step })),
        rank: rank => (rank === null ? '–' : String(rank)),
      },
    )
  }, [picture, node, by, chosen, origin, shares, width, theme, language, ranks, say])
  const move = (to: number): void => {
    if (to >= 0 && to < picture.unit.length && (picture.unit[to] ?? -1) >= 0) onChoose(to)
  }
  const keys: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: at.lines > 1 ? -at.perLine : -ranks,
    ArrowDown: at.lines > 1 ? at.perLine : ranks,
    PageUp: -ranks,
    PageDown: ranks,
  }
  return (
    <figure className="ranks-picture">
      <canvas
        ref={canvas}
        role="img"
        tabIndex={0}
        aria-label={say('ranks.picture', { steps: picture.steps.length, ranks })}
        data-testid="ranks-picture"
        data-cells={picture.state.length}
        data-size={at.size}
        data-by={by}
        style={{ height: at.height }}
        onPointerMove={e => {
          const box = e.currentTarget.getBoundingClientRect()
          setUnder(cellAt(e.clientX - box.left, e.clientY - box.top, ranks, picture.steps.length, at))
        }}
        onPointerLeave={() => setUnder(-1)}
        onClick={e => {
          const box = e.currentTarget.getBoundingClientRect()
          move(cellAt(e.clientX - box.left, e.clientY - box.top, ranks, picture.steps.length, at))
        }}
        onDoubleClick={() => {
          if (chosen >= 0) onOpen(chosen)
        }}
        onKeyDown={e => {
          const by = keys[e.key]
          if (by !== undefined) {
            e.preventDefault()
            move(Math.max(0, chosen) + by)
          } else if (e.key === 'Enter' && chosen >= 0) onOpen(chosen)
        }}
      />
      <figcaption className="small dim" data-testid="ranks-under">
        {under >= 0
          ? cellText(say, language, picture, under, shares.get(picture.unit[under] ?? -1))
          : say(isHere ? 'ranks.hintHere' : 'ranks.hint')}
      </figcaption>
    </figure>
  )
}

/** What a cell says. */
export function cellText(
  say: Say,
  language: Language,
  picture: RanksPicture,
  cell: number,
  share?: number,
): string {
  const { length } = picture.ranks
  const [step, rank] = [
    picture.steps[Math.floor(cell / length)] ?? null,
    picture.ranks[cell % length] ?? null,
  ]
  const where = [
    ...(step === null ? [] : [say('ranks.step', { step })]),
    ...(rank === null ? [] : [say('ranks.rank', { rank })]),
  ].join(', ')
  const state = cellStates[picture.state[cell] ?? 0] ?? 'none'
  if (state === 'working' && share !== undefined)
    return `${where}: ${say('ranks.state.workingAt', { share: `${Math.round(share * 100)} %` })}`
  if (state !== 'done') return `${where}: ${say(`ranks.state.${state}`)}`
  const differs = picture.differs[cell] ?? 0
  const rows = picture.rows[cell] ?? 0
  if (!(differs > 0)) return `${where}: ${say('ranks.agrees', { rows: count(language, rows) })}`
  return `${where}: ${say('ranks.differs', {
    differs: count(language, differs),
    rows: count(language, rows),
    level: shortNumber(picture.level[cell] ?? NaN),
    worst: picture.names[picture.worst[cell] ?? -1] ?? '',
    first: picture.names[picture.first[cell] ?? -1] ?? '',
  })}`
}
