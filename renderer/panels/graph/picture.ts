// The drawing of a side as SVG: everything that is open, in the colours of the theme, sharp at any scale.
import type { Box, FlowEdge } from '../../../preload/contract/engine.ts'
import { badgeOf, flagOf, noteOf, overflowOf, type Mark } from './box-marks.ts'
import { boxHeight, type Layered } from './layered.ts'
import type { LegendRow } from './legend-rows.ts'
import {
  flagPoints,
  hatchPattern,
  headHeight,
  noPartner,
  originLine,
  overflowPoints,
  type Tokens,
} from './style.ts'

const margin = 16
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

export interface PictureFacts {
  readonly title: string
  readonly legend: readonly LegendRow[]
  /** Ids of boxes that carry the mark of a note. */
  readonly noted: ReadonlySet<string>
}

export function svgOf(
  boxes: readonly Box[],
  width: number,
  height: number,
  t: Tokens,
  { title, legend, noted }: PictureFacts,
): { readonly svg: string; readonly width: number; readonly height: number } {
  const least = Math.max(width, ...legend.map(({ text }) => swatch * 2 + text.length * letter))
  const keys = keysBelow(legend, t, least, height + keyHeight)
  return framed(least, keys.bottom, t, title, [
    ...boxes.toSorted((a, b) => a.depth - b.depth).map(b => boxSvg(b, t, noted.has(b.id))),
    ...keys.parts,
  ])
}

const hatchId = 'none'
/** What a box is filled with, for an attribute. */
const fillOf = (bucket: number, t: Tokens): string =>
  bucket === noPartner ? `url(#${hatchId})` : t.bucket(bucket).fill

const swatch = 12
const keyHeight = 20
/** About what a letter takes. */
const letter = 8

/** What the colours stand for, below the drawing, in as many lines as it takes. */
function keysBelow(
  legend: readonly LegendRow[],
  t: Tokens,
  width: number,
  top: number,
): { readonly parts: readonly string[]; readonly bottom: number } {
  let [x, y] = [0, top]
  const parts: string[] = []
  for (const { bucket, text } of legend) {
    const { line } = t.bucket(bucket)
    const wide = swatch * 2 + text.length * letter
    if (x > 0 && x + wide > width) [x, y] = [0, y + keyHeight]
    parts.push(
      `<rect x="${x}" y="${y}" width="${swatch}" height="${swatch}" rx="3" fill="${fillOf(bucket, t)}" stroke="${line}"/>` +
        `<text x="${x + swatch + 5}" y="${y + 10}" font-size="11" fill="${t.dim}">${escape(text)}</text>`,
    )
    x += wide
  }
  return { parts, bottom: legend.length > 0 ? y + swatch : top - keyHeight }
}

/** A piece of dataflow as it is drawn. */
export function flowSvg(
  { width, height, boxes, lines }: Layered,
  t: Tokens,
  { title, noted }: Omit<PictureFacts, 'legend'>,
): { readonly svg: string; readonly width: number; readonly height: number } {
  return framed(width, height, t, title, [
    `<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 .5 8 4 0 7.5z" fill="${t.dim}"/></marker></defs>`,
    ...lines.map(
      ({ edge, count, path, x, y }) =>
        `<path d="${path}" fill="none" stroke="${t.dim}"${dashesOf(edge)} marker-end="url(#end)"/>` +
        `<text x="${x + 4}" y="${y + 3}" font-size="10" fill="${t.dim}">${escape(edge.shape)}${count > 1 ? ` ×${count}` : ''}${edge.sure ? '' : ' ?'}</text>`,
    ),
    ...boxes.map(b => {
      const { text, line } = t.bucket(b.bucket)
      return (
        `<g${b.inside ? '' : ' opacity="0.75"'}><title>${escape(b.id)}</title><rect x="${b.x}" y="${b.y}" width="${b.w}" height="${boxHeight}" rx="${boxHeight / 2}" fill="${fillOf(b.bucket, t)}"${b.origin ? ` stroke="${t.text}" stroke-width="${originLine}"` : ` stroke="${line}"${b.bucket === noPartner ? ' stroke-dasharray="4 3"' : ''}`}/>` +
        `<text x="${b.x + b.w / 2}" y="${b.y + 16}" text-anchor="middle" fill="${text}">${escape(b.text)}</text>` +
        `${noted.has(b.id) ? dot(b.x + 4, b.y + boxHeight - 2, 4, t) : ''}</g>`
      )
    }),
  ])
}

function dashesOf({ by, sure }: FlowEdge): string {
  if (by === 'control') return ' stroke-dasharray="7 4"'
  return sure ? '' : ' stroke-dasharray="4 3"'
}

