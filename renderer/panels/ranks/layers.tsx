// Ranks × layers of one step: a column per rank, a line per layer, coloured by the largest error in it.
import { useEffect, useRef, useState, type JSX } from 'react'
import type { RanksLayers } from '../../../preload/contract/engine.ts'
import { shortNumber } from '../../state/format.ts'
import { useSay } from '../../state/words.ts'
import { ramp, sharpened, token, useTheme, useWidth } from '../../ui/paint.ts'
import { errorShade } from './cells.ts'

const left = 70
const bottom = 20
const right = 12
const top = 8

const lineHeight = (layers: number): number =>
  Math.max(4, Math.min(20, Math.floor(560 / Math.max(1, layers))))

export function PictureOfLayers({ layers: data }: { readonly layers: RanksLayers }): JSX.Element {
  const { layers, ranks, level } = data
  const say = useSay()
  const canvas = useRef<HTMLCanvasElement>(null)
  const width = useWidth(canvas)
  const [under, setUnder] = useState<readonly [line: number, column: number] | null>(null)
  const theme = useTheme()
  const high = lineHeight(layers.length)
  const wide = Math.max(0, (width - left - right) / Math.max(1, ranks.length))
  useEffect(() => {
    const context = canvas.current && width > 0 ? sharpened(canvas.current) : null
    if (!context) return
    const shades = ramp()
    const none = token('--unknown')
    for (let line = 0; line < layers.length; line++)
      for (let column = 0; column < ranks.length; column++) {
        const value = level[line * ranks.length + column] ?? NaN
        context.fillStyle = Number.isNaN(value) ? none : (shades[errorShade(value)] ?? '')
        const x = left + column * wide
        context.fillRect(
          x,
          top + line * high,
          wide > 4 ? wide - 1 : wide + 0.5,
          high > 5 ? high - 1 : high + 0.5,
        )
      }
    context.font = `11px ${token('--sans')}`
    context.fillStyle = token('--dim')
    context.textBaseline = 'middle'
    context.textAlign = 'right'
    const everyLine = Math.max(1, Math.ceil(13 / high))
    for (let line = 0; line < layers.length; line += everyLine)
      context.fillText(say('ranks.layer', { layer: layers[line] ?? 0 }), left - 6, top + (line + 0.5) * high)
    context.textAlign = 'center'
    const every = Math.max(1, Math.ceil(32 / Math.max(1, wide)))
    for (let column = 0; column < ranks.length; column += every)
      context.fillText(
        String(ranks[column] ?? '–'),
        left + (column + 0.5) * wide,
        top + layers.length * high + bottom / 2,
      )
  }, [layers, ranks, level, width, wide, high, theme, say])
  const value = under ? (level[under[0] * ranks.length + under[1]] ?? NaN) : NaN
  return (
    <figure className="ranks-picture">
      <canvas
        ref={canvas}
        role="img"
        aria-label={say('ranks.layers', { layers: layers.length, ranks: ranks.length })}
        data-testid="ranks-layers"
        data-cells={level.length}
        style={{ height: top + layers.length * high + bottom }}
        onPointerMove={e => {
          const box = e.currentTarget.getBoundingClientRect()
          const [line, column] = [
            Math.floor((e.clientY - box.top - top) / high),
            Math.floor((e.clientX - box.left - left) / wide),
          ]
          setUnder(
            line >= 0 && line < layers.length && column >= 0 && column < ranks.length ? [line, column] : null,
          )
        }}
        onPointerLeave={() => setUnder(null)}
      />
      <figcaption className="small dim">
        {under
          ? say('ranks.layerCell', {
              layer: layers[under[0]] ?? 0,
              rank: ranks[under[1]] ?? '–',
              level: Number.isNaN(value) ? '–' : shortNumber(value),
            })
          : say('ranks.layerHint')}
      </figcaption>
    </figure>
  )
}
