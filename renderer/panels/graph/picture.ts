// The drawing of a side as SVG: everything that is open, in the colours of the theme, sharp at any scale.
import type { Box } from '../../../preload/contract/engine.ts'
import { hasBadge } from './canvas.ts'
import { boxHeight, type Layered } from './layered.ts'
import type { Tokens } from './style.ts'

const margin = 16
const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

export function svgOf(boxes: readonly Box[], width: number, height: number, t: Tokens, title: string): { readonly svg: string; readonly width: number; readonly height: number } {
  return framed(width, height, t, title, boxes.toSorted((a, b) => a.depth - b.depth).map(b => boxSvg(b, t)))
}

/** A piece of dataflow as it is drawn. */
export function flowSvg({ width, height, boxes, lines }: Layered, t: Tokens, title: string): { readonly svg: string; readonly width: number; readonly height: number } {
  return framed(width, height, t, title, [
    `<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 .5 8 4 0 7.5z" fill="${t.dim}"/></marker></defs>`,
    ...lines.map(({ edge, count, path, x, y }) => `<path d="${path}" fill="none" stroke="${t.dim}"${edge.sure ? '' : ' stroke-dasharray="4 3"'} marker-end="url(#end)"/>`
      + `<text x="${x + 4}" y="${y + 3}" font-size="10" fill="${t.dim}">${escape(edge.shape)}${count > 1 ? ` ×${count}` : ''}${edge.sure ? '' : ' ?'}</text>`),
    ...boxes.map(b => {
      const { fill, text, line } = t.bucket(b.bucket)
      return `<g${b.inside ? '' : ' opacity="0.75"'}><title>${escape(b.id)}</title><rect x="${b.x}" y="${b.y}" width="${b.w}" height="${boxHeight}" rx="${boxHeight / 2}" fill="${fill}" stroke="${line}"${b.bucket === -2 ? ' stroke-dasharray="4 3"' : ''}/>`
        + `<text x="${b.x + b.w / 2}" y="${b.y + 16}" text-anchor="middle" fill="${text}">${escape(b.text)}</text></g>`
    }),
  ])
}

function framed(width: number, height: number, t: Tokens, title: string, parts: readonly string[]): { readonly svg: string; readonly width: number; readonly height: number } {
  const [w, h] = [Math.ceil(width + margin * 2), Math.ceil(height + margin * 2 + 22)]
  const font = escape(t.font.replaceAll('"', "'"))
  return {
    width: w, height: h,
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="${font}" font-size="12">`
      + `<rect width="100%" height="100%" fill="${t.bg}"/><text x="${margin}" y="22" fill="${t.dim}" font-weight="600">${escape(title)}</text>`
      + `<g transform="translate(${margin} ${margin + 18})">${parts.join('')}</g></svg>`,
  }
}

function boxSvg(b: Box, t: Tokens): string {
  const { fill, text, line } = t.bucket(b.bucket)
  const radius = b.shape === 'api' ? 12 : 6
  const dashed = b.bucket === -2 || b.shape === 'group' ? ' stroke-dasharray="4 3"' : ''
  const fade = b.dim ? ' opacity="0.32"' : ''
  const label = escape(`${b.backward ? '◂' : '▸'} ${b.label}`)
  const badge = hasBadge(b) ? badgeSvg(b, text) : ''
  const name = `<title>${escape(b.id)}</title>`
  if (!b.open) {
    return `<g${fade}>${name}<rect x="${b.x}" y="${b.y}" width="${b.w}" height="${b.h}" rx="${radius}" fill="${fill}" stroke="${line}"${dashed}/>`
      + `<text x="${b.x + b.w / 2 - (hasBadge(b) ? 11 : 0)}" y="${b.y + b.h / 2 + 4}" text-anchor="middle" fill="${text}">${label}</text>${badge}</g>`
  }
  const coloured = b.bucket > 0 || b.bucket === -2
  return `<g${fade}>${name}<rect x="${b.x}" y="${b.y}" width="${b.w}" height="${b.h}" rx="6" fill="${t.pane}" stroke="${line}"${dashed}/>`
    + (coloured ? `<path d="M${b.x} ${b.y + 26}v-20a6 6 0 0 1 6 -6h${b.w - 12}a6 6 0 0 1 6 6v20z" fill="${fill}"/>` : '')
    + `<text x="${b.x + 9}" y="${b.y + 17}" fill="${coloured ? text : t.text}">${label}</text>${badge}</g>`
}

function badgeSvg(b: Box, colour: string): string {
  const text = b.failing > 999 ? '999+' : String(b.failing)
  const width = 9 + text.length * 6.4
  const y = b.y + (b.open ? 13 : b.h / 2)
  return `<rect x="${b.x + b.w - width - 6}" y="${y - 7.5}" width="${width}" height="15" rx="7" fill="#000" fill-opacity="0.14"/>`
    + `<text x="${b.x + b.w - width / 2 - 6}" y="${y + 3.6}" text-anchor="middle" font-size="10.5" font-weight="600" fill="${colour}">${text}</text>`
}
