// Two bundles of tensors, name by name.
import type { Bundle } from '../../../formats/index.ts'
import {
  type BundleDiff,
  type BundleRow,
  compareBundles,
  type TensorState,
  type Tolerance,
} from '../../../inspect/index.ts'
import { general } from '../../../python/index.ts'
import { shapeText } from '../show/run.ts'
import type { Page, Tools } from '../tools.ts'

export interface BundlesAnswer {
  readonly bundles: BundleDiff
  readonly json: Readonly<Record<string, unknown>> & {
    readonly comparable: boolean
    readonly allclose: boolean
  }
}

export async function diffBundles(
  left: Bundle,
  right: Bundle,
  tolerance: Tolerance,
  tools: Tools,
): Promise<BundlesAnswer> {
  const bundles = await compareBundles(left, right, tolerance, tools)
  const { rows, onlyLeft, onlyRight } = bundles
  const unread = rows.find(row => row.problem)
  if (unread?.problem) tools.tell(unread.problem)
  const good = rows.every(row => row.state === 'equal' || row.state === 'close')
  return {
    bundles,
    json: {
      left: { file: left.path },
      right: { file: right.path },
      comparable: rows.length > 0,
      equal: good && rows.every(row => row.state === 'equal') && onlyLeft.length + onlyRight.length === 0,
      allclose: good && onlyLeft.length + onlyRight.length === 0,
      tensors: rows.map(({ left: mine, right: theirs, state, numbers, renamed }) => ({
        name: mine.name,
        other: renamed ? theirs.name : null,
        state,
        dtype: [mine.dtype, theirs.dtype],
        shape: state === 'shapes' ? [mine.shape, theirs.shape] : mine.shape,
        ...(numbers ??
          (state === 'equal' ? { mismatched: 0, maxAbs: 0, maxRel: 0, cosine: 1, apart: 0 } : {})),
      })),
      onlyLeft: onlyLeft.map(one => one.name),
      onlyRight: onlyRight.map(one => one.name),
    },
  }
}

const states: readonly TensorState[] = ['equal', 'close', 'apart', 'shapes', 'unread']
/** Longer lists are for `--json`. */
const listed = 40

export function printBundles({ bundles: { rows, onlyLeft, onlyRight } }: BundlesAnswer, page: Page): void {
  const counts = Object.fromEntries(
    states.map(state => [state, rows.filter(row => row.state === state).length]),
  ) as Record<TensorState, number>
  page.line(
    page.say('cli.diff.names', {
      both: rows.length,
      renamed: rows.filter(row => row.renamed).length,
      onlyLeft: onlyLeft.length,
      onlyRight: onlyRight.length,
    }),
  )
  page.line(page.say('cli.diff.states', counts))
  const worst = rows
    .filter(row => row.state === 'apart' || row.state === 'shapes')
    .toSorted((a, b) => (b.numbers?.maxRel ?? Infinity) - (a.numbers?.maxRel ?? Infinity))
  for (const row of worst.slice(0, listed)) page.line(`  ${lineOf(row, page)}`)
  for (const { left, right } of rows.filter(row => row.renamed).slice(0, listed))
    page.line(`  ${page.say('cli.diff.renamed', { name: left.name, other: right.name })}`)
  for (const { name } of onlyLeft.slice(0, listed)) page.line(`  ${page.say('cli.diff.onlyLeft', { name })}`)
  for (const { name } of onlyRight.slice(0, listed))
    page.line(`  ${page.say('cli.diff.onlyRight', { name })}`)
}

function lineOf({ left, right, numbers }: BundleRow, page: Page): string {
  if (!numbers)
    return page.say('cli.diff.shapesOf', {
      name: left.name,
      left: shapeText(left.shape),
      right: shapeText(right.shape),
    })
  const number = (value: number | null): string => (value === null ? '-' : general(value))
  const { maxAbs, maxRel, cosine, apart, count } = numbers
  return page.say('cli.diff.row', {
    name: left.name,
    maxAbs: number(maxAbs),
    maxRel: number(maxRel),
    cosine: number(cosine),
    apart,
    count,
  })
}
