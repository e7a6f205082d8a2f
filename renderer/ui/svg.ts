// Pictures as SVG text, drawn from the same numbers as the canvas.

export interface SvgSeries {
  readonly name: string
  readonly colour: string
  /** Null leaves a gap. */
  readonly values: readonly (number | null)[]
  readonly dashed?: boolean
}

export interface SvgChart {
  readonly title: string
  /** One place more than values for steps, as many for lines. */
  readonly x: readonly number[]
  readonly series: readonly SvgSeries[]
  readonly log: boolean
  readonly steps: boolean
  readonly ink: string
}

const size = { width: 720, height: 300, left: 70, right: 16, top: 28, bottom: 30 }

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const short = (value: number): string => String(Number(value.toPrecision(4)))

export function chartSvg({ title, x, series, log, steps, ink }: SvgChart): string {
  const [low, high] = [x[0] ?? 0, x.at(-1) ?? 1]
  const shown = series.flatMap(({ values }) => values.filter(value => value !== null && (!log || value > 0)))
  const scaled = (value: number): number => (log ? Math.log10(value) : value)
  const most = scaled(shown.reduce<number>((a, b) => Math.max(a, b ?? 0), log ? 1e-300 : 0))
  const least = log ? scaled(shown.reduce<number>((a, b) => Math.min(a, b ?? a), Infinity)) : 0
  const wide = size.width - size.left - size.right
  const tall = size.height - size.top - size.bottom
  const left = (value: number): number => size.left + ((value - low) / (high - low || 1)) * wide
  const top = (value: number): number =>
    size.top + tall - ((scaled(value) - least) / (most - least || 1)) * tall
  const base = size.top + tall
  const path = ({ values }: SvgSeries): string => {
    let [d, open] = ['', false]
    values.forEach((value, i) => {
      const place = value === null || (log && value <= 0) ? null : top(value)
      if (place === null) open = false
      else if (steps) {
        d += `${open ? 'L' : `M${left(x[i] ?? 0)} ${base}L`}${left(x[i] ?? 0)} ${place}L${left(x[i + 1] ?? 0)} ${place}`
        open = true
      } else {
        d += `${open ? 'L' : 'M'}${left(x[i] ?? 0)} ${place}`
        open = true
      }
    })
    return d
  }
  const text = (at: readonly [number, number], words: string, anchor = 'start'): string =>
    `<text x="${at[0]}" y="${at[1]}" text-anchor="${anchor}" fill="${ink}">${escaped(words)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="11">`,
    text([size.left, 16], title),
    `<path d="M${size.left} ${size.top}V${base}H${size.left + wide}" fill="none" stroke="${ink}"/>`,
    ...series.map(
      one =>
        `<path d="${path(one)}" fill="none" stroke="${one.colour}" stroke-width="1.4"${one.dashed ? ' stroke-dasharray="4 3"' : ''}><title>${escaped(one.name)}</title></path>`,
    ),
    text([size.left, base + 16], short(low)),
    text([size.left + wide, base + 16], short(high), 'end'),
    text([size.left - 6, size.top + 8], short(log ? 10 ** most : most), 'end'),
    text([size.left - 6, base], short(log ? 10 ** least : least), 'end'),
    ...series.map((one, i) =>
      text([size.left + wide - 8 - i * 120, 16], one.name, 'end').replace(ink, one.colour),
    ),
    '</svg>',
  ].join('\n')
}

/** A picture of pixels, framed and named. */
export function imageSvg(image: string, title: string, captions: readonly string[], ink: string): string {
  const wide = size.width - 32
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} 420" font-family="sans-serif" font-size="11">`,
    `<text x="16" y="16" fill="${ink}">${escaped(title)}</text>`,
    `<image x="16" y="24" width="${wide}" height="360" preserveAspectRatio="none" style="image-rendering:pixelated" href="${image}"/>`,
    `<rect x="16" y="24" width="${wide}" height="360" fill="none" stroke="${ink}"/>`,
    `<text x="16" y="402" fill="${ink}">${escaped(captions.join('   '))}</text>`,
    '</svg>',
  ].join('\n')
}