function framed(
  width: number,
  height: number,
  t: Tokens,
  title: string,
  parts: readonly string[],
): { readonly svg: string; readonly width: number; readonly height: number } {
  const [w, h] = [Math.ceil(width + margin * 2), Math.ceil(height + margin * 2 + 22)]
  const font = escape(t.font.replaceAll('"', "'"))
  return {
    width: w,
    height: h,
    svg:
      `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="${font}" font-size="12">` +
      `<defs>${hatchPattern(t, hatchId)}</defs><rect width="100%" height="100%" fill="${t.bg}"/><text x="${margin}" y="22" fill="${t.dim}" font-weight="600">${escape(title)}</text>` +
      `<g transform="translate(${margin} ${margin + 18})">${parts.join('')}</g></svg>`,
  }
}

function boxSvg(b: Box, t: Tokens, noted: boolean): string {
  const { text, line } = t.bucket(b.bucket)
  const fill = fillOf(b.bucket, t)
  const radius = b.shape === 'api' ? 12 : 6
  const dashes = b.bucket === noPartner || b.shape === 'group' ? ' stroke-dasharray="4 3"' : ''
  const border =
    b.origin === 'here' ? ` stroke="${t.text}" stroke-width="${originLine}"` : ` stroke="${line}"${dashes}`
  const fade = b.dim ? ' opacity="0.32"' : ''
  const label = escape(`${b.backward ? '◂' : '▸'} ${b.label}`)
  const marks = badgeSvg(b, text, t) + flagSvg(b, t) + overflowSvg(b, t) + (noted ? noteSvg(b, t) : '')
  const name = `<title>${escape(b.id)}</title>`
  if (!b.open) {
    const badge = badgeOf(b)
    const shift = badge && !badge.corner ? 11 : 0
    return (
      `<g${fade}>${name}<rect x="${b.x}" y="${b.y}" width="${b.w}" height="${b.h}" rx="${radius}" fill="${fill}"${border}/>` +
      `<text x="${b.x + b.w / 2 - shift}" y="${b.y + b.h / 2 + 4}" text-anchor="middle" fill="${text}">${label}</text>${marks}</g>`
    )
  }
  const coloured = b.bucket > 0 || b.bucket < -1
  return (
    `<g${fade}>${name}<rect x="${b.x}" y="${b.y}" width="${b.w}" height="${b.h}" rx="6" fill="${t.pane}"${border}/>` +
    (coloured
      ? `<path d="M${b.x} ${b.y + headHeight}v${6 - headHeight}a6 6 0 0 1 6 -6h${b.w - 12}a6 6 0 0 1 6 6v${headHeight - 6}z" fill="${fill}"/>`
      : '') +
    `<text x="${b.x + 9}" y="${b.y + 17}" fill="${coloured ? text : t.text}">${label}</text>${marks}</g>`
  )
}

function badgeSvg(b: Box, colour: string, t: Tokens): string {
  const badge = badgeOf(b)
  if (!badge) return ''
  const { x, y, w, h, corner } = badge
  const ground = corner ? `fill="${t.pane}" stroke="${t.lineStrong}"` : 'fill="#000" fill-opacity="0.14"'
  const size = corner ? 9.5 : 10.5
  return (
    `<rect x="${x - w / 2}" y="${y - h / 2}" width="${w}" height="${h}" rx="${h / 2}" ${ground}/>` +
    `<text x="${x}" y="${y + size * 0.35}" text-anchor="middle" font-size="${size}" font-weight="600" fill="${corner ? t.text : colour}">${badge.text}</text>`
  )
}

function flagSvg(b: Box, t: Tokens): string {
  const flag = flagOf(b)
  if (!flag) return ''
  return `<polygon class="origin" points="${pointsOf(flag, flagPoints)}" fill="${t.flag}" stroke="${t.pane}"/>`
}

function overflowSvg(b: Box, t: Tokens): string {
  const mark = overflowOf(b)
  if (!mark) return ''
  return `<polygon class="overflow" points="${pointsOf(mark, overflowPoints)}" fill="${t.overflow}" stroke="${t.pane}"/>`
}

const pointsOf = ({ x, y, w, h }: Mark, points: typeof flagPoints): string =>
  points.map(([dx, dy]) => `${x + (dx * w) / 2},${y + (dy * h) / 2}`).join(' ')

function noteSvg(b: Box, t: Tokens): string {
  const { x, y, w } = noteOf(b)
  return dot(x, y, w / 2, t)
}

const dot = (x: number, y: number, radius: number, t: Tokens): string =>
  `<circle class="noted" cx="${x}" cy="${y}" r="${radius}" fill="${t.accent}" stroke="${t.pane}"/>`
