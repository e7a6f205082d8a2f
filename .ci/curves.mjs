// Draws the curves of a file of `npm run bench -- --json` into docs/pictures: time and memory over the size of a
// dump, both axes logarithmic. Colours follow the reader's theme.
import { writeFileSync } from 'node:fs'
import path from 'node:path'

const folder = path.resolve(import.meta.dirname, '..', 'docs', 'pictures')
const size = { width: 640, height: 380, left: 64, right: 176, top: 44, bottom: 48 }
/** Told apart by shade and by the shape of their points. */
const looks = [
  { colour: '#2f6fd0', dash: '' },
  { colour: '#b4570a', dash: '6 3' },
  { colour: '#1d8a5b', dash: '2 3' },
  { colour: '#9040b0', dash: '8 3 2 3' },
]

const pictures = [
  {
    file: 'growth-time.svg',
    title: 'Processor time of a whole command',
    unit: 's',
    of: point => point.processor,
  },
  {
    file: 'growth-memory.svg',
    title: 'Peak memory of a whole command',
    unit: 'MB',
    of: point => point.peakBytes / 1e6,
  },
]

export function draw({ results, machine, runtime, load }) {
  const curves = results.filter(result => result.points)
  if (curves.length === 0) {
    process.stderr.write('the file holds no curves\n')
    process.exit(2)
  }
  for (const picture of pictures) {
    const file = path.join(folder, picture.file)
    writeFileSync(
      file,
      svg(picture, curves, `${machine.processor}, ${machine.cores} cores, ${runtime}, load ${load}`),
    )
    process.stdout.write(`${path.relative(process.cwd(), file)}\n`)
  }
}

function svg({ title, unit, of }, curves, where) {
  const all = curves.flatMap(({ points }) => points)
  const x = scale(
    all.map(point => point.megabytes),
    size.left,
    size.width - size.right,
  )
  const y = scale(all.map(of), size.height - size.bottom, size.top)
  const parts = [
    `<text x="${size.left}" y="20" class="title">${escaped(title)}</text>`,
    `<text x="${size.left}" y="${size.height - 8}" class="note">${escaped(where)}</text>`,
    `<text x="${size.width - size.right}" y="${size.height - size.bottom + 32}" text-anchor="end">MB of one dump.json</text>`,
  ]
  for (const tick of x.ticks)
    parts.push(
      `<line x1="${x.at(tick)}" x2="${x.at(tick)}" y1="${size.top}" y2="${size.height - size.bottom}" class="grid"/>`,
      `<text x="${x.at(tick)}" y="${size.height - size.bottom + 16}" text-anchor="middle">${tick}</text>`,
    )
  for (const tick of y.ticks)
    parts.push(
      `<line x1="${size.left}" x2="${size.width - size.right}" y1="${y.at(tick)}" y2="${y.at(tick)}" class="grid"/>`,
      `<text x="${size.left - 8}" y="${y.at(tick) + 4}" text-anchor="end">${tick} ${unit}</text>`,
    )
  curves.forEach(({ case: name, points }, i) => {
    const { colour, dash } = looks[i % looks.length]
    const places = points.map(point => `${x.at(point.megabytes)},${y.at(of(point))}`)
    const key = size.top + 12 + i * 34
    parts.push(
      `<polyline points="${places.join(' ')}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`,
      ...places.map(
        place => `<circle cx="${place.split(',')[0]}" cy="${place.split(',')[1]}" r="3" fill="${colour}"/>`,
      ),
      `<line x1="${size.width - size.right + 16}" x2="${size.width - size.right + 40}" y1="${key}" y2="${key}" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`,
      ...name
        .replace(/^growth: /, '')
        .split(', ')
        .map(
          (word, row) =>
            `<text x="${size.width - size.right + 46}" y="${key + 4 + row * 14}">${escaped(word)}</text>`,
        ),
    )
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img">
<style>
text { font: 11px system-ui, sans-serif; fill: #333 } .title { font-size: 14px; font-weight: 600 } .note { fill: #777 }
.grid { stroke: #999; stroke-opacity: 0.3 } .paper { fill: #fff }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .note { fill: #999 } .paper { fill: #16181d } }
</style>
<rect width="${size.width}" height="${size.height}" class="paper"/>
${parts.join('\n')}
</svg>
`
}

/** A logarithmic axis over the values, with 1, 2 and 5 of each power of ten. */
function scale(values, from, to) {
  const [low, high] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))]
  const room = Math.max((high - low) * 0.06, 0.05)
  const at = value =>
    Number((from + ((Math.log10(value) - low + room) / (high - low + 2 * room)) * (to - from)).toFixed(1))
  const ticks = []
  for (let power = Math.floor(low) - 1; power <= Math.ceil(high); power++)
    for (const step of [1, 2, 5]) {
      const tick = Number((step * 10 ** power).toPrecision(1))
      if (Math.log10(tick) >= low - room && Math.log10(tick) <= high + room) ticks.push(tick)
    }
  return { at, ticks }
}

const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
