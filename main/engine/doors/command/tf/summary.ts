// What a full-net compare came to, for people: errors op by op, and where the error enters.
import type { FirstError, ResultOp } from '../../../vector/index.ts'
import type { Page } from '../tools.ts'
import { aligned } from './aligned.ts'

interface Shown {
  readonly threshold: number
  readonly most: number
}

export function printSummary(found: FirstError, { threshold, most }: Shown, page: Page): void {
  const { errors, first, ops, compared, differingInputs, inputsUnseen } = found
  page.line(page.say('cli.tf.compared', { ops, compared }))
  page.line(page.say('cli.tf.errors', { count: errors.length, threshold }))
  for (const error of errors.slice(0, most)) {
    page.line(
      page.say(error.carried ? 'cli.tf.errorCarried' : 'cli.tf.error', { index: error.index, op: error.op }),
    )
    for (const line of aligned(cardOf(error, page), '    ')) page.line(line)
  }
  if (errors.length > most) page.line(page.say('cli.tf.moreErrors', { count: errors.length - most }))
  if (differingInputs.length > 0)
    page.line(page.say('cli.tf.inputsDiffer', { ops: differingInputs.join(', ') }))
  if (compared === 0) page.line(page.say('cli.tf.noneCompared'))
  else if (first === null) page.line(page.say(errors.length > 0 ? 'cli.tf.noFirst' : 'cli.tf.noErrors'))
  else if (first.unknown.length > 0)
    page.line(page.say('cli.tf.firstSuspected', { op: first.op, inputs: first.unknown.join(', ') }))
  else page.line(page.say(inputsUnseen ? 'cli.tf.firstUnseen' : 'cli.tf.first', { op: first.op }))
}

const cardOf = ({ npu, truth, input, output }: ResultOp, page: Page): readonly (readonly string[])[] => [
  [page.say('cli.tf.leftOps'), npu],
  [page.say('cli.tf.rightOps'), truth],
  [page.say('cli.tf.inputs'), input.map(shown).join(', ') || '-'],
  [page.say('cli.tf.outputs'), output.map(shown).join(', ') || '-'],
]

const shown = (cosine: number): string => (Number.isNaN(cosine) ? 'NaN' : cosine.toFixed(6))
