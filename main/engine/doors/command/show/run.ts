// show: what is in a tensor file: its members, or the numbers of one of them.
import { ailments, type CutAnswer, type Exact, readCut, type Survey, survey } from '../../../inspect/index.ts'
import { baseOf } from '../../../io/index.ts'
import { general } from '../../../python/index.ts'
import type { Page } from '../tools.ts'
import { bundleAt, chosenOf } from '../tensor-at.ts'
import { writeText } from '../tensor-text.ts'
import { aligned } from '../tf/aligned.ts'
import { defaultOutput } from '../flags.ts'
import type { Command } from '../verb.ts'
import type { ShowField, ShowFlags } from './index.ts'

interface Member {
  readonly name: string
  readonly dtype: string
  readonly shape: readonly number[]
}

type Answer = { readonly file: string; readonly text: string | null } & (
  | { readonly members: readonly Member[] }
  | { readonly survey: Survey; readonly cut: CutAnswer | null; readonly first: CutAnswer }
)

/** What numpy would print, and what fits a page. */
const [most, usualBins, shownBins] = [400, 64, 16]

export const command: Command<ShowFlags, Answer, ShowField> = {
  async run({ paths, flags }, tools) {
    const { slice, bins = usualBins, output, as, member } = flags
    const bundle = await bundleAt(paths[0], tools)
    if (bundle.tensors.length > 1 && member === undefined) {
      for (const { name, problem } of bundle.tensors)
        if (problem && !bundle.problems.includes(problem))
          tools.tell({ ...problem, path: `${bundle.path}: ${name}` })
      return { file: bundle.path, text: null, members: bundle.tensors }
    }
    const found = chosenOf(bundle, { member, as })
    const { ref } = found
    const { pool, files, job } = tools
    // A slice that does not fit is refused before everything is read.
    const expression = slice ?? (found.shape.length === 0 ? '' : null)
    const cut = expression === null ? null : await readCut(pool, files, { ref, expression, most }, job)
    const first = cut ?? (await readCut(pool, files, { ref, expression: '', most: 128 }, job))
    const query = { left: ref, right: null, tolerance: { atol: 0, rtol: 0 }, top: 0, bins: Math.round(bins) }
    const done = await survey(pool, files, query, job)
    const name = found.name === '' ? baseOf(bundle.path) : found.name
    const text =
      output === undefined
        ? null
        : await writeText(name.replaceAll('/', '_'), ref, output || defaultOutput, tools)
    if (text !== null) tools.written([text])
    return { file: bundle.path, text, survey: done, cut, first }
  },
  print(answer, page) {
    if ('members' in answer) printMembers(answer.members, page)
    else printTensor(answer, page)
  },
  json(answer) {
    const { file, text } = answer
    if ('members' in answer) {
      const members = answer.members.map(({ name, dtype, shape }) => ({ name, dtype, shape }))
      return { file, text, members, ...missing }
    }
    const { leftNumbers: numbers, left, histogram } = answer.survey
    const { count, counts, zeros, max, min, mean, std, norm, where } = numbers
    return {
      file,
      text,
      members: null,
      dtype: left.dtype,
      shape: left.shape,
      stats: {
        count,
        nan: counts.nan,
        posInf: counts.posInf,
        negInf: counts.negInf,
        zeros,
        max,
        min,
        mean,
        std,
        norm,
      },
      health: Object.fromEntries(
        ailments.map(kind => [kind, { count: counts[kind], first: where[kind] < 0 ? null : where[kind] }]),
      ),
      histogram: histogram && { range: histogram.range, counts: [...histogram.left] },
      slice: answer.cut && { shape: answer.cut.shape, values: answer.cut.values },
    }
  },
}

const missing = { dtype: null, shape: null, stats: null, health: null, histogram: null, slice: null }

function printMembers(members: readonly Member[], page: Page): void {
  for (const line of aligned(
    members.map(({ name, dtype, shape }) => [name, dtype, `[${shape.join(', ')}]`]),
    '',
  ))
    page.line(line)
  page.note(page.say('cli.show.member', { count: members.length }))
}

export const exactText = (value: Exact): string => {
  if (typeof value === 'number') return general(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return typeof value === 'string'
    ? value
    : `${general(value[0])}${value[1] < 0 ? '' : '+'}${general(value[1])}j`
}

export const shapeText = (shape: readonly number[]): string => `[${shape.join(', ')}]`

function printTensor(
  { survey: { left, leftNumbers: n, histogram }, first, file }: Extract<Answer, { survey: Survey }>,
  page: Page,
): void {
  const number = (value: number | string | null): string =>
    value === null ? '-' : typeof value === 'string' ? value : general(value)
  page.line(`${baseOf(file)}  ${left.dtype}  ${shapeText(left.shape)}`)
  page.line(
    page.say('cli.show.stats', {
      count: n.count,
      max: number(n.max),
      min: number(n.min),
      mean: number(n.mean),
      std: number(n.std),
      norm: number(n.norm),
    }),
  )
  page.line(
    page.say('cli.show.health', {
      nan: n.counts.nan,
      inf: n.counts.posInf + n.counts.negInf,
      zeros: n.zeros,
      subnormal: n.counts.subnormal,
      saturated: n.counts.saturated,
    }),
  )
  if (histogram) for (const line of bars(histogram.edges, histogram.left)) page.line(line)
  const width = Math.max(1, Math.min(8, first.shape.at(-1) ?? 1))
  if (first.values.length > 0)
    page.line(
      page.say('cli.show.slice', {
        shape: shapeText(first.shape),
        shown: first.values.length,
        size: first.size,
      }),
    )
  const rows = Array.from({ length: Math.ceil(first.values.length / width) }, (_, row) =>
    first.values.slice(row * width, (row + 1) * width).map(exactText),
  )
  for (const line of aligned(rows)) page.line(line)
}

/** A histogram for a terminal: neighbouring bins are put together. */
export function bars(edges: Float64Array, ...sides: readonly Float64Array[]): readonly string[] {
  const each = Math.max(1, Math.ceil((edges.length - 1) / shownBins))
  const rows = Array.from({ length: Math.ceil((edges.length - 1) / each) }, (_, row) => ({
    from: edges[row * each],
    counts: sides.map(side => side.subarray(row * each, (row + 1) * each).reduce((sum, x) => sum + x, 0)),
  }))
  const top = Math.max(1, ...rows.flatMap(row => row.counts))
  const width = sides.length > 1 ? 20 : 40
  return aligned(
    rows.map(({ from, counts }) => [
      general(from),
      ...counts.flatMap(count => [String(count), '█'.repeat(Math.ceil((count / top) * width))]),
    ]),
  )
}
