// The overview for people, a part after the other.
import type { PlainKey } from '../../../../../../preload/contract/words/index.ts'
import type { Similarity } from '../../../../formats/index.ts'
import { defaultThreshold, type FirstError, type Overflow } from '../../../../vector/index.ts'
import type { Page } from '../../tools.ts'
import { aligned } from '../aligned.ts'
import { lookedCells } from '../looked-cells.ts'
import { printSummary } from '../summary.ts'

export interface Compared {
  readonly file: string
  readonly summary: FirstError
}

/** How often rules took effect, by graph and kind of fusion. */
export type Effects = Record<string, Record<string, Record<string, number>>>

export interface Overview {
  readonly compare: readonly Compared[]
  readonly fusion: Effects
  readonly overflow: readonly Overflow[]
  readonly casts: ReadonlyMap<string, readonly string[]>
  readonly similarity: readonly Similarity[]
}

interface Shown {
  readonly only: 'overflow' | null
  readonly limit: number
  /** A compare was asked for. */
  readonly asked: boolean
}

export function print(overview: Overview, page: Page, { only, limit, asked }: Shown): void {
  const part = (title: PlainKey, lines: readonly string[], none: PlainKey): void => {
    page.line(`== ${page.say(title)}`)
    for (const line of lines.length > 0 ? lines : [`  ${page.say(none)}`]) page.line(line)
  }
  const overflow = (): void =>
    part('cli.tf.acOverflow', overflowLines(overview.overflow, limit, page), 'cli.tf.acNoOverflow')
  if (only === 'overflow') return overflow()
  page.line(`== ${page.say('cli.tf.acCompare')}`)
  if (overview.compare.length === 0)
    page.line(`  ${page.say(asked ? 'cli.tf.acNotCompared' : 'cli.tf.acNoCompare')}`)
  for (const { file, summary } of overview.compare) {
    page.line(page.say('cli.tf.result', { path: file }))
    printSummary(summary, { threshold: defaultThreshold, most: limit }, page)
  }
  part('cli.tf.acFusion', fusionLines(overview.fusion), 'cli.tf.acNoFusion')
  overflow()
  part(
    'cli.tf.acCasts',
    [...overview.casts].map(([types, ops]) => `  ${types}: ${ops.join(', ')}`),
    'cli.tf.acNoCasts',
  )
  if (overview.similarity.length > 0)
    part(
      'cli.tf.acSimilarity',
      overview.similarity.flatMap(one => similarLines(one, limit, page)),
      'cli.tf.acNoCasts',
    )
}

const fusionLines = (fusion: Effects): readonly string[] =>
  aligned(
    Object.entries(fusion).flatMap(([graph, kinds]) =>
      Object.entries(kinds).flatMap(([kind, rules]) =>
        Object.entries(rules).map(([rule, times]) => [`[${graph}]`, kind, rule, String(times)]),
      ),
    ),
  )

function overflowLines(records: readonly Overflow[], limit: number, page: Page): readonly string[] {
  const lines = records.slice(0, limit).flatMap(one => recordLines(one, page))
  const more = records.length - limit
  return more > 0 ? [...lines, `  ${page.say('cli.tf.moreErrors', { count: more })}`] : lines
}

function recordLines(
  { task, stream, time, op, type, statuses, tensors }: Overflow,
  page: Page,
): readonly string[] {
  const whose = op === '' ? page.say('cli.tf.acNoOp') : `[${type}] ${op}`
  return [
    `  ${whose}  ${page.say('cli.tf.acTask', { task, stream, time })}`,
    ...(statuses.length === 0 ? [`    ${page.say('cli.tf.acNoStatus')}`] : []),
    ...statuses.map(({ unit, status, meanings }) => {
      const said = meanings.map(({ code, bit }) => page.say(`overflow.${code}`, { bit })).join('; ')
      return `    ${unit} ${status}${said && `: ${said}`}`
    }),
    ...aligned(
      tensors.map(tensor => [`${tensor.io} ${tensor.index}`, ...lookedCells(tensor, page)]),
      '    ',
    ),
  ]
}

function similarLines(
  { session, compared, similar, unlike, onlyLeft, onlyRight }: Similarity,
  limit: number,
  page: Page,
): readonly string[] {
  const some = (names: readonly string[]): string =>
    names.slice(0, limit).join(', ') + (names.length > limit ? ', …' : '')
  return [
    `  ${page.say('cli.tf.acAlike', { session, compared, similar })}`,
    ...unlike.slice(0, limit).map(({ name, places }) => {
      const all = places.map(({ io, index, left, right }) => `${io} ${index}: ${left} / ${right}`)
      return `    ${name}  ${all.join('; ')}`
    }),
    ...(onlyLeft.length > 0 ? [`    ${page.say('cli.tf.acOnlyLeft', { names: some(onlyLeft) })}`] : []),
    ...(onlyRight.length > 0 ? [`    ${page.say('cli.tf.acOnlyRight', { names: some(onlyRight) })}`] : []),
  ]
}
