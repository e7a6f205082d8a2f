// Colours of the theme for canvases, and cytoscape's style sheet made of them.
import type { StylesheetJson } from 'cytoscape'
import { useMemo } from 'react'
import { useTheme } from '../../ui/paint.ts'

interface BucketColour {
  readonly fill: string
  readonly text: string
  readonly line: string
}

export interface Tokens {
  readonly pane: string
  readonly bg: string
  readonly line: string
  readonly lineStrong: string
  readonly text: string
  readonly dim: string
  readonly accent: string
  /** The flag where the error enters. */
  readonly flag: string
  /** The mark of what overflowed. */
  readonly overflow: string
  readonly font: string
  bucket(bucket: number): BucketColour
}

/** Read again for each theme and palette: canvases know no CSS variables. */
function readTokens(_theme: string): Tokens {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  const pane = token('pane')
  const line = token('line-strong')
  const plain: BucketColour = { fill: pane, text: token('text'), line }
  const colours = new Map<number, BucketColour>([
    [-2, { fill: token('none'), text: token('none-text'), line: token('none-line') }],
    [-3, { fill: token('unknown'), text: token('dim'), line }],
  ])
  // The palest fills are too weak for a line.
  for (let b = 1; b <= 5; b++)
    colours.set(b, { fill: token(`s${b}`), text: token(`s${b}-text`), line: token(`s${Math.max(3, b)}`) })
  return {
    pane,
    bg: token('bg'),
    line: token('line'),
    lineStrong: line,
    text: token('text'),
    dim: token('dim'),
    accent: token('accent'),
    flag: token('bad'),
    overflow: token('warn'),
    font: getComputedStyle(document.body).fontFamily,
    bucket: bucket => colours.get(bucket) ?? plain,
  }
}

export function useTokens(): Tokens {
  const theme = useTheme()
  return useMemo(() => readTokens(theme), [theme])
}

/** Bucket of nodes that have no partner: they are hatched. */
export const noPartner = -2
/** Stripes of a square that repeats, as the path of an SVG. */
export const hatch = { size: 8, path: 'M-2 2 2-2M0 8 8 0M6 10 10 6', line: 2 } as const

/** What fills a box without a partner, under this id. */
export const hatchPattern = (t: Tokens, id: string): string =>
  `<pattern id="${id}" width="${hatch.size}" height="${hatch.size}" patternUnits="userSpaceOnUse">` +
  `<rect width="100%" height="100%" fill="${t.pane}"/>` +
  `<path d="${hatch.path}" stroke="${t.bucket(noPartner).fill}" stroke-width="${hatch.line}"/></pattern>`

