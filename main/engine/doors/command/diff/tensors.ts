// Two tensors element by element.
import { kindOf, type Survey, survey, type Tolerance } from '../../../inspect/index.ts'
import { absolute, baseOf, join } from '../../../io/index.ts'
import type { DifferenceKind, TensorRef } from '../../../model/index.ts'
import { general } from '../../../python/index.ts'
import { defaultOutput } from '../flags.ts'
import { bars, exactText, shapeText } from '../show/run.ts'
import { writeText } from '../tensor-text.ts'
import { aligned } from '../tf/aligned.ts'
import type { Page, Tools } from '../tools.ts'

interface Given {
  readonly path: string
  readonly name: string
  readonly ref: TensorRef
}

interface Order {
  readonly left: Given
  readonly right: Given
  readonly tolerance: Tolerance
  /** How many of the largest differences are listed. */
  readonly most: number
  readonly output: string | undefined
}

export interface TensorsAnswer {
  readonly order: Order
  readonly survey: Survey
  /** Null where there is nothing to explain. */
  readonly kind: DifferenceKind | null
  readonly json: Readonly<Record<string, unknown>> & {
    readonly comparable: boolean
    readonly allclose: boolean | null
  }
}

const bins = 64

export async function diffTensors(order: Order, tools: Tools): Promise<TensorsAnswer> {
  const { left, right, tolerance, most, output } = order
  const { pool, files, job } = tools
  const done = await survey(
    pool,
    files,
    { left: left.ref, right: right.ref, tolerance, top: most, bins },
    job,
  )
  const texts =
    output === undefined ? null : await saveTexts([left, right], absolute(output || defaultOutput), tools)
  const isEqual = done.pair?.mismatched === 0
  const isComplex = done.left.isComplex || done.right?.isComplex === true
  const kind =
    isEqual || isComplex ? null : await kindOf(pool, files, { left: left.ref, right: right.ref }, job)
  return { order, survey: done, kind, json: { ...jsonOf(order, done), kind, texts } }
}

/** A folder for each side: both files may be called the same. */
async function saveTexts(sides: readonly Given[], folder: string, tools: Tools): Promise<readonly string[]> {
  const written: string[] = []
  for (const [i, { name, path, ref }] of sides.entries()) {
    const file = (name || baseOf(path)).replaceAll('/', '_')
    written.push(await writeText(file, ref, join(folder, i === 0 ? 'left' : 'right'), tools))
    tools.written(written.slice(-1))
  }
  return written
}

function jsonOf(
  { left, right }: Order,
  { left: spec, right: other, pair, top, histogram, ...numbers }: Survey,
): TensorsAnswer['json'] {
  const side = (given: Given, of: typeof spec | null, counted: Survey['rightNumbers']): object => ({
    file: given.path,
    member: given.name || null,
    dtype: of?.dtype,
    shape: of?.shape,
    stats: counted,
  })
  const sides = {
    left: side(left, spec, numbers.leftNumbers),
    right: side(right, other, numbers.rightNumbers),
  }
  if (!pair) return { ...sides, comparable: false, allclose: null }
  return {
    ...sides,
    comparable: true,
    shape: spec.shape,
    ...pair,
    equal: pair.mismatched === 0,
    allclose: pair.apart === 0,
    histogram: histogram && {
      range: histogram.range,
      left: [...histogram.left],
      right: [...(histogram.right ?? [])],
    },
    top,
  }
}

export function printTensors({ order, kind, survey: done }: TensorsAnswer, page: Page): void {
  const { left, right, pair, top, histogram } = done
  const row = (
    label: 'cli.tf.left' | 'cli.tf.right',
    given: Given,
    spec: typeof left | null,
  ): readonly string[] => [
    page.say(label),
    given.path,
    given.name,
    spec?.dtype ?? '',
    spec ? shapeText(spec.shape) : '',
  ]
  for (const line of aligned(
    [row('cli.tf.left', order.left, left), row('cli.tf.right', order.right, right)],
    '',
  ))
    page.line(line)
  if (kind) for (const line of page.difference(kind)) page.line(line)
  if (!pair) return page.line(page.say('cli.diff.shapes'))
  const number = (value: number | string | null): string =>
    value === null ? '-' : typeof value === 'string' ? value : general(value)
  const { atol, rtol } = order.tolerance
  page.line(
    page.say(
      pair.mismatched === 0 ? 'cli.diff.equal' : pair.apart === 0 ? 'cli.diff.close' : 'cli.diff.apart',
      { count: pair.count, mismatched: pair.mismatched, apart: pair.apart, atol, rtol },
    ),
  )
  page.line(
    page.say('cli.diff.numbers', {
      maxAbs: number(pair.maxAbs),
      meanAbs: number(pair.meanAbs),
      rmse: number(pair.rmse),
      maxRel: number(pair.maxRel),
      cosine: number(pair.cosine),
    }),
  )
  if (pair.ulp)
    page.line(page.say('cli.diff.ulp', { max: number(pair.ulp.max), mean: number(pair.ulp.mean) }))
  if (pair.nonFinite > 0) page.line(page.say('cli.diff.nonFinite', { count: pair.nonFinite }))
  if (histogram?.right && pair.mismatched > 0)
    for (const line of bars(histogram.edges, histogram.left, histogram.right)) page.line(line)
  if (top.length === 0) return
  page.line(page.say('cli.tf.cpLargest'))
  const heads = (['cli.tf.cpIndex', 'cli.tf.left', 'cli.tf.right', 'cli.tf.cpOff'] as const).map(key =>
    page.say(key),
  )
  const rows = top.map(({ index, left: l, right: r, abs }) => [
    shapeText(index),
    exactText(l),
    exactText(r),
    general(abs),
  ])
  for (const line of aligned([heads, ...rows])) page.line(line)
}
