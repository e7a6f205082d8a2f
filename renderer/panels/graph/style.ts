// Colours of the theme for canvases, and cytoscape's style sheet made of them.
import type { StylesheetJson } from 'cytoscape'
import { useMemo } from 'react'
import { useWorkbench } from '../../state/workbench.ts'

export interface BucketColour { readonly fill: string; readonly text: string; readonly line: string }

export interface Tokens {
  readonly pane: string
  readonly bg: string
  readonly line: string
  readonly lineStrong: string
  readonly text: string
  readonly dim: string
  readonly accent: string
  readonly font: string
  bucket(bucket: number): BucketColour
}

/** Read again for each theme and palette: canvases know no CSS variables. */
function readTokens(_theme: string): Tokens {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  const pane = token('pane')
  const line = token('line-strong')
  const colours: Record<number, BucketColour> = {
    [-2]: { fill: token('none'), text: token('none-text'), line: token('none-line') },
    [-1]: { fill: pane, text: token('text'), line },
  }
  for (let b = 0; b <= 5; b++) colours[b] = { fill: b === 0 ? pane : token(`s${b}`), text: b === 0 ? token('text') : token(`s${b}-text`), line: b === 0 ? line : b < 3 ? token('s3') : token(`s${b}`) }
  const plain: BucketColour = { fill: pane, text: token('text'), line }
  return {
    pane, bg: token('bg'), line: token('line'), lineStrong: line, text: token('text'), dim: token('dim'), accent: token('accent'), font: getComputedStyle(document.body).fontFamily,
    bucket: bucket => colours[bucket] ?? plain,
  }
}

export function useTokens(): Tokens {
  const theme = useWorkbench(s => `${s.dark}${s.settings?.safeColours}${s.settings?.density}`)
  return useMemo(() => readTokens(theme), [theme])
}

const buckets = [-2, -1, 0, 1, 2, 3, 4, 5] as const

export function styleSheet(t: Tokens): StylesheetJson {
  const sheet: { readonly selector: string; readonly style: Record<string, unknown> }[] = [
    {
      selector: 'node',
      style: {
        shape: 'round-rectangle', 'corner-radius': 6, width: 'data(w)', height: 'data(h)', label: 'data(label)', 'font-family': t.font, 'font-size': 12, color: t.text, 'text-valign': 'center', 'text-halign': 'center',
        'background-color': t.pane, 'border-width': 1, 'border-color': t.lineStrong, 'min-zoomed-font-size': 6, 'z-index': 'data(depth)', 'z-index-compare': 'manual', 'overlay-opacity': 0, 'text-events': 'no', 'transition-duration': 0,
        'outline-color': t.accent, 'outline-width': 0, 'outline-offset': 2,
      },
    },
    { selector: 'node.api', style: { 'corner-radius': 12 } },
    { selector: 'node.group', style: { 'border-style': 'dashed' } },
    { selector: 'node.fused', style: { 'border-style': 'double', 'border-width': 3 } },
    { selector: 'node.badged', style: { 'text-margin-x': -11 } },
  ]
  for (const bucket of buckets) {
    const { fill, text, line } = t.bucket(bucket)
    sheet.push({ selector: `node.closed.b${bucket}`, style: { 'background-color': fill, color: text, 'border-color': line } })
    sheet.push({ selector: `node.badge.b${bucket}`, style: { color: text } })
  }
  sheet.push(
    { selector: 'node.b-2', style: { 'border-style': 'dashed' } },
    { selector: 'node.open', style: { 'background-color': t.pane, 'text-valign': 'top', 'text-halign': 'right', 'text-margin-y': 20, 'text-margin-x': 'data(margin)' } },
    { selector: 'node.headless', style: { 'text-opacity': 0 } },
  )
  for (const bucket of buckets) {
    const { fill, text, line } = t.bucket(bucket)
    if (bucket < 1 && bucket !== -2) continue
    sheet.push({
      selector: `node.open.b${bucket}`,
      style: { 'border-color': line, color: text, 'background-fill': 'linear-gradient', 'background-gradient-direction': 'to-bottom', 'background-gradient-stop-colors': [fill, fill, t.pane, t.pane], 'background-gradient-stop-positions': 'data(stops)' },
    })
    sheet.push({ selector: `node.open.headless.b${bucket}`, style: { 'background-fill': 'solid' } })
  }
  sheet.push(
    { selector: 'node.badge', style: { 'corner-radius': 7, 'background-color': '#000000', 'background-opacity': 0.14, 'border-width': 0, 'font-size': 10.5, 'font-weight': 600, events: 'no', 'text-margin-x': 0, 'text-margin-y': 0, 'text-valign': 'center', 'text-halign': 'center', 'background-fill': 'solid' } },
    { selector: 'node.badge.gone', style: { display: 'none' } },
    { selector: 'node.dim', style: { opacity: 0.32 } },
    { selector: 'node.selected', style: { 'outline-width': 2 } },
  )
  return sheet as StylesheetJson
}