/** The same as a picture that repeats sideways, so high. */
const hatchPicture = (t: Tokens, height: number): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${hatch.size}" height="${height}">` +
      `<defs>${hatchPattern(t, 'h')}</defs><rect width="100%" height="100%" fill="url(#h)"/></svg>`,
  )}`

const buckets = [-3, -2, -1, 0, 1, 2, 3, 4, 5] as const

interface Rule {
  readonly selector: string
  readonly style: Readonly<Record<string, unknown>>
}

/** A later rule wins over an earlier one. */
export const styleSheet = (t: Tokens): StylesheetJson =>
  [
    { selector: 'node', style: nodeStyle(t) },
    ...shapeRules,
    ...buckets.flatMap(bucket => closedRules(t, bucket)),
    { selector: 'node.b-2', style: { 'border-style': 'dashed' } },
    { selector: 'node.closed.b-2', style: hatched(t, hatch.size, 'repeat') },
    { selector: 'node.open', style: { ...openStyle, 'background-color': t.pane } },
    { selector: 'node.headless', style: { 'text-opacity': 0 } },
    ...buckets.filter(bucket => bucket >= 1 || bucket < -1).flatMap(bucket => openRules(t, bucket)),
    {
      selector: 'node.open.b-2',
      style: { 'background-fill': 'solid', ...hatched(t, headHeight, 'repeat-x') },
    },
    { selector: 'node.open.headless.b-2', style: { 'background-image': 'none' } },
    {
      selector: 'node.origin',
      style: { 'border-width': originLine, 'border-color': t.text, 'border-style': 'solid' },
    },
    { selector: 'node.badge', style: badgeStyle },
    { selector: 'node.badge.corner', style: cornerStyle(t) },
    { selector: 'node.flag', style: flagStyle(t) },
    { selector: 'node.noted', style: { ...flagStyle(t), shape: 'ellipse', 'background-color': t.accent } },
    { selector: 'node.overflow', style: overflowStyle(t) },
    { selector: 'node.mark.gone', style: { display: 'none' } },
    { selector: 'node.dim', style: { opacity: 0.32 } },
    { selector: 'node.selected', style: { 'outline-width': 2 } },
  ] satisfies readonly Rule[] as StylesheetJson

const nodeStyle = (t: Tokens): Rule['style'] => ({
  shape: 'round-rectangle',
  'corner-radius': 6,
  width: 'data(w)',
  height: 'data(h)',
  label: 'data(label)',
  'font-family': t.font,
  'font-size': 12,
  color: t.text,
  'text-valign': 'center',
  'text-halign': 'center',
  'background-color': t.pane,
  'border-width': 1,
  'border-color': t.lineStrong,
  'min-zoomed-font-size': 6,
  'z-index': 'data(depth)',
  'z-index-compare': 'manual',
  'overlay-opacity': 0,
  'text-events': 'no',
  'transition-duration': 0,
  'outline-color': t.accent,
  'outline-width': 0,
  'outline-offset': 2,
})

const hatched = (t: Tokens, height: number, repeat: 'repeat' | 'repeat-x'): Rule['style'] => ({
  'background-image': hatchPicture(t, height),
  'background-repeat': repeat,
  'background-fit': 'none',
  'background-position-x': 0,
  'background-position-y': 0,
})

const shapeRules: readonly Rule[] = [
  { selector: 'node.api', style: { 'corner-radius': 12 } },
  { selector: 'node.group', style: { 'border-style': 'dashed' } },
  { selector: 'node.fused', style: { 'border-style': 'double', 'border-width': 3 } },
  { selector: 'node.badged', style: { 'text-margin-x': -11 } },
]

function closedRules(t: Tokens, bucket: number): readonly Rule[] {
  const { fill, text, line } = t.bucket(bucket)
  return [
    {
      selector: `node.closed.b${bucket}`,
      style: { 'background-color': fill, color: text, 'border-color': line },
    },
    { selector: `node.badge.b${bucket}`, style: { color: text } },
  ]
}

const openStyle: Rule['style'] = {
  'text-valign': 'top',
  'text-halign': 'right',
  'text-margin-y': 20,
  'text-margin-x': 'data(margin)',
}

/** A frame carries its colour in the head only. */
function openRules(t: Tokens, bucket: number): readonly Rule[] {
  const { fill, text, line } = t.bucket(bucket)
  return [
    {
      selector: `node.open.b${bucket}`,
      style: {
        'border-color': line,
        color: text,
        'background-fill': 'linear-gradient',
        'background-gradient-direction': 'to-bottom',
        'background-gradient-stop-colors': [fill, fill, t.pane, t.pane],
        'background-gradient-stop-positions': 'data(stops)',
      },
    },
    { selector: `node.open.headless.b${bucket}`, style: { 'background-fill': 'solid' } },
  ]
}

/** Height of the title of an open box. */
export const headHeight = 26

/** Width of the line around the node where the error enters. */
export const originLine = 3

/** A pole and what flies from it, in shares of a box from -1 to 1. */
export const flagPoints: readonly (readonly [x: number, y: number])[] = [
  [-1, -1],
  [1, -0.5],
  [-0.55, 0],
  [-0.55, 1],
  [-1, 1],
]

/** A warning sign, in shares of a box from -1 to 1. */
export const overflowPoints: typeof flagPoints = [
  [0, -1],
  [1, 1],
  [-1, 1],
]

const flagStyle = (t: Tokens): Rule['style'] => ({
  shape: 'polygon',
  'shape-polygon-points': flagPoints.flat().join(' '),
  'background-color': t.flag,
  'background-fill': 'solid',
  'border-width': 1,
  'border-style': 'solid',
  'border-color': t.pane,
  label: '',
  events: 'no',
})

const overflowStyle = (t: Tokens): Rule['style'] => ({
  ...flagStyle(t),
  'shape-polygon-points': overflowPoints.flat().join(' '),
  'background-color': t.overflow,
  label: '!',
  color: t.pane,
  'font-size': 9,
  'font-weight': 700,
  'text-margin-x': 0,
  'text-margin-y': 2,
})

/** On the corner of a pill, which has no room for it. */
const cornerStyle = (t: Tokens): Rule['style'] => ({
  'background-color': t.pane,
  'background-opacity': 1,
  'border-width': 1,
  'border-color': t.lineStrong,
  color: t.text,
  'font-size': 9.5,
})

const badgeStyle: Rule['style'] = {
  'corner-radius': 7,
  'background-color': '#000000',
  'background-opacity': 0.14,
  'border-width': 0,
  'font-size': 10.5,
  'font-weight': 600,
  events: 'no',
  'text-margin-x': 0,
  'text-margin-y': 0,
  'text-valign': 'center',
  'text-halign': 'center',
  'background-fill': 'solid',
}
