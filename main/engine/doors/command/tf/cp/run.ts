// tf cp: two tensors element by element.
import type { CloseAnswer, CloseElement, CloseQuery, CloseSide } from '../../../../vector/index.ts'
import { g16 } from '../../../../python/index.ts'
import type { Page } from '../../tools.ts'
import { type Asked, type Command, UsageError } from '../../verb.ts'
import { aligned } from '../aligned.ts'
import { tensorNamed } from '../tensor-named.ts'
import type { CpField, CpFlags } from './index.ts'

export interface Answer extends CloseAnswer {
  readonly query: CloseQuery
}

const usual = { most: 20, al: 0.001, rl: 0.001 }

/** What is said of two tensors, however they were named. */
export const told = {
  print(answer: Answer, page: Page): void {
    const { left, right, count, allClose, cosine, errors, query } = answer
    printSides(answer, page)
    page.line(
      page.say('cli.tf.cpNumbers', {
        count,
        allClose: allClose ? 'True' : 'False',
        cosine: g16(cosine),
        errors,
        share: count === 0 ? 'NaN' : (errors / count).toPrecision(6),
        al: query.al,
        rl: query.rl,
      }),
    )
    if (left.shape.join() !== right.shape.join())
      page.line(page.say(answer.comparable ? 'cli.tf.cpShapes' : 'cli.tf.cpLengths'))
    if (answer.exact) page.line(page.say('cli.tf.cpExact', answer.exact))
    for (const [title, elements] of [
      ['cli.tf.cpErrors', answer.firstErrors],
      ['cli.tf.cpFirst', answer.first],
      ['cli.tf.cpLargest', answer.largest],
    ] as const)
      if (elements.length > 0) printElements(page.say(title), elements, page)
  },
  json: ({ query, ...answer }: Answer) => ({
    left: { file: query.left.file, ...answer.left },
    right: { file: query.right.file, ...answer.right },
    comparable: answer.comparable,
    NumCnt: answer.count,
    AllClose: answer.allClose,
    CosSim: answer.cosine,
    ErrorCnt: answer.errors,
    ErrorPer: answer.errors / answer.count,
    errors: answer.firstErrors,
    top: answer.first,
    largest: answer.largest,
    exact: answer.exact,
  }),
}

export const command: Command<CpFlags, Answer, CpField> = {
  async run(asked, tools) {
    const { most = usual.most, al = usual.al, rl = usual.rl } = asked.flags
    const [left, right] = await Promise.all(
      namesOf(asked).map(async name => (await tensorNamed(asked.paths[0], name, tools)).ref),
    )
    const query = { left, right, most, al, rl }
    const arg = { roots: tools.files.roots(), query }
    const tell = (share: unknown): void =>
      tools.job.report({
        what: 'job.comparing',
        done: Math.round(Number(share) * 1000),
        total: 1000,
        countedIn: 'items',
      })
    const { signal } = tools.job
    return { ...(await tools.pool.run<CloseAnswer>('closeElements', arg, { signal, tell })), query }
  },
  ...told,
}

/** One of them may stand behind -n. */
function namesOf({ flags, paths }: Asked<CpFlags>): readonly string[] {
  const names = [...(flags.name === undefined ? [] : [flags.name]), ...paths.slice(1)]
  if (names.length !== 2)
    throw new UsageError('cli.usage.tfTwo', { command: 'tf cp', count: String(names.length + 1) })
  return names
}

function printSides({ left, right, query }: Answer, page: Page): void {
  const rows = [
    [page.say('cli.tf.left'), query.left.file, ...specOf(left)],
    [page.say('cli.tf.right'), query.right.file, ...specOf(right)],
  ]
  for (const line of aligned(rows, '')) page.line(line)
}

const specOf = ({ dtype, shape, nan, inf }: CloseSide): readonly string[] => [
  dtype,
  `[${shape.join(', ')}]`,
  `NaN ${nan}`,
  `Inf ${inf}`,
]

function printElements(title: string, elements: readonly CloseElement[], page: Page): void {
  page.line(title)
  const heads = (['cli.tf.cpIndex', 'cli.tf.left', 'cli.tf.right', 'cli.tf.cpOff'] as const).map(key =>
    page.say(key),
  )
  for (const line of aligned([heads, ...elements.map(element => element.map(g16))])) page.line(line)
}
